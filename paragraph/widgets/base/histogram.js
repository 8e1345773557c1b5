// A column of the list as a histogram, which is brushed with the pointer: the list then shows what lies
// inside. The fields above it do the same for keys. Bars grow with the logarithm of what they count.

const BRUSH = "Drag over bars; the same brush again clears it";

/** `use([least, most])` asks for what lies inside, `use(null)` for all. */
function histogram(model, name, use) {
  let start = null; // the bin at which the pointer went down
  let end = null;
  const bins = () => model.get("bins")?.[name] ?? [];
  const said = (value) => (Number.isInteger(value) ? value.toLocaleString() : value.toFixed(2));

  /** The first and the last bin of the brush, or null. */
  function brushed() {
    if (start !== null) return [start, end].sort((a, b) => a - b);
    const [from, to] = model.get("listing").bounds?.[name] ?? [null, null];
    if (from === null && to === null) return null;
    const isShare = bins()[0]?.[1] % 1 > 0; // bins of shares have an end in common
    const isIn = ([least, most]) =>
      isShare ? most > (from ?? -1) && least < (to ?? 2) : most >= (from ?? 0) && least <= (to ?? Infinity);
    const inside = [...bins().keys()].filter((i) => isIn(bins()[i]));
    return inside.length ? [inside[0], inside.at(-1)] : null;
  }

  /** @param {number[]} ends */
  const ask = ([first, last]) => use([bins()[first][0], bins()[last][1]]);

  function draw() {
    const all = bins();
    const most = Math.max(1, ...all.map(([, , count]) => count));
    const own = brushed();
    const isIn = (i) => !own || (own[0] <= i && i <= own[1]);
    const high = (count) => (count ? 10 + 90 * (Math.log1p(count) / Math.log1p(most)) : 0);
    element.replaceChildren(
      ...all.map(([least, to, count], i) => {
        const range = least === to ? said(least) : `${said(least)} to ${said(to)}`;
        const hint = `${name} ${range}: ${counting(count, "cluster")}`;
        return html`<i class=${isIn(i) ? "pg-in" : ""} title=${hint}
          ><b style="height: ${high(count)}%"></b
        ></i>`;
      })
    );
    const ends = all.length ? [said(all[0][0]), said(all.at(-1)[1])] : ["", ""];
    const passing = model.get("listing").filtered ? ", of those that pass the other filters" : "";
    refill(
      axis,
      html`<span>${ends[0]}</span><span>${`up to ${counting(most, "cluster")}${passing}`}</span
        ><span>${ends[1]}</span>`
    );
  }

  function binAt({ clientX }) {
    const { left, width } = element.getBoundingClientRect();
    const many = bins().length;
    return Math.max(0, Math.min(many - 1, Math.floor(((clientX - left) / width) * many)));
  }

  function press(event) {
    if (!bins().length || event.button) return;
    element.setPointerCapture(event.pointerId);
    start = binAt(event);
    end = start;
    draw();
  }

  function move(event) {
    if (start === null) return;
    end = binAt(event);
    draw();
  }

  /** The same brush again, as by a click on its only bar, clears it. */
  function release({ type }) {
    if (start === null) return;
    const own = brushed();
    start = null;
    const before = brushed();
    const isSame = before && before[0] === own[0] && before[1] === own[1];
    if (type === "pointercancel") draw();
    else if (isSame) use(null);
    else ask(own);
  }

  const axis = html`<small class="pg-axis"></small>`;
  const element = html`<div
    class="pg-histogram"
    aria-hidden="true"
    title=${BRUSH}
    @pointerdown=${press}
    @pointermove=${move}
    @pointerup=${release}
    @pointercancel=${release}
  ></div>`;
  element.dataset.column = name;
  return { elements: [element, axis], draw };
}
