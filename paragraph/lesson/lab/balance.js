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

/** How many camps a balanced graph has. */
const countCamps = ({ camps }) => new Set(camps).size;

const saidCamps = (count) => counting(count, "camp");
