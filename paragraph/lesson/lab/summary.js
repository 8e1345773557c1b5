// The end of a sheet: the line of the report, and the way to the first open exercise.

const sumOf = (all, what) => all.reduce((sum, one) => sum + one[what], 0);

/** One line to paste into a message to the teacher. */
function reportLine(bench) {
  const { work, data, last } = bench;
  const all = bench.all();
  const solved = all.filter((one) => one.solved).map(({ number }) => number);
  const name = work.student.split(/\s+/).filter(Boolean).join(" ") || "(no name)";
  const counted = [
    counting(sumOf(all, "tries"), "try", "tries"),
    counting(sumOf(all, "hints"), "hint"),
    counting(sumOf(all, "shown"), "solution")
  ];
  const which = `${solved.length} of ${last} exercises solved: ${solved.join(", ") || "none"}`;
  const { seed } = data.sheets[work.sheet];
  return `${name}, sheet ${seed}: ${which}; ${counted.join(", ")} shown. (Own report, no proof.)`;
}

function summaryPanel(bench) {
  const { data, last } = bench;
  const all = bench.all();
  const open = all.find((one) => !one.solved)?.number;
  const kept = "sheet.report() gives the same as a table. It is what your own notebook says, not a proof.";
  return {
    title: "Summary",
    text: open ? `${last - bench.solved()} are left, the first is ${open}.` : "All exercises are solved.",
    actions: [
      open && control(`To exercise ${open}`, "exercise", String(open)),
      data.page && control(data.room ? "Hand in" : "Save the file to hand in", "hand in")
    ].filter(Boolean),
    facts: [
      ["solved", `${bench.solved()} of ${last}`],
      ["on the first try", String(sumOf(all, "first_right"))]
    ],
    copy: { title: "For your teacher: copy this line", text: reportLine(bench) },
    note: data.page ? "" : kept
  };
}
