// The search of the front page: sections and names that contain all the words, those with words in the title first.
const MOST = 30;
const AROUND = 60; // letters before the first word

const sections = JSON.parse(document.getElementById("index").textContent).map(([title, page, href, text]) => {
  return { title, page, href, text, inTitle: title.toLowerCase(), all: `${title} ${text}`.toLowerCase() };
});
const box = document.getElementById("search");
const hits = document.getElementById("hits");

function element(tag, text, options = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, options);
}

function excerpt(text, word) {
  const start = Math.max(0, text.toLowerCase().indexOf(word) - AROUND);
  return (start ? "…" : "") + text.slice(start, start + 3 * AROUND);
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ inTitle }) => words.filter((word) => inTitle.includes(word)).length;
  const found = sections.filter(({ all }) => words.every((word) => all.includes(word)));
  found.sort((one, other) => rank(other) - rank(one));
  hits.hidden = !words.length;
  hits.replaceChildren();
  for (const { title, page, href, text } of found.slice(0, MOST)) {
    const hit = element("li", "");
    hit.append(
      element("a", title, { href }),
      element("small", ` ${page}`),
      element("p", excerpt(text, words[0]))
    );
    hits.append(hit);
  }
  if (!found.length) hits.append(element("li", "Nothing is found."));
}

box.addEventListener("input", search);
box.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") box.value = "";
  if (key === "Escape") search();
  if (key === "Enter") hits.querySelector("a")?.click();
});
