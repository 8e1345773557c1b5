// The trait `dress`: how what is drawn is coloured.

/** How probably the most doubtful label is wrong, of a sentence or closed cluster; -1: not known. */
const doubtOf = (graph, list, { key, cluster }) =>
  cluster === undefined
    ? greatest([-1, ...graph.nodes.get(key).edges.map(({ wrong }) => wrong)]) / 1000
    : list.doubtOf(cluster);

/** What a column of a person's table says of a sentence; -1: nothing. */
function shareOf(graph, name, { names, low, high }, { key, cluster, home }) {
  const value =
    cluster === undefined ? graph.clusters.get(home).values[name][graph.nodes.get(key).place] : null;
  if (value === null || names) return value ?? -1;
  return high > low ? (value - low) / (high - low) : 0.5;
}

/** The trait, by what the colours show. */
function dressOf(graph, list, { nodes }, { color: name }, { colors, scales }) {
  const chosen = { colors, chosen: name, color: null };
  if (name === "conflicts") return chosen;
  const scale = scales[name] ?? { low: 0, high: 1 };
  const valueOf = (node) => (scales[name] ? shareOf(graph, name, scale, node) : doubtOf(graph, list, node));
  const known = nodes.map((node) => [node.key, valueOf(node)]).filter(([, value]) => value >= 0);
  const of = Object.fromEntries(known);
  return { ...chosen, color: { name, ...scale, of, missing: nodes.length - known.length } };
}
