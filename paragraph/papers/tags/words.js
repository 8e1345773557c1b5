// Two sentences whose words are marked by clicks and by keys. Python holds the marks.

function wordMarks({ model, send }) {
  let at = 0; // the word that a key marks next, counted through both sentences
  let item = null;
  const element = html`<div class="pg-marking" aria-label="Words" @click=${click}></div>`;
  const words = () => [...element.querySelectorAll(".pg-word")];
  const sentenceOf = ({ dataset: { side } }) => words().filter((word) => word.dataset.side === side);
  const isMarked = (word) => word.ariaChecked === "true";

  /** Mark neighbouring words, or clear them. */
  function mark(some, on) {
    const { side, word } = some[0].dataset;
    const first = Number(word);
    send("mark", { item, side: Number(side), first, end: first + some.length, on });
  }

  /** Show where a key marks next. */
  function show() {
    for (const [i, word] of words().entries()) word.classList.toggle("pg-at", i === at);
  }

  function go(to) {
    if (!words()[to]) return;
    at = to;
    show();
    words()[at].scrollIntoView({ block: "nearest" });
  }

  function click({ target }) {
    const word = target.closest(".pg-word");
    if (!word) return;
    go(words().indexOf(word));
    mark([word], !isMarked(word));
  }

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
      at = 0;
      element.hidden = item === null;
      refill(element, pieces.map(drawn));
    }
    for (const word of words()) {
      const { side } = word.dataset;
      const i = Number(word.dataset.word);
      const times = others[side]?.[i];
      word.ariaChecked = Boolean(marks[side][i]);
      word.classList.toggle("pg-other", times > 0);
      word.title = times ? `marked by ${counting(times, "other")}` : "";
      word.nextElementSibling?.classList.toggle("pg-between", Boolean(marks[side][i] && marks[side][i + 1]));
    }
    show();
  }

  /** Of a key that is pressed on a word; a pair without words has none. */
  const once = (act) => (place, event) => event.repeat || !words()[at] || act(words()[at]);
  const ACT = {
    move: (place) => go(at + (place ? 1 : -1)),
    mark: once((word) => mark([word], !isMarked(word))),
    every: once((word) => mark(sentenceOf(word), !sentenceOf(word).every(isMarked))),
    other: once(({ dataset: { side } }) => go(words().findIndex((word) => word.dataset.side !== side)))
  };
  return { element, draw, ACT };
}
