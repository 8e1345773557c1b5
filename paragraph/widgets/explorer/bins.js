// How many clusters have which value in each column of the list.

const SHARES = 20; // bins of what lies between 0 and 1

/** Ranges of whole numbers: first single ones, then the longer, the larger they are. */
function rangesFrom(first, last) {
  const ranges = [];
  for (let least = first; least <= last;) {
    const most = least + Math.max(1, Math.floor(least / 3)) - 1;
    ranges.push([least, most]);
    least = most + 1;
  }
  return ranges;
}

/** The bins of a column, and the one that a value lies in. */
function binning(name, places, valueOf) {
  if (name === "density" || name === "p_wrong") {
    const bins = Array.from({ length: SHARES }, (_, i) => [i / SHARES, (i + 1) / SHARES]);
    return { bins, binOf: (value) => Math.min(SHARES - 1, Math.floor(value * SHARES)) };
  }
  const last = places.reduce((most, i) => Math.max(most, valueOf(i)), 0);
  const bins = rangesFrom(name === "size" ? 1 : 0, last);
  const at = new Uint16Array(last + 1);
  for (const [i, [least, most]] of bins.entries()) at.fill(i, least, most + 1);
  return { bins, binOf: (value) => at[value] };
}

/** Counts the clusters that pass a query, in each column without its own bounds: `[least, most, count]`. */
function countingBins(places, valuesOf, names) {
  const binnings = names.map((name) => ({ name, ...binning(name, places, valuesOf[name]) }));
  return (isKept, limits) => {
    const counts = binnings.map(({ bins }) => bins.map(() => 0));
    for (const one of places) {
      if (!isKept(one)) continue;
      const failed = limits
        .filter(([name, limit]) => !isWithin(valuesOf[name](one), limit))
        .map(([name]) => name);
      if (failed.length > 1) continue;
      for (const [i, { name, binOf }] of binnings.entries()) {
        const value = valuesOf[name](one);
        if ((!failed.length || failed[0] === name) && value >= 0) counts[i][binOf(value)] += 1;
      }
    }
    const told = ({ name, bins }, i) => [name, bins.map((bin, at) => [...bin, counts[i][at]])];
    return Object.fromEntries(binnings.map(told));
  };
}
