// Answers to exercises as they are read: a number, edges, a cycle, camps, or a graph.

/** Why an answer is not accepted, and the edges [a, b, sign] in which it can be seen. */
class Wrong {
  constructor(message, marks = []) {
    Object.assign(this, { correct: false, message, marks });
  }
}

const graphIn = ({ nodes }, edges) => graphOf(nodes.length, edges);
const asGiven = (_, answer) => answer; // clicked: each once, and one that is there

const READ = {
  choice: asGiven,
  edges: asGiven,
  draw: graphIn,
  turn: graphIn,

  number(_, answer) {
    if (/^\s*[+-]?[0-9]{1,9}\s*$/.test(answer)) return Number(answer);
    throw new Wrong("The answer is a whole number.");
  },

  /** The nodes along the cycle that some edges make. */
  cycle(_, pairs) {
    const ends = new Set(pairs.flat());
    const nodes = [];
    for (let [node] = ends; node !== undefined;) {
      nodes.push(node);
      node = neighbours(pairs, node).find((next) => !nodes.includes(next));
    }
    const isCycle = nodes.every((node) => neighbours(pairs, node).length === 2);
    if (isCycle && nodes.length > 2 && nodes.length === ends.size) return nodes;
    throw new Wrong("These edges are not one cycle: a walk along them that comes back to where it began.");
  },

  /** The camp of each node, by place. */
  camps({ nodes }, camps) {
    const missing = nodes.find((_, place) => (camps[place] ?? null) === null);
    if (missing) throw new Wrong(`${namedNode(missing)} is in no camp.`);
    return camps;
  }
};
