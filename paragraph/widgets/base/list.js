// Left: a list, one part of which is on the page: the clusters that answer a query, or the queue of a review.

/** What every list does: search, pages, the entry before and after. `contents` says what an entry is (`id`,
 * `entry`), what stands around it (`above` the search, `between` that and the entries, `below`), and what
 * else to `draw`.
 * @param {any} bench
 * @param {any} contents */
function pagedList(
  { model, send, focus },
  { id, label, entries, above, between, below, entry, draw: drawRest }
) {
  const listing = () => model.get("listing");
  const later = delayed(150);
  let isTyping = false;
  let isSought = false; // the first entry of words that are not yet answered

  function ask() {
    later(null);
    isTyping = false;
    send("query", { words: search.value });
  }

  function type() {
    isTyping = true;
    later(ask);
  }

  /** The words that Python has, which may have changed them. */
  function showWords() {
    if (!isTyping) search.value = listing().words;
  }

  const search = html`<input
    type="search"
    class="pg-search"
    placeholder=${hinted(model, "search")}
    aria-label=${hinted(model, "search")}
    @input=${type}
    @blur=${showWords}
  />`;
  const rows = html`<div class="pg-rows" role="listbox" aria-label=${entries}></div>`;
  const turn = (by, text, place) =>
    html`<button title=${hinted(model, "page", place)} @click=${() => page(by)}>${text}</button>`;
  const before = turn(-1, "‹", 0);
  const after = turn(1, "›", 1);
  const where = html`<span></span>`;
  const pager = html`<div class="pg-pager">${before}${where}${after}</div>`;
  const element = html`<section class="pg-list" aria-label=${label}>
    ${above}${search}${between}${rows}${pager}${below}
  </section>`;

  const open = (row) => send("open", { [id]: row[id] });
  function item(row, state) {
    const { name, title, parts } = entry(row, state);
    const isCurrent = row[id] === state.current;
    const click = () => {
      focus();
      open(row);
    };
    const button = html`<button
      class="pg-item ${name}${isCurrent ? " pg-current" : ""}"
      role="option"
      tabindex="-1"
      title=${title}
      aria-selected=${isCurrent}
      @click=${click}
    >
      ${parts}
    </button>`;
    button.dataset[id] = row[id];
    return button;
  }

  function draw() {
    const state = listing();
    element.hidden = !state.rows;
    if (!state.rows) return;
    if (!search.matches(":focus")) search.value = state.words;
    drawRest(state, search);
    refill(
      rows,
      state.rows.map((row) => item(row, state))
    );
    showCurrent();
    where.textContent = `page ${state.page + 1} of ${inThousands(state.pages)}`;
    enable(before, state.page > 0);
    enable(after, state.page + 1 < state.pages);
    pager.hidden = state.pages < 2;
    if (isSought && state.rows.length) focus();
    isSought = false;
  }

  function enable(button, on) {
    if (!on && button.matches(":focus")) focus();
    button.disabled = !on;
  }

  const showCurrent = () => reveal(rows, [...rows.querySelectorAll(".pg-current")]);

  /** Another page, and on it the "first" or "last" entry. */
  function page(by, end) {
    const { page: now, pages } = listing();
    if (now + by >= 0 && now + by < pages) send("page", { page: now + by, open: end });
  }

  /** The entry before or after the current one. */
  function step(by) {
    const { rows: all = [], current } = listing();
    const at = all.findIndex((row) => row[id] === current);
    const end = by > 0 ? 0 : all.length - 1;
    const next = all[at < 0 ? end : at + by];
    if (next) open(next);
    else page(by, by > 0 ? "first" : "last");
  }

  /** The first entry: of the words as they stand in the search, so those are sent before. Where there is
   * none, the search keeps the focus: what is typed next is no key. */
  function openFirst() {
    const [first] = listing().rows ?? [];
    if (isTyping && search.value !== listing().words) {
      isSought = true;
      ask();
      send("page", { page: 0, open: "first" });
    } else if (first) {
      focus();
      open(first);
    }
  }

  /** Whether there was a search to clear. */
  function clear() {
    if (!search.value && !listing().words) return false;
    search.value = "";
    ask();
    return true;
  }

  return { element, search, draw, page, step, openFirst, clear, showCurrent, stop: () => later(null) };
}
