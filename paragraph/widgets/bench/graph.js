// The picture as nodes and lines. vis-network keeps where things stand (pan, zoom, drag); how they look is drawn here, so
// that thousands of lines cost one stroke a kind, stay as thick on the screen at any scale, and all answer a click.

const GRIP = 6; // pixels around a line, or from the middle of a small node, that still count as on it
const SMALLEST = 0.55; // nodes and lines shrink with the picture, but not below this share of their size,
const LARGEST = 1.25; // and do not grow beyond this one
const BENDS = [0, 0.12, -0.12, 0.2, -0.2, 0.3, -0.3]; // a line takes the first with which it passes no node it does not join
const LARGEST_NAMED = 5; // of a cluster of clusters, which have their name at any cost
const FEW = 120; // nodes, of which each is large enough for its number

/** The graph of a `scene` (see picture.js); `on` answers what a person does: hover, select, line, expand, placed. */
function graphView({ model, scene, focus, on }) {
  const canvas = make("div", { class: "pg-canvas", role: "img" });
  const places = new vis.DataSet();
  let moved = false; // has a person zoomed or panned? Then the picture is not shown whole again when its frame changes
  let labels = new Map(), labelled = ""; // where labels were put, and for which picture
  const network = new vis.Network(canvas, { nodes: places, edges: new vis.DataSet() }, {
    physics: false, layout: { improvedLayout: false },
    interaction: { zoomView: false, multiselect: true, keyboard: false },
    nodes: { shape: "custom", ctxRenderer: ({ ctx, id, x, y }) => {
      const node = scene.at.get(id), r = node ? radius(node) : 0, grip = Math.max(r, GRIP / network.getScale());
      return { drawNode: () => node && drawNode(ctx, node, x, y, r), nodeDimensions: { width: 2 * grip, height: 2 * grip } };
    } },
  });
  canvas.firstChild.tabIndex = -1; // the bench has the keys, not the canvas in it

  // -- how things look ------------------------------------------------------------------------------------------------
  const unit = () => { const scale = network.getScale(); return Math.min(Math.max(1, SMALLEST / scale), LARGEST / scale); };
  function radius(node) {
    const share = scene.look.size?.of?.[node.key];
    const least = numbered(node) ? 8.5 / network.getScale() : 0;
    if (share !== undefined) return (least || 4 * unit()) + unit() * 11 * shareOf(scene.look.size, share);
    return Math.max(least, unit() * (node.cluster === undefined ? 9 : Math.min(34, 7 + 3 * Math.sqrt(node.size))));
  }
  const numbered = (node) => node.number !== undefined && scene.nodes.length <= FEW;
  const stands = (key) => !scene.lit || scene.lit.soft || scene.lit.nodes.has(key) || scene.isChosen(key) || scene.pointed.includes(key);

  function drawNode(context, node, x, y, r) {
    const { palette } = scene, closed = node.cluster !== undefined, chosen = scene.isChosen(node.key), pointed = scene.pointed.includes(node.key);
    const shade = shadeOf(scene.look.color, node.key) ?? (node.camp >= 0 ? CAMPS[node.camp % CAMPS.length] : null);
    const ring = (width, color, far = 0) => {
      context.beginPath();
      context.arc(x, y, r + far * unit(), 0, 2 * Math.PI);
      context.lineWidth = unit() * width;
      context.strokeStyle = color;
      context.stroke();
    };
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fillStyle = scene.paper; // no line is seen through a dimmed node
    context.fill();
    context.globalAlpha = stands(node.key) ? 1 : 0.55;
    const fill = chosen ? palette.chosen : shade ?? (node.conflict ? palette.conflict : closed ? palette.cluster : palette.node);
    context.fillStyle = fill;
    context.fill();
    context.setLineDash(closed ? [4 * unit(), 3 * unit()] : []);
    ring(chosen || scene.hovered?.key === node.key ? 2.8 : 1.3, palette.ink);
    context.setLineDash([]);
    if (scene.hits.has(node.key)) ring(2.6, palette.hit, 3.2);
    if (pointed) ring(3, palette.pointed, 6);
    if (numbered(node)) {
      context.font = `600 ${Math.min(1.15 * r, 12 / network.getScale()) / (node.number > 99 ? 1.35 : 1)}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = shade && !chosen ? inkOn(shade) : palette.ink;
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
  const visible = () => located(scene.visible());

  const control = ({ p, q, bend = 0 }) => ({ x: (p.x + q.x) / 2 + bend * (p.y - q.y), y: (p.y + q.y) / 2 + bend * (q.x - p.x) });
  /** The point of a line at a share t of its way. */
  const along = (line, t) => {
    const { p, q } = line, c = control(line), [u, v, w] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return { x: u * p.x + v * c.x + w * q.x, y: u * p.y + v * c.y + w * q.y };
  };

  /** Bend stated lines round the nodes in their way; conflicts always, to be seen apart from the path against them. */
  function bendLines() {
    labelled = "";
    const spots = network.getPositions(), stated = located(scene.lines.filter((line) => !line.far));
    const few = stated.length * scene.nodes.length < 20_000; // in a thicket nobody could tell, and it takes long
    for (const line of stated) {
      const bends = line.layer === "conflicts" ? BENDS.slice(1) : BENDS;
      const others = few ? scene.nodes.filter(({ key }) => key !== line.from && key !== line.to) : [];
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

  const look = (s, far) => ({ color: s > 0 ? scene.palette.positive : scene.palette.negative, dash: s > 0 ? [] : far ? [3, 4] : [8, 5] });

  /** The communities of open clusters, as soft grounds. */
  function drawHulls(context) {
    const spots = network.getPositions(), groups = {};
    for (const node of scene.nodes) if (node.parts > 1) (groups[`${node.home} ${node.group}`] ??= []).push(node);
    for (const nodes of Object.values(groups)) {
      if (nodes.length < 3) continue;
      const points = hull(nodes.map(({ key }) => spots[key]).filter(Boolean));
      context.beginPath();
      for (const { x, y } of points) context.lineTo(x, y);
      context.closePath();
      context.lineJoin = "round";
      context.lineWidth = 44 * unit();
      context.fillStyle = context.strokeStyle = mix(CAMPS[nodes[0].group % CAMPS.length], scene.paper, 0.14);
      context.stroke();
      context.fill();
    }
  }

  network.on("beforeDrawing", (context) => {
    const { lit, hovered, palette } = scene;
    drawHulls(context);
    const kinds = new Map(), seen = visible(), many = seen.length > 1500;
    const thin = Math.min(1, Math.max(0.4, Math.sqrt(200 / seen.length))); // many lines are thinner, or they run together
    stroke(context, seen.filter((line) => line.layer === "cut"), { color: palette.quiet, width: 1.2, dash: [2, 4] });
    for (const line of seen) {
      if (line.layer === "cut") continue;
      const bright = !lit || lit.edges.has(line.pair), strong = line === hovered || (lit && bright && !line.far);
      const width = line.far ? (line === hovered ? 2 : 0.9 * thin)
        : strong ? 4.5 : (line.sign < 0 ? 2.2 : 2.2 * thin) + Math.min(3, Math.log2(line.count));
      const alpha = bright || line === hovered ? (line.far && !lit && many ? 0.4 : line.far ? 0.75 : 1) : lit.soft ? 0.8 : 0.35;
      const order = line.far ? 0 : line.layer === "conflicts" ? 2 : 1, kind = `${order} ${+bright} ${line.sign} ${width} ${alpha}`;
      if (!kinds.has(kind)) kinds.set(kind, { some: [], width, alpha, halo: order > 1, ...look(line.sign, line.far) });
      kinds.get(kind).some.push(line);
    }
    // Inferred beneath stated beneath conflicts, and in each the dimmed beneath the bright.
    for (const kind of [...kinds.keys()].sort()) {
      const { some, halo, ...style } = kinds.get(kind);
      if (halo) stroke(context, some, { color: palette.halo, width: style.width + 7, alpha: style.alpha });
      stroke(context, some, style);
    }
    // The inferred label that is being explained, whatever the layers.
    if (lit?.pair) stroke(context, located([{ from: lit.pair[0], to: lit.pair[1] }]), { width: 2.4, ...look(lit.sign, true) });
  });

  // -- labels: as large on screen at any scale -------------------------------------------------------------------------
  const widths = new Map(), FONT = 'px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
  const rank = ({ key, conflict, cluster, size }) => (scene.isChosen(key) ? -4e9 : scene.pointed.includes(key) ? -3e9 : scene.lit?.nodes.has(key) ? -2e9
    : scene.hits.has(key) ? -1e9 : cluster !== undefined ? 2e9 - size : conflict ? 0 : 1e9);

  function widthOf(context, rows, scale) {
    const key = rows.join("\n");
    if (!widths.has(key)) widths.set(key, Math.max(...rows.map((row) => context.measureText(row).width * scale)));
    return widths.get(key);
  }

  /** Where labels go: by key, the upper left corner on screen. */
  function putLabels(context, spots, scale) {
    const { x, y } = network.getViewPosition(), { chosen, lit, look: { labels: share = 100 } } = scene;
    const now = [scale, x, y, canvas.clientWidth, canvas.clientHeight, scene.version, chosen, scene.pointed, lit?.n, share].join();
    if (now === labelled) return;
    labelled = now;
    labels = new Map();
    const grid = labelGrid(canvas.clientWidth, canvas.clientHeight), onScreen = (spot) => network.canvasToDOM(spot);
    for (const line of visible()) {
      const bent = line.bend ? [0, 0.2, 0.4, 0.6, 0.8, 1] : [0, 1];
      grid.line(line.from, line.to, bent.map((t) => onScreen(along(line, t))));
      if (line.tag || line.count > 1) { const at = onScreen(along(line, 0.5)); grid.block(at.x - 10, at.y - 9, 20, 18); }
    }
    const drawn = scene.nodes.filter(({ key }) => spots[key]).map((node) => ({ node, ...onScreen(spots[node.key]), r: radius(node) * scale }))
      .filter((one) => one.x > 0 && one.y > 0 && one.x < canvas.clientWidth && one.y < canvas.clientHeight);
    for (const { x: left, y: top, r } of drawn) grid.block(left - r, top - r, 2 * r, 2 * r);
    drawn.sort((a, b) => rank(a.node) - rank(b.node));
    const closed = scene.nodes.length && scene.nodes.every(({ cluster }) => cluster !== undefined); // a cluster of clusters
    const largest = new Set(closed ? drawn.slice(0, LARGEST_NAMED).filter(({ node }) => node.size > 1).map(({ node }) => node.key) : []);
    for (const one of drawn) {
      const { node } = one, asked = rank(node) < 0 ? "always" : largest.has(node.key);
      if (!stands(node.key)) continue;
      const rows = node.label.split("\n"), sets = rows.length > 1 ? [rows, [node.cluster === undefined ? `${rows[0]}…` : rows[0]]] : [rows];
      const found = grid.place(node.key, one.x, one.y, one.r, sets.map((some) => ({ w: widthOf(context, some, scale), h: some.length * 14 })), asked);
      if (!found) continue;
      const { box: { w, h }, left, top, free } = found; // what hides something is written on its own ground
      labels.set(node.key, { rows: sets[h > 14 ? 0 : sets.length - 1], w, h, left, top, free, quiet: node.cluster !== undefined, asked });
    }
    const most = Math.ceil((share / 100) * labels.size); // of those that fit, the first
    labels = new Map([...labels].filter(([, { asked }], i) => asked || i < most));
  }

  network.on("afterDrawing", (context) => {
    const scale = network.getScale(), spots = network.getPositions(), { palette, paper } = scene;
    const size = 12 / scale;
    context.font = `${size}${FONT}`;
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
    }
    putLabels(context, spots, scale);
    for (const { rows, left, top, w, h, free, quiet } of labels.values()) {
      const { x, y } = network.DOMtoCanvas({ x: left + w / 2, y: top });
      if (!free) {
        context.fillStyle = paper;
        context.fillRect(x - w / 2 / scale, y, w / scale, h / scale);
      }
      rows.forEach((row, i) => write(row, x, y + (i * 14) / scale, quiet ? palette.quiet : palette.ink));
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
  const thingAt = (spot) => scene.at.get(network.getNodeAt(spot)) ?? lineAt(network.DOMtoCanvas(spot));

  // -- what a person does ---------------------------------------------------------------------------------------------
  const mark = () => network.selectNodes(scene.chosen.filter((key) => scene.at.has(key)), false);
  let clicked = null;

  network.on("click", ({ pointer, event }) => {
    focus();
    mark(); // vis-network has its own idea of what is selected; Python's stands
    const thing = scene.hovered ?? thingAt(pointer.DOM); // what the tip named, where there is one
    if (event.tapCount > 1 && thing === clicked) return; // the rest of a double click
    clicked = thing;
    on.click(thing, event.srcEvent);
  });
  network.on("doubleClick", ({ pointer }) => {
    const node = scene.at.get(network.getNodeAt(pointer.DOM));
    if (node) on.expand(node.key);
  });
  network.on("dragStart", () => on.hover(null));
  network.on("dragging", () => { labelled = ""; });
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
      on.select(region);
    } else moved = true;
  });

  function zoomBy(factor, around = { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 }) {
    const before = network.getScale(), scale = Math.min(6, Math.max(0.02, before * factor));
    const centre = network.getViewPosition(), fixed = network.DOMtoCanvas(around), left = 1 - before / scale;
    network.moveTo({ scale, position: { x: centre.x + (fixed.x - centre.x) * left, y: centre.y + (fixed.y - centre.y) * left } });
    moved = true;
  }

  function fit() {
    if (!scene.nodes.length || !canvas.clientWidth) return;
    // Room for labels, which keep their size: 56 pixels on either side, 34 above and below.
    const xs = [], ys = [];
    for (const { x, y } of Object.values(network.getPositions())) { xs.push(x); ys.push(y); }
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((canvas.clientWidth - 112) / (right - left || 1), (canvas.clientHeight - 68) / (bottom - top || 1), 2.4);
    network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale: Math.max(0.02, scale) });
    // vis-network leaves out what it took to be out of sight, and finds out on drawing that it is not: so twice.
    requestAnimationFrame(() => requestAnimationFrame(() => canvas.isConnected && network.redraw()));
    moved = false;
    bendLines();
  }

  /** Another picture. */
  function show() {
    widths.clear();
    places.clear();
    place();
    fit();
    mark();
  }

  /** Nodes where Python has them, or where they were put by hand. */
  function place() {
    const placed = model.get("placed");
    places.update(scene.nodes.map(({ key, x, y }) => ({ id: key, x: placed[key]?.[0] ?? x, y: placed[key]?.[1] ?? y })));
    bendLines();
    network.redraw();
  }

  function resize() {
    network.setSize("100%", "100%");
    network.redraw();
    if (!moved) fit();
  }

  /** Where on the page a node is (by key), or a point of a line (by id, or the keys of its ends): for tests. */
  function spotOf(what, t = 0.5) {
    const line = scene.lines.find(({ pair, id }) => (Array.isArray(what) ? pair === pairKey(...what) : id === what));
    const { left, top } = canvas.getBoundingClientRect(), spots = line ? located([line]) : network.getPositions();
    const { x, y } = network.canvasToDOM(line ? along(line, t) : spots[what]);
    return [left + x, top + y];
  }

  return { canvas, network, show, place, bendLines, mark, fit, zoomBy, resize, thingAt, visible, spotOf, labels: () => labels,
    redraw: () => network.redraw(), stop: () => network.destroy() };
}

/** The convex hull of some points (Andrew 1979). */
function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (some) => {
    const found = [];
    for (const r of some) {
      while (found.length > 1) {
        const [p, q] = found.slice(-2);
        if ((q.x - p.x) * (r.y - p.y) > (q.y - p.y) * (r.x - p.x)) break;
        found.pop();
      }
      found.push(r);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
