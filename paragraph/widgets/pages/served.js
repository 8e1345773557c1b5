// A page that Python answers over a line. Each answer brings what has changed since the last one that it has
// heard, whichever page asked for it: all pages of a review show the same.

const ENDED =
  "The review has ended, and nothing more is saved. The same command continues it, at a new address.";

/** A model whose traits Python holds; `say` hands it a request. */
function servedModel(say) {
  const state = { ack: 0 };
  const { get, set, on, off, give, tell, fire } = pageTraits(state);
  const waiting = new Map(); // what is not answered, by its number
  let asked = 0;
  let sent = 0; // the number of the page's last wish, heard or not
  let seen = 0; // the number of the last change that was heard
  let changes = {}; // traits that the page sets

  /** Take an answer, or news that nobody asked for. */
  function heard({ n, now, traits, messages = [], refused }) {
    const { n: ack = 0, ...content } = waiting.get(n) ?? {};
    waiting.delete(n);
    if (refused && seen) console.info("not answered", content, refused); // it changed nothing
    seen = now ?? seen;
    give({ ...traits, ack: Math.max(state.ack, ack) });
    tell();
    for (const message of messages) fire("msg:custom", message);
  }

  /** Nothing is asked now; what was said and not answered may not be kept. */
  function end(why) {
    const lost = [...waiting.values()].map(({ text, decision }) => text ?? decision).filter(Boolean);
    give({ gone: `${why}${lost.length ? ` Perhaps not saved: ${lost.join(", ")}` : ""}` });
    fire("comm_live_update");
  }

  /** The line is back: ask again for what was not answered, if the page still shows what it is about. */
  function again() {
    const { item, state: decision } = get("case");
    const left = [...waiting.values()];
    waiting.clear();
    give({ gone: "", ack: sent });
    tell();
    for (const content of left) {
      const isOfItem = content.intent === "decide" && content.item === item;
      if (isOfItem && decision !== "open") ask({ intent: "next" });
      else if (isOfItem || ["ask", "note"].includes(content.intent)) ask(content);
    }
  }

  function ask(content) {
    if (state.gone) return;
    asked += 1;
    waiting.set(asked, content);
    say({ seen, ...content, n: asked });
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
      sent = Math.max(sent, content.n ?? 0);
      if (state.gone) throw new Error("Python is gone");
      ask(content);
    }
  };
  return { model, heard, end, again, isThere: () => seen > 0 };
}

const failed = (why) => {
  document.getElementById("page").textContent = why;
};

/** The page of one person's review, who names the secret: the end of the address, which a browser sends to
 * nobody. */
function servedPage(secret) {
  let why = ENDED;
  const served = servedModel((content) => send(content));

  function heard(news) {
    const isFirst = !served.isThere();
    if (isFirst && news.refused) why = news.refused;
    served.heard(news);
    if (isFirst && served.isThere()) showPage(served.model);
  }

  const closed = () => (served.isThere() ? served.end(ENDED) : failed(why));
  const send = openLine({ pass: pagePass(), first: { secret }, heard, closed });
}
