// How texts name the parts of a graph: its nodes, its paths and its cycles with their signs.

const ONE = ", exactly\u00a0one\u00a0−";

/** The signs of a cycle and what they show: their product, + · + · − = −, or (weak) exactly one −. */
function signsAround(graph, cycle, kind = "strong") {
  const signs = stepsOf(cycle).map((pair) => signOf(graph, pair));
  const written = signs.map(symbol);
  if (kind === "weak") return written.join(" ") + (signs.filter((sign) => sign < 0).length === 1 ? ONE : "");
  const product = signs.reduce((before, sign) => before * sign, 1);
  return `${written.join(" · ")} = ${symbol(product)}`;
}

/** A node in a text: a sentence in quotation marks. */
const namedNode = ({ text, sentence }) => (sentence ? `“${wordsIn(text).join(" ")}”` : text);

/** A node where there is little room: a sentence by its number. */
const briefly = ({ text, number, sentence: isSentence }) => (isSentence ? String(number) : text);

/** How texts name the parts of a graph on the nodes of an exercise. */
function tellerOf({ nodes }, graph) {
  const between = nodes.some((node) => node.sentence) ? " – " : "–";
  const path = (some) => some.map((place) => namedNode(nodes[place])).join(between);
  const marked = (pairs) => pairs.map(([a, b]) => [a, b, signOf(graph, [a, b])]);
  return {
    path,
    marked,
    around: (cycle) => marked(stepsOf(cycle)),
    along: (cycle, kind) => `${path([...cycle, cycle[0]])} (${signsAround(graph, cycle, kind)})`
  };
}
