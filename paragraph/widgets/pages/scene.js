// The picture of open and closed clusters, and what it shows: as `base/scene.py` and `explorer/shown.py` make
// it. Places are in units of `SPACING` pixels, upwards.

const SPACING = 95;
const GAP = 1.3;
const tenth = (value) => Math.round(value * SPACING * 10) / 10;
const millionth = (value) => Math.round(value * 1e6) / 1e6 + 0; // of equals, the first cluster
const least = (values) => Math.min(...values);
const greatest = (values) => Math.max(...values);

/** The clusters beside those shown, those with most negatives to them first. */
function neighboursOf({ linksOf }, shown) {
  const counts = new Map();
  for (const one of shown)
    for (const [other, { length }] of linksOf(one))
      if (!shown.has(other)) counts.set(other, (counts.get(other) ?? 0) + length);
  return [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([id]) => id);
}

function notesOf(graph, { opened, cluster }, ranked, most) {
  const notes = opened.map((id) => graph.clusters.get(id).note);
  const all = inThousands(ranked.length);
  if (ranked.length > most && most > 0)
    notes.push(`${most} of ${all} neighbouring clusters are shown: those with most negatives.`);
  const missing = graph.missing(cluster);
  const beside = `${counting(missing, "neighbouring cluster")} of cluster ${cluster}`;
  if (missing) notes.push(`${beside} ${missing > 1 ? "are" : "is"} not on this page.`);
  return notes.filter(Boolean).join(" ");
}

/** The places of the sentences of open clusters, one cluster beside the other: the first in the middle, then
 * right and left in turn. */
function placesOf(opened) {
  const placed = [];
  for (const [i, { x, y }] of opened.entries()) {
    const xs = x.map((one) => one / SPACING);
    const side = i % 2 ? 1 : -1;
    const reach = greatest(placed.map((some) => Math.abs(greatest(some.map(([one]) => side * one)))));
    const by = i ? side * (reach + GAP + (greatest(xs) - least(xs)) / 2 + 0.5) : 0;
    placed.push(xs.map((one, k) => [one + by, -y[k] / SPACING]));
  }
  return placed.flat();
}

function makeScene(graph, screen, most) {
  const { clusters } = graph;
  const { opened } = screen;
  const closed = screen.view === "clusters" && screen.cluster !== null ? [screen.cluster] : [];
  const ranked = neighboursOf(graph, new Set([...opened, ...closed]));
  const around = [...closed.filter((one) => !opened.includes(one)), ...ranked.slice(0, most)];
  const drawn = ({ drawn: places, members }) => places.map((place) => members[place]);
  const open = opened.map((id) => clusters.get(id));
  const sentences = open.flatMap(drawn);
  const edges = labelsOf(graph, new Set(sentences), new Set(around));
  const conflicts = edges.filter(({ layer }) => layer === "conflicts");
  const conflicting = new Set(conflicts.flatMap(({ from, to }) => [from, to]));

  const nodes = open.flatMap(({ id, group = [], ...cluster }) => {
    const parts = 1 + greatest([0, ...group]);
    return drawn(cluster).map(({ key, text, label, spans }, i) => {
      const conflict = conflicting.has(key);
      return {
        key,
        text,
        label,
        size: 1,
        home: id,
        group: group[i] ?? 0,
        conflict,
        parts,
        ...(spans && { spans })
      };
    });
  });
  for (const id of around) {
    const { members, label } = clusters.get(id);
    const count = counting(members.length, "sentence");
    const text = `Cluster ${id}, ${count}: ${graph.centralOf(id).text}`;
    const said = `${label}\n${count}`;
    nodes.push({ key: `c${id}`, text, size: members.length, cluster: id, label: said, conflict: false });
  }
  const points = placesOf(open);
  if (points.length && around.length) points.push(...ring(points, sentences, around, edges));
  else {
    const places = clusters.get(screen.cluster)?.around;
    points.push(...around.map((id) => [places[id][0] / SPACING, -places[id][1] / SPACING]));
  }
  for (const [i, node] of nodes.entries()) {
    const [x, y] = points[i];
    Object.assign(node, { x: tenth(x), y: tenth(-y), number: i + 1 });
  }
  const note = notesOf(graph, screen, ranked, most);
  return { opened, closed: around, sentences, nodes, edges, note, at: new Set(nodes.map(({ key }) => key)) };
}

function lineOf(edge) {
  const { number, a, b, sign, yes, no, within, conflicting } = edge;
  const own = sign > 0 ? "positive" : "negative";
  const both = isBothWays(edge) ? `, stated both ways (${yes} for, ${no} against)` : "";
  const yet = within ? ", yet a positive path joins the two" : "";
  return {
    id: `e${number}`,
    from: a.key,
    to: b.key,
    a: a.number,
    b: b.number,
    sign,
    count: 1,
    layer: conflicting ? "conflicts" : own,
    text: `${stating(edge)}${both}${yet}. Click to see why.`
  };
}

/** A line for all the negatives between two nodes, `[isClosed, number]` each; the second is closed. */
function bundleOf([[isFromClosed, one], [, other]], count) {
  const from = `${isFromClosed ? "c" : "n"}${one}`;
  const where = isFromClosed ? `between clusters ${one} and ${other}` : `to cluster ${other}`;
  return {
    id: `l${from}-${other}`,
    from,
    to: `c${other}`,
    sign: -1,
    layer: "negative",
    count,
    text: `${counting(count, "stated negative")} ${where}. Click to read.`
  };
}

/** Stated labels between the sentences shown, and negatives to closed clusters, those of the same two nodes
 * as one line. */
function labelsOf(graph, inside, closed) {
  const drawn = graph.edges.filter(({ a, b }) => inside.has(a) && inside.has(b));
  const endOf = (node) => {
    if (inside.has(node)) return [0, node.number];
    return closed.has(node.home) ? [1, node.home] : null;
  };
  const inOrder = ([i, one], [j, other]) => i - j || one - other;
  const leaving = graph.edges
    .filter(({ a, b, sign, within }) => sign < 0 && !within && !(inside.has(a) && inside.has(b)))
    .map(({ a, b }) => [endOf(a), endOf(b)])
    .filter((ends) => !ends.includes(null))
    .map((ends) => ends.sort(inOrder));
  const bundles = [...grouped(leaving, String).values()];
  bundles.sort(([[from, to]], [[start, end]]) => inOrder(from, start) || inOrder(to, end));
  return [...drawn.map(lineOf), ...bundles.map((all) => bundleOf(all[0], all.length))];
}

/** Places of the closed clusters evenly around the sentences, turned so that each is near what it is joined
 * to. */
function ring(points, sentences, around, edges) {
  const spot = new Map(sentences.map(({ key }, i) => [key, points[i]]));
  const n = around.length;
  const sumOf = (values) => values.reduce((sum, one) => sum + one, 0);
  const [across, up] = [0, 1].map((axis) => {
    const values = points.map((point) => point[axis]);
    const [low, high] = [least(values), greatest(values)];
    const radius = greatest([((high - low) / 2) * 1.15 + GAP, (n * 1.5) / (2 * Math.PI)]);
    return { centre: (low + high) / 2, radius };
  });
  const wish = around.map((id) => {
    const tied = edges.filter(({ from, to }) => to === `c${id}` && spot.has(from));
    if (!tied.length) return 0;
    const mean = (axis) => sumOf(tied.map(({ from }) => spot.get(from)[axis])) / tied.length;
    const away = ({ centre, radius }, axis) => millionth((mean(axis) - centre) / radius);
    return Math.atan2(away(up, 1), away(across, 0));
  });
  const order = [...around.keys()].sort((i, j) => wish[i] - wish[j] || around[i] - around[j]);
  const angle = around.map((_, i) => (order.indexOf(i) * 2 * Math.PI) / n);
  const off = wish.map((one, i) => one - angle[i]);
  const turn = Math.atan2(millionth(sumOf(off.map(Math.sin))), millionth(sumOf(off.map(Math.cos))));
  return angle.map((one) => [
    across.centre + across.radius * Math.cos(one + turn),
    up.centre + up.radius * Math.sin(one + turn)
  ]);
}
