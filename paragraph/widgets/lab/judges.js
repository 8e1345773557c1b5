// Answers to exercises judged: each rule replies to what was read, and says why an answer is wrong, never
// what would be right. An exercise is `{ nodes, graph, kind, choices, replies | rule }`; nodes and edges of
// answers go by places.

const PATTERNS = { strong: "an odd number of negative edges", weak: "exactly one negative edge" };
const SENSES = { strong: "strongly balanced", weak: "weakly balanced" };

const right = (message, marks = []) => ({ correct: true, message, marks });

/** The verdict on a graph; `Wrong`, with an unbalanced cycle, where it is not balanced. */
function checkBalance(exercise, graph, kind, fault) {
  const found = judgeBalance(graph, kind);
  const { along, around } = tellerOf(exercise, graph);
  if (!found.balanced) throw new Wrong(`${fault}: ${along(found.cycle)}.`, around(found.cycle));
  return found;
}

const saidBalanced = (verdict) => `${SENSES[verdict.kind]}: ${saidCamps(countCamps(verdict))}`;

function checkSize(drawn, edges) {
  const { length } = drawn.edges;
  if (length !== edges) throw new Wrong(`${edges} edges are asked for, this has ${length}.`);
  const { parts } = connectedParts(drawn.n, drawn.edges);
  const apart = parts.some((part) => part > 0);
  if (apart) throw new Wrong("It is not connected: some node cannot be reached from another.");
}

/** May an edge turn next in constrained dynamics? */
const mayTurn = ({ odd, even }) => odd.length > 0 && odd.length >= even.length;

const JUDGES = {
  camps(exercise, camps, { most }) {
    const { path } = tellerOf(exercise, exercise.graph);
    for (const [a, b, sign] of exercise.graph.edges) {
      const together = camps.get(a) === camps.get(b);
      const fault =
        `${sign > 0 ? "positive" : "negative"}, but you put the two in ` +
        (sign > 0 ? "different camps" : "the same camp");
      if (together !== sign > 0) throw new Wrong(`${path([a, b])} is ${fault}.`, [[a, b, sign]]);
    }
    const tooMany = "Every edge agrees, but these are more than two camps: strong balance has two at most.";
    if (new Set(camps.values()).size > most) throw new Wrong(tooMany);
    return right("Right: every edge agrees.");
  },

  cycle(exercise, nodes, { kind, most }) {
    const { along, around } = tellerOf(exercise, exercise.graph);
    const path = along(nodes);
    const marks = around(nodes);
    const negatives = marks.filter(isNegative).length;
    const unbalanced = kind === "weak" ? negatives === 1 : negatives % 2 === 1;
    const count = counting(negatives || "no", "negative edge");
    if (!unbalanced) throw new Wrong(`${path} has ${count}; an unbalanced one has ${PATTERNS[kind]}.`, marks);
    const longer = `${path} is unbalanced, but a shorter cycle is unbalanced as well.`;
    if (nodes.length > most) throw new Wrong(longer, marks);
    return right(`Right: ${path}.`, marks);
  },

  flips(exercise, pairs, { kind, most }) {
    const after = turnedEdges(exercise.graph, pairs);
    const when = pairs.length ? "Once these are turned" : "As it is";
    checkBalance(exercise, after, kind, `${when}, one cycle is unbalanced`);
    const tooMany = "Once these are turned, the graph is balanced, but fewer edges would do.";
    if (pairs.length > most) throw new Wrong(tooMany);
    const { marked } = tellerOf(exercise, after);
    return right("Right: the graph is balanced, and no fewer edges would do.", marked(pairs));
  },

  cut(exercise, pairs, { trusted, most }) {
    const { path, around, marked } = tellerOf(exercise, exercise.graph);
    const named = holdsPair(pairs, trusted[0]);
    if (named) throw new Wrong("The negative label is to be trusted: name positive ones.", marked(trusted));
    const { cycle } = judgeBalance(withoutEdges(exercise.graph, pairs), "weak");
    const left = "A path of positives is left that contradicts the negative";
    if (cycle) throw new Wrong(`${left}: ${path(cycle)}.`, around(cycle));
    if (pairs.length > most) throw new Wrong("That would resolve it, but fewer labels need to be wrong.");
    return right("Right: without these no path contradicts the negative, and no fewer would do.");
  },

  /** The edges of a complete graph that may turn next in constrained dynamics: all of them, and no others. */
  "turns next"(exercise, pairs) {
    const { path, around } = tellerOf(exercise, exercise.graph);
    const triads = triadsOf(exercise.graph);
    const before = triads.filter(isOdd).length;
    for (const pair of pairs) {
      const there = triadsAround(triads, pair);
      const after = before + there.even.length - there.odd.length;
      const fault = `${path(pair)} may not turn: unbalanced triads would rise from ${before} to ${after}.`;
      if (!mayTurn(there)) throw new Wrong(fault, around(there.even[0].nodes));
    }
    const isLeft = (edge) => mayTurn(triadsAround(triads, edge)) && !holdsPair(pairs, edge);
    const left = exercise.graph.edges.find(isLeft);
    if (!left) return right("Right: these, and no others.");
    const said = pairs.length ? "These may turn, but they are not all." : "Some edge may turn.";
    throw new Wrong(said, around(triadsAround(triads, left).odd[0].nodes));
  },

  away(exercise, drawn, { kind, most }) {
    const { path } = tellerOf(exercise, exercise.graph);
    const change = drawn.edges.find((edge) => signOf(exercise.graph, edge) !== edge[2]);
    if (change) {
      const what = signOf(exercise.graph, change) ? "has turned" : "is new";
      throw new Wrong(`${path(change.slice(0, 2))} ${what}: edges may only be taken away.`, [change]);
    }
    checkBalance(exercise, drawn, kind, "One cycle is still unbalanced");
    const gone = exercise.graph.edges.length - drawn.edges.length;
    if (gone > most) throw new Wrong("What is left is balanced, but fewer edges needed to go.");
    const fact = "what is left is balanced, and as few edges as can be are gone";
    return right(`Right: ${fact}. Turning them would do as well.`);
  },

  "only weakly"(exercise, drawn, { edges, positive }) {
    checkSize(drawn, edges);
    const friends = drawn.edges.filter(isPositive).length;
    const wanted = counting(positive, "positive edge is", "positive edges are");
    if (friends !== positive) throw new Wrong(`${wanted} asked for, this has ${friends}.`);
    const strong = judgeBalance(drawn, "strong");
    if (strong.balanced) throw new Wrong("It is strongly balanced: two camps are enough.");
    const weak = checkBalance(exercise, drawn, "weak", "It is not weakly balanced either");
    const { along, around } = tellerOf(exercise, drawn);
    return right(`Right: ${saidBalanced(weak)}, but ${along(strong.cycle)}.`, around(strong.cycle));
  },

  "no triad"(exercise, drawn, { kind, edges }) {
    checkSize(drawn, edges);
    const { along, around } = tellerOf(exercise, drawn);
    const triads = triadsOf(drawn);
    if (!triads.length) throw new Wrong("It has no triad; at least one is asked for.");
    const forbidden = kind === "strong" ? ODD : ["++-"];
    const bad = triads.find((triad) => forbidden.includes(triad.kind));
    if (bad) throw new Wrong(`One triad is unbalanced already: ${along(bad.nodes)}.`, around(bad.nodes));
    const found = judgeBalance(drawn, kind);
    if (found.balanced) throw new Wrong(`It is ${saidBalanced(found)}: no cycle is unbalanced.`);
    return right(`Right: ${along(found.cycle)}.`, around(found.cycle));
  },

  census(exercise, drawn, { counts }) {
    const found = countTriads(drawn);
    const at = counts.findIndex((count, kind) => count !== found[kind]);
    if (at < 0) return right("Right: every type as often as asked.");
    const example = triadsOf(drawn).find(({ kind }) => kind === KINDS[at]);
    const { around } = tellerOf(exercise, drawn);
    const fault = `Type ${KINDS[at]}: ${counts[at]} asked for, this has ${found[at]}.`;
    throw new Wrong(fault, around(example?.nodes ?? []));
  },

  far(exercise, drawn, { most }) {
    const turns = fewestTurns(drawn);
    const far = `This is too far from two camps: turning ${most} edges does not balance it.`;
    const near = `This is too near to two camps: fewer than ${most} edges need to turn.`;
    if (turns !== most) throw new Wrong(turns > most ? far : near);
    return right(`Right: turning ${most} edges balances it, and no fewer do.`);
  }
};

/** The reply to a choice or number: Python wrote one to each; of numbers the last is for all beyond. */
function replyTo({ kind, replies }, given) {
  const at = kind === "choice" ? given : Math.max(0, Math.min(given, replies.length - 1));
  const [correct, message, marks] = replies[at];
  return { correct, message, marks };
}

/** What a reader finds wrong, where it is known, after what the rule says. */
function withReading(grade, { wrong, reading }, pairs) {
  if (!reading) return grade;
  const agrees = wrong.length === pairs.length && wrong.every((pair) => holdsPair(pairs, pair));
  return { ...grade, message: `${grade.message} ${reading[Number(agrees)]}` };
}

/** The grade of an answer: a text (choice, number, camps), pairs of nodes (edges, cycle), or edges. */
function gradeAnswer(exercise, answer) {
  const { kind, replies, rule } = exercise;
  try {
    const given = READ[kind](exercise, answer);
    if (replies) return replyTo(exercise, given);
    return withReading(JUDGES[rule.judge](exercise, given, rule), rule, given);
  } catch (wrong) {
    if (wrong instanceof Wrong) return { ...wrong };
    throw wrong;
  }
}
