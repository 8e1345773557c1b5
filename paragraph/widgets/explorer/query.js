// Queries: the clusters that answer one, in its order.

// of two clusters or sentences the first by such a value
const by = (valueOf) => (one, other) => valueOf(one) - valueOf(other);

const SURPRISES = {
  size: ({ size }) => size > 1,
  density: ({ size }) => size > 2,
  conflict: ({ conflicts }) => conflicts > 0
};

/** Sentences that hold the words, with a grade each, and those of a row that is named ("#12"). */
function seek(nodes, edges, words) {
  const graded = wordsIn(words).length ? gradesOf(nodes, words) : new Map();
  const named = words.match(/^\s*(?:row\s+|#)(\S+)\s*$/i)?.[1];
  const isNamed = ({ names }) => names.some((name) => String(name) === named);
  const ends = named ? edges.filter(isNamed).flatMap(({ a, b }) => [a, b]) : [];
  for (const node of ends) graded.set(node, graded.get(node) ?? 0);
  return ends.length ? new Map([...graded].sort(by(([{ number }]) => number))) : graded;
}

/** Whole numbers, as a list or as bytes, each of so few as all of them need. */
function numbersOf(column, count) {
  if (Array.isArray(column)) return column;
  const { buffer, byteOffset, byteLength } = column;
  const kind = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[byteLength / count];
  return new kind(buffer.slice(byteOffset, byteOffset + byteLength));
}

const isWithin = (value, [from, to]) => (from === null || value >= from) && (to === null || value <= to);

/** The list of all clusters, from columns of numbers. */
function listOf({ count, ids = Array.from({ length: count }, (_, i) => i), doubt, ...columns }) {
  const names = ["size", "within", "conflicts", "negatives", "positive"];
  const [size, within, conflicts, negatives, positive] = names.map((name) => numbersOf(columns[name], count));
  const rows = ids.map((cluster, i) => ({
    cluster,
    size: size[i],
    conflicts: conflicts[i],
    negatives: negatives[i],
    density: size[i] > 1 ? positive[i] / ((size[i] * (size[i] - 1)) / 2) : 1
  }));
  const inside = new Map(ids.map((id, i) => [id, within[i]])); // conflicts
  const at = new Map(rows.map((row) => [row.cluster, row]));
  const wrong = doubt && numbersOf(doubt, count); // thousandths and 1; 0: not known
  const doubts = wrong && new Map(ids.map((id, i) => [id, wrong[i] ? (wrong[i] - 1) / 1000 : NaN]));
  const valueOf = (row, name) => (name === "p_wrong" ? doubts.get(row.cluster) : (row[name] ?? 0));
  const binned = ["size", "density", "conflicts", "negatives", ...(doubts ? ["p_wrong"] : [])];
  let counted = null; // how to count bins
  const KINDS = {
    any: () => true,
    none: ({ conflicts: all }) => all === 0,
    within: ({ cluster: id }) => inside.get(id) > 0,
    direct: ({ cluster: id, conflicts: all }) => all > inside.get(id)
  };

  /** Does a cluster pass all of a query but its bounds? */
  function keeping({ words, kind, only = null }, best) {
    const isSearched = wordsIn(words).length > 0;
    const some = only && new Set(only);
    return (row) =>
      (!isSearched || best.has(row.cluster)) && KINDS[kind](row) && (!some || some.has(row.cluster));
  }

  /** Histograms of what answers a query. */
  function bins(query, best) {
    counted ??= countingBins(rows, valueOf, binned);
    return counted(keeping(query, best), Object.entries(query.bounds));
  }

  /** `best` holds the grade of each cluster in which the words are found. */
  function find({ words, bounds, kind, sort, descending, only = null }, best) {
    const isSearched = wordsIn(words).length > 0;
    const limits = Object.entries(bounds);
    const isBound = (row) => limits.every(([name, limit]) => isWithin(valueOf(row, name), limit));
    const isKept = keeping({ words, kind, only }, best);
    const isRanked = isSearched && sort === "cluster" && !descending;
    const value = isRanked
      ? ({ cluster: id }) => -best.get(id)
      : (row) => (descending ? -1 : 1) * (row[sort] ?? 0);
    return rows
      .filter((row) => isKept(row) && isBound(row))
      .sort(by(value))
      .map(({ cluster: id }) => id);
  }

  /** What holds the words of a query but does not pass its filter: single sentences, larger clusters. */
  function beyond(query, best) {
    if (!wordsIn(query.words).length) return [0, 0];
    const found = new Set(find(query, best));
    const left = find({ ...query, bounds: {}, kind: "any", only: null }, best).filter((id) => !found.has(id));
    const { length } = left.filter((id) => at.get(id).size === 1);
    return [length, left.length - length];
  }

  /** One at random: large ones more likely; of the tenth with the lowest density; of those with a
   * conflict. */
  function surprise(what) {
    let some = rows.filter(SURPRISES[what]);
    if (what === "density")
      some = some.sort(by(({ density: share }) => share)).slice(0, Math.max(1, Math.floor(some.length / 10)));
    const weights = some.map(({ size: many }) => (what === "size" ? many : 1));
    let left = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
    const drawn = some.find((_, i) => {
      left -= weights[i];
      return left < 0;
    });
    return drawn?.cluster;
  }

  /** Count the pairs of each cluster of which something was said: two nodes, two clusters, an answer each. */
  function decide(said) {
    for (const row of rows) row.decided = 0;
    for (const [, , one, other] of said)
      for (const id of new Set([one, other])) if (at.has(id)) at.get(id).decided += 1;
  }

  return { find, bins, decide, beyond, surprise, rowOf: (id) => at.get(id), count };
}
