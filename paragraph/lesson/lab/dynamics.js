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
  /** Of an unbalanced triad one edge, whatever its turn does to others: of one negative, with probability ½
   * that one, else one of the positives; of three, any. */
  local(graph, triads, random) {
    const triad = oneOf(triads.filter(isOdd), random);
    const edges = graph.edges.filter((edge) => liesIn(edge, triad));
    const heal = triad.kind === "---" || random() < 0.5;
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
function nextTurn(graph, rule, seed) {
  const triads = triadsOf(graph);
  return triads.some(isOdd) ? RULES[rule](graph, triads, randomOf(seed)) : null;
}
