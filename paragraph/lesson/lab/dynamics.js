// Triad dynamics (Antal, Krapivsky and Redner 2005): one edge of an unbalanced triad turns at a time, by one
// of two rules.

/** Random numbers from 0 to 1 that a seed decides (mulberry32). */
function randomOf(seed) {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const oneOf = (some, random) => some[Math.floor(random() * some.length)];

const RULES = {
  /** Of an unbalanced triad one edge, whatever its turn does to others: of one negative, with probability p
   * that one, else one of the positives; of three, any. */
  local(graph, triads, random, p) {
    const triad = oneOf(triads.filter(isOdd), random);
    const edges = graph.edges.filter((edge) => liesIn(edge, triad));
    const heal = triad.kind === "---" || random() < p;
    return oneOf(edges.filter(heal ? isNegative : isPositive), random);
  },
  /** Only an edge with which the number of unbalanced triads falls, or, half as probably, stays the same. */
  constrained(graph, triads, random) {
    const lots = graph.edges.flatMap((edge) => {
      const { odd, even } = triadsAround(triads, edge);
      if (odd.length < even.length) return [];
      return Array(odd.length * (odd.length > even.length ? 2 : 1)).fill(edge);
    });
    return lots.length ? oneOf(lots, random) : null;
  }
};

/** The edge [a, b, sign] to turn next; null where no triad is unbalanced, or no edge may turn. */
function nextTurn(graph, { rule, p }, seed) {
  const triads = triadsOf(graph);
  return triads.some(isOdd) ? RULES[rule](graph, triads, randomOf(seed), p) : null;
}

/** The shares of positive edges (friendship) and of balanced triads (balance; null without triads) before and
 * after each of the last changes that turned signs: a turn makes its balanced triads unbalanced, and the
 * unbalanced ones balanced. */
function courseOf(table, changes) {
  const since = changes.findLastIndex(({ did, from, to }) => did !== "sign" || !from || !to) + 1;
  const graph = graphOn(table);
  const triads = triadsOf(graph).map(({ nodes, kind }) => {
    return { nodes: nodes.map((place) => table.nodes[place].key), odd: ODD.includes(kind) };
  });
  let positive = graph.edges.filter(isPositive).length;
  const point = () => ({
    friendship: positive / (graph.edges.length || 1),
    balance: triads.length ? triads.filter(({ odd }) => !odd).length / triads.length : null
  });
  const course = [point()];
  for (const { edge, from } of changes.slice(since).reverse()) {
    for (const triad of triads) if (liesIn(edge, triad)) triad.odd = !triad.odd;
    positive += from;
    course.unshift(point());
  }
  return course;
}
