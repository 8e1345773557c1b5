// The list of sentences beside a picture: numbered, and linked both ways with what is drawn.

/** Fills `box`, a list, with entries `{ key, number, spans }`, or `{ heading }` between them. `pick(key,
 * event)` answers a click or Enter, `point(key)` the pointer over an entry, and `point(null)` that it
 * left. */
function sentenceList(box, { pick, point = () => {} }) {
  const items = new Map();
  let rest = [],
    timer; // entries that come once the picture stands: 1,000 at once would keep it waiting

  function entry({ key, number, spans, quiet, heading }) {
    if (heading !== undefined) return make("li", { class: "heading", role: "presentation", text: heading });
    const item = make(
      "li",
      {
        value: number,
        tabindex: 0,
        "data-key": key,
        class: quiet ? "quiet" : null,
        on: {
          click: (event) => pick(key, event),
          keydown: (event) => event.key === "Enter" && pick(key, event),
          pointerenter: () => point(key),
          pointerleave: () => point(null)
        }
      },
      sentence(spans)
    );
    items.set(key, item);
    return item;
  }

  function fill(entries) {
    items.clear();
    const all = entries.map(entry);
    rest = all.splice(100);
    refill(box, all);
    box.scrollTop = 0;
    clearTimeout(timer);
    if (rest.length) timer = setTimeout(complete, 300);
  }

  function complete() {
    box.append(...rest);
    rest = [];
  }

  /** Give a class to the entries of these keys, and to no other. */
  function flag(name, keys) {
    for (const item of box.querySelectorAll(`.${name}`)) item.classList.remove(name);
    for (const key of keys) items.get(key)?.classList.add(name);
  }

  /** Bring the first of these entries into view, if none of them is. */
  function show(keys) {
    if (keys.some((key) => rest.includes(items.get(key)))) complete();
    reveal(box, keys.map((key) => items.get(key)).filter(Boolean));
  }

  return { fill, flag, show };
}
