// A pupil's page in a class: the question on the wall, the vote, and what is handed in. Without a line to the
// class the Lab goes on alone, and what was not said yet is said when the line is back.

const BACK_AFTER = 2000; // milliseconds
const ALONE = "No connection to the class. Go on: what you do is kept here, and handed in later.";

function phoneBar(lab, { id }) {
  const kept = keptTexts(`paragraph-class ${id}`);
  const code = location.hash.slice(1);
  let own = JSON.parse(kept.get("own") || "null"); // who this is: `{ who, secret, passes }`
  let pass = pagePass(); // what to say next
  let line = null;
  let wall = { question: 0 };
  let vote = ""; // as the class keeps it
  let left = {}; // what the class has not yet,
  let last = 0; // and the number of what was added last

  const said = html`<span role="status"></span>`;
  const field = html`<input name="code" maxlength="4" size="4" autocomplete="off" value=${code} />`;
  const enter = () => {
    location.hash = field.value.trim().toUpperCase();
    location.reload(); // each page tries once
  };
  const door = html`<label hidden>Code on the wall ${field}<button @click=${enter}>Join</button></label>`;
  const to = html`<button hidden @click=${toWall}>To the question</button>`;
  const element = html`<div class="pg-room">${said}${door}${to}</div>`;

  const isThere = () => lab.get("work").wall === wall.question;
  const say = (text) => said.replaceChildren(text);

  function toWall() {
    lab.send({ intent: "wall", n: 0, wall });
    lab.send({ intent: "told", n: 0, vote, revealed: wall.revealed });
  }

  function keep(more) {
    own = more && { ...own, ...more };
    kept.set("own", own ? JSON.stringify(own) : "");
  }

  function connect() {
    const who = pass ? "" : (own?.who ?? "");
    const given = pass ?? own?.passes.pop();
    if (!given) return say("Load this page again to come back to the class.");
    pass = null;
    keep(own);
    const first = own ? { who: own.who, secret: own.secret } : { code };
    if (!own && !code) {
      door.hidden = false;
      return say("");
    }
    const send = openLine({ pass: given, who, first, heard, closed });
    let isIn = false;

    function heard({ n, who: mine, secret, passes, refused, ...view }) {
      if (refused) {
        say(refused);
        if (!isIn) keep(null);
        door.hidden = isIn;
        delete left.vote; // what else there is, it takes
        return;
      }
      if (mine) {
        keep({ who: mine, secret, passes });
        isIn = true;
        line = send;
        speak();
      }
      if (n === last) left = {};
      follow(view);
    }

    function closed(wasOpen) {
      line = null;
      if (!own) return;
      if (!wasOpen) own.passes.push(given); // nobody has heard it
      say(ALONE);
      setTimeout(connect, BACK_AFTER);
    }
  }

  /** Show what the class says; a new question takes the table. */
  function follow(view) {
    const isNew = view.wall.question !== wall.question;
    ({ wall, vote } = view);
    if (isNew && wall.question && !wall.revealed) toWall();
    else if (isThere()) lab.send({ intent: "told", n: 0, vote, revealed: wall.revealed });
    tell();
  }

  function tell() {
    to.hidden = !wall.question || isThere();
    if (line) say(vote ? `Your vote: ${vote}${wall.revealed ? " (closed)" : ""}` : "You are in the class.");
  }

  /** Say what the class has not yet, again where a line was lost. */
  function speak() {
    if (line && Object.keys(left).length) line({ ...left, n: last });
  }

  function add(content) {
    left = { ...left, ...content };
    last += 1;
    speak();
  }

  lab.on("change:work", () => {
    const { vote: mine, revealed } = lab.get("work");
    if (isThere() && mine && mine !== vote && mine !== left.vote && !revealed)
      add({ question: wall.question, vote: mine });
    tell();
  });
  document.addEventListener("pg-class", ({ detail }) => {
    add(detail);
    // who gives a name now stays at the question
    if (detail.name !== undefined && isThere()) setTimeout(toWall);
  });
  say("");
  connect();
  return element;
}

const given = JSON.parse(document.getElementById("data").textContent);
const lab = await livingModel(given);
showPage(lab);
document.querySelector("header").append(phoneBar(lab, given.data));
