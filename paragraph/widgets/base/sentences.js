// The list of sentences beside a picture: numbered, and linked both ways with what is drawn.

/** Fills `box`, a list, with entries `{ key, number, spans }`, or `{ heading }` between them.
 * `pick(key, event)` answers a click or Enter, `point(key)` the pointer over an entry, `point(null)` that it
 * left. */
function sentenceList(box, { pick, point }) {
  const items = new Map();
  let rest = []; // entries that come once the picture stands: 1,000 at once would keep it waiting
  let timer;

  function entry({ key, number, spans, quiet, heading }) {
    if (heading) return html`<li class="heading" role="presentation">${heading}</li>`;
    const item = html`<li
      value=${number}
      tabindex="0"
      data-key=${key}
      class=${quiet && "quiet"}
      @click=${(event) => pick(key, event)}
      @keydown=${(event) => event.key === "Enter" && pick(key, event)}
      @pointerenter=${() => point(key)}
      @pointerleave=${() => point(null)}
    >
      ${sentence(spans)}
    </li>`;
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
    timer = setTimeout(complete, 300);
  }

  function complete() {
    box.append(...rest);
    rest = [];
  }

  /** Give a class to the entries of these keys, and to no other. */
  function flag(name, keys) {
    for (const [key, item] of items) item.classList.toggle(name, keys.includes(key));
  }

  /** Bring the first of these entries into view, if none of them is. */
  function show(keys) {
    const wanted = keys.map((key) => items.get(key)).filter(Boolean);
    if (wanted.some((item) => rest.includes(item))) complete();
    reveal(box, wanted);
  }

  return { fill, flag, show, stop: () => clearTimeout(timer) };
}
