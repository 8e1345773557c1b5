// Sentences enter the document through textContent alone, and the canvas as text: nothing of theirs is ever parsed.

/** An element with attributes, listeners (`on`), text, and children; what is null or undefined is left out. */
function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, call] of Object.entries(value)) element.addEventListener(event, call);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Other children in a box. Where one of the old had the focus, its bench takes it: on the page, keys edit cells. */
function refill(box, ...children) {
  const held = box.contains(document.activeElement);
  box.replaceChildren(...children);
  if (held) box.closest(".pg-bench").focus({ preventScroll: true });
}

/** Text with the searched words marked, the longer ones first where one begins like another. */
function marked(text, words) {
  const wanted = (words ?? "").split(/\s+/).filter(Boolean).sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  if (!wanted.length) return [document.createTextNode(text)];
  return text.split(new RegExp(`(${wanted.join("|")})`, "giu"))
    .map((part, i) => (i % 2 ? make("mark", { text: part }) : document.createTextNode(part)));
}

/** A sentence, given whole or as spans `[text, differs]`. */
function sentence(spans, extra = "") {
  const parts = typeof spans === "string" ? [document.createTextNode(spans)]
    : spans.map(([text, differs]) => (differs ? make("mark", { text }) : document.createTextNode(text)));
  return make("span", { class: `pg-sentence ${extra}`, dir: "auto" }, ...parts);
}

const sign = (s) => (s > 0 ? make("b", { class: "pg-plus", text: "+", title: "a paraphrase" })
  : make("b", { class: "pg-minus", text: "−", title: "not a paraphrase" }));

const rowsOf = (rows) => (rows.length ? `row${rows.length > 1 ? "s" : ""} ${rows.join(", ")}` : "");

/** Bring the current entry of a list into its view; scrollIntoView would scroll the notebook as well. */
function showCurrent(rows) {
  const current = rows.querySelector(".pg-current");
  if (!current) return;
  const [mine, all] = [current.getBoundingClientRect(), rows.getBoundingClientRect()];
  if (mine.top < all.top) rows.scrollTop -= all.top - mine.top;
  else if (mine.bottom > all.bottom) rows.scrollTop += mine.bottom - all.bottom;
}
