// Below the picture: what the colours mean, and a choice where there are several.

function lookBar({ model, send }) {
  const shades = ({ name, missing }) => [
    html`<span>
      <span>${name} 0</span>
      <i class="pg-ramp" style="background: linear-gradient(90deg, ${RAMP.join(", ")})"></i>
      <span>1</span>
    </span>`,
    missing > 0 && html`<span>${inThousands(missing)} without a value</span>`
  ];

  function conflicts() {
    const hasParts = model.get("picture").nodes.some(({ parts }) => parts > 1);
    return [
      html`<span><i style="background: var(--pg-halo)"></i>in a conflict</span>`,
      hasParts && html`<span>soft grounds: the parts of the cluster</span>`
    ];
  }

  function parts() {
    const { colors, chosen, color } = model.get("dress") ?? {};
    if (!chosen) return [];
    const hint = "What the colour of a sentence shows";
    return [
      colors.length > 1 && {
        kind: "select",
        name: "color",
        text: "colour",
        hint,
        options: colors,
        value: chosen
      },
      html`<div class="pg-shades" aria-live="polite">${color ? shades(color) : conflicts()}</div>`
    ];
  }

  return controlBar("pg-looks", parts, (_, name) => send("look", { color: name }));
}
