// The Lab's answers to what a person does: each intent of the page changes the state, and all of it is shown
// anew. Python drew the graphs and exercises; in a notebook it reads the state, and may lay another table
// (`adopt`).

function kernelOf(data, state, give) {
  const bench = benchOf(data, state);
  let aside = null; // what was on the table before the question of a class
  const page = data.page ? pupilDesk({ data, own: () => aside ?? state }) : null;
  const work = (what) => give({ work: { ...state.work, ...what } });

  const attempt = (what) =>
    work({
      attempts: { ...state.work.attempts, [bench.place]: { ...bench.attempt, ...what } }
    });

  /** The answer changed: its grade goes. */
  function reopen() {
    if (bench.exercise) attempt({ grade: null });
  }

  function keep(done) {
    give({ progress: { ...state.progress, [bench.place]: { ...bench.done, ...done } } });
    if (!aside) page?.keep();
  }

  const lab = { bench, state, data, give, work, attempt, reopen, keep };
  const changes = changesOf(lab);
  const playing = playingOf(lab, changes);
  const working = workingOf(lab, changes);

  /** Python has laid another table, or changed this one. */
  function adopt({ names }) {
    if (!names.includes("table")) return;
    give({ table: withPlaces(state.table) });
    if (state.table.name !== STORY_NAME) work({ story: null });
    changes.anew();
    reopen();
  }

  // -- the question on the wall of a class --------------------------------------------------------
  function toWall({ wall: { question, asked } }) {
    aside ??= { work: state.work, progress: state.progress };
    give({ progress: {} });
    const { exercise = 0, table = BLANK_TABLE, words, choices } = asked;
    const own = !exercise && table === BLANK_TABLE; // a teacher's own question
    const sheet = exercise ? 0 : null;
    const vote = { vote: "", revealed: false, right: [] };
    work({ place: exercise, sheet, attempts: {}, wall: question, asked: { words, choices, own }, ...vote });
    if (exercise) working.resume();
    else changes.lay({ ...table, name: "the question" });
  }

  function fromWall() {
    give({ progress: aside.progress });
    work(aside.work);
    aside = null;
    if (bench.exercise) working.resume();
    else working.go(bench.place);
  }

  /** Tell a step of the story; after the last one the Lab begins. */
  function tellStory(step) {
    if (!STORY[step]) return changes.layStart(data.starts[0].name);
    changes.lay(storyTable(step));
    work({ story: step });
  }

  // -- clicks -------------------------------------------------------------------------------------
  function clickEdge({ id }) {
    if (bench.isFree && aside && bench.isHidden) return; // all vote on one graph
    const [a, b, sign] = state.table.edges.find(([from, to]) => id === `e${from}-${to}`);
    const pair = [a, b];
    if (bench.picks) {
      const { picked } = bench.attempt;
      const others = picked.filter((one) => !samePair(one, pair));
      return attempt({ grade: null, picked: others.length < picked.length ? others : [...picked, pair] });
    }
    if (bench.joins && sign < 0) return changes.setSign(pair, 0);
    if (bench.isFree || bench.draws) changes.setSign(pair, -sign);
  }

  /** Choose nodes; two that are clicked one after the other may get an edge. */
  function choose({ keys }) {
    const before = state.selected.filter(bench.node);
    const chosen = keys.filter(bench.node);
    if (keys.length && !chosen.length) return;
    give({ selected: chosen });
    if (bench.exercise?.kind === "camps") {
      give({ selected: [] });
      return chosen.slice(0, 1).forEach(working.nextCamp);
    }
    const pair = [before[0], chosen[0]];
    const areTwo = before.length === 1 && chosen.length === 1 && pair[0] !== pair[1];
    if (!areTwo || !bench.joins || bench.signOf(pair)) return;
    changes.setSign(pair, 1);
    give({ selected: [] });
  }

  // -- intents ------------------------------------------------------------------------------------
  const FREE = {
    start: (name) => (name === STORY_NAME ? tellStory(0) : changes.layStart(name)),
    node: changes.addNode,
    remove: changes.removeNodes,
    none: (removes) => work({ removes }),
    rule: (rule) => RULES[rule] && work({ rule }),
    step: playing.step,
    play: playing.play,
    story: () => tellStory(state.work.story + 1)
  };
  const PREDICTION = {
    hide: (hidden) => work({ vote: hidden ? "" : null, revealed: false }),
    reveal: () => bench.isHidden && work({ revealed: true })
  };
  const SHEET = {
    exercise: (number) => working.go(/^\d+$/.test(number) ? Number(number) : NaN),
    before: () => working.go(Math.max(1, bench.place - 1)),
    next: () => working.go(Math.min(bench.last, bench.place + 1)),
    clear: () => bench.exercise && working.clear(),
    solve: () => bench.exercise && working.solve()
  };

  /** Use a button, choice or switch of the bar; free play is not done to an exercise. */
  function useControl({ name, value }) {
    if (name === "home") return aside && fromWall();
    if (name === "undo") return (bench.isFree || bench.draws) && changes.undo();
    if (Object.hasOwn(PREDICTION, name)) return (bench.isFree || data.board) && PREDICTION[name](value);
    if (Object.hasOwn(FREE, name)) return bench.isFree && FREE[name](value);
    if (!Object.hasOwn(SHEET, name)) throw new Error(`no control is called ${name}`);
    if (bench.hasSheet) SHEET[name](value);
  }

  function show() {
    const panel = bench.exercise ? questionPanel(bench) : freePanel(bench);
    const why = { ...panel, n: (state.why.n ?? 0) + 1 };
    give({ picture: pictureOf(bench), controls: controlsOf(bench), why });
  }

  if (state.table.nodes) give({ table: withPlaces(state.table) });
  else if (data.story) tellStory(0);
  else changes.lay(data.starts[0]);
  show();

  const thenShow = (act) => (content) => {
    act(content);
    show();
  };
  const atWork = (act) =>
    thenShow((content) => {
      if (!bench.exercise) throw new Error("no exercise is on the table");
      act(content);
    });
  return {
    ready() {},
    expand() {}, // a double click is two clicks here
    edge: thenShow(clickEdge),
    select: thenShow(choose),
    show: thenShow(({ key }) => choose({ keys: [key] })),
    vote: thenShow(({ answer }) => bench.isHidden && work({ vote: answer })),
    answer: atWork(working.answer),
    hint: atWork(working.hint),
    control: thenShow(useControl),
    begin: thenShow((content) => {
      if (aside) fromWall();
      working.begin(content);
    }),
    adopt: thenShow(adopt),
    wall: thenShow(toWall),
    lay: thenShow(({ table = BLANK_TABLE }) => {
      work({ place: 0, vote: "" });
      changes.lay(table);
    }),
    /** What the class keeps of the vote. */
    told: thenShow(({ vote, revealed, right = [] }) => aside && work({ vote, revealed, right }))
  };
}
