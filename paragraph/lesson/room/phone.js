// A pupil's page in a class shows one thing at a time: the door, then the question and the vote; the Lab
// behind it, for whoever wants to play. Without a line to the class the Lab goes on alone, and what was not
// said yet is said when the line is back.

const ALONE = "No connection to the class. Go on: what you do is kept here, and sent later.";
const WAITING = "You are in the class. The next question comes by itself.";

function phoneBar(lab, { id, titles }) {
  const kept = keptTexts(`paragraph-class ${id}`);
  let wall = { question: 0 };
  let vote = ""; // as the class keeps it
  let handed = {}; // when, and how many solved, by name
  let isPlaying = false;
  let wasThere = false;

  const status = html`<span role="status"></span>`;
  const field = html`<input
    name="code"
    maxlength="4"
    size="4"
    autocomplete="off"
    value=${location.hash.slice(1)}
    @keydown=${({ key }) => key === "Enter" && line.connect()}
  />`;
  const door = html`<label>Code on the wall ${field}</label>`;
  const play = html`<button @click=${toLab}>Play and exercises</button>`;
  const to = html`<button @click=${toWall}>To the question</button>`;
  const element = html`<div class="pg-room pg-own">${door}${status}${play}${to}</div>`;

  const first = () => (field.value.trim() ? { code: field.value.trim().toUpperCase() } : null);
  const line = returningLine({ kept, first, on: { entered, heard, refused: show, lost } });
  const left = outbox(kept, line);

  const isThere = () => lab.get("work").wall === wall.question;
  const pending = () => {
    const mine = left.get("vote");
    return mine?.question === wall.question ? mine.vote : null;
  };

  function entered() {
    field.value = "";
    left.again();
    left.speak();
  }

  /** Show what the class says; a new question takes the screen. */
  function heard({ n, refused: why, wall: now, ...view }) {
    left.answered(n);
    if (why) return show(why);
    const isNew = now.question !== wall.question;
    wall = now;
    ({ vote, handed } = view);
    if (isNew && wall.question && !wall.revealed) toWall();
    else if (isThere()) tellVote();
    show();
  }

  function lost(why = ALONE) {
    left.again();
    show(why);
  }

  const tellVote = () => lab.send({ intent: "told", n: 0, ...wall, vote: pending() ?? vote });

  function toWall() {
    isPlaying = false;
    lab.send({ intent: "wall", n: 0, wall });
    tellVote();
  }

  function toLab() {
    isPlaying = true;
    show();
  }

  function step() {
    if (!line.isKnown()) return "door";
    if (isThere()) return "vote";
    return isPlaying ? "lab" : "wait";
  }

  const clock = (seconds) => new Date(1000 * seconds).toTimeString().slice(0, 5);

  /** What was handed in under the name that works now. */
  function handInText() {
    const { student } = lab.get("work");
    const done = handed[student];
    if (left.get(`handed ${student}`)) return "Handed in: not sent yet.";
    if (!done) return "";
    const name = student ? ` by ${student}` : "";
    return `Handed in at ${clock(done.time)}${name}: ${done.solved} of ${titles.length} solved.`;
  }

  function voteText() {
    if (wall.revealed) return vote ? `Your vote: ${vote} (closed)` : "The vote is closed.";
    if (pending() !== null) return `Your vote: ${pending()}, not sent yet.`;
    return vote ? `Your vote: ${vote}` : "Vote now.";
  }

  function show(why = "") {
    const now = step();
    document.body.dataset.step = now;
    document.body.classList.toggle("pg-words", Boolean(lab.get("work").asked?.own));
    door.hidden = now !== "door";
    play.hidden = now !== "wait";
    to.hidden = now !== "lab" || !wall.question;
    const texts = { door: "", wait: WAITING, vote: voteText(), lab: handInText() };
    const isAlone = !line.isIn() && line.isKnown();
    status.textContent = why || (isAlone ? `${texts[now]} ${ALONE}` : texts[now]);
  }

  lab.on("change:work", () => {
    const { vote: mine, revealed } = lab.get("work");
    if (isThere() && mine && mine !== (pending() ?? vote) && !revealed)
      left.add("vote", { question: wall.question, vote: mine });
    if (wasThere && !isThere()) isPlaying = true;
    wasThere = isThere();
    show();
  });
  document.addEventListener("pg-class", ({ detail }) => {
    const { name, work, handed: isHandedIn } = detail;
    if (name !== undefined) left.add("name", detail);
    else left.add(`${isHandedIn ? "handed" : "work"} ${JSON.parse(work).student}`, detail);
    line.connect();
    show(line.isKnown() || first() ? "" : "Type the code that is on the wall.");
  });
  show();
  if (line.isKnown()) line.connect();
  return element;
}

const given = JSON.parse(document.getElementById("data").textContent);
const lab = await livingModel(given);
showPage(lab);
document.querySelector("header").append(phoneBar(lab, given.data));
