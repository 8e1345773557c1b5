// Below the picture: what the colours mean, and, where labels are known to be doubtful, which are shown.

const COLORS = ["conflicts", "p_wrong"].map((name) => [name, name]);

function lookBar({ model, send }) {
  const scale = () =>
    html`<span>
      <span>p_wrong 0</span>
      <i class="pg-ramp" style="background: linear-gradient(90deg, ${RAMP.join(", ")})"></i>
      <span>1; no shade: not known</span>
    </span>`;

  function conflicts() {
    const hasParts = model.get("picture").nodes.some(({ parts }) => parts > 1);
    return [
      html`<span><i style="background: ${LIGHT.halo}"></i><span>in a conflict</span></span>`,
      hasParts && html`<span>soft grounds: the parts of the cluster</span>`
    ];
  }

  function parts() {
    const { chosen, color } = model.get("dress") ?? {};
    if (!chosen) return [];
    const hint = "What the colour of a sentence shows";
    const control = { name: "color", text: "colour", hint, options: COLORS, value: chosen };
    const use = (_, name) => send("look", { color: name });
    return [
      "trust" in model.get("layers") && namedChoice(control, "look", use),
      html`<div class="pg-shades" aria-live="polite">${color ? scale() : conflicts()}</div>`
    ];
  }

  return controlBar("pg-looks", "look", parts);
}
