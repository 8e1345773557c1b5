// The traits of a page: the part of the front end's model that a widget's JavaScript reads and listens to.

/** `give({ trait: value })` changes some of `state`; who listens hears of all that changed at the next
 * `tell`. */
function pageTraits(state) {
  const heard = new EventTarget();
  let told = new Set(); // events to fire
  const fire = (event, content) => heard.dispatchEvent(Object.assign(new Event(event), content));
  return {
    get: (name) => state[name],
    on: (event, call) => heard.addEventListener(event, call),
    off: (event, call) => heard.removeEventListener(event, call),
    fire,
    give(changes) {
      Object.assign(state, changes);
      for (const name of Object.keys(changes)) told.add(`change:${name}`);
    },
    /** First, `before` learns of the events. @param {(events: Set<string>) => void} before */
    tell(before = () => {}) {
      const events = told;
      told = new Set();
      before(events);
      for (const event of events) fire(event);
    }
  };
}
