// Triads: nodes that are all joined to each other, by the number of negatives.

const KINDS = ["+++", "++-", "+--", "---"];
const ODD = ["++-", "---"]; // unbalanced, for two camps

/** All triads as `{ nodes, kind }`, in the order of their nodes. */
function triadsOf({ n, edges }) {
  const after = Array.from({ length: n }, () => new Map());
  for (const [a, b, sign] of edges) after[a].set(b, sign);
  const found = [];
  for (let u = 0; u < n; u += 1) {
    const later = [...after[u].keys()].sort((a, b) => a - b);
    for (const v of later) {
      for (const w of later) {
        if (v >= w || !after[v].has(w)) continue;
        const signs = [after[u].get(v), after[v].get(w), after[u].get(w)];
        found.push({ nodes: [u, v, w], kind: KINDS[signs.filter((sign) => sign < 0).length] });
      }
    }
  }
  return found;
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
