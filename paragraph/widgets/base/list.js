// Left: a list of which the page holds one part: the clusters that answer a query, or the queue of a review.

/** What every list does: search, pages, the entry before and after. `contents` says what an entry is (`id`,
 * `entry`), what stands around it (`above` the search, `between` that and the entries, `below`), and what
 * else to `draw`. */
function pagedList(
  { model, send, focus },
  { id, label, hint, entries, above = [], between, below = [], entry, draw: drawRest }
) {
  const listing = () => model.get("listing");
  let typing = null;
  const ask = () => {
    clearTimeout(typing);
    typing = null;
    send("query", { words: search.value });
  };
  const search = make("input", {
    type: "search",
    class: "pg-search",
    placeholder: hinted(model, hint, "search"),
    "aria-label": label.search,
    on: {
      input() {
        clearTimeout(typing);
        typing = setTimeout(ask, 150);
      },
      blur() {
        if (typing === null) search.value = listing().words;
      }
    }
  }); // Python may have changed it
  const rows = make("div", { class: "pg-rows", role: "listbox", "aria-label": entries });
  const turn = (by, text, title, place) =>
    make("button", { text, title: hinted(model, title, "page", place), on: { click: () => page(by) } });
  const [before, after, where] = [
    turn(-1, "‹", "Previous page", 0),
    turn(1, "›", "Next page", 1),
    make("span")
  ];
  const pager = make("div", { class: "pg-pager" }, before, where, after);
  const element = make(
    "section",
    { class: "pg-list", "aria-label": label.list },
    above,
    search,
    between,
    rows,
    pager,
    below
  );

  const open = (row) => send("open", { [id]: row[id] });
  function item(row, state) {
    const { name, title, parts } = entry(row, state),
      current = row[id] === state.current;
    return make(
      "button",
      {
        class: `pg-item ${name}${current ? " pg-current" : ""}`,
        role: "option",
        tabindex: -1,
        title,
        "aria-selected": String(current),
        [`data-${id}`]: row[id],
        on: {
          click: () => {
            focus();
            open(row);
          }
        }
      },
      parts
    );
  }

  function draw() {
    const state = listing();
    element.hidden = !state.rows;
    if (!state.rows) return;
    if (document.activeElement !== search) search.value = state.words;
    drawRest(state, search);
    refill(rows, ...state.rows.map((row) => item(row, state)));
    showCurrent();
    where.textContent = `page ${state.page + 1} of ${state.pages.toLocaleString()}`;
    for (const [button, off] of [
      [before, state.page <= 0],
      [after, state.page + 1 >= state.pages]
    ]) {
      if (off && document.activeElement === button) focus();
      button.disabled = off;
    }
    pager.hidden = state.pages < 2;
  }

  const showCurrent = () => reveal(rows, [...rows.querySelectorAll(".pg-current")]);

  /** Another page, and on it the "first" or "last" entry. */
  function page(by, end) {
    const { page: now, pages } = listing();
    if (now + by >= 0 && now + by < pages) send("page", { page: now + by, open: end });
  }

  /** The entry before or after the current one. */
  function step(by) {
    const { rows: all = [], current } = listing(),
      at = all.findIndex((row) => row[id] === current);
    const end = by > 0 ? 0 : all.length - 1;
    const next = all[at < 0 ? end : at + by];
    if (next) open(next);
    else page(by, by > 0 ? "first" : "last");
  }

  /** The first entry: of the words as they stand in the search, so those are sent before. */
  function openFirst() {
    const first = listing().rows?.[0];
    if (typing !== null) {
      ask();
      send("page", { page: 0, open: "first" });
    } else if (first) open(first);
  }

  /** Whether there was a search to clear. */
  function clear() {
    if (!search.value && !listing().words) return false;
    search.value = "";
    ask();
    return true;
  }

  return {
    element,
    search,
    draw,
    page,
    step,
    openFirst,
    clear,
    showCurrent,
    stop: () => clearTimeout(typing)
  };
}

const COLUMNS = [
  ["cluster", "#", "Id: largest cluster first"],
  ["size", "size", "Sentences"],
  ["conflicts", "conf.", "Labels that contradict each other"],
  ["negatives", "neg.", "Stated negatives to other clusters"],
  ["density", "dens.", "Share of its pairs stated positive"]
];

/** The clusters of a graph: filters, columns to sort by, one at random. */
function clusterList(bench) {
  const { send } = bench;
  const bound = (name, side, step) =>
    make("input", {
      type: "number",
      min: 0,
      step,
      "aria-label": `${side} ${name}`,
      placeholder: side === "least" ? "from" : "to",
      "data-bound": `${name}-${side}`,
      on: {
        change: ({ target: { value } }) =>
          send("query", { bound: { name, side, value: value === "" ? null : Number(value) } })
      }
    });
  const kinds = choice(
    "Kind of conflict",
    ["any", "within", "direct", "none"].map((kind) => [kind, kind]),
    (kind) => send("query", { kind })
  );
  const filters = make(
    "details",
    { class: "pg-filters" },
    make("summary", { text: "Filter" }),
    make(
      "div",
      { class: "pg-grid" },
      [
        ["size", 1],
        ["conflicts", 1],
        ["negatives", 1],
        ["density", 0.05]
      ].map(([name, step]) => [
        make("span", { text: name }),
        bound(name, "least", step),
        bound(name, "most", step)
      ]),
      make("span", { text: "conflict" }),
      kinds,
      make("button", { text: "Reset", on: { click: () => send("query", { reset: true }) } })
    )
  );
  const surprises = choice("Surprise me by", [
    ["size", "a large one"],
    ["density", "a loose one"],
    ["conflict", "one with a conflict"]
  ]);
  const surprise = make(
    "div",
    { class: "pg-surprise" },
    make("button", { text: "Surprise me", on: { click: () => send("surprise", { by: surprises.value }) } }),
    surprises
  );
  const found = make("div", { class: "pg-found", "aria-live": "polite" });
  const head = make(
    "div",
    { class: "pg-row pg-head" },
    COLUMNS.map(([name, text, hint]) =>
      make("button", {
        text,
        title: `${hint}. Click to sort.`,
        "data-sort": name,
        on: { click: () => send("query", { sort: name }) }
      })
    )
  );

  const entry = (row, state) => ({
    name: "pg-row",
    title: row.text,
    parts: [
      ...[
        row.cluster,
        row.size.toLocaleString(),
        row.conflicts || "·",
        row.negatives || "·",
        row.density.toFixed(2)
      ].map((text, i) => make("span", { text, class: i === 2 && row.conflicts ? "pg-hot" : null })),
      make("span", { class: "pg-example", dir: "auto" }, marked(row.text, state.words)),
      row.hits > 1 ? make("i", { text: `and ${row.hits - 1} more found in it` }) : null
    ]
  });

  function nothing({ any, words, filtered }) {
    if (!any) return "The graph has no clusters.";
    if (!words) return "No cluster passes the filter: reset it, or ask for less.";
    return `No cluster holds “${words}”${filtered ? " and passes the filter" : ""}.`;
  }

  /** The filter in force, to be cleared at a click. */
  const inForce = ({ bounds, kind, words, only }) =>
    make(
      "button",
      {
        class: "pg-in-force",
        title: "Clear the filter",
        on: { click: () => send("query", { reset: true, words }) }
      },
      `${
        [
          Object.entries(bounds).map(([name, [least, most]]) => [
            least !== null && `${name} ≥ ${least}`,
            most !== null && `${name} ≤ ${most}`
          ]),
          kind !== "any" && `conflict: ${kind}`,
          only && `${only.toLocaleString()} of the map`
        ]
          .flat(3)
          .filter(Boolean)
          .join(", ") || "no bounds"
      } ✕`
    );

  function draw(state) {
    kinds.value = state.kind;
    for (const input of filters.querySelectorAll("[data-bound]")) {
      const [name, side] = input.dataset.bound.split("-");
      if (document.activeElement !== input)
        input.value = state.bounds[name]?.[side === "least" ? 0 : 1] ?? "";
    }
    for (const [i, button] of [...head.children].entries()) {
      const active = button.dataset.sort === state.sort;
      button.classList.toggle("pg-sorted", active);
      const arrow = state.descending ? " ↓" : " ↑";
      button.textContent = COLUMNS[i][1] + (active ? arrow : "");
    }
    const best =
      state.words && state.sort === "cluster" && !state.descending && state.total > 1
        ? ", best match first"
        : "";
    refill(
      found,
      state.total
        ? `${state.total.toLocaleString()} cluster${state.total > 1 ? "s" : ""}${best}`
        : nothing(state),
      state.filtered && [" ", inForce(state)],
      !state.total &&
        state.near && [
          " Nearest: ",
          make("button", { text: state.near, on: { click: () => send("query", { words: state.near }) } })
        ]
    );
  }

  return pagedList(bench, {
    id: "cluster",
    label: { list: "Clusters", search: "Search sentences" },
    hint: "Search sentences",
    entries: "Clusters",
    between: [filters, surprise, found, head],
    entry,
    draw
  });
}

const MARKS = {
  open: "",
  skip: "↷",
  settled: "≈",
  flip: "⇄",
  cut: "✂",
  keep: "✓",
  ambiguous: "?",
  same: "=",
  different: "≠"
};

/** The queue of a review, and how far it is decided. */
function reviewList(bench) {
  const { one, many, decide } = bench.model.get("words"),
    cuts = decide.some(([, name]) => name === "cut");
  const others = cuts ? [["settled", "settled by others"]] : [];
  const shows = choice(
    `Which ${many}`,
    [["all", `all ${many}`], ["open", "not decided"], ["decided", "decided"], ...others],
    (show) => {
      bench.focus();
      bench.send("query", { show });
    }
  );
  const bar = make("progress", { "aria-label": "Decided or settled" });
  const counts = make("div", { class: "pg-found", "aria-live": "polite" });
  const estimate = make("div", {
    class: "pg-estimate",
    "aria-live": "polite",
    title: "It holds for all pairs if those judged are a random part of them."
  });
  const none = make("p", { class: "pg-found" }),
    note = make("small");

  const entry = (row, state) => ({
    name: `pg-case-item pg-is-${row.state}`,
    title: row.texts.join("\n"),
    parts: [
      make(
        "span",
        { class: "pg-case-head" },
        make("b", { text: `#${row.item}` }),
        make("span", { text: `${MARKS[row.state]} ${row.description}`.trim() }),
        make("small", { text: row.aside, title: row.hint })
      ),
      row.texts.map((text) => make("span", { class: "pg-case-text", dir: "auto" }, marked(text, state.words)))
    ]
  });

  function draw(state, search) {
    const { total, decided, settled, skipped, seconds } = state.progress;
    const parts = [`${decided.toLocaleString()} of ${total.toLocaleString()} decided`];
    if (settled) parts.push(`${settled.toLocaleString()} settled`);
    if (skipped) parts.push(`${skipped.toLocaleString()} skipped`);
    if (seconds !== null)
      parts.push(`${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds).toLocaleString()} s each`);
    counts.textContent = total ? parts.join(" · ") : "The queue is empty.";
    estimate.replaceChildren(...state.estimate.map((text, i) => make(i ? "small" : "b", { text })));
    estimate.hidden = !state.estimate.length;
    bar.max = Math.max(1, total);
    bar.value = decided + settled;
    for (const part of [bar, search, shows]) part.hidden = !total;
    shows.value = state.show;
    none.textContent = state.words
      ? `No ${one} holds “${state.words}”${state.show === "all" ? "" : " among these"}.`
      : "There are none of these.";
    none.hidden = !total || state.total > 0;
    note.textContent = state.note;
  }

  return pagedList(bench, {
    id: "item",
    label: { list: "Queue", search: "Search the queue" },
    hint: "Search, or #12",
    entries: many,
    above: [bar, counts, estimate],
    between: [shows, none],
    below: note,
    entry,
    draw
  });
}
