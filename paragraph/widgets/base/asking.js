// Requests of a page to Python, and the banner that is shown if no answer comes.

const PATIENCE = 6; // seconds in which an idle Python does not answer before a message says so
const BUSY = "Python is busy: a cell is running. Clicks are answered when it has finished.";
const SILENT =
  "Python does not answer. If it is busy, wait; if it was stopped, run this cell, or the command, again.";
const GONE =
  "The kernel was restarted or stopped: this picture no longer changes. " +
  "Run this cell again, or start the command again, to continue.";

/** `send(intent, content)` asks; some intents the model answers itself (`here`). The data of `root()` count
 * what was asked and answered: for tests. */
function askPython(model, root) {
  const banner = html`<div class="pg-banner" role="alert"></div>`;
  const kernel = kernelWatch(model);
  let sent = 0;
  let waiting = null;

  function complain(text, isQuiet = false) {
    if (!isQuiet) clearInterval(waiting);
    banner.textContent = text;
    banner.classList.toggle("pg-quiet", isQuiet);
    banner.role = isQuiet ? "status" : "alert";
  }

  /** A busy kernel answers later; only an idle one that is silent is cause for alarm. */
  function wait() {
    let all = 0;
    let idle = 0;
    clearInterval(waiting);
    waiting = setInterval(() => {
      all += 1;
      idle = kernel.isBusy() ? 0 : idle + 1;
      if (idle >= PATIENCE) complain(SILENT);
      else if (all >= PATIENCE) complain(BUSY, true);
    }, 1000);
  }

  const gone = () => complain(model.get("gone") ?? GONE);

  /** False where nobody hears it any more. */
  function send(intent, content = {}) {
    if (model.here?.[intent]) return model.here[intent](content);
    sent = Math.max(sent, model.get("ack")) + 1; // another view of this bench may have asked since
    root().dataset.asked = sent;
    wait();
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
    clearInterval(waiting);
    banner.textContent = "";
  }

  function stop() {
    clearInterval(waiting);
    kernel.stop();
  }

  return { banner, send, hear, gone, stop };
}
