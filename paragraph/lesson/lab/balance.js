// Verdicts on small signed graphs, and what shows them: the camps, or an unbalanced cycle.
// `paragraph.balance` judges graphs of any size; where both can judge, they say the same, down to the node at
// which a cycle begins.

/** Twice the nodes: v in the one camp, and v + n in the other. A negative edge joins unlike camps. */
function doubledEdges(n, edges) {
  return edges.flatMap(([a, b, sign]) =>
    sign > 0
      ? [
          [a, b],
          [a + n, b + n]
        ]
      : [
          [a, b + n],
          [a + n, b]
        ]
  );
}

/** Camps that all edges of a balanced graph fit. */
function firstCamps({ n, edges }, kind) {
  if (kind === "weak") return connectedParts(n, edges.filter(isPositive)).parts;
  const { forest } = connectedParts(n, edges);
  const { parts } = connectedParts(2 * n, doubledEdges(n, forest));
  return parts.slice(0, n).map((part, node) => Number(part > parts[node + n]));
}

/** The verdict, "strong" or "weak": `camps` (-1 in a part that is not balanced), and a `cycle` or null. */
function judgeBalance(graph, kind) {
  const { n, edges } = graph;
  const camps = firstCamps(graph, kind);
  const fits = ([a, b, sign]) => (camps[a] === camps[b]) === sign > 0;
  const wrong = edges.filter((edge) => !fits(edge));
  if (!wrong.length) return { kind, balanced: true, camps, cycle: null };
  const { parts } = connectedParts(n, edges);
  const torn = new Set(wrong.map(([a]) => parts[a]));
  const [a, b] = wrong[0];
  return {
    kind,
    balanced: false,
    camps: camps.map((camp, node) => (torn.has(parts[node]) ? -1 : camp)),
    cycle: shortestPath(edges.filter(kind === "strong" ? fits : isPositive), a, b)
  };
}

/** All unbalanced cycles among which a shortest one is. */
function candidates({ n, edges }, kind) {
  if (kind === "weak") {
    const friends = edges.filter(isPositive);
    return edges.filter(isNegative).map(([a, b]) => shortestPath(friends, a, b));
  }
  // An odd number of negatives leads from a node to itself in the other camp.
  const both = doubledEdges(n, edges);
  const around = (node) =>
    shortestPath(both, node, node + n)
      ?.slice(0, -1)
      .map((one) => one % n);
  return [...Array(n).keys()].map(around);
}

/** An unbalanced cycle of fewest edges, or null. Weak: the negative edge joins its last node to its first. */
function shortestUnbalanced(graph, kind) {
  const shorter = (best, one) => (best && best.length <= one.length ? best : one);
  return candidates(graph, kind).filter(Boolean).reduce(shorter, null);
}

/** How many camps a balanced graph has. */
const countCamps = ({ camps }) => new Set(camps).size;

const saidCamps = (count) => counting(count, "camp");
