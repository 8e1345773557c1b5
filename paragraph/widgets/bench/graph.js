// The picture as nodes and lines. vis-network keeps where things stand (pan, zoom, drag); how they look is drawn here, so
// that thousands of lines cost one stroke a kind, stay as thick on the screen at any scale, and all answer a click.

const SMALLEST = 0.55; // nodes and lines shrink with the picture, but not below this share of their size,
const LARGEST = 1.25; // and do not grow beyond this one
const FEW = 120; // nodes, of which each is large enough for its number

/** The graph of a `scene` (see picture.js); `on` answers what a person does: hover, select, line, expand, placed. */
function graphView({ model, scene, focus, on }) {
  const canvas = make("div", { class: "pg-canvas", role: "img" });
  const places = new vis.DataSet();
  let moved = false; // has a person zoomed or panned? Then the picture is not shown whole again when its frame changes
  const network = new vis.Network(canvas, { nodes: places, edges: new vis.DataSet() }, {
    physics: false, layout: { improvedLayout: false },
    interaction: { zoomView: false, multiselect: true, keyboard: false },
    nodes: { shape: "custom", ctxRenderer: ({ ctx, id, x, y }) => {
      const node = scene.at.get(id), r = node ? radius(node) : 0, grip = Math.max(r, GRIP / network.getScale());
      return { drawNode: () => node && drawNode(ctx, node, x, y, r), nodeDimensions: { width: 2 * grip, height: 2 * grip } };
    } },
  });
  canvas.firstChild.removeAttribute("tabindex"); // a drag leaves the focus with the bench, also when this is hidden then

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

  const lines = graphLines({ scene, network, unit, radius }), lettering = graphLettering({ scene, network, canvas, radius, lines, stands });
  network.on("beforeDrawing", (context) => { drawHulls(context, scene, network.getPositions(), unit()); lines.draw(context); });
  network.on("afterDrawing", lettering.draw);

  function bendLines() {
    lettering.stale();
    lines.bendAll();
  }

  /** A node or a line, or null. */
  const thingAt = (spot) => scene.at.get(network.getNodeAt(spot)) ?? lines.lineAt(network.DOMtoCanvas(spot));

  // -- what a person does ---------------------------------------------------------------------------------------------
  const mark = () => network.selectNodes(scene.chosen.filter((key) => scene.at.has(key)), false);
  let clicked = null;

  network.on("click", ({ pointer, event }) => {
    focus();
    mark(); // vis-network has its own idea of what is selected; Python's stands
    const thing = scene.hovered ?? thingAt(pointer.DOM); // what the tip named, where there is one
    if (event.tapCount > 1 && thing === clicked && scene.view !== "lab") return; // the rest of a double click
    clicked = thing;
    on.click(thing, event.srcEvent);
  });
  network.on("doubleClick", ({ pointer }) => {
    const node = scene.at.get(network.getNodeAt(pointer.DOM));
    if (node) on.expand(node.key);
  });
  network.on("dragStart", ({ pointer }) => {
    on.hover(null);
    // vis-network begins a region where it noticed the drag, which of a fast one is far from where it began.
    network.body.selectionBox.position.start = pointer.canvas;
  });
  network.on("dragging", lettering.stale);
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
    lettering.clear();
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

  /** Draw before the next frame, once for all that asked. */
  let waiting = null;
  function redraw() {
    waiting ??= requestAnimationFrame(() => { waiting = null; network.redraw(); });
  }

  function resize() {
    network.setSize("100%", "100%");
    network.redraw();
    if (!moved) fit();
  }

  /** Where on the page a node is (by key), or a point of a line (by id, or the keys of its ends): for tests. */
  function spotOf(what, t = 0.5) {
    const line = scene.lines.find(({ pair, id }) => (Array.isArray(what) ? pair === pairKey(...what) : id === what));
    const { left, top } = canvas.getBoundingClientRect(), spots = line ? lines.located([line]) : network.getPositions();
    const { x, y } = network.canvasToDOM(line ? lines.along(line, t) : spots[what]);
    return [left + x, top + y];
  }

  return { canvas, network, show, place, bendLines, mark, fit, zoomBy, resize, thingAt, visible: lines.visible, spotOf, labels: lettering.all,
    redraw, stop: () => { cancelAnimationFrame(waiting); network.destroy(); } };
}
