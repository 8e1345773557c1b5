// Queries: the clusters that answer one, in its order.

/** Words that name a row by its number: it is found whatever the bounds. */
const NAMED_ROW = /^\s*(?:row\s+|#)\d+\s*$/i;

// of two clusters or sentences the first by such a value
const by = (valueOf) => (one, other) => valueOf(one) - valueOf(other);

/** Sentences that hold the words, with a grade each, and those of a row that is named ("#12"). */
function seek(nodes, edges, words) {
  const graded = wordsIn(words).length ? gradesOf(nodes, words) : new Map();
  const named = words.match(/^\s*(?:row\s+|#)(\S+)\s*$/i)?.[1];
  const isNamed = (name) => String(name) === named;
  const ends = edges.filter(({ names }) => names.some(isNamed)).flatMap(({ a, b }) => [a, b]);
  ends.push(...nodes.filter(({ alone }) => alone.some(isNamed)));
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

/** The list of all clusters, from columns of numbers. Of those of a saved page `ids` has the numbers; a
 * cluster goes by its place `i` in the columns. */
function listOf({ count, ids = null, ...columns }) {
  const whole = Object.entries(columns).map(([name, column]) => [name, numbersOf(column, count)]);
  const { size, within, conflicts, negatives, positive } = Object.fromEntries(whole);
  const all = Array.from({ length: count }, (_, i) => i);
  const places = ids && new Map(ids.map((id, i) => [id, i]));
  const placeOf = (id) => (places ? places.get(id) : id);
  const idOf = (i) => (ids ? ids[i] : i);
  const decided = new Map(); // how many pairs are, of clusters with any
  const VALUES = {
    cluster: idOf,
    size: (i) => size[i],
    conflicts: (i) => conflicts[i],
    negatives: (i) => negatives[i],
    density: (i) => (size[i] > 1 ? positive[i] / ((size[i] * (size[i] - 1)) / 2) : 1),
    decided: (i) => decided.get(idOf(i)) ?? 0
  };
  const KINDS = {
    any: () => true,
    none: (i) => conflicts[i] === 0,
    within: (i) => within[i] > 0,
    direct: (i) => conflicts[i] > within[i]
  };
  /** The clusters that pass a query; `best` holds the grade of each in which the words are found. */
  function passing({ words, bounds, kind, only = null }, best) {
    const isSearched = wordsIn(words).length > 0;
    const some = only && new Set(only);
    const limits = NAMED_ROW.test(words) ? [] : Object.entries(bounds);
    const isBound = (i) => limits.every(([name, limit]) => isWithin(VALUES[name](i), limit));
    const isKept = (i) => (!isSearched || best.has(idOf(i))) && (!some || some.has(idOf(i)));
    return all.filter((i) => KINDS[kind](i) && isKept(i) && isBound(i));
  }

  /** The clusters that answer a query, in its order. */
  function find(query, best) {
    const { words, sort, descending } = query;
    const isRanked = wordsIn(words).length > 0 && sort === "cluster" && !descending;
    function valueOf(i) {
      if (isRanked) return -best.get(idOf(i));
      const value = VALUES[sort](i);
      return descending ? -value : value;
    }
    return passing(query, best).sort(by(valueOf)).map(idOf);
  }

  /** Count the pairs of each cluster of which something was said: two nodes, two clusters, an answer each. */
  function decide(answers) {
    decided.clear();
    for (const [, , one, other] of answers)
      for (const id of new Set([one, other])) decided.set(id, 1 + (decided.get(id) ?? 0));
  }

  /** A cluster as the list shows it; undefined where there is none. */
  function rowOf(id) {
    const i = placeOf(id);
    if (!(size[i] > 0)) return undefined;
    return Object.fromEntries(Object.entries(VALUES).map(([name, valueOf]) => [name, valueOf(i)]));
  }

  return { find, decide, rowOf, count };
}
