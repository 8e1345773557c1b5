// The log of a saved page: what people say there stays in their browser, until they save it as a file to hand
// in. Its records are those of Python's log (`decisions/answers.py`) without their identifiers; the last
// line of the file counts them.

const BLANK = { about: "[]", shown: '{"occasion":"seen in the Explorer"}', undoes: "" };
/** A text that a log can hold: no NUL, no half of a surrogate pair, no white space around it. */
const cleaned = (text) =>
  text
    .normalize("NFC")
    .replace(/[\0\p{Surrogate}]/gu, "\ufffd")
    .replace(/^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g, "");

/** CRC-32 of a text in UTF-16, by which Python notices a file that was cut off or changed. */
function crc32(text) {
  let sum = -1;
  for (let i = 0; i < text.length; i++) {
    sum ^= text.charCodeAt(i);
    for (let bit = 0; bit < 16; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

function pageLog(page, graph) {
  const kept = keptTexts(`paragraph-explorer ${page}`);
  let reviewer = kept.get("reviewer") ?? "";
  const node = (number) => graph.nodes.get(`n${number}`);

  /** The records of all, each with the `ends` it speaks of; another tab may have written some. */
  function read() {
    const all = orNull(() => JSON.parse(kept.get("records")));
    return Array.isArray(all) ? all.filter(({ ends }) => ends?.length === 2 && ends.every(node)) : [];
  }
  const own = () => read().filter((one) => one.reviewer === reviewer);

  function write(records) {
    const stays = kept.set("records", JSON.stringify(records));
    const text = stays
      ? "The effects are computed when your file is applied."
      : "This browser keeps nothing: save the file before you leave.";
    return { text, decided: plain() };
  }

  function decide({ a, b, same = "", note = "" }) {
    const edge = graph.edgeBetween(node(a), node(b));
    const [one, other] = [a, b].map((number) => node(number).text);
    if (/\0/.test(one + other)) throw new Error("No log can hold the NUL character of this sentence.");
    const last = Date.parse(own().at(-1)?.time ?? 0);
    const record = {
      ...BLANK,
      ends: [a, b].sort((x, y) => x - y),
      time: new Date(Math.max(Date.now(), last + 1)).toISOString(), // later than all others
      reviewer,
      text_a: one,
      text_b: other,
      same: String(same),
      stated: edge && same !== "" ? String(Number(edge.sign > 0)) : "",
      note: cleaned(note)
    };
    return write([...read(), record]);
  }

  function undo() {
    const all = read();
    const at = all.findLastIndex((one) => one.reviewer === reviewer && one.same);
    return at < 0 ? { at: null } : { at: all[at].ends, ...write(all.toSpliced(at, 1)) };
  }

  /** As `Marks.plain` in Python. */
  function plain() {
    if (!reviewer) return {};
    const answers = new Map();
    const notes = {};
    for (const one of own()) {
      const { ends, same, note } = one;
      const pair = ends.join(" ");
      if (same) answers.set(pair, [...ends, ...ends.map((number) => node(number).home), same]);
      if (note) notes[pair] = joined([notes[pair], note], "; ");
    }
    return { reviewer, answers: [...answers.values()], notes };
  }

  return {
    decide,
    undo,
    decided: plain,
    sign(name) {
      reviewer = cleaned(name);
      kept.set("reviewer", reviewer);
      return plain();
    },
    /** The file that `paragraph apply` and `agreement` read. */
    handIn() {
      const lines = own().map(({ ends, ...record }) => `${JSON.stringify(record)}\n`);
      const seal = { records: lines.length, crc32: crc32(lines.join("")) };
      const named = reviewer.replace(/[^\p{L}\p{N}]+/gu, "-");
      download(`decisions-${named}.jsonl`, [...lines, `${JSON.stringify(seal)}\n`], "application/jsonl");
    }
  };
}
