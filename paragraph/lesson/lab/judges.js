// Answers to exercises judged: each rule replies to what was read, and says why an answer is wrong, never
// what would be right. An exercise is `{ nodes, graph, kind, replies | rule }`; nodes and edges of answers go
// by places.

const PATTERNS = { strong: "an odd number of negative edges", weak: "exactly one negative edge" };
const SENSES = { strong: "strongly balanced", weak: "weakly balanced" };

const right = (message, marks = []) => ({ correct: true, message, marks });

function refuseIf(isWrong, message, marks) {
  if (isWrong) throw new Wrong(message, marks);
}

/** The verdict on a graph; `Wrong`, with an unbalanced cycle, where it is not balanced. */
function checkBalance(exercise, graph, kind, fault) {
  const verdict = judgeBalance(graph, kind);
  const { along, around } = tellerOf(exercise, graph);
  const { balanced, cycle } = verdict;
  if (!balanced) throw new Wrong(`${fault} ${along(cycle, kind)}.`, around(cycle));
  return verdict;
}

const saidBalanced = (verdict) => `${SENSES[verdict.kind]}: ${saidCamps(countCamps(verdict))}`;

function checkSize(drawn, edges) {
  const { length } = drawn.edges;
  refuseIf(length !== edges, `${edges} edges are asked for, this has ${length}.`);
  const { parts } = connectedParts(drawn.n, drawn.edges);
  refuseIf(parts.some(Boolean), "It is not connected: some node cannot be reached from another.");
}

/** May an edge turn next in constrained dynamics? */
const mayTurn = ({ odd, even }) => odd.length > 0 && odd.length >= even.length;

/** Each judges an answer by a rule; the last argument tells of the graph that is asked about, or drawn. */
const JUDGES = {
  camps({ graph }, camps, { most }, { path }) {
    for (const [a, b, sign] of graph.edges) {
      const camp = camps[a] === camps[b] ? "the same camp" : "different camps";
      const isWrong = (camp === "the same camp") !== sign > 0;
      refuseIf(isWrong, `${path([a, b])} is ${symbol(sign)}, but you put the two in ${camp}.`, [
        [a, b, sign]
      ]);
    }
    const many = new Set(camps).size;
    refuseIf(many > most, "Every edge fits, but there are more than two camps: strong balance allows two.");
    return right("Right: every edge fits.");
  },

  cycle(exercise, nodes, { kind, most }, { along, around }) {
    const path = along(nodes, kind);
    const marks = around(nodes);
    const negatives = marks.filter(isNegative).length;
    const isUnbalanced = kind === "weak" ? negatives === 1 : negatives % 2 === 1;
    const count = counting(negatives || "no", "negative edge");
    refuseIf(!isUnbalanced, `${path} has ${count}; an unbalanced one has ${PATTERNS[kind]}.`, marks);
    refuseIf(nodes.length > most, `${path} is unbalanced, but a shorter cycle is unbalanced, too.`, marks);
    return right(`Right: ${path}.`, marks);
  },

  /** Edges that are turned, or taken away. */
  changes(exercise, pairs, { kind, most, away }) {
    const after = (away ? withoutEdges : turnedEdges)(exercise.graph, pairs);
    checkBalance(exercise, after, kind, "A cycle is still unbalanced, for example");
    refuseIf(pairs.length > most, "After this, the graph is balanced, but fewer edges are enough.");
    const turned = after.edges.filter((edge) => holdsPair(pairs, edge));
    return right("Right: the graph is balanced, and no fewer edges are enough.", turned);
  },

  cut({ graph }, pairs, { trusted, most }, { path, around, marked }) {
    const named = "Trust the negative label: name positive ones.";
    refuseIf(holdsPair(pairs, trusted[0]), named, marked(trusted));
    const { cycle } = judgeBalance(withoutEdges(graph, pairs), "weak");
    if (cycle) throw new Wrong(`A path of positives still contradicts it: ${path(cycle)}.`, around(cycle));
    refuseIf(pairs.length > most, "That would resolve it, but fewer labels need to be wrong.");
    return right("Right: without these, no path contradicts the negative, and no fewer are enough.");
  },

  /** The edges of a complete graph that may turn next in constrained dynamics: all of them, and no others. */
  "turns next"({ graph }, pairs, rule, { path, around }) {
    const triads = triadsOf(graph);
    for (const pair of pairs) {
      const there = triadsAround(triads, pair);
      const fault = `${path(pair)} may not turn: more triads would be unbalanced.`;
      if (!mayTurn(there)) throw new Wrong(fault, around(there.even[0].nodes));
    }
    const isLeft = (edge) => mayTurn(triadsAround(triads, edge)) && !holdsPair(pairs, edge);
    const left = graph.edges.find(isLeft);
    if (!left) return right("Right: these, and no others.");
    throw new Wrong("More edges may turn than these.", around(triadsAround(triads, left).odd[0].nodes));
  },

  "only weakly"(exercise, drawn, { edges, positive }, { along, around }) {
    checkSize(drawn, edges);
    const friends = drawn.edges.filter(isPositive).length;
    const wanted = counting(positive, "positive edge is", "positive edges are");
    refuseIf(friends !== positive, `${wanted} asked for, this has ${friends}.`);
    const { balanced, cycle } = judgeBalance(drawn, "strong");
    refuseIf(balanced, "It is strongly balanced: two camps are enough.");
    const weak = checkBalance(exercise, drawn, "weak", "It is not weakly balanced either:");
    return right(`Right: ${saidBalanced(weak)}, but ${along(cycle)}.`, around(cycle));
  },

  "no triad"(exercise, drawn, { kind, edges }, { along, around }) {
    checkSize(drawn, edges);
    const triads = triadsOf(drawn);
    refuseIf(!triads.length, "It has no triad; at least one is asked for.");
    const forbidden = kind === "strong" ? ODD : ["++-"];
    const bad = triads.find((triad) => forbidden.includes(triad.kind));
    if (bad) throw new Wrong(`A triad is unbalanced already: ${along(bad.nodes, kind)}.`, around(bad.nodes));
    const verdict = judgeBalance(drawn, kind);
    const { balanced, cycle } = verdict;
    if (balanced) throw new Wrong(`It is ${saidBalanced(verdict)}: no cycle is unbalanced.`);
    return right(`Right: ${along(cycle, kind)}.`, around(cycle));
  },

  census(exercise, drawn, { counts }, { around }) {
    const drawnCounts = countTriads(drawn);
    const at = counts.findIndex((count, kind) => count !== drawnCounts[kind]);
    if (at < 0) return right("Right: every type as often as asked.");
    const example = triadsOf(drawn).find(({ kind }) => kind === KINDS[at]);
    const fault = `Type ${KINDS[at]}: ${counts[at]} asked for, this has ${drawnCounts[at]}.`;
    throw new Wrong(fault, around(example?.nodes ?? []));
  }
};

/** The reply to a choice or number: Python wrote one to each; of numbers the last is for all beyond. */
function replyTo({ kind, replies }, given) {
  const at = kind === "choice" ? given : Math.max(0, Math.min(given, replies.length - 1));
  const [correct, message, marks] = replies[at];
  return { correct, message, marks };
}

/** Two verdicts where it is known what a reader finds wrong: by the signs, as the rule says, and by that. */
function withReading(grade, { wrong, reading }, pairs) {
  if (!reading) return grade;
  const agrees = wrong.length === pairs.length && wrong.every((pair) => holdsPair(pairs, pair));
  return { ...grade, message: `By the signs: ${grade.message}\n${reading[Number(agrees)]}` };
}

/** The grade of an answer: a text (choice, number), camps by place, pairs of nodes (edges, cycle), or what is
 * drawn. */
function gradeAnswer(exercise, answer) {
  const { kind, replies, rule } = exercise;
  let unread = true;
  try {
    const given = READ[kind](exercise, answer);
    unread = false;
    if (replies) return replyTo(exercise, given);
    const teller = tellerOf(exercise, DRAWN.includes(kind) ? given : exercise.graph);
    return withReading(JUDGES[rule.judge](exercise, given, rule, teller), rule, given);
  } catch (wrong) {
    if (wrong instanceof Wrong) return { ...wrong, unread };
    throw wrong;
  }
}
