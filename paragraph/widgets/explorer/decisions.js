// What a person says of the labels shown, written to the log of Python or that of a saved page. The trait
// `decided` holds what stands there (`Marks.plain`), `desk` what the keys do with what is chosen.

const ANSWERS = {
  cut: "Wrong: cut",
  flip: "Wrong: flip",
  keep: "Right",
  ambiguous: "Ambiguous",
  same: "The same",
  different: "Different"
};

const LATE = "Not taken: another line was chosen meanwhile. Decide again for the one that is shown.";

/** What an answer says of a label, or of two sentences that have none. */
function verdictOf(same, label) {
  if (same === "?") return "ambiguous";
  if (label === null) return same === "1" ? "same" : "different";
  if (Number(same) === label) return "keep";
  return label ? "cut" : "flip";
}

function decisionsOf({ data, state, give, graph, keeper, list }) {
  let answers = new Map(); // by pair: "1", "0" or "?"
  const verdicts = data.choices.map(([, name]) => name);
  const option = (same) => ({ key: String(same), text: graph.words[same], content: { same } });
  const asked = { title: "Which is right?", options: [option(1), option(0)] };

  const isOn = () => state.decided.reviewer !== undefined;
  const tell = (changes) => give({ desk: { ...state.desk, ...changes } });

  /** Read what stands. */
  function read() {
    const { answers: all = [] } = state.decided;
    answers = new Map(all.map(([a, b, , , same]) => [`${a} ${b}`, same]));
    if (isOn()) list.decide(all);
  }

  /** The label of two sentences, null where there is none. */
  function labelOf(a, b) {
    const edge = graph.edgeBetween(a, b);
    if (edge) return Number(edge.sign > 0);
    const { verdict, label } = graph.explain(a, b);
    return verdict === "inferred" ? Number(label) : null;
  }

  /** The pair that is chosen, or null; `isTwice`: it is stated both ways. */
  function chosen() {
    const [a, b, ...others] = state.selected.map((key) => graph.nodes.get(key));
    if (!a || !b || others.length) return null;
    const edge = graph.edgeBetween(a, b);
    const isTwice = isLabelledTwice(edge ?? {});
    return { a, b, edge, isTwice, pair: graph.pairOf(a, b), label: labelOf(a, b) };
  }

  /** Why keys do nothing now, by their names. */
  function offOf(one) {
    const because = (names, why) => Object.fromEntries(names.map((name) => [name, why]));
    if (!isOn()) return because([...verdicts, "note", "undo"], data.nobody);
    if (!one) return because([...verdicts, "note"], "Select a line or two sentences first.");
    if (one.label === null) return because(verdicts, "The two have no label.");
    return one.isTwice ? { keep: "Only one of its labels is right: the button Wrong asks which." } : {};
  }

  /** Show what the keys do with what is chosen. */
  function look(changes = {}) {
    const one = chosen();
    const same = answers.get(one?.pair);
    const { reviewer = "", notes = {} } = state.decided;
    const verdict = same === undefined ? "" : verdictOf(same, one.label);
    const isPage = data.isPage === true;
    const who = isPage || !isOn() ? "" : `${reviewer} · `;
    tell({
      choices: data.choices,
      asks: one?.isTwice ? { flip: asked } : {},
      isOn: isOn(),
      isPage,
      reviewer,
      item: one?.pair ?? null,
      about: `${who}${answers.size} decided`,
      verdict: verdict === "cut" ? "flip" : verdict,
      answer: ANSWERS[verdict] ?? "",
      notes: [notes[one?.pair]].filter(Boolean),
      off: offOf(one),
      ...changes
    });
  }

  /** What is drawn on lines of the picture, by their pairs. */
  function marks({ at }) {
    const tags = {};
    for (const [one, other, , , same] of state.decided.answers ?? []) {
      const [a, b] = graph.nodesOf([one, other]);
      if (at.has(a?.key) && at.has(b?.key))
        tags[pairKey(a.key, b.key)] = MARKS[verdictOf(same, labelOf(a, b))];
    }
    return Object.keys(tags).length ? { tags } : {};
  }

  /** Have something written, where the key of a name can be used now: the answer, with a message; null where
   * it cannot, and the desk tells `why`. */
  async function act(name, ask, messageOf, why = offOf(chosen())[name]) {
    if (why) {
      look({ message: why, error: "" });
      return null;
    }
    tell({ message: "Writing …", error: "" });
    try {
      const answer = await ask();
      return { ...answer, message: messageOf(answer) };
    } catch ({ message }) {
      tell({ message: "", error: `Nothing was written. ${message}` });
      return null;
    }
  }

  /** Say that a label is wrong, right or ambiguous; of one that is stated both ways, `same` says which is.
   * The `item` is the pair for which the keys were shown. */
  function decide({ decision, same, item }) {
    const one = chosen();
    if (item !== undefined && item !== (one?.pair ?? null)) return act(decision, null, null, LATE);
    // which of its two labels is right?
    if (decision === "flip" && same === undefined && one?.isTwice) return null;
    const means = same ?? { flip: 1 - one?.label, keep: one?.label, ambiguous: "?" }[decision];
    function messageOf({ text }) {
      const inferred = !one.edge && "No row states it: if it is wrong, so is a label of its proof.";
      return joined([`${ANSWERS[verdictOf(means, one.label)]}.`, inferred, text]);
    }
    return act(decision, () => keeper.decide({ a: one.a.number, b: one.b.number, same: means }), messageOf);
  }

  /** Note something on a pair, which may no longer be the one that is chosen. */
  function note({ text, item = chosen()?.pair }) {
    const [a, b] = item?.split(" ").map(Number) ?? [];
    const why = isOn() && item ? "" : undefined;
    return act(
      "note",
      () => keeper.decide({ a, b, note: text.trim() }),
      () => "Noted.",
      why
    );
  }

  const undo = () =>
    act("undo", keeper.undo, ({ at }) => (at ? "Taken back." : "There is nothing left to take back."));

  /** What would follow if the chosen label were wrong, where somebody can tell. */
  async function foresee() {
    const one = chosen();
    if (!isOn() || !one?.edge || !keeper.follows) return [];
    return keeper.follows(one.a.number, one.b.number).catch(() => []);
  }

  return { isOn, read, look, marks, foresee, acts: { decide, note, undo } };
}
