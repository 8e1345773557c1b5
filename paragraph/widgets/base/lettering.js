// The texts in the graph: numbers on lines, and labels of nodes, which keep their size on screen and go where
// they fit: never on one another or on a node; those of neighbours never on a line that does not end at
// theirs. The number in the node stands for what is left out.

// cells of lines that the text of a cluster's sentence may cross: of the first few, of the others
const NAMED = 5;
const CROSSED = [999, 14];
const HIDDEN = 25_000; // what a text may hide that was searched: no more than an edge of a node
const POINTED = -3e9; // the rank of what is under the pointer
const ON_LINE = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // shares of a line where it may have its badge
// where a text may stand beside its node, right and down
const aboveAndBelow = (across) => [
  [across, 1],
  [across, -1]
];
const BESIDE = [...[0, 0.7, -0.7].flatMap(aboveAndBelow), [1, 0], [-1, 0], ...[1, -1].flatMap(aboveAndBelow)];
const LINE = 14; // pixels from one line of a text to the next
const FACE = 'system-ui, "Noto Sans", "DejaVu Sans", sans-serif';

/** Texts of a `scene` on `canvas`, its nodes at `spots()`; `stands` tells which nodes are not faded. */
function graphLettering({ scene, spots, camera, canvas, radius, lines, stands }) {
  let labels = new Map(); // by key of the node
  let numbers = new Map(); // where lines have theirs
  let labelled = ""; // the picture for which labels were put

  /** Who comes first where there is not room for all: below 0 what a person asked for. */
  function rank({ key, conflict, cluster, size }) {
    if (scene.isChosen(key)) return -4e9;
    if (scene.pointed.includes(key)) return POINTED;
    if (scene.lit?.nodes.has(key)) return -2e9;
    if (scene.hits.has(key)) return -1e9;
    if (cluster !== undefined) return 2e9 - size;
    return conflict ? 0 : 1e9;
  }

  const widthOf = (pen, rows) => camera.scale * Math.max(...rows.map((row) => pen.measureText(row).width));

  const isNumbered = (line) => line.tag || line.count > 1;
  const badgeWidth = (pen, line) => widthOf(pen, [line.tag || `${line.count}`]) + 10;

  /** A grid of the nodes, the buttons, the lines and the numbers on them. */
  function gridOf(pen, drawn) {
    const grid = labelGrid(canvas.clientWidth, canvas.clientHeight);
    for (const { x, y, r } of drawn) grid.block({ left: x - r, top: y - r, w: 2 * r, h: 2 * r });
    grid.block({ left: canvas.clientWidth - 36, top: 4, w: 36, h: 92 });
    const seen = lines.visible();
    for (const line of seen)
      grid.line(line.from, line.to, lines.pointsOf(line, line.bend ? 5 : 1).map(camera.toScreen));
    for (const line of seen.filter(isNumbered)) {
      const w = badgeWidth(pen, line);
      const boxes = (line.tag ? ON_LINE : [0.5]).map((t) => {
        const { x, y } = camera.toScreen(lines.along(line, t));
        return { t, left: x - w / 2, top: y - 9, w, h: 18 };
      });
      const box = grid.best(boxes, line.from);
      numbers.set(line, lines.along(line, box.t ?? 0.5));
      if (box.w) grid.block(box);
    }
    return grid;
  }

  /** What the text of a node may hide, as `best` counts it; `i` is its place in the order of all. */
  function mayHide(node, i) {
    if (!i || rank(node) <= POINTED) return Infinity;
    if (rank(node) < 0) return HIDDEN;
    if (isClosed(node)) return i < NAMED && scene.nodes.every(isClosed) ? HIDDEN : 0.5;
    return i < NAMED ? CROSSED[0] : CROSSED[1];
  }

  /** The boxes in which a text can stand beside a node. */
  function boxesOf(pen, { node, x, y, r }) {
    const rows = node.label.split("\n");
    const [first, second] = rows;
    const sets = [rows];
    if (second) sets.push([isClosed(node) ? first : `${first}…`]);
    return sets.flatMap((some) => {
      const w = widthOf(pen, some);
      const h = some.length * LINE;
      return BESIDE.map(([across, down]) => ({
        rows: some,
        w,
        h,
        left: x + across * (w / 2 + r + 6) - w / 2,
        top: y + down * (h / 2 + r + 6) - h / 2
      }));
    });
  }

  /** Find places for labels: on screen, of the upper left corner. */
  function putLabels(pen) {
    const { clientWidth: width, clientHeight: height } = canvas;
    const { scale, left, top } = camera;
    const { chosen, pointed, lit, version, nodes } = scene;
    const now = String([scale, left, top, width, height, version, chosen, pointed, lit?.n]);
    if (now === labelled) return;
    labelled = now;
    labels = new Map();
    numbers = new Map();
    const places = spots();
    const drawn = nodes
      .filter(({ key }) => places[key])
      .map((node) => ({ node, ...camera.toScreen(places[node.key]), r: radius(node) * scale }))
      .filter(({ x, y }) => x > 0 && y > 0 && x < width && y < height)
      .sort((a, b) => rank(a.node) - rank(b.node));
    const grid = gridOf(pen, drawn);
    for (const [i, one] of drawn.entries()) {
      const { node } = one;
      if (!stands(node)) continue;
      const box = grid.best(boxesOf(pen, one), node.key);
      if (!box.rows || box.hides > mayHide(node, i)) continue;
      grid.block(box);
      labels.set(node.key, { ...box, quiet: isClosed(node) });
    }
  }

  function draw(pen) {
    const { scale } = camera;
    const { palette, paper } = scene;
    const size = 12 / scale;
    Object.assign(pen, {
      font: `${size}px ${FACE}`,
      textAlign: "center",
      textBaseline: "top",
      lineJoin: "round",
      lineWidth: 3 / scale
    });
    const write = (text, x, y, color) => {
      pen.strokeStyle = paper;
      pen.strokeText(text, x, y);
      pen.fillStyle = color;
      pen.fillText(text, x, y);
    };
    putLabels(pen);
    for (const { rows, left, top, w, h, hides, quiet } of labels.values()) {
      const { x, y } = camera.toPlane({ x: left + w / 2, y: top });
      if (hides >= 1000) {
        // what hides a node or a text is written on its own ground
        pen.fillStyle = paper;
        pen.fillRect(x - w / 2 / scale, y, w / scale, h / scale);
      }
      rows.forEach((row, i) => write(row, x, y + (i * LINE) / scale, quiet ? palette.quiet : palette.ink));
    }
    // last, so that no text covers it
    for (const [line, { x, y }] of numbers) {
      if (line.tag) writeBadge(pen, line, x, y);
      else write(`${line.count}`, x, y - size / 2, palette.ink);
    }
  }

  /** The number of a line in the explanation; other lines have that of the negatives they stand for. */
  function writeBadge(pen, line, x, y) {
    const { scale } = camera;
    const { paper, palette } = scene;
    const w = badgeWidth(pen, line) / scale;
    const h = 17 / scale;
    pen.save();
    const box = new Path2D();
    box.roundRect(x - w / 2, y - h / 2, w, h, 4 / scale);
    pen.fillStyle = paper;
    pen.fill(box);
    stroke(pen, box, palette.positive, 1.5 / scale);
    pen.fillStyle = palette.ink;
    pen.fillText(line.tag, x, y - 6 / scale);
    pen.restore();
  }

  function stale() {
    labelled = "";
  }

  return { draw, all: () => labels, stale };
}
