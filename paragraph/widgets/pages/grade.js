// Answers to the Lab's exercises, read and graded in a page as Python does it (paragraph/balance/exercises): with the same
// message, and the same edges to mark. A node is its place in the exercise; an edge of an answer is a pair of places.

const HYPHENS = /[‐‑–—−]/g;
const PATTERNS = { strong: "an odd number of negative edges", weak: "exactly one negative edge" };
const SENSES = { strong: "strongly balanced: ", weak: "weakly balanced: " };

class Wrong {
  constructor(message, marks = []) { Object.assign(this, { correct: false, message, marks }); }
}

const right = (message, marks = []) => ({ correct: true, message, marks });
const symbol = (sign) => (sign > 0 ? "+" : "−");
const stepsOf = (cycle) => cycle.map((node, i) => [node, cycle[(i + 1) % cycle.length]]);
const samePair = ([a, b], [c, d]) => (a === c && b === d) || (a === d && b === c);
const signOf = ({ edges }, pair) => edges.find((edge) => samePair(edge, pair))?.[2];
const turnedEdges = (graph, pairs) => graphOf(graph.n, graph.edges.map(([a, b, sign]) => [a, b, pairs.some((pair) => samePair(pair, [a, b])) ? -sign : sign]));
const withoutEdges = (graph, pairs) => graphOf(graph.n, graph.edges.filter((edge) => !pairs.some((pair) => samePair(pair, edge))));

/** The signs of a cycle and their product: + · + · − = −. */
function productOf(graph, cycle) {
  const signs = stepsOf(cycle).map((pair) => signOf(graph, pair));
  return `${signs.map(symbol).join(" · ")} = ${symbol(signs.reduce((product, sign) => product * sign, 1))}`;
}

/** A text in quotation marks, cut in the middle where it is long. */
function quoted(text) {
  const chars = [...text], short = chars.length > 28 ? [...chars.slice(0, 12), "...", ...chars.slice(-13)] : chars;
  return `'${short.join("")}'`;
}

/** What a text says of a graph on the nodes of an exercise. */
function tellerOf({ nodes }, graph) {
  const between = nodes.some((node) => node.sentence) ? " – " : "–", named = (node) => nodes[node].named;
  const path = (some) => some.map(named).join(between), marked = (pairs) => pairs.map(([a, b]) => [a, b, signOf(graph, [a, b])]);
  const around = (cycle) => marked(stepsOf(cycle)), along = (cycle) => `${path([...cycle, cycle[0]])} (${productOf(graph, cycle)})`;
  return { named, path, marked, around, along };
}

/** The verdict on a graph; `Wrong`, with an unbalanced cycle, where it is not balanced. */
function checkBalance(exercise, graph, kind, fault) {
  const found = judgeBalance(graph, kind), { along, around } = tellerOf(exercise, graph);
  if (!found.balanced) throw new Wrong(`${fault}: ${along(found.cycle)}.`, around(found.cycle));
  return found;
}

const saidBalanced = (verdict) => `${SENSES[verdict.kind]}${countCamps(verdict)} camp${countCamps(verdict) === 1 ? "" : "s"}`;

// -- what is read as an answer ------------------------------------------------------------------------------------------

const GIVEN = {
  choice({ choices }, answer) {
    const plain = (text) => { const one = text.trim().toLowerCase().replace(HYPHENS, "-"); return /^[+-]*$/.test(one) ? [...one].sort().join("") : one; };
    const found = choices.find((choice) => plain(choice) === plain(answer));
    if (found === undefined) throw new Wrong(`${quoted(answer)} is none of the choices: ${choices.join(", ")}.`);
    return found;
  },
  number(_, answer) {
    if (!/^\s*[+-]?[0-9]{1,9}\s*$/.test(answer)) throw new Wrong(`The answer is a whole number, not ${quoted(answer)}.`);
    return Number(answer);
  },
  edges: (_, pairs) => pairs, // clicked: each once, and all of the graph
  /** The nodes along the cycle. */
  cycle(exercise, pairs) {
    const near = new Map(), { named } = tellerOf(exercise, exercise);
    for (const [a, b] of pairs) for (const [one, other] of [[a, b], [b, a]]) near.set(one, [...(near.get(one) ?? []), other]);
    for (const [node, { length }] of near) {
      if (length !== 2) throw new Wrong(`These edges are no single cycle: ${named(node)} has ${length === 1 ? "only one edge" : `${length} edges`} of them.`);
    }
    const nodes = [];
    for (let [node] = near.keys(); node !== undefined; node = near.get(node).find((next) => !nodes.includes(next))) nodes.push(node);
    if (nodes.length < near.size) throw new Wrong("These edges are more than one cycle.");
    if (nodes.length < 3) throw new Wrong("A cycle has at least three edges.");
    return nodes;
  },
  /** The camp of each node, from words between bars. */
  camps({ nodes }, typed) {
    const found = new Map();
    for (const [camp, part] of typed.split("|").entries()) for (const word of new Set(part.split(/\s+/).filter(Boolean))) {
      const node = nodes.findIndex(({ text }) => word === text);
      if (node < 0) throw new Wrong(`${quoted(word)} is no node of this graph.`);
      if (found.has(node)) throw new Wrong(`${nodes[node].named} is in two camps, or twice in one.`);
      found.set(node, camp);
    }
    const missing = nodes.find((_, node) => !found.has(node));
    if (missing) throw new Wrong(`${missing.named} is in no camp.`);
    return found;
  },
  graph: ({ n }, edges) => graphOf(n, edges),
};

// -- judges, by the name of an exercise's rule --------------------------------------------------------------------------

function checkSize(exercise, drawn, edges) {
  if (drawn.edges.length !== edges) throw new Wrong(`${edges} edges are asked for, this has ${drawn.edges.length}.`);
  if (connectedParts(drawn.n, drawn.edges).parts.some((part) => part > 0)) throw new Wrong("It is not connected: some node cannot be reached from another.");
}

const JUDGES = {
  camps(exercise, camps, { most }) {
    for (const [a, b, sign] of exercise.edges) if ((camps.get(a) === camps.get(b)) !== sign > 0) {
      const fault = sign > 0 ? "positive, but you put the two in different camps" : "negative, but you put the two in the same camp";
      throw new Wrong(`${tellerOf(exercise, exercise).path([a, b])} is ${fault}.`, [[a, b, sign]]);
    }
    if (new Set(camps.values()).size > most) throw new Wrong("Every edge agrees, but these are more than two camps: strong balance has two at most.");
    return right("Right: every edge agrees.");
  },
  cycle(exercise, nodes, { kind, most }) {
    const { along, around } = tellerOf(exercise, exercise), path = along(nodes), marks = around(nodes), negatives = marks.filter(isNegative).length;
    if (!(kind === "weak" ? negatives === 1 : negatives % 2)) throw new Wrong(`${path} has ${negatives || "no"} negative edge${negatives === 1 ? "" : "s"}; an unbalanced one has ${PATTERNS[kind]}.`, marks);
    if (nodes.length > most) throw new Wrong(`${path} is unbalanced, but a shorter cycle is unbalanced as well.`, marks);
    return right(`Right: ${path}.`, marks);
  },
  flips(exercise, pairs, { kind, most }) {
    const after = turnedEdges(exercise, pairs);
    checkBalance(exercise, after, kind, `${pairs.length ? "Once these are turned" : "As it is"}, one cycle is unbalanced`);
    if (pairs.length > most) throw new Wrong("Once these are turned, the graph is balanced, but fewer edges would do.");
    return right("Right: the graph is balanced, and no fewer edges would do.", tellerOf(exercise, after).marked(pairs));
  },
  cut(exercise, pairs, { trusted, most }) {
    const { path, around, marked } = tellerOf(exercise, exercise);
    if (pairs.some((pair) => samePair(pair, trusted[0]))) throw new Wrong("The negative label is to be trusted: name positive ones.", marked(trusted));
    const { cycle } = judgeBalance(withoutEdges(exercise, pairs), "weak");
    if (cycle) throw new Wrong(`A path of positives is left that contradicts the negative: ${path(cycle)}.`, around(cycle));
    if (pairs.length > most) throw new Wrong("That would resolve it, but fewer labels need to be wrong.");
    return right("Right: without these no path contradicts the negative, and no fewer would do.");
  },
  /** Python says of each edge: may it turn, and what is wrong where it is chosen, or left out. */
  "turns next"(_, pairs, { each }) {
    const chosen = pairs.map((pair) => each.find(([edge]) => samePair(edge, pair)));
    const fault = chosen.find(([, may]) => !may) ?? each.find((one) => one[1] && !chosen.includes(one));
    if (fault) throw new Wrong(pairs.length ? fault[2] : "Some edge may turn.", fault[3]);
    return right("Right: these, and no others.");
  },
  away(exercise, drawn, { kind, most }) {
    const added = drawn.edges.find((edge) => !signOf(exercise, edge));
    if (added) throw new Wrong(`${tellerOf(exercise, exercise).path(added.slice(0, 2))} is new: edges may only be taken away.`, [added]);
    checkBalance(exercise, drawn, kind, "One cycle is still unbalanced");
    if (exercise.edges.length - drawn.edges.length > most) throw new Wrong("What is left is balanced, but fewer edges needed to go.");
    return right("Right: what is left is balanced, and as few edges as can be are gone. Turning them would do as well.");
  },
  "only weakly"(exercise, drawn, { edges, positive }) {
    checkSize(exercise, drawn, edges);
    const friends = drawn.edges.filter(isPositive).length, strong = judgeBalance(drawn, "strong"), { along, around } = tellerOf(exercise, drawn);
    if (friends !== positive) throw new Wrong(`${positive} positive edge${positive === 1 ? " is" : "s are"} asked for, this has ${friends}.`);
    if (strong.balanced) throw new Wrong("It is strongly balanced: two camps are enough.");
    const weak = checkBalance(exercise, drawn, "weak", "It is not weakly balanced either");
    return right(`Right: ${saidBalanced(weak)}, but ${along(strong.cycle)}.`, around(strong.cycle));
  },
  "no triad"(exercise, drawn, { kind, edges }) {
    checkSize(exercise, drawn, edges);
    const triads = triadsOf(drawn), { along, around } = tellerOf(exercise, drawn), found = judgeBalance(drawn, kind);
    if (!triads.length) throw new Wrong("It has no triad; at least one is asked for.");
    const bad = triads.find((one) => one.kind === "++-") ?? triads.find((one) => kind === "strong" && one.kind === "---");
    if (bad) throw new Wrong(`One triad is unbalanced already: ${along(bad.nodes)}.`, around(bad.nodes));
    if (found.balanced) throw new Wrong(`It is ${saidBalanced(found)}: no cycle is unbalanced.`);
    return right(`Right: ${along(found.cycle)}.`, around(found.cycle));
  },
  census(exercise, drawn, { counts }) {
    const found = countTriads(drawn), at = counts.findIndex((count, kind) => count !== found[kind]);
    if (at < 0) return right("Right: every type as often as asked.");
    const one = triadsOf(drawn).find(({ kind }) => kind === KINDS[at]);
    throw new Wrong(`Type ${KINDS[at]}: ${counts[at]} asked for, this has ${found[at]}.`, tellerOf(exercise, drawn).around(one?.nodes ?? []));
  },
  far(exercise, drawn, { most }) {
    const turns = fewestTurns(drawn);
    if (turns > most) throw new Wrong(`This is too far from two camps: turning ${most} edges does not balance it.`);
    if (turns < most) throw new Wrong(`This is too near to two camps: fewer than ${most} edges need to turn.`);
    return right(`Right: turning ${most} edges balances it, and no fewer do.`);
  },
};

/** `{ correct, message, marks }` of an answer: a text (choice, number, camps), pairs of nodes (edges, cycle), or all edges of
 * a graph. Choices and numbers were graded in Python, each that can be given; of numbers the last stands for all beyond. */
function gradeAnswer(exercise, answer) {
  const { kind, grades, rule } = exercise;
  try {
    const given = GIVEN[kind](exercise, answer);
    if (kind === "choice" || kind === "number") {
      const [correct, message, marks] = kind === "choice" ? grades[given] : grades[Math.max(0, Math.min(given, grades.length - 1))];
      return { correct, message, marks };
    }
    const grade = JUDGES[rule.judge](exercise, given, rule);
    const agrees = () => rule.wrong.length === given.length && rule.wrong.every((pair) => given.some((one) => samePair(one, pair)));
    return rule.reading ? { ...grade, message: `${grade.message} ${rule.reading[Number(agrees())]}` } : grade;
  } catch (wrong) {
    if (wrong instanceof Wrong) return { ...wrong };
    throw wrong;
  }
}
