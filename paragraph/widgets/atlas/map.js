// Dots on a canvas: pan, zoom, hover, click, lasso. Python holds the truth; `make` of dom.js stands above this file.

const CELLS = 96; // of the grid that finds the dot under the pointer, along each side
const REACH = 4; // pixels around a dot that still count as the dot

function render({ model, el }) {
  const base = make("canvas"), top = make("canvas", { "aria-hidden": "true" });
  const tip = make("div", { class: "pg-map-tip", dir: "auto" });
  const tool = (text, title, click) => make("button", { text, title, "aria-label": title, on: { click } });
  const lasso = tool("◌", "Lasso: choose many (or hold Shift and drag)", () => setLasso(!lassoing));
  const tools = make("div", { class: "pg-map-tools" }, lasso, tool("+", hinted(model, "Zoom in", "zoom", 0), () => zoom(1.4)),
    tool("−", hinted(model, "Zoom out", "zoom", 1), () => zoom(1 / 1.4)), tool("⤢", hinted(model, "Show all", "zoom", 2), () => fit()));
  const legend = make("div", { class: "pg-map-legend" });
  const root = make("div", { class: "pg-map pg-live", tabindex: "0", role: "application",
    "aria-label": "All clusters as dots on a map", style: `height: ${model.get("height")}px` }, base, top, tools, legend, tip);
  el.append(root);

  let xyr, color, order, chosen, cells, view = { x: 0, y: 0, scale: 1 }, width = 0, height = 0;
  let hovered = -1, drag = null, lassoing = false, painting = 0, asking = 0, size = 1;
  const sentences = new Map();
  const read = (name, Type) => { const { buffer, byteOffset, byteLength } = model.get(name); return new Type(buffer.slice(byteOffset, byteOffset + byteLength)); };
  // Places have no units: a wide canvas is filled.
  const across = () => view.scale * Math.min(2, Math.max(.5, width / height));
  const screen = (i) => [width / 2 + (xyr[3 * i] - view.x) * across(), height / 2 - (xyr[3 * i + 1] - view.y) * view.scale];
  const place = ([px, py]) => [view.x + (px - width / 2) / across(), view.y - (py - height / 2) / view.scale];
  const radius = (i) => xyr[3 * i + 2] * size;
  const cellOf = (value) => Math.max(0, Math.min(CELLS - 1, Math.floor((value + 1) / 2 * CELLS)));

  function load() {
    xyr = read("dots", Float32Array);
    cells = Array.from({ length: CELLS * CELLS }, () => []);
    for (let i = 0; 3 * i < xyr.length; i++) cells[cellOf(xyr[3 * i + 1]) * CELLS + cellOf(xyr[3 * i])].push(i);
    fit();
  }

  function shade() {
    color = read("shade", Uint8Array); order = read("order", Uint32Array);
    const { title, names, ends } = model.get("legend"), palette = model.get("palette");
    const ramp = make("i", { class: "pg-map-ramp", style: `background: linear-gradient(90deg, ${palette.join(", ")})` });
    legend.replaceChildren(make("b", { text: title }), ...(names
      ? names.map((name, i) => make("span", {}, make("i", { style: `background: ${palette[i]}` }), name))
      : [make("span", { class: "pg-map-ends" }, ends[0], ramp, ends[1])]));
    repaint();
  }

  function choose() { chosen = new Set(read("chosen", Uint32Array)); repaint(); }

  // -- painting -------------------------------------------------------------------------------------------------
  function repaint() { if (!painting) painting = requestAnimationFrame(() => { painting = 0; paint(); }); }

  function paint() {
    if (!xyr || !color || !chosen || !width) return;
    size = Math.min(4, Math.max(1, Math.sqrt(view.scale / fitted())));
    const pen = fresh(base), palette = model.get("palette"), some = chosen.size > 0;
    for (const lit of some ? [false, true] : [true]) {
      pen.globalAlpha = lit ? .85 : .3;
      let last = -1; // one path for each run of one colour
      for (const i of order) {
        if (some && chosen.has(i) !== lit) continue;
        const [x, y] = screen(i), r = radius(i);
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        if (color[i] !== last) {
          if (last >= 0) pen.fill();
          pen.beginPath();
          pen.fillStyle = palette[last = color[i]];
        }
        if (r < 1.6) pen.rect(x - r, y - r, 2 * r, 2 * r);
        else { pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 7); }
      }
      if (last >= 0) pen.fill();
    }
    paintTop();
    root.dataset.painted = Number(root.dataset.painted ?? 0) + 1; // for tests
  }

  function paintTop() {
    const pen = fresh(top);
    pen.strokeStyle = pen.fillStyle = getComputedStyle(root).color;
    pen.lineWidth = 1.5;
    const ring = (i) => { const [x, y] = screen(i); pen.beginPath(); pen.arc(x, y, radius(i) + 2.5, 0, 7); pen.stroke(); };
    if (chosen.size <= 500) chosen.forEach(ring);
    if (hovered >= 0) ring(hovered);
    if (!drag?.line) return;
    pen.beginPath();
    drag.line.forEach(([x, y]) => pen.lineTo(x, y));
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = .1;
    pen.fill();
  }

  function fresh(canvas) {
    const pen = canvas.getContext("2d"), ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.globalAlpha = 1;
    pen.clearRect(0, 0, width, height);
    return pen;
  }

  // -- moving ---------------------------------------------------------------------------------------------------
  const fitted = () => Math.max(1, Math.min(height, 2 * width) / 2 - 16);
  function fit() { view = { x: 0, y: 0, scale: fitted() }; repaint(); }
  function zoom(by, [px, py] = [width / 2, height / 2]) {
    const [x, y] = place([px, py]);
    view.scale = Math.min(400, Math.max(.5, view.scale * by / fitted())) * fitted();
    const [u, v] = place([px, py]);
    view.x += x - u;
    view.y += y - v; // what is under the pointer stays there
    hover(-1);
    repaint();
  }
  function setLasso(on) { lassoing = on; lasso.setAttribute("aria-pressed", on); root.classList.toggle("pg-map-lassoing", on); }

  // -- dots under the pointer -----------------------------------------------------------------------------------
  function under([px, py]) {
    const [x, y] = place([px, py]), far = (largest * size + REACH) / Math.min(view.scale, across());
    let best = -1, least = Infinity;
    for (let row = cellOf(y - far); row <= cellOf(y + far); row++) {
      for (let column = cellOf(x - far); column <= cellOf(x + far); column++) {
        for (const i of cells[row * CELLS + column]) {
          const [sx, sy] = screen(i), gap = Math.hypot(sx - px, sy - py);
          if (gap <= radius(i) + REACH && gap < least) [best, least] = [i, gap];
        }
      }
    }
    return best;
  }

  function hover(i) {
    if (i === hovered) return;
    hovered = i;
    root.classList.toggle("pg-map-over", i >= 0);
    paintTop();
    clearTimeout(asking);
    if (i >= 0 && !sentences.has(i)) asking = setTimeout(() => model.send({ intent: "hover", row: i }), 40);
    tell();
  }

  function tell() {
    const said = sentences.get(hovered);
    tip.classList.toggle("pg-shown", Boolean(said));
    if (!said) return;
    tip.replaceChildren(make("div", { class: "pg-map-sentence", text: said.sentence }), make("small", { text: said.facts }));
    const [x, y] = screen(hovered), { offsetWidth: w, offsetHeight: h } = tip;
    tip.style.left = `${Math.max(4, Math.min(width - w - 4, x - w / 2))}px`;
    tip.style.top = `${y - h - 14 > 0 ? y - h - 14 : Math.min(height - h - 4, y + 14)}px`;
  }

  function send(rows) {
    model.set("chosen", new DataView(Uint32Array.from(rows).buffer));
    model.save_changes();
  }

  function inside(line) {
    const rows = [];
    for (let i = 0; 3 * i < xyr.length; i++) {
      const [x, y] = screen(i);
      let within = false;
      for (let a = 0, b = line.length - 1; a < line.length; b = a++) {
        const [ax, ay] = line[a], [bx, by] = line[b];
        if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) within = !within;
      }
      if (within) rows.push(i);
    }
    return rows;
  }

  // -- pointer and keys -----------------------------------------------------------------------------------------
  const spot = (event) => { const box = root.getBoundingClientRect(); return [event.clientX - box.left - root.clientLeft, event.clientY - box.top - root.clientTop]; };
  top.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    root.focus({ preventScroll: true });
    top.setPointerCapture(event.pointerId);
    const at = spot(event);
    drag = { start: at, last: at, moved: false, line: lassoing || event.shiftKey ? [at] : null, more: event.ctrlKey || event.metaKey };
  });
  top.addEventListener("pointermove", (event) => {
    const at = spot(event);
    if (!drag) return hover(under(at));
    drag.moved ||= Math.hypot(at[0] - drag.start[0], at[1] - drag.start[1]) > 3;
    if (!drag.moved) return;
    hover(-1);
    if (drag.line) { drag.line.push(at); paintTop(); return; }
    view.x -= (at[0] - drag.last[0]) / across();
    view.y += (at[1] - drag.last[1]) / view.scale;
    drag.last = at;
    repaint();
  });
  top.addEventListener("pointerup", (event) => {
    const done = drag, i = under(spot(event));
    drag = null;
    if (!done) return;
    if (done.moved) {
      if (done.line) { send([...(done.more ? chosen : []), ...inside(done.line)]); setLasso(false); }
    } else if (i < 0) send([]);
    else if (done.more || done.line) send(chosen.has(i) ? [...chosen].filter((j) => j !== i) : [...chosen, i]);
    else { send([i]); model.send({ intent: "open", row: i }); }
  });
  top.addEventListener("pointercancel", () => { drag = null; paintTop(); });
  top.addEventListener("pointerleave", () => hover(-1));
  top.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), spot(event));
  }, { passive: false });
  const ACT = { zoom: (place) => [() => zoom(1.4), () => zoom(1 / 1.4), fit][place](), back: () => send([]) };
  const deaf = listenToKeys({ model, root, use: (name, place) => ACT[name](place) });

  let largest = 1;
  const measure = () => { largest = 1; for (let i = 2; i < xyr.length; i += 3) largest = Math.max(largest, xyr[i]); };
  const resized = new ResizeObserver(() => {
    const first = !width, kept = view.scale / fitted();
    [width, height] = [root.clientWidth, root.clientHeight];
    if (first) fit();
    else view.scale = kept * fitted();
    repaint();
  });
  const answered = (message) => { if (message.intent === "hover") { sentences.set(message.row, message); tell(); } };
  const renewed = () => { load(); measure(); };
  const events = { "change:dots": renewed, "change:order": shade, "change:chosen": choose, "msg:custom": answered };
  renewed(); shade(); choose();
  for (const [name, call] of Object.entries(events)) model.on(name, call);
  resized.observe(root);
  root.map = { screen, under, get view() { return view; } }; // for tests, and for the curious
  return () => { deaf(); resized.disconnect(); for (const [name, call] of Object.entries(events)) model.off(name, call); };
}

export default { render };
