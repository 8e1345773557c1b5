// Elements, written as HTML. Sentences enter them as text alone, and the canvas as text: nothing of theirs is
// ever parsed.

const HOLE = "\u{fdd0}"; // no character: around the number of a value in an attribute
const PARSED = new WeakMap(); // what was written, by its place in the source

function parsed(strings) {
  const template = document.createElement("template");
  const source = strings.reduce((before, part, i) => {
    const isInTag = before.lastIndexOf("<") > before.lastIndexOf(">");
    const hole = isInTag ? `${HOLE}${i - 1}${HOLE}` : `<template id="${i - 1}"></template>`;
    return before + hole + part;
  });
  template.innerHTML = source.replace(/>\s*\n\s*|\s*\n\s*</g, (space) => space.trim());
  return template.content;
}

/** Texts and elements in lists of any depth, but for null, undefined and false. */
const childrenOf = (parts) => [parts].flat(Infinity).filter((one) => (one ?? false) !== false);

/** The element that is written, or a fragment of several. A value in a tag is an attribute (of SVG
 * `:cx=${…}`, or the browser complains of the mark) or listens (`@click=${…}`); others are children.
 * White space around the end of a line is layout. */
function html(strings, ...values) {
  if (!PARSED.has(strings)) PARSED.set(strings, parsed(strings));
  const content = document.importNode(PARSED.get(strings), true);
  for (const element of content.querySelectorAll("*")) {
    for (const { name, value: pattern } of [...element.attributes]) {
      if (!pattern.includes(HOLE)) continue;
      const parts = pattern.split(HOLE).map((part, i) => (i % 2 ? values[part] : part));
      const value = pattern.match(/^\ufdd0\d+\ufdd0$/) ? parts[1] : parts.join("");
      element.removeAttribute(name);
      if (name[0] === "@") element.addEventListener(name.slice(1), value);
      else if (typeof value === "boolean" && !name.startsWith("aria-")) element.toggleAttribute(name, value);
      else if ((value ?? null) !== null) element.setAttribute(name.replace(":", ""), value);
    }
  }
  for (const hole of content.querySelectorAll("template")) hole.replaceWith(...childrenOf(values[hole.id]));
  return content.childNodes.length === 1 ? content.firstChild : content;
}

/** Other children in a box. Where one of the old had the focus, its bench takes it: on the page, keys edit
 * cells. */
function refill(box, ...children) {
  const isHeld = box.matches(":focus-within");
  box.replaceChildren(...childrenOf(children));
  if (isHeld) box.closest(".pg-bench")?.focus({ preventScroll: true });
}

const unique = (items) => [...new Set(items)];

/** Lists of the items of one key, by that key. */
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

/** A function of one argument that works each value out once. */
function remembered(work) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, work(key));
    return known.get(key);
  };
}

/** Has something done after some milliseconds in which nothing else was asked for; null: nothing is. */
function delayed(milliseconds) {
  let waiting = null;
  return (act) => {
    clearTimeout(waiting);
    if (act) waiting = setTimeout(act, milliseconds);
  };
}

const wordsIn = (text) => text.split(/\s+/).filter(Boolean);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

const ENDINGS = "ings?|ying|ied|ies|ed|e?s|ers?|ly|e|y";

/** The pattern of a word that is searched: any part of a word, or a form of an English one. As in
 * `paragraph.graph.identity`. */
function patternOf(word) {
  const whole = word.toLowerCase().match(`^([a-z]{3,}?)(?:${ENDINGS})$`);
  if (!whole) return escaped(word);
  const stem = whole[1].replace(/([bdgmnprt])\1$/, "$1");
  return `${escaped(word)}|\\b${stem}${stem.at(-1)}?(?:${ENDINGS})?\\b`;
}

/** Spans `[text, isMarked]` as text and marked text; a text stays as it is. */
const written = (spans) =>
  typeof spans === "string"
    ? spans
    : spans.map(([text, isMarked]) => (isMarked ? html`<mark>${text}</mark>` : text));

/** Text with the searched words marked, the longer ones first where one begins like another. */
function marked(text, words = "") {
  const wanted = wordsIn(words)
    .sort((a, b) => b.length - a.length)
    .map(patternOf);
  if (!wanted.length) return text;
  const parts = text.split(new RegExp(`(${wanted.join("|")})`, "giu"));
  return written(parts.map((part, i) => [part, i % 2]));
}

/** What a mouse does in a text of ours, as a finger does it where there is no mouse. */
const byHand = (text) =>
  globalThis.matchMedia?.("(pointer: coarse)").matches
    ? text?.replace(/\b([Cc])lick/g, (_, first) => (first === "C" ? "Tap" : "tap"))
    : text;

/** A sentence, given whole or as spans of which some differ. */
const sentence = (spans) => html`<span class="pg-sentence" dir="auto">${written(spans)}</span>`;

/** A button with a sentence of a node. */
const sentenceButton = (name, title, key, text, act) =>
  html`<button class=${name} dir="auto" title=${title} data-key=${key} @click=${act}>
    ${sentence(text)}
  </button>`;

const sign = (s) =>
  s > 0
    ? html`<b class="pg-plus" title="a paraphrase">+</b>`
    : html`<b class="pg-minus" title="not a paraphrase">−</b>`;

/** Texts in one, but for those that are false or empty. */
const joined = (texts, mark = " ") => texts.filter(Boolean).join(mark);

const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const inThousands = (n) => n.toLocaleString("en-US");
/** A number with its noun. */
const counting = (n, one, many = `${one}s`) => `${inThousands(n)} ${n === 1 ? one : many}`;

const rowsOf = (rows) => (rows.length ? `row${rows.length > 1 ? "s" : ""} ${rows.join(", ")}` : "");

/** Terms, each with its meaning, as children of a `dl`. */
const terms = (entries) =>
  entries.map(
    ([term, meaning]) =>
      html`<dt>${term}</dt>
        <dd>${meaning}</dd>`
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

const isAdding = ({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey;

/** What is chosen after a click on one: that one; with Ctrl or Shift held, the chosen and that one, or
 * without it. */
function chosenBy(event, one, chosen) {
  if (!isAdding(event)) return [one];
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
}

/** Give the browser a file. */
function download(name, parts, type) {
  const link = html`<a download=${name} href=${URL.createObjectURL(new Blob(parts, { type }))}></a>`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
