// Keys: what each stands for comes from Python's one table (`keys.py`). None that is pressed in a bench
// reaches the notebook, but Ctrl+S (save) and Ctrl+B (side bar).

const TAKES_SPACE = "button, summary, select, input:not([type=range], [readonly]), textarea:not([readonly])";

/** Listens in `root`. `use(name, place, event)` does what a key stands for, `place` counting where one name
 * has several keys; it returns false where the key has no use now. The result stops listening. */
function listenToKeys({ model, root, use }) {
  const isNotebooks = ({ ctrlKey, metaKey, key }) => (ctrlKey || metaKey) && /^[sb]$/i.test(key);
  // before JupyterLab hears it
  const open = (event) => root.toggleAttribute("data-lm-suppress-shortcuts", !isNotebooks(event));
  open({});
  window.addEventListener("keydown", open, true);
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    if (event.isComposing) return; // the key chooses among spellings
    const key = event.key === "=" ? "+" : event.key; // the same key of most keyboards
    const [name, keys] = model.get("shortcuts").keys.find((row) => row[1].includes(key)) ?? [];
    const isDone = name && use(name, keys.indexOf(key), event) !== false;
    // the page would, and the bench be gone
    const scrolls = event.key === " " && !event.target.closest(TAKES_SPACE);
    if (isDone || scrolls) event.preventDefault();
  });
  return () => window.removeEventListener("keydown", open, true);
}

/** Calls by the events of a model; the result ends them. */
function listenTo(model, calls) {
  const all = Object.entries(calls);
  for (const [event, call] of all) model.on(event, call);
  return () => all.forEach(([event, call]) => model.off(event, call));
}

/** A row of the table: a name, its keys, how each is written, what each does. */
const keyRow = (model, name) =>
  model.get("shortcuts").keys.find(([one]) => one === name) ?? [name, [], [], []];
const shownKey = (model, name) => keyRow(model, name)[2][0];

/** What a button does, with the key that does the same, from the table. */
function hinted(model, name, place = 0) {
  const [, , shown, means] = keyRow(model, name);
  const text = capitalised(means[place] ?? "");
  return shown.length ? `${text} (${shown[place]})` : text;
}
