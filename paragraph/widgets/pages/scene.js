// The picture of open and closed clusters, and what it shows: as `base/scene.py` and `explorer/shown.py` make
// it.

const SPACING = 95,
  GAP = 1.3,
  DRAWN_MOST = 6000,
  MANY = 25,
  DENSE = 3;
const tenth = (value) => Math.round(value * SPACING * 10) / 10;
const millionth = (value) => Math.round(value * 1e6) / 1e6 + 0; // of equals, the first cluster
const least = (values) => Math.min(...values),
  greatest = (values) => Math.max(...values);

function makeScene(graph, screen, most) {
  const { clusters, links } = graph,
    { opened } = screen,
    notes = [],
    nodes = [],
    placed = [];
  const closed = screen.view === "clusters" && screen.cluster !== null ? [screen.cluster] : [],
    centre = new Set([...opened, ...closed]),
    counts = new Map();
  for (const one of centre)
    for (const [other, n] of links.get(one))
      if (!centre.has(other)) counts.set(other, (counts.get(other) ?? 0) + n);
  const ranked = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([id]) => id);
  const around = [...closed.filter((one) => !opened.includes(one)), ...ranked.slice(0, most)];
  const sentences = opened.flatMap((id) =>
    clusters.get(id).drawn.map((place) => clusters.get(id).members[place])
  );
  for (const id of opened) if (clusters.get(id).note) notes.push(clusters.get(id).note);
  if (ranked.length > most && most > 0)
    notes.push(
      `${most} of ${inThousands(ranked.length)} neighbouring clusters are shown: those with most negatives.`
    );
  const missing = graph.missing(screen.cluster);
  if (missing) {
    const are = missing > 1 ? "are" : "is";
    const beside = counted(missing, "neighbouring cluster");
    notes.push(`${beside} of cluster ${screen.cluster} ${are} not on this page.`);
  }
  const edges = labelsOf(graph, new Set(sentences), new Set(around));
  const conflicting = new Set(
    edges.filter(({ layer }) => layer === "conflicts").flatMap(({ from, to }) => [from, to])
  );

  for (const id of opened) {
    const { drawn, members, x, y, group = [] } = clusters.get(id),
      xs = x.map((one) => one / SPACING),
      parts = 1 + greatest([0, ...group]);
    if (placed.length) {
      const side = placed.length % 2 ? 1 : -1,
        reach = greatest(placed.map((some) => Math.abs(greatest(some.map(([one]) => side * one)))));
      const by = side * (reach + GAP + (greatest(xs) - least(xs)) / 2 + 0.5);
      for (const i of xs.keys()) xs[i] += by;
    }
    placed.push(xs.map((one, i) => [one, -y[i] / SPACING]));
    for (const [i, place] of drawn.entries()) {
      const { key, text, label } = members[place];
      nodes.push({
        key,
        text,
        label,
        size: 1,
        home: id,
        group: group[i] ?? 0,
        conflict: conflicting.has(key),
        parts
      });
    }
  }
  for (const id of around) {
    const { members, label } = clusters.get(id),
      count = counted(members.length, "sentence");
    nodes.push({
      key: `c${id}`,
      text: `Cluster ${id}, ${count}: ${members[0].text}`,
      size: members.length,
      cluster: id,
      label: `${label}\n${count}`,
      conflict: false
    });
  }
  const points = placed.flat();
  if (placed.length && around.length) points.push(...ring(points, sentences, around, edges));
  else if (around.length)
    points.push(
      ...around.map((id) => {
        const [x, y] = clusters.get(screen.cluster).around[id];
        return [x / SPACING, -y / SPACING];
      })
    );
  for (const [i, node] of nodes.entries()) {
    const spans = node.cluster === undefined ? sentences[i].spans : undefined;
    Object.assign(
      node,
      { x: tenth(points[i][0]), y: tenth(-points[i][1]), number: i + 1 },
      spans && { spans }
    );
  }
  return {
    opened,
    closed: around,
    sentences,
    nodes,
    edges,
    note: notes.join(" "),
    at: new Set(nodes.map(({ key }) => key))
  };
}

/** Stated labels between the sentences shown, and negatives to closed clusters, those of the same two nodes
 * as one line. */
function labelsOf(graph, inside, closed) {
  const drawn = [],
    bundles = new Map();
  for (const edge of graph.edges) {
    const { number, a, b, sign: s, within, conflicting } = edge;
    if (inside.has(a) && inside.has(b)) {
      const both = graph.bothWays(edge) ? `, stated both ways (${edge.yes} for, ${edge.no} against)` : "";
      const yet = within ? ", yet a positive path joins the two" : "";
      const layer = s > 0 ? "positive" : "negative";
      drawn.push({
        id: `e${number}`,
        from: a.key,
        to: b.key,
        a: a.number,
        b: b.number,
        sign: s,
        count: 1,
        layer: conflicting ? "conflicts" : layer,
        text: `${graph.stating(edge)}${both}${yet}. Click to see why.`
      });
    } else if (s < 0 && !within) {
      const endOf = (one) => {
        if (inside.has(one)) return [0, one.number];
        return closed.has(one.home) ? [1, one.home] : null;
      };
      const ends = [a, b].map(endOf);
      if (ends.includes(null)) continue;
      ends.sort(([i, one], [j, other]) => i - j || one - other);
      const bundle = bundles.get(ends.join()) ?? { ends, count: 0 };
      bundle.count += 1;
      bundles.set(ends.join(), bundle);
    }
  }
  const order = ({ ends: [[i, one], [, two]] }, { ends: [[j, other], [, three]] }) =>
    i - j || one - other || two - three;
  return [
    ...drawn,
    ...[...bundles.values()].sort(order).map(({ ends: [[kind, one], [, to]], count }) => {
      const from = `${kind ? "c" : "n"}${one}`,
        where = kind ? `between clusters ${one} and ${to}` : `to cluster ${to}`;
      return {
        id: `l${from}-${to}`,
        from,
        to: `c${to}`,
        sign: -1,
        layer: "negative",
        count,
        text: `${counted(count, "stated negative")} ${where}. Click to read.`
      };
    })
  ];
}

/** Places of the closed clusters evenly around the sentences, turned so that each is near what it is joined
 * to. */
function ring(points, sentences, around, edges) {
  const spot = new Map(sentences.map(({ key }, i) => [key, points[i]])),
    n = around.length;
  const axes = [0, 1].map((axis) => points.map((point) => point[axis])),
    low = axes.map(least),
    high = axes.map(greatest);
  const centre = low.map((one, axis) => (one + high[axis]) / 2);
  const radii = low.map((one, axis) =>
    greatest([((high[axis] - one) / 2) * 1.15 + GAP, (n * 1.5) / (2 * Math.PI)])
  );
  const wish = around.map((id) => {
    const tied = edges
      .filter(({ from, to }) => to === `c${id}` && spot.has(from))
      .map(({ from }) => spot.get(from));
    const [across, up] = [0, 1]
      .map((axis) => (tied.reduce((sum, at) => sum + at[axis], 0) / tied.length - centre[axis]) / radii[axis])
      .map(millionth);
    return tied.length ? Math.atan2(up, across) : 0;
  });
  const order = [...around.keys()].sort((i, j) => wish[i] - wish[j] || around[i] - around[j]),
    angle = [];
  for (const [place, i] of order.entries()) angle[i] = (place * 2 * Math.PI) / n;
  const off = wish.map((one, i) => one - angle[i]),
    turn = Math.atan2(
      ...[Math.sin, Math.cos].map((part) => millionth(off.reduce((sum, one) => sum + part(one), 0)))
    );
  return angle.map((one) => [
    centre[0] + radii[0] * Math.cos(one + turn),
    centre[1] + radii[1] * Math.sin(one + turn)
  ]);
}

function titleOf(graph, { cluster, view }, scene) {
  if (cluster === null) return "The graph has no sentences.";
  const size = graph.clusters.get(cluster).members.length,
    around = scene.closed.length - scene.closed.includes(cluster),
    beside = counted(around, "neighbouring cluster");
  if (view === "clusters")
    return `Cluster of clusters: cluster ${cluster} of ${inThousands(size)}, ${around ? beside : "alone"}`;
  return `Cluster ${cluster}: ${counted(size, "sentence")}${around ? `, ${beside}` : ""}`;
}

/** The trait `picture`, less the number of its scene. */
function pictureOf(graph, screen, scene, layers, chosen) {
  const wanted = [
    [1, layers.inferred_positive],
    [-1, layers.inferred_negative]
  ]
    .filter(([, on]) => on)
    .map(([s]) => s);
  const inferred = [],
    notes = scene.note ? [scene.note] : [];
  for (const s of wanted) {
    const labels = graph.inferred(scene.sentences, s);
    const [all, drawn] = [labels.length, DRAWN_MOST].map(inThousands);
    if (labels.length > DRAWN_MOST)
      notes.push(`Of ${all} inferred labels the ${drawn} nearest can be drawn.`);
    inferred.push(...labels.slice(0, DRAWN_MOST));
  }
  if (graph.bipartite && wanted.length)
    notes.push("The two sides of these pairs are different things: no labels follow.");
  else if (wanted.includes(-1) && screen.opened.length < 2)
    notes.push("Inferred negatives join open clusters: double click a neighbour to open it.");
  const n = scene.sentences.length,
    dense = n > MANY && scene.edges.filter(({ a }) => a !== undefined).length >= DENSE * n;
  const fitting = dense ? "matrix" : "graph";
  const form = chosen === "auto" ? fitting : chosen;
  if (form === "matrix" && n && scene.closed.length)
    notes.push("The matrix holds the sentences; neighbouring clusters are in the list and in the graph (m).");
  return {
    view: screen.view,
    form,
    title: titleOf(graph, screen, scene),
    note: notes.join(" "),
    nodes: scene.nodes,
    edges: scene.edges,
    inferred,
    farthest: inferred.reduce((most, [, , , far]) => Math.max(most, far), 1),
    listed: true
  };
}
