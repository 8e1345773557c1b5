// Filters on what is drawn: conflicts and the paths against them, sentences with so many positives.

/** The lines of the conflicts among some, and of the positive paths against them. */
function conflictLines(graph, lines) {
  const found = lines.filter(({ layer }) => layer === "conflicts");
  const edges = found.map(({ id }) => graph.edges.get(Number(id.slice(1))));
  const steps = edges.filter(({ within }) => within).flatMap(({ a, b }) => graph.proof(a, b));
  const path = steps.map((step) => `e${graph.edgeBetween(...step).number}`);
  return new Set([...found.map(({ id }) => id), ...path]);
}

/** A scene with those of its sentences and lines that pass, and the closed clusters joined to them. */
function drawnOf(graph, scene, { paths = false, degree = 0 }) {
  if ((!paths && !degree) || !scene.sentences.length) return scene;
  const lines = paths ? conflictLines(graph, scene.edges) : null;
  const some = scene.edges.filter(({ id }) => !lines || lines.has(id));
  const onPath = new Set(some.flatMap(({ from, to }) => [from, to]));
  const isKept = (key) =>
    key[0] === "c" || ((!lines || onPath.has(key)) && graph.nodes.get(key).near.length >= degree);
  const edges = some.filter(({ from, to }) => isKept(from) && isKept(to));
  const ends = new Set(edges.filter(({ from }) => from[0] === "n").map(({ to }) => to));
  const kept = scene.nodes.filter(({ key }) => isKept(key) && (key[0] === "n" || ends.has(key)));
  const left = scene.nodes.length - kept.length;
  const hidden = left > 0 && `${counting(left, "node")} not shown.`;
  const none = paths ? "There is no conflict among these sentences." : "No sentence has that many positives.";
  return {
    ...scene,
    nodes: kept.map((node, i) => ({ ...node, number: i + 1 })),
    edges: edges.filter(
      ({ from, to }) => (from[0] === "n" || ends.has(from)) && (to[0] === "n" || ends.has(to))
    ),
    note: [kept.length ? hidden : none, scene.note].filter(Boolean).join(" ")
  };
}
