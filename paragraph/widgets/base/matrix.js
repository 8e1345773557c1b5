// The picture as a matrix: sentences × sentences in the order of the list, the sign of a pair as its cell.
// In a dense cluster it says more than lines that cover each other (Ghoniem, Fekete and Castagliola 2004:
// from about twenty nodes on). Sign is shown twice: + is a full blue square, − an orange one crossed out;
// inferred ones are small, the less sure the smaller; conflicts on yellow.

const TEXT = 230; // pixels for the sentences left of their rows, where these are high enough to read
const READ = 11;
const [TOP, RIGHT] = [24, 44]; // above for numbers; to the right for the buttons, at any zoom

/** The matrix of a `scene` (see picture.js); `on` answers what a person does. A cell is a unit of the plane
 * of its camera. */
function matrixView({ scene, focus, on }) {
  const canvas = make("canvas", { class: "pg-matrix", role: "img" }),
    camera = cameraOf(canvas);
  let order = [],
    place = new Map(),
    pairs = new Map(),
    left = 0,
    right = 0; // of the cells, as a frame shows them
  const isBoundary = (i) =>
    i > 0 && (order[i].home !== order[i - 1].home || order[i].group !== order[i - 1].group);

  function show() {
    const sentences = scene.nodes.filter(({ cluster }) => cluster === undefined);
    order = sentences.length ? sentences : scene.nodes;
    place = new Map(order.map(({ key }, i) => [key, i]));
    fit();
  }

  function fit() {
    const { clientWidth: width, clientHeight: height } = canvas,
      n = Math.max(1, order.length),
      wide = width - 30 - RIGHT;
    const most = Math.min((height - TOP - 8) / n, wide / n, 26); // a cell without texts beside it
    const text = most < READ ? 0 : Math.max(0, Math.min(TEXT, wide - Math.max(READ, 0.92 * most) * n));
    const cell = Math.min(most, (wide - text) / n);
    left = 30 + text + Math.max(0, (wide - text - cell * n) / 2);
    right = width - RIGHT;
    Object.assign(camera, { scale: cell, least: cell, most: 40 * cell, left, top: TOP });
    redraw();
  }

  /** After a move: no ground shows beside the cells, and all of them where all are seen. */
  function settle() {
    const whole = camera.scale <= camera.least;
    Object.assign(camera, {
      left: whole ? left : Math.min(left, camera.left),
      top: whole ? TOP : Math.min(TOP, camera.top)
    });
    redraw();
  }

  function redraw() {
    if (!canvas.isConnected || !canvas.clientWidth) return;
    const context = penOn(canvas),
      { palette, paper } = scene,
      { left: x0, top: y0, scale: cell } = camera,
      n = order.length,
      span = n * cell;
    context.save();
    context.beginPath();
    context.rect(left - 1, TOP - 1, right - left + 2, canvas.clientHeight - TOP);
    context.clip();
    for (const [i, { key }] of order.entries()) {
      context.fillStyle = mix(palette.chosen, paper, 0.5);
      if (!scene.isChosen(key)) continue;
      context.fillRect(x0, y0 + i * cell, span, cell);
      context.fillRect(x0 + i * cell, y0, cell, span);
    }
    context.fillStyle = palette.cluster;
    for (let i = 0; i < n; i += 1) context.fillRect(x0 + i * cell, y0 + i * cell, cell, cell);
    pairs = new Map();
    const dim = scene.lit && !scene.lit.soft && scene.lit.edges.size > 0;
    for (const line of scene.visible()) {
      const i = place.get(line.from),
        j = place.get(line.to);
      if (i === undefined || j === undefined || line.layer === "cut") continue;
      for (const [row, column] of [
        [i, j],
        [j, i]
      ]) {
        pairs.set(row * n + column, line);
        context.globalAlpha = dim && !scene.lit.edges.has(line.pair) ? 0.45 : 1;
        drawCell(context, x0 + column * cell, y0 + row * cell, line);
      }
    }
    context.globalAlpha = 1;
    rules(context, x0, y0, span, n);
    context.restore();
    names(context);
  }

  function drawCell(context, x, y, line) {
    const { palette, paper } = scene,
      cell = camera.scale,
      margin = cell > 6 ? 0.1 : 0,
      inset = (line.far ? (1 - lookOfSure(line.right).side) / 2 : margin) * cell;
    if (line.layer === "conflicts") {
      context.fillStyle = palette.halo;
      context.fillRect(x - 1, y - 1, cell + 2, cell + 2);
    }
    context.fillStyle = line.sign > 0 ? palette.positive : palette.negative;
    const size = Math.max(0.7, cell - 2 * inset),
      [a, b, c, d] = [x + inset, y + inset, x + inset + size, y + inset + size];
    context.fillRect(a, b, size, size);
    if (line.sign > 0 || cell < 5) return;
    context.beginPath(); // the second sign of a negative
    for (const [one, other] of [
      [a, c],
      [c, a]
    ]) {
      context.moveTo(one, b);
      context.lineTo(other, d);
    }
    Object.assign(context, { strokeStyle: paper, lineWidth: Math.max(1, cell / 8) });
    context.stroke();
  }

  /** Thin lines between cells, thick ones between communities, and the row and column that are pointed at. */
  function rules(context, x0, y0, span, n) {
    const { palette } = scene,
      cell = camera.scale;
    const rule = (i, color, width) => {
      context.fillStyle = color;
      context.fillRect(x0 + i * cell - width / 2, y0, width, span);
      context.fillRect(x0, y0 + i * cell - width / 2, span, width);
    };
    if (cell > 6) for (let i = 0; i <= n; i += 1) rule(i, mix(palette.quiet, scene.paper, 0.22), 0.7);
    for (let i = 1; i < n; i += 1)
      if (isBoundary(i)) rule(i, palette.ink, order[i].home === order[i - 1].home ? 1.4 : 2.6);
    context.strokeStyle = palette.quiet;
    context.strokeRect(x0, y0, span, span);
    Object.assign(context, { strokeStyle: palette.pointed, lineWidth: 2 });
    for (const i of scene.pointed.map((key) => place.get(key)).filter((one) => one !== undefined)) {
      context.strokeRect(x0, y0 + i * cell, span, cell);
      context.strokeRect(x0 + i * cell, y0, cell, span);
    }
    context.strokeStyle = palette.ink;
    const [a, b] = scene.chosen.length === 2 ? scene.chosen.map((key) => place.get(key)) : [];
    if (a === undefined || b === undefined) return;
    for (const [row, column] of [
      [a, b],
      [b, a]
    ])
      context.strokeRect(x0 + column * cell, y0 + row * cell, cell, cell);
  }

  /** Numbers above and left of the cells, and sentences where rows are high enough. */
  function names(context) {
    const { palette } = scene,
      cell = camera.scale,
      small = `${Math.min(12, Math.max(8, cell - 1)) > 10 ? 10.5 : 9}px system-ui, sans-serif`;
    // across, down
    const steps = [4 + 6.5 * `${order.length}`.length, 9].map((room) => Math.ceil(room / cell));
    context.textBaseline = "middle";
    for (const [i, node] of order.entries()) {
      const strong = scene.isChosen(node.key) || scene.pointed.includes(node.key),
        shade = shadeOf(scene.look.color, node.key),
        bold = strong ? "700 " : "";
      const { x, y } = camera.toScreen({ x: i + 0.5, y: i + 0.5 }),
        across = x > left && x < right,
        down = y > TOP && y < canvas.clientHeight;
      const bar = (color, where, ...box) => {
        context.fillStyle = color;
        if (color && where) context.fillRect(...box);
      };
      bar(shade, down, left - 5, y - cell / 2, 4, Math.max(1, cell));
      bar(scene.hits.has(node.key) && palette.hit, down, left - 9, y - cell / 2, 3, Math.max(1, cell));
      bar(scene.hits.has(node.key) && palette.hit, across, x - cell / 2, TOP - 4, Math.max(1, cell), 3);
      context.fillStyle = strong ? palette.ink : palette.quiet;
      context.font = bold + small;
      const number = node.number ?? i + 1;
      context.textAlign = "center";
      if (across && (strong || i % steps[0] === 0)) context.fillText(number, x, TOP - 9);
      if (!down || (i % steps[1] && !strong)) continue;
      context.textAlign = "right";
      context.fillText(number, left - 11, y);
      if (cell < READ || left < 90) continue;
      context.font = `${bold}${Math.min(12, cell - 1)}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
      context.fillStyle = palette.ink;
      context.fillText(clipped(context, node.text.replace(/\s+/g, " "), left - 44), left - 32, y);
    }
  }

  /** As much of a text as is no wider than this many pixels. */
  function clipped(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let [low, high] = [0, Math.min(text.length, 200)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
      else high = middle - 1;
    }
    return `${text.slice(0, low)}…`;
  }

  /** Under the pointer: a label, a sentence (in its row's name or on the diagonal), `{ from, to }` where
   * nothing is drawn, or null. */
  function thingAt(spot) {
    const at = camera.toPlane(spot),
      i = Math.floor(at.y),
      j = Math.floor(at.x),
      n = order.length;
    const row = spot.y > TOP && i >= 0 && i < n,
      column = spot.x > left && spot.x < right && j >= 0 && j < n;
    if (row && column && i !== j)
      return pairs.get(i * n + j) ?? { from: order[i].key, to: order[j].key, blank: true };
    if (row && (column || spot.x <= left)) return order[i];
    return column && spot.y <= TOP ? order[j] : null;
  }

  const zoomBy = (...how) => {
      camera.zoom(...how);
      settle();
    },
    pan = (...how) => {
      camera.pan(...how);
      settle();
    };

  listenToHands(canvas, {
    hover: on.hover,
    zoom: on.zoom,
    pan,
    drag: ({ across, down }) => pan(across, down),
    drop: () => {},
    tap(spot, event) {
      focus();
      on.click(thingAt(spot), event);
    }
  });

  /** Where on the page a node (by key) or the pair of two is: for tests. */
  function spotOf(what) {
    const [a, b] = Array.isArray(what) ? what : [what, what],
      box = canvas.getBoundingClientRect();
    const { x, y } = camera.toScreen({ x: place.get(b) + 0.5, y: place.get(a) + 0.5 });
    return [box.left + x, box.top + y];
  }

  return { canvas, show, fit, redraw, resize: fit, zoomBy, thingAt, spotOf };
}
