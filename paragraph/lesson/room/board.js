// The board of a class, a slide for the projector: the question in large type, the picture, the tally as
// bars. Below, a strip of the teacher's controls, which hides. Everybody sees it: no names stand there.

const TYPED =
  "Your question on the first line, then 2 to 5 answers, each on a line of its own, * before what is right.";

/** The bench in `host` becomes part of the slide. */
function classBoard(room, lab, host) {
  const bench = host.querySelector(".pg-bench");
  const act = (intent, content = {}) => room.send({ intent, ...content });
  const control = (name, value = true) => lab.send({ intent: "control", n: 0, name, value });
  let asked = 0; // the question of the class, as it was told last
  let shown = 0; // the one that is on the slide, if it is one
  let solved = 0; // the one of which the slide shows what is right
  let scene = null; // of the table then
  let isLaying = false;
  let isSaving = false;

  /** Put a question of the class on the slide, as it was asked. */
  function lay({ asked: { exercise, table } }) {
    isLaying = true;
    if (exercise) control("exercise", String(exercise));
    else lab.send({ intent: "lay", n: 0, table });
  }

  /** What is asked: a question of the teacher's own, an exercise, or the graph on the table. */
  function chosenQuestion() {
    if (source.value === "new") return { text: typed.value };
    if (source.value) return { text: room.get("room").own[Number(source.value)] };
    const { place } = lab.get("work");
    const { of, name, note, nodes, edges } = lab.get("table");
    if (place > 0 && of === place) return { exercise: place };
    return { table: { of: null, name, note, nodes, edges } };
  }

  const ask = () => act("ask", { asked: chosenQuestion() });

  /** What is right of the question on the slide. */
  function solve({ asked, question }) {
    solved = question;
    if (asked.exercise) {
      isLaying = true;
      control("solve");
    }
    control("reveal");
  }

  function save() {
    const { csv } = room.get("room");
    isSaving = !csv;
    if (csv) download("class.csv", [csv], "text/csv");
    else act("hand");
  }

  function sendOut() {
    act("out", { name: out.value });
    out.value = "";
  }

  const headline = html`<h2 class="pg-asked"></h2>`;
  const tally = html`<div class="pg-tally"></div>`;
  const count = html`<p class="pg-voted" role="status"></p>`;
  const source = choice(
    "What to ask",
    [
      ["", "what is on the table"],
      ["new", "a new question …"],
      ...room.get("room").own.map((text, i) => [String(i), text.split("\n")[0]])
    ],
    follow
  );
  const typed = html`<textarea rows="6" aria-label="A new question" placeholder=${TYPED} hidden></textarea>`;
  const askButton = html`<button @click=${ask}>Ask the class</button>`;
  const revealed = html`<button @click=${() => act("reveal")}>Reveal the votes</button>`;
  const door = html`<button @click=${() => act("door", { closed: !room.get("room").closed })}></button>`;
  const out = html`<input
    placeholder="a name"
    aria-label="A name to send out"
    size="10"
    autocomplete="off"
  />`;
  const strip = html`<div class="pg-strip">
    ${bench.querySelector(".pg-controls")}${typed}
    <div>
      ${source}${askButton}${revealed}${door}
      <span>${out}<button @click=${sendOut}>Send out</button></span>
    </div>
  </div>`;
  const toggle = html`<button @click=${() => hide(!strip.hidden)}>Hide the controls</button>`;
  const join = html`<button
    class="pg-join"
    title="Fill the board with the code"
    @click=${() => fill(true)}
  ></button>`;
  const people = html`<span></span>`;
  const foot = html`<footer>
    ${join}${people}<button @click=${save}>Save what was handed in</button>${toggle}
  </footer>`;
  const code = html`<button
    class="pg-code"
    title="Back to the question"
    @click=${() => fill(false)}
  ></button>`;
  const element = html`<section class="pg-room pg-own pg-board" aria-label="The class">
    ${headline}${strip}${foot}${code}
  </section>`;
  headline.after(bench);
  bench.querySelector(".pg-right").prepend(tally, count);

  function follow() {
    typed.hidden = source.value !== "new";
  }

  function hide(isHidden) {
    strip.hidden = isHidden;
    toggle.textContent = isHidden ? "Show the controls" : "Hide the controls";
  }

  function fill(isFull) {
    code.hidden = !isFull;
  }

  /** A row of the tally: an answer with its votes, beside those before the discussion. */
  function bar({ answer, votes, before, right }, all) {
    const line = (name, number, of) =>
      html`<div class="pg-bar-line">
        ${name && html`<small>${name}</small>`}
        <i style="width: ${(100 * number) / Math.max(1, of)}%"></i><b>${number}</b>
      </div>`;
    return html`<div class=${right ? "pg-answer pg-is-right" : "pg-answer"}>
      <span>${right ? "✓ " : ""}${answer}</span>
      ${before !== undefined && line("before", before, all.before)}
      ${votes !== undefined && line(before === undefined ? "" : "now", votes, all.now)}
    </div>`;
  }

  /** The answers that stand on the slide: with their votes once these are revealed. */
  function rowsOf(isOn) {
    const { wall, tally: rows } = room.get("room");
    if (isOn && wall.revealed) return rows.slice(0, 10);
    const { asked } = wall;
    const choices = isOn ? (asked.choices ?? []) : (lab.get("why").choices ?? []).map(({ text }) => text);
    return choices.map((answer) => ({ answer }));
  }

  function drawSlide() {
    const now = room.get("room");
    const { wall } = now;
    const { vote, revealed: isSeen } = lab.get("work");
    const isOn = shown > 0 && shown === wall.question;
    const why = lab.get("why");
    element.classList.toggle("pg-hidden", vote !== null && !isSeen);
    element.classList.toggle("pg-exercise", lab.get("work").place > 0);
    element.classList.toggle("pg-words", isOn && !wall.asked.exercise && !wall.asked.table);
    headline.textContent = isOn ? wall.asked.words : isSeen ? "" : (why.text ?? "");
    const rows = rowsOf(isOn);
    const sum = (name) => rows.reduce((before, row) => before + (row[name] ?? 0), 0);
    const all = { now: sum("votes"), before: sum("before") };
    refill(
      tally,
      rows.map((row) => bar(row, all))
    );
    const voted = `${now.voted} of ${now.joined} have voted${wall.revealed ? " · the vote is closed" : ""}`;
    count.textContent = now.message || (isOn ? voted : "Not asked yet");
    revealed.disabled = wall.revealed;
  }

  function draw() {
    const now = room.get("room");
    const { wall } = now;
    const side = Math.max(...now.cells.match(/\d+/g).map(Number)) + 1;
    refill(
      code,
      html`<svg viewBox="-8 -8 116 116"><path :transform="scale(${100 / side})" :d=${now.cells} /></svg>`,
      html`<div>
        <p>${now.address}</p>
        <strong>${now.code}</strong>
        <p>${now.joined} in the class</p>
      </div>`
    );
    refill(join, `${now.address} · `, html`<b>${now.code}</b>`);
    people.textContent = `${now.here} here, ${now.joined} in the class, ${now.handed} handed in`;
    door.textContent = now.closed ? "Open the door" : "Close the door";
    if (wall.question && wall.question !== asked) lay(wall);
    else if (wall.revealed && shown === wall.question && solved !== shown) solve(wall);
    asked = wall.question;
    drawSlide();
    if (isSaving && now.csv) save();
  }

  lab.on("change:table", () => {
    const { wall } = room.get("room");
    if (isLaying) {
      isLaying = false;
      shown = wall.question;
      scene = lab.get("table").scene;
      fill(false);
      if (wall.revealed && solved !== shown) solve(wall);
    } else if (lab.get("table").scene !== scene) shown = 0; // another table
  });
  for (const name of ["change:work", "change:why"]) lab.on(name, drawSlide);
  room.on("change:room", draw);
  fill(!room.get("room").wall.question);
  draw();
  return element;
}
