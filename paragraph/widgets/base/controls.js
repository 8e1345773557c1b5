// Bars of controls: buttons, choices, switches and sliders, each of which says its name and value when it is
// used.

/** A select with `[value, text]` as its options; `use` is called with the value chosen. */
function choice(label, options, use = () => {}, value = undefined, attributes = {}) {
  const select = make(
    "select",
    { "aria-label": label, ...attributes, on: { change: () => use(select.value) } },
    options.map(([one, text]) => make("option", { value: one, text }))
  );
  if (value !== undefined) select.value = value;
  return select;
}

/** A bar of what `describe()` lists, elements or controls by `kind`. `use(name, value)` hears what is done;
 * `of` names the attribute by which a control is found. */
function controlBar(className, of, describe, use) {
  const element = make("div", { class: className }),
    found = (name) => ({ [`data-${of}`]: name });
  const makers = {
    button: ({ name, text, hint, pressed, disabled, label, style }) =>
      make("button", {
        text,
        title: hint,
        disabled,
        class: style,
        "aria-label": label,
        "aria-pressed": pressed === undefined ? undefined : String(pressed),
        ...found(name),
        on: { click: () => use(name, true) }
      }),
    select: ({ name, text, hint, value, options }) =>
      make(
        "label",
        { title: hint },
        make("span", { text }),
        choice(text, options, (one) => use(name, one), value, found(name))
      ),
    toggle: ({ name, text, hint, value, mark }) =>
      make(
        "label",
        { title: hint, class: mark && `pg-layer pg-${mark}` },
        make("input", {
          type: "checkbox",
          checked: value,
          ...found(name),
          on: { change: ({ target }) => use(name, target.checked) }
        }),
        mark && make("i", { "aria-hidden": "true" }),
        make("span", { text })
      ),
    range({ name, text, hint, value, min = 0, max, step = 1, said = () => "" }) {
      const shown = make("span", { class: "pg-reach-text", text: said(value) });
      return make(
        "label",
        { title: hint, class: "pg-reach" },
        make("span", { text }),
        make("input", {
          type: "range",
          min,
          max,
          step,
          value,
          "aria-label": hint,
          ...found(name),
          on: {
            input: ({ target }) => {
              shown.textContent = said(target.value);
            },
            change: ({ target }) => use(name, Number(target.value))
          }
        }),
        shown
      );
    },
    text: ({ text }) => make("span", { class: "pg-count", "aria-live": "polite", text }),
    legend: ({ entries }) =>
      make(
        "span",
        { class: "pg-legend", role: "img", "aria-label": "Legend" },
        entries.map(([layer, text]) =>
          make(
            "span",
            { class: `pg-layer pg-${layer}` },
            make("i", { "aria-hidden": "true" }),
            make("span", { text })
          )
        )
      ),
    gap: () => make("span", { class: "pg-gap" })
  };

  function draw() {
    const held = element.contains(document.activeElement) && document.activeElement.dataset[of];
    const parts = describe()
      .filter(Boolean)
      .map((one) => (one instanceof Node ? one : makers[one.kind](one)));
    element.replaceChildren(...parts);
    if (held)
      (
        element.querySelector(`[data-${of}="${CSS.escape(held)}"]:not(:disabled)`) ??
        element.closest(".pg-bench")
      ).focus({ preventScroll: true });
    element.hidden = !parts.length;
  }

  /** The control a key stands for, if it can be used now. */
  function press(key) {
    const one = describe().find((control) => control.key === key && !control.disabled);
    if (one) use(one.name, one.kind === "toggle" ? !one.value : true);
    return Boolean(one);
  }

  return { element, draw, press };
}

/** Below the picture: the choices that Python offers (`options` of the trait `dress`), and what the colours
 * mean. */
function lookBar({ model, send }) {
  const choices = [
    ["form", "picture", hinted(model, "Nodes and lines, or a matrix of sentences × sentences", "matrix")],
    ["color", "colour", "What the colour of a sentence says"],
    ["size", "size", "What the size of a sentence says"],
    ["neighbours", "neighbours", "Most neighbouring clusters drawn"],
    ["steps", "steps", "How many negatives away"]
  ];
  const swatch = (color, text) =>
    make("span", {}, make("i", { style: `background: ${color}` }), make("span", { dir: "auto", text }));
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString() : value.toPrecision(2));

  function shades(color, size) {
    const parts = [];
    if (color.kind === "number")
      parts.push(
        make(
          "span",
          {},
          make("span", { text: `${color.name} ${number(color.low)}` }),
          make("i", { class: "pg-ramp", style: `background: linear-gradient(90deg, ${RAMP.join(", ")})` }),
          make("span", { text: number(color.high) })
        )
      );
    else if (color.kind) parts.push(...color.names.map((name, i) => swatch(CAMPS[i % CAMPS.length], name)));
    if (size.kind)
      parts.push(make("span", { text: `size: ${size.name} ${number(size.low)} to ${number(size.high)}` }));
    if (color.missing)
      parts.push(make("span", { text: `${color.missing.toLocaleString()} without a value` }));
    return parts.length > 0 && make("div", { class: "pg-shades", "aria-live": "polite" }, parts);
  }

  function describe() {
    const { options, chosen, color, size } = model.get("dress") ?? {};
    if (!options) return [];
    const selects = choices
      .filter(([name]) => options[name])
      .map(([name, text, hint]) => ({
        kind: "select",
        name,
        text,
        hint,
        options: options[name],
        value: chosen[name]
      }));
    return [
      ...selects,
      {
        kind: "range",
        name: "labels",
        text: "labels",
        max: 100,
        step: 10,
        value: chosen.labels,
        hint: "How many sentences carry their text, where there is room; to the left, numbers only"
      },
      shades(color, size)
    ];
  }

  return controlBar("pg-looks", "look", describe, (name, value) =>
    send("look", { [name]: ["neighbours", "steps"].includes(name) ? Number(value) : value })
  );
}
