// Right, above the explanation: what a person says of the line that is chosen, by keys or buttons. The trait
// `desk` says what stands of it, and why a key does nothing now.

const SAID = [
  ["wrong", "Wrong", "Its label should be the other one"],
  ["keep", "Right", "Its label is correct"],
  ["ambiguous", "Ambiguous", "Nobody can say"],
  ["undo", "Undo", "Take back the last answer"],
  ["note", "Note", "Write a note on this pair"],
  ["skip", "Ask", "Ask a colleague: this line, sentence or cluster goes to their review"]
];
const WHICH = [
  ["1", "paraphrases"],
  ["0", "not paraphrases"]
];

function decideBar({ model, send, focus }) {
  const desk = () => model.get("desk");
  const pressed = (act) => () => {
    focus();
    act();
  };

  /** What a key does: its own intent, or an answer. */
  const acts = {
    undo: () => send("undo"),
    note: () => (desk().off.note ? send("note", { text: "" }) : field.open(true)), // it says why
    skip: () => send("ask")
  };
  const actOf = (name) => acts[name] ?? (() => send("decide", { say: name }));
  function use(name) {
    if (desk().isPage && !desk().isOn) nameField.focus();
    actOf(name)();
  }

  const buttons = SAID.map(([name, text, hint]) => {
    const shown = shownKeys(model, name);
    return html`<button data-decide=${name} data-hint=${hint} @click=${pressed(() => use(name))}>
      <kbd>${shown}</kbd>${` ${text}`}
    </button>`;
  });
  const status = html`<span class="pg-status"></span>`;
  const nameField = html`<input
    type="text"
    name="reviewer"
    autocomplete="off"
    placeholder="Your name, to decide labels"
    aria-label="Your name"
    maxlength="100"
    @change=${() => send("sign", { name: nameField.value })}
    @keydown=${({ key, isComposing }) => key === "Enter" && !isComposing && focus()}
  />`;
  const handIn = html`<button
    title="For paragraph apply and paragraph agreement"
    @click=${pressed(() => send("handIn"))}
  >
    Save the file to hand in
  </button>`;
  const which = html`<div class="pg-cut-choices" role="group" aria-label="Which label is right?" hidden>
    <b>Which is right?</b>
    ${WHICH.map(
      ([label, text]) =>
        html`<button data-which=${label} @click=${pressed(() => answer(label))}>
          <kbd>${label}</kbd>${` ${text}`}
        </button>`
    )}
    <span>Esc: none</span>
  </div>`;
  const field = noteField((text) => send("note", { text }), focus);
  const error = html`<div class="pg-error" role="alert"></div>`;
  const message = html`<div class="pg-message" role="status"></div>`;
  const notes = html`<div class="pg-notes"></div>`;
  const row = html`<div class="pg-decide" role="group">${buttons}</div>`;
  const element = html`<section class="pg-desk" aria-label="Decide" hidden>
    <div class="pg-decide">${nameField}${status}${handIn}</div>
    ${row}${which}${field.element}${error}${message}${notes}
  </section>`;

  /** Take a key as the answer to which label is right; false where that is not asked. */
  function answer(key) {
    if (which.hidden || !WHICH.some(([label]) => label === key)) return false;
    send("decide", { say: "wrong", same: Number(key) });
    return true;
  }

  let shown = null; // what is chosen
  function draw() {
    const { isOn, isPage, reviewer, count, verdict, told, note = "", off = {}, isAsking } = desk();
    const now = String(model.get("selected"));
    field.follow(note, now !== shown);
    shown = now;
    element.hidden = !isOn && !isPage && !desk().message && !desk().error;
    row.hidden = !isOn && !isPage;
    nameField.hidden = !isPage;
    if (!nameField.matches(":focus")) nameField.value = reviewer;
    handIn.hidden = !isPage || !isOn;
    const said = [!isPage && reviewer, `${count ?? 0} decided`].filter(Boolean).join(" · ");
    refill(status, isOn && said, told && html`<b> · ${told}</b>`);
    for (const one of buttons) {
      const { decide: name, hint } = one.dataset;
      one.ariaDisabled = Boolean(off[name]);
      one.title = off[name] ?? hinted(model, hint, name);
      one.ariaPressed = name === "wrong" ? ["cut", "flip"].includes(verdict) : name === verdict;
    }
    which.hidden = !isAsking;
    error.textContent = desk().error ?? "";
    message.textContent = desk().message ?? "";
    notes.replaceChildren(...(note ? [html`<div dir="auto">Note: ${note}</div>`] : []));
  }

  // a key held down decides one pair
  const once = (act) => (_, event) => event.repeat || act();
  const ACT = Object.fromEntries(SAID.map(([name]) => [name, once(() => use(name))]));

  /** Whether Esc had something to leave here. */
  function escape() {
    if (field.leave()) return true;
    if (!which.hidden) send("decide", { say: "wrong" });
    else return false;
    return true;
  }

  return { element, draw, ACT, answer, escape };
}
