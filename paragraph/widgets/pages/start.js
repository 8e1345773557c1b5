// A widget without Python: the object that its JavaScript takes for the front end's model, in front of a kernel in JavaScript.
//
// `kernelOf(data, state, give)` comes from the files above. It returns one function an intent, by name, each called with
// the content of the intent.
// `state` holds the traits to be read; `give({ trait: value })` changes some, and the page hears of all once it is through.

function livingModel({ traits: state, data }) {
  const heard = {}; // calls by event
  let told = new Set(); // events to fire
  const give = (changes) => {
    Object.assign(state, changes);
    for (const name of Object.keys(changes)) told.add(`change:${name}`);
  };
  function flush() {
    const events = told;
    told = new Set();
    for (const event of events) for (const call of [...(heard[event] ?? [])]) call();
  }
  const answers = kernelOf(data, state, give);
  told.clear();
  return {
    get: (name) => state[name],
    set(name, value) {
      give({ [name]: value });
      flush();
    },
    save_changes() {}, // there is no one to save them for
    send({ intent, n, ...content }) {
      queueMicrotask(() => {
        try {
          if (!Object.hasOwn(answers, intent)) throw new Error(`no such intent: ${intent}`);
          answers[intent](content);
        } catch (error) {
          console.info("not answered", intent, error); // as Python logs it: what makes no sense changes nothing
        }
        give({ ack: Math.max(state.ack ?? 0, n) });
        flush();
      });
    },
    on: (event, call) => (heard[event] ??= new Set()).add(call),
    off: (event, call) => heard[event]?.delete(call),
  };
}

const living = livingModel(JSON.parse(document.getElementById("data").textContent));
const page = document.getElementById("page");
render({ model: living, el: page });
page.querySelector("[tabindex]")?.focus({ preventScroll: true }); // its keys work at once
const scheme = matchMedia("(prefers-color-scheme: dark)"), dim = () => document.body.classList.toggle("dark", scheme.matches);
scheme.addEventListener("change", dim);
dim();
