// Middle: the signed graph, as nodes and lines (graph.js), with a tip under the
// pointer. Both draw the same `scene` and answer the same clicks.

const INFERRED = { 1: "inferred_positive", "-1": "inferred_negative" };
const SNAPSHOT = 500; // milliseconds without a change, before a picture is kept
const pairKey = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** Is a node a whole cluster? */
const isClosed = ({ cluster }) => cluster !== undefined;
const sentencesOf = (nodes) => nodes.filter((node) => !isClosed(node));

/** The nodes that a thing under the pointer is, or joins. */
function keysOf(thing) {
  if (!thing) return [];
  return thing.key ? [thing.key] : [thing.from, thing.to];
}

const shortened = (text, most, end = "…") => (text.length > most ? text.slice(0, most) + end : text);

/** `onPoint(keys)` hears which nodes the pointer is on. */
function livePicture({ model, send, focus, onPoint }) {
  const title = html`<div class="pg-title" aria-live="polite"></div>`;
  const note = html`<div class="pg-note" aria-live="polite"></div>`;
  const tip = html`<div class="pg-tip" dir="auto"></div>`;
  const empty = html`<div class="pg-empty"></div>`;

  /** What is drawn. */
  const scene = {
    nodes: [],
    lines: [],
    version: 0,
    palette: LIGHT,
    paper: LIGHT.paper,
    lit: null,
    hovered: null,
    pointed: [],
    hits: new Set(),
    get chosen() {
      return model.get("selected");
    },
    isChosen: (key) => scene.chosen.includes(key),
    /** The lines of the layers that are on. */
    visible() {
      const layers = model.get("layers");
      const isNear = ({ far }) => far <= layers.distance;
      return scene.lines.filter((line) => layers[line.layer] && (!line.far || isNear(line)));
    }
  };
  const on = {
    painted: () => later(sendSnapshot),
    hover: (spot) => hover(spot && graph.thingAt(spot), spot),
    expand: (key) => send("expand", { key }),
    click(thing, event) {
      hover(null); // what was clicked is explained on the right
      if (thing?.id && !thing.key) return send("edge", { id: thing.id });
      const keys = thing?.key ? chosenBy(event, thing.key, scene.chosen) : keysOf(thing);
      send("select", { keys });
    }
  };
  const later = delayed(SNAPSHOT);
  const graph = graphView({ model, scene, focus, on });
  let number = null;
  const zoom = (place) => zoomStep(graph, place);
  const stage = html`<div class="pg-stage">
    ${graph.canvas}${empty}
    <div class="pg-zoom">${zoomButtons(model, zoom)}</div>
    ${tip}
  </div>`;

  // -- under the pointer --------------------------------------------------------------------------
  function described({ far, text }) {
    if (!far) return byHand(text);
    return byHand(`${text}, inferred at distance ${far}. Click for the proof.`);
  }
  function describe(thing) {
    if (thing.key) return shortened(thing.text, 700, "… (click to read on)");
    const textOf = (key) => scene.nodes.find((node) => node.key === key).text;
    const [one, other] = keysOf(thing).map((key) => shortened(textOf(key), 160));
    return `${described(thing)}\n${one}\n${other}`;
  }

  function hover(thing, spot) {
    if (thing !== scene.hovered) {
      scene.hovered = thing;
      tip.textContent = thing ? describe(thing) : "";
      tip.classList.toggle("pg-shown", thing !== null);
      graph.canvas.style.cursor = thing ? "pointer" : "";
      onPoint(keysOf(thing));
      graph.redraw();
    }
    if (thing) placeTip(tip, spot, stage.clientWidth, stage.clientHeight);
  }

  /** Nodes that something else points at, such as the list of sentences. */
  function point(keys) {
    scene.pointed = keys;
    graph.redraw();
  }

  // -- following Python ---------------------------------------------------------------------------
  function draw() {
    const picture = model.get("picture");
    const before = number;
    number = picture.scene;
    hover(null);
    const { nodes, tags = {}, words } = picture;
    const inferred = picture.inferred.map(([from, to, s, far]) => {
      const text = words[Number(s > 0)];
      return { from, to, sign: s, far, text, count: 1, layer: INFERRED[s] };
    });
    const paired = (line) => {
      const pair = pairKey(line.from, line.to);
      return { ...line, pair, tag: line.tag ?? tags[pair] };
    };
    Object.assign(scene, {
      nodes,
      view: picture.view,
      version: scene.version + 1,
      pointed: [],
      lines: [...picture.edges, ...inferred].map(paired)
    });
    title.textContent = picture.title;
    note.textContent = picture.note;
    note.hidden = !picture.note || !nodes.length;
    empty.textContent = nodes.length ? "" : picture.note || picture.title;
    empty.hidden = nodes.length > 0;
    graph.canvas.ariaLabel = `Signed graph. ${picture.title}`;
    light();
    if (before !== number) return graph.show();
    graph.bendLines();
    graph.redraw();
  }

  /** What the explanation names stands out. */
  function light() {
    const { highlight, n } = model.get("why");
    const joined = ([a, b]) => pairKey(a, b);
    scene.lit = null;
    if (highlight) {
      const { nodes, edges, soft = false, halo: added = [] } = highlight;
      const halo = new Map(added.map((line) => [joined(line), line[2]]));
      // soft: nothing else is dimmed
      scene.lit = {
        ...highlight,
        ...{ soft, n, added, halo, nodes: new Set(nodes), edges: new Set(edges.map(joined)) }
      };
    }
    graph.redraw();
  }

  /** Other layers: what was under the pointer may be gone. */
  function restrict() {
    scene.version += 1;
    hover(null);
    graph.redraw();
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
    graph.redraw();
  }

  /** Python keeps the picture and its sentences, which a saved notebook shows. */
  function sendSnapshot() {
    const image = model.widget_manager ? graph.snapshot() : "";
    if (!image || image === model.get("snapshot").image) return;
    const sentences = scene.nodes.slice(0, STILL).map(({ number = "", text }) => [String(number), text]);
    const left = Math.max(0, scene.nodes.length - STILL);
    model.set("snapshot", { title: title.textContent, image, sentences, left });
    model.save_changes();
  }

  const sizes = new ResizeObserver(() => graph.resize());
  sizes.observe(stage);

  return {
    ...graph,
    elements: [title, stage, note],
    scene,
    draw,
    light,
    mark,
    point,
    restrict,
    dress,
    zoom,
    stop: () => {
      later(null);
      sizes.disconnect();
      graph.stop();
    }
  };
}
