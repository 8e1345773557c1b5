// The right-hand side of an exercise: the question, how to answer, what was chosen, the grade, the hints
// taken.

const LINES = "Click lines in the picture, then Check. A second click takes a line back.";
const UNSENT = "not sent yet";
const HOW = {
  choice: "Choose an answer.",
  number: "Type a number, then Check.",
  edges: LINES,
  cycle: LINES,
  camps: "Click the nodes: each click puts one in the next camp, by colour. Then Check.",
  turn: "Click lines to turn their signs, then Check.",
  draw:
    "Click one node, then another, to join them by +. Click a line to make it −, again to take it away. " +
    "Then Check."
};

const checkOrVote = ({ isHidden }) => (isHidden ? "Vote" : "Check");

function questionActions(bench) {
  const { exercise, attempt, done, place, last } = bench;
  const { grade } = attempt;
  const stuck = grade && !grade.correct && (done.solved || done.tries >= PATIENCE);
  const over = done.solved || done.shown;
  const hints = exercise.hints.length;
  return childrenOf([
    !exercise.replies && [action(checkOrVote(bench), "answer"), control("Start again", "clear")],
    done.hints < hints && action(`Hint ${done.hints + 1} of ${hints}`, "hint"),
    stuck && control("Show a solution", "solve"),
    over && place < last && control("Next ›", "next")
  ]);
}

/** Edges to draw thick, those chosen, and to draw on yellow: a triad or cycle that shows the grade. */
function questionMarks({ attempt: { picked, grade }, keys }) {
  const halo = keys(grade?.marks ?? []);
  if (!picked.length && !halo.length) return {};
  const nodes = [...picked, ...halo].flatMap(([a, b]) => [a, b]);
  return { highlight: { nodes: [...new Set(nodes)], edges: picked, soft: true, halo } };
}

/** Nodes that an answer names together. */
const together = ({ node }, keys, between) =>
  keys
    .map((key) => briefly(node(key)))
    .sort()
    .join(between);

/** An answer as one line of text, to be read, and counted in a class: the same one is always written in the
 * same way, as by `written_answer` in Python. */
function answerText(bench) {
  const { attempt, table, exercise } = bench;
  const pair = ([a, b]) => together(bench, [a, b], "–");
  if (bench.picks) return attempt.picked.map(pair).sort().join(", ");
  if (bench.draws)
    return table.edges
      .map((edge) => symbol(edge[2]) + pair(edge))
      .sort()
      .join(", ");
  if (exercise.kind === "number") return String(Number(attempt.typed));
  if (exercise.kind === "choice") return attempt.typed;
  const camps = grouped(Object.keys(attempt.camps), (key) => attempt.camps[key]);
  return [...camps.values()]
    .map((keys) => together(bench, keys, " "))
    .sort()
    .join(" | ");
}

/** A question of the class until it is revealed: no grade, and no hints. An answer that cannot be read is
 * told why, and one that was changed since, that it is not sent. */
function openVote(bench, { grade, ...panel }) {
  const { work, exercise, state } = bench;
  const facts = work.vote ? [["your vote", work.vote]] : [];
  const rest = { title: "Vote", highlight: undefined, facts };
  const actions = panel.actions.filter(({ intent }) => intent === "answer");
  const isBegun = bench.draws ? state.changes.length > 0 : !exercise.replies && answerText(bench) !== "";
  const badge = isBegun && answerText(bench) !== work.vote ? UNSENT : null;
  return { ...panel, ...rest, actions, badge, how: grade?.unread ? grade.message : panel.how };
}

function questionPanel(bench) {
  const { exercise, attempt, done, place } = bench;
  const { typed, grade } = attempt;
  const choose = (text) => ({ ...action(text, "answer", { answer: text }), pressed: text === typed });
  const chosen = exercise.replies || bench.draws ? "" : answerText(bench);
  const panel = {
    title: `Exercise ${place}, level ${exercise.level}`,
    text: exercise.question,
    choices: exercise.choices.map(choose),
    how: HOW[exercise.kind].replace("Check", checkOrVote(bench)),
    actions: questionActions(bench),
    facts: chosen ? [["chosen", chosen]] : [],
    hints_title: "Hints",
    hints: exercise.hints.slice(0, done.hints),
    ...questionMarks(bench)
  };
  if (done.shown) panel.done = "solution shown";
  if (done.solved) panel.done = `✓ solved on try ${done.tries}`;
  if (exercise.kind === "number") {
    panel.ask = {
      hint: "a number",
      value: typed,
      button: checkOrVote(bench),
      unsent: bench.isHidden && UNSENT
    };
  }
  if (grade) panel.grade = { badge: grade.correct ? "right" : "not yet", text: grade.message };
  if (exercise.pairs.length) Object.assign(panel, { pairs_title: "The sentences", pairs: exercise.pairs });
  return bench.isHidden ? openVote(bench, panel) : panel;
}
