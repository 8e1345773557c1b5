// What a person says of a label, by keys or buttons: of the pair on screen in a review, of the line that
// is chosen in the Explorer. The trait `desk` says what can be said, what stands, and why a key does
// nothing now:
//
// `choices` are the decisions, `[key, name, text, hint]` each, the key as the table of keys calls it; `also`
// names what else can be asked for besides undo and notes; `off` says by name why not. `item` is what is
// decided: it goes with each answer, so that a second press never decides what was not yet seen. Where an
// answer brings another item (`isQueue`), no key decides until that is here; those pressed meanwhile are
// shown as not taken. `asks` holds, by choice, what is asked before it is written: a `title` and `options`,
// `{ key, text, isOff, content }` each; `isLine`: a line of the picture is an answer.

/** What stands for an answer, in a list and on a line. */
const MARKS = {
  open: "",
  skip: "↷",
  moot: "≈",
  flip: "⇄",
  cut: "✂",
  keep: "✓",
  ambiguous: "?",
  same: "=",
  different: "≠"
};

/** The intents that bring another item. */
const MOVES = ["decide", "undo", "next", "open", "page"];

function decideBar({ model, send, unanswered, focus, help }) {
  const desk = () => model.get("desk");
  const { choices, also = [] } = desk();
  let asking = ""; // the choice that asks for more
  let isWriting = false;
  let missed = []; // keys that were not taken

  /** What is no decision, as a choice. */
  function actOf(name) {
    const [hint] = keyRow(model, name)[3];
    return [name, name, capitalised(name), capitalised(hint)];
  }
  const all = [...choices, ...["undo", "note", ...also].map(actOf)];

  const pressed = (act) => () => {
    focus();
    act();
  };
  function button([key, name, text, hint]) {
    const letter = shownKey(model, key);
    return html`<button
      data-decide=${name}
      data-hint="${hint} (${letter})"
      @click=${pressed(() => use(name))}
    >
      <kbd>${letter}</kbd>${` ${text}`}<small>${hint}</small>
    </button>`;
  }
  const buttons = all.map(button);
  const decisions = buttons.slice(0, choices.length);
  const acts = buttons.slice(choices.length);
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
  const which = html`<div class="pg-cut-choices" role="group" aria-label="Which?" hidden></div>`;
  const field = noteField((text, item) => send("note", { text, item }), focus);
  const error = html`<div class="pg-error" role="alert"></div>`;
  const message = html`<div class="pg-message" role="status"></div>`;
  const late = html`<div class="pg-late" role="status" hidden></div>`;
  const notes = html`<div class="pg-notes"></div>`;
  const row = html`<div class="pg-decide pg-choices" role="group" aria-label="Decide">${decisions}</div>`;
  const element = html`<section class="pg-desk" aria-label="Decide" hidden>
    <div class="pg-decide">${nameField}${status}${acts}${handIn}${help && askButton(model, help)}</div>
    ${row}${which}${field.element}${error}${message}${late}${notes}
  </section>`;

  function tell(text) {
    message.textContent = text;
  }

  /** The key of a choice, as it is written. */
  const letterOf = (name) => shownKey(model, all.find(([, one]) => one === name)[0]);

  const isMoving = () => desk().isQueue && unanswered().some((intent) => MOVES.includes(intent));

  /** Whether the item on screen is the one to decide; a key that comes before it is shown as not taken. */
  function isHere(letter) {
    if (isMoving()) missed.push(letter);
    else missed = [];
    late.hidden = !missed.length;
    late.textContent = `Not taken, because the next one was not here yet: ${missed.join(", ")}`;
    return !missed.length;
  }

  function use(name) {
    const { off, asks = {}, item, isPage, isOn } = desk();
    if (name !== "undo" && !isHere(letterOf(name))) return;
    if (isPage && !isOn) nameField.focus();
    const wasAsked = asking === name;
    ask("");
    if (off[name]) tell(off[name]);
    else if (asks[name]) ask(wasAsked ? "" : name);
    else if (name === "note") field.open(item);
    else if (name === "undo")
      send(name); // the last answer, whatever is shown
    else if (also.includes(name)) send(name, { item });
    else decide(name);
  }

  function decide(decision, content) {
    isWriting = true;
    tell("Writing …");
    send("decide", { item: desk().item, decision, ...content });
  }

  /** What was asked may be answered: then the choice is written, or why not is shown. */
  function hear() {
    if (!isWriting || unanswered().includes("decide")) return;
    isWriting = false;
    tell(desk().message ?? "");
  }

  const goOn = () => isHere(shownKey(model, "go on")) && send("next");

  /** Ask what a choice needs; "" asks nothing. */
  function ask(name) {
    const { title, options = [], isLine } = desk().asks?.[name] ?? {};
    asking = options.length ? name : "";
    which.hidden = !asking;
    const option = ({ key, text, isOff, content }) =>
      html`<button data-option=${key} aria-disabled=${isOff || null} @click=${pressed(() => finish(content))}>
        <kbd>${key}</kbd>${text && ` ${text}`}
      </button>`;
    const end = `${isLine ? byHand("or click its line · ") : ""}${shownKey(model, "back")}: none`;
    which.replaceChildren(html`<b>${title}</b>${options.map(option)}<span>${end}</span>`);
  }

  /** Take a key as the answer to what is asked; false where it is none. Of ten or more options none is chosen
   * by a digit, which might be the first of two. */
  function answer(key) {
    const { options = [] } = desk().asks?.[asking] ?? {};
    const one = options.length <= NUMBERED && options.find((option) => option.key === key);
    if (one) finish(one.content);
    return Boolean(one);
  }

  /** Decide as was asked. */
  function finish(content) {
    const decision = asking;
    ask("");
    if (isHere(letterOf(decision))) decide(decision, content);
  }

  /** What the picture asks; a line may be the answer to what is asked here. */
  function relay(intent, content) {
    if (intent === "edge" && desk().asks?.[asking]?.isLine) finish({ edge: Number(content.id.slice(1)) });
    else send(intent, content);
  }

  function draw() {
    const { isOn = true, isPage, reviewer = "", item, about, sign: s, answer, verdict, off } = desk();
    const { error: failure = "", message: text = "", notes: lines = [] } = desk();
    field.follow(lines.join("\n"), item);
    ask("");
    element.hidden = !isOn && !isPage && !text && !failure;
    row.hidden = !isOn && !isPage;
    nameField.hidden = !isPage;
    if (!nameField.matches(":focus")) nameField.value = reviewer;
    handIn.hidden = !isPage || !isOn;
    refill(status, s ? sign(s) : "", isOn && ` ${about}`, answer && html`<b> · ${answer}</b>`);
    for (const one of buttons) {
      // greyed, not disabled: one that is pressed says why
      const { decide: name, hint } = one.dataset;
      one.ariaDisabled = Boolean(off[name]);
      one.title = off[name] ?? hint;
      one.ariaPressed = name === verdict;
    }
    error.textContent = failure;
    tell(text);
    notes.replaceChildren(...lines.map((text) => html`<div dir="auto">Note: ${text}</div>`));
  }

  // a key held down decides one pair, not all
  const once = (act) => (_, event) => event.repeat || act();
  const ACT = Object.fromEntries(all.map(([key, name]) => [key, once(() => use(name))]));

  /** Whether Esc had something to leave here. */
  function escape() {
    if (field.leave()) return true;
    const wasAsked = asking !== "";
    ask("");
    return wasAsked;
  }

  return { element, draw, hear, goOn, ACT, answer, relay, escape };
}
