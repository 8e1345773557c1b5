// The list of the clusters of a graph: filters, and columns to sort by.

const COLUMNS = [
  ["cluster", "#", "Id: largest cluster first"],
  ["size", "size", "Sentences"],
  ["conflicts", "conf.", "Labels that contradict each other"],
  ["negatives", "neg.", "Stated negatives to other clusters"],
  ["density", "dens.", "Share of its pairs stated positive"],
  ["decided", "dec.", "Labels that you have decided"]
];
const KINDS = ["any", "within", "direct", "none"];

function clusterList(bench) {
  const ask = (content) => bench.send("query", content);
  const kinds = choice("Kind of conflict", KINDS, (kind) => ask({ kind }));
  const outcome = html`<div class="pg-found" aria-live="polite"></div>`;

  function bound(name, side) {
    const change = ({ target: { value } }) =>
      ask({ bound: { name, side, value: value === "" ? null : Number(value) } });
    return html`<input
      type="number"
      min="0"
      step=${name === "density" ? 0.05 : 1}
      aria-label="${side} ${name}"
      placeholder=${side === "least" ? "from" : "to"}
      data-bound="${name}-${side}"
      @change=${change}
    />`;
  }
  const bounded = ["size", "conflicts", "negatives", "density"];
  const bounds = (name) => [html`<span>${name}</span>`, bound(name, "least"), bound(name, "most")];
  const filters = html`<details class="pg-filters">
    <summary>Filter</summary>
    <div class="pg-grid">
      ${bounded.map(bounds)}
      <span>conflict</span>
      ${kinds}
      <button @click=${() => ask({ reset: true })}>Reset</button>
    </div>
  </details>`;
  const column = ([name, , hint]) =>
    html`<button
      title="${hint}. Click to sort."
      data-sort=${name}
      @click=${() => ask({ sort: name })}
    ></button>`;
  const head = html`<div class="pg-row pg-head">${COLUMNS.map(column)}</div>`;

  function entry(row, { words, decides }) {
    const { text, size, conflicts, negatives, density, decided, hits } = row;
    return {
      name: "pg-row",
      title: text,
      parts: html`<span>${row.cluster}</span>
        <span>${inThousands(size)}</span>
        <span class=${conflicts > 0 && "pg-hot"}>${conflicts || "·"}</span>
        <span>${negatives || "·"}</span>
        <span>${density.toFixed(2)}</span>
        ${decides && html`<span class="pg-decided">${decided || "·"}</span>`}
        <span class="pg-example" dir="auto">${marked(text, words)}</span>
        ${hits > 1 && html`<i>and ${hits - 1} more found in it</i>`}`
    };
  }

  function nothing({ any, words, filtered }) {
    if (!any) return "The graph has no clusters.";
    if (!words) return "No cluster passes the filter: reset it, or widen it.";
    return `No cluster holds “${words}”${filtered ? " and passes the filter" : ""}.`;
  }

  /** The filter in force, to be cleared at a click. */
  function inForce({ bounds: asked, kind, words, only }) {
    const limits = Object.entries(asked).flatMap(([name, [least, most]]) => [
      least !== null && `${name} ≥ ${least}`,
      most !== null && `${name} ≤ ${most}`
    ]);
    const others = [kind !== "any" && `conflict: ${kind}`, only && `${inThousands(only)} of the map`];
    const filter = joined([...limits, ...others], ", ") || "no bounds";
    return html`<button
      class="pg-in-force"
      title="Clear the filter"
      @click=${() => ask({ reset: true, words })}
    >
      ${filter} ✕
    </button>`;
  }

  /** What holds the words but does not pass the filter, to be seen at a click. */
  const more = (count) =>
    html`<button title="Clear the filter" @click=${() => ask({ bounds: {}, kind: "any", only: null })}>
      show ${inThousands(count)} more
    </button>`;

  function summary(state) {
    const { total, words, sort, descending, beyond } = state;
    const isRanked = words && sort === "cluster" && !descending && total > 1;
    return [
      total ? counting(total, "cluster") : nothing(state),
      isRanked && ", best match first",
      state.filtered && [" ", inForce(state)],
      beyond > 0 && [" ", more(beyond)]
    ];
  }

  function draw(state) {
    kinds.value = state.kind;
    for (const input of filters.querySelectorAll("[data-bound]")) {
      if (input.matches(":focus")) continue;
      const [name, side] = input.dataset.bound.split("-");
      const [least, most] = state.bounds[name] ?? [];
      input.value = (side === "least" ? least : most) ?? "";
    }
    for (const [i, button] of [...head.children].entries()) {
      const [name, text] = COLUMNS[i];
      const arrow = state.descending ? "↓" : "↑";
      button.textContent = name === state.sort ? text.replace(".", "") + arrow : text;
      button.classList.toggle("pg-sorted", name === state.sort);
      button.hidden = name === "decided" && !state.decides;
    }
    refill(outcome, summary(state));
  }

  return pagedList(bench, {
    id: "cluster",
    label: "Clusters",
    entries: "Clusters",
    between: [filters, outcome, head],
    entry,
    draw
  });
}
