// Above the picture: buttons, choices and switches that Python describes; each says its name and value when it is used.

function controlBar({ model, send }) {
  const element = make("div", { class: "pg-controls" });
  const use = (name, value) => send("control", { name, value });

  const makers = {
    button: ({ name, text, hint, pressed, disabled }) => make("button", { text, title: hint, "data-control": name, disabled,
      "aria-pressed": pressed === undefined ? undefined : String(pressed), on: { click: () => use(name, true) } }),
    select: ({ name, text, hint, value, options }) => {
      const select = make("select", { "data-control": name, "aria-label": text, title: hint },
        options.map(([one, shown]) => make("option", { value: one, text: shown, selected: one === value })));
      select.addEventListener("change", () => use(name, select.value));
      return make("label", {}, make("span", { text }), select);
    },
    toggle: ({ name, text, hint, value }) => {
      const box = make("input", { type: "checkbox", "data-control": name });
      box.checked = value;
      box.addEventListener("change", () => use(name, box.checked));
      return make("label", { title: hint }, box, make("span", { text }));
    },
    text: ({ text }) => make("span", { class: "pg-count", "aria-live": "polite", text }),
    legend: ({ entries }) => make("span", { class: "pg-legend", role: "img", "aria-label": "Legend" }, entries.map(([layer, text]) =>
      make("span", { class: `pg-layer pg-${layer}` }, make("i", { "aria-hidden": "true" }), make("span", { text })))),
    gap: () => make("span", { class: "pg-gap" }),
  };

  function draw() {
    const controls = model.get("controls");
    const held = element.contains(document.activeElement) && document.activeElement.dataset.control;
    element.replaceChildren(...controls.map((one) => makers[one.kind](one)));
    if (held) (element.querySelector(`[data-control="${CSS.escape(held)}"]:not(:disabled)`) ?? element.closest(".pg-bench")).focus({ preventScroll: true });
    element.hidden = !controls.length;
  }

  /** The control a key stands for, if it can be used now. */
  function press(key) {
    const one = model.get("controls").find((control) => control.key === key && !control.disabled);
    if (one) use(one.name, one.kind === "toggle" ? !one.value : true);
    return Boolean(one);
  }

  return { element, draw, press };
}
