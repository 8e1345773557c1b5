// The communities of a cluster, as soft grounds behind their nodes.

/** Draws those of a `scene` whose nodes stand at `spots`. */
function drawHulls(context, scene, spots, unit) {
  const groups = {};
  for (const node of scene.nodes) if (node.parts > 1) (groups[`${node.home} ${node.group}`] ??= []).push(node);
  for (const nodes of Object.values(groups)) {
    if (nodes.length < 3) continue;
    const points = hull(nodes.map(({ key }) => spots[key]).filter(Boolean));
    context.beginPath();
    for (const { x, y } of points) context.lineTo(x, y);
    context.closePath();
    context.lineJoin = "round";
    context.lineWidth = 44 * unit;
    context.fillStyle = context.strokeStyle = mix(CAMPS[nodes[0].group % CAMPS.length], scene.paper, 0.14);
    context.stroke();
    context.fill();
  }
}

/** The convex hull of some points (Andrew 1979). */
function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (some) => {
    const found = [];
    for (const r of some) {
      while (found.length > 1) {
        const [p, q] = found.slice(-2);
        if ((q.x - p.x) * (r.y - p.y) > (q.y - p.y) * (r.x - p.x)) break;
        found.pop();
      }
      found.push(r);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
