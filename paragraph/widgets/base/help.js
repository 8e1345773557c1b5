// The help of a bench: its keys, and what the mouse does.

const askButton = (model, help) =>
  html`<button
    title=${hinted(model, "help")}
    class="pg-ask"
    aria-label="Keys"
    data-control="help"
    @click=${help}
  >
    ?
  </button>`;

function helpPanel({ model, focus }) {
  const written = (shown) => (shown.length > 3 ? `${shown[0]} … ${shown.at(-1)}` : shown.join(" "));
  const element = html`<div class="pg-help" role="dialog" aria-label="Keys" hidden></div>`;

  function show(on) {
    const { keys, mouse } = model.get("shortcuts");
    const close = html`<button @click=${() => show(false)}>Close (Esc)</button>`;
    const content = html`<h3>Keys</h3>
      <dl>${terms(keys.map(([, , shown, means]) => [written(shown), means.join(", ")]))}</dl>
      <h3>Mouse</h3>
      <dl>${terms(mouse.map((row) => row.map(byHand)))}</dl>
      ${close}`;
    element.replaceChildren(content);
    element.hidden = !on;
    if (on) close.focus({ preventScroll: true });
    else focus();
    element.scrollTop = 0;
  }

  return { element, show, toggle: () => show(element.hidden) };
}
