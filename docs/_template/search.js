// The search of the front page: sections that contain all the words, those with words in the title first.
const MOST = 30;
const BEFORE = 60; // letters before the first word, of 200

const sections = JSON.parse(document.getElementById("index").textContent);
const box = document.getElementById("search");
const hits = document.getElementById("hits");

function hitOf([title, page, href, text], word) {
  const start = Math.max(0, text.toLowerCase().indexOf(word) - BEFORE);
  const hit = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { textContent: title, href });
  hit.append(link, ` ${page}: ${text.slice(start, start + 200)}`);
  return hit;
}

box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const count = (text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const found = sections.filter(([title, , , text]) => count(`${title} ${text}`) === words.length);
  found.sort(([one], [other]) => count(other) - count(one));
  hits.hidden = !words.length;
  hits.replaceChildren(...found.slice(0, MOST).map((section) => hitOf(section, words[0])));
  if (!found.length) hits.textContent = "Nothing is found.";
});
