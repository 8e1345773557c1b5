// Dots on a canvas: pan, zoom, hover, click, lasso. Python holds the truth; `make` of dom.js stands above
// this file.

const REACH = 4; // pixels around a dot that still count as the dot

function render({ model, el }) {
  const base = make("canvas"),
    top = make("canvas", { "aria-hidden": "true" });
  const tip = make("div", { class: "pg-map-tip", dir: "auto" }),
    legend = make("div", { class: "pg-map-legend" });
  const many = "Lasso: choose many (or hold Shift and drag)";
  const lasso = make("button", {
    text: "◌",
    title: many,
    "aria-label": many,
    on: { click: () => setLasso(!lassoing) }
  });
  const tools = make(
    "div",
    { class: "pg-map-tools" },
    lasso,
    zoomButtons(
      model,
      (factor) => zoom(factor),
      () => fit()
    )
  );
  const root = make(
    "div",
    {
      class: "pg-map pg-live",
      tabindex: "0",
      role: "application",
      "aria-label": "All clusters as dots on a map",
      style: `height: ${model.get("height")}px`
    },
    base,
    top,
    tools,
    legend,
    tip
  );
  el.append(root);

  const camera = cameraOf(top);
  let xyr,
    color,
    order,
    chosen,
    width = 0,
    height = 0;
  let hovered = -1,
    line = null,
    lassoing = false,
    painting = 0,
    asking = 0,
    size = 1;
  const sentences = new Map();
  const read = (name, Type) => {
    const { buffer, byteOffset, byteLength } = model.get(name);
    return new Type(buffer.slice(byteOffset, byteOffset + byteLength));
  };
  const screen = (i) => {
    const { x, y } = camera.toScreen({ x: xyr[3 * i], y: -xyr[3 * i + 1] });
    return [x, y];
  };
  const radius = (i) => xyr[3 * i + 2] * size;

  function load() {
    xyr = read("dots", Float32Array);
    fit();
  }

  function shade() {
    color = read("shade", Uint8Array);
    order = read("order", Uint32Array);
    const { title, names, ends } = model.get("legend"),
      palette = model.get("palette");
    const ramp = make("i", {
      class: "pg-map-ramp",
      style: `background: linear-gradient(90deg, ${palette.join(", ")})`
    });
    legend.replaceChildren(
      make("b", { text: title }),
      ...(names
        ? names.map((name, i) => make("span", {}, make("i", { style: `background: ${palette[i]}` }), name))
        : [make("span", { class: "pg-map-ends" }, ends[0], ramp, ends[1])])
    );
    repaint();
  }

  function choose() {
    chosen = new Set(read("chosen", Uint32Array));
    repaint();
  }

  // -- painting -----------------------------------------------------------------------------------
  function repaint() {
    if (!painting)
      painting = requestAnimationFrame(() => {
        painting = 0;
        paint();
      });
  }

  function paint() {
    if (!xyr || !color || !chosen || !width) return;
    size = Math.min(4, Math.max(1, Math.sqrt(camera.scale / fitted())));
    const pen = penOn(base),
      palette = model.get("palette"),
      some = chosen.size > 0;
    for (const lit of some ? [false, true] : [true]) {
      pen.globalAlpha = lit ? 0.85 : 0.3;
      let last = -1; // one path for each run of one colour
      for (const i of order) {
        if (some && chosen.has(i) !== lit) continue;
        const [x, y] = screen(i),
          r = radius(i);
        if (x < -r || y < -r || x > width + r || y > height + r) continue;
        if (color[i] !== last) {
          if (last >= 0) pen.fill();
          pen.beginPath();
          last = color[i];
          pen.fillStyle = palette[last];
        }
        if (r < 1.6) pen.rect(x - r, y - r, 2 * r, 2 * r);
        else {
          pen.moveTo(x + r, y);
          pen.arc(x, y, r, 0, 7);
        }
      }
      if (last >= 0) pen.fill();
    }
    paintTop();
    root.dataset.painted = Number(root.dataset.painted ?? 0) + 1; // for tests
  }

  function paintTop() {
    const pen = penOn(top);
    const { color: ink } = getComputedStyle(root);
    Object.assign(pen, { strokeStyle: ink, fillStyle: ink, lineWidth: 1.5 });
    const ring = (i) => {
      const [x, y] = screen(i);
      pen.beginPath();
      pen.arc(x, y, radius(i) + 2.5, 0, 7);
      pen.stroke();
    };
    if (chosen.size <= 500) chosen.forEach(ring);
    if (hovered >= 0) ring(hovered);
    paintNames(pen, ink);
    if (!line) return;
    pen.beginPath();
    line.forEach(({ x, y }) => pen.lineTo(x, y));
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.1;
    pen.fill();
  }

  /** The word of each part of the map, unless it would lie on another. */
  function paintNames(pen, ink) {
    const drawn = [],
      paper = getComputedStyle(root).backgroundColor;
    Object.assign(pen, {
      font: '600 14px system-ui, "Noto Sans", sans-serif',
      textAlign: "center",
      textBaseline: "middle",
      lineJoin: "round"
    });
    for (const [x, y, name] of model.get("names")) {
      const at = camera.toScreen({ x, y: -y }),
        half = pen.measureText(name).width / 2 + 4;
      if (drawn.some((one) => Math.abs(one.x - at.x) < one.half + half && Math.abs(one.y - at.y) < 18))
        continue;
      drawn.push({ ...at, half });
      Object.assign(pen, { strokeStyle: paper, lineWidth: 4 });
      pen.strokeText(name, at.x, at.y);
      pen.fillText(name, at.x, at.y);
    }
    Object.assign(pen, { strokeStyle: ink, lineWidth: 1.5 });
  }

  // -- moving -------------------------------------------------------------------------------------
  const fitted = () => Math.max(1, Math.min(height, 2 * width) / 2 - 16);
  function fit() {
    if (!width) return;
    // Places have no units: a wide canvas is filled.
    Object.assign(camera, {
      stretch: Math.min(2, Math.max(0.5, width / height)),
      least: fitted() / 2,
      most: 400 * fitted()
    });
    camera.centre({ x: 0, y: 0 }, fitted());
    repaint();
  }
  function zoom(...how) {
    camera.zoom(...how);
    hover(-1);
    repaint();
  }
  function setLasso(on) {
    lassoing = on;
    lasso.setAttribute("aria-pressed", on);
    root.classList.toggle("pg-map-lassoing", on);
  }

  // -- dots under the pointer ---------------------------------------------------------------------
  function under(spot) {
    const at = camera.toPlane(spot),
      { scale, stretch } = camera;
    let best = -1,
      least = Infinity;
    for (let i = 0; 3 * i < xyr.length; i++) {
      const gap = Math.hypot((xyr[3 * i] - at.x) * scale * stretch, (xyr[3 * i + 1] + at.y) * scale);
      if (gap <= radius(i) + REACH && gap < least) [best, least] = [i, gap];
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
    tip.replaceChildren(
      make("div", { class: "pg-map-sentence", text: said.sentence }),
      make("small", { text: said.facts })
    );
    const [x, y] = screen(hovered);
    placeTip(tip, { x, y }, width, height);
  }

  function send(rows) {
    model.set("chosen", new DataView(Uint32Array.from(rows).buffer));
    model.save_changes();
  }

  function inside() {
    const rows = [];
    for (let i = 0; 3 * i < xyr.length; i++) {
      const [x, y] = screen(i);
      let within = false;
      for (let a = 0, b = line.length - 1; a < line.length; b = a++) {
        const { x: ax, y: ay } = line[a],
          { x: bx, y: by } = line[b];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
      }
      if (within) rows.push(i);
    }
    return rows;
  }

  // -- pointer and keys ---------------------------------------------------------------------------
  listenToHands(top, {
    zoom,
    pan(across, down) {
      camera.pan(across, down);
      repaint();
    },
    hover: (spot) => hover(spot ? under(spot) : -1),
    tap(spot, event) {
      const i = under(spot);
      root.focus({ preventScroll: true });
      send(i < 0 ? [] : chosenBy(event, i, [...chosen]));
      if (i >= 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey)
        model.send({ intent: "open", row: i });
    },
    drag({ start, spot, across, down, first }, event) {
      hover(-1);
      if (first) line = lassoing || event.shiftKey ? [start] : null;
      if (!line) return this.pan(across, down);
      line.push(spot);
      paintTop();
    },
    drop(event) {
      if (line && event) {
        send([...(event.ctrlKey || event.metaKey ? chosen : []), ...inside()]);
        setLasso(false);
      }
      line = null;
      paintTop();
    }
  });
  const ACT = { zoom: (place) => [() => zoom(1.4), () => zoom(1 / 1.4), fit][place](), back: () => send([]) };
  const deaf = listenToKeys({ model, root, use: (name, place) => ACT[name](place) });

  const resized = new ResizeObserver(() => {
    const first = !width,
      before = fitted(),
      at = first ? null : camera.toPlane({ x: width / 2, y: height / 2 });
    [width, height] = [root.clientWidth, root.clientHeight];
    const { scale } = camera;
    fit();
    if (at) camera.centre(at, (scale / before) * fitted()); // what was in the middle stays there
    repaint();
  });
  const answered = (message) => {
    if (message.intent === "hover") {
      sentences.set(message.row, message);
      tell();
    }
  };
  const events = {
    "change:dots": load,
    "change:order": shade,
    "change:chosen": choose,
    "msg:custom": answered
  };
  load();
  shade();
  choose();
  for (const [name, call] of Object.entries(events)) model.on(name, call);
  resized.observe(root);
  root.map = { screen, under, camera }; // for tests, and for the curious
  return () => {
    deaf();
    resized.disconnect();
    for (const [name, call] of Object.entries(events)) model.off(name, call);
  };
}

export default { render };
