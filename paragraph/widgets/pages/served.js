// A page that Python answers over a line, if it names the secret: the end of the address, which a browser
// sends to nobody. Each answer brings what has changed since the last one that the page has heard, whichever
// page asked for it: all pages of a review show the same.

const ENDED =
  "The review has ended, and nothing more is saved. The same command continues it, at a new address.";

/** `started(model)` once all traits are there; `failed(why)` if they never are. */
function servedModel(secret, started, failed, ended = ENDED) {
  const state = { ack: 0 };
  const { get, set, on, off, give, tell, fire } = pageTraits(state);
  const waiting = new Map(); // what is not answered, by its number
  let asked = 0;
  let seen = 0; // the number of the last change that was heard
  let changes = {}; // traits that the page sets
  let why = ended;

  function heard({ n, now, traits, messages = [], refused }) {
    const { n: ack = 0, ...content } = waiting.get(n) ?? {};
    waiting.delete(n);
    if (refused && !seen) why = refused;
    else if (refused) console.info("not answered", content, refused); // it changed nothing
    const isFirst = !seen;
    seen = now ?? seen;
    give({ ...traits, ack: Math.max(state.ack, ack) });
    if (isFirst && seen) return started(model);
    tell();
    for (const message of messages) fire("msg:custom", message);
  }

  /** Nothing is asked any more; what was said and not answered may not be kept. */
  function closed() {
    if (!seen) return failed(why);
    const lost = [...waiting.values()].map(({ text, decision }) => text ?? decision).filter(Boolean);
    give({ gone: `${ended}${lost.length ? ` Perhaps not saved: ${lost.join(", ")}` : ""}` });
    fire("comm_live_update");
  }

  const send = openLine({ pass: pagePass(), first: { secret }, heard, closed });
  function ask(content) {
    if (state.gone) return;
    asked += 1;
    waiting.set(asked, content);
    send({ seen, ...content, n: asked });
  }

  const model = {
    get,
    on,
    off,
    set(name, value) {
      changes[name] = value;
      set(name, value);
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

const failed = (why) => {
  document.getElementById("page").textContent = why;
};
