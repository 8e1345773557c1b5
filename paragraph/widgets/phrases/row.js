// Phrases in a row, to be taken and put elsewhere; `make` of dom.js stands above this file. Python says what an order does.

function render({ model, el }) {
  let taken = null; // the phrases that were taken, as their box names them
  const arrange = (order) => { model.set("order", order); model.save_changes(); };
  const next = () => model.send("next"), reset = () => arrange([...model.get("order")].sort((a, b) => a - b));
  const stage = make("div", { class: "pg-row", role: "listbox", "aria-label": "Phrases" }), said = make("p", { role: "status" }), counted = make("span");
  const root = make("div", { class: "pg-phrases", tabindex: "0", role: "application", "data-lm-suppress-shortcuts": "true", "aria-label": "Phrase Shuffler" }, stage, said,
    make("button", { text: "Next order (n)", on: { click: next } }), make("button", { text: "Reset (r)", on: { click: reset } }), counted,
    make("small", { text: "Click a phrase, or a group's frame, then its new place; or drag; or Tab to it, then ← →. Esc lets go." }));

  function take(key) {
    taken = key;
    root.classList.toggle("pg-taking", key !== null);
    for (const one of stage.querySelectorAll("[data-key]")) one.setAttribute("aria-selected", String(one.dataset.key === key));
  }
  function put(key, slot) {
    const order = model.get("order"), phrases = key.split(" ").map(Number), others = (part) => part.filter((one) => !phrases.includes(one));
    arrange([...others(order.slice(0, slot)), ...phrases, ...others(order.slice(slot))]);
    take(null);
  }
  function draw() {
    const { shapes, box, ...words } = model.get("picture"), held = stage.contains(document.activeElement) && document.activeElement.dataset.key;
    stage.replaceChildren(make("svg", { viewBox: box.join(" "), width: box[2], style: `min-width: ${0.85 * box[2]}px` }, shapes.map(([tag, attributes, text]) => make(tag, { ...attributes, text }))));
    if (held) (stage.querySelector(`[data-key="${held}"]`) ?? root).focus();
    [said.textContent, said.className, counted.textContent] = [words.said, `pg-is-${words.word}`, words.counted];
    take(null);
  }
  root.addEventListener("pointerdown", ({ target: { dataset: { key } } }) => key && take(key === taken ? null : key));
  root.addEventListener("pointerup", ({ clientX, clientY }) => { // where a finger is, too, and not where it began
    const { slot } = document.elementFromPoint(clientX, clientY)?.dataset ?? {};
    if (taken && slot) put(taken, Number(slot));
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const { key, repeat, target: { dataset } } = event, slot = { ArrowLeft: dataset.before, ArrowRight: dataset.after }[key];
    if (slot) put(dataset.key, Number(slot));
    else if (key === "Escape") take(null);
    else if (!repeat) ({ n: next, r: reset })[key]?.();
  });
  el.append(root);
  draw();
  model.on("change:picture", draw);
  return () => model.off("change:picture", draw);
}

export default { render };
