// What a text says of a graph: its nodes by name, its paths and cycles with their signs.

/** The signs of a cycle and their product: + · + · − = −. */
function productOf(graph, cycle) {
  const signs = stepsOf(cycle).map((pair) => signOf(graph, pair));
  const product = signs.reduce((before, sign) => before * sign, 1);
  return `${signs.map(symbol).join(" · ")} = ${symbol(product)}`;
}

/** How to tell of a graph on the nodes of an exercise. */
function tellerOf({ nodes }, graph) {
  const between = nodes.some((node) => node.sentence) ? " – " : "–";
  const named = (node) => nodes[node].named;
  const path = (some) => some.map(named).join(between);
  const marked = (pairs) => pairs.map(([a, b]) => [a, b, signOf(graph, [a, b])]);
  return {
    path,
    marked,
    around: (cycle) => marked(stepsOf(cycle)),
    along: (cycle) => `${path([...cycle, cycle[0]])} (${productOf(graph, cycle)})`
  };
}

/** A text in quotation marks, cut in the middle where it is long. */
function quoted(text) {
  const letters = [...text];
  const short = letters.length > 28 ? [...letters.slice(0, 12), "...", ...letters.slice(-13)] : letters;
  return `'${short.join("")}'`;
}
