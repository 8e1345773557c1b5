// Phrases in a row, to be taken and put elsewhere; `html` of dom.js stands above this file. Python says what
// an order does.

function render({ model, el }) {
  let taken = null; // the phrases that were taken, as their box names them
  const arrange = (order) => {
    model.set("order", order);
    model.save_changes();
  };
  const next = (by) => model.send({ intent: "next", by });
  const reset = () => arrange(model.get("order").toSorted((a, b) => a - b));
  const stage = html`<div class="pg-phrases-row" role="listbox" aria-label="Phrases"></div>`;
  const said = html`<p role="status"></p>`;
  const counted = html`<span></span>`;
  const how =
    "Click a phrase, or a group's frame, then its new place; or drag; or Tab to it, then ← →. " +
    "Esc lets go. A pin: the phrase keeps its place; a bar: no phrase passes it.";
  const root = html`<div
    class="pg-phrases pg-live"
    tabindex="0"
    role="application"
    aria-label="Phrase Shuffler"
  >
    ${stage}${said}
    <button @click=${() => next(1)}>${hinted(model, "Next order", "step", 1)}</button>
    <button @click=${reset}>${hinted(model, "Reset", "first")}</button>
    ${counted}
    <small>${how}</small>
  </div>`;

  function take(key) {
    taken = key;
    for (const one of stage.querySelectorAll("[data-key]")) one.ariaSelected = one.dataset.key === key;
  }
  function put(key, slot) {
    const order = model.get("order");
    const phrases = key.split(" ").map(Number);
    const others = (part) => part.filter((one) => !phrases.includes(one));
    arrange([...others(order.slice(0, slot)), ...phrases, ...others(order.slice(slot))]);
    take(null);
  }
  function shape([tag, attributes, text]) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  }
  function draw() {
    const { shapes, box, ...words } = model.get("picture");
    const held = stage.querySelector(":focus")?.dataset.key;
    const [, , width] = box;
    const svg = shape(["svg", { viewBox: box.join(" "), width, style: `min-width: ${0.85 * width}px` }, ""]);
    svg.append(...shapes.map(shape));
    stage.replaceChildren(svg);
    if (held) (stage.querySelector(`[data-key="${held}"]`) ?? root).focus();
    said.textContent = words.said;
    said.className = `pg-is-${words.word}`;
    counted.textContent = words.counted;
    take(null);
  }
  root.addEventListener("pointerdown", ({ target }) => {
    const { key } = target.dataset;
    if (key) take(key === taken ? null : key);
  });
  root.addEventListener("pointerup", ({ clientX, clientY }) => {
    // where a finger is, too, and not where it began
    const { slot } = stage.getRootNode().elementFromPoint(clientX, clientY)?.dataset ?? {};
    if (taken && slot) put(taken, Number(slot));
  });
  const ACT = {
    move(place, { target }) {
      const { key, before, after } = target.dataset;
      const slot = place ? after : before;
      if (slot) put(key, Number(slot));
    },
    back: () => take(null),
    step: (place, { repeat }) => repeat || next(place ? 1 : -1),
    first: reset
  };
  const deaf = listenToKeys({ model, root, use: (name, place, event) => ACT[name](place, event) });
  el.append(root);
  draw();
  const leave = listenTo(model, { "change:picture": draw });
  return () => {
    deaf();
    leave();
  };
}

export default { render };
