// How many clusters have which value in a column of the list.

const SHARES = Array.from({ length: 20 }, (_, i) => [i / 20, (i + 1) / 20]);

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

/** Count the values in each range: `[least, most, count]`. */
function binned(ranges, values) {
  const bins = ranges.map((range) => [...range, 0]);
  for (const value of values) {
    const bin = bins.findLast(([least]) => value >= least);
    if (bin) bin[2] += 1;
  }
  return bins;
}
