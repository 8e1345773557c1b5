// The signed graph of a page: sentences, stated labels with their rows, clusters, paths; and why two
// sentences count as the same. Its answers are those of `paragraph.graph`.

const inThousands = (n) => n.toLocaleString("en-US");
const counted = (n, noun) => `${inThousands(n)} ${noun}${n === 1 ? "" : "s"}`;

/** Entries by the key of each. */
function grouped(entries, keyOf) {
  const found = new Map();
  for (const one of entries) {
    const key = keyOf(one);
    if (found.has(key)) found.get(key).push(one);
    else found.set(key, [one]);
  }
  return found;
}

function heldGraph({ clusters: records, edges: stated, bipartite, hops, table, sure, steps: asked }) {
  const nodes = new Map(),
    clusters = new Map(),
    between = new Map(),
    links = new Map();
  for (const record of records) {
    clusters.set(record.id, record);
    links.set(record.id, new Map());
    record.members = record.nodes.map(([number, written, label], place) => {
      const parts = typeof written === "string" ? null : written,
        text = parts ? parts.join("") : written;
      const spans = parts
        ?.map((part, i) => [part, i % 2 === 1])
        .filter(([part], i) => part || i || parts.length === 1);
      const node = {
        number,
        key: `n${number}`,
        text,
        label: label || text,
        spans,
        place,
        home: record.id,
        edges: [],
        near: []
      };
      nodes.set(number, node);
      return node;
    });
    for (const [i, place] of record.drawn.entries()) record.members[place].row = i;
  }
  const edges = stated.map(([number, one, other, s, ...written], i) => {
    const a = nodes.get(one),
      b = nodes.get(other),
      within = s < 0 && a.home === b.home;
    const rows = written.map((row) => {
      const [name, label = s > 0 ? 1 : 0, first, second] = Array.isArray(row) ? row : [row];
      const inOrder = first ? [b.text, a.text] : [a.text, b.text];
      return {
        row: name,
        label,
        texts: second === undefined ? inOrder : [first, second]
      };
    });
    const yes = rows.filter(({ label }) => label).length,
      no = rows.length - yes,
      conflicting = within || (yes > 0 && no > 0);
    const edge = {
      number,
      a,
      b,
      sign: s,
      rows,
      names: rows.map(({ row }) => row),
      yes,
      no,
      within,
      conflicting,
      right: asked?.[i]
    };
    for (const [node, away] of [
      [a, b],
      [b, a]
    ]) {
      node.edges.push(edge);
      if (s > 0) node.near.push(away);
      else if (!within) links.get(node.home).set(away.home, (links.get(node.home).get(away.home) ?? 0) + 1);
    }
    between.set(pairKey(one, other), edge);
    return edge;
  });
  for (const { near } of nodes.values()) near.sort((a, b) => a.number - b.number);
  // neighbours not on the page
  const missing = (id) => (clusters.has(id) ? clusters.get(id).neighbours - links.get(id).size : 0);
  const edgeBetween = (a, b) => between.get(pairKey(a.number, b.number));

  /** How probably a label that follows is right, in thousandths: from the digits of its clusters. */
  function rightOf(one, other) {
    if (!sure) return undefined;
    const [a, b] = [one, other].sort((x, y) => x.home - y.home || x.row - y.row),
      many = clusters.get(b.home).drawn.length,
      together = a.home === b.home;
    const at = together ? a.row * many - (a.row * (a.row + 1)) / 2 + b.row - a.row - 1 : a.row * many + b.row;
    return Number(sure[together ? a.home : `${a.home} ${b.home}`].slice(3 * at, 3 * at + 3));
  }

  /** Steps over positive labels from a sentence to each of its cluster. */
  function lengths(from) {
    const found = new Map([[from, 0]]);
    for (const node of found.keys())
      for (const next of node.near) if (!found.has(next)) found.set(next, found.get(node) + 1);
    return found;
  }

  /** The labels on a shortest positive path: of several, that of the least numbers. */
  function path(a, b) {
    const left = lengths(b),
      steps = [];
    for (let at = a; at !== b;) {
      const next = at.near.find((one) => left.get(one) === left.get(at) - 1);
      steps.push([at, next]);
      at = next;
    }
    return steps;
  }

  /** The stated negatives between two clusters, each from the first to the second. */
  const across = (home, away) =>
    clusters
      .get(home)
      .members.flatMap(({ edges: all }) => all)
      .filter(({ sign: s, a, b }) => s < 0 && (a.home === away || b.home === away))
      .sort((one, two) => one.number - two.number)
      .map(({ a, b }) => (a.home === home ? [a, b] : [b, a]));

  /** Of several negatives between two clusters, the one with the shortest proof for two sentences: `[steps,
   * x, y]`. */
  function carried(joins, fromA, fromB) {
    let best = [Infinity];
    for (const [x, y] of joins)
      if (fromA.get(x) + fromB.get(y) < best[0]) best = [fromA.get(x) + fromB.get(y), x, y];
    return best;
  }

  const far = (used, s) => {
    const steps = used + (s < 0) - 1;
    return hops ? steps : 32 - Math.clz32(steps);
  };
  const stating = ({ sign: s }) => (s > 0 ? "a paraphrase" : "not a paraphrase"),
    bothWays = ({ yes, no }) => yes > 0 && no > 0;

  /** As `explain` says it: verdict, reason, and the proof as pairs of sentences. */
  function explain(a, b) {
    const edge = edgeBetween(a, b),
      together = a.home === b.home;
    if (edge && bipartite) return { verdict: "stated", reason: `label ${edge.sign > 0 ? 1 : 0}`, steps: [] };
    if (bipartite)
      return {
        verdict: "unknown",
        reason: "no row pairs the two, and nothing follows where the two sides are different things",
        steps: []
      };
    if (edge) {
      const said =
        stating(edge) +
        (bothWays(edge)
          ? ` (stated both ways: ${edge.yes} for, ${edge.no} against; majority, the later row on a tie)`
          : "");
      if (!edge.within) return { verdict: "stated", reason: said, steps: [[a, b]] };
      const steps = path(a, b);
      return {
        verdict: "conflict",
        reason: `stated ${said}, yet ${counted(steps.length, "positive pair")} join the two`,
        steps
      };
    }
    const joins = together ? [] : across(a.home, b.home);
    if (!together && !joins.length)
      return {
        verdict: "unknown",
        reason: "no stated pair joins their clusters, so nothing follows",
        steps: []
      };
    let steps;
    if (together) steps = path(a, b);
    else {
      const [, x, y] = carried(joins, lengths(a), lengths(b));
      steps = [...path(a, x), [x, y], ...path(y, b)];
    }
    const used = steps.length - !together,
      walk = used + !together - 1,
      rounds = 32 - Math.clz32(walk);
    const reason = `at distance ${rounds} (${counted(walk, "hop")}): ${counted(used, "positive pair")}`;
    const right = rightOf(a, b),
      said = together ? `a paraphrase, ${reason}` : `not a paraphrase, ${reason} and 1 negative`;
    return {
      verdict: "inferred",
      label: together,
      steps,
      right,
      reason: right === undefined ? said : `${said}; right with ${probability(right)}`
    };
  }

  /** Inferred labels of one sign among sentences, `[from, to, sign, distance]`, the nearest first. */
  function inferred(some, s) {
    if (bipartite) return [];
    const reach = new Map(some.map((node) => [node, lengths(node)])),
      joins = new Map(),
      found = [];
    for (const [i, a] of some.entries())
      for (const b of some.slice(i + 1)) {
        if ((a.home === b.home) !== s > 0 || (s < 0 && !links.get(a.home).has(b.home)) || edgeBetween(a, b))
          continue;
        const homes = `${a.home} ${b.home}`;
        if (s < 0 && !joins.has(homes)) joins.set(homes, across(a.home, b.home));
        found.push([
          a.key,
          b.key,
          s,
          far(s > 0 ? reach.get(a).get(b) : carried(joins.get(homes), reach.get(a), reach.get(b))[0], s),
          ...(sure ? [rightOf(a, b)] : [])
        ]);
      }
    return found.sort((one, other) => one[3] - other[3]);
  }

  return {
    nodes,
    clusters,
    edges,
    links,
    missing,
    edgeBetween,
    explain,
    inferred,
    stating,
    bothWays,
    bipartite,
    table
  };
}
