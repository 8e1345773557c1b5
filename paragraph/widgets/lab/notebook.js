// The Lab in a notebook: it lives in the browser, in front of the model whose traits Python reads. So it
// answers while a cell runs, and where no Python is left; what Python then does not hear of, a message says.

const SHARED = ["table", "changes", "work", "progress", "placed", "selected"];
const OWN = ["layers", "listing", "dress", "name", "height"];
const GONE_NOW =
  "Python was restarted or stopped: the Lab goes on, but nothing is kept any more. " +
  "Run this cell again to go on with what was kept.";

/** One Lab for all places where a notebook shows it. */
function labInNotebook() {
  let living = null;

  function initialize({ model }) {
    const traits = { ack: 0, why: {}, controls: [], shortcuts: {} };
    for (const name of [...SHARED, ...OWN]) traits[name] = model.get(name);
    living = livingModel({ traits, data: model.get("data") }, { model, names: SHARED });
    model.send({ intent: "ready", n: 0 });
  }

  function renderHere({ model, el }) {
    const stop = render({ model: living, el });
    const banner = html`<div class="pg-banner" role="alert">${GONE_NOW}</div>`;
    const complain = () => el.querySelector(".pg-bench").prepend(banner);
    model.on("comm_live_update", complain);
    return () => {
      model.off("comm_live_update", complain);
      stop();
    };
  }

  return { initialize, render: renderHere };
}

export default labInNotebook;
