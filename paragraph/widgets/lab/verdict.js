// The right-hand side in free play: both verdicts with what shows them, or the vote of the class while they
// are hidden; and the chart of the dynamics.

const VOTES = [
  ["strong", "balanced"],
  ["strong", "not balanced"],
  ["weak", "balanced"],
  ["weak", "not balanced"]
];

const action = (text, intent, content = {}) => ({ text, intent, content });
const control = (text, name, value = true) => action(text, "control", { name, value });

/** A verdict in a few words. */
const spoken = (verdict) =>
  verdict.balanced ? `✓ balanced, ${saidCamps(countCamps(verdict))}` : "✗ not balanced";

/** Why a graph is balanced or not, in a sentence. */
function reason(strong, weak) {
  const camps = countCamps(strong) === 1 ? "One camp" : "Two camps";
  if (strong.balanced) return `${camps}: every cycle has an even number of negatives.`;
  if (weak.balanced) {
    return "More than two camps: friends of friends are friends, but enemies of enemies need not be.";
  }
  return "A path of positives is contradicted by one negative: no camps agree with every edge.";
}

/** A text that no line breaks: between minus signs too, where a browser would. */
const unbroken = (text) => [...text.replaceAll(" ", "\u00a0")].join("\u2060");

function verdictPanel(bench) {
  const graph = graphOn(bench.table);
  const judged = (kind) => ({ ...judgeBalance(graph, kind), cycle: shortestUnbalanced(graph, kind) });
  const [strong, weak] = ["strong", "weak"].map(judged);
  const called = (place) => bench.table.nodes[place].short;
  const path = (cycle) => [...cycle, cycle[0]].map(called).join(" – ");
  const product = ({ cycle }) => `${path(cycle)}: ${productOf(graph, cycle)}`;
  const same = String(weak.cycle) === String(strong.cycle);
  const shown = [strong, weak].filter((one) => one.cycle && (one === strong || !same));
  const written = (count, kind) => `${KINDS[kind].replaceAll("-", "−")}: ${count}`;
  const triads = countTriads(graph).map(written).map(unbroken);
  const panel = {
    title: "Verdict",
    facts: [
      ...[strong, weak].map((one) => [`${one.kind} balance`, spoken(one)]),
      ...shown.map((one) => [`unbalanced (${one.kind})`, product(one)]),
      ["triads", triads.join(", ")]
    ],
    text: reason(strong, weak),
    note: "Click a line to turn its sign."
  };
  const cycle = weak.cycle ?? strong.cycle;
  if (!cycle) return panel;
  const keys = cycle.map(bench.key);
  return { ...panel, highlight: { nodes: keys, edges: stepsOf(keys), soft: true } };
}

const voteOf = (kind, answer) => `${kind} ${answer}`;

function votePanel(bench) {
  const { votes } = bench.work;
  const counted = ([kind, answer]) => `${kind}: ${answer} (${votes[voteOf(kind, answer)] ?? 0})`;
  const cast = (vote) => action(counted(vote), "vote", { kind: vote[0], answer: vote[1] });
  return {
    title: "Vote",
    text: "Is this graph balanced? The verdict is hidden until the vote is closed.",
    actions: [...VOTES.map(cast), control(hintOf(bench, "Reveal the verdict", "reveal"), "reveal")]
  };
}

/** The share of balanced triads while the dynamics plays; without a triad there is none. */
function chartOf({ work: { run } }) {
  const shares = run?.shares.slice(0, run.at + 1) ?? [];
  if (!shares.length || shares[0] === null) return {};
  return { chart: { points: shares, title: "Share of balanced triads, step by step" } };
}

function freePanel(bench) {
  const panel = bench.isHidden ? votePanel : verdictPanel;
  return { ...panel(bench), ...chartOf(bench) };
}
