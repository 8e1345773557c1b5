// The trait `dress`: how what is drawn is coloured.

/** How probably the most doubtful label is wrong, of each sentence and closed cluster where that is known. */
function doubtsOf(graph, list, { nodes }) {
  const doubtOf = ({ key, cluster }) =>
    cluster === undefined
      ? greatest([-1, ...graph.nodes.get(key).edges.map(({ wrong }) => wrong)]) / 1000
      : list.doubtOf(cluster);
  const doubts = nodes.map((node) => [node.key, doubtOf(node)]);
  return { of: Object.fromEntries(doubts.filter(([, doubt]) => doubt >= 0)) };
}

const dressOf = (graph, list, scene, { color }) => ({
  chosen: color,
  color: color === "p_wrong" ? doubtsOf(graph, list, scene) : null
});
