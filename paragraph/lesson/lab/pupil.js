// Of the page: a pupil's name chooses a sheet, progress stays in the browser under a key of this Lab, and is
// saved as a file to hand in.

/** Which of some sheets a name chooses, however it is spaced, on every machine and in Python (`Sheet`). */
function sheetOf(name, many) {
  const letters = [...name.normalize("NFC").toLowerCase().trim().replace(/\s+/g, " ")];
  return letters.reduce((sum, letter) => sum + letter.codePointAt(0), 0) % many;
}

/** What was kept of a pupil's progress, by number. */
function progressIn(text, seed) {
  const old = orNull(() => JSON.parse(text));
  const kept = old?.seed === seed ? Object.entries(old.progress ?? {}) : [];
  return Object.fromEntries(kept.map(([number, done]) => [number, { ...BLANK, ...done }]));
}

/** Say something to the class that this page is of, if it is of one (`phone.js`). */
const tellClass = (content) => document.dispatchEvent(new CustomEvent("pg-class", { detail: content }));

function pupilDesk({ data, own }) {
  const START = data.room ? "Join" : "Start the exercises";
  const kept = keptTexts(`paragraph-lab ${data.id}`);
  const name = () => field.value.trim().slice(0, 100);

  /** What is handed in: as `Sheet.to_json` writes it. */
  function record() {
    const { student, sheet } = own().work;
    const all = data.titles.map(({ number }) => [number, own().progress[number] ?? BLANK]);
    const { seed } = data.sheets[sheet];
    return JSON.stringify({ seed, student, progress: Object.fromEntries(all) });
  }

  function handIn() {
    if (data.room) return tellClass({ work: record(), handed: true });
    const called = own().work.student.replace(/[^\p{L}\p{N}]+/gu, "-") || "pupil";
    download(`lab-${called}.json`, [record()], "application/json");
  }

  function start() {
    const student = name();
    if (!student && !data.room) return;
    if (data.room) tellClass({ name: student });
    const sheet = sheetOf(student, data.sheets.length);
    const progress = progressIn(kept.get(student), data.sheets[sheet].seed);
    kept.set("", student);
    save.hidden = false;
    enter.hidden = true;
    const { model } = document.querySelector(".pg-bench-live").bench;
    model.send({ intent: "begin", n: 0, student, sheet, progress });
  }

  function write() {
    enter.hidden = name() === own().work.student && own().work.sheet !== null;
    enter.textContent = kept.get(name()) === null ? START : "Continue";
  }

  const field = html`<input
    name="pupil"
    maxlength="100"
    autocomplete="off"
    value=${kept.get("") ?? ""}
    @keydown=${({ key, isComposing }) => key === "Enter" && !isComposing && start()}
    @input=${write}
  />`;
  const enter = html`<button @click=${start}></button>`;
  const save = html`<button @click=${handIn} hidden>
    ${data.room ? "Hand in" : "Save the file to hand in"}
  </button>`;
  document
    .querySelector("header")
    .append(html`<span class="pg-pupil pg-own"><label>Your name ${field}</label> ${enter}${save}</span>`);
  write();

  function keep() {
    kept.set(own().work.student, record());
    if (data.room) tellClass({ work: record(), handed: false });
  }

  return { keep };
}
