// The picture of open and closed clusters, and what it shows. Places are in units of `SPACING` pixels,
// upwards.

const GAP = 1.3;
const tenth = (value) => Math.round(value * SPACING * 10) / 10;
const least = (values) => Math.min(...values);
const greatest = (values) => Math.max(...values);

/** The clusters beside those shown, those with most negatives to them first. */
function neighboursOf({ linksOf }, shown) {
  const counts = new Map();
  for (const one of shown)
    for (const [other, count] of linksOf(one))
      if (!shown.has(other)) counts.set(other, (counts.get(other) ?? 0) + count);
  return [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([id]) => id);
}

/** The clusters drawn as one node beside those opened, and what is said of those left out. Where there are
 * more than `most` neighbours, none of them is drawn. */
function aroundOf(graph, opened, closed, most = Infinity) {
  const ranked = neighboursOf(graph, new Set([...opened, ...closed]));
  const all = inThousands(ranked.length);
  const others = closed.filter((one) => !opened.includes(one));
  if (ranked.length > most) return { around: others, notes: [`${all} neighbouring clusters are not drawn.`] };
  const cut = `${NEIGHBOURS} of ${all} neighbouring clusters are shown: those with most negatives.`;
  const notes = ranked.length > NEIGHBOURS ? [cut] : [];
  return { around: [...others, ...ranked.slice(0, NEIGHBOURS)], notes };
}

const LINE_OF_CAPTION = 22; // letters

/** Words in at most two short lines; some after the first two may be left out. */
function captionOf(words, from = 0) {
  const parts = from > 2 ? [words[0], `${words[1]}…`, ...words.slice(from)] : words;
  const lines = [""];
  for (const word of parts.flatMap((one) => one.match(/.{1,22}/gu))) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= LINE_OF_CAPTION) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const kept = lines.filter(Boolean);
  return kept.slice(0, 2).join("\n") + (kept.length > 2 ? "…" : "");
}

/** The captions of sentences: their beginnings, and of those that begin alike the words in which they
 * differ. */
function captionsOf(texts) {
  const words = texts.map(wordsIn);
  const captions = words.map((some) => captionOf(some));
  for (let turn = 0; turn < 3; turn += 1)
    for (const alike of grouped([...texts.keys()], (i) => captions[i]).values()) {
      const [first, ...others] = alike.map((i) => words[i]);
      const from = first.findIndex((word, k) => others.some((some) => some[k] !== word));
      if (from >= 0) for (const i of alike) captions[i] = captionOf(words[i], from);
    }
  return captions;
}

function notesOf(graph, { opened, cluster }, notes) {
  const missing = graph.missing(cluster);
  const beside = `${counting(missing, "neighbouring cluster")} of cluster ${cluster}`;
  const left = missing && `${beside} ${missing > 1 ? "are" : "is"} not on this page.`;
  const own = opened.map((id) => graph.clusters.get(id).note);
  return joined([...own, ...notes, left]);
}

/** The places of the sentences of open clusters, one cluster beside the other: the first in the middle, then
 * right and left in turn. */
function placesOf(opened) {
  const placed = [];
  for (const [i, cluster] of opened.entries()) {
    const places = (cluster.places ??= layoutOf(cluster));
    const xs = places.map(([x]) => x);
    const side = i % 2 ? 1 : -1;
    const reach = greatest(placed.map((some) => Math.abs(greatest(some.map(([one]) => side * one)))));
    const by = i ? side * (reach + GAP + (greatest(xs) - least(xs)) / 2 + 0.5) : 0;
    placed.push(places.map(([x, y]) => [x + by, y]));
  }
  return placed.flat();
}

/** The scene of a screen, with the clusters around it. A review marks lines: `marked` gives those that are
 * drawn. */
function makeScene(graph, screen, { around, notes }, marked = (lines, _) => lines) {
  const { clusters } = graph;
  const { opened } = screen;
  const drawn = ({ drawn: places, members }) => places.map((place) => members[place]);
  const open = opened.map((id) => clusters.get(id));
  const sentences = open.flatMap(drawn);
  const edges = marked(labelsOf(graph, sentences, around), sentences);
  const conflicts = edges.filter(({ layer }) => layer === "conflicts");
  const conflicting = new Set(conflicts.flatMap(({ from, to }) => [from, to]));

  const nodes = open.flatMap((cluster) => {
    const { id, group = [] } = cluster;
    const parts = 1 + greatest([0, ...group]);
    const own = drawn(cluster);
    const captions = captionsOf(own.map(({ text }) => text));
    return own.map(({ key, text }, i) => ({
      key,
      text,
      label: captions[i],
      size: 1,
      home: id,
      group: group[i] ?? 0,
      conflict: conflicting.has(key),
      parts
    }));
  });
  for (const id of around) {
    const { size, label } = clusters.get(id);
    const count = counting(size, "sentence");
    const text = `Cluster ${id}, ${count}: ${graph.centralOf(id).text}`;
    const caption = `${label}\n${count}`;
    nodes.push({ key: `c${id}`, text, size, cluster: id, label: caption, conflict: false });
  }
  const points = placesOf(open);
  // a closed cluster that nothing stands beside is in the middle of the others
  if (!points.length) points.push([0, 0]);
  const spot = new Map(points.map((point, i) => [nodes[i]?.key, point]));
  const others = around.slice(points.length - sentences.length);
  if (others.length) points.push(...ring(points, spot, others, edges));
  for (const [i, node] of nodes.entries()) {
    const [x, y] = points[i];
    Object.assign(node, { x: tenth(x), y: tenth(-y), number: i + 1 });
  }
  const note = notesOf(graph, screen, notes);
  return { opened, closed: around, sentences, nodes, edges, note, at: new Set(nodes.map(({ key }) => key)) };
}

function lineOf(graph, edge) {
  const { number, a, b, sign, yes, no } = edge;
  const own = sign > 0 ? "positive" : "negative";
  const both = isLabelledTwice(edge) ? `, stated both ways (${yes} for, ${no} against)` : "";
  const yet = edge.isNegativeInside ? ", yet a positive path joins the two" : "";
  return {
    id: `e${number}`,
    from: a.key,
    to: b.key,
    a: a.number,
    b: b.number,
    sign,
    count: 1,
    layer: edge.isConflicting ? "conflicts" : own,
    text: `${graph.stating(edge)}${both}${yet}. Click to see why.`
  };
}

/** A line for all the negatives between a node and a closed cluster. */
function bundleOf(from, cluster, count, conflicts = 0) {
  const where =
    from[0] === "c" ? `between clusters ${from.slice(1)} and ${cluster}` : `to cluster ${cluster}`;
  const both = conflicts ? `, ${inThousands(conflicts)} stated both ways` : "";
  return {
    id: `l${from}-${cluster}`,
    from,
    to: `c${cluster}`,
    sign: -1,
    layer: conflicts ? "conflicts" : "negative",
    count,
    text: `${counting(count, "stated negative")} ${where}${both}. Click to read.`
  };
}

/** Stated labels between the sentences shown, and negatives to closed clusters, those of the same two nodes
 * as one line. */
function labelsOf(graph, sentences, around) {
  const inside = new Set(sentences);
  const closed = new Set(around);
  const touching = unique(sentences.flatMap(({ edges: own }) => own));
  const edges = touching.sort(byNumber);
  const isDrawn = ({ a, b }) => inside.has(a) && inside.has(b);
  const leaving = edges
    .filter((edge) => edge.sign < 0 && edge.a.home !== edge.b.home && !isDrawn(edge))
    .map((edge) => (inside.has(edge.a) ? [edge.a.key, edge.b.home, edge] : [edge.b.key, edge.a.home, edge]))
    .filter(([, home]) => closed.has(home));
  const toClosed = [...grouped(leaving, ([key, home]) => `${key} ${home}`).values()].map((all) => {
    const [key, home] = all[0];
    return [key, home, all.length, all.filter(([, , edge]) => edge.isConflicting).length];
  });
  const between = around.flatMap((one) =>
    [...graph.linksOf(one)]
      .filter(([other]) => one < other && closed.has(other))
      .map(([other, count]) => [`c${one}`, other, count])
  );
  return [
    ...edges.filter(isDrawn).map((edge) => lineOf(graph, edge)),
    ...[...toClosed, ...between].map((bundle) => bundleOf(...bundle))
  ];
}

/** Places of closed clusters evenly around what has its `spot`, turned so that each is near what it is joined
 * to. */
function ring(points, spot, around, edges) {
  const n = around.length;
  const sumOf = (values) => values.reduce((sum, one) => sum + one, 0);
  const [across, up] = [0, 1].map((axis) => {
    const values = points.map((point) => point[axis]);
    const low = least(values);
    const high = greatest(values);
    const radius = greatest([((high - low) / 2) * 1.15 + GAP, (n * 1.5) / (2 * Math.PI)]);
    return { centre: (low + high) / 2, radius };
  });
  const wish = around.map((id) => {
    const tied = edges.filter(({ from, to }) => to === `c${id}` && spot.get(from));
    if (!tied.length) return 0;
    const mean = (axis) => sumOf(tied.map(({ from }) => spot.get(from)[axis])) / tied.length;
    return Math.atan2((mean(1) - up.centre) / up.radius, (mean(0) - across.centre) / across.radius);
  });
  const order = [...around.keys()].sort((i, j) => wish[i] - wish[j] || around[i] - around[j]);
  const angle = around.map((_, i) => (order.indexOf(i) * 2 * Math.PI) / n);
  const off = wish.map((one, i) => one - angle[i]);
  const turn = Math.atan2(sumOf(off.map(Math.sin)), sumOf(off.map(Math.cos)));
  return angle.map((one) => [
    across.centre + across.radius * Math.cos(one + turn),
    up.centre + up.radius * Math.sin(one + turn)
  ]);
}
