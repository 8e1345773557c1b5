// The board of a class, above the Lab: the code to scan, the question, the vote, and a file of what was
// handed in. Everybody sees the board, so no names stand on it.

function boardBar(room, lab) {
  const act = (intent, content = {}) => room.send({ intent, n: 0, ...content });
  const control = (name, value = true) => lab.send({ intent: "control", n: 0, name, value });
  const isExercise = () => lab.get("table").of === lab.get("work").place;

  /** Put the question of the class on the table, as it was asked. */
  function lay({ asked: { exercise, table } }) {
    control("exercise", String(exercise ?? 0));
    if (table) {
      lab.send({ intent: "lay", n: 0, table });
      control("hide");
    }
  }

  function ask() {
    const { place } = lab.get("work");
    const { name, note, nodes, edges } = lab.get("table");
    const asked = isExercise() ? { exercise: place } : { table: { of: null, name, note, nodes, edges } };
    act("ask", { asked });
    if (!isExercise()) control("hide");
  }

  function reveal() {
    const { wall } = room.get("room");
    act("reveal");
    lay(wall);
    control(wall.asked.exercise ? "solve" : "reveal");
  }

  let isAsked = false; // for what was handed in
  function save() {
    const { csv } = room.get("room");
    isAsked = !csv;
    if (csv) download("class.csv", [csv], "text/csv");
    else act("hand");
  }

  const code = html`<div class="pg-code"></div>`;
  const count = html`<b aria-live="polite"></b>`;
  const tally = html`<div class="pg-tally"></div>`;
  const solved = html`<div></div>`;
  const revealed = html`<button @click=${reveal}>Reveal the votes</button>`;
  const element = html`<section class="pg-room" aria-label="The class">
    ${code}
    <div>
      <button @click=${ask}>Ask the class what is on the table</button>
      ${revealed}${count}${tally}${solved}
      <button @click=${save}>Save what was handed in (.csv)</button>
    </div>
  </section>`;

  const bar =
    (all) =>
    ([answer, votes]) =>
      html`<label>${answer}: <b>${votes}</b><meter max=${all} value=${votes}></meter></label>`;

  function draw() {
    const now = room.get("room");
    const { question, revealed: isClosed } = now.wall;
    const side = Math.max(...now.cells.match(/\d+/g).map(Number)) + 1;
    refill(
      code,
      html`<svg viewBox="-8 -8 116 116"><path :transform="scale(${100 / side})" :d=${now.cells} /></svg>`,
      html`<p>${now.address}<br /><strong>${now.code}</strong></p>`,
      html`<p>${now.here} here, ${now.joined} joined</p>`
    );
    revealed.disabled = !question || isClosed;
    count.textContent = question ? ` ${now.voted} of ${now.joined} have voted` : " Nothing is asked yet";
    refill(tally, Object.entries(now.tally).slice(0, 8).map(bar(now.voted)));
    const each = now.solved.map(([number, pupils]) => `${number}: ${pupils}`).join(" · ");
    refill(solved, each && html`<p>Solved, by exercise: ${each}</p>`, html`<p>${now.handed} handed in</p>`);
    if (isAsked && now.csv) save();
  }

  room.on("change:room", draw);
  draw();
  const { wall } = room.get("room");
  if (wall.question && !wall.revealed) lay(wall);
  return element;
}
