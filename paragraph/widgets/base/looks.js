// Below the picture: as graph or matrix, colour and size by an attribute, how many labels; and what the colours mean.

/** The choices that Python offers (`options` of the trait `dress`); nothing where it offers none. */
function lookBar({ model, send }) {
  const choices = [["form", "picture", hinted(model, "Nodes and lines, or a matrix of sentences × sentences", "matrix")], ["color", "colour", "What the colour of a sentence says"],
    ["size", "size", "What the size of a sentence says"], ["neighbours", "neighbours", "Most neighbouring clusters drawn"], ["steps", "steps", "How many negatives away"]];
  const swatch = (color, text) => make("span", {}, make("i", { style: `background: ${color}` }), make("span", { dir: "auto", text }));
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString() : value.toPrecision(2));

  function shades(color, size) {
    const parts = [];
    if (color.kind === "number") parts.push(make("span", {}, make("span", { text: `${color.name} ${number(color.low)}` }),
      make("i", { class: "pg-ramp", style: `background: linear-gradient(90deg, ${RAMP.join(", ")})` }), make("span", { text: number(color.high) })));
    else if (color.kind) parts.push(...color.names.map((name, i) => swatch(CAMPS[i % CAMPS.length], name)));
    if (size.kind) parts.push(make("span", { text: `size: ${size.name} ${number(size.low)} to ${number(size.high)}` }));
    if (color.missing) parts.push(make("span", { text: `${color.missing.toLocaleString()} without a value` }));
    return parts.length > 0 && make("div", { class: "pg-shades", "aria-live": "polite" }, parts);
  }

  function describe() {
    const { options, chosen, color, size } = model.get("dress") ?? {};
    if (!options) return [];
    const selects = choices.filter(([name]) => options[name]).map(([name, text, hint]) => ({ kind: "select", name, text, hint, options: options[name], value: chosen[name] }));
    return [...selects, { kind: "range", name: "labels", text: "labels", max: 100, step: 10, value: chosen.labels,
      hint: "How many sentences carry their text, where there is room; to the left, numbers only" }, shades(color, size)];
  }

  return controlBar("pg-looks", "look", describe, (name, value) => send("look", { [name]: ["neighbours", "steps"].includes(name) ? Number(value) : value }));
}
