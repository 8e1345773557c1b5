// Work on a sheet: the way from one exercise to the next, and answers, each kept as it was left. A pupil's
// tries and hints are counted until an exercise is solved or its solution is shown; later tries are practice.

const COLOURS = 8; // camps that a click can reach: as many as there are colours

function workingOf({ bench, state, data, give, work, attempt, keep }, { lay }) {
  const since = {}; // when each exercise was last looked at
  if (bench.exercise) since[bench.place] = performance.now();

  function go(number) {
    const isThere = Number.isInteger(number) && number >= 0 && number <= bench.last + 1;
    if (!isThere || (number && !bench.hasSheet)) throw new Error(`no exercise ${number}`);
    if (bench.exercise) attempt({ edges: state.table.edges });
    work({ place: number, vote: null, revealed: false });
    if (bench.exercise) resume();
    else if (bench.isSummary) lay({ of: null, name: "summary", note: "", nodes: [], edges: [] });
    else lay(data.starts[0]);
  }

  /** An exercise as it was left. */
  function resume() {
    const { exercise } = bench;
    since[bench.place] ??= performance.now();
    const { title: name, nodes, edges } = exercise;
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
    go(bench.all().find((one) => !one.solved)?.number ?? bench.last + 1);
  }

  function grade() {
    const { exercise } = bench;
    const { picked, typed } = bench.attempt;
    if (bench.picks) return gradeAnswer(exercise, bench.places(picked));
    return gradeAnswer(exercise, bench.draws ? bench.places(state.table.edges) : typed);
  }

  /** The camps that are typed: a word that is no node has none. */
  function campsTyped(typed) {
    const parts = typed.split("|").map((part) => part.split(/\s+/));
    const camp = ({ text }) => parts.findLastIndex((words) => words.includes(text));
    const all = state.table.nodes.map((node) => [node.key, camp(node)]);
    return Object.fromEntries(all.filter(([, one]) => one >= 0));
  }

  function answer({ answer: given }) {
    const { done, exercise } = bench;
    if (given !== undefined) attempt({ typed: String(given).slice(0, 2000) });
    if (exercise.kind === "camps") attempt({ camps: campsTyped(bench.attempt.typed) });
    attempt({ grade: grade() });
    if (bench.isHidden) work({ vote: saidAnswer(bench) });
    if (done.solved || done.shown) return; // practice
    const now = performance.now();
    const { correct } = bench.attempt.grade;
    const seconds = done.seconds + (now - (since[bench.place] ?? now)) / 1000;
    since[bench.place] = now;
    keep({ tries: done.tries + 1, solved: correct, first_right: correct && !done.tries, seconds });
  }

  function hint() {
    keep({ hints: Math.min(bench.done.hints + 1, bench.exercise.hints.length) });
  }

  /** Camps by the keys of nodes, from those by their places. */
  const campsOf = (solution) => Object.fromEntries(solution.map((camp, place) => [bench.key(place), camp]));

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
    else if (kind === "camps") putInCamps(campsOf(solution));
    else attempt({ typed: solution });
    attempt({ grade: grade() });
  }

  /** Keep camps, and write them as one may type them; a camp that lost its last node is left out. */
  function putInCamps(camps) {
    const inCamp = (camp) => state.table.nodes.filter(({ key }) => camps[key] === camp);
    const rows = [...Array(COLOURS).keys()].map(inCamp).filter((nodes) => nodes.length);
    const typed = rows.map((nodes) => nodes.map(({ text }) => text).join(" ")).join(" | ");
    attempt({ camps, typed, grade: null });
  }

  /** The next camp is one that is in use, after the last a new one. */
  function nextCamp(key) {
    const { camps } = bench.attempt;
    const { [key]: own = -1, ...others } = camps;
    const used = Math.max(-1, ...Object.values(others)) + 1;
    putInCamps({ ...camps, [key]: (own + 1) % Math.min(used + 1, COLOURS) });
  }

  return { go, resume, clear, begin, answer, hint, solve, nextCamp };
}
