// A review in the page: Python says which clusters are on screen, which lines are marked, what was decided
// and what a decision would do. From these and from records this makes the picture and the explanation.

const ALSO = [
  ["undo", "undo", "Undo", "Take back the last decision"],
  ["note", "note", "Note", "Write a note on this pair"]
];
const DIMMED = 30; // in clusters with more sentences, what is not of the item is dimmed

/** The model of a review with the traits that the page makes; `here` holds the intents that it answers. */
function reviewModel(model) {
  const made = { picture: {}, why: {}, selected: [], controls: [], dress: {}, desk: {} };
  const { give, tell, get, on, off } = pageTraits(made);
  const modelOf = (event) => (event.replace("change:", "") in made ? { on, off } : model);
  let held = null; // records
  let graph = null;
  let reasons = null;
  let scene = null;
  let number = 0; // of the scene
  let explained = 0;
  let coming = null; // what Python has changed, once all of its message is there

  const nodesOf = (numbers) => numbers.map((one) => graph.nodes.get(`n${one}`));

  /** Lines as Python marks them, and those that only the review has. */
  const markedBy = (marks) => (lines) => [
    ...lines.map((line) => ({ ...line, ...marks[line.id] })),
    ...Object.values(marks).filter(({ from }) => from)
  ];

  function makePicture() {
    const { clusters, marks, title, note } = model.get("shown");
    if (held !== model.get("records")) {
      held = model.get("records");
      graph = heldGraph(held);
      graph.add(held);
      reasons = reasonsOf(graph);
      number += 1;
    }
    const beside = { around: [], notes: [note] };
    scene = makeScene(graph, { opened: clusters, cluster: clusters[0] }, beside, markedBy(marks));
    const nodes = scene.nodes.map(({ number: _, ...node }) => node); // no list beside it counts them
    const { edges, note: said } = scene;
    give({
      picture: { scene: number, view: "cluster", title, note: said, nodes, edges, inferred: [], farthest: 1 }
    });
  }

  /** What the bar above the picture shows (`decideBar`). */
  function deskOf() {
    const { words, case: now } = { words: model.get("words"), case: model.get("case") };
    const { item, state, stated, description, path = [], off, notes, error, message } = now;
    const step = ({ edge, flipped }, i) => ({
      key: String(i + 1),
      hint: flipped ? "You flipped this one: undo that first" : "See the path, step by step",
      isOff: flipped,
      content: { edge }
    });
    const cut = { title: "Which positive is wrong?", options: path.map(step), isLine: true };
    const isOpen = item === null || (state === "open" && !description.includes("cut"));
    return {
      choices: words.decide,
      also: [...ALSO, ["reveal", "reveal", "Reveal", `Show ${words.reveal}`]],
      waits: { reveal: words.revealing },
      asks: { cut },
      item,
      sign: now.sign,
      about: stated ?? "",
      told: isOpen ? "" : description,
      verdict: state,
      ...{ off, notes, error, message }
    };
  }

  /** What Python says of the item, with what the records say of its pair, or of the path against it. */
  function evidence() {
    const { ends, path, ...said } = model.get("evidence");
    if (!ends) return { highlight: { nodes: [], edges: [] }, ...said };
    const [a, b] = nodesOf(ends);
    const { pair: _, ...known } = path ? reasons.against([a, b], nodesOf(path)) : reasons.pair(a, b);
    const { nodes, edges } = known.highlight;
    return { ...known, ...said, highlight: { nodes, edges, soft: scene.nodes.length <= DIMMED } };
  }

  function explain(why) {
    explained += 1;
    give({ why: { ...why, n: explained } });
  }

  /** Something else than the item; Esc brings the item back. */
  function aside(why) {
    const text = `Back to the ${model.get("words").one} (Esc)`;
    explain({ ...why, actions: [{ text, intent: "select", content: { keys: [] } }] });
  }

  const drawn = (keys) => [...new Set(keys)].filter((key) => scene.at.has(key));
  const here = {
    select({ keys }) {
      const selected = drawn(keys);
      give({ selected });
      if ([1, 2].includes(selected.length)) aside(reasons.of(selected));
      else explain(evidence());
      tell();
    },
    show({ key }) {
      give({ selected: drawn([key]) });
      tell();
    },
    edge({ id }) {
      const { from, to } = scene.edges.find((line) => line.id === id);
      here.select({ keys: [from, to] });
    },
    expand() {}
  };

  function follow() {
    coming = null;
    makePicture();
    give({ selected: [], desk: deskOf() });
    explain(evidence());
    tell();
  }

  const hear = () => {
    coming ??= Promise.resolve().then(follow);
  };
  const heard = ["records", "shown", "evidence", "case"].map((name) => [`change:${name}`, hear]);
  const stop = listenTo(model, Object.fromEntries(heard));
  follow();
  return {
    get: (name) => (name in made ? get(name) : model.get(name)),
    set: (name, value) => model.set(name, value),
    save_changes: () => model.save_changes(),
    send: (message) => model.send(message),
    on: (event, call) => modelOf(event).on(event, call),
    off: (event, call) => modelOf(event).off(event, call),
    widget_manager: model.widget_manager,
    here,
    stop
  };
}
