// Small signed graphs as values: `{ n, edges }`, how many nodes, and edges [a, b, sign] between their places,
// a < b, in the order of a and, for one a, as they were drawn.

const isPositive = ([, , sign]) => sign > 0;
const isNegative = ([, , sign]) => sign < 0;
const symbol = (sign) => (sign > 0 ? "+" : "−");
const samePair = ([a, b], [c, d]) => (a === c && b === d) || (a === d && b === c);
const holdsPair = (pairs, pair) => pairs.some((one) => samePair(one, pair));
const stepsOf = (cycle) => cycle.map((node, i) => [node, cycle[(i + 1) % cycle.length]]);

/** The sign of an edge; undefined where there is none. */
const signOf = ({ edges }, pair) => edges.find((edge) => samePair(edge, pair))?.[2];

/** A graph of edges in any order and orientation. */
function graphOf(n, edges) {
  const upward = edges.map(([a, b, sign]) => (a < b ? [a, b, sign] : [b, a, sign]));
  return { n, edges: upward.sort((one, other) => one[0] - other[0]) };
}

function turnedEdges({ n, edges }, pairs) {
  return graphOf(
    n,
    edges.map(([a, b, sign]) => [a, b, holdsPair(pairs, [a, b]) ? -sign : sign])
  );
}

function withoutEdges({ n, edges }, pairs) {
  return graphOf(
    n,
    edges.filter((edge) => !holdsPair(pairs, edge))
  );
}

/** Each node's part of what some edges connect, numbered by first nodes; and a forest of them. */
function connectedParts(n, edges) {
  const up = [...Array(n).keys()];
  function top(node) {
    if (up[node] !== node) up[node] = top(up[node]);
    return up[node];
  }
  const forest = edges.filter(([a, b]) => {
    const [low, high] = [top(a), top(b)].sort((one, other) => one - other);
    up[high] = low;
    return low !== high;
  });
  const tops = [...new Set(up.map((_, node) => top(node)))];
  return { parts: up.map((_, node) => tops.indexOf(top(node))), forest };
}

/** The nodes next to a node, along some edges. */
const neighbours = (edges, node) =>
  edges.filter(([a, b]) => a === node || b === node).map(([a, b]) => (a === node ? b : a));

/** A shortest path along some edges, or null. */
function shortestPath(edges, source, target) {
  const before = new Map([[source, null]]);
  for (const node of before.keys()) {
    // a map that grows while it is read is a queue
    const next = neighbours(edges, node).sort((a, b) => a - b);
    for (const other of next) if (!before.has(other)) before.set(other, node);
  }
  if (!before.has(target)) return null;
  const path = [];
  for (let node = target; node !== null; node = before.get(node)) path.unshift(node);
  return path;
}
