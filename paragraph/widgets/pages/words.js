// Words: which of two sentences the other lacks, and which sentences hold those searched for. As in
// `paragraph.words` and `paragraph.graph.search`.

const SINGLE = "[\\u0e00-\\u0eff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\u{20000}-\\u{3ffff}]";
const WORD = new RegExp(
  `${SINGLE}|(?:(?!${SINGLE})[\\p{L}\\p{N}_])+(?:['’][\\p{L}\\p{Nl}\\p{No}]+)?|\\s+|.`,
  "gsu"
);
const isWord = (piece) => /^[\p{L}\p{N}]/u.test(piece);

/** Blocks `[i, j, length]` that two lists have in common: the longest, then left and right of it (Ratcliff
 * and Metzener 1988). */
function commonBlocks(a, b) {
  const places = grouped(b.keys(), (j) => b[j]);
  function seek(a0, a1, b0, b1) {
    let [at, there, best, runs] = [a0, b0, 0, new Map()];
    for (let i = a0; i < a1; i++) {
      const next = new Map();
      for (const j of places.get(a[i]) ?? []) {
        if (j < b0 || j >= b1) continue;
        const run = (runs.get(j - 1) ?? 0) + 1;
        next.set(j, run);
        if (run > best) [at, there, best] = [i - run + 1, j - run + 1, run];
      }
      runs = next;
    }
    return best
      ? [...seek(a0, at, b0, there), [at, there, best], ...seek(at + best, a1, there + best, b1)]
      : [];
  }
  return seek(0, a.length, 0, b.length);
}

/** Both sentences as spans, those the other lacks marked; none where less than half of the words are in
 * common. */
function wordDiff(...texts) {
  const pieces = texts.map((text) => text.match(WORD) ?? []),
    [a, b] = pieces.map((some) => some.map((piece) => piece.toLowerCase()));
  const blocks = commonBlocks(a, b),
    common = blocks.flatMap(([i, , n]) => pieces[0].slice(i, i + n)).filter(isWord).length;
  if (2 * common < 0.5 * pieces.flat().filter(isWord).length)
    return texts.map((text) => (text ? [[text, false]] : []));
  return pieces.map((some, side) => {
    const spans = [];
    let last = 0;
    for (const [begin, end] of [
      ...blocks.map((block) => [block[side], block[side] + block[2]]),
      [some.length, some.length]
    ]) {
      spans.push([some.slice(last, begin).join(""), true], [some.slice(begin, end).join(""), false]);
      last = end;
    }
    return joinedSpans(spans.filter(([text]) => text));
  });
}

/** The word that has most letters in common with another, by the same blocks, or "" where none has 0.8 of
 * them. */
function mostSimilar(word, words) {
  let best = [0.8, ""];
  for (const one of words) {
    const [a, b] = [[...one], [...word]],
      most = (2 * Math.min(a.length, b.length)) / (a.length + b.length);
    if (most < best[0]) continue;
    const ratio = (2 * commonBlocks(a, b).reduce((sum, block) => sum + block[2], 0)) / (a.length + b.length);
    if (ratio > best[0] || (ratio === best[0] && one > best[1])) best = [ratio, one];
  }
  return best[1];
}

/** White space between two marked words is marked as well; neighbours alike become one. */
function joinedSpans(spans) {
  const found = [];
  for (const [i, [text, differs]] of spans.entries()) {
    const mark =
      differs || (i > 0 && i + 1 < spans.length && !text.trim() && spans[i - 1][1] && spans[i + 1][1]);
    if (found.at(-1)?.[1] === mark) found.at(-1)[0] += text;
    else found.push([text, mark]);
  }
  return found;
}

const wordsIn = (text) => text.split(/\s+/).filter(Boolean);

/** The grade of each sentence that holds all the words: 3 nothing else, 2 together, 1 whole words, else 0. */
function gradesOf(nodes, text) {
  const words = wordsIn(text).map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")),
    found = new Map();
  const pattern = (source) => new RegExp(source, "iu"),
    phrase = words.join("\\W+");
  const parts = wordsIn(text).map((word) => [
      pattern(patternOf(word.normalize("NFC"))),
      /[^\x00-\x7f]/.test(word)
    ]),
    whole = words.map((word) => pattern(`(^|\\W)${word}(\\W|$)`));
  const [together, alone] = [pattern(`(^|\\W)${phrase}(\\W|$)`), pattern(`^\\W*${phrase}\\W*$`)];
  function gradeOf(said) {
    if (alone.test(said)) return 3;
    if (together.test(said)) return 2;
    return whole.every((one) => one.test(said)) ? 1 : 0;
  }
  for (const node of nodes) {
    if (!parts.every(([part, composed]) => part.test(composed ? node.text.normalize("NFC") : node.text)))
      continue;
    found.set(node, gradeOf(node.text));
  }
  return found;
}
