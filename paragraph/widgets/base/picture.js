// Middle: the signed graph, as nodes and lines (graph.js) or as a matrix (matrix.js), with a tip under the
// pointer. Both draw the same `scene` and answer the same clicks.

const INFERRED = { 1: "inferred_positive", "-1": "inferred_negative" };
/** Is an inferred label, right with so many thousandths, sure enough? Where nobody was asked, it is. */
const isSure = (right, sure) => !(right < Math.round(1000 * sure));
/** Thousandths, which are rounded down, as a probability of two digits. */
const probability = (right) => (Math.floor((right + 5) / 10) / 100).toFixed(2);
const pairKey = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** The nodes that a thing under the pointer is, or joins. */
function keysOf(thing) {
  if (!thing) return [];
  return thing.key ? [thing.key] : [thing.from, thing.to];
}

/** `onPoint(keys)` hears which nodes the pointer is on. */
function livePicture({ model, send, focus, onPoint = () => {} }) {
  const title = make("div", { class: "pg-title", "aria-live": "polite" }),
    note = make("div", { class: "pg-note", "aria-live": "polite" });
  const tip = make("div", { class: "pg-tip", dir: "auto" }),
    empty = make("div", { class: "pg-empty" });
  const zoom = make(
    "div",
    { class: "pg-zoom" },
    zoomButtons(
      model,
      (factor) => zoomBy(factor),
      () => fit()
    )
  );

  /** What both pictures draw. */
  const scene = {
    nodes: [],
    at: new Map(),
    lines: [],
    inferred: [],
    version: 0,
    palette: LIGHT,
    paper: "#FFFFFF",
    lit: null,
    hovered: null,
    pointed: [],
    hits: new Set(),
    get chosen() {
      return model.get("selected");
    },
    get look() {
      return model.get("dress") ?? {};
    },
    isChosen: (key) => model.get("selected").includes(key),
    /** The lines of the layers that are on. */
    visible() {
      const layers = model.get("layers");
      return scene.lines.filter(
        (line) =>
          layers[line.layer] &&
          (!line.far || (line.far <= layers.distance && isSure(line.right, layers.sure)))
      );
    }
  };
  const on = {
    hover: (spot) => hover(spot && view.thingAt(spot), spot ?? undefined),
    zoom: (...how) => zoomBy(...how),
    select: (keys) => send("select", { keys }),
    expand: (key) => send("expand", { key }),
    click(thing, event) {
      hover(null); // what was clicked is explained on the right
      if (thing?.id && !thing.key) return send("edge", { id: thing.id });
      send("select", { keys: thing?.key ? chosenBy(event, thing.key, scene.chosen) : keysOf(thing) });
    }
  };
  const graph = graphView({ model, scene, focus, on }),
    matrix = matrixView({ scene, focus, on });
  const stage = make("div", { class: "pg-stage" }, graph.canvas, matrix.canvas, empty, zoom, tip);
  let view = graph,
    number = null;

  // -- under the pointer --------------------------------------------------------------------------
  const short = (text) => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
  function described({ blank, far, sign: s, text, right }) {
    if (blank) return "No label is drawn for these two. Click to ask.";
    if (!far) return text;
    const label = s > 0 ? "a paraphrase" : "not a paraphrase";
    const sure = right === undefined ? "" : `; right with ${probability(right)}`;
    return `${label}, inferred at distance ${far}${sure}. Click for the proof.`;
  }
  function describe(thing) {
    if (thing.key)
      return thing.text.length > 700 ? `${thing.text.slice(0, 700)}… (click to read on)` : thing.text;
    return [described(thing), ...[thing.from, thing.to].map((key) => short(scene.at.get(key).text))].join(
      "\n"
    );
  }

  function hover(thing, { x, y } = {}) {
    const other = thing?.blank
      ? thing.from !== scene.hovered?.from || thing.to !== scene.hovered?.to
      : thing !== scene.hovered;
    if (other) {
      scene.hovered = thing;
      tip.textContent = thing ? describe(thing) : "";
      tip.classList.toggle("pg-shown", thing !== null);
      view.canvas.style.cursor = thing ? "pointer" : "";
      const keys = keysOf(thing);
      if (view === matrix) scene.pointed = keys;
      onPoint(keys);
      view.redraw();
    }
    if (thing) placeTip(tip, { x, y }, stage.clientWidth, stage.clientHeight);
  }

  /** Nodes that something else points at, such as the list of sentences. */
  function point(keys) {
    scene.pointed = keys;
    view.redraw();
  }

  const zoomBy = (...how) => {
      hover(null);
      view.zoomBy(...how);
    },
    fit = () => {
      hover(null);
      view.fit();
    };

  // -- following Python ---------------------------------------------------------------------------
  function draw() {
    const picture = model.get("picture"),
      same = picture.scene === number,
      other = picture.form === "matrix" ? matrix : graph;
    number = picture.scene;
    hover(null);
    Object.assign(scene, {
      nodes: picture.nodes,
      view: picture.view,
      at: new Map(picture.nodes.map((node) => [node.key, node])),
      version: scene.version + 1,
      pointed: [],
      lines: [
        ...picture.edges.map((edge) => ({ ...edge, pair: pairKey(edge.from, edge.to) })),
        ...picture.inferred.map(([from, to, s, far, right]) => ({
          from,
          to,
          sign: s,
          far,
          right,
          count: 1,
          layer: INFERRED[s],
          pair: pairKey(from, to)
        }))
      ]
    });
    title.textContent = picture.title;
    note.textContent = picture.note;
    note.hidden = !picture.note || !picture.nodes.length;
    empty.textContent = picture.nodes.length ? "" : picture.note || picture.title;
    empty.hidden = picture.nodes.length > 0;
    light();
    const turned = other !== view;
    view = other;
    for (const one of [graph, matrix]) {
      one.canvas.hidden = one !== view;
      one.canvas.setAttribute("aria-label", `Signed graph. ${picture.title}`);
    }
    if (!same || turned) return view.show();
    if (view === graph) graph.bendLines(); // behind a matrix, nodes have places of an earlier scene
    view.redraw();
  }

  /** What the explanation speaks of stands out. */
  function light() {
    const { highlight, n } = model.get("why");
    scene.lit = highlight
      ? {
          nodes: new Set(highlight.nodes),
          edges: new Set(highlight.edges.map(([a, b]) => pairKey(a, b))),
          halo: new Map((highlight.halo ?? []).map(([a, b, s]) => [pairKey(a, b), s])),
          added: highlight.halo,
          pair: highlight.pair,
          sign: highlight.sign,
          soft: highlight.soft,
          n
        }
      : null; // soft: nothing else is dimmed
    view.redraw();
  }

  /** Other layers or other looks: what was under the pointer may be gone. */
  function restrict() {
    scene.version += 1;
    hover(null);
    view.redraw();
  }

  /** Nodes that hold what is searched for. */
  function mark(keys) {
    scene.hits = new Set(keys);
    restrict();
  }

  /** Colours as the theme has them. */
  function dress(root) {
    scene.paper = getComputedStyle(root).backgroundColor;
    scene.palette = isDark(scene.paper) ? DARK : LIGHT;
    root.classList.toggle("pg-dark", scene.palette === DARK);
    view.redraw();
  }

  const sizes = new ResizeObserver(() => view.resize());
  sizes.observe(stage);

  return {
    elements: [title, stage, note],
    camera: graph.camera,
    spots: graph.spots,
    draw,
    place: graph.place,
    light,
    mark,
    redraw: () => view.redraw(),
    point,
    restrict,
    dress,
    fit,
    zoomBy,
    spotOf: (...what) => view.spotOf(...what),
    thingAt: (spot) => view.thingAt(spot),
    visible: () => (view === graph ? graph.visible() : scene.visible()),
    labels: () => graph.labels(),
    shown: () => scene.nodes,
    lit: () => scene.lit,
    scene,
    stop: () => {
      sizes.disconnect();
      graph.stop();
    }
  };
}
