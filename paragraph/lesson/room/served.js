// The page of the board: the Lab lives in it, and the class in Python.

const OVER = "The class has stopped. When the same command runs again, this board goes on by itself.";

const given = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const banner = html`<div class="pg-banner" role="alert" hidden></div>`;
const { give, tell, get, on } = pageTraits({ room: null });

async function showBoard() {
  const lab = await livingModel(given);
  showPage(lab);
  page.prepend(banner, classBoard({ get, on, send: line.say }, lab, page));
}

function say(why) {
  banner.textContent = why;
  banner.hidden = !why;
}

const line = returningLine({
  kept: { get: (name) => sessionStorage[name], set: (name, text) => (sessionStorage[name] = text) },
  first: () => (sessionStorage.entry ? { entry: sessionStorage.entry } : null),
  on: {
    entered: () => say(""),
    heard({ room, refused }) {
      if (refused) return say(refused);
      const isFirst = get("room") === null;
      give({ room });
      if (isFirst) showBoard();
      else tell();
    },
    refused: (why) => (page.textContent = why),
    lost: (why = OVER) => say(why)
  }
});
line.connect();
