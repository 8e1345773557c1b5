// The texts in the graph: numbers on lines, and labels of nodes, which keep their size on screen and go where
// they fit: never on one another or on a node; those of neighbours never on a line that does not end at
// theirs. The number in the node stands for what is left out.

// sentences of a cluster, or the largest of the clusters, have their texts wherever there is room for them
const NAMED = 5;
// cells of lines that the text of a cluster's sentence may cross: of the first, of the others
const CROSSED = [999, 14];
const LIT = -2e9; // the rank of what the explanation names
const ON_LINE = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // shares of a line where it may have its badge
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
    if (scene.pointed.includes(key)) return -3e9;
    if (scene.lit?.nodes.has(key)) return LIT;
    if (scene.hits.has(key)) return -1e9;
    if (cluster !== undefined) return 2e9 - size;
    return conflict ? 0 : 1e9;
  }

  const widthOf = (pen, rows) => camera.scale * Math.max(...rows.map((row) => pen.measureText(row).width));

  const isNumbered = (line) => line.tag || line.count > 1;
  const badgeWidth = (pen, line) => widthOf(pen, [line.tag || `${line.count}`]) + 10;

  /** Where a line has its number: in the middle; a badge where it covers no node and no other badge, on its
   * line or beside it. */
  function spotOn(line, wide) {
    const middle = lines.along(line, 0.5);
    if (!line.tag) return middle;
    const px = 1 / camera.scale;
    const nodes = scene.nodes.map((node) => ({
      ...spots()[node.key],
      w: 2 * radius(node),
      h: 2 * radius(node)
    }));
    const badges = [...numbers]
      .filter(([{ tag }]) => tag)
      .map(([, at]) => ({ ...at, w: wide * px, h: 17 * px }));
    const taken = [...nodes, ...badges];
    const isOn = (one, { x, y, w, h }) =>
      2 * Math.abs(one.x - x) < w + wide * px && 2 * Math.abs(one.y - y) < h + 17 * px;
    const isFree = (one) => !taken.some((other) => isOn(one, other));
    const [from, to] = [0.4, 0.6].map((t) => lines.along(line, t));
    const off = (14 * px) / (Math.hypot(to.x - from.x, to.y - from.y) || 1);
    const beside = ({ x, y }, side) => ({
      x: x + side * off * (from.y - to.y),
      y: y + side * off * (to.x - from.x)
    });
    const along = ON_LINE.map((t) => lines.along(line, t));
    return (
      [...along, ...[1, -1].flatMap((side) => along.map((one) => beside(one, side)))].find(isFree) ?? middle
    );
  }

  /** A grid of the lines, the numbers on them, the nodes and the buttons. */
  function gridOf(pen, drawn) {
    const grid = labelGrid(canvas.clientWidth, canvas.clientHeight);
    for (const line of lines.visible()) {
      grid.line(line.from, line.to, lines.pointsOf(line, line.bend ? 5 : 1).map(camera.toScreen));
      if (!isNumbered(line)) continue;
      const w = badgeWidth(pen, line);
      numbers.set(line, spotOn(line, w));
      const { x, y } = camera.toScreen(numbers.get(line));
      grid.block({ left: x - w / 2, top: y - 9, w, h: 18 });
    }
    for (const { x, y, r } of drawn) grid.block({ left: x - r, top: y - r, w: 2 * r, h: 2 * r });
    grid.block({ left: canvas.clientWidth - 36, top: 4, w: 36, h: 92 });
    return grid;
  }

  /** Find places for labels: on screen, of the upper left corner. */
  function putLabels(pen) {
    const { clientWidth: width, clientHeight: height } = canvas;
    const { scale, left, top } = camera;
    const { chosen, pointed, lit, version, nodes } = scene;
    const { labels: share = 100 } = scene.look;
    const now = String([scale, left, top, width, height, version, chosen, pointed, lit?.n, share]);
    if (now === labelled) return;
    labelled = now;
    labels = new Map();
    numbers = new Map();
    const places = spots();
    const drawn = nodes
      .filter(({ key }) => places[key])
      .map((node) => ({ node, key: node.key, ...camera.toScreen(places[node.key]), r: radius(node) * scale }))
      .filter(({ x, y }) => x > 0 && y > 0 && x < width && y < height)
      .sort((a, b) => rank(a.node) - rank(b.node));
    const grid = gridOf(pen, drawn);
    const areAllClosed = nodes.every(isClosed); // a cluster of clusters
    const named = drawn
      .map(({ node }) => node)
      .filter((node) => rank(node) >= 0 && (areAllClosed ? node.size > 1 : !isClosed(node)))
      .slice(0, NAMED);
    for (const one of drawn) {
      const { node } = one;
      if (!stands(node)) continue;
      const isNamed = named.includes(node);
      const isAsked = rank(node) < LIT || (areAllClosed && node === named[0]);
      const must = isAsked ? "always" : rank(node) < 0 || (areAllClosed && isNamed);
      const rows = node.label.split("\n");
      const sets = [rows];
      if (rows.length > 1) sets.push([isClosed(node) ? rows[0] : `${rows[0]}…`]);
      const boxes = sets.map((some) => ({ rows: some, w: widthOf(pen, some), h: some.length * LINE }));
      const few = isNamed ? CROSSED[0] : CROSSED[1];
      const room = grid.place(one, boxes, must, isClosed(node) ? 0 : few);
      if (room) labels.set(node.key, { ...room, quiet: isClosed(node), asked: must });
    }
    const most = Math.ceil((share / 100) * labels.size); // of those that fit, the first
    labels = new Map([...labels].filter(([, { asked }], i) => asked || i < most));
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
    for (const { rows, left, top, w, h, free, quiet } of labels.values()) {
      const { x, y } = camera.toPlane({ x: left + w / 2, y: top });
      if (!free) {
        // what hides something is written on its own ground
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
    const box = pathOf(pen);
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
