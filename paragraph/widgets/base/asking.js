// Requests of a page to Python, and the banner that is shown if no answer comes.

const PATIENCE = 6; // seconds without an answer before a message says so
const SILENT =
  "Python has not answered yet: a cell may be running. If Python was stopped, run the cell or command again.";
const GONE =
  "The kernel was restarted or stopped: this picture no longer changes. " +
  "Run this cell again, or start the command again, to continue.";

/** What a page asks of its own accord: nobody waits for the answer. */
const UNBIDDEN = ["ready", "look"];

/** `send(intent, content)` asks; some intents the model answers itself (`here`). `unanswered()` lists the
 * intents that Python has not answered yet. The data of `root()` count what was asked and answered: for
 * tests. */
function askPython(model, root) {
  const banner = html`<div class="pg-banner" role="alert"></div>`;
  const intents = new Map(); // by their numbers, until all are answered
  const later = delayed(1000 * PATIENCE);
  let sent = 0;

  function complain(text) {
    later(null);
    banner.textContent = text;
  }

  const gone = () => complain(model.get("gone") ?? GONE);

  /** False where nobody hears it any more. */
  function send(intent, content = {}) {
    if (model.here?.(intent, content)) return true;
    sent = Math.max(sent, model.get("ack")) + 1; // another view of this bench may have asked since
    root().dataset.asked = sent;
    intents.set(sent, intent);
    if (!UNBIDDEN.includes(intent)) later(() => complain(SILENT));
    try {
      model.send({ intent, n: sent, ...content });
    } catch {
      gone();
      return false;
    }
    return true;
  }

  function hear() {
    const answered = model.get("ack");
    root().dataset.answered = answered;
    if (answered < sent) return;
    intents.clear();
    complain("");
  }

  const unanswered = () => [...intents].filter(([n]) => n > model.get("ack")).map(([, intent]) => intent);
  return { banner, send, unanswered, hear, gone, stop: () => later(null) };
}
