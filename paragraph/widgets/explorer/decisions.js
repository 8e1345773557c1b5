// What a person says of the labels shown, written to the log of Python or that of a saved page. The trait
// `decided` holds what stands there (`Decisions.plain`), `desk` what the keys do with what is chosen.

const TOLD = { cut: "Wrong: cut", flip: "Wrong: flip", keep: "Right", ambiguous: "Ambiguous" };
const OF_PAIRS = ["wrong", "keep", "ambiguous", "note"];

/** What an answer says of a label. */
function verdictOf(same, label) {
  if (same === "?") return "ambiguous";
  if (Number(same) === label) return "keep";
  return label ? "cut" : "flip";
}

function decisionsOf({ data, state, give, graph, keeper, list }) {
  let said = new Map(); // by pair: "1", "0" or "?"
  let asked = new Set();
  const isOn = () => state.decided?.reviewer !== undefined;
  const tell = (changes) => give({ desk: { ...state.desk, ...changes } });

  /** Read what stands. */
  function read() {
    const { said: all = [], asked: sent = [] } = state.decided ?? {};
    said = new Map(all.map(([a, b, , , same]) => [`${a} ${b}`, same]));
    asked = new Set(sent.map((one) => one.join(" ")));
    if (isOn()) list.decide(all);
  }

  /** The label of two sentences, `null` where there is none. */
  function labelOf(a, b, edge) {
    if (edge) return Number(edge.sign > 0);
    const { verdict, label } = graph.explain(a, b);
    return verdict === "inferred" ? Number(label) : null;
  }

  /** The pair that is chosen, or null. */
  function chosen() {
    const { selected: keys } = state;
    if (keys.map(([kind]) => kind).join("") !== "nn") return null;
    const [a, b] = keys.map((key) => graph.nodes.get(key));
    const edge = graph.edgeBetween(a, b);
    return { a, b, edge, pair: graph.pairOf(a, b), label: labelOf(a, b, edge) };
  }

  /** What `s` sends: the pair or the sentence that is chosen, else a cluster by its most central one. */
  function topic() {
    const { selected: keys, screen } = state;
    const one = chosen();
    if (one) return { what: "pair", a: one.a.number, b: one.b.number, name: "this pair" };
    const kinds = keys.map(([kind]) => kind).join("");
    if (kinds === "n") return { what: "sentence", ...twice(keys[0]), name: "this sentence" };
    const cluster = kinds === "c" ? Number(keys[0].slice(1)) : screen.cluster;
    if (keys.length > 1 || cluster === null) return null;
    return { what: "cluster", ...twice(graph.centralOf(cluster).key), name: `cluster ${cluster}` };
  }

  const twice = (key) => ({ a: Number(key.slice(1)), b: Number(key.slice(1)) });

  /** Why keys do nothing now, by their names. */
  function offOf(one) {
    const off = {};
    const all = (names, why) => Object.assign(off, Object.fromEntries(names.map((name) => [name, why])));
    if (!topic()) all(["skip"], "Choose a line, one sentence or a cluster: a colleague is asked about that.");
    if (one && isBothWays(one.edge ?? {})) all(["keep"], "Only one of its labels is right: x asks which.");
    if (one?.label === null)
      all(["wrong", "keep", "ambiguous", "skip"], "The two have no label, so none can be wrong.");
    if (!one) all(OF_PAIRS, "Choose a line first, or two sentences.");
    return isOn() ? off : all([...OF_PAIRS, "skip", "undo"], data.nobody);
  }

  /** Show what the keys do with what is chosen. */
  function look(changes = {}) {
    const one = chosen();
    const same = said.get(one?.pair);
    tell({
      isOn: isOn(),
      isPage: data.isPage === true,
      reviewer: state.decided?.reviewer ?? "",
      count: said.size,
      state: same === undefined ? "" : verdictOf(same, one.label),
      told: same === undefined ? "" : TOLD[verdictOf(same, one.label)],
      note: state.decided?.noted?.[one?.pair] ?? "",
      isAsked: one !== null && asked.has(`pair ${one.pair}`),
      off: offOf(one),
      isAsking: false,
      ...changes
    });
  }

  /** What is drawn on the lines of the picture, by pairs of keys. */
  function marks({ at }) {
    const marked = {};
    const mark = (pair, text) => {
      const [a, b] = pair.split(" ").map((number) => `n${number}`);
      if (at.has(a) && at.has(b)) marked[pairKey(a, b)] = (marked[pairKey(a, b)] ?? "") + text;
    };
    for (const [pair, same] of said) {
      const [a, b] = pair.split(" ").map((number) => graph.nodes.get(`n${number}`));
      if (a && b && at.has(a.key) && at.has(b.key))
        mark(pair, MARKS[verdictOf(same, labelOf(a, b, graph.edgeBetween(a, b)))]);
    }
    for (const one of asked) if (one.startsWith("pair ")) mark(one.slice(5), MARKS.skip);
    return Object.keys(marked).length ? { tags: marked } : {};
  }

  /** Ask the keeper for an act; null where that fails, which is said. */
  async function act(content) {
    tell({ message: "Writing …", error: "" });
    try {
      return await keeper.decide(content);
    } catch ({ message }) {
      tell({ message: "", error: `Nothing was written. ${message}` });
      return null;
    }
  }

  /** Whether a key does nothing now; then it says why. */
  function isOff(name) {
    const why = offOf(chosen())[name];
    if (why) look({ message: why, error: "" });
    return why !== undefined;
  }

  /** Say that a label is wrong, right or ambiguous; of one that is stated both ways, `same` says which is. */
  async function decide({ say, same }) {
    if (isOff(say)) return null;
    const { a, b, edge, pair, label } = chosen();
    if (say === "wrong" && same === undefined && edge && isBothWays(edge)) {
      tell({ isAsking: !state.desk.isAsking, message: "", error: "" });
      return null;
    }
    const means = same ?? { wrong: 1 - label, keep: label, ambiguous: "?" }[say];
    const told = TOLD[verdictOf(means, label)];
    if (said.get(pair) === String(means)) {
      look({ message: `You have said so already: ${told.toLowerCase()}.`, error: "" });
      return null;
    }
    const follows = say === "wrong" && state.why?.follows;
    const answer = await act({ act: "say", a: a.number, b: b.number, same: means });
    if (!answer) return null;
    const what = follows ? `${told} (${follows}).` : `${told}.`;
    const about = !edge && "No row states it: if it is wrong, so is a label of its proof.";
    return { ...answer, message: [what, about, answer.text].filter(Boolean).join(" ") };
  }

  async function note({ text }) {
    if (isOff("note") || !text.trim()) return null;
    const { a, b } = chosen();
    const answer = await act({ act: "note", a: a.number, b: b.number, text: text.trim() });
    return answer && { ...answer, message: "Noted." };
  }

  async function ask() {
    if (isOff("skip")) return null;
    const { name, ...content } = topic();
    if (asked.has([content.what, ...[content.a, content.b].sort((a, b) => a - b)].join(" "))) {
      look({ message: `A colleague is asked about ${name} already.`, error: "" });
      return null;
    }
    const answer = await act({ act: "ask", ...content });
    return answer && { ...answer, message: `Sent: a colleague is asked about ${name}.` };
  }

  async function undo() {
    if (isOff("undo")) return null;
    const answer = await act({ act: "undo" });
    return answer && { ...answer, message: answer.at ? "Taken back." : "Nothing is left to take back." };
  }

  /** What would follow if the chosen label were wrong, where somebody can tell. */
  async function foresee() {
    const one = chosen();
    if (!isOn() || !one?.edge || !keeper.follows) return {};
    return keeper.follows(one.a.number, one.b.number).catch(() => ({}));
  }

  return { isOn, read, look, marks, foresee, acts: { decide, note, ask, undo } };
}
