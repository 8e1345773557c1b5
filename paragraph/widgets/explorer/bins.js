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
function binning(name, values) {
  if (name === "density" || name === "p_wrong") {
    const bins = Array.from({ length: SHARES }, (_, i) => [i / SHARES, (i + 1) / SHARES]);
    return { bins, binOf: (value) => Math.min(SHARES - 1, Math.floor(value * SHARES)) };
  }
  const last = values.reduce((most, value) => Math.max(most, value), 0);
  const bins = rangesFrom(name === "size" ? 1 : 0, last);
  const place = new Uint16Array(last + 1);
  for (const [i, [least, most]] of bins.entries()) place.fill(i, least, most + 1);
  return { bins, binOf: (value) => place[value] };
}

/** Counts the clusters that pass a query, in each column without its own bounds: `[least, most, count]`. */
function countingBins(rows, valueOf, names) {
  const binnings = names.map((name) => ({
    name,
    ...binning(
      name,
      rows.map((row) => valueOf(row, name))
    )
  }));
  return (isKept, limits) => {
    const counts = binnings.map(({ bins }) => bins.map(() => 0));
    for (const row of rows) {
      if (!isKept(row)) continue;
      const failed = limits
        .filter((limit) => !isWithin(valueOf(row, limit[0]), limit[1]))
        .map(([name]) => name);
      if (failed.length > 1) continue;
      for (const [i, { name, binOf }] of binnings.entries()) {
        const value = valueOf(row, name);
        if ((!failed.length || failed[0] === name) && value >= 0) counts[i][binOf(value)] += 1;
      }
    }
    const told = ({ name, bins }, i) => [name, bins.map((bin, at) => [...bin, counts[i][at]])];
    return Object.fromEntries(binnings.map(told));
  };
}
