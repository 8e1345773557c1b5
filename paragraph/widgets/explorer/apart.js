// Positives that are too probably wrong are taken out, and clusters fall apart before one's eyes.

/** Is a stated label right with less than this probability? */
const isOut = ({ sign, wrong }, trust) => sign > 0 && wrong > 1000 - Math.round(1000 * trust);

/** What is left of some sentences and the labels between them: the `part` of each, `sizes` of the parts, and
 * numbers. */
function apartOf(nodes, edges, trust) {
  const part = new Map();
  const isKept = (edge) => !isOut(edge, trust);
  const parts = [];
  for (const start of nodes) {
    if (part.has(start)) continue;
    const some = new Set([start]);
    for (const node of some)
      for (const edge of node.edges)
        if (edge.sign > 0 && isKept(edge)) some.add(edge.a === node ? edge.b : edge.a);
    parts.push(some);
    for (const node of some) part.set(node, -1);
  }
  parts.sort((one, other) => other.size - one.size);
  parts.forEach((some, i) => some.forEach((node) => part.set(node, i)));
  const sizes = parts.map(({ size }) => size);

  const inside = edges.filter(({ a, b }) => part.has(a) && part.has(b));
  const kept = inside.filter(isKept);
  const endsOf = ({ a, b }) => [part.get(a), part.get(b)].sort((x, y) => x - y);
  const isWhole = (edge) => new Set(endsOf(edge)).size === 1;
  const minus = kept.filter((edge) => edge.sign < 0 && !isWhole(edge)).map(endsOf);
  const joined = new Map(minus.map((ends) => [ends.join(" "), ends]));
  const sum = (values) => values.reduce((all, one) => all + one, 0);
  const positive = sum(sizes.map((n) => (n * (n - 1)) / 2)) - kept.filter(isWhole).length;
  const negative = sum([...joined.values()].map(([i, j]) => sizes[i] * sizes[j])) - minus.length;
  const isConflict = (edge) => (edge.within && isWhole(edge)) || isBothWays(edge);
  return {
    part,
    sizes,
    out: inside.length - kept.length,
    clusters: sizes.filter((size) => size > 1).length,
    conflicts: edges.filter((edge) => part.has(edge.a) && isKept(edge) && isConflict(edge)).length,
    follow: positive + negative
  };
}

/** A cluster as it is, and what is left of it. */
function fallAt({ members }, trust) {
  const edges = [...new Set(members.flatMap((node) => node.edges))];
  return [0, trust].map((level) => apartOf(members, edges, level));
}

const FALLS = 0.7; // a part moves by this share of its way from the middle of its cluster

/** A scene in which the parts of open clusters lie apart, with a note that says so. */
function fallen(graph, scene, trust) {
  const isLoose = (edge) => edge.a !== undefined && isOut(graph.edges.get(Number(edge.id.slice(1))), trust);
  const edges = scene.edges.map((edge) => (isLoose(edge) ? { ...edge, out: true } : edge));
  const shifts = new Map();
  const nodes = [];
  const notes = [];
  const meanOf = (some) =>
    ["x", "y"].map((axis) => some.reduce((sum, one) => sum + one[axis], 0) / some.length);
  for (const id of scene.opened) {
    const [was, now] = fallAt(graph.clusters.get(id), trust);
    if (!now.out) continue;
    const parts = now.sizes.length;
    notes.push(
      `Without ${counting(now.out, "positive")}, cluster ${id} ` +
        `${parts > 1 ? `falls into ${parts}: ${saidSizes(now.sizes)} sentences` : "stays whole"}; ` +
        (was.conflicts ? `${now.conflicts} of ${counting(was.conflicts, "conflict")} left; ` : "") +
        `labels that follow: ${was.follow.toLocaleString("en-US")} → ${now.follow.toLocaleString("en-US")}.`
    );
    if (parts === 1) continue;
    const own = scene.nodes.filter(({ home }) => home === id);
    if (!own.length) continue;
    const middle = meanOf(own);
    const groups = grouped(own, ({ key }) => now.part.get(graph.nodes.get(key)));
    for (const [group, some] of groups) {
      const [dx, dy] = meanOf(some).map((value, axis) => FALLS * (value - middle[axis]));
      for (const { key } of some) shifts.set(key, { dx, dy, group, parts, camp: group });
    }
  }
  if (shifts.size) {
    const middle = meanOf(scene.nodes);
    for (const { x, y, ...node } of scene.nodes) {
      const { dx, dy, ...own } = shifts.get(node.key) ?? {
        dx: (FALLS * (x - middle[0])) / 2,
        dy: (FALLS * (y - middle[1])) / 2
      };
      nodes.push({ ...node, ...own, x: x + dx, y: y + dy });
    }
    const place = ({ home }) => (home === undefined ? scene.opened.length : scene.opened.indexOf(home));
    nodes.sort((one, other) => place(one) - place(other) || one.group - other.group || 0);
    nodes.forEach((node, i) => Object.assign(node, { number: i + 1 }));
  }
  const note = [...notes, scene.note].filter(Boolean).join(" ");
  return { ...scene, nodes: nodes.length ? nodes : scene.nodes, edges, note };
}

/** What is left of all that is held: as `Doubted.apart` of Python. */
function graphApart({ nodes, edges, clusters, bipartite }, trust) {
  const { part: _, sizes, ...now } = apartOf([...nodes.values()], [...edges.values()], trust);
  const of = [...clusters].flatMap(([id, cluster]) => {
    const [before, { sizes, conflicts }] = fallAt(cluster, trust);
    const isChanged = sizes.length > 1 || conflicts < before.conflicts;
    return isChanged ? [[id, sizes.length, conflicts]] : [];
  });
  return { ...now, follow: bipartite ? 0 : now.follow, of };
}

/** What the list says of the clusters of a graph: counts before and after. */
function fallOf(was, now, trust) {
  const change = (name) =>
    `${[was[name], now[name]].map((n) => n.toLocaleString("en-US")).join(" → ")} ${name}`;
  return {
    trust,
    of: new Map(now.of.map(([id, parts, left]) => [id, { parts, left }])),
    said:
      `${counting(now.out, "positive")} out: ${change("clusters")}, ${change("conflicts")}, ` +
      `${[was, now].map(({ follow }) => follow.toLocaleString("en-US")).join(" → ")} labels that follow`
  };
}
