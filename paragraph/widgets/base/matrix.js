// The picture as a matrix: sentences × sentences in the order of the list, the sign of a pair as its cell. In a dense
// cluster it says more than lines that cover each other (Ghoniem, Fekete and Castagliola 2004: from about twenty nodes on).
// Sign is shown twice: + is a full blue square, − an orange one crossed out; inferred ones are small, conflicts on yellow.

const TEXT = 230; // pixels for the sentences left of their rows, where these are high enough to read
const READ = 11;
const [TOP, RIGHT] = [24, 44]; // above for numbers; to the right for the buttons, at any zoom

/** The matrix of a `scene` (see picture.js); `on` answers what a person does. */
function matrixView({ scene, focus, on }) {
  const canvas = make("canvas", { class: "pg-matrix", role: "img" });
  let order = [], place = new Map(), pairs = new Map(), cell = 1, left = 0, top = 0, right = 0, zoom = 1, shift = [0, 0];
  const isBoundary = (i) => i > 0 && (order[i].home !== order[i - 1].home || order[i].group !== order[i - 1].group);

  function show() {
    const sentences = scene.nodes.filter(({ cluster }) => cluster === undefined);
    order = sentences.length ? sentences : scene.nodes;
    place = new Map(order.map(({ key }, i) => [key, i]));
    fit();
  }

  function fit() {
    [zoom, shift] = [1, [0, 0]];
    redraw();
  }

  /** Measures of the frame as it is now. */
  function measure() {
    const { clientWidth: width, clientHeight: height } = canvas, n = Math.max(1, order.length);
    const most = Math.min((height - TOP - 8) / n, (width - 30 - RIGHT) / n, 26); // a cell without texts beside it
    const text = most < READ ? 0 : Math.max(0, Math.min(TEXT, width - 30 - RIGHT - Math.max(READ, 0.92 * most) * n));
    const base = Math.min(most, (width - 30 - RIGHT - text) / n);
    cell = base * zoom;
    left = 30 + text + Math.max(0, (width - 30 - RIGHT - text - base * n) / 2);
    [top, right] = [TOP, width - RIGHT];
    return { height, n };
  }

  function redraw() {
    if (!canvas.isConnected || !canvas.clientWidth) return;
    const { height, n } = measure(), { palette, paper } = scene;
    const context = penOn(canvas), x0 = left + shift[0], y0 = top + shift[1], span = cell * n;
    context.save();
    context.beginPath();
    context.rect(left - 1, top - 1, right - left + 2, height - top);
    context.clip();
    context.fillStyle = palette.cluster;
    for (const [i, node] of order.entries()) {
      context.fillRect(x0 + i * cell, y0 + i * cell, cell, cell);
      if (!scene.isChosen(node.key)) continue;
      context.fillStyle = mix(palette.chosen, paper, 0.5);
      context.fillRect(x0, y0 + i * cell, span, cell);
      context.fillRect(x0 + i * cell, y0, cell, span);
      context.fillStyle = palette.cluster;
    }
    pairs = new Map();
    const dim = scene.lit && !scene.lit.soft && scene.lit.edges.size > 0;
    for (const line of scene.visible()) {
      const i = place.get(line.from), j = place.get(line.to);
      if (i === undefined || j === undefined || line.layer === "cut") continue;
      for (const [row, column] of [[i, j], [j, i]]) {
        pairs.set(row * n + column, line);
        context.globalAlpha = dim && !scene.lit.edges.has(line.pair) ? 0.45 : 1;
        drawCell(context, x0 + column * cell, y0 + row * cell, line);
      }
    }
    context.globalAlpha = 1;
    rules(context, x0, y0, span, n);
    context.restore();
    names(context, x0, y0, height);
  }

  function drawCell(context, x, y, line) {
    const { palette, paper } = scene, far = Boolean(line.far), inset = (far ? 0.3 : cell > 6 ? 0.1 : 0) * cell;
    if (line.layer === "conflicts") {
      context.fillStyle = palette.halo;
      context.fillRect(x - 1, y - 1, cell + 2, cell + 2);
    }
    context.fillStyle = line.sign > 0 ? palette.positive : palette.negative;
    const size = Math.max(0.7, cell - 2 * inset);
    context.fillRect(x + inset, y + inset, size, size);
    if (line.sign > 0 || cell < 5) return;
    context.beginPath(); // the second sign of a negative
    context.moveTo(x + inset, y + inset);
    context.lineTo(x + inset + size, y + inset + size);
    context.moveTo(x + inset + size, y + inset);
    context.lineTo(x + inset, y + inset + size);
    context.strokeStyle = paper;
    context.lineWidth = Math.max(1, cell / 8);
    context.stroke();
  }

  /** Thin lines between cells, thick ones between communities, and the row and column that are pointed at. */
  function rules(context, x0, y0, span, n) {
    const { palette } = scene;
    const rule = (i, color, width) => {
      context.fillStyle = color;
      context.fillRect(x0 + i * cell - width / 2, y0, width, span);
      context.fillRect(x0, y0 + i * cell - width / 2, span, width);
    };
    if (cell > 6) for (let i = 0; i <= n; i += 1) rule(i, mix(palette.quiet, scene.paper, 0.22), 0.7);
    for (let i = 1; i < n; i += 1) if (isBoundary(i)) rule(i, palette.ink, order[i].home === order[i - 1].home ? 1.4 : 2.6);
    context.strokeStyle = palette.quiet;
    context.strokeRect(x0, y0, span, span);
    context.strokeStyle = palette.pointed;
    context.lineWidth = 2;
    for (const key of scene.pointed) {
      const i = place.get(key);
      if (i === undefined) continue;
      context.strokeRect(x0, y0 + i * cell, span, cell);
      context.strokeRect(x0 + i * cell, y0, cell, span);
    }
    context.strokeStyle = palette.ink;
    for (const [a, b] of scene.chosen.length === 2 ? [scene.chosen, [...scene.chosen].reverse()] : []) {
      if (place.has(a) && place.has(b)) context.strokeRect(x0 + place.get(b) * cell, y0 + place.get(a) * cell, cell, cell);
    }
  }

  /** Numbers above and left of the cells, and sentences where rows are high enough. */
  function names(context, x0, y0, height) {
    const { palette } = scene, high = Math.min(12, Math.max(8, cell - 1));
    const steps = [4 + 6.5 * `${order.length}`.length, 9].map((room) => Math.ceil(room / cell)); // across, down
    context.textBaseline = "middle";
    for (const [i, node] of order.entries()) {
      const strong = scene.isChosen(node.key) || scene.pointed.includes(node.key), shade = shadeOf(scene.look.color, node.key);
      const x = x0 + (i + 0.5) * cell, y = y0 + (i + 0.5) * cell;
      if (shade && y > top && y < height) {
        context.fillStyle = shade;
        context.fillRect(left - 5, y - cell / 2, 4, Math.max(1, cell));
      }
      if (scene.hits.has(node.key)) {
        context.fillStyle = palette.hit;
        if (y > top && y < height) context.fillRect(left - 9, y - cell / 2, 3, Math.max(1, cell));
        if (x > left && x < right) context.fillRect(x - cell / 2, top - 4, Math.max(1, cell), 3);
      }
      context.fillStyle = strong ? palette.ink : palette.quiet;
      context.font = `${strong ? "700 " : ""}${high > 10 ? 10.5 : 9}px system-ui, sans-serif`;
      const number = node.number ?? i + 1;
      context.textAlign = "center";
      if (x > left && x < right && (strong || i % steps[0] === 0)) context.fillText(number, x, top - 9);
      if (y < top || y > height || (i % steps[1] && !strong)) continue;
      context.textAlign = "right";
      context.fillText(number, left - 11, y);
      if (cell < READ || left < 90) continue;
      context.font = `${strong ? "700 " : ""}${Math.min(12, cell - 1)}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
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

  // -- what is under the pointer -----------------------------------------------------------------------------------------
  /** A label, a sentence (in its row's name or on the diagonal), `{ from, to }` where nothing is drawn, or null. */
  function thingAt({ x, y }) {
    const i = Math.floor((y - top - shift[1]) / cell), j = Math.floor((x - left - shift[0]) / cell), n = order.length;
    const row = y > top && i >= 0 && i < n, column = x > left && x < right && j >= 0 && j < n;
    if (row && column) return i === j ? order[i] : pairs.get(i * n + j) ?? { from: order[i].key, to: order[j].key, blank: true };
    if (row && x <= left) return order[i];
    return column && y <= top ? order[j] : null;
  }

  function zoomBy(factor, around = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 }) {
    const before = zoom;
    zoom = Math.min(40, Math.max(1, zoom * factor));
    const by = zoom / before;
    if (zoom === 1) shift = [0, 0];
    else shift = [[around.x, left], [around.y, top]].map(([at, start], k) => Math.min(0, at - start - (at - start - shift[k]) * by));
    redraw();
  }

  function pan(across, down) {
    if (zoom === 1) return;
    shift = [Math.min(0, shift[0] + across), Math.min(0, shift[1] + down)];
    redraw();
  }

  listenToHands(canvas, {
    hover: on.hover, zoom: on.zoom, pan, drag: ({ across, down }) => pan(across, down), drop: () => {},
    tap(spot, event) { focus(); on.click(thingAt(spot), event); },
  });

  /** Where on the page a node (by key) or the pair of two is: for tests. */
  function spotOf(what) {
    const [a, b] = Array.isArray(what) ? what : [what, what], box = canvas.getBoundingClientRect();
    return [box.left + left + shift[0] + (place.get(b) + 0.5) * cell, box.top + top + shift[1] + (place.get(a) + 0.5) * cell];
  }

  return { canvas, show, fit, redraw, resize: redraw, zoomBy, thingAt, spotOf };
}
