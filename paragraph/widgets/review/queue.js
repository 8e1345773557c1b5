// The queue of a review, and how far it is decided.

const HOVERED = 300; // letters of a sentence that are shown over its entry

function reviewList(bench) {
  const { many, decide } = bench.model.get("words");
  const shown = [
    ["all", `all ${many}`],
    ["open", "not decided"],
    ["decided", "decided"]
  ];
  if (decide.some(([, name]) => name === "cut")) shown.push(["moot", "moot by other decisions"]);
  const shows = choice(`Which ${many}`, shown, (show) => {
    bench.focus();
    bench.send("query", { show });
  });
  const bar = html`<progress aria-label="Decided or moot"></progress>`;
  const counts = html`<div class="pg-found" aria-live="polite"></div>`;
  const estimate = html`<div class="pg-estimate" aria-live="polite"></div>`;
  const none = html`<p class="pg-found">There are none of these.</p>`;
  const note = html`<small></small>`;

  const entry = ({ item, state, pair, description, aside, hint }, { words }) => ({
    name: `pg-case-item pg-is-${state}`,
    title: pair.map((text) => text.slice(0, HOVERED)).join("\n"),
    parts: html`<span class="pg-case-head">
        <b>#${item}</b>
        <span>${`${MARKS[state]} ${description}`.trim()}</span>
        <small title=${hint}>${aside}</small>
      </span>
      ${pair.map((text) => html`<span class="pg-case-text" dir="auto">${marked(text, words)}</span>`)}`
  });

  function progress({ total, decided, moot, skipped }) {
    if (!total) return "The queue is empty.";
    const parts = [
      `${inThousands(decided)} of ${inThousands(total)} decided`,
      moot && `${inThousands(moot)} moot`,
      skipped && `${inThousands(skipped)} skipped`
    ];
    return joined(parts, " · ");
  }

  function draw(state, search) {
    const { total, decided, moot } = state.progress;
    counts.textContent = progress(state.progress);
    const [figures, about, hint = ""] = state.estimate;
    estimate.title = hint;
    refill(estimate, figures && [html`<b>${figures}</b>`, html`<small>${about}</small>`]);
    bar.max = Math.max(1, total);
    bar.value = decided + moot;
    bar.hidden = !total;
    for (const part of [search, shows]) part.hidden = !total;
    shows.value = state.show;
    none.hidden = !total || state.total > 0;
    note.textContent = state.note;
  }

  return pagedList(bench, {
    id: "item",
    label: "Queue",
    entries: many,
    above: [bar, counts, estimate],
    between: [shows, none],
    below: note,
    entry,
    draw
  });
}
