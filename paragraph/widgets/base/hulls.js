// The communities of a cluster, as soft grounds behind their nodes.

/** Draws those of a `scene` whose nodes stand at `spots`. */
function drawHulls(context, scene, spots, unit) {
  const groups = {};
  for (const node of scene.nodes)
    if (node.parts > 1 && spots[node.key]) (groups[`${node.home} ${node.group}`] ??= []).push(node);
  for (const nodes of Object.values(groups)) {
    if (nodes.length < 3) continue;
    context.beginPath();
    for (const { x, y } of hull(nodes.map(({ key }) => spots[key]))) context.lineTo(x, y);
    context.closePath();
    const color = mix(CAMPS[nodes[0].group % CAMPS.length], scene.paper, 0.14);
    Object.assign(context, { lineJoin: "round", lineWidth: 44 * unit, fillStyle: color, strokeStyle: color });
    context.stroke();
    context.fill();
  }
}

/** The convex hull of some points (Andrew 1979). */
function hull(points) {
  const turns = (p, q, r) => (q.x - p.x) * (r.y - p.y) > (q.y - p.y) * (r.x - p.x),
    found = [[], []];
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  for (const [half, some] of [
    [found[0], sorted],
    [found[1], [...sorted].reverse()]
  ]) {
    for (const point of some) {
      while (half.length > 1 && !turns(...half.slice(-2), point)) half.pop();
      half.push(point);
    }
    half.pop();
  }
  return found.flat();
}
