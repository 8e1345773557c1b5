// Dots on a canvas: pan, zoom, hover, click, lasso. Python holds the truth; `html` of dom.js stands above
// this file.

const REACH = 4; // pixels around a dot that still count as the dot

function render({ model, el }) {
  const base = html`<canvas></canvas>`;
  const top = html`<canvas aria-hidden="true"></canvas>`;
  const tip = html`<div class="pg-map-tip" dir="auto"></div>`;
  const legend = html`<div class="pg-map-legend"></div>`;
  const camera = cameraOf(top, () => {
    hover(-1);
    repaint();
  });
  const zoom = (place) => zoomStep({ camera, fit }, place);
  const root = html`<div
    class="pg-map pg-live"
    tabindex="0"
    role="application"
    aria-label="All clusters as dots on a map"
    style="height: ${model.get("height")}px"
  >
    ${base}${top}
    <div class="pg-map-tools">${zoomButtons(model, zoom)}</div>
    ${legend}${tip}
  </div>`;
  el.append(root);

  let dots; // x, y and radius of each, in turn
  let color;
  let order;
  let chosen;
  let [width, height] = [0, 0];
  let hovered = -1;
  let line = null; // of the lasso
  let painting = null;
  let asking = null;
  let size = 1;
  let pointed = null; // of the dot under the pointer
  const read = (name, Type) => {
    const { buffer, byteOffset, byteLength } = model.get(name);
    return new Type(buffer.slice(byteOffset, byteOffset + byteLength));
  };
  const rows = () => [...Array(dots.length / 3).keys()];
  const screen = (i) => camera.toScreen({ x: dots[3 * i], y: -dots[3 * i + 1] });
  const radius = (i) => dots[3 * i + 2] * size;

  function load() {
    dots = read("dots", Float32Array);
    fit();
  }

  function shade() {
    color = read("shade", Uint8Array);
    order = read("order", Uint32Array);
    const { title, names, ends } = model.get("legend");
    const palette = model.get("palette");
    const ground = (value) => html`<i style="background: ${value}"></i>`;
    const named = (name, i) => html`<span>${ground(palette[i])}${name}</span>`;
    const ramp = html`<i
      class="pg-map-ramp"
      style="background: linear-gradient(90deg, ${palette.join(", ")})"
    ></i>`;
    const content = names?.map(named) ?? html`<span>${ends[0]}${ramp}${ends[1]}</span>`;
    legend.replaceChildren(html`<b>${title}</b>${content}`);
    repaint();
  }

  function choose() {
    chosen = new Set(read("chosen", Uint32Array));
    repaint();
  }

  // -- painting -----------------------------------------------------------------------------------
  function repaint() {
    painting ??= requestAnimationFrame(() => {
      painting = null;
      paint();
    });
  }

  function paint() {
    if (!dots || !color || !chosen || !width) return;
    size = Math.min(4, Math.max(1, Math.sqrt(camera.scale / fitted())));
    const pen = penOn(base);
    const isDimmed = (i) => chosen.size > 0 && !chosen.has(i);
    paintDots(pen, order.filter(isDimmed), 0.3);
    paintDots(
      pen,
      order.filter((i) => !isDimmed(i)),
      0.85
    );
    paintTop();
    root.dataset.painted = Number(root.dataset.painted ?? 0) + 1; // for tests
  }

  /** Some dots, as one path for each colour. */
  function paintDots(pen, some, alpha) {
    pen.globalAlpha = alpha;
    for (const [shade, dots] of grouped(some, (i) => color[i])) {
      pen.fillStyle = model.get("palette")[shade];
      pen.beginPath();
      for (const i of dots) {
        const { x, y } = screen(i);
        const r = radius(i);
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        pen.moveTo(x + r, y);
        if (r < 1.6) pen.rect(x - r, y - r, 2 * r, 2 * r);
        else pen.arc(x, y, r, 0, 7);
      }
      pen.fill();
    }
  }

  /** The line of the lasso as an area. */
  function area() {
    const path = pathAlong(line);
    path.closePath();
    return path;
  }

  function paintTop() {
    const pen = penOn(top);
    const { color: ink, backgroundColor: paper } = getComputedStyle(root);
    pen.fillStyle = ink;
    const ring = (i) => stroke(pen, circleAt(screen(i), radius(i) + 2.5), ink, 1.5);
    if (chosen.size <= 500) chosen.forEach(ring);
    if (hovered >= 0) ring(hovered);
    if (line) stroke(pen, area(), ink, 1.5);
    paintNames(pen, paper);
    if (!line) return;
    pen.globalAlpha = 0.1;
    pen.fill(area(), "evenodd");
  }

  /** The word of each part of the map, unless it would lie on another. */
  function paintNames(pen, paper) {
    const drawn = [];
    Object.assign(pen, {
      font: '600 14px system-ui, "Noto Sans", sans-serif',
      textAlign: "center",
      textBaseline: "middle",
      lineJoin: "round",
      strokeStyle: paper,
      lineWidth: 4
    });
    for (const [x, y, name] of model.get("names")) {
      const at = camera.toScreen({ x, y: -y });
      const half = pen.measureText(name).width / 2 + 4;
      const isOver = (one) => Math.abs(one.x - at.x) < one.half + half && Math.abs(one.y - at.y) < 18;
      if (drawn.some(isOver)) continue;
      drawn.push({ ...at, half });
      pen.strokeText(name, at.x, at.y);
      pen.fillText(name, at.x, at.y);
    }
  }

  // -- moving -------------------------------------------------------------------------------------
  const fitted = () => Math.max(1, Math.min(height, 2 * width) / 2 - 16);
  function fit() {
    if (!width) return;
    // Places have no units: a wide canvas is filled.
    const stretch = Math.min(2, Math.max(0.5, width / height));
    Object.assign(camera, { stretch, least: fitted() / 2, most: 400 * fitted() });
    camera.centre({ x: 0, y: 0 }, fitted());
    repaint();
  }

  // -- dots under the pointer ---------------------------------------------------------------------
  function under(spot) {
    const at = camera.toPlane(spot);
    const { scale, stretch } = camera;
    let best = -1;
    let least = Infinity;
    for (let i = 0; 3 * i < dots.length; i += 1) {
      const gap = Math.hypot((dots[3 * i] - at.x) * scale * stretch, (dots[3 * i + 1] + at.y) * scale);
      if (gap <= radius(i) + REACH && gap < least) [best, least] = [i, gap];
    }
    return best;
  }

  function hover(i) {
    if (i === hovered) return;
    hovered = i;
    pointed = null;
    root.classList.toggle("pg-map-over", i >= 0);
    paintTop();
    clearTimeout(asking);
    if (i >= 0) asking = setTimeout(() => model.send({ intent: "hover", row: i }), 40);
    tell();
  }

  function tell() {
    tip.classList.toggle("pg-shown", Boolean(pointed));
    if (!pointed) return;
    tip.replaceChildren(
      html`<div class="pg-map-sentence">${pointed.sentence}</div>
        <small>${pointed.facts}</small>`
    );
    placeTip(tip, screen(hovered), width, height);
  }

  function send(some) {
    model.set("chosen", new DataView(Uint32Array.from(some).buffer));
    model.save_changes();
  }

  function inside() {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    const path = area();
    return rows().filter((i) => pen.isPointInPath(path, screen(i).x, screen(i).y, "evenodd"));
  }

  // -- pointer and keys ---------------------------------------------------------------------------
  listenToHands(top, camera, {
    hover: (spot) => hover(spot ? under(spot) : -1),
    tap(spot, event) {
      const i = under(spot);
      hover(i); // a finger does not hover
      root.focus({ preventScroll: true });
      send(i < 0 ? [] : chosenBy(event, i, [...chosen]));
      if (i >= 0 && !isAdding(event)) model.send({ intent: "open", row: i });
    },
    drag({ start, spot, across, down, first }, event) {
      hover(-1);
      if (first) line = event.shiftKey ? [start] : null;
      if (!line) return camera.pan(across, down);
      line.push(spot);
      paintTop();
    },
    drop(event) {
      if (line && event) send(inside());
      line = null;
      paintTop();
    }
  });
  const ACT = { zoom, back: () => send([]) };
  const deaf = listenToKeys({ model, root, use: (name, place) => ACT[name](place) });

  const resized = new ResizeObserver(() => {
    [width, height] = [root.clientWidth, root.clientHeight];
    fit();
  });
  function point(dot) {
    if (dot.row !== hovered) return; // the pointer has gone on
    pointed = dot;
    tell();
  }
  load();
  shade();
  choose();
  const leave = listenTo(model, {
    "change:dots": load,
    "change:order": shade,
    "change:chosen": choose,
    "msg:custom": point,
    "change:pointed": () => point(model.get("pointed")) // on a page
  });
  resized.observe(root);
  root.map = { screen, under, camera }; // for tests, and for the curious
  return () => {
    deaf();
    resized.disconnect();
    leave();
    clearTimeout(asking);
    cancelAnimationFrame(painting);
  };
}
