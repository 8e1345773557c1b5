// A widget in a notebook that lives in the browser, in front of the model whose traits Python reads. So it
// answers while a cell runs, and where no Python is left; a message then says what is lost.

/** One widget for all places where a notebook shows it. `shared` names the traits that it changes and Python
 * reads, `own` those that it reads, `blank` has the first values of those that it makes. */
function inNotebook({ shared, own, blank, gone }) {
  let living = null; // promised: JupyterLab hands no answer of Python over before `initialize` is done

  function initialize({ model }) {
    const traits = { ack: 0, ...blank };
    for (const name of [...shared, ...own]) traits[name] = model.get(name);
    living = livingModel({ traits, data: model.get("data") }, { model, names: shared });
    living.then(() => model.send({ intent: "ready", n: 0 }));
  }

  async function renderHere({ model, el }) {
    const stop = render({ model: await living, el });
    const banner = html`<div class="pg-banner" role="alert">${gone}</div>`;
    const complain = () => el.querySelector(".pg-bench").prepend(banner);
    model.on("comm_live_update", complain);
    return () => {
      model.off("comm_live_update", complain);
      stop();
    };
  }

  return { initialize, render: renderHere };
}
