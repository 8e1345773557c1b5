// The log of a saved page: what people say there is kept in their browser, until they save it as a file to
// hand in. Its records are those of Python's log (`decisions/answers.py`), down to the identifier of each.

const FIELDS = [
  "time",
  "reviewer",
  "text_a",
  "text_b",
  "same",
  "stated",
  "about",
  "note",
  "shown",
  "undoes",
  "id"
];
const NAME_MOST = 100;
/** A text that a log can hold: no NUL, no half of a surrogate pair, no white space around it. */
const cleaned = (text) =>
  text
    .normalize("NFC")
    .replace(/[\0\p{Surrogate}]/gu, "\ufffd")
    .replace(/^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g, "");
const idOf = (record) => sha256(JSON.stringify(FIELDS.slice(0, -1).map((name) => record[name]))).slice(0, 32);

/** Whether a record is what was said then: others are left out. */
const isWhole = (one) =>
  orNull(() => FIELDS.every((name) => typeof one[name] === "string") && idOf(one) === one.id);

/** The records that were not taken back: by none that is not taken back itself. */
function standingOf(records) {
  const undone = new Set();
  for (const { id, undoes } of records.toReversed()) if (undoes && !undone.has(id)) undone.add(undoes);
  return records.filter(({ id, undoes }) => !undone.has(id) && !undoes);
}

function pageLog(page, graph) {
  const kept = keptTexts(`paragraph-explorer ${page}`);
  const numbers = remembered(
    () => new Map([...graph.nodes.values()].map(({ text, number }) => [cleaned(text), number]))
  );
  let reviewer = kept.get("reviewer") ?? "";
  const known = new Map(); // by id: also those of another tab

  /** The records of this person, by their time. */
  function read() {
    const stored = orNull(() => JSON.parse(kept.get("records"))) ?? [];
    for (const one of Array.isArray(stored) ? stored : [])
      if (!known.has(one?.id) && isWhole(one)) known.set(one.id, one);
    const mine = [...known.values()].filter((one) => one.reviewer === reviewer);
    return mine.sort(by(({ time }) => Date.parse(time)));
  }

  /** Add a record, later than all others of this person. */
  function write(fields) {
    const last = read().at(-1);
    const time = new Date(Math.max(Date.now(), last ? Date.parse(last.time) + 1 : 0)).toISOString();
    const record = { time, reviewer, text_a: "", text_b: "", same: "", stated: "", about: "[]", note: "" };
    Object.assign(record, { shown: "{}", undoes: "" }, fields);
    const id = idOf(record);
    known.set(id, { ...record, id });
    const isKept = kept.set("records", JSON.stringify([...known.values()]));
    if (!isKept) return "This browser keeps nothing: save the file before you leave.";
    return "What follows is worked out when your file is applied.";
  }

  const isTold = ({ same, shown }) => same || JSON.parse(shown).ask;
  const pairOf = ({ text_a: one, text_b: other }) =>
    [one, other].map((text) => numbers().get(cleaned(text)) ?? -1).sort((a, b) => a - b);
  const node = (number) => graph.nodes.get(`n${number}`);

  const ACTS = {
    say: ({ same }, [a, b]) => {
      const edge = graph.edgeBetween(a, b);
      return { same: String(same), stated: edge ? String(Number(edge.sign > 0)) : "" };
    },
    note: ({ text }) => ({ note: cleaned(text) }),
    ask: ({ what }) => ({ ask: what })
  };

  function decide({ act, ...content }) {
    if (act === "undo") return undo();
    const ends = [node(content.a), node(content.b)];
    const [one, other] = ends.map(({ text }) => text);
    if (/\0/.test(one + other)) throw new Error("No log can hold the NUL character of this sentence.");
    const { ask, ...fields } = ACTS[act](content, ends);
    const shown = JSON.stringify({ occasion: "seen in the Explorer", ...(ask && { ask }) });
    return { text: write({ text_a: one, text_b: other, shown, ...fields }), decided: plain() };
  }

  function undo() {
    const last = standingOf(read()).findLast(isTold);
    if (!last) return { at: null };
    const { text_a: one, text_b: other, id: undoes } = last;
    write({ text_a: one, text_b: other, undoes });
    return { at: pairOf(last), decided: plain() };
  }

  /** As `Decisions.plain` in Python. */
  function plain() {
    if (!reviewer) return {};
    const standing = standingOf(read()).filter((one) => pairOf(one)[0] >= 0);
    const last = new Map(standing.filter(({ same }) => same).map((one) => [pairOf(one).join(" "), one]));
    const notes = grouped(
      standing.filter(({ note }) => note),
      (one) => pairOf(one).join(" ")
    );
    const said = [...last.values()].map((one) => {
      const pair = pairOf(one);
      return [...pair, ...pair.map((number) => node(number).home), one.same];
    });
    const texts = (some) => [...new Set(some.map(({ note }) => note))].join("; ");
    const asked = standing.map((one) => [JSON.parse(one.shown).ask, ...pairOf(one)]).filter(([what]) => what);
    return {
      reviewer,
      said,
      noted: Object.fromEntries([...notes].map(([pair, some]) => [pair, texts(some)])),
      asked
    };
  }

  return {
    decide,
    decided: plain,
    sign(name) {
      reviewer = cleaned(cleaned(name).slice(0, NAME_MOST));
      kept.set("reviewer", reviewer);
      return plain();
    },
    /** The file that `paragraph apply` and `agreement` read. */
    handIn() {
      const lines = read().map((one) => `${JSON.stringify(one)}\n`);
      const named = reviewer.replace(/[^\p{L}\p{N}]+/gu, "-");
      download(`decisions-${named}.jsonl`, lines, "application/jsonl");
    }
  };
}
