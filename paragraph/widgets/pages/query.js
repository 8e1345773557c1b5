// Queries: the clusters that answer one, in its order, and their rows in the list.

// of two clusters or sentences the first by such a value
const by = (valueOf) => (one, other) => valueOf(one) - valueOf(other);

const SURPRISES = {
  size: ({ size }) => size > 1,
  density: ({ size }) => size > 2,
  conflict: ({ conflicts }) => conflicts > 0
};

function listOf(graph) {
  const clusters = [...graph.clusters.values()].sort(by(({ id }) => id));
  const rows = new Map();
  const within = new Map(); // conflicts inside a cluster
  for (const { id, members, counts } of clusters) {
    const [inside, conflicts, negatives, density] = counts;
    rows.set(id, { cluster: id, size: members.length, conflicts, negatives, density });
    within.set(id, inside);
  }
  const KINDS = {
    any: () => true,
    none: ({ conflicts }) => conflicts === 0,
    within: ({ cluster }) => within.get(cluster) > 0,
    direct: ({ cluster, conflicts }) => conflicts > within.get(cluster)
  };
  const sentences = [...graph.nodes.values()].sort(by(({ number }) => number));
  /** Sentences that hold the words, with a grade each, and those of a row that is named ("#12"). */
  function seek(words) {
    const graded = wordsIn(words).length ? gradesOf(sentences, words) : new Map();
    const named = words.match(/^\s*(?:row\s+|#)(\S+)\s*$/i)?.[1];
    const isNamed = ({ names }) => names.some((name) => String(name) === named);
    const ends = named ? graph.edges.filter(isNamed).flatMap(({ a, b }) => [a, b]) : [];
    for (const node of ends) graded.set(node, graded.get(node) ?? 0);
    return ends.length ? new Map([...graded].sort(by(([{ number }]) => number))) : graded;
  }
  let last = {}; // the words asked for last, and what was found
  function hits(words) {
    if (last.words !== words) last = { words, found: seek(words) };
    return last.found;
  }

  function find({ words, bounds, kind, sort, descending }) {
    const isSearched = wordsIn(words).length > 0;
    const best = new Map(); // grade, by cluster
    for (const [{ home }, grade] of hits(words)) best.set(home, Math.max(grade, best.get(home) ?? 0));
    const isWithin = (row) =>
      Object.entries(bounds).every(
        ([name, [from, to]]) => row[name] >= (from ?? 0) && row[name] <= (to ?? Infinity)
      );
    const isKept = (row) => (!isSearched || best.has(row.cluster)) && isWithin(row) && KINDS[kind](row);
    const isRanked = isSearched && sort === "cluster" && !descending;
    const value = isRanked
      ? ({ cluster }) => -best.get(cluster)
      : (row) => (descending ? -row[sort] : row[sort]);
    return [...rows.values()]
      .filter(isKept)
      .sort(by(value))
      .map(({ cluster }) => cluster);
  }

  /** What holds the words of a query but does not pass its filter: single sentences, larger clusters. */
  function beyond(query) {
    if (!wordsIn(query.words).length) return [0, 0];
    const found = new Set(find(query));
    const left = find({ ...query, bounds: {}, kind: "any" }).filter((id) => !found.has(id));
    const { length } = left.filter((id) => rows.get(id).size === 1);
    return [length, left.length - length];
  }

  /** The rows of some clusters, each with its most central sentence, or the best one found. */
  function rowsOf(ids, words) {
    const here = grouped(hits(words), ([{ home }]) => home);
    return ids.map((id) => {
      const own = here.get(id) ?? [];
      const best = Math.max(...own.map(([, grade]) => grade));
      const [{ text }] = own.find(([, grade]) => grade === best) ?? [graph.centralOf(id)];
      return { ...rows.get(id), text, hits: own.length };
    });
  }

  /** The words, with the most similar known word in the place of each that no sentence holds. */
  function nearest(words) {
    if (hits(words).size) return "";
    const all = wordsIn(words.toLowerCase());
    const unknown = all.filter((word) => !gradesOf(sentences, word).size);
    if (!unknown.length) return "";
    const known = new Set(sentences.flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u)));
    const near = all.map((word) => (unknown.includes(word) ? mostSimilar(word, known) : word));
    return near.every(Boolean) ? near.join(" ") : "";
  }

  /** One at random: large ones more likely; of the tenth with the lowest density; of those with a
   * conflict. */
  function surprise(what) {
    let some = [...rows.values()].filter(SURPRISES[what]);
    if (what === "density")
      some = some.sort(by(({ density }) => density)).slice(0, Math.max(1, Math.floor(some.length / 10)));
    const weights = some.map(({ size }) => (what === "size" ? size : 1));
    let at = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
    const drawn = some.find((_, i) => {
      at -= weights[i];
      return at < 0;
    });
    return drawn?.cluster;
  }

  return { hits, find, beyond, rowsOf, nearest, surprise };
}
