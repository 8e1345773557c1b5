// The right-hand side of an exercise: the question, how to answer, what was chosen, the grade, the hints
// taken.

const HOW = {
  choice: "Choose an answer below.",
  number: "Type a number, then Check.",
  edges: "Click lines in the picture, then Check. A second click takes a line back.",
  cycle: "Click the lines of the cycle in the picture, then Check. A second click takes a line back.",
  camps: "Click the nodes: each click puts one in the next camp, by colour. Then Check. (Or type the camps.)",
  turn: "Click lines to turn their signs, then Check.",
  away: "Click lines to take them away, then Check. Undo brings them back.",
  draw:
    "Click one node, then another, to join them by +. Click a line to make it −, again to take it away. " +
    "Then Check."
};
const ASKED = { number: "a number", camps: "camps, such as A B | C D | E" };

function questionActions(bench) {
  const { exercise, attempt, done } = bench;
  const { grade } = attempt;
  const stuck = grade && !grade.correct && (done.solved || done.tries >= PATIENCE);
  const over = done.solved || done.shown;
  const hints = exercise.hints.length;
  return [
    (bench.picks || bench.draws) && action("Check", "answer"),
    !exercise.replies && control("Start again", "clear"),
    done.hints < hints && action(`Hint ${done.hints + 1} of ${hints}`, "hint"),
    stuck && control("Show a solution", "solve"),
    over && control("Next ›", "next")
  ].filter(Boolean);
}

/** Edges to draw thick, those chosen, and to draw on yellow: a triad or cycle that shows the grade. */
function questionMarks({ attempt: { picked, grade }, keys }) {
  const halo = keys(grade?.marks ?? []);
  if (!picked.length && !halo.length) return {};
  const nodes = [...picked, ...halo].flatMap(([a, b]) => [a, b]);
  return { highlight: { nodes: [...new Set(nodes)], edges: picked, soft: true, halo } };
}

/** Edges that were chosen, a sentence by its number. */
function saidPairs({ node }, pairs) {
  const called = (key) => (node(key).sentence ? String(node(key).number) : node(key).named);
  return pairs.map((pair) => pair.map(called).sort().join("–")).join(", ");
}

/** An answer in words, to be counted in a class. */
function saidAnswer(bench) {
  const { attempt, table } = bench;
  if (bench.picks) return saidPairs(bench, attempt.picked);
  if (!bench.draws) return attempt.typed;
  const said = ([a, b, sign]) => symbol(sign) + saidPairs(bench, [[a, b]]);
  return table.edges.map(said).sort().join(" ");
}

/** A question of the class while the vote is open: no grade, and no hints. */
function openVote({ work: { vote } }, { grade: _, ...panel }) {
  const actions = panel.actions.filter(({ intent }) => intent === "answer");
  return { ...panel, title: "Vote", actions, highlight: undefined, facts: vote ? [["your vote", vote]] : [] };
}

function questionPanel(bench) {
  const { exercise, attempt, done, place } = bench;
  const { picked, typed, grade } = attempt;
  const choose = (text) => ({ ...action(text, "answer", { answer: text }), pressed: text === typed });
  const asked = ASKED[exercise.kind];
  const panel = {
    title: `Exercise ${place}, level ${exercise.level}`,
    text: exercise.question,
    choices: exercise.choices.map(choose),
    how: HOW[exercise.touch || exercise.kind],
    actions: questionActions(bench),
    facts: picked.length ? [["chosen", saidPairs(bench, picked)]] : [],
    hints_title: "Hints",
    hints: exercise.hints.slice(0, done.hints),
    ...questionMarks(bench)
  };
  if (done.shown) panel.done = "solution shown";
  if (done.solved) panel.done = `✓ solved on try ${done.tries}`;
  if (asked) panel.ask = { hint: asked, value: typed };
  if (grade) panel.grade = { badge: grade.correct ? "right" : "not yet", text: grade.message };
  if (exercise.pairs.length) Object.assign(panel, { pairs_title: "The sentences", pairs: exercise.pairs });
  return bench.isHidden ? openVote(bench, panel) : panel;
}
