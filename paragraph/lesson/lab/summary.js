// The end of a sheet: what is solved, and the way to the first open exercise.

function summaryPanel(bench) {
  const { data, last } = bench;
  const all = bench.all();
  const open = all.find((one) => !one.solved)?.number;
  const first = all.filter(({ solved, tries }) => solved && tries === 1);
  return {
    title: "Summary",
    text: open ? `${last - bench.solved()} are left, the first is ${open}.` : "All exercises are solved.",
    actions: open ? [control(`To exercise ${open}`, "exercise", String(open))] : [],
    facts: [
      ["solved", `${bench.solved()} of ${last}`],
      ["on the first try", String(first.length)]
    ],
    note: data.page ? "" : "sheet.report() gives the same as a table."
  };
}
