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

/** A button with a key: `called` names its row of Python's table of keys, `place` counts the keys there. */
function keyed({ state }, name, text, called, does, disabled = false, place = 0) {
  // A row: name, keys, how they are shown, meaning.
  const [, keys, shown] = state.shortcuts.keys.find(([row]) => row === called);
  return {
    kind: "button",
    name,
    text,
    key: keys[place],
    hint: `${does} (${shown.split(" ")[place]})`,
    disabled
  };
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
    keyed(bench, "before", "‹ Back", "move", "The previous exercise", place <= 1),
    menu(bench),
    keyed(bench, "next", "Next ›", "move", "The next exercise", place >= last, 1),
    { kind: "text", text: `${where}${bench.solved()} solved` }
  ];
}

/** Of free play: what lies on the table. */
function starting({ table, data }) {
  const names = data.starts.map(({ name }) => name);
  const all = names.includes(table.name) ? names : [table.name, ...names];
  return [
    select(
      "start",
      "start",
      table.name,
      all.map((name) => [name, name])
    )
  ];
}

/** Of free play: the start, and its nodes and edges. */
function drawing(bench) {
  const { work, state } = bench;
  const clicks = "A third click removes the edge; two selected nodes without an edge get one";
  return [
    ...starting(bench),
    keyed(bench, "node", "+ node", "insert", "Add a node"),
    keyed(bench, "remove", "remove", "remove", "Remove the selected nodes", !state.selected.some(bench.node)),
    toggle("none", "click: + / − / none", work.removes, clicks)
  ];
}

/** Of free play: dynamics. */
function dynamics(bench) {
  const { rule, p } = bench.work;
  const chance = {
    kind: "slider",
    name: "p",
    text: "p",
    hint: "With what probability the negative line of a triad + + − turns",
    range: [0, 1, 0.05],
    value: p,
    said: (value) => Number(value).toFixed(2)
  };
  return [
    GAP,
    select("rule", "dynamics", rule, RULE_NAMES, "Antal, Krapivsky and Redner (2005)"),
    ...(rule === "local" ? [chance] : []),
    keyed(bench, "step", "▶", "time", "A step forward"),
    keyed(bench, "play", "▶▶", "play", "Play to the end")
  ];
}

/** Of free play: the prediction. */
function prediction(bench) {
  const { vote } = bench.work;
  return [
    GAP,
    toggle(
      "hide",
      "predict first",
      vote !== null,
      "Hide the verdict of each graph until you have predicted it"
    ),
    ...(bench.isHidden ? [keyed(bench, "reveal", "reveal", "reveal", "Reveal the verdict")] : [])
  ];
}

function controlsOf(bench) {
  const { isFree, draws, state } = bench;
  const undo = keyed(bench, "undo", "undo", "undo", "Undo", !state.changes.length);
  const home = { kind: "button", name: "home", text: "‹ My own work", hint: "Back to my own work" };
  if (bench.work.story !== null) return [...starting(bench), undo, GAP, LEGEND];
  if (bench.work.wall) return [home, ...(draws ? [undo] : []), GAP, LEGEND];
  if (bench.data.board) {
    return [menu(bench), ...(isFree ? [...drawing(bench), undo, ...dynamics(bench)] : []), GAP, LEGEND];
  }
  return [
    ...(bench.hasSheet ? way(bench) : []),
    ...(bench.hasSheet && isFree ? [GAP] : []),
    ...(isFree ? drawing(bench) : []),
    ...(isFree || draws ? [undo] : []),
    ...(isFree ? [...dynamics(bench), ...prediction(bench)] : []),
    GAP,
    LEGEND
  ];
}
