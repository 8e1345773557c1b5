// The lines of the graph: where they bend, how they are drawn, which one is under the pointer.

const GRIP = 6; // pixels around a line, or from the middle of a small node, that still count as on it
// a line takes the first with which it passes no node it does not join
const BENDS = [0, 0.12, -0.12, 0.2, -0.2, 0.3, -0.3];

/** An inferred label right with less than .5, .7, .9, and with more: width, opacity, side in a matrix. */
const SURE = [
  { wide: 0.7, clear: 0.75, side: 0.2 },
  { wide: 0.9, clear: 0.75, side: 0.32 },
  { wide: 1.2, clear: 0.85, side: 0.44 },
  { wide: 1.6, clear: 0.95, side: 0.56 }
];
const UNASKED = { wide: 0.9, clear: 0.75, side: 0.4 };
/** How an inferred label is drawn, by how surely it is `right` (thousandths), where somebody was asked. */
const lookOfSure = (right) => SURE[Math.max(0, Math.min(3, Math.floor((right - 300) / 200)))] ?? UNASKED;

/** Lines of a `scene` between nodes at `spots()`; `unit` is a pixel at the scale shown, `radius` that of a
 * node. */
function graphLines({ scene, spots: places, camera, unit, radius }) {
  /** Lines whose ends are drawn, with the places of these as `p` and `q`. */
  function located(some) {
    const spots = places();
    return some.filter((line) => Object.assign(line, { p: spots[line.from], q: spots[line.to] }).p && line.q);
  }

  /** The lines that can be seen: stated ones first, as they stand in the picture. */
  const visible = () => located(scene.visible());

  const control = ({ p, q, bend = 0 }) => ({
    x: (p.x + q.x) / 2 + bend * (p.y - q.y),
    y: (p.y + q.y) / 2 + bend * (q.x - p.x)
  });
  /** The point of a line at a share t of its way. */
  const along = (line, t) => {
    const { p, q } = line,
      c = control(line),
      [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return { x: u * p.x + v * c.x + w * q.x, y: u * p.y + v * c.y + w * q.y };
  };

  /** Bend stated lines round the nodes in their way; conflicts always, to be seen apart from the path against
   * them. */
  function bendAll() {
    const spots = places(),
      stated = located(scene.lines.filter((line) => !line.far));
    // in a thicket nobody could tell, and it takes long
    const few = stated.length * scene.nodes.length < 20_000;
    for (const line of stated) {
      const bends = line.layer === "conflicts" ? BENDS.slice(1) : BENDS;
      const others = few ? scene.nodes.filter(({ key }) => key !== line.from && key !== line.to) : [];
      const clear = (bend) => {
        line.bend = bend;
        for (let i = 1; i < 12; i += 1) {
          const { x, y } = along(line, i / 12);
          if (
            others.some(
              (node) => Math.hypot(spots[node.key].x - x, spots[node.key].y - y) < radius(node) + 6 * unit()
            )
          )
            return false;
        }
        return true;
      };
      line.bend = bends.find(clear) ?? bends[0];
    }
  }

  function stroke(context, some, { color, width, dash = [], alpha = 1 }) {
    context.beginPath();
    for (const line of some) {
      const { p, q, bend } = line,
        c = bend && control(line);
      context.moveTo(p.x, p.y);
      if (bend) context.quadraticCurveTo(c.x, c.y, q.x, q.y);
      else context.lineTo(q.x, q.y);
    }
    Object.assign(context, { strokeStyle: color, lineWidth: unit() * width, globalAlpha: alpha });
    context.setLineDash(dash.map((part) => part * unit()));
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  function look(s, far, right) {
    const unsure = right < 500;
    if (s > 0) return { color: scene.palette.positive, dash: unsure ? [12, 5] : [] };
    if (unsure) return { color: scene.palette.negative, dash: [2, 7] };
    return { color: scene.palette.negative, dash: far ? [3, 4] : [8, 5] };
  }

  /** In pixels: many lines are as `thin` as this share; a negative counts, and keeps its width. */
  function widthOf(line, strong, thin) {
    const { wide } = lookOfSure(line.right);
    if (line.far) return line === scene.hovered ? wide + 1.1 : wide * thin;
    if (strong) return 4.5;
    return (line.sign < 0 ? 2.2 : 2.2 * thin) + Math.min(3, Math.log2(line.count));
  }

  /** All that is seen: inferred beneath stated beneath conflicts, and in each the dimmed beneath the
   * bright. */
  function draw(context) {
    const { lit, hovered, palette } = scene;
    const kinds = new Map(),
      seen = visible(),
      many = seen.length > 1500;
    // many lines are thinner, or they run together
    const thin = Math.min(1, Math.max(0.4, Math.sqrt(200 / seen.length)));
    const dimmed = lit?.soft ? 0.8 : 0.35;
    const alphaOf = ({ far, right }) => {
      if (!far) return 1;
      return many && !lit ? 0.4 : lookOfSure(right).clear;
    };
    const isQuiet = (line) => line.layer === "cut" || !line.sign; // set aside, or asked about
    stroke(context, seen.filter(isQuiet), { color: palette.quiet, width: 1.2, dash: [2, 4] });
    for (const line of seen) {
      if (isQuiet(line)) continue;
      const told = lit?.halo.get(line.pair),
        s = told ?? line.sign; // the sign that the explanation speaks of
      const bright = !lit || lit.edges.has(line.pair) || told !== undefined,
        strong = line === hovered || (lit && bright && !line.far);
      const width = widthOf(line, strong, thin);
      const alpha = bright || line === hovered ? alphaOf(line) : dimmed;
      const shining = line.layer === "conflicts" || told ? 2 : 1,
        order = line.far ? 0 : shining,
        kind = `${order} ${+bright} ${s} ${width} ${alpha}`;
      if (!kinds.has(kind))
        kinds.set(kind, { some: [], width, alpha, halo: order > 1, ...look(s, line.far, line.right) });
      kinds.get(kind).some.push(line);
    }
    for (const kind of [...kinds.keys()].sort()) {
      const { some, halo, ...style } = kinds.get(kind);
      if (halo) stroke(context, some, { color: palette.halo, width: style.width + 7, alpha: style.alpha });
      stroke(context, some, style);
    }
    // What the explanation adds to the picture.
    const drawn = new Set(lit?.added ? seen.map(({ pair }) => pair) : []);
    for (const [from, to, s] of lit?.added ?? []) {
      const line = drawn.has(pairKey(from, to)) ? [] : located([{ from, to }]);
      stroke(context, line, { color: palette.halo, width: 9 });
      stroke(context, line, { width: 2.4, ...look(s) });
    }
    // The inferred label that is being explained, whatever the layers.
    if (lit?.pair)
      stroke(context, located([{ from: lit.pair[0], to: lit.pair[1] }]), {
        width: 2.4,
        ...look(lit.sign, true)
      });
  }

  /** The line under a point, the nearest of several, or null. */
  function lineAt({ x, y }) {
    let best = null,
      least = GRIP / camera.scale;
    const off = (p, q) => {
      const dx = q.x - p.x,
        dy = q.y - p.y;
      const t = Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(p.x + t * dx - x, p.y + t * dy - y);
    };
    for (const line of visible()) {
      let far = line.bend ? Infinity : off(line.p, line.q);
      for (let i = 0; line.bend && i < 16; i += 1)
        far = Math.min(far, off(along(line, i / 16), along(line, (i + 1) / 16))); // short lines
      if (line.layer === "conflicts") far -= 4; // the light around it is part of it
      if (far < least) [best, least] = [line, far];
    }
    return best;
  }

  return { located, visible, along, bendAll, draw, lineAt };
}
