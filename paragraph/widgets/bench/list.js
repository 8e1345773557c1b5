// Left: one page of the clusters that answer a query, and what one asks it with.

const COLUMNS = [["cluster", "#", "Id: largest cluster first"], ["size", "size", "Sentences"],
  ["conflicts", "conf.", "Labels that contradict each other"], ["negatives", "neg.", "Stated negatives to other clusters"],
  ["density", "dens.", "Share of its pairs stated positive"]];

function clusterList({ model, send, focus }) {
  const search = make("input", { type: "search", class: "pg-search", placeholder: "Search sentences ( / )", "aria-label": "Search sentences" });
  let typing = null;
  const ask = () => { clearTimeout(typing); typing = null; send("query", { words: search.value }); };
  search.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(ask, 150); });
  search.addEventListener("blur", () => { if (typing === null) search.value = model.get("listing").words; }); // Python may have changed it

  const bound = (name, side, step) => {
    const input = make("input", { type: "number", min: 0, step, "aria-label": `${side} ${name}`, placeholder: side === "least" ? "from" : "to",
      "data-bound": `${name}-${side}` });
    input.addEventListener("change", () => send("query", { bound: { name, side, value: input.value === "" ? null : Number(input.value) } }));
    return input;
  };
  const kinds = make("select", { "aria-label": "Kind of conflict" }, ["any", "within", "direct", "none"].map((kind) => make("option", { text: kind })));
  kinds.addEventListener("change", () => send("query", { kind: kinds.value }));
  const filters = make("details", { class: "pg-filters" }, make("summary", { text: "Filter" }),
    make("div", { class: "pg-grid" },
      [["size", 1], ["conflicts", 1], ["negatives", 1], ["density", 0.05]].flatMap(([name, step]) =>
        [make("span", { text: name }), bound(name, "least", step), bound(name, "most", step)]),
      make("span", { text: "conflict" }), kinds,
      make("button", { text: "Reset", on: { click: () => send("query", { reset: true }) } })));

  const surprises = make("select", { "aria-label": "Surprise me by" },
    [["size", "a large one"], ["density", "a loose one"], ["conflict", "one with a conflict"]].map(([value, text]) => make("option", { value, text })));
  const surprise = make("div", { class: "pg-surprise" },
    make("button", { text: "Surprise me", on: { click: () => send("surprise", { by: surprises.value }) } }), surprises);

  const found = make("div", { class: "pg-found", "aria-live": "polite" });
  const head = make("div", { class: "pg-row pg-head" }, COLUMNS.map(([name, text, hint]) =>
    make("button", { text, title: `${hint}. Click to sort.`, "data-sort": name, on: { click: () => send("query", { sort: name }) } })));
  const rows = make("div", { class: "pg-rows", role: "listbox", "aria-label": "Clusters" });
  const turn = (by, text, title) => make("button", { text, title, on: { click: () => page(by) } });
  const [before, after, where] = [turn(-1, "‹", "Previous page (PgUp)"), turn(1, "›", "Next page (PgDn)"), make("span")];
  const pager = make("div", { class: "pg-pager" }, before, where, after);
  const element = make("section", { class: "pg-list", "aria-label": "Clusters" }, search, filters, surprise, found, head, rows, pager);

  const item = (row, state) => make("button", {
    class: `pg-row pg-item${row.cluster === state.current ? " pg-current" : ""}`, role: "option", tabindex: -1,
    "aria-selected": row.cluster === state.current ? "true" : "false", "data-cluster": row.cluster, title: row.text,
    on: { click: () => { focus(); send("open", { cluster: row.cluster }); } },
  },
  make("span", { text: row.cluster }), make("span", { text: row.size.toLocaleString() }),
  make("span", { class: row.conflicts ? "pg-hot" : "", text: row.conflicts || "·" }), make("span", { text: row.negatives || "·" }),
  make("span", { text: row.density.toFixed(2) }),
  make("span", { class: "pg-example", dir: "auto" }, ...marked(row.text, state.words)),
  row.hits > 1 ? make("i", { text: `and ${row.hits - 1} more found in it` }) : null);

  function draw() {
    const state = model.get("listing");
    element.hidden = !state.rows;
    if (!state.rows) return;
    if (document.activeElement !== search) search.value = state.words;
    kinds.value = state.kind;
    for (const input of filters.querySelectorAll("[data-bound]")) {
      const [name, side] = input.dataset.bound.split("-");
      if (document.activeElement !== input) input.value = (state.bounds[name] ?? [])[side === "least" ? 0 : 1] ?? "";
    }
    for (const [i, button] of [...head.children].entries()) {
      const active = button.dataset.sort === state.sort;
      button.classList.toggle("pg-sorted", active);
      button.textContent = COLUMNS[i][1] + (active ? (state.descending ? " ↓" : " ↑") : "");
    }
    found.textContent = state.total ? `${state.total.toLocaleString()} cluster${state.total > 1 ? "s" : ""}`
      : !state.any ? "The graph has no clusters." : state.words ? `No cluster holds “${state.words}”${state.filtered ? " and passes the filter" : ""}.`
        : "No cluster passes the filter: reset it, or ask for less.";
    refill(rows, ...state.rows.map((row) => item(row, state)));
    showCurrent(rows);
    where.textContent = `page ${state.page + 1} of ${state.pages.toLocaleString()}`;
    for (const [button, off] of [[before, state.page <= 0], [after, state.page + 1 >= state.pages]]) {
      if (off && document.activeElement === button) focus();
      button.disabled = off;
    }
    pager.hidden = state.pages < 2;
  }

  /** Another page of the list. */
  function page(by, open) {
    const { page: now, pages } = model.get("listing");
    if (now + by >= 0 && now + by < pages) send("page", { page: now + by, open });
  }

  /** The cluster before or after the open one. */
  function step(by) {
    const state = model.get("listing");
    const rows = state.rows ?? [], at = rows.findIndex((row) => row.cluster === state.current);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
    if (rows[next]) send("open", { cluster: rows[next].cluster });
    else page(by, by > 0 ? "first" : "last");
  }

  /** The first cluster of the list: of the words as they stand in the search, so those are sent before. */
  function openFirst() {
    const first = model.get("listing").rows?.[0];
    if (typing !== null) {
      ask();
      send("page", { page: 0, open: "first" });
    } else if (first) send("open", { cluster: first.cluster });
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
