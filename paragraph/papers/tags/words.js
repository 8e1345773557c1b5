// Two sentences whose words are marked by clicks, by dragging and by keys. Python holds the marks.

function wordMarks({ model, send }) {
  let at = [0, 0]; // sentence and word that a key marks next
  let item = null;
  let drag = null; // { side, from, to }
  const element = html`<div class="pg-marking" aria-label="Words"></div>`;
  const marksOf = (side) => model.get("case").marks[side];
  const words = () => [...element.querySelectorAll(".pg-word")];
  const placeOf = ({ dataset }) => [Number(dataset.side), Number(dataset.word)];

  function mark(side, one, other, on) {
    send("mark", { item, side, first: Math.min(one, other), end: Math.max(one, other) + 1, on });
  }

  /** Show where a key marks next, and what a drag has passed. */
  function show() {
    const isPassed = (side, i) =>
      side === drag?.side && i >= Math.min(drag.from, drag.to) && i <= Math.max(drag.from, drag.to);
    for (const word of words()) {
      const place = placeOf(word);
      word.classList.toggle("pg-at", String(place) === String(at));
      word.classList.toggle("pg-dragged", isPassed(...place));
    }
  }

  function go(side, i) {
    at = [side, i];
    show();
  }

  function step(by) {
    const all = words();
    const next = all[all.findIndex((word) => String(placeOf(word)) === String(at)) + by];
    if (next) go(...placeOf(next));
    element.querySelector(".pg-at")?.scrollIntoView({ block: "nearest" });
  }

  const wordAt = ({ target }) => target.closest(".pg-word");

  element.addEventListener("pointerdown", (event) => {
    const word = wordAt(event);
    if (!word || event.button !== 0) return;
    event.preventDefault(); // no text is selected
    event.target.releasePointerCapture?.(event.pointerId); // a finger, too, passes over words
    const [side, i] = placeOf(word);
    drag = { side, from: i, to: i };
    show();
  });
  element.addEventListener("pointerover", (event) => {
    const [side, i] = wordAt(event) && drag ? placeOf(wordAt(event)) : [];
    if (side === undefined || side !== drag.side) return;
    drag.to = i;
    show();
  });
  const listening = new AbortController();
  function drop({ type }) {
    if (!drag) return;
    const { side, from, to } = drag;
    drag = null;
    if (type === "pointercancel") return show();
    go(side, to);
    mark(side, from, to, !marksOf(side)[from]);
  }
  for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, drop, listening);

  /** A sentence from its pieces: text, word, text, and so on. */
  function drawn(pieces, side) {
    const word = (text, i) =>
      html`<span class="pg-word" role="checkbox" data-side=${side} data-word=${i}>${text}</span>`;
    const piece = (text, k) => (k % 2 ? word(text, (k - 1) / 2) : html`<span>${text}</span>`);
    const label = side ? "Second sentence" : "First sentence";
    const content = pieces.map(piece);
    return html`<p class="pg-sentence" dir="auto" role="group" aria-label=${label}>${content}</p>`;
  }

  function draw() {
    const { item: number, pieces = [], marks, others } = model.get("case");
    if (number !== item) {
      item = number;
      at = [0, 0];
      drag = null;
      element.hidden = item === null;
      refill(element, pieces.map(drawn));
    }
    for (const word of words()) {
      const [side, i] = placeOf(word);
      const times = others[side]?.[i];
      const areBoth = Boolean(marks[side][i] && marks[side][i + 1]);
      word.ariaChecked = Boolean(marks[side][i]);
      word.classList.toggle("pg-other", times > 0);
      word.title = times ? `marked by ${counting(times, "other")}` : "";
      word.nextElementSibling?.classList.toggle("pg-between", areBoth);
    }
    show();
  }

  const once = (act) => (place, event) => item === null || event.repeat || act(...at);
  const ACT = {
    move(place, { shiftKey }) {
      if (item === null) return;
      const [side, i] = at;
      if (place && shiftKey) mark(side, i, i, true);
      step(place ? 1 : -1);
      if (!place && shiftKey) mark(at[0], at[1], at[1], false);
    },
    mark: once((side, i) => mark(side, i, i, !marksOf(side)[i])),
    every: once((side) => mark(side, 0, marksOf(side).length - 1, !marksOf(side).every(Boolean))),
    other() {
      if (item !== null) go(1 - at[0], Math.min(at[1], marksOf(1 - at[0]).length - 1));
    }
  };
  return { element, draw, ACT, stop: () => listening.abort() };
}
