// Phrases in a row, to be taken and put elsewhere; `make` of dom.js stands above this file. Python says what
// an order does.

function render({ model, el }) {
  let taken = null; // the phrases that were taken, as their box names them
  const arrange = (order) => {
    model.set("order", order);
    model.save_changes();
  };
  const next = (by) => model.send({ intent: "next", by }),
    reset = () => arrange([...model.get("order")].sort((a, b) => a - b));
  const stage = make("div", { class: "pg-row", role: "listbox", "aria-label": "Phrases" }),
    said = make("p", { role: "status" }),
    counted = make("span");
  const root = make(
    "div",
    { class: "pg-phrases pg-live", tabindex: "0", role: "application", "aria-label": "Phrase Shuffler" },
    stage,
    said,
    make("button", { text: hinted(model, "Next order", "step", 1), on: { click: () => next(1) } }),
    make("button", { text: hinted(model, "Reset", "first"), on: { click: reset } }),
    counted,
    make("small", {
      text:
        "Click a phrase, or a group's frame, then its new place; or drag; or Tab to it, then ← →. " +
        "Esc lets go. A pin: the phrase keeps its place; a bar: no phrase passes it."
    })
  );

  function take(key) {
    taken = key;
    root.classList.toggle("pg-taking", key !== null);
    for (const one of stage.querySelectorAll("[data-key]"))
      one.setAttribute("aria-selected", String(one.dataset.key === key));
  }
  function put(key, slot) {
    const order = model.get("order"),
      phrases = key.split(" ").map(Number),
      others = (part) => part.filter((one) => !phrases.includes(one));
    arrange([...others(order.slice(0, slot)), ...phrases, ...others(order.slice(slot))]);
    take(null);
  }
  function draw() {
    const { shapes, box, ...words } = model.get("picture"),
      held = stage.contains(document.activeElement) && document.activeElement.dataset.key;
    stage.replaceChildren(
      make(
        "svg",
        { viewBox: box.join(" "), width: box[2], style: `min-width: ${0.85 * box[2]}px` },
        shapes.map(([tag, attributes, text]) => make(tag, { ...attributes, text }))
      )
    );
    if (held) (stage.querySelector(`[data-key="${held}"]`) ?? root).focus();
    [said.textContent, said.className, counted.textContent] = [
      words.said,
      `pg-is-${words.word}`,
      words.counted
    ];
    take(null);
  }
  root.addEventListener("pointerdown", ({ target }) => {
    const { key } = target.dataset;
    if (key) take(key === taken ? null : key);
  });
  root.addEventListener("pointerup", ({ clientX, clientY }) => {
    // where a finger is, too, and not where it began
    const { slot } = document.elementFromPoint(clientX, clientY)?.dataset ?? {};
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
  model.on("change:picture", draw);
  return () => {
    deaf();
    model.off("change:picture", draw);
  };
}

export default { render };
