// The signed graph of a page: sentences, stated labels with their rows, clusters, paths; and why two
// sentences count as the same. Its answers are those of `paragraph.graph`.

const inThousands = (n) => n.toLocaleString("en-US");
const counted = (n, noun) => `${inThousands(n)} ${noun}${n === 1 ? "" : "s"}`;
/** Closure takes so many rounds to reach a label over some hops. */
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
  const links = new Map(records.map(({ id }) => [id, new Map()])); // stated negatives to other clusters
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
    join(a, b, edge);
    join(b, a, edge);
    return edge;
  });
  for (const { near } of nodes.values()) near.sort((a, b) => a.number - b.number);

  function join(node, other, edge) {
    const linked = links.get(node.home);
    node.edges.push(edge);
    if (edge.sign > 0) node.near.push(other);
    else if (!edge.within) linked.set(other.home, (linked.get(other.home) ?? 0) + 1);
  }

  // neighbours not on the page
  const missing = (id) => (clusters.has(id) ? clusters.get(id).neighbours - links.get(id).size : 0);
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
  function lengths(from) {
    const found = new Map([[from, 0]]);
    for (const node of found.keys())
      for (const next of node.near) if (!found.has(next)) found.set(next, found.get(node) + 1);
    return found;
  }

  /** The labels on a shortest positive path: of several, that of the least numbers. */
  function path(a, b) {
    const left = lengths(b);
    const steps = [];
    for (let at = a; at !== b;) {
      const next = at.near.find((one) => left.get(one) === left.get(at) - 1);
      steps.push([at, next]);
      at = next;
    }
    return steps;
  }

  /** The stated negatives between two clusters, each from the first to the second. */
  const across = (home, away) =>
    edges
      .filter(({ sign, a, b }) => sign < 0 && pairKey(a.home, b.home) === pairKey(home, away))
      .sort((one, two) => one.number - two.number)
      .map(({ a, b }) => (a.home === home ? [a, b] : [b, a]));

  /** Of several negatives between two clusters, the one with the shortest proof for two sentences: `[steps,
   * x, y]`. */
  function carried(joins, fromA, fromB) {
    const proofs = joins.map(([x, y]) => [fromA.get(x) + fromB.get(y), x, y]);
    return proofs.reduce((best, one) => (one[0] < best[0] ? one : best));
  }

  /** The labels from which that of two sentences follows, or null. */
  function proof(a, b) {
    if (a.home === b.home) return path(a, b);
    const joins = across(a.home, b.home);
    if (!joins.length) return null;
    const [, x, y] = carried(joins, lengths(a), lengths(b));
    return [...path(a, x), [x, y], ...path(y, b)];
  }

  const unknown = (reason) => ({ verdict: "unknown", reason, steps: [] });

  function explainStated(edge, a, b) {
    const counts = `${edge.yes} for, ${edge.no} against; majority, the later row on a tie`;
    const said = stating(edge) + (isBothWays(edge) ? ` (stated both ways: ${counts})` : "");
    if (!edge.within) return { verdict: "stated", reason: said, steps: [[a, b]] };
    const steps = path(a, b);
    const reason = `stated ${said}, yet ${counted(steps.length, "positive pair")} join the two`;
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
    const used = counted(label ? steps.length : walk, "positive pair");
    const reason =
      `${stating({ sign: label ? 1 : -1 })}, at distance ${roundsOf(walk)} ` +
      `(${counted(walk, "hop")}): ${used}${label ? "" : " and 1 negative"}` +
      (right === undefined ? "" : `; right with ${probability(right)}`);
    return { verdict: "inferred", label, steps, right, reason };
  }

  /** Inferred labels of one sign among sentences, `[from, to, sign, distance]`, the nearest first. */
  function inferred(some, sign) {
    if (bipartite) return [];
    const reach = new Map(some.map((node) => [node, lengths(node)]));
    const joins = new Map();
    const joinsOf = (home, away) => {
      const homes = `${home} ${away}`;
      if (!joins.has(homes)) joins.set(homes, across(home, away));
      return joins.get(homes);
    };
    /** Hops to a label that follows, or undefined. */
    const hopsBetween = (a, b) => {
      if ((a.home === b.home) !== sign > 0 || edgeBetween(a, b)) return undefined;
      if (sign > 0) return reach.get(a).get(b) - 1;
      if (!links.get(a.home).has(b.home)) return undefined;
      return carried(joinsOf(a.home, b.home), reach.get(a), reach.get(b))[0];
    };
    const found = some.flatMap((a, i) =>
      some.slice(i + 1).map((b) => {
        const far = hopsBetween(a, b);
        if (far === undefined) return null;
        return [a.key, b.key, sign, hops ? far : roundsOf(far), ...(sure ? [rightOf(a, b)] : [])];
      })
    );
    return found.filter(Boolean).sort((one, other) => one[3] - other[3]);
  }

  return { nodes, clusters, edges, links, missing, edgeBetween, explain, inferred, bipartite, table };
}
