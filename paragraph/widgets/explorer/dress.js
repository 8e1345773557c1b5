// The trait `dress`: the colours that can be chosen, and their values among what is drawn.

/** The communities of the sentences drawn. */
function communitiesOf({ nodes }) {
  const of = Object.fromEntries(sentencesOf(nodes).map(({ key, group }) => [key, group]));
  const parts = greatest([0, ...Object.values(of).map((group) => group + 1)]);
  const names = Array.from({ length: parts }, (_, i) => `part ${i + 1}`);
  return { kind: "category", name: "community", names, of };
}

/** The values of an attribute of sentences; of a closed cluster, its mean, where there is one. */
function valuesOf(graph, { nodes }, name, { names, low, high }) {
  const asked = names ? sentencesOf(nodes) : nodes;
  const valueOf = ({ key, cluster, home }) =>
    cluster === undefined
      ? graph.clusters.get(home).values[name][graph.nodes.get(key).place]
      : graph.clusters.get(cluster).means[name];
  const known = asked.map((node) => [node.key, valueOf(node)]).filter(([, value]) => value !== null);
  const shown = { name, of: Object.fromEntries(known), missing: asked.length - known.length };
  if (names) return { ...shown, kind: "category", names };
  const values = known.length ? known.map(([, value]) => value) : [0];
  return { ...shown, kind: "number", low: low ?? least(values), high: high ?? greatest(values) };
}

function dressOf(graph, { colors, attributes }, scene, { color }) {
  const shades = {
    conflicts: () => ({}),
    community: () => communitiesOf(scene)
  }[color];
  return {
    options: { color: colors.map((name) => [name, name]) },
    chosen: { color },
    color: shades ? shades() : valuesOf(graph, scene, color, attributes[color])
  };
}
