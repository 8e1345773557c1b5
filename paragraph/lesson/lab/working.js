// Work on a sheet: the way from one exercise to the next, and answers, each kept as it was left. A pupil's
// tries and hints are counted until an exercise is solved or its solution is shown; later tries are practice.

const COLOURS = 8; // camps that a click can reach: as many as there are colours

function workingOf({ bench, state, data, give, work, attempt, keep }, { lay }) {
  function go(number) {
    const isThere = Number.isInteger(number) && number >= 0 && number <= bench.last;
    if (!isThere || (number && !bench.hasSheet)) throw new Error(`no exercise ${number}`);
    if (bench.exercise) attempt({ edges: state.table.edges });
    work({ place: number, vote: data.board ? "" : null, revealed: false });
    if (bench.exercise) resume();
    else lay(data.starts[0]);
  }

  /** An exercise as it was left. */
  function resume() {
    const { exercise } = bench;
    const { title: name, edges } = exercise;
    const { nodes } = withPlaces(exercise); // where its own edges put them
    lay({ of: bench.place, name, note: "", nodes, edges: bench.attempt.edges ?? edges });
  }

  function clear() {
    const { [bench.place]: _, ...attempts } = state.work.attempts;
    work({ attempts });
    resume();
  }

  /** A pupil begins, or goes on: with a sheet, and what was done on it. */
  function begin({ student, sheet, progress }) {
    give({ progress });
    work({ student, sheet, attempts: {}, place: 0 });
    go(bench.all().find((one) => !one.solved)?.number ?? bench.last);
  }

  /** The answer as it stands: edges between places, the camp of each place, or a text. */
  function answered() {
    const { picked, camps, typed } = bench.attempt;
    if (bench.picks) return bench.places(picked);
    if (bench.draws) return bench.places(state.table.edges);
    return bench.exercise.kind === "camps" ? state.table.nodes.map(({ key }) => camps[key]) : typed;
  }

  const grade = () => attempt({ grade: gradeAnswer(bench.exercise, answered()) });

  function answer({ answer: typed }) {
    const { done } = bench;
    if (typed !== undefined) attempt({ typed: String(typed).slice(0, 2000) });
    grade();
    if (bench.isHidden && !bench.attempt.grade.unread) work({ vote: answerText(bench) });
    if (done.solved || done.shown) return; // practice
    keep({ tries: done.tries + 1, solved: bench.attempt.grade.correct });
  }

  function hint() {
    keep({ hints: Math.min(bench.done.hints + 1, bench.exercise.hints.length) });
  }

  /** Put a right answer on the table: after some wrong tries, or once it is solved. */
  function solve() {
    const { done } = bench;
    const { kind, solution } = bench.exercise;
    if (!done.solved && done.tries < PATIENCE && !data.board)
      throw new Error("a solution is shown after three wrong tries");
    if (!done.solved) keep({ shown: true });
    clear();
    if (bench.picks) attempt({ picked: bench.keys(solution) });
    else if (bench.draws) lay({ ...state.table, edges: bench.keys(solution) });
    else if (kind === "camps")
      attempt({ camps: Object.fromEntries(solution.map((camp, i) => [bench.key(i), camp])) });
    else attempt({ typed: solution });
    grade();
  }

  /** The next camp is one that is in use, after the last a new one. */
  function nextCamp(key) {
    const { camps } = bench.attempt;
    const { [key]: own = -1, ...others } = camps;
    const used = Math.max(-1, ...Object.values(others)) + 1;
    attempt({ camps: { ...camps, [key]: (own + 1) % Math.min(used + 1, COLOURS) }, grade: null });
  }

  return { go, resume, clear, begin, answer, hint, solve, nextCamp };
}
