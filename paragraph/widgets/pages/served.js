// A page that Python answers over a line, if it names the secret: the end of the address, which a browser
// sends to nobody. Each answer brings what has changed since the last one that the page has heard, whichever
// page asked for it: all pages of a review show the same.

const ENDED =
  "The review has ended, and nothing more is saved. The same command continues it, at a new address.";

/** `started(model)` once all traits are there; `failed(why)` if they never are. */
function servedModel(started, failed) {
  const state = { ack: 0 };
  const { give, tell, fire, get, on, off } = pageTraits(state);
  const waiting = []; // what is not answered
  let seen = 0; // the number of the last change that was heard
  let changes = {}; // traits that the page sets
  let why = ENDED;

  function heard({ now, traits, refused }) {
    if (refused && !seen) why = refused;
    else if (refused) console.info("not answered", waiting[0], refused); // it changed nothing
    if (traits) {
      const isFirst = !seen;
      seen = now;
      give(traits);
      if (isFirst) return started(model);
    }
    const { n = 0 } = waiting.shift() ?? {};
    give({ ack: Math.max(state.ack, n) });
    tell();
  }

  /** Nothing is asked any more; what was said and not answered may not be kept. */
  function closed() {
    if (!seen) return failed(why);
    const lost = waiting.map(({ text, decision }) => text ?? decision).filter(Boolean);
    give({ gone: `${ENDED}${lost.length ? ` Not saved: ${lost.join(", ")}` : ""}` });
    fire("comm_live_update");
  }

  const secret = location.hash.slice(1);
  const send = openLine({ pass: pagePass(), first: { secret }, heard, closed });
  function ask(content) {
    if (state.gone) return;
    waiting.push(content);
    send({ seen, ...content });
  }

  const model = {
    get,
    on,
    off,
    refresh: () => ask({}),
    set(name, value) {
      changes[name] = value;
      give({ [name]: value });
      tell();
    },
    save_changes() {
      ask({ traits: changes });
      changes = {};
    },
    send(content) {
      if (state.gone) throw new Error("Python is gone");
      ask(content);
    }
  };
  return model;
}

servedModel(
  (model) => {
    showPage(model);
    addEventListener("focus", model.refresh); // another page may have decided something
  },
  (why) => {
    document.getElementById("page").textContent = why;
  }
);
