// What a person says of the labels shown, written to the log of Python or that of a saved page. The trait
// `decided` holds what stands there (`DecidedLabels.plain`), `desk` what the keys do with what is chosen.

const CHOICES = [
  ["flip", "flip", "Wrong", "Its label should be the other one"],
  ["keep", "keep", "Right", "Its label is correct"],
  ["ambiguous", "ambiguous", "Ambiguous", "Nobody can say"]
];
const OTHERS = [
  ["undo", "undo", "Undo", "Take back the last answer"],
  ["note", "note", "Note", "Write a note on this pair"],
  ["skip", "ask", "Ask", "Ask a colleague: this line, sentence or cluster goes to their review"]
];
const TOLD = {
  cut: "Wrong: cut",
  flip: "Wrong: flip",
  keep: "Right",
  ambiguous: "Ambiguous",
  same: "The same",
  different: "Different"
};

/** What an answer says of a label, or of two sentences that have none. */
function verdictOf(same, label) {
  if (same === "?") return "ambiguous";
  if (label === null) return same === "1" ? "same" : "different";
  if (Number(same) === label) return "keep";
  return label ? "cut" : "flip";
}

function decisionsOf({ data, state, give, graph, keeper, list }) {
  let said = new Map(); // by pair: "1", "0" or "?"
  const option = (same) => ({
    key: String(same),
    text: graph.stating({ sign: same - 0.5 }),
    content: { same }
  });
  const which = { title: "Which is right?", options: [option(1), option(0)] };
  const isOn = () => state.decided?.reviewer !== undefined;
  const tell = (changes) => give({ desk: { ...state.desk, ...changes } });

  /** Read what stands. */
  function read() {
    const { said: all = [] } = state.decided ?? {};
    said = new Map(all.map(([a, b, , , same]) => [`${a} ${b}`, same]));
    if (isOn()) list.decide(all);
  }

  /** The label of two sentences, null where there is none. */
  function labelOf(a, b) {
    const edge = graph.edgeBetween(a, b);
    if (edge) return Number(edge.sign > 0);
    const { verdict, label } = graph.explain(a, b);
    return verdict === "inferred" ? Number(label) : null;
  }

  const kindsOf = (keys) => keys.map(([kind]) => kind).join("");

  /** The pair that is chosen, or null. */
  function chosen() {
    if (kindsOf(state.selected) !== "nn") return null;
    const [a, b] = state.selected.map((key) => graph.nodes.get(key));
    return { a, b, edge: graph.edgeBetween(a, b), pair: graph.pairOf(a, b), label: labelOf(a, b) };
  }

  /** What a colleague is asked about: what is chosen, else the open cluster, by its most central sentence. */
  function topic() {
    const { selected: keys, screen } = state;
    const alone = (key) => ({ a: graph.nodes.get(key), b: graph.nodes.get(key) });
    if (chosen()) return { ...chosen(), ask: "pair", name: "this pair" };
    if (kindsOf(keys) === "n") return { ...alone(keys[0]), ask: "sentence", name: "this sentence" };
    const cluster = kindsOf(keys) === "c" ? Number(keys[0].slice(1)) : screen.cluster;
    if (keys.length > 1 || cluster === null) return null;
    return { ...alone(graph.centralOf(cluster).key), ask: "cluster", name: `cluster ${cluster}` };
  }

  /** Why keys do nothing now, by their names. */
  function offOf(one) {
    const reasons = {};
    const set = (names, why) => names.forEach((name) => (reasons[name] = why));
    if (!isOn()) set(["flip", "keep", "ambiguous", "note", "ask", "undo"], data.nobody);
    else if (one) {
      if (isBothWays(one.edge ?? {})) set(["keep"], "Only one of its labels is right: f asks which.");
      if (one.label === null) set(["flip", "keep", "ambiguous", "ask"], "The two have no label.");
    } else {
      set(["flip", "keep", "ambiguous", "note"], "Select a line or two sentences first.");
      if (!topic()) set(["ask"], "Select a line, a sentence or a cluster.");
    }
    return reasons;
  }

  /** Show what the keys do with what is chosen. */
  function look(changes = {}) {
    const one = chosen();
    const same = said.get(one?.pair);
    const { reviewer = "", noted } = state.decided ?? {};
    const verdict = same === undefined ? "" : verdictOf(same, one.label);
    const isPage = data.isPage === true;
    tell({
      choices: CHOICES,
      also: OTHERS,
      asks: isBothWays(one?.edge ?? {}) ? { flip: which } : {},
      isOn: isOn(),
      isPage,
      reviewer,
      item: one?.pair ?? null,
      about: `${isPage || !isOn() ? "" : `${reviewer} · `}${said.size} decided`,
      verdict: verdict === "cut" ? "flip" : verdict,
      told: TOLD[verdict] ?? "",
      notes: [noted?.[one?.pair]].filter(Boolean),
      off: offOf(one),
      ...changes
    });
  }

  /** What is drawn on lines of the picture, by their pairs. */
  function marks({ at }) {
    const tags = {};
    const mark = (numbers, markOf) => {
      const [a, b] = numbers.map((number) => graph.nodes.get(`n${number}`));
      if (!at.has(a?.key) || !at.has(b?.key)) return;
      const pair = pairKey(a.key, b.key);
      tags[pair] = (tags[pair] ?? "") + markOf(a, b);
    };
    const { said: all = [], asked = [] } = state.decided ?? {};
    for (const [a, b, , , same] of all) mark([a, b], (...ends) => MARKS[verdictOf(same, labelOf(...ends))]);
    for (const [what, ...ends] of asked) if (what === "pair") mark(ends, () => MARKS.skip);
    return Object.keys(tags).length ? { tags } : {};
  }

  /** Have something written, where the key of a name can be used now: the answer, with what is `said` of it;
   * null where it cannot, which is told. */
  async function act(name, ask, said, why = offOf(chosen())[name]) {
    if (why) {
      look({ message: why, error: "" });
      return null;
    }
    tell({ message: "Writing …", error: "" });
    try {
      const answer = await ask();
      return { ...answer, message: said(answer) };
    } catch ({ message }) {
      tell({ message: "", error: `Nothing was written. ${message}` });
      return null;
    }
  }

  const decideOn = ({ a, b }, content) => keeper.decide({ a: a.number, b: b.number, ...content });

  /** Say that a label is wrong, right or ambiguous; of one that is stated both ways, `same` says which is. */
  function decide({ decision, same }) {
    const one = chosen();
    if (decision === "flip" && same === undefined && isBothWays(one?.edge ?? {})) return null; // it is asked
    const means = same ?? { flip: 1 - one?.label, keep: one?.label, ambiguous: "?" }[decision];
    const follows = decision === "flip" && state.why?.follows;
    return act(
      decision,
      () => decideOn(one, { same: means }),
      ({ text }) => {
        const told = TOLD[verdictOf(means, one.label)];
        const about = !one.edge && "No row states it: if it is wrong, so is a label of its proof.";
        return [follows ? `${told} (${follows}).` : `${told}.`, about, text].filter(Boolean).join(" ");
      }
    );
  }

  /** Note something on a pair, which may no longer be the one that is chosen. */
  function note({ text, item = chosen()?.pair }) {
    const [a, b] = item?.split(" ").map(Number) ?? [];
    const written = () => keeper.decide({ a, b, note: text.trim() });
    return act("note", written, () => "Noted.", isOn() && item ? "" : undefined);
  }

  function ask() {
    const one = topic();
    const said = () => `Sent: a colleague will be asked about ${one.name}.`;
    return act("ask", () => decideOn(one, { ask: one.ask }), said);
  }

  const undo = () =>
    act("undo", keeper.undo, ({ at }) => (at ? "Taken back." : "There is nothing left to take back."));

  /** What would follow if the chosen label were wrong, where somebody can tell. */
  async function foresee() {
    const one = chosen();
    if (!isOn() || !one?.edge || !keeper.follows) return {};
    return keeper.follows(one.a.number, one.b.number).catch(() => ({}));
  }

  return { isOn, read, look, marks, foresee, acts: { decide, note, ask, undo } };
}
