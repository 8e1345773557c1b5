// Words: which of two sentences the other lacks, and which sentences hold those searched for. As in
// `paragraph.words` and `paragraph.graph.identity`.

const SINGLE = "[\\u0e00-\\u0eff\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af\\u{20000}-\\u{3ffff}]";
const SIGNED = "(?<![\\p{L}\\p{N}_])\\p{L}(?:\\+\\+|#)(?![\\p{L}\\p{N}_])"; // C++, C#
const WORD = new RegExp(
  `${SIGNED}|${SINGLE}|(?:(?!${SINGLE})[\\p{L}\\p{N}_])+(?:['’][\\p{L}\\p{Nl}\\p{No}]+)?|\\s+|.`,
  "gsu"
);
const isWord = (piece) => /^[\p{L}\p{N}]/u.test(piece);

/** Blocks `[i, j, length]` that two lists have in common: the longest, then left and right of it (Ratcliff
 * and Metzener 1988). In long lists none begins with white space, which would take the square of its
 * number. */
function commonBlocks(a, b) {
  const isLong = a.length * b.length > 250_000;
  const places = grouped(b.keys(), (j) => b[j]);
  function longest([a0, a1, b0, b1]) {
    let i = a0;
    let j = b0;
    let length = 0;
    let runs = new Map(); // how much is in common up to each place of b
    for (let k = a0; k < a1; k += 1) {
      const next = new Map();
      for (const l of isLong && !a[k].trim() ? [] : (places.get(a[k]) ?? [])) {
        if (l < b0 || l >= b1) continue;
        const run = (runs.get(l - 1) ?? 0) + 1;
        next.set(l, run);
        if (run <= length) continue;
        i = k - run + 1;
        j = l - run + 1;
        length = run;
      }
      runs = next;
    }
    const isSame = (k, l) => length && k >= a0 && k < a1 && l >= b0 && l < b1 && a[k] === b[l];
    while (isSame(i - 1, j - 1)) {
      i -= 1;
      j -= 1;
      length += 1;
    }
    while (isSame(i + length, j + length)) length += 1;
    return [i, j, length];
  }
  const blocks = [];
  const left = [[0, a.length, 0, b.length]];
  while (left.length) {
    const [a0, a1, b0, b1] = left.pop();
    const [i, j, length] = longest([a0, a1, b0, b1]);
    if (!length) continue;
    blocks.push([i, j, length]);
    left.push([a0, i, b0, j], [i + length, a1, j + length, b1]);
  }
  return blocks.sort(([one], [other]) => one - other);
}

/** Both sentences as spans, those the other lacks marked; none where less than half of the words are in
 * common. */
function wordDiff(...texts) {
  const pieces = texts.map((text) => text.match(WORD) ?? []);
  const blocks = commonBlocks(...pieces.map((some) => some.map((piece) => piece.toLowerCase())));
  const common = blocks.flatMap(([i, , length]) => pieces[0].slice(i, i + length)).filter(isWord);
  if (2 * common.length < 0.5 * pieces.flat().filter(isWord).length)
    return texts.map((text) => (text ? [[text, false]] : []));
  return pieces.map((some, side) => {
    const spans = [];
    let last = 0;
    for (const block of [...blocks, [...pieces.map((one) => one.length), 0]]) {
      const begin = block[side];
      const end = begin + block[2];
      spans.push([some.slice(last, begin).join(""), true], [some.slice(begin, end).join(""), false]);
      last = end;
    }
    return joinedSpans(spans.filter(([text]) => text));
  });
}

/** White space between two marked words is marked as well; neighbours alike become one. */
function joinedSpans(spans) {
  const joined = [];
  for (const [i, [text, differs]] of spans.entries()) {
    const isBetween = !text.trim() && spans[i - 1]?.[1] && spans[i + 1]?.[1];
    const mark = differs || Boolean(isBetween);
    if (joined.at(-1)?.[1] === mark) joined.at(-1)[0] += text;
    else joined.push([text, mark]);
  }
  return joined;
}

/** The grade of each sentence that holds all the words: 3 nothing else, 2 together, 1 whole words, else 0. */
function gradesOf(nodes, text) {
  const words = wordsIn(text);
  const pattern = (source) => new RegExp(source, "iu");
  const phrase = words.map(escaped).join("\\W+");
  const alone = pattern(`^\\W*${phrase}\\W*$`);
  const together = pattern(`(^|\\W)${phrase}(\\W|$)`);
  const whole = words.map((word) => pattern(`(^|\\W)${escaped(word)}(\\W|$)`));
  const parts = words.map((word) => pattern(patternOf(word.normalize("NFC"))));
  const isComposed = words.map((word) => /[^\x00-\x7f]/.test(word));
  const holds = (sentence) =>
    parts.every((part, i) => part.test(isComposed[i] ? sentence.normalize("NFC") : sentence));
  function gradeOf(sentence) {
    if (alone.test(sentence)) return 3;
    if (together.test(sentence)) return 2;
    return whole.every((one) => one.test(sentence)) ? 1 : 0;
  }
  return new Map(nodes.filter((node) => holds(node.text)).map((node) => [node, gradeOf(node.text)]));
}
