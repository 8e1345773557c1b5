// A widget whose answers live in the browser: the object that its JavaScript takes for the front end's model,
// in front of a kernel in JavaScript.
//
// `kernelOf(data, state, give, model)` comes from the files above; `model` is that of Python, where
// there is one. It returns, at once or later, one function per intent, by name, each called with the content
// of the intent. `state` holds the traits to be read; `give({ trait: value })` changes some, and the page
// hears of all once it is through. Where Python has some of the traits as well, `shared`
// names them and the model that holds them: what is given goes there, and what comes from there is answered
// as the intent `adopt`.

async function livingModel({ traits: state, data }, shared = { names: [] }) {
  const { get, on, off, give, tell } = pageTraits(state);
  let sharing = false;
  const coming = new Set(); // traits that Python has changed

  function share(events) {
    const changed = shared.names.filter((name) => events.has(`change:${name}`));
    if (!changed.length) return;
    sharing = true;
    for (const name of changed) shared.model.set(name, state[name]);
    shared.model.save_changes();
    sharing = false;
  }

  const flush = () => tell(share);

  let answers = null; // until all begins
  /** @type {Promise<any>} */
  let busy = Promise.resolve(); // for tests

  async function answer(intent, content) {
    try {
      await answers[intent](content);
    } catch (error) {
      console.info("not answered", intent, error); // as Python logs it: what makes no sense changes nothing
    }
  }

  /** Take what Python has put there, once all of its message is there. */
  async function adopt() {
    const names = [...coming];
    coming.clear();
    give(Object.fromEntries(names.map((name) => [name, shared.model.get(name)])));
    await answer("adopt", { names });
    flush();
  }

  for (const name of shared.names) {
    shared.model.on(`change:${name}`, () => {
      if (sharing) return; // it comes from here
      if (answers && !coming.size) busy = Promise.all([busy, Promise.resolve().then(adopt)]);
      coming.add(name);
    });
  }
  answers = await kernelOf(data, state, give, shared.model);
  tell(); // nobody has heard of anything yet
  if (coming.size) await adopt(); // the cell went on while all began

  return {
    get,
    set(name, value) {
      give({ [name]: value });
      flush();
    },
    save_changes() {}, // what is given is saved at once
    send({ intent, n, ...content }) {
      queueMicrotask(async () => {
        await answer(intent, content);
        give({ ack: Math.max(state.ack ?? 0, n) });
        flush();
      });
    },
    on,
    off,
    idle: () => busy.then(() => null),
    widget_manager: shared.model?.widget_manager
  };
}
