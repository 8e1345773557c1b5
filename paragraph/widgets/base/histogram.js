// A column of the list as a histogram: a click on a bar, or a drag over several, filters the list, as the
// fields above it do. Bars grow with the logarithm of what they count.

/** `use([least, most])` asks for what lies inside, `use(null)` for all. */
function histogram(model, name, use) {
  const axis = html`<small class="pg-axis"></small>`;
  const element = html`<div
    class="pg-histogram"
    aria-hidden="true"
    data-column=${name}
    @pointerdown=${press}
    @pointermove=${move}
    @pointerup=${release}
    @pointercancel=${leave}
  ></div>`;
  const format = (value) => (Number.isInteger(value) ? inThousands(value) : value.toFixed(2));

  const binsOf = () => model.get("bins")?.[name] ?? [];
  const boundsOf = () => model.get("listing").bounds?.[name] ?? [null, null];

  /** The bar at a place of the pointer; the first and last reach beyond the ends. */
  function barAt({ clientX }) {
    const { left, width } = element.getBoundingClientRect();
    const last = binsOf().length - 1;
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * (last + 1))));
  }

  let start = null; // the bar at which the pointer went down

  /** The bars from the start to the pointer. */
  function span(event) {
    const end = barAt(event);
    return [Math.min(start, end), Math.max(start, end)];
  }

  function press(event) {
    if (event.button || !binsOf().length) return;
    start = barAt(event);
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  function move(event) {
    if (start === null) return;
    const [first, last] = span(event);
    for (const [i, bar] of [...element.children].entries())
      bar.classList.toggle("pg-in", i >= first && i <= last);
  }

  function release(event) {
    if (start === null) return;
    const [first, last] = span(event);
    start = null;
    const range = [binsOf()[first][0], binsOf()[last][1]];
    const [from, to] = boundsOf();
    use(from === range[0] && to === range[1] ? null : range);
  }

  function leave() {
    start = null;
    draw();
  }

  function draw() {
    if (start !== null) return; // a hand is on it
    const bins = binsOf();
    const [from, to] = boundsOf();
    const isBetween = (value) => value >= (from ?? 0) && value <= (to ?? Infinity);
    const highest = Math.max(1, ...bins.map(([, , count]) => count));
    const high = (count) => (count ? 10 + 90 * (Math.log1p(count) / Math.log1p(highest)) : 0);
    const bar = ([least, most, count]) => {
      const range = least === most ? format(least) : `${format(least)} to ${format(most)}`;
      return html`<i
        class=${isBetween(least) && isBetween(most) ? "pg-in" : ""}
        title="${name} ${range}: ${counting(count, "cluster")}"
        ><b style="height: ${high(count)}%"></b
      ></i>`;
    };
    element.replaceChildren(...bins.map(bar));
    const ends = bins.length ? [format(bins[0][0]), format(bins.at(-1)[1])] : ["", ""];
    const passing = model.get("listing").filtered ? ", of those that pass the other filters" : "";
    refill(
      axis,
      html`<span>${ends[0]}</span><span>${`up to ${counting(highest, "cluster")}${passing}`}</span
        ><span>${ends[1]}</span>`
    );
  }

  return { elements: [element, axis], draw };
}
