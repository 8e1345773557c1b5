// A column of the list as a histogram: a click on a bar filters the list, as the fields above it do. Bars
// grow with the logarithm of what they count.

/** `use([least, most])` asks for what lies inside, `use(null)` for all. */
function histogram(model, name, use) {
  const axis = html`<small class="pg-axis"></small>`;
  const element = html`<div class="pg-histogram" aria-hidden="true"></div>`;
  const said = (value) => (Number.isInteger(value) ? value.toLocaleString() : value.toFixed(2));

  function draw() {
    const bins = model.get("bins")?.[name] ?? [];
    const { bounds, filtered } = model.get("listing");
    const [from, to] = bounds?.[name] ?? [null, null];
    const isBetween = (value) => value >= (from ?? 0) && value <= (to ?? Infinity);
    const highest = Math.max(1, ...bins.map(([, , count]) => count));
    const high = (count) => (count ? 10 + 90 * (Math.log1p(count) / Math.log1p(highest)) : 0);
    const bar = ([least, most, count]) => {
      const range = least === most ? said(least) : `${said(least)} to ${said(most)}`;
      const isChosen = from === least && to === most;
      return html`<i
        class=${isBetween(least) && isBetween(most) ? "pg-in" : ""}
        title="${name} ${range}: ${counting(count, "cluster")}"
        @click=${() => use(isChosen ? null : [least, most])}
        ><b style="height: ${high(count)}%"></b
      ></i>`;
    };
    element.replaceChildren(...bins.map(bar));
    const ends = bins.length ? [said(bins[0][0]), said(bins.at(-1)[1])] : ["", ""];
    const passing = filtered ? ", of those that pass the other filters" : "";
    refill(
      axis,
      html`<span>${ends[0]}</span><span>${`up to ${counting(highest, "cluster")}${passing}`}</span
        ><span>${ends[1]}</span>`
    );
  }

  element.dataset.column = name;
  return { elements: [element, axis], draw };
}
