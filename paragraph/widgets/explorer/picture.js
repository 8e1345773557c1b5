// The trait `picture`: a scene with its title, its notes, and the inferred labels in it.

const DRAWN_MOST = 6000; // inferred labels of one sign

function titleOf(graph, { cluster, view }, scene) {
  if (cluster === null) return "The graph has no sentences.";
  const { size } = graph.clusters.get(cluster);
  const around = scene.closed.filter((one) => one !== cluster).length;
  const beside = counting(around, "neighbouring cluster");
  if (view === "clusters")
    return `Cluster of clusters: cluster ${cluster} of ${inThousands(size)}, ${around ? beside : "alone"}`;
  return `Cluster ${cluster}: ${counting(size, "sentence")}${around ? `, ${beside}` : ""}`;
}

/** The inferred labels of a screen, `{ labels: [[a, b, distance, sign]], notes }`. */
function inferredOf(graph, { opened }, { sentences }, layers) {
  const signs = [layers.inferred_positive && 1, layers.inferred_negative && -1].filter(Boolean);
  const notes = [];
  const labels = signs.flatMap((sign) => {
    const nearest = graph.inferred(sentences, sign);
    if (nearest.length > DRAWN_MOST) {
      const all = inThousands(nearest.length);
      notes.push(`Only the ${inThousands(DRAWN_MOST)} nearest of ${all} inferred labels can be drawn.`);
    }
    return nearest.slice(0, DRAWN_MOST).map((label) => [...label, sign]);
  });
  if (graph.bipartite && signs.length)
    notes.push("The two sides of these pairs are different things: nothing can be inferred.");
  else if (signs.includes(-1) && opened.length < 2)
    notes.push("Inferred negatives join open clusters: double click a neighbour to open it.");
  return { labels, notes };
}

/** The trait `picture`, less its number and marks. */
function pictureOf(graph, screen, scene, { labels, notes }) {
  const inferred = labels.map(([a, b, far, sign]) => [a.key, b.key, sign, far]);
  return {
    view: screen.view,
    title: titleOf(graph, screen, scene),
    note: joined([scene.note, ...notes]),
    nodes: scene.nodes,
    edges: scene.edges,
    inferred,
    words: graph.words,
    farthest: inferred.reduce((most, [, , , far]) => Math.max(most, far), 1),
    listed: true
  };
}
