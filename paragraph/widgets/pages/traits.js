// The traits of a page: the part of the front end's model that a widget's JavaScript reads and listens to.

/** `give({ trait: value })` changes some of `state`; who listens hears of all that changed at the next
 * `tell`, or at once where one is `set`. */
function pageTraits(state) {
  const listeners = new EventTarget();
  let events = new Set(); // to fire
  const fire = (event, content) => listeners.dispatchEvent(Object.assign(new Event(event), content));

  function give(changes) {
    Object.assign(state, changes);
    for (const name of Object.keys(changes)) events.add(`change:${name}`);
  }

  /** First, `before` learns of the events. @param {(events: Set<string>) => void} before */
  function tell(before = () => {}) {
    const now = events;
    events = new Set();
    before(now);
    for (const event of now) fire(event);
  }

  return {
    get: (name) => state[name],
    set(name, value) {
      give({ [name]: value });
      tell();
    },
    on: (event, call) => listeners.addEventListener(event, call),
    off: (event, call) => listeners.removeEventListener(event, call),
    fire,
    give,
    tell
  };
}
