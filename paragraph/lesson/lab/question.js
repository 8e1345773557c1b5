// The right-hand side of an exercise: the question, how to answer, what was chosen, the grade, the hints
// taken.

const LINES = "Click lines in the picture, then Check. A second click takes a line back.";
const HOW = {
  choice: "Choose an answer below.",
  number: "Type a number, then Check.",
  edges: LINES,
  cycle: LINES,
  camps: "Click the nodes: each click puts one in the next camp, by colour. Then Check.",
  turn: "Click lines to turn their signs, then Check.",
  draw:
    "Click one node, then another, to join them by +. Click a line to make it −, again to take it away. " +
    "Then Check."
};

function questionActions(bench) {
  const { exercise, attempt, done, place, last } = bench;
  const { grade } = attempt;
  const stuck = grade && !grade.correct && (done.solved || done.tries >= PATIENCE);
  const over = done.solved || done.shown;
  const hints = exercise.hints.length;
  return [
    ...(exercise.replies ? [] : [action("Check", "answer"), control("Start again", "clear")]),
    done.hints < hints && action(`Hint ${done.hints + 1} of ${hints}`, "hint"),
    stuck && control("Show a solution", "solve"),
    over && place < last && control("Next ›", "next")
  ].filter(Boolean);
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

/** An answer in words, to be read, and counted in a class. */
function saidAnswer(bench) {
  const { attempt, table, exercise } = bench;
  const pair = ([a, b]) => together(bench, [a, b], "–");
  if (bench.picks) return attempt.picked.map(pair).join(", ");
  if (bench.draws)
    return table.edges
      .map((edge) => symbol(edge[2]) + pair(edge))
      .sort()
      .join(" ");
  if (exercise.kind !== "camps") return attempt.typed;
  const camps = grouped(Object.keys(attempt.camps), (key) => attempt.camps[key]);
  return [...camps.values()]
    .map((keys) => together(bench, keys, " "))
    .sort()
    .join(" | ");
}

/** A question of the class while the vote is open: no grade, and no hints. */
function openVote({ work: { vote } }, { grade: _, ...panel }) {
  const actions = panel.actions.filter(({ intent }) => intent === "answer");
  return { ...panel, title: "Vote", actions, highlight: undefined, facts: vote ? [["your vote", vote]] : [] };
}

function questionPanel(bench) {
  const { exercise, attempt, done, place } = bench;
  const { typed, grade } = attempt;
  const choose = (text) => ({ ...action(text, "answer", { answer: text }), pressed: text === typed });
  const chosen = exercise.replies || bench.draws ? "" : saidAnswer(bench);
  const panel = {
    title: `Exercise ${place}, level ${exercise.level}`,
    text: exercise.question,
    choices: exercise.choices.map(choose),
    how: HOW[exercise.kind],
    actions: questionActions(bench),
    facts: chosen ? [["chosen", chosen]] : [],
    hints_title: "Hints",
    hints: exercise.hints.slice(0, done.hints),
    ...questionMarks(bench)
  };
  if (done.shown) panel.done = "solution shown";
  if (done.solved) panel.done = `✓ solved on try ${done.tries}`;
  if (exercise.kind === "number") panel.ask = { hint: "a number", value: typed };
  if (grade) panel.grade = { badge: grade.correct ? "right" : "not yet", text: grade.message };
  if (exercise.pairs.length) Object.assign(panel, { pairs_title: "The sentences", pairs: exercise.pairs });
  return bench.isHidden ? openVote(bench, panel) : panel;
}
