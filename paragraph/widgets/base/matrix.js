// The picture as a matrix: sentences × sentences in the order of the list, the sign of a pair as its cell.
// In a dense cluster it says more than lines that cover each other (Ghoniem, Fekete and Castagliola 2004:
// from about twenty nodes on). Sign is shown twice: + is a full blue square, − an orange one crossed out;
// inferred ones are small, the less sure the smaller; conflicts on yellow.

const TEXT = 230; // pixels for the sentences left of their rows, where these are high enough to read
const READ = 11;
const TOP = 24; // above, for numbers
const RIGHT = 44; // for the buttons, at any zoom

/** The matrix of a `scene` (see picture.js); `on` answers what a person does. A cell is a unit of the plane
 * of its camera. */
function matrixView({ scene, focus, on }) {
  const canvas = html`<canvas class="pg-matrix" role="img"></canvas>`;
  const camera = cameraOf(canvas, () => {
    on.hover(null);
    settle();
  });
  let order = []; // nodes, by row and column
  let place = new Map(); // of a node in it, by key
  let pairs = new Map(); // lines, by row and column
  let left = 0; // of the cells, as a frame shows them
  let right = 0;
  const isChosen = ({ key }) => scene.isChosen(key);
  /** The number of the boundary before a row: 0 none, 1 of a community, 2 of a cluster. */
  const boundaryAt = (i) => {
    const [before, { home, group }] = [order[i - 1], order[i]];
    if (before.home !== home) return 2;
    return before.group === group ? 0 : 1;
  };

  function show() {
    const sentences = sentencesOf(scene.nodes);
    order = sentences.length ? sentences : scene.nodes;
    place = new Map(order.map(({ key }, i) => [key, i]));
    fit();
  }

  function fit() {
    const { clientWidth: width, clientHeight: height } = canvas;
    const n = Math.max(1, order.length);
    const wide = width - 30 - RIGHT;
    const most = Math.min((height - TOP - 8) / n, wide / n, 26); // a cell without texts beside it
    const text = most < READ ? 0 : Math.max(0, Math.min(TEXT, wide - Math.max(READ, 0.92 * most) * n));
    const cell = Math.min(most, (wide - text) / n);
    left = 30 + text + Math.max(0, (wide - text - cell * n) / 2);
    right = width - RIGHT;
    Object.assign(camera, { scale: cell, least: cell, most: 40 * cell, left, top: TOP });
    on.hover(null);
    redraw();
  }

  /** After a move: no ground shows beside the cells, and all of them where all are seen. */
  function settle() {
    const isWhole = camera.scale <= camera.least;
    camera.left = isWhole ? left : Math.min(left, camera.left);
    camera.top = isWhole ? TOP : Math.min(TOP, camera.top);
    redraw();
  }

  function redraw() {
    if (!canvas.isConnected || !canvas.clientWidth) return;
    const pen = penOn(canvas);
    pen.save();
    pen.beginPath();
    pen.rect(left - 1, TOP - 1, right - left + 2, canvas.clientHeight - TOP);
    pen.clip();
    pen.transform(camera.scale, 0, 0, camera.scale, camera.left, camera.top);
    drawGround(pen);
    drawLabels(pen);
    drawRules(pen);
    pen.restore();
    drawNames(pen);
  }

  /** The rows and columns of what is chosen, and the diagonal. */
  function drawGround(pen) {
    const { palette, paper } = scene;
    const n = order.length;
    pen.fillStyle = mix(palette.chosen, paper, 0.5);
    for (const [i, node] of order.entries()) {
      if (!isChosen(node)) continue;
      pen.fillRect(0, i, n, 1);
      pen.fillRect(i, 0, 1, n);
    }
    pen.fillStyle = palette.cluster;
    for (const i of order.keys()) pen.fillRect(i, i, 1, 1);
  }

  function drawLabels(pen) {
    const { lit } = scene;
    const dims = lit && !lit.soft && lit.edges.size > 0;
    pairs = new Map();
    for (const line of scene.visible()) {
      const { from, to } = line;
      if (!place.has(from) || !place.has(to) || line.layer === "cut") continue;
      pen.globalAlpha = dims && !lit.edges.has(line.pair) ? 0.45 : 1;
      for (const [row, column] of bothWays(from, to)) {
        pairs.set(`${row} ${column}`, line);
        drawCell(pen, column, row, line);
      }
    }
    pen.globalAlpha = 1;
  }

  /** The two cells of a pair, as places. */
  function bothWays(one, other) {
    const i = place.get(one);
    const j = place.get(other);
    return [
      [i, j],
      [j, i]
    ];
  }

  function drawCell(pen, x, y, { far, right: sure, layer, sign: s }) {
    const { palette, paper } = scene;
    const pixel = 1 / camera.scale;
    const margin = pixel < 1 / 6 ? 0.1 : 0;
    const inset = far ? (1 - lookOfSure(sure).side) / 2 : margin;
    if (layer === "conflicts") {
      pen.fillStyle = palette.halo;
      pen.fillRect(x - pixel, y - pixel, 1 + 2 * pixel, 1 + 2 * pixel);
    }
    const size = Math.max(0.7 * pixel, 1 - 2 * inset);
    const [a, b, c, d] = [x + inset, y + inset, x + inset + size, y + inset + size];
    pen.fillStyle = s > 0 ? palette.positive : palette.negative;
    pen.fillRect(a, b, size, size);
    if (s > 0 || pixel > 1 / 5) return;
    const cross = new Path2D(); // the second sign of a negative
    cross.moveTo(a, b);
    cross.lineTo(c, d);
    cross.moveTo(c, b);
    cross.lineTo(a, d);
    stroke(pen, cross, paper, Math.max(pixel, 1 / 8));
  }

  /** Thin lines between cells, thick ones between communities, and the row and column that are pointed at. */
  function drawRules(pen) {
    const { palette, pointed, chosen } = scene;
    const n = order.length;
    const pixel = 1 / camera.scale;
    const rule = (i, color, pixels) => {
      const width = pixels * pixel;
      pen.fillStyle = color;
      pen.fillRect(i - width / 2, 0, width, n);
      pen.fillRect(0, i - width / 2, n, width);
    };
    const thin = mix(palette.quiet, scene.paper, 0.22);
    for (let i = 0; i <= n && camera.scale > 6; i += 1) rule(i, thin, 0.7);
    for (let i = 1; i < n; i += 1) if (boundaryAt(i)) rule(i, palette.ink, [0, 1.4, 2.6][boundaryAt(i)]);
    pen.strokeStyle = palette.quiet;
    pen.lineWidth = pixel;
    pen.strokeRect(0, 0, n, n);
    pen.strokeStyle = palette.pointed;
    pen.lineWidth = 2 * pixel;
    for (const key of pointed.filter((one) => place.has(one))) {
      pen.strokeRect(0, place.get(key), n, 1);
      pen.strokeRect(place.get(key), 0, 1, n);
    }
    if (chosen.length !== 2 || !chosen.every((key) => place.has(key))) return;
    pen.strokeStyle = palette.ink;
    for (const [row, column] of bothWays(...chosen)) pen.strokeRect(column, row, 1, 1);
  }

  /** Numbers above and left of the cells, and sentences where rows are high enough. */
  function drawNames(pen) {
    const { palette, hits, pointed, look } = scene;
    const cell = camera.scale;
    const thick = Math.max(1, cell);
    const small = `${cell > 11 ? 10.5 : 9}px system-ui, sans-serif`;
    const large = `${Math.min(12, cell - 1)}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
    // columns and rows have a number at regular steps
    const [columns, rows] = [4 + 6.5 * `${order.length}`.length, 9].map((room) => Math.ceil(room / cell));
    const bar = (color, ...box) => {
      pen.fillStyle = color;
      if (color) pen.fillRect(...box);
    };
    const write = (text, x, y, align) => {
      pen.textAlign = align;
      pen.fillText(text, x, y);
    };
    pen.textBaseline = "middle";
    for (const [i, node] of order.entries()) {
      const isStrong = isChosen(node) || pointed.includes(node.key);
      const bold = isStrong ? "700 " : "";
      const number = node.number ?? i + 1;
      const hit = hits.has(node.key) && palette.hit;
      const { x, y } = camera.toScreen({ x: i + 0.5, y: i + 0.5 });
      const ink = isStrong ? palette.ink : palette.quiet;
      if (x > left && x < right) {
        bar(hit, x - cell / 2, TOP - 4, thick, 3);
        Object.assign(pen, { fillStyle: ink, font: bold + small });
        if (isStrong || i % columns === 0) write(number, x, TOP - 9, "center");
      }
      if (y <= TOP || y >= canvas.clientHeight) continue;
      bar(shadeOf(look.color, node.key), left - 5, y - cell / 2, 4, thick);
      bar(hit, left - 9, y - cell / 2, 3, thick);
      if (i % rows && !isStrong) continue;
      Object.assign(pen, { fillStyle: ink, font: bold + small });
      write(number, left - 11, y, "right");
      if (cell < READ || left < 90) continue;
      Object.assign(pen, { fillStyle: palette.ink, font: bold + large });
      write(clipped(pen, node.text.replace(/\s+/g, " "), left - 44), left - 32, y, "right");
    }
  }

  /** As much of a text as is no wider than this many pixels. */
  function clipped(pen, text, width) {
    const isWide = (some) => pen.measureText(some).width > width;
    if (!isWide(text)) return text;
    let [low, high] = [0, Math.min(text.length, 200)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isWide(`${text.slice(0, middle)}…`)) high = middle - 1;
      else low = middle;
    }
    return `${text.slice(0, low)}…`;
  }

  /** Under the pointer: a label, a sentence (in its row's name or on the diagonal), `{ from, to }` where
   * nothing is drawn, or null. */
  function thingAt(spot) {
    const at = camera.toPlane(spot);
    const i = Math.floor(at.y);
    const j = Math.floor(at.x);
    const row = spot.y > TOP ? order[i] : undefined;
    const column = spot.x > left && spot.x < right ? order[j] : undefined;
    if (row && column && i !== j)
      return pairs.get(`${i} ${j}`) ?? { from: row.key, to: column.key, blank: true };
    if (row && (column || spot.x <= left)) return row;
    return column && spot.y <= TOP ? column : null;
  }

  listenToHands(canvas, camera, {
    hover: on.hover,
    drag: ({ across, down }) => camera.pan(across, down),
    drop() {},
    tap(spot, event) {
      focus();
      on.click(thingAt(spot), event);
    }
  });

  /** Where on the page a node (by key) or the pair of two is: for tests. */
  function spotOf(what) {
    const [y, x] = [what, what].flat().map((key) => place.get(key) + 0.5);
    const box = canvas.getBoundingClientRect();
    const spot = camera.toScreen({ x, y });
    return [box.left + spot.x, box.top + spot.y];
  }

  return { canvas, camera, show, fit, redraw, resize: fit, thingAt, spotOf };
}
