// Answers to exercises as they are read: a choice, a number, edges, a cycle, camps, or a graph.

/** Why an answer is not accepted, and the edges [a, b, sign] in which it can be seen. */
class Wrong {
  constructor(message, marks = []) {
    Object.assign(this, { correct: false, message, marks });
  }
}

const READ = {
  choice({ choices }, answer) {
    if (choices.includes(answer)) return answer;
    throw new Wrong(`${quoted(answer)} is not one of the choices: ${choices.join(", ")}.`);
  },

  number(_, answer) {
    if (/^\s*[+-]?[0-9]{1,9}\s*$/.test(answer)) return Number(answer);
    throw new Wrong(`The answer is a whole number, not ${quoted(answer)}.`);
  },

  edges: (_, pairs) => pairs, // clicked: each once, and all of the graph

  /** The nodes along the cycle that some edges make. */
  cycle(exercise, pairs) {
    const ends = [...new Set(pairs.flat())];
    for (const node of ends) {
      const { length } = neighbours(pairs, node);
      const has = `${exercise.nodes[node].named} has ${counting(length, "edge")} of them`;
      if (length !== 2) throw new Wrong(`These edges are not a single cycle: ${has}.`);
    }
    const nodes = [];
    for (let [node] = ends; node !== undefined;) {
      nodes.push(node);
      node = neighbours(pairs, node).find((next) => !nodes.includes(next));
    }
    if (nodes.length < ends.length) throw new Wrong("These edges are more than one cycle.");
    if (nodes.length < 3) throw new Wrong("A cycle has at least three edges.");
    return nodes;
  },

  /** The camp of each node, from words between bars. */
  camps({ nodes }, typed) {
    const found = new Map();
    for (const [camp, part] of typed.split("|").entries()) {
      for (const word of new Set(part.split(/\s+/).filter(Boolean))) {
        const node = nodes.findIndex(({ text }) => word === text);
        if (node < 0) throw new Wrong(`${quoted(word)} is not a node of this graph.`);
        if (found.has(node)) throw new Wrong(`${nodes[node].named} is in two camps, or twice in one.`);
        found.set(node, camp);
      }
    }
    const missing = nodes.find((_, node) => !found.has(node));
    if (missing) throw new Wrong(`${missing.named} is in no camp.`);
    return found;
  },

  graph: ({ nodes }, edges) => graphOf(nodes.length, edges)
};
