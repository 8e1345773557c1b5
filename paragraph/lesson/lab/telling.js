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

/** How texts name the parts of a graph on the nodes of an exercise. */
function tellerOf({ nodes }, graph) {
  const between = nodes.some((node) => node.sentence) ? " – " : "–";
  const named = (node) => nodes[node].named;
  const path = (some) => some.map(named).join(between);
  const marked = (pairs) => pairs.map(([a, b]) => [a, b, signOf(graph, [a, b])]);
  return {
    path,
    marked,
    around: (cycle) => marked(stepsOf(cycle)),
    along: (cycle, kind) => `${path([...cycle, cycle[0]])} (${signsAround(graph, cycle, kind)})`
  };
}

/** The beginning of a text in quotation marks. */
const quoted = (text) => `'${[...text].slice(0, 28).join("")}'`;
