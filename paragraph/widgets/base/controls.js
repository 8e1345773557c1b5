// Bars of controls: buttons, choices, switches and sliders, which tell their name and value when they are
// used. A bar finds a control again by its data.

/** A select with `[value, text]` as its options; `use` is called with the value chosen.
 * @param {(value: string) => any} use */
function choice(label, options, use = () => {}, value = options[0][0]) {
  const select = html`<select aria-label=${label} @change=${() => use(select.value)}>
    ${options.map(([one, text]) => html`<option value=${one}>${text}</option>`)}
  </select>`;
  select.value = value;
  return select;
}

/** A field for a note on a pair; Enter has it saved. What is typed stays until it stands in the notes of its
 * pair, or Esc drops it. */
function noteField(save, focus) {
  const drafts = new Map(); // by pair
  let about = null;
  const element = html`<input
    type="text"
    class="pg-note-field"
    placeholder="A note on this pair. Enter saves, Esc does not."
    aria-label="Note"
    maxlength="2000"
    hidden
    @input=${() => drafts.set(about, element.value)}
    @keydown=${onEnter}
  />`;

  function onEnter(event) {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    const text = element.value.trim();
    if (!text || save(text, about) !== false) close();
  }

  function open(item) {
    about = item;
    element.value = drafts.get(item) ?? "";
    element.hidden = false;
    element.focus();
  }

  function close() {
    element.hidden = true;
    focus();
  }

  /** Forget what stands in the notes of a pair. */
  function follow(notes, item) {
    if (element.hidden && notes.includes(drafts.get(item)?.trim())) drafts.delete(item);
  }

  /** Whether it was open, with nothing kept of what was typed. */
  function leave() {
    if (element.hidden) return false;
    drafts.delete(about);
    close();
    return true;
  }

  return { element, open, follow, leave };
}

/** A choice with its name before it. */
function namedChoice({ name, text, hint, options, value }, of, use) {
  const select = choice(text, options, (one) => use(name, one), value);
  select.dataset[of] = name;
  return html`<label title=${hint}><span>${text}</span>${select}</label>`;
}

/** A slider that shows its value as it is `said`; `range` is its least, most and step.
 * @param {{ name: string, text: string, hint: string, range: number[], value: number,
 *   said?: (value: number) => string }} slider */
function slider({ name, text, hint, range: [min, max, step], value, said = () => "" }, of, use) {
  const shown = html`<span class="pg-reach-text">${said(value)}</span>`;
  const input = html`<input
    type="range"
    min=${min}
    max=${max}
    step=${step}
    value=${value}
    aria-label=${hint}
    @input=${() => shown.replaceChildren(said(input.value))}
    @change=${() => use(name, Number(input.value))}
  />`;
  input.dataset[of] = name;
  return html`<label title=${hint} class="pg-reach"><span>${text}</span>${input}${shown}</label>`;
}

/** A bar of `parts()`, elements with `of` in their data. The one that has the focus keeps it. */
function controlBar(className, of, parts) {
  const element = html`<div class=${className}></div>`;

  function draw() {
    const held = element.querySelector(":focus")?.dataset[of];
    element.replaceChildren(...childrenOf(parts()));
    if (!held) return;
    const again = element.querySelector(`[data-${of}="${CSS.escape(held)}"]:not(:disabled)`);
    (again ?? element.closest(".pg-bench"))?.focus({ preventScroll: true });
  }

  return { element, draw };
}

/** The controls of a bench that has some of its own, by kind. */
const CONTROLS = {
  button: ({ name, text, hint, disabled }, use) =>
    html`<button title=${hint} disabled=${disabled} data-control=${name} @click=${() => use(name, true)}>
      ${text}
    </button>`,
  select: (one, use) => namedChoice(one, "control", use),
  slider: (one, use) => slider(one, "control", use),
  toggle: ({ name, text, hint, value }, use) =>
    html`<label title=${hint}>
      <input
        type="checkbox"
        checked=${value}
        data-control=${name}
        @change=${({ target }) => use(name, target.checked)}
      />
      <span>${byHand(text)}</span>
    </label>`,
  text: ({ text }) => html`<span class="pg-count" aria-live="polite">${text}</span>`,
  legend: ({ entries }) => {
    const layer = ([name, text]) =>
      html`<span class="pg-layer pg-${name}"><i aria-hidden="true"></i><span>${text}</span></span>`;
    return html`<span class="pg-legend" role="img" aria-label="Legend">${entries.map(layer)}</span>`;
  },
  gap: () => html`<span class="pg-gap"></span>`
};

function ownControls({ model, send }) {
  const use = (name, value) => send("control", { name, value });
  const drawn = (one) => CONTROLS[one.kind](one, use);
  const bar = controlBar("pg-controls", "control", () => model.get("controls").map(drawn));

  /** Use the control a key stands for, if it can be used now. */
  function press(key) {
    const one = model.get("controls").find((control) => control.key === key && !control.disabled);
    if (one) use(one.name, one.kind === "toggle" ? !one.value : true);
    return Boolean(one);
  }

  return { ...bar, press };
}
