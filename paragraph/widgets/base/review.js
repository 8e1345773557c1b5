// A review in the page. Python says of the item on screen (`case`): its `ends` and the `path` against it, as
// numbers of sentences, or the `label` to judge; the labels that were decided, by number (`gone`,
// `flipped`, `apart`); its state; and what is said besides (`why`). From these and from records this makes
// the picture, the explanation and the bar that decides.

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

  const words = model.get("words");
  const now = () => model.get("case");
  const nodesOf = (numbers = []) => numbers.map((one) => graph.nodes.get(`n${one}`));
  /** The labels of the path, in its order. */
  const steps = () =>
    nodesOf(now().path)
      .map((node, i, path) => i && graph.edgeBetween(path[i - 1], node))
      .slice(1);
  const signOf = (label) => [-1, 1][label] ?? 0;
  const [no, yes] = words.labels ?? [0, 1]; // the words of the file for its labels

  // -- the picture --------------------------------------------------------------------------------
  /** Lines as they were decided, the path numbered, and the label to judge. */
  function marked(lines) {
    const { clusters, gone = [], flipped = [], apart = [], weakest, label, ends } = now();
    if (!clusters.length) return lines; // nothing is on screen
    const changes = new Map();
    const mark = (numbers, change) =>
      numbers.forEach((one) => changes.set(`e${one}`, { ...changes.get(`e${one}`), ...change }));
    mark(apart, { layer: "negative" }); // no conflict any more
    mark(gone, { layer: "cut", text: "set aside by your decision" });
    const flip = `${graph.stating({ sign: 1 })}: flipped by your decision`;
    mark(flipped, { sign: 1, layer: "positive", text: flip });
    steps().forEach((step, i) =>
      mark([step.number], { tag: `${i + 1}${step.number === weakest ? " weakest" : ""}` })
    );
    const all = lines.map((line) => ({ ...line, ...changes.get(line.id) }));
    if (label === undefined) return all;
    const [a, b] = nodesOf(ends);
    const s = signOf(label);
    const edge = graph.edgeBetween(a, b);
    const own = all.find(({ id, sign: one }) => id === `e${edge?.number}` && one === s);
    if (own) own.tag = "?";
    const asked = s ? `to judge: ${graph.stating({ sign: s })}` : "asked: do the two mean the same?";
    const line = { id: "judged", from: a.key, to: b.key, sign: s, layer: "judged", count: 1, tag: "?" };
    return own ? all : [...all, { ...line, text: `${asked}. Click to see why.` }];
  }

  function makePicture() {
    const { clusters, title, note } = now();
    if (held !== model.get("records")) {
      held = model.get("records");
      graph = heldGraph(held);
      graph.add(held);
      reasons = reasonsOf(graph);
      number += 1;
    }
    const opened = clusters.map(([id]) => id);
    const beside = { around: [], notes: [note] };
    scene = makeScene(graph, { opened, cluster: opened[0] }, beside, marked);
    const nodes = scene.nodes.map(({ number: _, ...node }) => node); // no list beside it counts them
    const { edges, note: said } = scene;
    give({
      picture: { scene: number, view: "cluster", title, note: said, nodes, edges, inferred: [], farthest: 1 }
    });
  }

  // -- the bar that decides -----------------------------------------------------------------------
  /** Why keys do nothing now, by the names of what they do. */
  function offOf({ item, undo, path, direct, can_reveal: hides, revealed }) {
    const { one, decide } = words;
    const rules = [
      [!undo, ["undo"], "Nothing is left to undo."],
      [path && !path.length, ["cut"], "No positive path joins the two any more: there is nothing to cut."],
      [direct, ["keep"], `Only one of its labels is right: f says that ${yes} is, c and 1 that ${no} is.`],
      [revealed, ["reveal"], "It is shown already."],
      [!hides, ["reveal"], `Nothing else is known of this ${one}.`],
      [
        item === null,
        [...decide.map(([, name]) => name), "note", "reveal"],
        `No ${one} is on screen: choose one in the list.`
      ]
    ].filter(([holds]) => holds);
    return Object.fromEntries(rules.flatMap(([, names, why]) => names.map((name) => [name, why])));
  }

  function deskOf() {
    const { item, state, path, direct, label, stated, description, notes, error, message } = now();
    const option = ({ number: edge, sign: s }, i) => ({
      key: String(i + 1),
      isOff: s < 0 && !direct,
      content: { edge }
    });
    const cut = { title: "Which positive is wrong?", options: steps().slice(0, 9).map(option), isLine: true };
    return {
      choices: words.decide,
      also: [["reveal", "reveal", "Reveal", `Show ${words.reveal}`]],
      asks: { cut },
      off: offOf(now()),
      item,
      sign: path && !direct ? -1 : signOf(label),
      about: direct ? "stated both ways" : path ? graph.stating({ sign: -1 }) : (stated ?? ""),
      told: description ?? "",
      verdict: state,
      ...{ notes, error, message }
    };
  }

  // -- the explanation ----------------------------------------------------------------------------
  /** The facts of a conflict: its path, how many ways join the two, what each decision would do. */
  function contradiction({ ends, path, direct, paths, rows, what_if: table }) {
    const [a, b] = nodesOf(ends);
    const known = reasons.against([a, b], nodesOf(path));
    if (rows)
      known.rows = rows.map(([row, label]) => ({ row, label: graph.words[label], texts: [a.text, a.text] }));
    const itself = `A row says that a sentence differs from itself. Flip: ${yes} is right.`;
    const both = `Its rows state both labels. Flip: ${yes} is right. Cut: ${no} is right.`;
    if (direct) return { ...known, facts: [], text: a === b ? itself : both };
    const one = "1: cutting one line separates the pair";
    return {
      ...known,
      facts: [["paths", paths === 1 ? one : `${paths} that share no label`]],
      table: whatIf(table)
    };
  }

  /** What is known of the item, and what Python says of it besides. */
  function evidence() {
    const { item, clusters, ends, path, why } = now();
    const title = item === null ? "" : `${words.one[0].toUpperCase()}${words.one.slice(1)} #${item}`;
    if (!clusters.length) return { title, highlight: { nodes: [], edges: [] }, ...why };
    const { pair: _, ...known } = path ? contradiction(now()) : reasons.pair(...nodesOf(ends));
    const sizes = clusters.map(([id, size]) => `${id}, of ${counting(size, "sentence")}`);
    const home = [clusters.length > 1 ? "clusters" : "cluster", sizes.join("; ")];
    const facts = [home, ...(known.facts ?? [])];
    const highlight = { ...known.highlight, soft: scene.nodes.length <= DIMMED };
    return { ...known, title, facts, highlight, ...why };
  }

  function explain(why) {
    explained += 1;
    give({ why: { ...why, n: explained } });
  }

  /** Something else than the item; Esc brings the item back. */
  function aside(why) {
    const text = `Back to the ${words.one} (Esc)`;
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
  const stop = listenTo(model, { "change:records": hear, "change:case": hear });
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
