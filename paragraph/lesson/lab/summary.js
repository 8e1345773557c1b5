// The end of a sheet: a table of the exercises, the line of the report, and the way to the first open
// exercise.

const HEAD = ["", "exercise", "", "tries", "hints"];

const sumOf = (all, what) => all.reduce((sum, one) => sum + one[what], 0);

/** One word on an exercise, for a table. */
function markOf({ solved, shown, tries }) {
  if (solved) return "✓";
  if (shown) return "shown";
  return tries ? "·" : "";
}

/** One line to paste into a message to the teacher. */
function reportLine(bench) {
  const { work, data, last } = bench;
  const all = bench.all();
  const timed = ({ number, tries }) => (tries > 1 ? `${number} (${tries} tries)` : number);
  const solved = all
    .filter((one) => one.solved)
    .map(timed)
    .join(", ");
  const tried = all
    .filter((one) => !one.solved && one.tries)
    .map(({ number }) => number)
    .join(", ");
  const shown = sumOf(all, "shown");
  const name = work.student.split(/\s+/).filter(Boolean).join(" ") || "(no name)";
  return [
    `${name}, sheet ${data.sheets[work.sheet].seed}: ${bench.solved()} of ${last} exercises solved: `,
    solved || "none",
    tried && `; tried: ${tried}`,
    `; ${counting(sumOf(all, "tries"), "try", "tries")} and ${counting(sumOf(all, "hints"), "hint")} in all`,
    shown > 0 && `, ${counting(shown, "solution")} shown`,
    ". (Own report, no proof.)"
  ]
    .filter(Boolean)
    .join("");
}

function summaryPanel(bench) {
  const { data, last } = bench;
  const all = bench.all();
  const open = all.find((one) => !one.solved)?.number;
  const row = (one) => [one.number, one.title, markOf(one), one.tries || "", one.hints || ""].map(String);
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
    table: { title: "Exercise by exercise", head: HEAD, rows: all.map(row) },
    note: data.page ? "" : kept
  };
}
