// Where the nodes of a table stand: Python says nothing of it, and draws alone what is printed.

const STEP = 150; // pixels between neighbouring nodes

/** Places in a ring, so that no line passes a node that it does not join. */
function ringOf(n) {
  const radius = n < 2 ? 0 : STEP / (2 * Math.sin(Math.PI / Math.max(n, 3)));
  const turn = (i) => (2 * Math.PI * i) / n - Math.PI / 2;
  return Array.from({ length: n }, (_, i) => [radius * Math.cos(turn(i)), radius * Math.sin(turn(i))]);
}

/** Places near each other where few edges lead from one to the other (layout.js). */
function spreadOf({ nodes, edges }) {
  const members = nodes.map(() => ({ edges: [] }));
  const at = new Map(nodes.map(({ key }, i) => [key, members[i]]));
  for (const [from, to] of edges) {
    const edge = { a: at.get(from), b: at.get(to), sign: 1 };
    for (const end of [edge.a, edge.b]) end.edges.push(edge);
  }
  const places = layoutOf({ members, drawn: [...nodes.keys()] });
  return places.map(([x, y]) => [0.8 * STEP * x, -0.8 * STEP * y]);
}

/** The table with a place for each node. */
function withPlaces(table) {
  const { nodes, edges } = table;
  if (nodes.every(({ x }) => x !== undefined)) return table;
  const pairs = (nodes.length * (nodes.length - 1)) / 2;
  const isRing = !edges.length || edges.length > 0.7 * pairs;
  const places = isRing ? ringOf(nodes.length) : spreadOf(table);
  const rounded = places.map((place) => place.map((one) => Math.round(one * 10) / 10));
  return { ...table, nodes: nodes.map((node, i) => ({ ...node, x: rounded[i][0], y: rounded[i][1] })) };
}

/** How far a spot is from a line between two others. */
function farFromLine(spot, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(a.x + t * dx - spot.x, a.y + t * dy - spot.y);
}

/** Where another node has room: a step from all nodes, half a step from all lines, and near their middle. */
function roomAmong(nodes, edges) {
  if (!nodes.length) return { x: 0, y: 0 };
  const node = (key) => nodes.find((one) => one.key === key);
  const lines = edges.map(([a, b]) => [node(a), node(b)]);
  const [xs, ys] = ["x", "y"].map((axis) => nodes.map((one) => one[axis]));
  const mean = (some) => some.reduce((sum, one) => sum + one, 0) / some.length;
  const middle = { x: mean(xs), y: mean(ys) };
  const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
  const isFree = (spot) =>
    nodes.every((one) => far(one, spot) >= STEP) &&
    lines.every(([a, b]) => farFromLine(spot, a, b) >= STEP / 2);
  const spots = [];
  for (let x = Math.min(...xs) - STEP; x <= Math.max(...xs) + STEP; x += STEP / 2)
    for (let y = Math.min(...ys) - STEP; y <= Math.max(...ys) + STEP; y += STEP / 2) spots.push({ x, y });
  return spots.filter(isFree).sort((a, b) => far(a, middle) - far(b, middle))[0];
}
