// The bar above the picture: the way through the exercises, and what may be done to the graph.

const GAP = { kind: "gap" };
const LEGEND = {
  kind: "legend",
  entries: [
    ["positive", "+ positive"],
    ["negative", "− negative"]
  ]
};
const RULE_NAMES = [
  ["local", "local triad"],
  ["constrained", "constrained"]
];

/** A button with a key: `key` names its row of Python's table of keys, `place` counts the keys there. */
function keyed(bench, name, text, key, disabled = false, place = 0) {
  const [, keys] = keyRow(bench, key);
  return { kind: "button", name, text, key: keys[place], hint: hinted(bench, key, place), disabled };
}

const select = (name, text, value, options, hint) => ({ kind: "select", name, text, value, options, hint });
const toggle = (name, text, value, hint) => ({ kind: "toggle", name, text, value, hint });

/** The menu of exercises, with ✓ at what is solved. */
function menu(bench) {
  const entry = ({ number, title, solved }) => [String(number), `${solved ? "✓ " : ""}${number}. ${title}`];
  const options = [["0", "free play"], ...bench.all().map(entry)];
  return select("exercise", "exercise", String(bench.place), options);
}

/** Back, the menu, next, the count. */
function way(bench) {
  const { place, last } = bench;
  const where = bench.exercise ? `${place} / ${last} · ` : "";
  return [
    keyed(bench, "before", "‹ Back", "move", place <= 1),
    menu(bench),
    keyed(bench, "next", "Next ›", "move", place >= last, 1),
    { kind: "text", text: `${where}${bench.solved()} solved` }
  ];
}

/** Of free play: what lies on the table. */
function starting({ table, data }) {
  const own = data.board ? [] : [STORY_NAME];
  const names = new Set([table.name, ...own, ...data.starts.map(({ name }) => name)]);
  const options = [...names].map((name) => [name, name]);
  return select("start", "start", table.name, options);
}

/** Of free play: its nodes and edges. */
function drawing(bench) {
  const { work, state } = bench;
  const clicks = "A third click removes the edge; two selected nodes without an edge get one";
  return [
    keyed(bench, "node", "+ node", "insert"),
    keyed(bench, "remove", "remove", "remove", !state.selected.some(bench.node)),
    toggle("none", "click: + / − / none", work.removes, clicks)
  ];
}

/** Of free play: dynamics. */
function dynamics(bench) {
  return [
    GAP,
    select("rule", "dynamics", bench.work.rule, RULE_NAMES, "Antal, Krapivsky and Redner (2005)"),
    keyed(bench, "step", "▶", "time"),
    keyed(bench, "play", "▶▶", "play")
  ];
}

/** Of free play: the prediction. */
function prediction(bench) {
  const hint = "Hide the verdict of each graph until you have predicted it";
  return [
    GAP,
    toggle("hide", "predict first", bench.work.vote !== null, hint),
    bench.isHidden && keyed(bench, "reveal", "reveal", "reveal")
  ];
}

/** What stands between the way and the legend. */
function changing(bench, isBoard) {
  const { isFree, draws, work, state } = bench;
  const undo = keyed(bench, "undo", "undo", "undo", !state.changes.length);
  if (work.story !== null) return [starting(bench), undo];
  if (!isFree || work.wall) return draws && undo;
  return [starting(bench), drawing(bench), undo, dynamics(bench), !isBoard && prediction(bench)];
}

function controlsOf(bench) {
  const { data, work, hasSheet, isFree } = bench;
  const home = { kind: "button", name: "home", text: "‹ My own work", hint: "Back to my own work" };
  const isTold = work.story !== null;
  let ways = hasSheet && [way(bench), isFree && GAP];
  if (data.board) ways = menu(bench);
  if (work.wall) ways = home;
  return childrenOf([!isTold && ways, changing(bench, data.board), GAP, LEGEND]);
}
