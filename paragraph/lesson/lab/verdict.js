// The right-hand side in free play: both verdicts with what shows them, or a prediction while they are
// hidden.

const VERDICTS = ["balanced", "weakly balanced", "neither"];
const PREDICT = {
  words: "Is this graph balanced (two camps), weakly balanced (only with more camps), or neither?",
  choices: VERDICTS
};

const EMPTY =
  "Press “+ node” for each node. Click two nodes to join them; click the line to change its sign.";

const action = (text, intent, content = {}) => ({ text, intent, content });
const control = (text, name, value = true) => action(text, "control", { name, value });

/** May two camps of a balanced graph be one, since no negative line joins them? */
function mayJoin({ edges }, { camps }) {
  const count = new Set(camps).size;
  const split = edges.filter(isNegative).map(([a, b]) => [camps[a], camps[b]].sort().join(" "));
  return new Set(split).size < (count * (count - 1)) / 2;
}

/** A verdict in a few words: the fewest camps in the strong sense, the most in the weak one. */
function spoken(graph, verdict) {
  if (!verdict.balanced) return "✗ not balanced";
  const count = saidCamps(countCamps(verdict));
  if (verdict.kind === "weak") return `✓ balanced, ${mayJoin(graph, verdict) ? "up to " : ""}${count}`;
  const parts = new Set(connectedParts(graph.n, graph.edges).parts).size;
  const isFree = parts > 1 && countCamps(verdict) === 1; // each part may be either camp
  return `✓ balanced, ${isFree ? "1 camp is enough" : count}`;
}

/** Why a graph is balanced or not, in a sentence. */
function reason(strong, weak) {
  const camps = countCamps(strong) === 1 ? "One camp" : "Two camps";
  if (strong.balanced) return `${camps}: every cycle has an even number of negatives.`;
  if (weak.balanced) {
    return "More than two camps: friends of friends are friends, but enemies of enemies need not be.";
  }
  return "A path of positives is contradicted by one negative: no camps agree with every edge.";
}

function verdictName(strong, weak) {
  if (strong.balanced) return VERDICTS[0];
  return VERDICTS[weak.balanced ? 1 : 2];
}

function textOf(graph, strong, weak) {
  if (!graph.n) return "";
  return graph.edges.length ? reason(strong, weak) : "No line says who belongs together, or apart.";
}

/** A text that no line breaks: between minus signs too, where a browser would. */
const unbroken = (text) => [...text.replaceAll(" ", "\u00a0")].join("\u2060");

function verdictPanel(bench) {
  const graph = graphOn(bench.table);
  const [strong, weak] = ["strong", "weak"].map((kind) => judgeBalance(graph, kind));
  const named = (place) => briefly(bench.table.nodes[place]);
  const path = (cycle) => [...cycle, cycle[0]].map(named).join(" – ");
  const witness = ({ kind, cycle }) => `${path(cycle)}: ${signsAround(graph, cycle, kind)}`;
  const shown = [strong, weak].filter(({ cycle }) => cycle);
  const written = (count, kind) => `${KINDS[kind]}: ${count}`;
  const triads = countTriads(graph).map(written).map(unbroken);
  const panel = {
    title: "Verdict",
    facts: [
      ...[strong, weak].map((one) => [`${one.kind} balance`, spoken(graph, one)]),
      ...shown.map((one) => [`unbalanced (${one.kind})`, witness(one)]),
      ["triads", triads.join(", ")],
      ...saidBefore(bench, bench.work.vote === verdictName(strong, weak))
    ],
    text: textOf(graph, strong, weak),
    note: graph.n ? "Click a line to turn its sign." : EMPTY
  };
  const cycle = weak.cycle ?? strong.cycle;
  if (!cycle) return panel;
  const keys = cycle.map(bench.key);
  return { ...panel, highlight: { nodes: keys, edges: stepsOf(keys), soft: true } };
}

/** What was predicted, once it is known what is right. */
const saidBefore = ({ work: { vote } }, isRight) =>
  vote ? [["you said", `${vote} ${isRight ? "✓" : "✗"}`]] : [];

function votePanel({ work }) {
  const { words, choices } = work.asked ?? PREDICT;
  const cast = (answer) => ({ ...action(answer, "vote", { answer }), pressed: work.vote === answer });
  return {
    title: work.wall ? "Vote" : "Predict",
    text: words,
    choices: choices.map(cast),
    how: work.wall
      ? "Your vote may change until the tally is shown."
      : "The verdict is hidden until you reveal it."
  };
}

/** A teacher's own question, once it is revealed. */
function ownPanel(bench) {
  const { asked, right, vote } = bench.work;
  const facts = right.map((answer) => ["right", answer]);
  const own = right.length ? saidBefore(bench, right.includes(vote)) : [];
  return { title: "The vote", text: asked.words, facts: [...facts, ...own] };
}

function freePanel(bench) {
  if (bench.work.story !== null) return storyPanel(bench);
  if (bench.isHidden) return votePanel(bench);
  return bench.work.asked?.own ? ownPanel(bench) : verdictPanel(bench);
}
