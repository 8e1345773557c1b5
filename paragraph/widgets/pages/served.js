// A page that Python answers over HTTP, if it names the secret: the end of the address, which a browser sends
// to nobody. Each answer brings what has changed since the last one that the page has heard, whichever page
// asked for it: all pages of a review show the same.

function servedModel() {
  const state = { ack: 0 };
  const { give, tell, fire, get, on, off } = pageTraits(state);
  const headers = { Authorization: location.hash.slice(1), "Content-Type": "application/json" };
  let seen = 0; // the number of the last change that was heard
  let changes = {}; // traits that the page sets
  let last = Promise.resolve();
  let isGone = false;

  async function ask(content) {
    const body = JSON.stringify({ seen, ...content });
    const answer = await fetch("/", { method: "POST", headers, body });
    const said = await answer.text();
    if (answer.status === 400) return console.info("not answered", content, said); // it changed nothing
    if (!answer.ok) throw new Error(said);
    const { now, traits } = JSON.parse(said);
    seen = now;
    give(traits);
  }

  /** Ask once all is answered that was asked before. Without an answer, nothing is asked any more. */
  function inTurn(content, answered = () => {}) {
    last = last.then(async () => {
      await ask(content);
      answered();
      tell();
    });
    last.catch(() => {
      isGone = true;
      fire("comm_live_update");
    });
    return last;
  }

  return {
    get,
    on,
    off,
    refresh: () => inTurn({}),
    set(name, value) {
      changes[name] = value;
      give({ [name]: value });
      tell();
    },
    save_changes() {
      inTurn({ traits: changes });
      changes = {};
    },
    send({ n, ...content }) {
      if (isGone) throw new Error("Python is gone");
      inTurn(content, () => give({ ack: Math.max(state.ack, n) }));
    }
  };
}

const served = servedModel();
served.refresh().then(
  () => {
    showPage(served);
    addEventListener("focus", served.refresh); // another page may have decided something
  },
  ({ message }) => {
    document.getElementById("page").textContent = message;
  }
);
