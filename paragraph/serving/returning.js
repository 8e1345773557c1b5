// A line that comes back by itself when it was lost, also to a server that was started again: the page keeps
// who it is, its secret, and passes that prove the server.

const BACK_AFTER = 2000; // milliseconds

/** `kept` has `get` and `set` for texts. `first()` is said by whoever is new; null: nobody comes in yet.
 * `more()` is said besides. `on` has `entered()`, `heard(news)`, `refused(why)` of who is not let in, or sent
 * out, and `lost(why)`. */
function returningLine({ kept, first, more = () => ({}), on }) {
  let own = JSON.parse(kept.get("own") || "null"); // `{ who, secret, passes }`
  let fresh = pagePass(); // the pass that came with the page
  let line = null;
  let isTrying = false;

  function keep(changes) {
    own = changes && { ...own, ...changes };
    kept.set("own", own ? JSON.stringify(own) : "");
  }

  function connect() {
    const content = own ? { who: own.who, secret: own.secret } : first();
    if (!content || line || isTrying) return;
    const isFresh = fresh !== null;
    const pass = isFresh ? fresh : own?.passes.pop();
    if (!pass) return on.lost("Load this page again to come back.");
    fresh = null;
    keep(own);
    isTrying = true;
    const who = isFresh ? "" : own.who;
    const send = openLine({ pass, who, first: { ...content, ...more() }, heard, closed });

    function heard({ who, secret, passes, pass: next, refused, out, ...news }) {
      if (refused && (out || !line)) {
        fresh = next ?? fresh;
        keep(null);
        return on.refused(refused);
      }
      if (secret) {
        keep({ who, secret, passes });
        line = send;
        on.entered();
      }
      on.heard({ ...news, refused });
    }

    function closed(wasOpen) {
      line = null;
      isTrying = false;
      if (!wasOpen && isFresh)
        fresh = pass; // nobody has heard it
      else if (!wasOpen) own.passes.push(pass);
      if (!own && !wasOpen) on.refused("No connection: try again.");
      if (!own) return;
      on.lost();
      setTimeout(connect, BACK_AFTER);
    }
  }

  return {
    connect,
    say: (content) => line?.(content),
    isIn: () => line !== null,
    isKnown: () => own !== null
  };
}
