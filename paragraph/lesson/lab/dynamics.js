// Triad dynamics (Antal, Krapivsky and Redner 2005): one edge of an unbalanced triad turns at a time, by one
// of two rules, as in `paragraph.balance.dynamics`.

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

/** Of some edges one, each as probable as its weight. */
function weighed(edges, weights, random) {
  const sums = weights.reduce((all, weight) => [...all, weight + (all.at(-1) ?? 0)], []);
  const at = random() * sums.at(-1);
  return edges[sums.findIndex((sum) => sum > at)];
}

const RULES = {
  /** Of an unbalanced triad any edge, whatever its turn does to others; of three negatives, one is healed. */
  local(graph, triads, random) {
    const triad = oneOf(triads.filter(isOdd), random);
    const edges = graph.edges.filter((edge) => liesIn(edge, triad));
    const heal = triad.kind === "---" || random() < 0.5;
    return oneOf(edges.filter(heal ? isNegative : isPositive), random);
  },
  /** Only an edge with which the number of unbalanced triads falls, or, half as probably, stays the same. */
  constrained(graph, triads, random) {
    const weights = graph.edges.map((edge) => {
      const { odd, even } = triadsAround(triads, edge);
      if (odd.length < even.length) return 0;
      return odd.length * (odd.length > even.length ? 1 : 0.5);
    });
    return weights.some(Boolean) ? weighed(graph.edges, weights, random) : null;
  }
};

/** The edge [a, b, sign] to turn next; null where no triad is unbalanced, or no edge may turn. */
function nextTurn(graph, rule, seed) {
  const triads = triadsOf(graph);
  return triads.some(isOdd) ? RULES[rule](graph, triads, randomOf(seed)) : null;
}

/** The share of balanced triads; null without a triad. */
function balancedShare(graph) {
  const triads = triadsOf(graph);
  return triads.length ? 1 - triads.filter(isOdd).length / triads.length : null;
}
