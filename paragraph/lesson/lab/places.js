// Where the nodes of a table stand: Python says nothing of it, and draws alone what is printed.

const STEP = 150; // pixels between neighbouring nodes
const GOLDEN = 2.4; // radians from a spot of a spiral to the next, so that all lie evenly (Vogel 1979)

/** Places in a ring, so that no line passes a node that it does not join. */
function ringOf(n) {
  const radius = n < 2 ? 0 : STEP / (2 * Math.sin(Math.PI / Math.max(n, 3)));
  const turn = (i) => (2 * Math.PI * i) / n - Math.PI / 2;
  return Array.from({ length: n }, (_, i) => [radius * Math.cos(turn(i)), radius * Math.sin(turn(i))]);
}

/** Places near each other where few edges lead from one to the other (layout.js). */
function spreadOf(table) {
  const members = table.nodes.map(() => ({ edges: [] }));
  for (const [a, b] of graphOn(table).edges) {
    const edge = { a: members[a], b: members[b], sign: 1 };
    for (const end of [edge.a, edge.b]) end.edges.push(edge);
  }
  const places = layoutOf({ members, drawn: [...members.keys()] });
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

/** How far a spot is from a line between two others, or from one. */
function farFromLine(spot, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((spot.x - a.x) * dx + (spot.y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(a.x + t * dx - spot.x, a.y + t * dy - spot.y);
}

/** Where another node has room: a step from all nodes and half a step from all lines, on a spiral of spots
 * that lie evenly around the middle. */
function roomAmong(table) {
  const { nodes } = table;
  const lines = graphOn(table).edges;
  const middle = (axis) => nodes.reduce((sum, one) => sum + one[axis], 0) / (nodes.length || 1);
  const isFree = (spot) =>
    nodes.every((one) => farFromLine(spot, one, one) >= STEP) &&
    lines.every(([a, b]) => farFromLine(spot, nodes[a], nodes[b]) >= STEP / 2);
  for (let i = 0; ; i += 1) {
    const far = (STEP / 4) * Math.sqrt(i);
    const turn = i * GOLDEN;
    const spot = { x: middle("x") + far * Math.cos(turn), y: middle("y") + far * Math.sin(turn) };
    if (isFree(spot)) return spot;
  }
}
