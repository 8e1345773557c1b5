// Below the picture: as graph or matrix, colour and size by an attribute, how many labels; and what the colours mean.

/** The choices that Python offers (`options` of the trait `dress`); nothing where it offers none. */
function lookBar({ model, send }) {
  const use = (name, value) => send("look", { [name]: value });
  const select = (name, label, hint) => {
    const field = choice(label, [], (value) => use(name, name === "neighbours" || name === "steps" ? Number(value) : value));
    field.dataset.look = name;
    return { field, label: make("label", { title: hint, "data-of": name }, make("span", { text: label }), field) };
  };
  const fields = [["form", "picture", hinted(model, "Nodes and lines, or a matrix of sentences × sentences", "matrix")], ["color", "colour", "What the colour of a sentence says"],
    ["size", "size", "What the size of a sentence says"], ["neighbours", "neighbours", "Most neighbouring clusters drawn"],
    ["steps", "steps", "How many negatives away"]].map((one) => [one[0], select(...one)]);
  const labels = make("input", { type: "range", min: 0, max: 100, step: 10, "aria-label": "labels", "data-look": "labels" });
  labels.addEventListener("change", () => use("labels", Number(labels.value)));
  const legend = make("div", { class: "pg-shades", "aria-live": "polite" });
  const element = make("div", { class: "pg-looks" }, fields.map(([, one]) => one.label),
    make("label", { title: "How many sentences carry their text, where there is room; to the left, numbers only" }, make("span", { text: "labels" }), labels), legend);

  const swatch = (color, text) => make("span", {}, make("i", { style: `background: ${color}` }), make("span", { dir: "auto", text }));
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString() : value.toPrecision(2));

  function draw() {
    const look = model.get("dress") ?? {};
    element.hidden = !look.options;
    if (element.hidden) return;
    for (const [name, { field, label }] of fields) {
      const options = look.options[name] ?? [];
      label.hidden = !options.length;
      field.replaceChildren(...options.map(([value, text]) => make("option", { value, text })));
      field.value = look.chosen[name];
    }
    labels.value = look.labels;
    const { color, size } = look, parts = [];
    if (color.kind === "number") parts.push(make("span", {}, make("span", { text: `${color.name} ${number(color.low)}` }),
      make("i", { class: "pg-ramp", style: `background: linear-gradient(90deg, ${RAMP.join(", ")})` }), make("span", { text: number(color.high) })));
    else if (color.kind) parts.push(...color.names.map((name, i) => swatch(CAMPS[i % CAMPS.length], name)));
    if (size.kind) parts.push(make("span", { text: `size: ${size.name} ${number(size.low)} to ${number(size.high)}` }));
    if (color.missing) parts.push(make("span", { text: `${color.missing.toLocaleString()} without a value` }));
    legend.replaceChildren(...parts);
    legend.hidden = !parts.length;
  }

  return { element, draw };
}
