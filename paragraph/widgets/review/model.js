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
  const graph = signedGraph(data);
  const made = {
    picture: { nodes: [], edges: [], inferred: [], words: data.words },
    screen: { view: "cluster", cluster: null, opened: [], wanted: [] },
    layers: model.get("layers"),
    selected: [],
    why: {},
    controls: [],
    desk: {}
  };
  const own = pageTraits(made);
  const { give, tell } = own;
  const ownerOf = (name) => (name in made ? own : model);
  const heardBy = (event) => (event === "change:ack" ? own : ownerOf(event.replace("change:", "")));
  const keeper = kernelKeeper(model, graph);
  /** @type {any} */
  const page = {
    data,
    state: made,
    give,
    graph,
    keeper,
    decisions: { look() {}, marks, foresee: async () => [] },
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
  function thinned(lines, isOwn) {
    const isOther = (line) => line.sign < 0 && !isOwn(line);
    const others = lines.filter(isOther);
    hidden = 0;
    if (others.length <= CROWD) return lines;
    for (const { count } of others) hidden += count;
    return lines.filter((line) => !isOther(line));
  }

  /** Lines as they were decided, the path numbered, and the label to judge. */
  function marked(lines, sentences) {
    const { steps = [], gone = [], flipped = [], apart = [], weakest, nodes } = shown;
    if (!nodes.length) return lines;
    const ends = nodes.map((number) => `n${number}`);
    const named = new Set([...steps, ...gone, ...flipped, ...apart].map((number) => `e${number}`));
    const isOwn = ({ id, from, to }) => named.has(id) || (ends.includes(from) && ends.includes(to));
    const flip = `${graph.stating({ sign: 1 })}: flipped by your decision`;
    const all = thinned(lines, isOwn).map((line) => {
      const number = Number(line.id.slice(1));
      const drawn = { ...line };
      const step = steps.indexOf(number);
      if (apart.includes(number)) drawn.layer = "negative"; // no conflict any more
      if (gone.includes(number)) Object.assign(drawn, { layer: "cut", text: "set aside by your decision" });
      if (flipped.includes(number)) Object.assign(drawn, { sign: 1, layer: "positive", text: flip });
      if (step >= 0) drawn.tag = `${step + 1}${number === weakest ? " weakest" : ""}`;
      return drawn;
    });
    const [a, b] = graph.nodesOf(nodes.slice(0, 2));
    const isAsked = "label" in shown && sentences.includes(a) && sentences.includes(b);
    return isAsked ? withJudged(all, a, b) : all;
  }

  /** Lines with that of the label to judge, which is none of them where the label is not stated so. */
  function withJudged(lines, a, b) {
    const s = signOf(shown.label);
    const id = `e${graph.edgeBetween(a, b)?.number}`;
    const own = lines.find((line) => line.id === id && line.sign === s);
    if (own) {
      own.tag = "?";
      return lines;
    }
    const what = s ? `to judge: ${graph.stating({ sign: s })}` : "asked: do the two mean the same?";
    const text = `${what}. Click to see why.`;
    const ends = { from: a.key, to: b.key, a: a.number, b: b.number };
    return [...lines, { id: "judged", ...ends, sign: s, layer: "judged", count: 1, tag: "?", text }];
  }

  /** The picture of an item: no list beside it counts its sentences. */
  function marks({ nodes }, { note }) {
    const left = hidden && `${counting(hidden, "negative")} besides those of the item are not drawn.`;
    return {
      title: shown.title,
      note: joined([shown.note || note, left]),
      nodes: nodes.map(({ number: _, ...node }) => node),
      listed: false
    };
  }

  /** Whether a line is chosen that is not that of the item: a key would not decide what is looked at. */
  function isElsewhere() {
    const ends = shown.nodes.slice(0, 2).map((number) => `n${number}`);
    return made.selected.length === 2 && !made.selected.every((key) => ends.includes(key));
  }

  // -- the bar that decides -----------------------------------------------------------------------
  /** Why keys do nothing now, by the names of what they do. */
  function offOf({ item, undo, steps, direct, can_reveal: hides, revealed }) {
    const { one, decide } = words;
    const names = decide.map(([, name]) => name);
    const off = {};
    function put(some, why) {
      for (const name of some) off[name] = why;
    }
    if (!undo) off.undo = "Nothing is left to undo.";
    if (steps?.length === 0) off.cut = "No positive path joins the two any more: there is nothing to cut.";
    if (direct) off.keep = `Only one of its labels is right: Flip says that ${yes} is, Cut that ${no} is.`;
    if (revealed) off.reveal = "It is shown already.";
    if (!hides) off.reveal = `Nothing else is known of this ${one}.`;
    if (item === null) put([...names, "note", "reveal"], `No ${one} is on screen: choose one in the list.`);
    if (isElsewhere())
      put(
        names.filter((name) => name !== "cut"),
        `Another line is chosen, and keys decide ${one} #${item}: ${shownKey(model, "back")} goes back to it.`
      );
    return off;
  }

  /** What stands of the item, in the words of the file. */
  function aboutOf({ steps, direct, stated = "" }) {
    if (direct) return "stated both ways";
    return steps ? graph.stating({ sign: -1 }) : stated;
  }

  function deskOf() {
    const { item, state, steps, flipped, direct, label, description = "", notes, error, message } = shown;
    const option = (edge, i) => ({
      key: String(i + 1),
      isOff: flipped.includes(edge) && !direct,
      content: { edge }
    });
    const options = (steps ?? []).map(option);
    return {
      choices: words.decide,
      also: ["reveal"],
      asks: { cut: { title: "Which positive is wrong?", options, isLine: true } },
      off: offOf(shown),
      item,
      sign: steps && !direct ? -1 : signOf(label),
      about: aboutOf(shown),
      answer: description,
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
    if (!direct) {
      const ways = paths === 1 ? "1: cutting one line separates the pair" : `${paths} that share no label`;
      return { ...known, facts: [["paths", ways]], table: whatIf(table) };
    }
    if (a === b)
      return { ...known, text: `A row says that a sentence differs from itself. Flip: ${yes} is right.` };
    const votes = graph.votesOf(graph.edgeBetween(a, b));
    const text = `${votes || "Its rows state both labels"}. Flip: ${yes} is right. Cut: ${no} is right.`;
    return { ...known, text };
  }

  /** The clusters of the item. */
  const homes = () => homesOf(graph.nodesOf(shown.nodes));

  /** What is known of the item, and what Python says of it besides. */
  function evidence() {
    const { item, nodes, steps, rows = [], why } = shown;
    const title = item === null ? "" : `${capitalised(words.one)} #${item}`;
    if (!nodes.length) return { title, highlight: { nodes: [], edges: [] }, ...why };
    const [a, b] = graph.nodesOf(nodes);
    /** @type {any} */
    const { pair: _, ...known } = steps ? contradiction(shown) : reasons.pair(a, b);
    // rows that pair a sentence with itself
    const texts = [a.text, a.text];
    if (rows.length)
      known.rows = rows.map(([row, label, beside]) => ({ row, label: graph.words[label], texts, beside }));
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
  /** Pass an answer on once what came with it is drawn. */
  async function hear() {
    await null; // all of the message
    busy = busy.then(() => own.fire("change:ack"));
  }
  arrive();
  const stop = listenTo(model, { "change:case": arrive, "change:ack": hear });
  return {
    get: (name) => ownerOf(name).get(name),
    set: (name, value) => ownerOf(name).set(name, value),
    save_changes: () => model.save_changes(),
    send: (message) => model.send(message),
    on: (event, call) => heardBy(event).on(event, call),
    off: (event, call) => heardBy(event).off(event, call),
    widget_manager: model.widget_manager,
    here,
    stop() {
      stop();
      keeper.stop();
    }
  };
}
