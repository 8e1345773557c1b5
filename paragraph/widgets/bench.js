// A list beside a live signed graph beside an explanation. Python holds the truth; this draws it and sends intents.
// Sentences enter the document through textContent alone, and the canvas as text: nothing of theirs is ever parsed.
// `vis` (vis-network, as it ships inside pyvis) is defined above this file when the two are joined.

const PATIENCE = 6000; // milliseconds without an answer before the reader is told

const LIGHT = { positive: "#0072B2", negative: "#D55E00", halo: "#F0E442", ink: "#1D2329", paper: "#FFFFFF",
  quiet: "#59626B", node: "#FFFFFF", conflict: "#FFF6A8", chosen: "#BFE0F5", cluster: "#EEF1F4" };
const DARK = { positive: "#56B4E9", negative: "#E69F00", halo: "#7A7220", ink: "#E8EBEE", paper: "#111418",
  quiet: "#A6AFB8", node: "#2B3138", conflict: "#5B5416", chosen: "#1F5C80", cluster: "#22282E" };

const LAYERS = [
  ["positive", "+ stated", "paraphrase, stated"],
  ["negative", "− stated", "not a paraphrase, stated"],
  ["conflicts", "conflicts", "negatives inside a cluster, and pairs stated both ways"],
  ["inferred_positive", "+ inferred", "paraphrase, inferred by a path"],
  ["inferred_negative", "− inferred", "not a paraphrase, carried over from a stated negative"],
];

const KEYS = [
  ["↑ ↓", "previous, next cluster"], ["PgUp PgDn", "a page of clusters"], ["/", "search sentences"],
  ["Enter", "open the first cluster found"], ["v", "one cluster, or cluster of clusters"], ["+ − 0", "zoom in, out, show all"],
  ["1 … 5", "layers on and off"], ["Esc", "back: help, search, selection"], ["?", "this help"],
];

function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Text with the searched words marked. */
function marked(text, words) {
  const wanted = (words ?? "").split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!wanted.length) return [document.createTextNode(text)];
  return text.split(new RegExp(`(${wanted.join("|")})`, "giu"))
    .map((part, i) => (i % 2 ? make("mark", { text: part }) : document.createTextNode(part)));
}

function sentence(spans, extra = "") {
  const parts = typeof spans === "string" ? [document.createTextNode(spans)]
    : spans.map(([text, differs]) => (differs ? make("mark", { text }) : document.createTextNode(text)));
  return make("span", { class: `pg-sentence ${extra}`, dir: "auto" }, ...parts);
}

const sign = (s) => (s > 0 ? make("b", { class: "pg-plus", text: "+", title: "a paraphrase" })
  : make("b", { class: "pg-minus", text: "−", title: "not a paraphrase" }));

const rowsOf = (rows) => (rows.length ? `row${rows.length > 1 ? "s" : ""} ${rows.join(", ")}` : "");

function render({ model, el }) {
  // -- talking to Python ------------------------------------------------------------------------------------
  let sent = model.get("ack"), waiting = null;
  const send = (intent, content = {}) => {
    sent += 1;
    try {
      model.send({ intent, n: sent, ...content });
    } catch (error) {
      return complain();
    }
    clearTimeout(waiting);
    waiting = setTimeout(complain, PATIENCE);
  };
  const answered = () => {
    if (model.get("ack") < sent) return;
    clearTimeout(waiting);
    banner.hidden = true;
  };
  const complain = () => { banner.hidden = false; };

  // -- the frame ----------------------------------------------------------------------------------------------
  const banner = make("div", { class: "pg-banner", role: "alert", text:
    "Python does not answer. If it is busy, wait; if the kernel was restarted, run this cell again." });
  banner.hidden = true;
  const list = make("section", { class: "pg-list", "aria-label": "Clusters" });
  const canvas = make("div", { class: "pg-canvas" });
  const title = make("div", { class: "pg-title" });
  const bar = make("div", { class: "pg-bar" });
  const note = make("div", { class: "pg-note", "aria-live": "polite" });
  const tip = make("div", { class: "pg-tip", dir: "auto" });
  const empty = make("div", { class: "pg-empty" });
  const zoom = make("div", { class: "pg-zoom" },
    make("button", { text: "+", title: "Zoom in (+)", on: { click: () => zoomBy(1.3) } }),
    make("button", { text: "−", title: "Zoom out (−)", on: { click: () => zoomBy(1 / 1.3) } }),
    make("button", { text: "⤢", title: "Show all (0)", on: { click: () => fit() } }));
  const stage = make("div", { class: "pg-stage" }, canvas, empty, zoom, tip);
  const middle = make("section", { class: "pg-middle", "aria-label": "Picture" }, title, bar, stage, note);
  const why = make("section", { class: "pg-why", "aria-label": "Why", "aria-live": "polite" });
  const help = make("div", { class: "pg-help", role: "dialog", "aria-label": "Keys" },
    make("h3", { text: "Keys" }),
    make("dl", {}, KEYS.flatMap(([key, what]) => [make("dt", { text: key }), make("dd", { text: what })])),
    make("p", { text: "Click a sentence or a line to ask why; double click a neighbouring cluster to see its sentences; drag to arrange." }),
    make("button", { text: "Close", on: { click: () => { help.hidden = true; root.focus(); } } }));
  help.hidden = true;
  const root = make("div", { class: "pg-bench pg-bench-live", tabindex: "0", "data-lm-suppress-shortcuts": "true",
    style: `--pg-height: ${model.get("height")}px` }, banner, list, middle, why, help);
  el.append(root);
  root.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("input, select, button, summary, a, [tabindex='0']:not(.pg-bench)")) root.focus({ preventScroll: true });
  });

  // -- colours, as the theme has them ---------------------------------------------------------------------------
  const isDark = () => {
    const [r, g, b] = (getComputedStyle(root).backgroundColor.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
    return 0.3 * r + 0.6 * g + 0.1 * b < 128;
  };
  let palette = LIGHT;

  // -- left: the clusters -----------------------------------------------------------------------------------------
  const columns = [["cluster", "#", "Id: largest cluster first"], ["size", "size", "Sentences"], ["conflicts", "conf.", "Labels that contradict each other"],
    ["negatives", "neg.", "Stated negatives to other clusters"], ["density", "dens.", "Share of its pairs stated positive"]];
  const search = make("input", { type: "search", class: "pg-search", placeholder: "Search sentences ( / )", "aria-label": "Search sentences" });
  let typing = null;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => send("query", { words: search.value }), 150);
  });
  const bound = (name, side, step) => {
    const input = make("input", { type: "number", min: 0, step, "aria-label": `${side} ${name}`, placeholder: side === "least" ? "from" : "to",
      "data-bound": `${name}-${side}` });
    input.addEventListener("change", () => send("query", { bound: { name, side, value: input.value === "" ? null : Number(input.value) } }));
    return input;
  };
  const kinds = make("select", { "aria-label": "Kind of conflict" }, ["any", "within", "direct", "none"].map((kind) => make("option", { text: kind })));
  kinds.addEventListener("change", () => send("query", { kind: kinds.value }));
  const filters = make("details", { class: "pg-filters" }, make("summary", { text: "Filter" }),
    make("div", { class: "pg-grid" },
      [["size", 1], ["conflicts", 1], ["negatives", 1], ["density", 0.05]].flatMap(([name, step]) =>
        [make("span", { text: name }), bound(name, "least", step), bound(name, "most", step)]),
      make("span", { text: "conflict" }), kinds,
      make("button", { text: "Reset", on: { click: () => send("query", { reset: true }) } })));
  const surprises = make("select", { "aria-label": "Surprise me by" },
    [["size", "a large one"], ["density", "a loose one"], ["conflict", "one with a conflict"]].map(([value, text]) => make("option", { value, text })));
  const surprise = make("div", { class: "pg-surprise" },
    make("button", { text: "Surprise me", on: { click: () => send("surprise", { by: surprises.value }) } }), surprises);
  const found = make("div", { class: "pg-found" });
  const head = make("div", { class: "pg-row pg-head", role: "row" }, columns.map(([name, text, hint]) =>
    make("button", { text, title: `${hint}. Click to sort.`, "data-sort": name, on: { click: () => send("query", { sort: name }) } })));
  const rows = make("div", { class: "pg-rows", role: "listbox", "aria-label": "Clusters" });
  const pager = make("div", { class: "pg-pager" });
  list.append(search, filters, surprise, found, head, rows, pager);

  function drawList() {
    const state = model.get("listing");
    if (!state.rows) { list.hidden = true; return; }
    list.hidden = false;
    if (document.activeElement !== search) search.value = state.words;
    kinds.value = state.kind;
    for (const input of filters.querySelectorAll("[data-bound]")) {
      const [name, side] = input.dataset.bound.split("-");
      const value = (state.bounds[name] ?? [null, null])[side === "least" ? 0 : 1];
      if (document.activeElement !== input) input.value = value ?? "";
    }
    for (const button of head.children) {
      const active = button.dataset.sort === state.sort;
      button.classList.toggle("pg-sorted", active);
      button.textContent = columns.find(([name]) => name === button.dataset.sort)[1] + (active ? (state.descending ? " ↓" : " ↑") : "");
    }
    found.textContent = state.total ? `${state.total.toLocaleString()} cluster${state.total > 1 ? "s" : ""}`
      : state.any ? "No cluster answers this. Reset the filter, or search for fewer words." : "The graph has no clusters.";
    rows.replaceChildren(...state.rows.map((row) => make("button", {
      class: `pg-row pg-item${row.cluster === state.current ? " pg-current" : ""}`, role: "option", tabindex: -1,
      "aria-selected": row.cluster === state.current ? "true" : "false", "data-cluster": row.cluster, title: row.text,
      on: { click: () => { root.focus({ preventScroll: true }); send("open", { cluster: row.cluster }); } },
    },
    make("span", { text: row.cluster }), make("span", { text: row.size.toLocaleString() }),
    make("span", { class: row.conflicts ? "pg-hot" : "", text: row.conflicts || "·" }), make("span", { text: row.negatives || "·" }),
    make("span", { text: row.density.toFixed(2) }),
    make("span", { class: "pg-example", dir: "auto" }, ...marked(row.text, state.words)),
    row.hits > 1 ? make("i", { text: `and ${row.hits - 1} more found in it` }) : null)));
    rows.querySelector(".pg-current")?.scrollIntoView({ block: "nearest" });
    pager.replaceChildren(
      make("button", { text: "‹", title: "Previous page", disabled: state.page <= 0, on: { click: () => send("page", { page: state.page - 1 }) } }),
      make("span", { text: state.pages ? `page ${state.page + 1} of ${state.pages.toLocaleString()}` : "" }),
      make("button", { text: "›", title: "Next page", disabled: state.page + 1 >= state.pages, on: { click: () => send("page", { page: state.page + 1 }) } }));
    pager.hidden = state.pages < 2;
  }

  function step(by) {
    const state = model.get("listing");
    if (!state.rows?.length) return;
    const at = state.rows.findIndex((row) => row.cluster === state.current);
    const next = at < 0 ? (by > 0 ? 0 : state.rows.length - 1) : at + by;
    if (next >= 0 && next < state.rows.length) send("open", { cluster: state.rows[next].cluster });
    else if (next < 0 && state.page > 0) send("page", { page: state.page - 1, open: "last" });
    else if (next >= state.rows.length && state.page + 1 < state.pages) send("page", { page: state.page + 1, open: "first" });
  }

  // -- middle: layers, views ------------------------------------------------------------------------------------
  const boxes = LAYERS.map(([name, text, hint], i) => {
    const box = make("input", { type: "checkbox", "data-layer": name });
    box.addEventListener("change", () => setLayers({ [name]: box.checked }));
    return make("label", { title: `${hint} (${i + 1})`, class: `pg-layer pg-${name}` }, box, make("i", { "aria-hidden": "true" }), make("span", { text }));
  });
  const reach = make("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "Distance of inferred labels" });
  const reachText = make("span", { class: "pg-reach-text" });
  reach.addEventListener("input", () => { reachText.textContent = `≤ ${reach.value}`; });
  reach.addEventListener("change", () => setLayers({ distance: Number(reach.value) }));
  const reachLabel = make("label", { class: "pg-reach", title: "Show inferred labels up to this distance" }, make("span", { text: "distance" }), reach, reachText);
  const views = ["cluster", "clusters"].map((view) => make("button", { "data-view": view,
    text: view === "cluster" ? "one cluster" : "cluster of clusters", on: { click: () => send("view", { view }) } }));
  bar.append(make("div", { class: "pg-views", role: "group" }, views), ...boxes, reachLabel,
    make("button", { class: "pg-ask", text: "?", title: "Keys (?)", on: { click: () => { help.hidden = !help.hidden; } } }));

  function setLayers(change) {
    // Drawn at once from what is here; Python adds the inferred labels it had not yet sent.
    model.set("layers", { ...model.get("layers"), ...change });
    model.save_changes();
    send("layers", { layers: model.get("layers") });
  }

  // -- middle: the picture ----------------------------------------------------------------------------------------
  const nodes = new vis.DataSet(), edges = new vis.DataSet();
  let shown = { nodes: [], edges: [], inferred: [] }, at = new Map(), lit = null;
  let unit = 1; // how much larger things are drawn so that they look the same when a large picture is shown whole
  const network = new vis.Network(canvas, { nodes, edges }, {
    physics: false, layout: { improvedLayout: false },
    interaction: { hover: true, zoomView: false, multiselect: true, hideEdgesOnDrag: false, keyboard: false },
    nodes: { shape: "dot" },
    edges: { smooth: false, selectionWidth: 1, hoverWidth: 0.6 },
  });

  const dim = (color, keep) => (keep ? color : `${color}2E`);
  const isLit = (edge) => !lit || lit.edges.has(edge.from < edge.to ? `${edge.from} ${edge.to}` : `${edge.to} ${edge.from}`);

  function nodeStyle(node) {
    const chosen = model.get("selected").includes(node.key);
    const bright = !lit || lit.nodes.has(node.key);
    const fill = chosen ? palette.chosen : node.conflict ? palette.conflict : node.cluster === undefined ? palette.node : palette.cluster;
    const [x, y] = model.get("placed")[node.key] ?? [node.x, node.y];
    const size = node.cluster === undefined ? 8 : Math.min(34, 7 + 3 * Math.sqrt(node.size));
    return { id: node.key, x, y, size: size * unit,
      borderWidth: unit * (chosen ? 2.6 : 1.2), borderWidthSelected: unit * 3,
      shapeProperties: { borderDashes: node.cluster === undefined ? false : [4 * unit, 3 * unit] },
      color: { background: bright ? fill : palette.paper, border: dim(palette.ink, bright),
        highlight: { background: palette.chosen, border: palette.ink }, hover: { background: fill, border: palette.ink } } };
  }

  function edgeStyle(edge) {
    const layers = model.get("layers");
    const color = edge.sign > 0 ? palette.positive : palette.negative;
    const bright = isLit(edge);
    const width = lit && bright ? 4.5 : 2.2 + (edge.count > 1 ? Math.min(3, Math.log2(edge.count)) : 0);
    return { id: edge.id, from: edge.from, to: edge.to, hidden: !layers[edge.layer], width: unit * width,
      dashes: edge.sign > 0 ? false : [8 * unit, 5 * unit],
      color: { color: dim(color, bright), highlight: color, hover: color, inherit: false },
      background: { enabled: edge.layer === "conflicts", color: palette.halo, size: 9 * unit },
      // vis-network gives only curves a background; two labels on one pair of nodes must not hide each other either.
      smooth: edge.layer === "conflicts" ? { enabled: true, type: "curvedCW", roundness: 0.12 } : false };
  }

  function restyle() {
    nodes.update(shown.nodes.map(nodeStyle));
    edges.update(shown.edges.map(edgeStyle));
    network.redraw();
  }

  // Inferred labels can be thousands: they are drawn in two strokes beneath everything, not kept as edges.
  network.on("beforeDrawing", (context) => {
    const layers = model.get("layers"), spots = network.getPositions();
    for (const s of [1, -1]) {
      if (!layers[s > 0 ? "inferred_positive" : "inferred_negative"]) continue;
      context.beginPath();
      for (const [a, b, sign, far] of shown.inferred) {
        if (sign !== s || far > layers.distance) continue;
        const from = spots[a], to = spots[b];
        if (!from || !to) continue;
        context.moveTo(from.x, from.y);
        context.lineTo(to.x, to.y);
      }
      context.setLineDash(s > 0 ? [] : [3, 4]);
      context.lineWidth = 0.9;
      context.globalAlpha = lit ? 0.15 : shown.inferred.length > 1500 ? 0.35 : 0.7;
      context.strokeStyle = s > 0 ? palette.positive : palette.negative;
      context.stroke();
    }
    context.globalAlpha = 1;
    context.setLineDash([]);
    if (lit?.pair && spots[lit.pair[0]] && spots[lit.pair[1]]) { // the inferred label that is being explained
      const [from, to] = lit.pair.map((key) => spots[key]);
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.setLineDash(lit.sign > 0 ? [2, 0] : [3, 4]);
      context.lineWidth = 2.5;
      context.strokeStyle = lit.sign > 0 ? palette.positive : palette.negative;
      context.stroke();
      context.setLineDash([]);
    }
  });

  // Labels keep their size on screen and never lie on one another: what does not fit waits until one zooms in.
  const measure = new Map();
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
      context.strokeStyle = palette.paper;
      context.strokeText(text, x, y);
      context.fillStyle = color;
      context.fillText(text, x, y);
    };
    for (const edge of shown.edges) { // counts of what a line to a cluster stands for
      if (!(edge.count > 1) || !model.get("layers")[edge.layer] || !spots[edge.from] || !spots[edge.to]) continue;
      const [from, to] = [spots[edge.from], spots[edge.to]];
      write(`${edge.count}`, (from.x + to.x) / 2, (from.y + to.y) / 2 - size / 2, palette.negative);
    }
    for (const node of shown.nodes) {
      const spot = spots[node.key], r = nodes.get(node.key)?.size ?? 8;
      if (spot) taken.push({ x: spot.x - r, y: spot.y - r, w: 2 * r, h: 2 * r, key: node.key });
    }
    for (const node of [...shown.nodes].sort((a, b) => rank(a) - rank(b))) {
      if (lit && !lit.nodes.has(node.key) && !chosen.has(node.key)) continue;
      const spot = spots[node.key], lines = node.label.split("\n");
      if (!spot) continue;
      if (!measure.has(node.label)) measure.set(node.label, Math.max(...lines.map((line) => context.measureText(line).width * scale)));
      const w = measure.get(node.label) / scale, h = lines.length * leading, gap = (nodes.get(node.key)?.size ?? 8) + 3 / scale;
      const place = [[-w / 2, gap], [-w / 2, -gap - h], [gap, -h / 2], [-gap - w, -h / 2]].find(([dx, dy]) => free(spot.x + dx, spot.y + dy, w, h));
      if (!place && !chosen.has(node.key)) continue;
      const [dx, dy] = place ?? [Math.max(west - spot.x, Math.min(-w / 2, east - spot.x - w)), gap];
      taken.push({ x: spot.x + dx, y: spot.y + dy, w, h });
      lines.forEach((line, i) => write(line, spot.x + dx + w / 2, spot.y + dy + i * leading, i && node.cluster !== undefined ? palette.quiet : palette.ink));
    }
  });

  function inferredAt({ x, y }) {
    const layers = model.get("layers"), spots = network.getPositions();
    const near = 6 / network.getScale();
    let best = null, least = near;
    for (const [a, b, sign, far] of shown.inferred) {
      if (!layers[sign > 0 ? "inferred_positive" : "inferred_negative"] || far > layers.distance || !spots[a] || !spots[b]) continue;
      const p = spots[a], q = spots[b], dx = q.x - p.x, dy = q.y - p.y;
      const t = Math.max(0, Math.min(1, ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy || 1)));
      const off = Math.hypot(p.x + t * dx - x, p.y + t * dy - y);
      if (off < least) { least = off; best = [a, b]; }
    }
    return best;
  }

  const fit = () => {
    if (!shown.nodes.length) return;
    // Room for the labels, which keep their size: 150 pixels on either side, 40 above and below.
    const xs = [], ys = [];
    for (const { x, y } of Object.values(network.getPositions())) { xs.push(x); ys.push(y); }
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((canvas.clientWidth - 200) / (right - left || 1), (canvas.clientHeight - 90) / (bottom - top || 1), 1.2);
    network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: Math.max(0.02, scale) });
  };
  const zoomBy = (factor) => network.moveTo({ scale: Math.min(6, Math.max(0.02, network.getScale() * factor)) });

  function drawPicture() {
    const picture = model.get("picture");
    const same = picture.scene === shown.scene;
    shown = picture;
    at = new Map(picture.nodes.map((node) => [node.key, node]));
    title.textContent = picture.title;
    note.textContent = picture.note;
    note.hidden = !picture.note;
    empty.textContent = picture.nodes.length ? "" : picture.title;
    empty.hidden = picture.nodes.length > 0;
    for (const button of views) button.setAttribute("aria-pressed", button.dataset.view === picture.view ? "true" : "false");
    reach.max = Math.max(1, picture.farthest);
    drawLayers();
    light();
    if (same) { restyle(); return; }
    const xs = picture.nodes.map(({ x }) => x), ys = picture.nodes.map(({ y }) => y);
    const wide = Math.max(...xs) - Math.min(...xs) + 330, tall = Math.max(...ys) - Math.min(...ys) + 130;
    unit = Math.min(3, Math.max(1, 0.65 / Math.min(canvas.clientWidth / wide, canvas.clientHeight / tall, 1.2)));
    measure.clear();
    edges.clear();
    nodes.clear();
    nodes.add(picture.nodes.map(nodeStyle));
    edges.add(picture.edges.map(edgeStyle));
    fit();
    mark();
    root.dataset.scene = picture.scene; // what is on screen, for whoever tests or measures
  }

  function drawLayers() {
    const layers = model.get("layers");
    for (const box of bar.querySelectorAll("[data-layer]")) box.checked = !!layers[box.dataset.layer];
    reach.value = layers.distance;
    reachText.textContent = `≤ ${layers.distance}`;
    reachLabel.hidden = !(layers.inferred_positive || layers.inferred_negative);
  }

  function light() {
    const { highlight } = model.get("why");
    lit = highlight ? { nodes: new Set(highlight.nodes), edges: new Set(highlight.edges.map(([a, b]) => (a < b ? `${a} ${b}` : `${b} ${a}`))),
      pair: highlight.pair, sign: highlight.sign } : null;
  }

  function mark() {
    const keys = model.get("selected").filter((key) => at.has(key));
    network.selectNodes(keys, false);
  }

  network.on("click", ({ nodes: picked, edges: lines, pointer, event }) => {
    root.focus({ preventScroll: true });
    if (picked.length) {
      const many = event.srcEvent?.ctrlKey || event.srcEvent?.metaKey || event.srcEvent?.shiftKey;
      return send("select", { keys: many ? network.getSelectedNodes() : [picked[0]] });
    }
    if (lines.length) return send("edge", { id: lines[0] });
    const pair = inferredAt(pointer.canvas);
    if (pair) return send("pair", { keys: pair });
    send("select", { keys: [] });
  });
  network.on("doubleClick", ({ nodes: picked }) => {
    const node = at.get(picked[0]);
    if (node) send("expand", { key: node.key });
  });
  network.on("dragEnd", ({ nodes: moved }) => {
    if (!moved.length) return;
    const spots = network.getPositions(moved);
    const positions = { ...model.get("placed") };
    for (const [key, { x, y }] of Object.entries(spots)) positions[key] = [x, y];
    model.set("placed", positions);
    model.save_changes();
  });

  const showTip = (text, { x, y }) => {
    tip.textContent = text.length > 700 ? `${text.slice(0, 700)}… (click to read on)` : text;
    tip.classList.add("pg-shown");
    const box = stage.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, box.width - tip.offsetWidth - 6))}px`;
    tip.style.top = `${Math.max(4, y + 18 + tip.offsetHeight > box.height ? y - tip.offsetHeight - 10 : y + 18)}px`;
  };
  const hideTip = () => tip.classList.remove("pg-shown");
  network.on("hoverNode", ({ node, pointer }) => at.has(node) && showTip(at.get(node).text, pointer.DOM));
  network.on("hoverEdge", ({ edge, pointer }) => {
    const known = shown.edges.find(({ id }) => id === edge);
    if (known) showTip(known.text, pointer.DOM);
  });
  for (const event of ["blurNode", "blurEdge", "dragStart", "zoom"]) network.on(event, hideTip);

  // -- right: why ---------------------------------------------------------------------------------------------------
  function go(key, text, extra) {
    const button = make("button", { class: `pg-go ${extra ?? ""}`, dir: "auto", title: "Show in the picture" }, text);
    button.addEventListener("click", () => send("show", { key }));
    return button;
  }

  function drawWhy() {
    const state = model.get("why");
    const parts = [make("h3", { text: state.title ?? "Why?" })];
    if (state.badge) parts.push(make("span", { class: `pg-badge pg-badge-${state.badge}`, text: state.badge }));
    if (state.text) parts.push(make("p", { text: state.text }));
    if (state.pair) {
      parts.push(make("div", { class: "pg-pair" }, state.pair.map((spans, i) =>
        make("div", {}, go(state.keys[i], sentence(spans))))));
    }
    if (state.sentence) parts.push(make("p", {}, sentence(state.sentence, "pg-whole")));
    if (state.facts?.length) {
      parts.push(make("dl", { class: "pg-facts" }, state.facts.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })])));
    }
    if (state.action) parts.push(make("button", { class: "pg-action", text: state.action.text, on: { click: () => send(state.action.intent, state.action.content) } }));
    if (state.steps?.length) {
      parts.push(make("h4", { text: state.steps_title }), make("ol", { class: "pg-steps" }, state.steps.map((one) => make("li", {},
        sign(one.sign), make("div", {}, go(one.keys[0], sentence(one.texts[0])), go(one.keys[1], sentence(one.texts[1])),
          make("small", { text: rowsOf(one.rows) }))))));
    }
    if (state.pairs?.length) {
      parts.push(make("h4", { text: state.pairs_title }), make("ul", { class: "pg-pairs" }, state.pairs.map((one) => make("li", { class: one.conflict ? "pg-conflict" : "" },
        sign(one.sign), make("div", {}, ...one.texts.map((text, i) => go(one.keys[i], sentence(text))), make("small", { text: rowsOf(one.rows) }))))));
    }
    if (state.rows?.length) {
      parts.push(make("h4", { text: state.rows_title ?? "Rows" }), make("table", { class: "pg-table" },
        make("thead", {}, make("tr", {}, ["row", "label", "pair"].map((text) => make("th", { text })))),
        make("tbody", {}, state.rows.map((row) => make("tr", {}, make("td", { text: row.row }), make("td", { text: row.label }),
          make("td", {}, sentence(row.texts[0]), make("br"), sentence(row.texts[1])))))));
    }
    if (state.note) parts.push(make("p", { class: "pg-small", text: state.note }));
    why.replaceChildren(...parts);
    why.scrollTop = 0;
    root.dataset.why = state.n ?? "";
    light();
    if (shown.nodes.length) restyle();
  }

  // -- keys -----------------------------------------------------------------------------------------------------------
  root.addEventListener("keydown", (event) => {
    const inField = event.target.closest("input, select, textarea");
    if (event.key === "Escape") {
      if (!help.hidden) help.hidden = true;
      else if (search.value && (inField === search || model.get("listing").words)) { search.value = ""; send("query", { words: "" }); }
      else send("select", { keys: [] });
      root.focus({ preventScroll: true });
    } else if (inField) {
      if (inField === search && (event.key === "Enter" || event.key === "ArrowDown")) {
        const first = model.get("listing").rows?.[0];
        root.focus({ preventScroll: true });
        if (first) send("open", { cluster: first.cluster });
      } else { event.stopPropagation(); return; }
    } else if (event.ctrlKey || event.metaKey || event.altKey) { return;
    } else if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "PageDown" || event.key === "PageUp") {
      const state = model.get("listing"), page = state.page + (event.key === "PageDown" ? 1 : -1);
      if (page >= 0 && page < state.pages) send("page", { page });
    } else if (event.key === "/") search.focus();
    else if (event.key === "?") help.hidden = !help.hidden;
    else if (event.key === "v") send("view", { view: shown.view === "cluster" ? "clusters" : "cluster" });
    else if (event.key === "+" || event.key === "=") zoomBy(1.3);
    else if (event.key === "-") zoomBy(1 / 1.3);
    else if (event.key === "0") fit();
    else if (/^[1-5]$/.test(event.key)) { const [name] = LAYERS[event.key - 1]; setLayers({ [name]: !model.get("layers")[name] }); }
    else if (["Enter", " "].includes(event.key) && event.target !== root) return; // a button's own business
    else { event.stopPropagation(); return; }
    event.preventDefault();
    event.stopPropagation();
  });

  // -- following Python -----------------------------------------------------------------------------------------------
  const follow = {
    "change:ack": answered, "change:listing": drawList, "change:picture": drawPicture, "change:why": drawWhy,
    "change:layers": () => { drawLayers(); restyle(); }, "change:placed": () => { if (shown.nodes.length) restyle(); },
    "change:selected": () => { mark(); restyle(); },
    "comm_live_update": () => { if (model.comm_live === false) complain(); },
  };
  for (const [event, call] of Object.entries(follow)) model.on(event, call);
  const dress = () => {
    palette = isDark() ? DARK : LIGHT;
    root.classList.toggle("pg-dark", palette === DARK);
    for (const name of ["positive", "negative", "halo"]) root.style.setProperty(`--pg-${name}`, palette[name]);
    restyle();
  };
  const themes = new MutationObserver(() => setTimeout(dress, 50));
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const sizes = new ResizeObserver(() => { network.setSize("100%", "100%"); network.redraw(); fit(); });
  sizes.observe(stage);
  const shape = new ResizeObserver(() => root.classList.toggle("pg-narrow", root.clientWidth > 0 && root.clientWidth < 820));
  shape.observe(root);
  drawList();
  drawPicture();
  drawWhy();
  requestAnimationFrame(dress);
  send("ready");

  return () => {
    for (const [event, call] of Object.entries(follow)) model.off(event, call);
    clearTimeout(waiting);
    clearTimeout(typing);
    themes.disconnect();
    sizes.disconnect();
    shape.disconnect();
    network.destroy();
  };
}

export default { render };
