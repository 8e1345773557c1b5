// Bars of controls: buttons, choices, switches and sliders.

/** A select of texts, or of `[value, text]`; `use` is called with the value chosen.
 * @param {(value: string) => any} use */
function choice(label, options, use = () => {}, value = [options[0]].flat()[0]) {
  function option(one) {
    const [value, text = value] = [one].flat();
    return html`<option value=${value}>${text}</option>`;
  }
  const select = html`<select aria-label=${label} @change=${() => use(select.value)}>
    ${options.map(option)}
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

/** The controls of bars, by kind: each tells `use` its name and value when it is used. */
const CONTROLS = {
  button: ({ name, text, hint, disabled, pressed }, use) =>
    html`<button
      title=${hint}
      disabled=${disabled}
      aria-pressed=${pressed}
      data-control=${name}
      @click=${() => use(name, true)}
    >
      ${text}
    </button>`,
  select({ name, text, hint, options, value }, use) {
    const select = choice(text, options, (one) => use(name, one), value);
    select.dataset.control = name;
    return html`<label title=${hint}><span>${text}</span>${select}</label>`;
  },
  /** It shows its value as it is `said`; `range` is its least, most and step. */
  slider({ name, text, hint, range: [min, max, step], value, format }, use) {
    const shown = html`<span class="pg-reach-text">${format(value)}</span>`;
    const input = html`<input
      type="range"
      min=${min}
      max=${max}
      step=${step}
      value=${value}
      aria-label=${hint}
      data-control=${name}
      @input=${() => shown.replaceChildren(format(input.value))}
      @change=${() => use(name, Number(input.value))}
    />`;
    return html`<label title=${hint} class="pg-reach"><span>${text}</span>${input}${shown}</label>`;
  },
  /** For the labels of a layer `line` names it. */
  toggle: ({ name, text, hint, value, line }, use) =>
    html`<label title=${hint} class=${line && `pg-layer pg-${line}`}>
      <input
        type="checkbox"
        checked=${value}
        data-control=${name}
        @change=${({ target }) => use(name, target.checked)}
      />
      ${line && html`<i aria-hidden="true"></i>`}<span>${byHand(text)}</span>
    </label>`,
  text: ({ text }) => html`<span class="pg-count" aria-live="polite">${text}</span>`,
  legend: ({ entries }) => {
    const layer = ([name, text]) =>
      html`<span class="pg-layer pg-${name}"><i aria-hidden="true"></i><span>${text}</span></span>`;
    return html`<span class="pg-legend" role="img" aria-label="Legend">${entries.map(layer)}</span>`;
  },
  gap: () => html`<span class="pg-gap"></span>`
};

/** A bar of `parts()`: controls by kind, and elements. The control that has the focus keeps it. */
function controlBar(className, parts, use) {
  const element = html`<div class=${className}></div>`;
  const drawn = (part) => (part.kind ? CONTROLS[part.kind](part, use) : part);

  function draw() {
    const focused = element.querySelector(":focus")?.dataset.control;
    element.replaceChildren(...childrenOf(parts()).map(drawn));
    if (!focused) return;
    const again = element.querySelector(`[data-control="${CSS.escape(focused)}"]:not(:disabled)`);
    (again ?? element.closest(".pg-bench"))?.focus({ preventScroll: true });
  }

  return { element, draw };
}

/** The bar of a bench that has controls of its own. */
function ownControls({ model, send }) {
  const use = (name, value) => send("control", { name, value });
  const bar = controlBar("pg-controls", () => model.get("controls"), use);

  /** Use the control a key stands for, if it can be used now. */
  function press(key) {
    const one = model.get("controls").find((control) => control.key === key && !control.disabled);
    if (one) use(one.name, one.kind === "toggle" ? !one.value : true);
    return Boolean(one);
  }

  return { ...bar, press };
}
