// The lines of the graph: where they bend, how they are drawn, which one is under the pointer.

const GRIP = 6; // pixels around a line, or from the middle of a small node, that still count as on it
// a line takes the first with which it passes no node it does not join
const BENDS = [0, 0.12, -0.12, 0.2, -0.2, 0.3, -0.3];

const INFERRED_WIDTH = 1.05;
const INFERRED_ALPHA = 0.725;

/** Lines of a `scene` between nodes at `spots()`; `unit` is a pixel at the scale shown, `radius` that of a
 * node. */
function graphLines({ scene, spots, camera, unit, radius }) {
  /** The places of both ends of a line. */
  const endsOf = ({ from, to }) => [spots()[from], spots()[to]];
  const isDrawn = (line) => endsOf(line).every(Boolean);

  /** The lines that can be seen: stated ones first, as they stand in the picture. */
  const visible = () => scene.visible().filter(isDrawn);

  function control(line) {
    const [p, q] = endsOf(line);
    const { bend = 0 } = line;
    return { x: (p.x + q.x) / 2 + bend * (p.y - q.y), y: (p.y + q.y) / 2 + bend * (q.x - p.x) };
  }
  /** The point of a line at a share t of its way. */
  function along(line, t) {
    const [p, q] = endsOf(line);
    const c = control(line);
    const u = (1 - t) ** 2;
    const v = 2 * t * (1 - t);
    const w = t * t;
    return { x: u * p.x + v * c.x + w * q.x, y: u * p.y + v * c.y + w * q.y };
  }
  /** Points that divide a line into equal steps. */
  const pointsOf = (line, steps) => Array.from({ length: steps + 1 }, (_, i) => along(line, i / steps));

  /** Bend stated lines round the nodes in their way; conflicts always, to be seen apart from the path against
   * them. */
  function bendAll() {
    const places = spots();
    const stated = scene.lines.filter((line) => !line.far && isDrawn(line));
    // in a thicket nobody could tell, and it takes long
    const isThicket = stated.length * scene.nodes.length >= 20_000;
    const others = isThicket ? [] : scene.nodes;
    for (const line of stated) {
      const bends = line.layer === "conflicts" ? BENDS.slice(1) : BENDS;
      const isClear = (bend) => {
        const points = pointsOf({ ...line, bend }, 12).slice(1, -1);
        const isPassed = (node) => {
          if (keysOf(line).includes(node.key)) return false;
          const { x, y } = places[node.key];
          const far = radius(node) + 6 * unit();
          return points.some((point) => Math.hypot(x - point.x, y - point.y) < far);
        };
        return !others.some(isPassed);
      };
      line.bend = bends.find(isClear) ?? bends[0];
    }
  }

  function drawLines(pen, some, { color, width, dash = [], alpha = 1 }) {
    const path = new Path2D();
    for (const line of some.filter(isDrawn)) {
      const [p, q] = endsOf(line);
      const c = control(line);
      path.moveTo(p.x, p.y);
      if (line.bend) path.quadraticCurveTo(c.x, c.y, q.x, q.y);
      else path.lineTo(q.x, q.y);
    }
    const steps = dash.map((part) => part * unit());
    pen.globalAlpha = alpha;
    stroke(pen, path, color, width * unit(), steps);
    pen.globalAlpha = 1;
  }

  function look(s, far) {
    if (s > 0) return { color: scene.palette.positive }; // dashes are for negatives
    return { color: scene.palette.negative, dash: far ? [3, 4] : [8, 5] };
  }

  /** In pixels: many lines are as `thin` as this share; a negative counts, and keeps its width. */
  function widthOf(line, isStrong, thin) {
    if (line.far) return line === scene.hovered ? INFERRED_WIDTH + 1.1 : INFERRED_WIDTH * thin;
    if (isStrong) return 4.5;
    return (line.sign < 0 ? 2.2 : 2.2 * thin) + Math.min(3, Math.log2(line.count));
  }

  const isQuiet = (line) => line.layer === "cut" || !line.sign; // set aside, or asked about

  /** The lines that are not quiet by the way they are drawn: what is drawn last comes last. */
  function kindsOf(seen) {
    const { lit, hovered } = scene;
    // many lines are thinner, or they run together
    const thin = Math.min(1, Math.max(0.4, Math.sqrt(200 / seen.length)));
    const inferred = seen.length > 1500 && !lit ? 0.4 : INFERRED_ALPHA;
    // a soft light leaves the sentences as they are, and dims the way to clusters beside them
    const isBeside = ({ from, to }) => from[0] === "c" || to[0] === "c";
    const dimmed = (line) => (lit.soft && !isBeside(line) ? 0.8 : 0.35);
    const kinds = {};
    for (const line of seen) {
      if (isQuiet(line)) continue;
      const { pair, far } = line;
      const named = lit?.halo.get(pair);
      const s = named ?? line.sign; // the sign that the explanation names
      const isBright = !lit || lit.edges.has(pair) || named !== undefined;
      const isStrong = line === hovered || (lit && isBright && !far);
      const width = widthOf(line, isStrong, thin);
      const own = far ? inferred : 1;
      const alpha = isBright || line === hovered ? own : dimmed(line);
      const shining = line.layer === "conflicts" || named ? 2 : 1;
      const order = far ? 0 : shining;
      const kind = `${order} ${Number(isBright)} ${s} ${width} ${alpha}`;
      kinds[kind] ??= { some: [], width, alpha, halo: order > 1, ...look(s, far) };
      kinds[kind].some.push(line);
    }
    return Object.keys(kinds)
      .sort()
      .map((kind) => kinds[kind]);
  }

  /** All that is seen: inferred beneath stated beneath conflicts, and in each the dimmed beneath the
   * bright. */
  function draw(pen) {
    const { lit, palette } = scene;
    const seen = visible();
    drawLines(pen, seen.filter(isQuiet), { color: palette.quiet, width: 1.2, dash: [2, 4] });
    for (const { some, halo, ...style } of kindsOf(seen)) {
      if (halo) drawLines(pen, some, { color: palette.halo, width: style.width + 7, alpha: style.alpha });
      drawLines(pen, some, style);
    }
    if (!lit) return;
    // What the explanation adds to the picture.
    const drawn = new Set(seen.map(({ pair }) => pair));
    for (const [from, to, s] of lit.added) {
      if (drawn.has(pairKey(from, to))) continue;
      drawLines(pen, [{ from, to }], { color: palette.halo, width: 9 });
      drawLines(pen, [{ from, to }], { width: 2.4, ...look(s) });
    }
    if (!lit.pair) return;
    // The inferred label that is being explained, whatever the layers.
    const [from, to] = lit.pair;
    drawLines(pen, [{ from, to }], { width: 2.4, ...look(lit.sign, true) });
  }

  /** The line under a point, the nearest of several, or null. */
  function lineAt({ x, y }) {
    let best = null;
    let least = GRIP / camera.scale;
    const off = (p, q) => {
      const dx = q.x - p.x;
      const dy = q.y - p.y;
      const t = Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(p.x + t * dx - x, p.y + t * dy - y);
    };
    for (const line of visible()) {
      const points = line.bend ? pointsOf(line, 16) : endsOf(line);
      const offs = points.slice(1).map((point, i) => off(points[i], point));
      // the light around a conflict is part of it
      const far = Math.min(...offs) - (line.layer === "conflicts" ? 4 : 0);
      if (far >= least) continue;
      best = line;
      least = far;
    }
    return best;
  }

  return { visible, along, pointsOf, bendAll, draw, lineAt };
}
