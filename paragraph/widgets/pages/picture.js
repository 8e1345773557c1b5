// The trait `picture`: a scene with its title, its notes, and the inferred labels in it.

const DRAWN_MOST = 6000; // inferred labels of one sign

function titleOf(graph, { cluster, view }, scene) {
  if (cluster === null) return "The graph has no sentences.";
  const size = graph.clusters.get(cluster).members.length;
  const around = scene.closed.filter((one) => one !== cluster).length;
  const beside = counting(around, "neighbouring cluster");
  if (view === "clusters")
    return `Cluster of clusters: cluster ${cluster} of ${inThousands(size)}, ${around ? beside : "alone"}`;
  return `Cluster ${cluster}: ${counting(size, "sentence")}${around ? `, ${beside}` : ""}`;
}

/** The trait `picture`, less the number of its scene. */
function pictureOf(graph, screen, scene, layers) {
  const { sentences, nodes, edges } = scene;
  const signs = [layers.inferred_positive && 1, layers.inferred_negative && -1].filter(Boolean);
  const notes = [scene.note];
  const inferred = signs.flatMap((sign) => {
    const labels = graph.inferred(sentences, sign);
    const [all, drawn] = [labels.length, DRAWN_MOST].map(inThousands);
    if (labels.length > DRAWN_MOST)
      notes.push(`Of ${all} inferred labels the ${drawn} nearest can be drawn.`);
    return labels.slice(0, DRAWN_MOST);
  });
  if (graph.bipartite && signs.length)
    notes.push("The two sides of these pairs are different things: nothing can be inferred.");
  else if (signs.includes(-1) && screen.opened.length < 2)
    notes.push("Inferred negatives join open clusters: double click a neighbour to open it.");
  return {
    view: screen.view,
    title: titleOf(graph, screen, scene),
    note: notes.filter(Boolean).join(" "),
    nodes,
    edges,
    inferred,
    farthest: inferred.reduce((most, [, , , far]) => Math.max(most, far), 1),
    listed: true
  };
}
