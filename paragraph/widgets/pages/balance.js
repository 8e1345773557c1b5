// Signed graphs judged in a page as Python judges them (paragraph/balance). A graph is `{ n, edges }`: how many nodes, and
// edges [a, b, sign] with a < b, in the order of a and, for one a, as they were drawn.

const KINDS = ["+++", "++-", "+--", "---"];
const isPositive = ([, , sign]) => sign > 0, isNegative = ([, , sign]) => sign < 0;

/** A graph of edges in any order and orientation. */
const graphOf = (n, edges) => ({ n, edges: edges.map(([a, b, sign]) => (a < b ? [a, b, sign] : [b, a, sign])).sort((one, other) => one[0] - other[0]) });

/** Each node's part of what some edges connect, numbered by first nodes; and the edges that connect (of a forest). */
function connectedParts(n, edges) {
  const up = [...Array(n).keys()], top = (node) => (up[node] === node ? node : (up[node] = top(up[node])));
  const forest = edges.filter(([a, b]) => {
    const [low, high] = [top(a), top(b)].sort((one, other) => one - other);
    up[high] = low;
    return low !== high;
  });
  const tops = [...new Set(up.map((_, node) => top(node)))];
  return { parts: up.map((_, node) => tops.indexOf(top(node))), forest };
}

/** Twice the nodes: v in the one camp, and v + n in the other. A negative edge joins unlike camps. */
const doubledEdges = (n, edges) => edges.flatMap(([a, b, sign]) => (sign > 0 ? [[a, b], [a + n, b + n]] : [[a, b + n], [a + n, b]]));

/** Camps that all edges of a balanced graph fit. */
function firstCamps({ n, edges }, kind) {
  if (kind === "weak") return connectedParts(n, edges.filter(isPositive)).parts;
  const { parts } = connectedParts(2 * n, doubledEdges(n, connectedParts(n, edges).forest));
  return parts.slice(0, n).map((part, node) => Number(part > parts[node + n]));
}

/** A shortest path along some edges, or null. */
function shortestPath(n, edges, source, target) {
  const near = Array.from({ length: n }, () => []), before = new Map([[source, null]]), queue = [source];
  for (const [a, b] of edges) { near[a].push(b); near[b].push(a); }
  for (const node of queue) {
    for (const next of near[node].sort((a, b) => a - b)) if (!before.has(next)) { before.set(next, node); queue.push(next); }
  }
  if (!before.has(target)) return null;
  const path = [];
  for (let node = target; node !== null; node = before.get(node)) path.unshift(node);
  return path;
}

/** The verdict on a graph, "strong" or "weak": `camps` (-1 in a part that is not balanced), and an unbalanced `cycle` or null. */
function judgeBalance(graph, kind) {
  const { n, edges } = graph, camps = firstCamps(graph, kind), fits = ([a, b, sign]) => (camps[a] === camps[b]) === sign > 0;
  const wrong = edges.filter((edge) => !fits(edge));
  if (!wrong.length) return { kind, balanced: true, camps, cycle: null };
  const { parts } = connectedParts(n, edges), torn = new Set(wrong.map(([a]) => parts[a]));
  return { kind, balanced: false, camps: camps.map((camp, node) => (torn.has(parts[node]) ? -1 : camp)),
    cycle: shortestPath(n, edges.filter(kind === "strong" ? fits : isPositive), wrong[0][0], wrong[0][1]) };
}

/** An unbalanced cycle of fewest edges, or null. Weak: the negative edge joins its last node to its first. */
function shortestUnbalanced({ n, edges }, kind) {
  const both = doubledEdges(n, edges), around = (node) => shortestPath(2 * n, both, node, node + n)?.slice(0, -1).map((one) => one % n);
  const found = kind === "weak" ? edges.filter(isNegative).map(([a, b]) => shortestPath(n, edges.filter(isPositive), a, b)) : [...Array(n).keys()].map(around);
  return found.filter(Boolean).reduce((best, one) => (best && best.length <= one.length ? best : one), null);
}

/** How many camps a balanced graph has. */
const countCamps = ({ camps }) => new Set(camps).size;

/** All triads as `{ nodes, kind }`, in the order of their nodes. */
function triadsOf({ n, edges }) {
  const after = Array.from({ length: n }, () => new Map()), found = [];
  for (const [a, b, sign] of edges) after[a].set(b, sign);
  for (let u = 0; u < n; u += 1) {
    const later = [...after[u].keys()].sort((a, b) => a - b);
    for (const v of later) for (const w of later) {
      if (v < w && after[v].has(w)) found.push({ nodes: [u, v, w], kind: KINDS[[after[u].get(v), after[v].get(w), after[u].get(w)].filter((sign) => sign < 0).length] });
    }
  }
  return found;
}

/** The triads of each kind. */
const countTriads = (graph) => { const all = triadsOf(graph); return KINDS.map((kind) => all.filter((triad) => triad.kind === kind).length); };

/** The fewest edges to turn for two camps: every division of a few nodes is tried. */
function fewestTurns({ n, edges }) {
  const misfits = (camps) => edges.filter(([a, b, sign]) => (((camps >> a) ^ (camps >> b)) & 1) === Number(sign > 0)).length;
  return Math.min(...Array.from({ length: 2 ** (n - 1) }, (_, camps) => misfits(camps)));
}
