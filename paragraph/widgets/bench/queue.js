// Left, in a review: the queue, how far it is decided, and what one searches it with.

const MARKS = { open: "", skip: "↷", settled: "≈", flip: "⇄", cut: "✂", keep: "✓", ambiguous: "?" };

function reviewList({ model, send, focus }) {
  const { one, many, decide } = model.get("words");
  const search = make("input", { type: "search", class: "pg-search", placeholder: "Search, or #12 ( / )", "aria-label": "Search the queue" });
  let typing = null;
  const ask = () => { clearTimeout(typing); typing = null; send("query", { words: search.value }); };
  search.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(ask, 150); });
  const shows = make("select", { "aria-label": `Which ${many}` },
    [["all", `all ${many}`], ["open", "not decided"], ["decided", "decided"], ...(decide.some(([, name]) => name === "cut") ? [["settled", "settled by others"]] : [])].map(([value, text]) => make("option", { value, text })));
  shows.addEventListener("change", () => { focus(); send("query", { show: shows.value }); });

  const bar = make("progress", { "aria-label": "Decided or settled" });
  const told = make("div", { class: "pg-found", "aria-live": "polite" });
  const estimate = make("div", { class: "pg-estimate", "aria-live": "polite", title: "It holds for all pairs if those judged are a random part of them." });
  const none = make("p", { class: "pg-found" });
  const rows = make("div", { class: "pg-rows", role: "listbox", "aria-label": many });
  const turn = (by, text, title) => make("button", { text, title, on: { click: () => page(by) } });
  const [before, after, where] = [turn(-1, "‹", "Previous page (PgUp)"), turn(1, "›", "Next page (PgDn)"), make("span")];
  const pager = make("div", { class: "pg-pager" }, before, where, after);
  const note = make("small");
  const element = make("section", { class: "pg-list", "aria-label": "Queue" }, bar, told, estimate, search, shows, none, rows, pager, note);

  const item = (row, state) => make("button", {
    class: `pg-item pg-case-item pg-is-${row.state}${row.item === state.current ? " pg-current" : ""}`, role: "option", tabindex: -1,
    "aria-selected": row.item === state.current ? "true" : "false", "data-item": row.item, title: row.texts.join("\n"),
    on: { click: () => { focus(); send("open", { item: row.item }); } },
  },
  make("span", { class: "pg-case-head" }, make("b", { text: `#${row.item}` }), make("span", { text: `${MARKS[row.state]} ${row.said}`.trim() }),
    make("small", { text: row.aside, title: row.hint })),
  ...row.texts.map((text) => make("span", { class: "pg-case-text", dir: "auto" }, ...marked(text, state.words))));

  function draw() {
    const state = model.get("listing"), { total, decided, settled, skipped, seconds } = state.progress;
    const parts = [`${decided.toLocaleString()} of ${total.toLocaleString()} decided`];
    if (settled) parts.push(`${settled.toLocaleString()} settled`);
    if (skipped) parts.push(`${skipped.toLocaleString()} skipped`);
    if (seconds !== null) parts.push(`${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds).toLocaleString()} s each`);
    told.textContent = total ? parts.join(" · ") : "The queue is empty.";
    estimate.replaceChildren(...state.estimate.map((text, i) => make(i ? "small" : "b", { text })));
    estimate.hidden = !state.estimate.length;
    bar.max = Math.max(1, total);
    bar.value = decided + settled;
    for (const part of [bar, search, shows]) part.hidden = !total;
    if (document.activeElement !== search) search.value = state.words;
    shows.value = state.show;
    none.textContent = state.words ? `No ${one} holds “${state.words}”${state.show === "all" ? "" : " among these"}.` : "There are none of these.";
    none.hidden = !total || state.total > 0;
    refill(rows, ...state.rows.map((row) => item(row, state)));
    showCurrent(rows);
    where.textContent = `page ${state.page + 1} of ${state.pages.toLocaleString()}`;
    for (const [button, off] of [[before, state.page <= 0], [after, state.page + 1 >= state.pages]]) {
      if (off && document.activeElement === button) focus();
      button.disabled = off;
    }
    pager.hidden = state.pages < 2;
    note.textContent = state.note;
  }

  function page(by, open) {
    const { page: now, pages } = model.get("listing");
    if (now + by >= 0 && now + by < pages) send("page", { page: now + by, open });
  }

  /** The item before or after the open one. */
  function step(by) {
    const state = model.get("listing"), at = state.rows.findIndex((row) => row.item === state.current);
    const next = at < 0 ? (by > 0 ? 0 : state.rows.length - 1) : at + by;
    if (state.rows[next]) send("open", { item: state.rows[next].item });
    else page(by, by > 0 ? "first" : "last");
  }

  /** The first of the list: of the words as they stand in the search, so those are sent before. */
  function openFirst() {
    const first = model.get("listing").rows[0];
    if (typing !== null) {
      ask();
      send("page", { page: 0, open: "first" });
    } else if (first) send("open", { item: first.item });
  }

  /** Whether there was a search to clear. */
  function clear() {
    if (!search.value && !model.get("listing").words) return false;
    search.value = "";
    ask();
    return true;
  }

  return { element, search, draw, page, step, openFirst, clear, showCurrent: () => showCurrent(rows), stop: () => clearTimeout(typing) };
}
