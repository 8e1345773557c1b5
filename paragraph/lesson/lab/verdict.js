// The right-hand side in free play: both verdicts with what shows them, or a prediction while they are
// hidden; and the chart of the dynamics.

const VERDICTS = ["balanced", "weakly balanced", "neither"];

const PARTS = 6; // of a graph that falls apart, judged one by one
const EMPTY =
  "Press “+ node” for each node. Click two nodes to join them; click the line to change its sign.";

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

/** The verdicts on each part of a graph that falls apart into a few, by the names of its nodes. */
function verdictsByPart(graph, called) {
  const { parts } = connectedParts(graph.n, graph.edges);
  const nodesOf = (part) => [...parts.keys()].filter((node) => parts[node] === part);
  const all = [...new Set(parts)].map(nodesOf).filter((nodes) => nodes.length > 1);
  if (all.length < 2 || all.length > PARTS) return [];
  const holds = (edges, kind) => judgeBalance({ n: graph.n, edges }, kind).balanced;
  const mark = (edges, kind) => `${kind} ${holds(edges, kind) ? "✓" : "✗"}`;
  return all.map((nodes) => {
    const edges = graph.edges.filter(([a]) => nodes.includes(a));
    return [nodes.map(called).join(" "), `${mark(edges, "strong")}, ${mark(edges, "weak")}`];
  });
}

function verdictPanel(bench) {
  const graph = graphOn(bench.table);
  const judged = (kind) => ({ ...judgeBalance(graph, kind), cycle: shortestUnbalanced(graph, kind) });
  const [strong, weak] = ["strong", "weak"].map(judged);
  const called = (place) => {
    const node = bench.table.nodes[place];
    return node.sentence ? String(node.number) : node.short;
  };
  const path = (cycle) => [...cycle, cycle[0]].map(called).join(" – ");
  const witness = ({ kind, cycle }) => `${path(cycle)}: ${signsAround(graph, cycle, kind)}`;
  const shown = [strong, weak].filter(({ cycle }) => cycle);
  const written = (count, kind) => `${KINDS[kind]}: ${count}`;
  const triads = countTriads(graph).map(written).map(unbroken);
  const panel = {
    title: "Verdict",
    facts: [
      ...[strong, weak].map((one) => [`${one.kind} balance`, spoken(one)]),
      ...verdictsByPart(graph, called),
      ...shown.map((one) => [`unbalanced (${one.kind})`, witness(one)]),
      ["triads", triads.join(", ")],
      ...saidBefore(bench, strong.balanced ? 0 : weak.balanced ? 1 : 2)
    ],
    text: graph.n ? reason(strong, weak) : "",
    note: graph.n ? "Click a line to turn its sign." : EMPTY
  };
  const cycle = weak.cycle ?? strong.cycle;
  if (!cycle) return panel;
  const keys = cycle.map(bench.key);
  return { ...panel, highlight: { nodes: keys, edges: stepsOf(keys), soft: true } };
}

/** What was predicted, once the verdict is shown. */
const saidBefore = ({ work: { vote } }, right) =>
  vote ? [["you said", `${vote} ${vote === VERDICTS[right] ? "✓" : "✗"}`]] : [];

function votePanel({ work }) {
  const cast = (answer) => ({ ...action(answer, "vote", { answer }), pressed: work.vote === answer });
  const told = "Your vote may change until the tally is shown.";
  return {
    title: work.wall ? "Vote" : "Predict",
    text: "Is this graph balanced (two camps), weakly balanced (only with more camps), or neither?",
    choices: VERDICTS.map(cast),
    how: work.wall ? told : "The verdict is hidden until you reveal it."
  };
}

/** The share of balanced triads while the dynamics plays; without a triad there is none. */
function chartOf({ work: { run }, isHidden }) {
  const shares = run?.shares.slice(0, run.at + 1) ?? [];
  if (isHidden || !shares.length || shares[0] === null) return {};
  return { chart: { points: shares, title: "Share of balanced triads, step by step" } };
}

function freePanel(bench) {
  const panel = bench.isHidden ? votePanel : verdictPanel;
  return { ...panel(bench), ...chartOf(bench) };
}
