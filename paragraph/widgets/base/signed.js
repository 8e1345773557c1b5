// The signed graph of a page: sentences, stated labels with their rows, clusters, paths; and why two
// sentences count as the same. Its answers are those of `paragraph.graph`.

/** The rounds that closure takes to reach a label over some hops. */
const roundsOf = (hops) => 32 - Math.clz32(hops);

const isLabelledTwice = ({ yes, no }) => yes > 0 && no > 0;

/** The clusters of sentences, each once. */
const homesOf = (nodes) => unique(nodes.map(({ home }) => home));
const byNumber = (one, other) => one.number - other.number;

/** A row that states a label, who says so, and what stands beside it: in short where it has that label, and
 * its texts are those of the two. */
function rowOf(written, a, b, sign) {
  const [name, label = Number(sign > 0), first, second] = [written].flat();
  const [number, by, beside = []] = [name].flat();
  const row = by ? `${number} (${by})` : number;
  const known = { row, by, beside, label };
  if (second !== undefined) return { ...known, texts: [first, second] };
  return { ...known, texts: first ? [b.text, a.text] : [a.text, b.text] };
}

/** Two annotators differ about a label. */
const isDisputed = (edge) => isLabelledTwice(edge) && unique(edge.rows.map(({ by }) => by)).length > 1;

/** Records of clusters, whole or in brief, and what is stated between their sentences. `add` takes more of
 * them, as a keeper gives them. */
function signedGraph({ bipartite, table, words }) {
  const nodesOf = (numbers) => [...numbers].map((number) => nodes.get(`n${number}`));
  /** What a label says, in the words of the file. */
  const stating = ({ sign }) => words[Number(sign > 0)];
  const clusters = new Map();
  const nodes = new Map(); // by key; of a cluster in brief, those that something is stated about
  const edges = new Map(); // by number
  let joins = new Map();

  const isWhole = (id) => clusters.get(id)?.members !== undefined;

  function nodeFor([number, text], home) {
    const key = `n${number}`;
    // alone: rows that pair it with itself
    if (!nodes.has(key)) nodes.set(key, { number, key, text, home, edges: [], near: [], alone: [] });
    return nodes.get(key);
  }

  function addRecord(record) {
    const members = record.nodes.map((node) => nodeFor(node, record.id));
    for (const [place, node] of members.entries()) Object.assign(node, { place, alone: [] });
    for (const [i, place] of record.drawn.entries()) members[place].row = i;
    for (const [number, row] of record.alone ?? []) nodes.get(`n${number}`).alone.push(row);
    clusters.set(record.id, { ...record, members, size: members.length, links: new Map(record.links) });
  }

  function addEdge([number, one, other, sign, ...written]) {
    const a = nodes.get(`n${one}`);
    const b = nodes.get(`n${other}`);
    const rows = written.map((row) => rowOf(row, a, b, sign));
    const yes = rows.filter(({ label }) => label).length;
    const no = rows.length - yes;
    // between the two sides of bipartite data no path contradicts a label
    const isNegativeInside = sign < 0 && a.home === b.home && !bipartite;
    const isConflicting = isNegativeInside || isLabelledTwice({ yes, no });
    const names = rows.map(({ row }) => row);
    const edge = { number, a, b, sign, rows, names, yes, no, isNegativeInside, isConflicting };
    edges.set(number, edge);
    a.edges.push(edge);
    b.edges.push(edge);
    if (sign > 0) {
      a.near.push(b);
      b.near.push(a);
    }
    return [a, b];
  }

  function add({ records = [], briefs = [], others = [], edges: stated = [] }) {
    records.forEach(addRecord);
    for (const brief of briefs)
      if (!clusters.has(brief.id)) clusters.set(brief.id, { ...brief, links: new Map(brief.links) });
    for (const [number, text, home] of others) nodeFor([number, text], home);
    const touched = new Set();
    for (const edge of stated) if (!edges.has(edge[0])) for (const node of addEdge(edge)) touched.add(node);
    for (const { near, edges: own } of touched) {
      near.sort(byNumber);
      own.sort(byNumber);
    }
    joins = new Map();
  }

  /** The most central sentence of a cluster: its name. */
  const centralOf = (id) => {
    const { central, text } = clusters.get(id);
    return { key: `n${central}`, text: text ?? nodes.get(`n${central}`).text };
  };
  /** The clusters that stated negatives join to one, with how many. */
  const linksOf = (id) => clusters.get(id).links;

  /** The stated negatives of a cluster that is held whole, each from it to another, by that. */
  function joinsOf(id) {
    if (!joins.has(id)) {
      const edges = clusters.get(id).members.flatMap((node) => node.edges);
      const crossing = edges.filter(({ sign, a, b }) => sign < 0 && a.home !== b.home).sort(byNumber);
      const outwards = crossing.map(({ a, b }) => (a.home === id ? [a, b] : [b, a]));
      joins.set(
        id,
        grouped(outwards, ([, { home }]) => home)
      );
    }
    return joins.get(id);
  }

  // neighbours not on the page
  const missing = (id) => (isWhole(id) ? clusters.get(id).neighbours - linksOf(id).size : 0);
  const edgeBetween = (one, other) => one.edges.find(({ a, b }) => (a === one ? b : a) === other);

  const pairOf = (one, other) => [one.number, other.number].sort((a, b) => a - b).join(" ");

  /** Steps over positive labels from a sentence to each of its cluster. */
  function lengthsFrom(from) {
    const steps = new Map([[from, 0]]);
    for (const node of steps.keys())
      for (const next of node.near) if (!steps.has(next)) steps.set(next, steps.get(node) + 1);
    return steps;
  }

  /** The labels on a shortest positive path: of several, that of the least numbers. */
  function path(a, b, lengths = lengthsFrom) {
    const left = lengths(b);
    const steps = [];
    for (let at = a; at !== b;) {
      const next = at.near.find((one) => left.get(one) === left.get(at) - 1);
      steps.push([at, next]);
      at = next;
    }
    return steps;
  }

  /** The labels from which that of two sentences follows, with the fewest steps; or null. */
  function proof(a, b, lengths = remembered(lengthsFrom)) {
    if (a.home === b.home) return path(a, b, lengths);
    const between = joinsOf(a.home).get(b.home);
    if (!between) return null;
    const steps = ([x, y]) => lengths(a).get(x) + lengths(b).get(y);
    const [x, y] = between.reduce((best, one) => (steps(one) < steps(best) ? one : best));
    return [...path(a, x, lengths), [x, y], ...path(y, b, lengths)];
  }

  const unknown = (reason) => ({ verdict: "unknown", reason, steps: [] });

  /** What each annotator says, name by name; empty where nobody differs. */
  const votesOf = (edge) =>
    isDisputed(edge)
      ? edge.rows.map(({ by, label }) => `${by ?? "somebody"}: ${words[label]}`).join(", ")
      : "";

  /** How often an edge is stated with each label, or who states which; and which label counts. */
  function bothWays(edge) {
    const { yes, no } = edge;
    const votes = votesOf(edge);
    if (!votes) return `stated both ways: ${yes} for, ${no} against; majority, the later row on a tie`;
    const tie = "a tie, to be decided; until then the later row counts";
    return `${votes}; ${yes === no ? tie : "the majority counts"}`;
  }

  function explainStated(edge, a, b) {
    const label = stating(edge) + (isLabelledTwice(edge) ? ` (${bothWays(edge)})` : "");
    if (!edge.isNegativeInside) return { verdict: "stated", reason: label, steps: [[a, b]] };
    const steps = path(a, b);
    const reason = `stated ${label}, yet a path of ${steps.length} pairs joins the two`;
    return { verdict: "conflict", reason, steps };
  }

  /** As `explain` says it: verdict, reason, and the proof as pairs of sentences. */
  function explain(a, b) {
    const edge = edgeBetween(a, b);
    if (edge) return explainStated(edge, a, b);
    if (bipartite)
      return unknown("no row pairs the two, and nothing follows where the two sides are different things");
    const steps = proof(a, b);
    if (!steps) return unknown("no stated pair joins their clusters, so nothing follows");
    const label = a.home === b.home;
    const walk = steps.length - 1;
    const reason =
      `${stating({ sign: label ? 1 : -1 })}, at distance ${roundsOf(walk)} (${counting(walk, "hop")}): ` +
      `a path of ${steps.length} pairs${label ? "" : ", one of them negative"}`;
    return { verdict: "inferred", label, steps, reason };
  }

  /** Inferred labels of one sign among sentences, `[a, b, distance]`, the nearest first. */
  function inferred(some, sign) {
    if (bipartite) return [];
    const lengths = remembered(lengthsFrom);
    const labels = [];
    for (const [i, a] of some.entries())
      for (const b of some.slice(i + 1)) {
        if ((a.home === b.home) !== sign > 0 || edgeBetween(a, b)) continue;
        const steps = proof(a, b, lengths);
        if (steps) labels.push([a, b, roundsOf(steps.length - 1)]);
      }
    return labels.sort((one, other) => one[2] - other[2]);
  }

  return {
    add,
    isWhole,
    nodes,
    nodesOf,
    clusters,
    edges,
    pairOf,
    proof,
    centralOf,
    linksOf,
    missing,
    edgeBetween,
    stating,
    words,
    explain,
    votesOf,
    inferred,
    bipartite,
    table
  };
}
