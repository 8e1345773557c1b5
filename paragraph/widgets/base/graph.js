// The picture as nodes and lines, drawn so that thousands of lines cost one stroke a kind, stay as thick on
// the screen at any scale, and all answer a click.

const SMALLEST = 0.55; // nodes and lines shrink with the picture, but not below this share of their size,
const LARGEST = 1.25; // and do not grow beyond this one
const FEW = 120; // nodes, of which each is large enough for its number

/** The graph of a `scene` (see picture.js); `on` answers what a person does: hover, click, select, expand. */
function graphView({ model, scene, focus, on }) {
  const canvas = make("canvas", { class: "pg-canvas", role: "img" }),
    camera = cameraOf(canvas);
  let places = {}; // of nodes by key, in the plane
  // has a person zoomed or panned? Then the picture is not shown whole again when its frame changes
  let moved = false;
  let held = [],
    region = null,
    clicked = null,
    waiting = null,
    width = 0,
    height = 0;

  // -- how things look ----------------------------------------------------------------------------
  const unit = () => Math.min(Math.max(1, SMALLEST / camera.scale), LARGEST / camera.scale);
  function radius(node) {
    const share = scene.look.size?.of?.[node.key];
    const least = numbered(node) ? 8.5 / camera.scale : 0;
    if (share !== undefined) return (least || 4 * unit()) + unit() * 11 * shareOf(scene.look.size, share);
    return Math.max(
      least,
      unit() * (node.cluster === undefined ? 9 : Math.min(34, 7 + 3 * Math.sqrt(node.size)))
    );
  }
  const numbered = (node) => node.number !== undefined && scene.nodes.length <= FEW;
  const stands = (key) =>
    !scene.lit ||
    scene.lit.soft ||
    scene.lit.nodes.has(key) ||
    scene.isChosen(key) ||
    scene.pointed.includes(key);

  function drawNode(context, node, x, y, r) {
    const { palette } = scene,
      closed = node.cluster !== undefined,
      chosen = scene.isChosen(node.key);
    const shade =
      shadeOf(scene.look.color, node.key) ?? (node.camp >= 0 ? CAMPS[node.camp % CAMPS.length] : null);
    const ring = (width, color, far = 0, dash = []) => {
      context.beginPath();
      context.arc(x, y, r + far * unit(), 0, 2 * Math.PI);
      Object.assign(context, { lineWidth: unit() * width, strokeStyle: color });
      context.setLineDash(dash.map((part) => part * unit()));
      context.stroke();
    };
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    const plain = closed ? palette.cluster : palette.node;
    const own = shade ?? (node.conflict ? palette.conflict : plain);
    const fill = chosen ? palette.chosen : own;
    for (const [color, alpha] of [
      [scene.paper, 1],
      [fill, stands(node.key) ? 1 : 0.55]
    ]) {
      // no line is seen through a dimmed node
      Object.assign(context, { fillStyle: color, globalAlpha: alpha });
      context.fill();
    }
    ring(chosen || scene.hovered?.key === node.key ? 2.8 : 1.3, palette.ink, 0, closed ? [4, 3] : []);
    if (scene.hits.has(node.key)) ring(2.6, palette.hit, 3.2);
    if (scene.pointed.includes(node.key)) ring(3, palette.pointed, 6);
    context.setLineDash([]);
    if (numbered(node)) {
      const size = Math.min(1.15 * r, 12 / camera.scale) / (node.number > 99 ? 1.35 : 1);
      Object.assign(context, {
        font: `600 ${size}px system-ui, sans-serif`,
        textAlign: "center",
        textBaseline: "middle",
        fillStyle: shade && !chosen ? inkOn(shade) : palette.ink
      });
      context.fillText(node.number, x, y + r * 0.06);
    }
    context.globalAlpha = 1;
  }

  const spots = () => places;
  const lines = graphLines({ scene, spots, camera, unit, radius }),
    lettering = graphLettering({ scene, spots, camera, canvas, radius, lines, stands });

  function paint() {
    waiting = null;
    if (!canvas.clientWidth) return;
    const pen = penOn(canvas);
    pen.transform(camera.scale, 0, 0, camera.scale, camera.left, camera.top);
    drawHulls(pen, scene, places, unit());
    lines.draw(pen);
    for (const node of scene.nodes)
      if (places[node.key]) drawNode(pen, node, places[node.key].x, places[node.key].y, radius(node));
    lettering.draw(pen);
    if (!region) return;
    Object.assign(pen, { lineWidth: 1.5 / camera.scale, strokeStyle: scene.palette.ink });
    pen.setLineDash([5 / camera.scale, 4 / camera.scale]);
    pen.strokeRect(region[0].x, region[0].y, region[1].x - region[0].x, region[1].y - region[0].y);
    pen.setLineDash([]);
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

  /** Pan or zoom, as the camera does. */
  const move =
    (how) =>
    (...by) => {
      camera[how](...by);
      moved = true;
      redraw();
    };
  const pan = move("pan"),
    zoomBy = move("zoom");

  /** What is dragged with a node: all that is chosen, where it is. */
  const heldWith = ({ key }) => (scene.isChosen(key) ? scene.chosen.filter((one) => places[one]) : [key]);

  listenToHands(canvas, {
    hover: on.hover,
    zoom: on.zoom,
    pan,
    tap(spot, event, again) {
      focus();
      const thing = scene.hovered ?? thingAt(spot),
        node = nodeAt(spot); // hovered: what the tip named
      // else the rest of a double click
      if (!again || thing !== clicked || scene.view === "lab") on.click(thing, event);
      clicked = thing;
      if (again && node) on.expand(node.key);
    },
    drag({ start, spot, across, down, first }, event) {
      if (first) {
        const node = nodeAt(start);
        on.hover(null);
        region = event.shiftKey ? [] : null;
        held = region || !node ? [] : heldWith(node);
      }
      if (region) region = [camera.toPlane(start), camera.toPlane(spot)];
      else if (!held.length) return pan(across, down);
      for (const key of held)
        places[key] = { x: places[key].x + across / camera.scale, y: places[key].y + down / camera.scale };
      lettering.stale();
      redraw();
    },
    drop(event) {
      if (region && event) {
        const [from, to] = region,
          inside = ({ x, y }) => (x - from.x) * (x - to.x) <= 0 && (y - from.y) * (y - to.y) <= 0;
        on.select(scene.nodes.map(({ key }) => key).filter((key) => inside(places[key])));
      } else if (held.length) {
        model.set("placed", {
          ...model.get("placed"),
          ...Object.fromEntries(held.map((key) => [key, [places[key].x, places[key].y]]))
        });
        model.save_changes();
      }
      [held, region] = [[], null];
      redraw();
    }
  });

  function fit() {
    if (!scene.nodes.length || !canvas.clientWidth) return;
    // Room for labels, which keep their size: 56 pixels on either side, 34 above and below.
    const xs = Object.values(places).map(({ x }) => x),
      ys = Object.values(places).map(({ y }) => y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min(
      (canvas.clientWidth - 112) / (right - left || 1),
      (canvas.clientHeight - 68) / (bottom - top || 1),
      2.4
    );
    camera.centre({ x: (left + right) / 2, y: (top + bottom) / 2 }, Math.max(camera.least, scale));
    moved = false;
    bendLines();
    redraw();
  }

  /** Another picture. */
  function show() {
    lettering.clear();
    place();
    fit();
  }

  /** Nodes where Python has them, or where they were put by hand. */
  function place() {
    const placed = model.get("placed");
    places = Object.fromEntries(
      scene.nodes.map(({ key, x, y }) => [key, { x: placed[key]?.[0] ?? x, y: placed[key]?.[1] ?? y }])
    );
    bendLines();
    redraw();
  }

  function resize() {
    if (moved) camera.pan((canvas.clientWidth - width) / 2, (canvas.clientHeight - height) / 2);
    [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!moved) fit();
    redraw();
  }

  /** Where on the page a node is (by key), or a point of a line (by id, or the keys of its ends): for
   * tests. */
  function spotOf(what, t = 0.5) {
    const line = scene.lines.find(({ pair, id }) =>
      Array.isArray(what) ? pair === pairKey(...what) : id === what
    );
    const { left, top } = canvas.getBoundingClientRect(),
      { x, y } = camera.toScreen(line ? lines.along(lines.located([line])[0], t) : places[what]);
    return [left + x, top + y];
  }

  return {
    canvas,
    camera,
    show,
    place,
    bendLines,
    fit,
    zoomBy,
    resize,
    thingAt,
    visible: lines.visible,
    spotOf,
    labels: lettering.all,
    spots,
    redraw,
    stop: () => cancelAnimationFrame(waiting)
  };
}
