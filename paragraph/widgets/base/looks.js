// Below the picture: the choices that Python offers (`options` of the trait `dress`), and what the colours
// mean.

function lookBar({ model, send }) {
  const swatch = (color, text) =>
    html`<span><i style="background: ${color}"></i><span dir="auto">${text}</span></span>`;
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString() : value.toPrecision(2));

  const scale = ({ name, low, high }) =>
    html`<span>
      <span>${name} ${number(low)}</span>
      <i class="pg-ramp" style="background: linear-gradient(90deg, ${RAMP.join(", ")})"></i>
      <span>${number(high)}</span>
    </span>`;

  function shades(color) {
    const hasParts = model.get("picture").nodes.some(({ parts }) => parts > 1);
    const parts = childrenOf([
      !color.kind && swatch(LIGHT.halo, "in a conflict"),
      !color.kind && hasParts && html`<span>soft grounds: the parts of the cluster</span>`,
      color.kind === "number" && scale(color),
      color.kind === "category" && color.names.map((name, i) => swatch(CAMPS[i % CAMPS.length], name)),
      color.missing > 0 && html`<span>${color.missing.toLocaleString()} without a value</span>`
    ]);
    return parts.length > 0 && html`<div class="pg-shades" aria-live="polite">${parts}</div>`;
  }

  function parts() {
    const { options, chosen, color } = model.get("dress") ?? {};
    if (!options) return [];
    const hint = "What the colour of a sentence shows";
    const control = { name: "color", text: "colour", hint, options: options.color, value: chosen.color };
    return [namedChoice(control, "look", (_, name) => send("look", { color: name })), shades(color)];
  }

  return controlBar("pg-looks", "look", parts);
}
