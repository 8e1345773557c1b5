// The signed graph of a page: sentences, stated labels with their rows, clusters, paths; and why two
// sentences count as the same. Its answers are those of `paragraph.graph`.

const inThousands = (n) => n.toLocaleString("en-US");
/** The rounds that closure takes to reach a label over some hops. */
const roundsOf = (hops) => 32 - Math.clz32(hops);

const stating = ({ sign }) => (sign > 0 ? "a paraphrase" : "not a paraphrase");
const isBothWays = ({ yes, no }) => yes > 0 && no > 0;

function nodeOf([number, written, label], home, place) {
  const isPlain = typeof written === "string";
  const parts = isPlain ? [written] : written;
  const text = parts.join("");
  const spans = parts.map((part, i) => [part, i % 2 === 1]);
  if (!isPlain && !parts[0] && parts.length > 1) spans.shift();
  return {
    number,
    key: `n${number}`,
    text,
    label: label || text,
    spans: isPlain ? undefined : spans,
    place,
    home,
    edges: [],
    near: []
  };
}

/** A row that states a label: in short where it has that label, and its texts are those of the two. */
function rowOf(written, a, b, sign) {
  const [row, label = Number(sign > 0), first, second] = [written].flat();
  if (second !== undefined) return { row, label, texts: [first, second] };
  return { row, label, texts: first ? [b.text, a.text] : [a.text, b.text] };
}

function heldGraph({ clusters: records, edges: stated, bipartite, hops, table, sure, steps: asked }) {
  const clusters = new Map(records.map((record) => [record.id, record]));
  const nodes = new Map(); // by key
  for (const record of records) {
    record.members = record.nodes.map((node, place) => nodeOf(node, record.id, place));
    for (const node of record.members) nodes.set(node.key, node);
    for (const [i, place] of record.drawn.entries()) record.members[place].row = i;
  }
  const edges = stated.map(([number, one, other, sign, ...written], i) => {
    const a = nodes.get(`n${one}`);
    const b = nodes.get(`n${other}`);
    const rows = written.map((row) => rowOf(row, a, b, sign));
    const yes = rows.filter(({ label }) => label).length;
    const no = rows.length - yes;
    const within = sign < 0 && a.home === b.home;
    const conflicting = within || isBothWays({ yes, no });
    const names = rows.map(({ row }) => row);
    const edge = { number, a, b, sign, rows, names, yes, no, within, conflicting, right: asked?.[i] };
    a.edges.push(edge);
    b.edges.push(edge);
    if (sign > 0) {
      a.near.push(b);
      b.near.push(a);
    }
    return edge;
  });
  for (const { near } of nodes.values()) near.sort((a, b) => a.number - b.number);

  const crossing = edges
    .filter(({ sign, within }) => sign < 0 && !within)
    .sort((one, other) => one.number - other.number)
    .flatMap(({ a, b }) => [
      [a, b],
      [b, a]
    ]);
  const byHome = grouped(crossing, ([{ home }]) => home);
  /** The most central sentence of a cluster: its name. */
  const centralOf = (id) => nodes.get(`n${clusters.get(id).central}`);
  /** The stated negatives of a cluster, each from it to another, by that. */
  const linksOf = remembered((id) => grouped(byHome.get(id) ?? [], ([, { home }]) => home));

  // neighbours not on the page
  const missing = (id) => (clusters.has(id) ? clusters.get(id).neighbours - linksOf(id).size : 0);
  const edgeBetween = (one, other) => one.edges.find(({ a, b }) => (a === one ? b : a) === other);

  /** How probably a label that follows is right, in thousandths: from the digits of its clusters. */
  function rightOf(one, other) {
    if (!sure) return undefined;
    const [a, b] = [one, other].sort((x, y) => x.home - y.home || x.row - y.row);
    const many = clusters.get(b.home).drawn.length;
    const isTogether = a.home === b.home;
    const skipped = isTogether ? (a.row * (a.row + 1)) / 2 + a.row + 1 : 0;
    const at = a.row * many + b.row - skipped;
    return Number(sure[isTogether ? a.home : `${a.home} ${b.home}`].slice(3 * at, 3 * at + 3));
  }

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
    const joins = linksOf(a.home).get(b.home);
    if (!joins) return null;
    const steps = ([x, y]) => lengths(a).get(x) + lengths(b).get(y);
    const [x, y] = joins.reduce((best, one) => (steps(one) < steps(best) ? one : best));
    return [...path(a, x, lengths), [x, y], ...path(y, b, lengths)];
  }

  const unknown = (reason) => ({ verdict: "unknown", reason, steps: [] });

  function explainStated(edge, a, b) {
    const counts = `${edge.yes} for, ${edge.no} against; majority, the later row on a tie`;
    const said = stating(edge) + (isBothWays(edge) ? ` (stated both ways: ${counts})` : "");
    if (!edge.within) return { verdict: "stated", reason: said, steps: [[a, b]] };
    const steps = path(a, b);
    const reason = `stated ${said}, yet ${counting(steps.length, "positive pair")} join the two`;
    return { verdict: "conflict", reason, steps };
  }

  /** As `explain` says it: verdict, reason, and the proof as pairs of sentences. */
  function explain(a, b) {
    const edge = edgeBetween(a, b);
    if (edge && bipartite) return { verdict: "stated", reason: `label ${Number(edge.sign > 0)}`, steps: [] };
    if (bipartite)
      return unknown("no row pairs the two, and nothing follows where the two sides are different things");
    if (edge) return explainStated(edge, a, b);
    const steps = proof(a, b);
    if (!steps) return unknown("no stated pair joins their clusters, so nothing follows");
    const label = a.home === b.home;
    const right = rightOf(a, b);
    const walk = steps.length - 1;
    const used = counting(label ? steps.length : walk, "positive pair");
    const reason =
      `${stating({ sign: label ? 1 : -1 })}, at distance ${roundsOf(walk)} ` +
      `(${counting(walk, "hop")}): ${used}${label ? "" : " and 1 negative"}` +
      (right === undefined ? "" : `; right with ${probability(right)}`);
    return { verdict: "inferred", label, steps, right, reason };
  }

  /** Inferred labels of one sign among sentences, `[from, to, sign, distance]`, the nearest first. */
  function inferred(some, sign) {
    if (bipartite) return [];
    const follows = (a, b) => (a.home === b.home) === sign > 0 && !edgeBetween(a, b);
    const lengths = remembered(lengthsFrom);
    const labels = some.flatMap((a, i) =>
      some.slice(i + 1).map((b) => {
        const steps = follows(a, b) && proof(a, b, lengths);
        if (!steps) return null;
        const walk = steps.length - 1;
        return [a.key, b.key, sign, hops ? walk : roundsOf(walk), ...(sure ? [rightOf(a, b)] : [])];
      })
    );
    return labels.filter(Boolean).sort((one, other) => one[3] - other[3]);
  }

  return {
    nodes,
    clusters,
    edges,
    centralOf,
    linksOf,
    missing,
    edgeBetween,
    explain,
    inferred,
    bipartite,
    table
  };
}
