// The communities of a cluster, as soft grounds behind their nodes.

/** Draws those of a `scene` whose nodes stand at `spots`. */
function drawHulls(pen, scene, spots, unit) {
  const drawn = scene.nodes.filter(({ key, parts }) => parts > 1 && spots[key]);
  const groups = grouped(drawn, ({ home, group }) => `${home} ${group}`);
  for (const nodes of groups.values()) {
    if (nodes.length < 3) continue;
    const path = pathAlong(hull(nodes.map(({ key }) => spots[key])));
    path.closePath();
    const color = mix(CAMPS[nodes[0].group % CAMPS.length], scene.paper, 0.14);
    pen.lineJoin = "round";
    pen.fillStyle = color;
    pen.fill(path);
    stroke(pen, path, color, 44 * unit);
  }
}

/** The convex hull of some points (Andrew 1979). */
function hull(points) {
  const turns = (p, q, r) => (q.x - p.x) * (r.y - p.y) > (q.y - p.y) * (r.x - p.x);
  const half = (some) => {
    const corners = [];
    for (const point of some) {
      while (corners.length > 1 && !turns(...corners.slice(-2), point)) corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  return [...half(sorted), ...half(sorted.toReversed())];
}
