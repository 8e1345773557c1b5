// The trait `dress`: how what is drawn is coloured.

/** How probably the most doubtful label is wrong, of a sentence or closed cluster; -1: not known. */
const doubtOf = (graph, list, { key, cluster }) =>
  cluster === undefined
    ? greatest([-1, ...graph.nodes.get(key).edges.map(({ wrong }) => wrong)]) / 1000
    : list.doubtOf(cluster);

/** The trait, by what the colours show. */
function dressOf(graph, list, { nodes }, { color: name }, { colors }) {
  const chosen = { colors, chosen: name, color: null };
  if (name === "conflicts") return chosen;
  const known = nodes.map((node) => [node.key, doubtOf(graph, list, node)]).filter(([, value]) => value >= 0);
  const of = Object.fromEntries(known);
  return { ...chosen, color: { name, of, missing: nodes.length - known.length } };
}
