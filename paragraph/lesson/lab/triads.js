// Triads: nodes that are all joined to each other, by the number of negatives.

const KINDS = ["+++", "++-", "+--", "---"];
const ODD = ["++-", "---"]; // unbalanced, for two camps

/** All triads as `{ nodes, kind }`. */
function triadsOf({ n, edges }) {
  const after = Array.from({ length: n }, () => new Map());
  for (const [a, b, sign] of edges) after[a].set(b, sign);
  return edges.flatMap(([a, b, sign]) => {
    const common = [...after[b].keys()].filter((c) => after[a].has(c));
    const kindOf = (c) => KINDS[[sign, after[b].get(c), after[a].get(c)].filter((one) => one < 0).length];
    return common.map((c) => ({ nodes: [a, b, c], kind: kindOf(c) }));
  });
}

/** The number of triads of each kind. */
function countTriads(graph) {
  const kinds = triadsOf(graph).map(({ kind }) => kind);
  return KINDS.map((kind) => kinds.filter((one) => one === kind).length);
}

const isOdd = ({ kind }) => ODD.includes(kind);
const liesIn = ([a, b], { nodes }) => nodes.includes(a) && nodes.includes(b);

/** Of an edge: the unbalanced triads that it is in, and the balanced ones. */
function triadsAround(triads, edge) {
  const around = triads.filter((triad) => liesIn(edge, triad));
  return { odd: around.filter(isOdd), even: around.filter((triad) => !isOdd(triad)) };
}
