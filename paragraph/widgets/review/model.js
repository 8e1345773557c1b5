// A review in the page: the parts of an Explorer, with a queue in place of its list. Python says of the item
// on screen (`case`): the sentences that its picture must show, by number (`nodes`, its two ends first); the
// lines of the path against it (`steps`), or the `label` to judge; the labels that were decided (`gone`,
// `flipped`, `apart`); its state; and what is said besides (`why`).

const DIMMED = 30; // in pictures of more nodes, what is not of the item is dimmed
const NEIGHBOURS_MOST = 12; // of more neighbouring clusters none is drawn: the evidence lies inside
const CROWD = 60; // more negatives than these, not of the item, would hide it: none of them is drawn

/** The model of a review with the traits that the page makes; `here` does what Python need not. */
function reviewModel(model) {
  const words = model.get("words");
  const data = model.get("data");
  let shown = model.get("case");
  const signOf = (label) => [-1, 1][label] ?? 0;
  const [no, yes] = words.labels ?? [0, 1]; // the words of the file for its labels
  const graph = heldGraph(data);
  const made = {
    picture: { nodes: [], edges: [], inferred: [], words: data.words },
    screen: { view: "cluster", cluster: null, opened: [], wanted: [] },
    layers: model.get("layers"),
    selected: [],
    why: {},
    dress: {},
    controls: [],
    desk: {}
  };
  const { give, tell, fire, get, on, off } = pageTraits(made);
  const own = { on, off };
  const modelOf = (event) => (event === "change:ack" || event.replace("change:", "") in made ? own : model);
  const keeper = kernelKeeper(model, graph);
  const decisions = { look() {}, marks, foresee: async () => [] };
  /** @type {any} */
  const page = {
    data,
    state: made,
    give,
    graph,
    keeper,
    decisions,
    marked,
    scene: null,
    neighboursMost: NEIGHBOURS_MOST
  };
  const screen = screenOf(page);
  const choice = choiceOf(page, screen);
  const moves = movesOf(page, screen, choice, { mark() {}, sendOwnPage() {} });
  const reasons = reasonsOf(graph);

  // -- the picture --------------------------------------------------------------------------------
  let hidden = 0; // negatives that are not drawn

  /** Lines without the negatives that are not of the item, where these are many. */
  function thinned(lines, changes) {
    const own = new Set(graph.nodesOf(shown.nodes).map(({ key }) => key));
    const isOther = ({ id, from, to, sign }) =>
      sign < 0 && !changes.has(id) && !(own.has(from) && own.has(to));
    const others = lines.filter(isOther);
    hidden = others.length > CROWD ? others.reduce((sum, { count }) => sum + count, 0) : 0;
    return hidden ? lines.filter((line) => !isOther(line)) : lines;
  }

  /** Lines as they were decided, the path numbered, and the label to judge. */
  function marked(lines, sentences) {
    const { steps = [], gone = [], flipped = [], apart = [], weakest, label, nodes } = shown;
    if (!nodes.length) return lines;
    const changes = new Map();
    const mark = (numbers, change) =>
      numbers.forEach((one) => changes.set(`e${one}`, { ...changes.get(`e${one}`), ...change }));
    mark(apart, { layer: "negative" }); // no conflict any more
    mark(gone, { layer: "cut", text: "set aside by your decision" });
    const flip = `${graph.stating({ sign: 1 })}: flipped by your decision`;
    mark(flipped, { sign: 1, layer: "positive", text: flip });
    steps.forEach((step, i) => mark([step], { tag: `${i + 1}${step === weakest ? " weakest" : ""}` }));
    const all = thinned(lines, changes).map((line) => ({ ...line, ...changes.get(line.id) }));
    const [a, b] = graph.nodesOf(nodes.slice(0, 2));
    if (label === undefined || !sentences.includes(a) || !sentences.includes(b)) return all;
    const s = signOf(label);
    const edge = graph.edgeBetween(a, b);
    const own = all.find(({ id, sign: one }) => id === `e${edge?.number}` && one === s);
    if (own) own.tag = "?";
    const asked = s ? `to judge: ${graph.stating({ sign: s })}` : "asked: do the two mean the same?";
    const line = { id: "judged", from: a.key, to: b.key, a: a.number, b: b.number, sign: s, layer: "judged" };
    return own ? all : [...all, { ...line, count: 1, tag: "?", text: `${asked}. Click to see why.` }];
  }

  /** The picture of an item: no list beside it counts its sentences. */
  function marks({ nodes }, { note: said }) {
    const { title, note } = shown;
    const left = hidden && `${counting(hidden, "negative")} besides those of the item are not drawn.`;
    return {
      title,
      note: [note || said, left].filter(Boolean).join(" "),
      nodes: nodes.map(({ number: _, ...node }) => node),
      listed: false
    };
  }

  /** Whether a line is chosen that is not that of the item: a key would not decide what is looked at. */
  function isElsewhere() {
    const own = shown.nodes.slice(0, 2).map((number) => `n${number}`);
    return made.selected.length === 2 && !made.selected.every((key) => own.includes(key));
  }

  // -- the bar that decides -----------------------------------------------------------------------
  /** Why keys do nothing now, by the names of what they do. */
  function offOf({ item, undo, steps, direct, can_reveal: hides, revealed }) {
    const { one, decide } = words;
    const names = decide.map(([, name]) => name);
    const back = shownKeys(model, "back");
    const chosen = `Another line is chosen, and keys decide ${one} #${item}: ${back} goes back to it.`;
    const none = `No ${one} is on screen: choose one in the list.`;
    const rules = [
      [!undo, ["undo"], "Nothing is left to undo."],
      [steps && !steps.length, ["cut"], "No positive path joins the two any more: there is nothing to cut."],
      [direct, ["keep"], `Only one of its labels is right: Flip says that ${yes} is, Cut that ${no} is.`],
      [revealed, ["reveal"], "It is shown already."],
      [!hides, ["reveal"], `Nothing else is known of this ${one}.`],
      [item === null, [...names, "note", "reveal"], none],
      [isElsewhere(), names.filter((name) => name !== "cut"), chosen]
    ].filter(([holds]) => holds);
    return Object.fromEntries(rules.flatMap(([, names, why]) => names.map((name) => [name, why])));
  }

  function deskOf() {
    const { item, state, steps, flipped, direct, label, stated, description, notes, error, message } = shown;
    const option = (edge, i) => ({
      key: String(i + 1),
      isOff: flipped.includes(edge) && !direct,
      content: { edge }
    });
    const options = (steps ?? []).map(option);
    return {
      choices: words.decide,
      also: [["reveal", "reveal", "Reveal", `Show ${words.reveal}`]],
      asks: { cut: { title: "Which positive is wrong?", options, isLine: true } },
      off: offOf(shown),
      item,
      sign: steps && !direct ? -1 : signOf(label),
      about: direct ? "stated both ways" : steps ? graph.stating({ sign: -1 }) : (stated ?? ""),
      told: description ?? "",
      isQueue: true,
      verdict: state,
      ...{ notes, error, message }
    };
  }

  // -- the explanation ----------------------------------------------------------------------------
  /** The facts of a conflict: its path, how many ways join the two, what each decision would do. */
  function contradiction({ nodes, direct, paths, what_if: table }) {
    const [a, b, ...path] = graph.nodesOf(nodes);
    const known = reasons.against([a, b], path);
    const itself = `A row says that a sentence differs from itself. Flip: ${yes} is right.`;
    const votes = graph.votesOf(graph.edgeBetween(a, b) ?? { rows: [] });
    const both = `${votes || "Its rows state both labels"}. Flip: ${yes} is right. Cut: ${no} is right.`;
    if (direct) return { ...known, facts: [], text: a === b ? itself : both };
    const one = "1: cutting one line separates the pair";
    return {
      ...known,
      facts: [["paths", paths === 1 ? one : `${paths} that share no label`]],
      table: whatIf(table)
    };
  }

  /** A row that pairs a sentence with itself. */
  const rowAlone = ({ text }, [row, label, beside]) => ({
    row,
    label: graph.words[label],
    texts: [text, text],
    beside
  });

  /** The clusters of the item. */
  const homes = () => homesOf(graph.nodesOf(shown.nodes));

  /** What is known of the item, and what Python says of it besides. */
  function evidence() {
    const { item, nodes, steps, rows = [], why } = shown;
    const title = item === null ? "" : `${words.one[0].toUpperCase()}${words.one.slice(1)} #${item}`;
    if (!nodes.length) return { title, highlight: { nodes: [], edges: [] }, ...why };
    const [a, b] = graph.nodesOf(nodes);
    /** @type {any} */
    const { pair: _, ...known } = steps ? contradiction(shown) : reasons.pair(a, b);
    if (rows.length) known.rows = rows.map((row) => rowAlone(a, row));
    const sizes = homes().map((id) => `${id}, of ${counting(graph.clusters.get(id).size, "sentence")}`);
    const facts = [[sizes.length > 1 ? "clusters" : "cluster", sizes.join("; ")], ...(known.facts ?? [])];
    const highlight = { ...known.highlight, soft: page.scene.nodes.length <= DIMMED };
    return { ...known, title, facts, highlight, ...why };
  }

  /** Show the item. */
  async function back() {
    const { nodes } = shown;
    await screen.hold({ nodes, wanted: nodes });
    const opened = homes();
    const isShown = await screen.show({ view: "cluster", cluster: opened[0] ?? null, opened, wanted: nodes });
    if (isShown) await choice.choose([], evidence());
  }

  async function draw() {
    await back().catch(({ message }) => choice.explain({ title: "Not shown", text: message }));
    tell();
  }

  /** Show the desk of another item at once, before its sentences are here. */
  function arrive() {
    shown = model.get("case");
    give({ selected: [], desk: deskOf() });
    tell();
    busy = busy.then(draw);
  }

  /** Show the desk again where what is chosen changes what it does. */
  function follow() {
    const desk = deskOf();
    if (JSON.stringify(desk.off) !== JSON.stringify(made.desk.off)) give({ desk });
    tell();
  }

  const answers = {
    ...moves.answers,
    ...choice.answers,
    layers: screen.draw,
    async select({ keys }) {
      if (keys.length) return choice.answers.select({ keys });
      const areOpen = homes().every((id) => made.screen.opened.includes(id));
      return areOpen ? choice.choose([], evidence()) : back();
    }
  };

  /** Do what concerns the picture alone; what names an item is for Python. */
  function here(intent, content) {
    if (!Object.hasOwn(answers, intent) || "item" in content) return false;
    Promise.resolve(answers[intent](content))
      .catch((error) => console.info("not answered", intent, error))
      .then(follow);
    return true;
  }

  /** @type {Promise<any>} */
  let busy = Promise.resolve(); // what is being drawn, one item after the other
  function hear() {
    busy = busy.then(() => fire("change:ack"));
  }
  arrive();
  const stop = listenTo(model, { "change:case": arrive, "change:ack": hear });
  return {
    get: (name) => (name in made ? get(name) : model.get(name)),
    set(name, value) {
      if (!(name in made)) return model.set(name, value);
      give({ [name]: value });
      tell();
    },
    save_changes: () => model.save_changes(),
    send: (message) => model.send(message),
    on: (event, call) => modelOf(event).on(event, call),
    off: (event, call) => modelOf(event).off(event, call),
    widget_manager: model.widget_manager,
    here,
    stop() {
      stop();
      keeper.stop();
    }
  };
}
