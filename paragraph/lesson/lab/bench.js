// What is on the bench: everything that panels, picture and bar ask of the state, worked out from its traits.
//
// `table` and `changes` are described in table.js; `progress` has what a pupil did on each exercise, by its
// number. `work`: `place` (0 in free play, else the number of an exercise), `sheet` (which of the data's, or
// null) and its `student`; `attempts`, answers as they were left, by number; `vote`, null where nobody is
// asked, and `revealed`, is the verdict shown; `wall`, the question of the class that is on the table, or
// null; `asked`, its words and choices; `right`, what is right of it, once told; `story`, the step of the
// story, or null; `removes`, does a click on a negative edge remove it; `rule` of the dynamics.

const BLANK = { tries: 0, hints: 0, solved: false, shown: false };
const DRAWN = ["draw", "turn"]; // kinds of exercises that are answered by the graph on the table
const PATIENCE = 3; // wrong tries before a solution is shown

function benchOf(data, state) {
  const { titles } = data;
  const last = titles.length;
  /** The exercises of a sheet. */
  const exercises = remembered((number) =>
    data.sheets[number].exercises.map((one, i) => ({ ...titles[i], ...one, graph: graphOn(one) }))
  );

  const bench = {
    data,
    state,
    titles,
    last,
    get: (name) => state[name], // as of a model
    get table() {
      return state.table;
    },
    get work() {
      return state.work;
    },
    get place() {
      return state.work.place;
    },
    get hasSheet() {
      return state.work.sheet !== null;
    },
    get isFree() {
      return bench.place === 0;
    },
    get isHidden() {
      return state.work.vote !== null && !state.work.revealed;
    },
    /** The exercise on the table; null in free play. */
    get exercise() {
      return bench.isFree ? null : exercises(state.work.sheet)[bench.place - 1];
    },
    /** Its answer, as it was left. */
    get attempt() {
      const none = { edges: null, picked: [], camps: {}, typed: "", grade: null };
      return state.work.attempts[bench.place] ?? none;
    },
    get done() {
      return bench.doneOf(bench.place);
    },
    get draws() {
      return DRAWN.includes(bench.exercise?.kind);
    },
    get picks() {
      return ["edges", "cycle"].includes(bench.exercise?.kind);
    },
    /** Do two nodes that are clicked one after the other get an edge, and a negative one goes at a click? */
    get joins() {
      return bench.isFree ? state.work.removes : bench.exercise?.kind === "draw";
    },
    doneOf: (number) => state.progress[number] ?? BLANK,
    all: () => titles.map((title) => ({ ...title, ...bench.doneOf(title.number) })),
    solved: () => bench.all().filter((one) => one.solved).length,
    node: (key) => state.table.nodes.find((node) => node.key === key),
    signOf: (pair) => signOf(state.table, pair),
    /** Keys of nodes as they stand in the table, by place; and edges between places as edges between keys. */
    key: (place) => state.table.nodes[place].key,
    keys: (edges) => edges.map(([a, b, ...sign]) => [bench.key(a), bench.key(b), ...sign]),
    places: (edges) => {
      const place = (key) => state.table.nodes.findIndex((node) => node.key === key);
      return edges.map(([a, b, ...sign]) => [place(a), place(b), ...sign]);
    }
  };
  return bench;
}
