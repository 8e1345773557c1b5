// Middle: the signed graph. vis-network keeps where things stand (pan, zoom, drag); how they look is drawn here, so that
// thousands of lines cost one stroke a kind, stay as thick on the screen however small the picture, and all answer a click.

const LIGHT = { positive: "#0072B2", negative: "#D55E00", halo: "#F0E442", ink: "#1D2329", quiet: "#59626B",
  node: "#FFFFFF", conflict: "#FFF6A8", chosen: "#9ED0EE", cluster: "#EEF1F4" };
const DARK = { positive: "#56B4E9", negative: "#E69F00", halo: "#7A7220", ink: "#E8EBEE", quiet: "#A6AFB8",
  node: "#2B3138", conflict: "#6A611A", chosen: "#1F6C9C", cluster: "#22282E" };

// Okabe and Ito's other colours, for camps; a camp beyond the last begins again.
const CAMPS = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#0072B2", "#D55E00", "#999999"];

const GRIP = 6; // pixels around a line, or from the middle of a small node, that still count as on it
const SMALLEST = 0.55; // nodes and lines shrink with the picture, but not below this share of their size
const BENDS = [0, 0.12, -0.12, 0.2, -0.2, 0.3, -0.3]; // a line takes the first with which it passes no node it does not join

const INFERRED = { "1": "inferred_positive", "-1": "inferred_negative" };
const pairKey = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

function livePicture({ model, send, focus }) {
  const canvas = make("div", { class: "pg-canvas", role: "img" });
  const title = make("div", { class: "pg-title", "aria-live": "polite" });
  const note = make("div", { class: "pg-note", "aria-live": "polite" });
  const tip = make("div", { class: "pg-tip", dir: "auto" });
  const empty = make("div", { class: "pg-empty" });
  const zoom = make("div", { class: "pg-zoom" },
    [["+", "Zoom in (+, or Ctrl and the wheel)", () => zoomBy(1.3)], ["−", "Zoom out (−)", () => zoomBy(1 / 1.3)], ["⤢", "Show all (0)", () => fit()]]
      .map(([text, hint, click]) => make("button", { text, title: hint, "aria-label": hint, on: { click } })));
  const stage = make("div", { class: "pg-stage" }, canvas, empty, zoom, tip);

  const places = new vis.DataSet();
  let shown = { nodes: [], edges: [], inferred: [] }, at = new Map(), lines = [], lit = null, hovered = null, palette = LIGHT, paper = "#FFFFFF";
  let clicked = null;
  let moved = false; // has a person zoomed or panned? Then the picture is not shown whole again when its frame changes
  const network = new vis.Network(canvas, { nodes: places, edges: new vis.DataSet() }, {
    physics: false, layout: { improvedLayout: false },
    interaction: { zoomView: false, multiselect: true, keyboard: false },
    nodes: { shape: "custom", ctxRenderer: ({ ctx, id, x, y }) => {
      const node = at.get(id), r = node ? radius(node) : 0, grip = Math.max(r, GRIP / network.getScale());
      return { drawNode: () => node && drawNode(ctx, node, x, y, r), nodeDimensions: { width: 2 * grip, height: 2 * grip } };
    } },
  });
  canvas.firstChild.tabIndex = -1; // the bench has the keys, not the canvas in it

  // -- how things look ------------------------------------------------------------------------------------------------
  const unit = () => Math.max(1, SMALLEST / network.getScale());
  const radius = (node) => node.number !== undefined ? Math.max(11 * unit(), 10 / network.getScale()) : unit() * (node.cluster === undefined ? 8 : Math.min(34, 7 + 3 * Math.sqrt(node.size)));
  const isChosen = (key) => model.get("selected").includes(key);

  function drawNode(context, node, x, y, r) {
    const closed = node.cluster !== undefined, chosen = isChosen(node.key);
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fillStyle = paper; // no line is seen through a dimmed node
    context.fill();
    context.globalAlpha = !lit || lit.soft || lit.nodes.has(node.key) || chosen ? 1 : 0.25;
    context.fillStyle = chosen ? palette.chosen : node.camp >= 0 ? CAMPS[node.camp % CAMPS.length] : node.conflict ? palette.conflict
      : closed ? palette.cluster : palette.node;
    context.fill();
    context.setLineDash(closed ? [4 * unit(), 3 * unit()] : []);
    context.lineWidth = unit() * (chosen || hovered?.key === node.key ? 2.8 : 1.3);
    context.strokeStyle = palette.ink;
    context.stroke();
    context.setLineDash([]);
    if (node.number !== undefined) {
      context.font = `600 ${Math.min(1.15 * r, 12 / network.getScale())}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = node.camp >= 0 && !chosen ? "#1D2329" : palette.ink;
      context.fillText(node.number, x, y + r * 0.06);
    }
    context.globalAlpha = 1;
  }

  /** Lines whose ends are drawn, with the places of these as `p` and `q`. */
  function located(some) {
    const spots = network.getPositions();
    return some.filter((line) => {
      line.p = spots[line.from];
      line.q = spots[line.to];
      return line.p && line.q;
    });
  }

  /** The lines that can be seen: stated ones first, as they stand in the picture. */
  function visible() {
    const layers = model.get("layers");
    return located(lines.filter((line) => layers[line.layer] && (!line.far || line.far <= layers.distance)));
  }

  const control = ({ p, q, bend = 0 }) => ({ x: (p.x + q.x) / 2 + bend * (p.y - q.y), y: (p.y + q.y) / 2 + bend * (q.x - p.x) });
  /** The point of a line at a share t of its way. */
  const along = (line, t) => {
    const { p, q } = line, c = control(line), [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return { x: u * p.x + v * c.x + w * q.x, y: u * p.y + v * c.y + w * q.y };
  };

  /** Bend stated lines round the nodes in their way; conflicts always, to be seen apart from the path against them. */
  function bendLines() {
    const spots = network.getPositions(), stated = located(lines.filter((line) => !line.far));
    const few = stated.length * shown.nodes.length < 20_000; // in a thicket nobody could tell, and it takes long
    for (const line of stated) {
      const bends = line.layer === "conflicts" ? BENDS.slice(1) : BENDS;
      const others = few ? shown.nodes.filter(({ key }) => key !== line.from && key !== line.to) : [];
      const clear = (bend) => {
        line.bend = bend;
        for (let i = 1; i < 12; i += 1) {
          const { x, y } = along(line, i / 12);
          if (others.some((node) => Math.hypot(spots[node.key].x - x, spots[node.key].y - y) < radius(node) + 6 * unit())) return false;
        }
        return true;
      };
      line.bend = bends.find(clear) ?? bends[0];
    }
  }

  function stroke(context, some, { color, width, dash = [], alpha = 1 }) {
    context.beginPath();
    for (const line of some) {
      const { p, q, bend } = line, c = bend && control(line);
      context.moveTo(p.x, p.y);
      if (bend) context.quadraticCurveTo(c.x, c.y, q.x, q.y);
      else context.lineTo(q.x, q.y);
    }
    context.strokeStyle = color;
    context.lineWidth = unit() * width;
    context.setLineDash(dash.map((part) => part * unit()));
    context.globalAlpha = alpha;
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  const look = (s, far) => ({ color: s > 0 ? palette.positive : palette.negative, dash: s > 0 ? [] : far ? [3, 4] : [8, 5] });

  network.on("beforeDrawing", (context) => {
    const kinds = new Map(), many = shown.inferred.length > 1500, seen = visible();
    const thin = Math.min(1, Math.max(0.4, Math.sqrt(200 / seen.length))); // many lines are thinner, or they run together
    stroke(context, seen.filter((line) => line.layer === "cut"), { color: palette.quiet, width: 1.2, dash: [2, 4] });
    for (const line of seen) {
      if (line.layer === "cut") continue;
      const told = lit?.halo.get(line.pair), s = told ?? line.sign; // the sign that the explanation speaks of
      const bright = !lit || lit.edges.has(line.pair) || told !== undefined, strong = line === hovered || (lit && bright && !line.far);
      const width = line.far ? (line === hovered ? 2 : 0.9 * thin)
        : strong ? 4.5 : (line.sign < 0 ? 2.2 : 2.2 * thin) + Math.min(3, Math.log2(line.count));
      const alpha = bright || line === hovered ? (line.far && !lit && many ? 0.4 : line.far ? 0.75 : 1) : lit.soft ? 0.8 : 0.16;
      const order = line.far ? 0 : line.layer === "conflicts" || told ? 2 : 1, kind = `${order} ${+bright} ${s} ${width} ${alpha}`;
      if (!kinds.has(kind)) kinds.set(kind, { some: [], width, alpha, halo: order > 1, ...look(s, line.far) });
      kinds.get(kind).some.push(line);
    }
    // Inferred beneath stated beneath conflicts, and in each the dimmed beneath the bright.
    for (const kind of [...kinds.keys()].sort()) {
      const { some, halo, ...style } = kinds.get(kind);
      if (halo) stroke(context, some, { color: palette.halo, width: style.width + 7, alpha: style.alpha });
      stroke(context, some, style);
    }
    // What the explanation adds to the picture.
    const drawn = new Set(seen.map(({ pair }) => pair));
    for (const [from, to, s] of lit?.added ?? []) {
      const line = drawn.has(pairKey(from, to)) ? [] : located([{ from, to }]);
      stroke(context, line, { color: palette.halo, width: 9 });
      stroke(context, line, { width: 2.4, ...look(s) });
    }
    // The inferred label that is being explained, whatever the layers.
    if (lit?.pair) stroke(context, located([{ from: lit.pair[0], to: lit.pair[1] }]), { width: 2.4, ...look(lit.sign, true) });
  });

  // Labels keep their size on screen and never lie on one another: what does not fit waits until one zooms in.
  const widths = new Map();
  network.on("afterDrawing", (context) => {
    const scale = network.getScale(), spots = network.getPositions(), taken = [];
    const chosen = new Set(model.get("selected"));
    const rank = (node) => (chosen.has(node.key) ? 0 : lit?.nodes.has(node.key) ? 1 : node.conflict ? 2 : node.cluster !== undefined ? 4 : 3);
    const { x: west, y: north } = network.DOMtoCanvas({ x: 2, y: 2 });
    const { x: east, y: south } = network.DOMtoCanvas({ x: canvas.clientWidth - 2, y: canvas.clientHeight - 2 });
    const inside = (x, y, w, h) => x >= west && y >= north && x + w <= east && y + h <= south;
    const free = (x, y, w, h) => inside(x, y, w, h) && !taken.some((t) => x < t.x + t.w && t.x < x + w && y < t.y + t.h && t.y < y + h);
    const size = 12 / scale, leading = 14 / scale;
    context.font = `${size}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 3 / scale;
    const write = (text, x, y, color) => {
      context.strokeStyle = paper;
      context.strokeText(text, x, y);
      context.fillStyle = color;
      context.fillText(text, x, y);
    };
    for (const line of visible()) {
      if (!line.tag && !(line.count > 1)) continue;
      const { x, y } = along(line, 0.5);
      if (!line.tag) { // how many negatives a line to a cluster stands for
        write(`${line.count}`, x, y - size / 2, palette.ink);
        continue;
      }
      const w = context.measureText(line.tag).width + 10 / scale, h = 17 / scale; // its number in the explanation
      context.fillStyle = paper;
      context.strokeStyle = palette.positive;
      context.lineWidth = 1.5 / scale;
      context.beginPath();
      context.roundRect(x - w / 2, y - h / 2, w, h, 4 / scale);
      context.fill();
      context.stroke();
      context.lineWidth = 3 / scale;
      context.fillStyle = palette.ink;
      context.fillText(line.tag, x, y - size / 2);
      taken.push({ x: x - w / 2, y: y - h / 2, w, h });
    }
    const dim = (node) => lit && !lit.soft && !lit.nodes.has(node.key) && !chosen.has(node.key); // may be written over
    const drawn = shown.nodes.filter(({ key }) => spots[key] && inside(spots[key].x, spots[key].y, 0, 0)).filter((node) => !dim(node));
    for (const node of drawn) {
      const r = radius(node);
      taken.push({ x: spots[node.key].x - r, y: spots[node.key].y - r, w: 2 * r, h: 2 * r });
    }
    for (const node of drawn.sort((a, b) => rank(a) - rank(b))) {
      const spot = spots[node.key], rows = node.label.split("\n");
      if (!widths.has(node.label)) widths.set(node.label, Math.max(...rows.map((row) => context.measureText(row).width * scale)));
      const w = widths.get(node.label) / scale, h = rows.length * leading, gap = radius(node) + 3 / scale;
      const place = [[-w / 2, gap], [-w / 2, -gap - h], [gap, -h / 2], [-gap - w, -h / 2]].find(([dx, dy]) => free(spot.x + dx, spot.y + dy, w, h));
      if (!place && !chosen.has(node.key)) continue;
      const [dx, dy] = place ?? [Math.max(west - spot.x, Math.min(-w / 2, east - spot.x - w)), gap];
      taken.push({ x: spot.x + dx, y: spot.y + dy, w, h });
      rows.forEach((row, i) => write(row, spot.x + dx + w / 2, spot.y + dy + i * leading, i && node.cluster !== undefined ? palette.quiet : palette.ink));
    }
  });

  // -- what is under the pointer -----------------------------------------------------------------------------------------
  function lineAt({ x, y }) {
    let best = null, least = GRIP / network.getScale();
    const off = (p, q) => {
      const dx = q.x - p.x, dy = q.y - p.y;
      const t = Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)));
      return Math.hypot(p.x + t * dx - x, p.y + t * dy - y);
    };
    for (const line of visible()) {
      let far = line.bend ? Infinity : off(line.p, line.q);
      for (let i = 0; line.bend && i < 16; i += 1) far = Math.min(far, off(along(line, i / 16), along(line, (i + 1) / 16))); // short lines
      if (line.layer === "conflicts") far -= 4; // the light around it is part of it
      if (far < least) [best, least] = [line, far];
    }
    return best;
  }

  /** A node or a line, or null. */
  const thingAt = (spot) => at.get(network.getNodeAt(spot)) ?? lineAt(network.DOMtoCanvas(spot));

  const short = (text) => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
  function describe(thing) {
    if (thing.key) return thing.text.length > 700 ? `${thing.text.slice(0, 700)}… (click to read on)` : thing.text;
    const what = thing.far ? `${thing.sign > 0 ? "a paraphrase" : "not a paraphrase"}, inferred at distance ${thing.far}. Click for the proof.` : thing.text;
    return [what, short(at.get(thing.from).text), short(at.get(thing.to).text)].join("\n");
  }

  function hover(thing, { x, y } = {}) {
    if (thing !== hovered) {
      hovered = thing;
      tip.textContent = thing ? describe(thing) : "";
      tip.classList.toggle("pg-shown", thing !== null);
      canvas.style.cursor = thing ? "pointer" : "";
      network.redraw();
    }
    if (!thing) return;
    tip.style.left = `${Math.max(4, Math.min(x + 14, stage.clientWidth - tip.offsetWidth - 6))}px`;
    tip.style.top = `${Math.max(4, y + 18 + tip.offsetHeight > stage.clientHeight ? y - tip.offsetHeight - 10 : y + 18)}px`;
  }
  /** Where in the canvas the pointer is. */
  function spotIn(event) {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    hover(thingAt(spotIn(event)), spotIn(event));
  });
  canvas.addEventListener("pointerleave", () => hover(null));

  // -- what a person does ---------------------------------------------------------------------------------------------
  const mark = () => network.selectNodes(model.get("selected").filter((key) => at.has(key)), false);

  network.on("click", ({ pointer, event }) => {
    focus();
    mark(); // vis-network has its own idea of what is selected; Python's stands
    const thing = hovered ?? thingAt(pointer.DOM), chosen = model.get("selected"); // what the tip named, where there is one
    if (event.tapCount > 1 && thing === clicked && shown.view !== "lab") return; // the rest of a double click
    clicked = thing;
    hover(null); // what was clicked is explained on the right
    if (!thing) return send("select", { keys: [] });
    if (!thing.key) return thing.far ? send("pair", { keys: [thing.from, thing.to] }) : send("edge", { id: thing.id });
    const { ctrlKey, metaKey, shiftKey } = event.srcEvent;
    if (!ctrlKey && !metaKey && !shiftKey) return send("select", { keys: [thing.key] });
    send("select", { keys: isChosen(thing.key) ? chosen.filter((key) => key !== thing.key) : [...chosen, thing.key] });
  });
  network.on("doubleClick", ({ pointer }) => {
    const node = at.get(network.getNodeAt(pointer.DOM));
    if (node) send("expand", { key: node.key });
  });
  network.on("dragStart", () => hover(null));
  network.on("dragEnd", ({ nodes: dragged, event }) => {
    const region = network.getSelectedNodes();
    mark();
    if (dragged.length) {
      const placed = { ...model.get("placed") };
      for (const [key, { x, y }] of Object.entries(network.getPositions(dragged))) placed[key] = [x, y];
      model.set("placed", placed);
      model.save_changes();
    } else if (event.srcEvent.shiftKey) {
      place(); // a region that began on a node has pulled it along
      send("select", { keys: region });
    } else moved = true;
  });
  canvas.addEventListener("wheel", (event) => { // alone, the wheel scrolls the notebook
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomBy(Math.exp(-event.deltaY / 400), spotIn(event));
  }, { passive: false });

  function zoomBy(factor, around = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 }) {
    const before = network.getScale(), scale = Math.min(6, Math.max(0.02, before * factor));
    const centre = network.getViewPosition(), fixed = network.DOMtoCanvas(around), left = 1 - before / scale;
    network.moveTo({ scale, position: { x: centre.x + (fixed.x - centre.x) * left, y: centre.y + (fixed.y - centre.y) * left } });
    moved = true;
    hover(null);
  }

  function fit() {
    hover(null);
    if (!shown.nodes.length || !canvas.clientWidth) return;
    // Room for the labels, which keep their size: 90 pixels on either side, 40 above and below.
    const xs = [], ys = [];
    for (const { x, y } of Object.values(network.getPositions())) { xs.push(x); ys.push(y); }
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((canvas.clientWidth - 180) / (right - left || 1), (canvas.clientHeight - 80) / (bottom - top || 1), 1.2);
    network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: Math.max(0.02, scale) });
    // vis-network leaves out what it took to be out of sight, and finds out on drawing that it is not: so twice.
    requestAnimationFrame(() => requestAnimationFrame(() => canvas.isConnected && network.redraw()));
    moved = false;
    bendLines();
  }

  // -- following Python -------------------------------------------------------------------------------------------------
  function draw() {
    const picture = model.get("picture"), same = picture.scene === shown.scene;
    shown = picture;
    hover(null);
    at = new Map(picture.nodes.map((node) => [node.key, node]));
    lines = [...picture.edges.map((edge) => ({ ...edge, pair: pairKey(edge.from, edge.to) })),
      ...picture.inferred.map(([from, to, s, far]) => ({ from, to, sign: s, far, count: 1, layer: INFERRED[s], pair: pairKey(from, to) }))];
    title.textContent = picture.title;
    canvas.setAttribute("aria-label", `Signed graph. ${picture.title}`);
    note.textContent = picture.note;
    note.hidden = !picture.note || !picture.nodes.length;
    empty.textContent = picture.nodes.length ? "" : picture.note || picture.title;
    empty.hidden = picture.nodes.length > 0;
    light();
    if (same) {
      bendLines();
      return network.redraw();
    }
    widths.clear();
    places.clear();
    place();
    fit();
    mark();
  }

  /** Nodes where Python has them, or where they were put by hand. */
  function place() {
    const placed = model.get("placed");
    places.update(shown.nodes.map(({ key, x, y }) => ({ id: key, x: placed[key]?.[0] ?? x, y: placed[key]?.[1] ?? y })));
    bendLines();
    network.redraw();
  }

  /** What the explanation speaks of stands out. */
  function light() {
    const { highlight } = model.get("why");
    lit = highlight ? { nodes: new Set(highlight.nodes), edges: new Set(highlight.edges.map(([a, b]) => pairKey(a, b))),
      halo: new Map((highlight.halo ?? []).map(([a, b, s]) => [pairKey(a, b), s])), added: highlight.halo,
      pair: highlight.pair, sign: highlight.sign, soft: highlight.soft } : null; // soft: nothing else is dimmed
    network.redraw();
  }

  /** Other layers: what was under the pointer may be gone. */
  function restrict() {
    hover(null);
    network.redraw();
  }

  /** Colours as the theme has them. */
  function dress(root) {
    paper = getComputedStyle(root).backgroundColor;
    const [r, g, b] = (paper.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
    palette = 0.3 * r + 0.6 * g + 0.1 * b < 128 ? DARK : LIGHT;
    root.classList.toggle("pg-dark", palette === DARK);
    network.redraw();
  }

  const sizes = new ResizeObserver(() => {
    network.setSize("100%", "100%");
    network.redraw();
    if (!moved) fit();
  });
  sizes.observe(stage);

  /** Where on the page a node is (by key), or a point of a line (by id, or the keys of its ends): for tests. */
  function spotOf(what, t = 0.5) {
    const line = lines.find(({ pair, id }) => (Array.isArray(what) ? pair === pairKey(...what) : id === what));
    const { left, top } = canvas.getBoundingClientRect(), spots = line ? located([line]) : network.getPositions();
    const { x, y } = network.canvasToDOM(line ? along(line, t) : spots[what]);
    return [left + x, top + y];
  }

  return { elements: [title, stage, note], network, draw, place, light, mark, restrict, dress, fit, zoomBy, spotOf, thingAt, visible, shown: () => shown.nodes, lit: () => lit,
    stop: () => { sizes.disconnect(); network.destroy(); } };
}
