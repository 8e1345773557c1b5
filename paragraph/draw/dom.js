// Sentences enter the document through textContent alone, and the canvas as text: nothing of theirs is ever
// parsed.

const DRAWN = ["svg", "line", "text", "polyline", "circle", "rect"];

/** An element with attributes, listeners (`on`), text, and children; whatever is null, undefined or false is
 * left out. */
function make(tag, { text, on = {}, ...attributes } = {}, ...children) {
  const element = DRAWN.includes(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  const given = (value) => value !== undefined && value !== null && value !== false;
  for (const [name, value] of Object.entries(attributes))
    if (given(value)) element.setAttribute(name, value === true ? "" : value);
  for (const [event, call] of Object.entries(on)) element.addEventListener(event, call);
  element.append(...[text, ...children].flat(3).filter(given));
  return element;
}

/** Other children in a box. Where one of the old had the focus, its bench takes it: on the page, keys edit
 * cells. */
function refill(box, ...children) {
  const held = box.contains(document.activeElement);
  box.replaceChildren(...children.flat().filter(Boolean));
  if (held) box.closest(".pg-bench")?.focus({ preventScroll: true });
}

const ENDINGS = "ings?|ying|ied|ies|ed|e?s|ers?|ly|e|y";

/** The pattern of a word that is searched: any part of a word, or a form of an English one. As in
 * `paragraph.graph.search`. */
function patternOf(word) {
  const given = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"),
    whole = word.toLowerCase().match(`^([a-z]{3,}?)(?:${ENDINGS})$`);
  const stem = whole?.[1].replace(/([bdgmnprt])\1$/, "$1");
  return stem ? `${given}|\\b${stem}${stem.at(-1)}?(?:${ENDINGS})?\\b` : given;
}

/** Text with the searched words marked, the longer ones first where one begins like another. */
function marked(text, words) {
  const wanted = (words ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .map(patternOf);
  if (!wanted.length) return [document.createTextNode(text)];
  return text
    .split(new RegExp(`(${wanted.join("|")})`, "giu"))
    .map((part, i) => (i % 2 ? make("mark", { text: part }) : document.createTextNode(part)));
}

/** A sentence, given whole or as spans `[text, differs]`. */
function sentence(spans, extra = "") {
  const parts =
    typeof spans === "string"
      ? [document.createTextNode(spans)]
      : spans.map(([text, differs]) => (differs ? make("mark", { text }) : document.createTextNode(text)));
  return make("span", { class: `pg-sentence ${extra}`, dir: "auto" }, ...parts);
}

const sign = (s) =>
  s > 0
    ? make("b", { class: "pg-plus", text: "+", title: "a paraphrase" })
    : make("b", { class: "pg-minus", text: "−", title: "not a paraphrase" });

const rowsOf = (rows) => (rows.length ? `row${rows.length > 1 ? "s" : ""} ${rows.join(", ")}` : "");

/** A list of terms, each with what it means. */
const terms = (entries, attributes = {}) =>
  make(
    "dl",
    attributes,
    entries.map(([key, what]) => [make("dt", { text: key }), make("dd", { text: what })])
  );

/** Bring the first of some entries of a box into view, if none of them is; scrollIntoView would scroll the
 * notebook as well. */
function reveal(box, entries) {
  const frame = box.getBoundingClientRect();
  const off = (entry) => {
    const { top, bottom } = entry.getBoundingClientRect();
    return top < frame.top ? top - frame.top - 4 : Math.max(0, bottom - frame.bottom + 4);
  };
  if (entries.length && entries.every(off)) box.scrollTop += off(entries[0]);
}

/** What is chosen after a click on one: that one; with Ctrl or Shift held, the chosen and that one, or
 * without it. */
function chosenBy({ ctrlKey, metaKey, shiftKey }, one, chosen) {
  if (!ctrlKey && !metaKey && !shiftKey) return [one];
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
}
