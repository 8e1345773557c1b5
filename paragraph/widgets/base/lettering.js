// The texts in the graph: numbers on lines, and labels of nodes, which keep their size on screen and go where
// they fit: never on one another or on a node; those of neighbours never on a line that does not end at
// theirs. The number in the node stands for what is left out.

// sentences of a cluster, or the largest of the clusters, have their texts wherever there is room for them
const NAMED = 5;
const CELL = 4; // pixels; the picture is a grid of such cells, each free, of one line, or taken
const TAKEN = -1;
// cells of lines that the text of a cluster's sentence may cross: of the first, of the others
const CROSSED = [999, 14];

/** A grid of what is drawn: `line` and `block` fill it, `place` finds room beside a node and fills that
 * too. */
function labelGrid(width, height) {
  const columns = Math.ceil(width / CELL),
    rows = Math.ceil(height / CELL),
    cells = new Int32Array(columns * rows);
  const ends = [null]; // of the lines, from 1

  function put(x, y, number) {
    const i = Math.floor(x / CELL),
      j = Math.floor(y / CELL);
    if (i < 0 || j < 0 || i >= columns || j >= rows) return;
    const at = j * columns + i;
    cells[at] = cells[at] && cells[at] !== number ? TAKEN : number;
  }

  function line(from, to, points) {
    const number = ends.push([from, to]) - 1;
    for (let k = 1; k < points.length; k += 1) {
      const [a, b] = [points[k - 1], points[k]],
        steps = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / (CELL - 1)));
      for (let s = 0; s <= steps; s += 1)
        put(a.x + ((b.x - a.x) * s) / steps, a.y + ((b.y - a.y) * s) / steps, number);
    }
  }

  /** Calls `look` with each cell of a box until it answers false; whether it never did. */
  function every(x, y, w, h, look) {
    const [left, right] = [Math.floor(x / CELL), Math.floor((x + w) / CELL)],
      bottom = Math.floor((y + h) / CELL);
    for (let j = Math.floor(y / CELL); j <= bottom; j += 1) {
      for (let i = left; i <= right; i += 1)
        if (i >= 0 && j >= 0 && i < columns && j < rows && !look(j * columns + i)) return false;
    }
    return true;
  }

  const block = (x, y, w, h) =>
    every(x, y, w, h, (at) => {
      cells[at] = TAKEN;
      return true;
    });

  /** Room beside a node at x, y with radius r for the first of some boxes `{ w, h }` that fits: `{ box, left,
   * top, free }`, or null. Nothing may lie there; else only lines of the node itself; else `few` cells of
   * other lines, which are seen through the text; and where it `must`, what hides fewest lines (not `free`),
   * or "always". */
  function place(key, x, y, r, boxes, must = false, few = 0) {
    const spots = [];
    for (const { w, h, gap = r + 6 } of must
      ? [...boxes, ...boxes.map((box) => ({ ...box, gap: r + 26 }))]
      : boxes) {
      const beside = [0.5, 0.15, 0.85].flatMap((share) => [
        [x - share * w, y + gap],
        [x - share * w, y - gap - h]
      ]);
      beside.push(
        ...[0.5, 0, 1].flatMap((share) => [
          [x + gap, y - share * h],
          [x - gap - w, y - share * h]
        ])
      );
      const [across, up] = [0.7 * gap, 0.7 * gap + h]; // at the corners
      beside.push(
        [x + across, y - up],
        [x + across, y + up - h],
        [x - across - w, y - up],
        [x - across - w, y + up - h]
      );
      spots.push(
        ...beside
          .filter(([a, b]) => a >= 1 && b >= 1 && a + w <= width - 1 && b + h <= height - 1)
          .map(([left, top]) => ({ box: { w, h }, left, top, free: true }))
      );
    }
    const whole = ({ box, left, top }, look) => every(left, top, box.w, box.h, look);
    const mine = (at) => cells[at] > 0 && ends[cells[at]].includes(key);
    let found =
      spots.find((spot) => whole(spot, (at) => cells[at] === 0)) ??
      spots.find((spot) => whole(spot, (at) => cells[at] === 0 || mine(at)));
    if (!found && (must || few) && spots.length) {
      const hidden = (spot) => {
        let cost = 0;
        whole(spot, (at) => {
          if (cells[at] === TAKEN) cost += 1000;
          else if (cells[at] && !mine(at)) cost += 1;
          return true;
        });
        return cost;
      };
      const least = spots
        .map((spot) => ({ ...spot, free: !must, cost: hidden(spot) }))
        .reduce((a, b) => (b.cost < a.cost ? b : a));
      // that is, no more than an edge of a node
      if (must === "always" || least.cost <= (must ? 25_000 : few)) found = least;
    }
    if (found) block(found.left, found.top, found.box.w, found.box.h);
    return found ?? null;
  }

  return { line, block, place };
}

/** Texts of a `scene` on `canvas`, its nodes at `spots()`; `stands` tells which nodes are not faded. */
function graphLettering({ scene, spots: places, camera, canvas, radius, lines, stands }) {
  let labels = new Map(),
    labelled = ""; // where labels were put, and for which picture
  const widths = new Map(),
    FONT = 'px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
  /** Who comes first where there is not room for all: below 0 what a person asked for. */
  function rank({ key, conflict, cluster, size }) {
    if (scene.isChosen(key)) return -4e9;
    if (scene.pointed.includes(key)) return -3e9;
    if (scene.lit?.nodes.has(key)) return -2e9;
    if (scene.hits.has(key)) return -1e9;
    if (cluster !== undefined) return 2e9 - size;
    return conflict ? 0 : 1e9;
  }

  function widthOf(context, rows, scale) {
    const key = rows.join("\n");
    if (!widths.has(key))
      widths.set(key, Math.max(...rows.map((row) => context.measureText(row).width * scale)));
    return widths.get(key);
  }

  const numbered = (line) => line.tag || line.count > 1;
  const badge = (context, line, scale) => widthOf(context, [line.tag || `${line.count}`], scale) + 10;

  /** Where labels go: by key, the upper left corner on screen. */
  function putLabels(context, spots, scale) {
    const { left, top } = camera,
      {
        chosen,
        lit,
        look: { labels: share = 100 }
      } = scene;
    const now = [
      scale,
      left,
      top,
      canvas.clientWidth,
      canvas.clientHeight,
      scene.version,
      chosen,
      scene.pointed,
      lit?.n,
      share
    ].join();
    if (now === labelled) return;
    labelled = now;
    labels = new Map();
    const grid = labelGrid(canvas.clientWidth, canvas.clientHeight),
      onScreen = camera.toScreen;
    for (const line of lines.visible()) {
      const bent = line.bend ? [0, 0.2, 0.4, 0.6, 0.8, 1] : [0, 1];
      grid.line(
        line.from,
        line.to,
        bent.map((t) => onScreen(lines.along(line, t)))
      );
      if (numbered(line)) {
        const at = onScreen(lines.along(line, 0.5)),
          w = badge(context, line, scale);
        grid.block(at.x - w / 2, at.y - 9, w, 18);
      }
    }
    const drawn = scene.nodes
      .filter(({ key }) => spots[key])
      .map((node) => ({ node, ...onScreen(spots[node.key]), r: radius(node) * scale }))
      .filter((one) => one.x > 0 && one.y > 0 && one.x < canvas.clientWidth && one.y < canvas.clientHeight);
    for (const { x: left, y: top, r } of drawn) grid.block(left - r, top - r, 2 * r, 2 * r);
    grid.block(canvas.clientWidth - 36, 4, 36, 92); // the buttons
    drawn.sort((a, b) => rank(a.node) - rank(b.node));
    // a cluster of clusters
    const closed = scene.nodes.length && scene.nodes.every(({ cluster }) => cluster !== undefined);
    const first = drawn
      .map(({ node }) => node)
      .filter((node) => rank(node) >= 0 && (closed ? node.size > 1 : node.cluster === undefined))
      .slice(0, NAMED);
    for (const one of drawn) {
      const { node } = one,
        named = first.includes(node),
        asked = rank(node) < 0 || (closed && node === first[0]) ? "always" : closed && named;
      if (!stands(node.key)) continue;
      const rows = node.label.split("\n"),
        sets = rows.length > 1 ? [rows, [node.cluster === undefined ? `${rows[0]}…` : rows[0]]] : [rows];
      const boxes = sets.map((some) => ({ w: widthOf(context, some, scale), h: some.length * 14 }));
      const found = grid.place(
        node.key,
        one.x,
        one.y,
        one.r,
        boxes,
        asked,
        node.cluster === undefined ? CROSSED[named ? 0 : 1] : 0
      );
      if (!found) continue;
      const {
        box: { w, h },
        left,
        top,
        free
      } = found; // what hides something is written on its own ground
      labels.set(node.key, {
        rows: sets[h > 14 ? 0 : sets.length - 1],
        w,
        h,
        left,
        top,
        free,
        quiet: node.cluster !== undefined,
        asked
      });
    }
    const most = Math.ceil((share / 100) * labels.size); // of those that fit, the first
    labels = new Map([...labels].filter(([, { asked }], i) => asked || i < most));
  }

  function draw(context) {
    const { scale } = camera,
      spots = places(),
      { palette, paper } = scene;
    const size = 12 / scale;
    Object.assign(context, {
      font: `${size}${FONT}`,
      textAlign: "center",
      textBaseline: "top",
      lineJoin: "round",
      lineWidth: 3 / scale
    });
    const write = (text, x, y, color) => {
      context.strokeStyle = paper;
      context.strokeText(text, x, y);
      context.fillStyle = color;
      context.fillText(text, x, y);
    };
    putLabels(context, spots, scale);
    for (const { rows, left, top, w, h, free, quiet } of labels.values()) {
      const { x, y } = camera.toPlane({ x: left + w / 2, y: top });
      if (!free) {
        context.fillStyle = paper;
        context.fillRect(x - w / 2 / scale, y, w / scale, h / scale);
      }
      rows.forEach((row, i) => write(row, x, y + (i * 14) / scale, quiet ? palette.quiet : palette.ink));
    }
    for (const line of lines.visible().filter(numbered)) {
      // last, so that no text covers it
      const { x, y } = lines.along(line, 0.5);
      if (!line.tag) {
        // how many negatives a line to a cluster stands for
        write(`${line.count}`, x, y - size / 2, palette.ink);
        continue;
      }
      const w = badge(context, line, scale) / scale,
        h = 17 / scale; // its number in the explanation
      Object.assign(context, { fillStyle: paper, strokeStyle: palette.positive, lineWidth: 1.5 / scale });
      context.beginPath();
      context.roundRect(x - w / 2, y - h / 2, w, h, 4 / scale);
      context.fill();
      context.stroke();
      Object.assign(context, { fillStyle: palette.ink, lineWidth: 3 / scale });
      context.fillText(line.tag, x, y - size / 2);
    }
  }

  return {
    draw,
    all: () => labels,
    stale: () => {
      labelled = "";
    },
    clear: () => widths.clear()
  };
}
