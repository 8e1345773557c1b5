// The picture as nodes and lines, drawn so that thousands of lines cost one stroke a kind, stay as thick on
// the screen at any scale, and all answer a click.

const SMALLEST = 0.55; // nodes and lines shrink with the picture, but not below this share of their size,
const LARGEST = 1.25; // and do not grow beyond this one
const FEW = 120; // nodes, each large enough for its number

const SHARP = 1.5; // pixels of a still picture to one on the screen
const BUTTONS = 50; // pixels at the right edge: a button, and half a node

/** The graph of a `scene` (see picture.js); `on` answers what a person does: hover, click, select, expand. */
function graphView({ model, scene, focus, on }) {
  const canvas = html`<canvas class="pg-canvas" role="img"></canvas>`;
  const camera = cameraOf(canvas, () => {
    isMoved = true;
    on.hover(null);
    redraw();
  });
  let places = {}; // of nodes by key, in the plane
  // has a person zoomed or panned? Then the picture is not shown whole again when its frame changes
  let isMoved = false;
  let dragged = []; // keys of nodes that are dragged
  let clicked = null;
  let waiting = null;
  let size = [0, 0]; // of the frame

  // -- how things look ----------------------------------------------------------------------------
  const unit = () => Math.min(Math.max(1, SMALLEST / camera.scale), LARGEST / camera.scale);
  const isNumbered = ({ number }) => number !== undefined && scene.nodes.length <= FEW;

  function radius(node) {
    const least = isNumbered(node) ? 8.5 / camera.scale : 0;
    return Math.max(least, unit() * (isClosed(node) ? Math.min(34, 7 + 3 * Math.sqrt(node.size)) : 9));
  }

  /** Is a node not dimmed? */
  function stands({ key }) {
    const { soft = true, nodes } = scene.lit ?? {};
    return soft || nodes.has(key) || scene.isChosen(key) || scene.pointed.includes(key);
  }

  function drawNode(pen, node) {
    const at = places[node.key];
    const r = radius(node);
    const { palette, paper, hits, pointed, hovered } = scene;
    const isChosen = scene.isChosen(node.key);
    const ring = (width, color, far = 0, dash = []) =>
      stroke(pen, circleAt(at, r + far * unit()), color, width * unit(), dash);
    const camp = node.camp >= 0 ? CAMPS[node.camp % CAMPS.length] : null;
    const plain = isClosed(node) ? palette.soft : palette.node;
    const own = camp ?? (node.conflict ? palette.conflict : plain);
    pen.fillStyle = paper; // no line is seen through a dimmed node
    pen.fill(circleAt(at, r));
    pen.fillStyle = isChosen ? palette.chosen : own;
    pen.globalAlpha = stands(node) ? 1 : 0.55;
    pen.fill(circleAt(at, r));
    const dash = isClosed(node) ? [4 * unit(), 3 * unit()] : [];
    ring(isChosen || hovered?.key === node.key ? 2.8 : 1.3, palette.ink, 0, dash);
    if (hits.has(node.key)) ring(2.6, palette.hit, 3.2);
    if (pointed.includes(node.key)) ring(3, palette.pointed, 6);
    if (isNumbered(node)) {
      const high = Math.min(1.15 * r, 12 / camera.scale) / (node.number > 99 ? 1.35 : 1);
      Object.assign(pen, {
        font: `600 ${high}px system-ui, sans-serif`,
        textAlign: "center",
        textBaseline: "middle",
        fillStyle: camp && !isChosen ? inkOn(camp) : palette.ink
      });
      pen.fillText(node.number, at.x, at.y + r * 0.06);
    }
    pen.globalAlpha = 1;
  }

  const spots = () => places;
  const lines = graphLines({ scene, spots, camera, unit, radius });
  const lettering = graphLettering({ scene, spots, camera, canvas, radius, lines, stands });

  function drawAll(pen) {
    drawHulls(pen, scene, places, unit());
    lines.draw(pen);
    for (const node of scene.nodes) if (places[node.key]) drawNode(pen, node);
    lettering.draw(pen);
  }

  function paint() {
    waiting = null;
    if (!canvas.clientWidth) return;
    const pen = penOn(canvas);
    pen.transform(camera.scale, 0, 0, camera.scale, camera.left, camera.top);
    drawAll(pen);
    on.painted();
  }

  /** Draw before the next frame, once for all that asked. */
  function redraw() {
    waiting ??= requestAnimationFrame(paint);
  }

  function bendLines() {
    lettering.stale();
    lines.bendAll();
  }

  // -- what a person does -------------------------------------------------------------------------
  function nodeAt(spot) {
    const { x, y } = camera.toPlane(spot);
    const isOn = (node) => {
      const at = places[node.key];
      return at && Math.hypot(at.x - x, at.y - y) <= Math.max(radius(node), GRIP / camera.scale);
    };
    return scene.nodes.findLast(isOn) ?? null; // the last was drawn on top
  }

  /** A node or a line, or null. */
  const thingAt = (spot) => nodeAt(spot) ?? lines.lineAt(camera.toPlane(spot));

  /** What is dragged with a node: all that is chosen, where it is. */
  const heldWith = ({ key }) => (scene.isChosen(key) ? scene.chosen.filter((one) => places[one]) : [key]);

  /** Tell Python where nodes were put. */
  function putDown() {
    const placed = { ...model.get("placed") };
    for (const key of dragged) placed[key] = [places[key].x, places[key].y];
    model.set("placed", placed);
    model.save_changes();
  }

  listenToHands(canvas, camera, {
    holds: thingAt,
    hover: on.hover,
    tap(spot, event, again) {
      focus();
      const node = nodeAt(spot);
      const thing = scene.hovered ?? thingAt(spot); // hovered: what the tip named
      // else the rest of a double click
      if (!again || thing !== clicked || scene.view === "lab") on.click(thing, event);
      clicked = thing;
      if (again && node) on.expand(node.key);
    },
    drag({ start, across, down, first }) {
      if (first) {
        const node = nodeAt(start);
        on.hover(null);
        dragged = node ? heldWith(node) : [];
      }
      if (!dragged.length) return camera.pan(across, down);
      for (const key of dragged) {
        const { x, y } = places[key];
        places[key] = { x: x + across / camera.scale, y: y + down / camera.scale };
      }
      lettering.stale();
      redraw();
    },
    drop() {
      if (dragged.length) putDown();
      dragged = [];
      redraw();
    }
  });

  function fit() {
    if (!scene.nodes.length || !canvas.clientWidth) return;
    on.hover(null);
    const xs = Object.values(places).map(({ x }) => x);
    const ys = Object.values(places).map(({ y }) => y);
    const left = Math.min(...xs);
    const top = Math.min(...ys);
    const across = Math.max(...xs) - left;
    const down = Math.max(...ys) - top;
    // Room for labels, which keep their size: less of it in a small frame, but no node under the buttons.
    const { clientWidth: width, clientHeight: height } = canvas;
    const room = Math.min(56, width / 12);
    const beside = Math.max(room, BUTTONS);
    const scale = Math.min(
      (width - room - beside) / (across || 1),
      (height - Math.min(68, height / 6)) / (down || 1),
      2.4
    );
    camera.centre({ x: left + across / 2, y: top + down / 2 }, Math.max(camera.least, scale));
    camera.left -= (beside - room) / 2;
    isMoved = false;
    bendLines();
    redraw();
  }

  /** Put nodes where Python has them, or where they were put by hand. */
  function put() {
    const placed = model.get("placed");
    places = {};
    for (const node of scene.nodes) {
      const [x, y] = placed[node.key] ?? [node.x, node.y];
      places[node.key] = { x, y };
    }
  }

  /** Another picture: it is shown whole. */
  function show() {
    put();
    fit();
    redraw();
  }

  function place() {
    put();
    bendLines();
    redraw();
  }

  function resize() {
    const [width, height] = size;
    size = [canvas.clientWidth, canvas.clientHeight];
    if (isMoved) camera.pan((size[0] - width) / 2, (size[1] - height) / 2);
    else fit();
    redraw();
  }

  /** The picture as a PNG (base64), in light colours, with nothing under the pointer; "" where nothing is
   * shown. */
  function snapshot() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !scene.nodes.length) return "";
    const { hovered, pointed, palette, paper } = scene;
    Object.assign(scene, { hovered: null, pointed: [], palette: LIGHT, paper: LIGHT.paper });
    const still = html`<canvas width=${SHARP * width} height=${SHARP * height}></canvas>`;
    const pen = still.getContext("2d");
    pen.scale(SHARP, SHARP);
    pen.fillStyle = LIGHT.paper;
    pen.fillRect(0, 0, width, height);
    pen.transform(camera.scale, 0, 0, camera.scale, camera.left, camera.top);
    drawAll(pen);
    Object.assign(scene, { hovered, pointed, palette, paper });
    return still.toDataURL().split(",")[1];
  }

  /** Where on the page a node is (by key), or a point of a line (by id, or the keys of its ends): for
   * tests. */
  function spotOf(what, t = 0.5) {
    const isIt = ({ pair, id }) => (Array.isArray(what) ? pair === pairKey(...what) : id === what);
    const line = scene.lines.find(isIt);
    const { left, top } = canvas.getBoundingClientRect();
    const { x, y } = camera.toScreen(line ? lines.along(line, t) : places[what]);
    const by = shownSize(canvas);
    return [left + by * x, top + by * y];
  }

  return {
    canvas,
    camera,
    show,
    place,
    bendLines,
    fit,
    resize,
    thingAt,
    visible: lines.visible,
    spotOf,
    labels: lettering.all,
    spots,
    redraw,
    snapshot,
    stop: () => cancelAnimationFrame(waiting)
  };
}
