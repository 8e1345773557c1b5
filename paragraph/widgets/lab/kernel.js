// The Lab's answers to what a person does: each intent of the page changes the state, and all of it is shown anew.
// Python drew the graphs and exercises; in a notebook it reads the state, and may lay another table (`adopt`).

const PLAYED = 200; // steps of the dynamics at most, at one press
const COLOURS = 8; // camps that a click can reach: as many as there are colours
const STILL = "Nothing moves any more: every triad is balanced, or each change would make it worse.";
const NO_TRIAD = "Nothing moves: dynamics turns edges of triads, and this graph has no triad.";
const FULL = `The table holds ${MOST} nodes at most.`;

function kernelOf(data, state, give) {
  const bench = benchOf(data, state);
  const since = {}; // when each exercise was last looked at
  const page = data.page ? pupilDesk({ data, state }) : null;
  const work = (change) => give({ work: { ...state.work, ...change } });
  const note = (text) => give({ table: { ...state.table, note: text } });

  // -- the table --------------------------------------------------------------------------------------------
  function lay(table) {
    const scene = (state.table.scene ?? 0) + 1;
    give({ table: { ...table, scene }, changes: [], placed: {}, selected: [] });
    work({ run: null, votes: bench.isHidden ? {} : null });
  }

  function layStart(name) {
    const start = data.starts.find((one) => one.name === name);
    if (!start) throw new Error(`no start is called ${name}`);
    lay(start);
  }

  /** Make a change, and keep what it was; a run of the dynamics goes on only after its own steps. */
  function change(table, what, said = "", run = null) {
    give({ table: { ...table, note: said }, changes: [...state.changes, what] });
    work({ run, votes: bench.isHidden && !run ? {} : state.work.votes });
    reopen();
  }

  function setSign(pair, sign, said, run) {
    const from = bench.signOf(pair) ?? 0;
    change(withSign(state.table, pair, sign), { did: "sign", edge: pair, from, to: sign }, said, run);
  }

  function addNode() {
    if (state.table.nodes.length >= MOST) return note(FULL);
    const { table } = state;
    const node = newNode(table, state.changes);
    change({ ...table, scene: table.scene + 1, nodes: [...table.nodes, node] }, { did: "add", node });
    work({ removes: true }); // a node is there to be joined
  }

  function removeNodes() {
    for (const key of state.selected.filter(bench.node)) {
      const { nodes, edges } = state.table;
      const node = bench.node(key);
      const gone = edges.filter(([a, b]) => a === key || b === key);
      change(withoutNode(state.table, key), { did: "remove", node, place: nodes.indexOf(node), edges: gone });
    }
    give({ selected: [] });
  }

  function undo() {
    const last = state.changes.at(-1);
    if (!last) return;
    give({ table: { ...beforeChange(state.table, last), note: "" }, changes: state.changes.slice(0, -1) });
    work({ run: null, votes: bench.isHidden ? {} : null });
    reopen();
  }

  /** Python has laid another table, or changed this one. */
  function adopt({ names }) {
    if (!names.includes("table")) return;
    work({ run: null, votes: bench.isHidden ? {} : null });
    reopen();
  }

  // -- dynamics and the vote ----------------------------------------------------------------------------------
  const saidStep = ([a, b], sign) => `${bench.node(a).text} – ${bench.node(b).text} became ${symbol(sign)}`;

  /** A step forward, one that was taken back as it was; false where nothing moves. */
  function step() {
    const graph = graphOn(state.table);
    const run = state.work.run ?? { at: 0, steps: [], shares: [balancedShare(graph)] };
    const next = run.steps[run.at] ?? nextTurn(graph, state.work.rule, data.seed * PLAYED + run.at);
    if (!next) {
      note(run.shares[0] === null ? NO_TRIAD : STILL);
      work({ run });
      return false;
    }
    const pair = run.steps[run.at] ? next : bench.keys([next])[0].slice(0, 2);
    const sign = -bench.signOf(pair);
    setSign(pair, sign, saidStep(pair, sign), run);
    const at = run.at + 1;
    const shares = [...run.shares.slice(0, at), balancedShare(graphOn(state.table))];
    work({ run: { at, steps: [...run.steps.slice(0, run.at), pair, ...run.steps.slice(at)], shares } });
    return true;
  }

  function play() {
    for (let i = 0; i < PLAYED && step();) i += 1;
  }

  function back() {
    const { run } = state.work;
    if (!run?.at) return;
    const pair = run.steps[run.at - 1];
    const sign = -bench.signOf(pair);
    setSign(pair, sign, saidStep(pair, sign), { ...run, at: run.at - 1 });
  }

  function vote({ kind, answer }) {
    if (!VOTES.some((one) => one[0] === kind && one[1] === answer)) throw new Error("no such vote");
    if (!bench.isHidden) return;
    const name = voteOf(kind, answer);
    work({ votes: { ...state.work.votes, [name]: (state.work.votes[name] ?? 0) + 1 } });
  }

  // -- the way through the sheet ------------------------------------------------------------------------------
  const attempt = (what) => work({
    attempts: { ...state.work.attempts, [bench.place]: { ...bench.attempt, ...what } },
  });

  /** The answer changed: its grade goes. */
  function reopen() {
    if (bench.exercise) attempt({ grade: null });
  }

  function go(number) {
    const isThere = Number.isInteger(number) && number >= 0 && number <= bench.last + 1;
    if (!isThere || (number && !bench.hasSheet)) throw new Error(`no exercise ${number}`);
    if (bench.exercise) attempt({ edges: state.table.edges });
    work({ place: number, votes: null });
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
    work({ student, sheet, attempts: {} });
    go(bench.all().find((one) => !one.solved)?.number ?? bench.last + 1);
  }

  // -- answers --------------------------------------------------------------------------------------------------
  function keep(done) {
    give({ progress: { ...state.progress, [bench.place]: { ...bench.done, ...done } } });
    page?.keep();
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
    return Object.fromEntries(state.table.nodes.map((node) => [node.key, camp(node)]).filter(([, one]) => one >= 0));
  }

  function answer({ answer: given }) {
    const { done, exercise } = bench;
    if (given !== undefined) attempt({ typed: String(given).slice(0, 2000) });
    if (exercise.kind === "camps") attempt({ camps: campsTyped(bench.attempt.typed) });
    attempt({ grade: grade() });
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

  /** Put a right answer on the table: after some wrong tries, or once it is solved. */
  function solve() {
    const { done } = bench;
    const { kind, solution } = bench.exercise;
    if (!done.solved && done.tries < PATIENCE) throw new Error("a solution is shown after three wrong tries");
    if (!done.solved) keep({ shown: true });
    clear();
    if (bench.picks) attempt({ picked: bench.keys(solution) });
    else if (bench.draws) lay({ ...state.table, edges: bench.keys(solution) });
    else if (kind === "camps") putInCamps(Object.fromEntries(solution.map((camp, place) => [bench.key(place), camp])));
    else attempt({ typed: solution });
    attempt({ grade: grade() });
  }

  // -- clicks ---------------------------------------------------------------------------------------------------
  /** Keep camps, and write them as one may type them; a camp that lost its last node is left out. */
  function putInCamps(camps) {
    const textsIn = (camp) => state.table.nodes.filter(({ key }) => camps[key] === camp).map(({ text }) => text);
    const rows = [...Array(COLOURS).keys()].map(textsIn).filter((row) => row.length);
    attempt({ camps, typed: rows.map((row) => row.join(" ")).join(" | "), grade: null });
  }

  /** The next camp is one that is in use, after the last a new one. */
  function nextCamp(key) {
    const { camps } = bench.attempt;
    const others = Object.entries(camps).filter(([other]) => other !== key).map(([, camp]) => camp);
    const used = Math.max(-1, ...others) + 1;
    putInCamps({ ...camps, [key]: ((camps[key] ?? -1) + 1) % Math.min(used + 1, COLOURS) });
  }

  function clickEdge({ id }) {
    const [a, b, sign] = state.table.edges.find(([from, to]) => id === `e${from}-${to}`);
    const pair = [a, b];
    if (bench.picks) {
      const { picked } = bench.attempt;
      const others = picked.filter((one) => !samePair(one, pair));
      return attempt({ grade: null, picked: others.length < picked.length ? others : [...picked, pair] });
    }
    const touch = bench.exercise?.touch;
    const removes = bench.isFree ? state.work.removes : touch === "draw";
    if (touch === "away" || (removes && sign < 0)) return setSign(pair, 0);
    if (bench.isFree || bench.draws) setSign(pair, -sign);
  }

  /** Choose nodes; two that are clicked one after the other may get an edge: that of the exercise, else +. */
  function choose({ keys }) {
    const before = state.selected.filter(bench.node);
    const chosen = keys.filter(bench.node);
    if (keys.length && !chosen.length) return;
    give({ selected: chosen });
    if (bench.exercise?.kind === "camps") {
      give({ selected: [] });
      return chosen.slice(0, 1).forEach(nextCamp);
    }
    const pair = [before[0], chosen[0]];
    const areTwo = before.length === 1 && chosen.length === 1 && pair[0] !== pair[1];
    if (!areTwo || !bench.joins || bench.signOf(pair)) return;
    setSign(pair, (bench.exercise && signOf(bench.exercise, pair)) ?? 1);
    give({ selected: [] });
  }

  // -- intents ----------------------------------------------------------------------------------------------------
  const FREE = {
    start: layStart,
    node: addNode,
    remove: removeNodes,
    none: (removes) => work({ removes }),
    rule: (rule) => RULES[rule] && work({ rule, run: null }),
    back,
    step,
    play,
    hide: (hidden) => work({ votes: hidden ? {} : null }),
    reveal: () => work({ votes: null }),
  };
  const SHEET = {
    exercise: (number) => go(/^\d+$/.test(number) ? Number(number) : NaN),
    before: () => go(Math.max(1, bench.place - 1)),
    next: () => go(Math.min(bench.last + 1, bench.place + 1)),
    clear: () => bench.exercise && clear(),
    solve: () => bench.exercise && solve(),
    "hand in": () => page?.handIn(),
  };

  /** Use a button, choice or switch of the bar; free play is not done to an exercise. */
  function useControl({ name, value }) {
    if (name === "undo") return (bench.isFree || bench.draws) && undo();
    if (Object.hasOwn(FREE, name)) return bench.isFree && FREE[name](value);
    if (!Object.hasOwn(SHEET, name)) throw new Error(`no control is called ${name}`);
    if (bench.hasSheet) SHEET[name](value);
  }

  function panel() {
    if (bench.isSummary) return summaryPanel(bench);
    return bench.exercise ? questionPanel(bench) : freePanel(bench);
  }

  function show() {
    const controls = controlsOf(bench);
    const why = { ...panel(), n: (state.why.n ?? 0) + 1 };
    give({ picture: pictureOf(bench), controls, shortcuts: shortcutsOf(bench, controls), why });
  }

  if (!state.table.nodes) lay(data.starts[0]);
  if (bench.exercise) since[bench.place] = performance.now();
  show();

  const thenShow = (act) => (content) => {
    act(content);
    show();
  };
  const atWork = (act) => thenShow((content) => {
    if (!bench.exercise) throw new Error("no exercise is on the table");
    act(content);
  });
  return {
    ready() {},
    expand() {}, // a double click is two clicks here
    edge: thenShow(clickEdge),
    select: thenShow(choose),
    show: thenShow(({ key }) => choose({ keys: [key] })),
    vote: thenShow(vote),
    answer: atWork(answer),
    hint: atWork(hint),
    control: thenShow(useControl),
    begin: thenShow(begin),
    adopt: thenShow(adopt),
  };
}
