// Above the picture, in a review: the pair side by side, and the buttons and keys that decide it.

function reviewDesk({ model, send, focus, help }) {
  const words = model.get("words");
  // words are marked, where others show a pair
  const marker = words.marks ? wordMarks({ model, send }) : null;
  let isCutting = false;
  let item = null;

  /** Do what a button says, with the focus on the bench. */
  const pressed = (act) => () => {
    focus();
    act();
  };
  const button = (letter, text, hint, act, name, gloss) =>
    html`<button data-hint="${hint} (${letter})" data-decide=${name} @click=${pressed(act)}>
      <kbd>${letter}</kbd>${` ${text}`}${gloss}
    </button>`;
  const ask = (name, text, hint, act) => button(shownKeys(model, name), text, hint, act, name);
  const decisions = words.decide.map(([letter, name, text, hint]) =>
    button(letter, text, hint, () => decide(name), name, html`<small>${hint}</small>`)
  );
  const takeBack = () => isOff("undo") || send("undo");
  const undo = ask("undo", "Undo", "Take back the last decision", takeBack);
  const jot = ask("note", "Note", "Write a note on this pair", write);
  const reveal = ask("reveal", "Reveal", `Show ${words.reveal}`, show);

  const sides = html`<div class="pg-sides"></div>`;
  const status = html`<span class="pg-status"></span>`;
  const choices = html`<div
    class="pg-cut-choices"
    role="group"
    aria-label="Which positive is wrong?"
    hidden
  ></div>`;
  const field = noteField((text) => send("note", { item, text }), focus);
  const error = html`<div class="pg-error" role="alert"></div>`;
  const message = html`<div class="pg-message" role="status"></div>`;
  const notes = html`<div class="pg-notes"></div>`;
  const element = html`<div class="pg-case">
    ${marker?.element ?? sides}
    <div class="pg-decide">
      ${status}${undo}${jot}${reveal}
      <button class="pg-ask" title=${hinted(model, "Keys", "help")} aria-label="Keys" @click=${help}>
        ?
      </button>
    </div>
    <div class="pg-decide" role="group" aria-label="Decide">${decisions}</div>
    ${choices}${field.element}${error}${message}${notes}
  </div>`;

  /** Whether a key does nothing now; then it says why. */
  function isOff(name) {
    const why = model.get("case").off[name];
    if (why) tell(why);
    return Boolean(why);
  }

  function tell(text) {
    message.textContent = text;
  }

  /** Decide what is on screen: it goes by its number, so that a second press never decides what was not yet
   * seen. */
  function decide(name, edge) {
    if (isOff(name)) return;
    if (name === "cut" && edge === undefined) return setCutting(!isCutting);
    setCutting(false);
    send("decide", { item, decision: name, ...(edge && { edge }) });
  }

  function setCutting(on) {
    const path = model.get("case").path ?? [];
    isCutting = on && item !== null && path.length > 0;
    choices.hidden = !isCutting;
    const step = ({ edge, flipped }, i) =>
      html`<button
        data-cut=${i + 1}
        aria-disabled=${flipped || null}
        title=${flipped ? "You flipped this one: undo that first" : "See the path, step by step"}
        @click=${pressed(() => decide("cut", edge))}
      >
        <kbd>${i + 1}</kbd>
      </button>`;
    const content = html`<b>Which positive is wrong?</b>
      ${path.map(step)}
      <span>or click its line · Esc: none</span>`;
    if (isCutting) choices.replaceChildren(content);
  }

  function write() {
    if (!isOff("note")) field.open(true);
  }

  function show() {
    if (isOff("reveal")) return;
    tell(words.revealing);
    send("reveal", { item });
  }

  const side = (key, spans) =>
    html`<button
      class="pg-side"
      title="Show its pairs"
      data-key=${key}
      @click=${pressed(() => send("select", { keys: [key] }))}
    >
      ${sentence(spans)}
    </button>`;

  function drawPair({ pair, keys, sign: s, stated, state, description }) {
    if (!marker)
      refill(
        sides,
        wordDiff(...pair).map((spans, i) => side(keys[i], spans))
      );
    const isOpen = state === "open" && !description.includes("cut");
    refill(status, s !== 0 && sign(s), ` ${stated}`, !isOpen && html`<b> · ${description}</b>`);
  }

  function draw() {
    const shown = model.get("case");
    const isOther = shown.item !== item;
    item = shown.item;
    field.follow(String(shown.notes), isOther);
    setCutting(false);
    marker?.draw();
    sides.hidden = item === null;
    status.hidden = item === null;
    if (item !== null) drawPair(shown);
    for (const one of [...decisions, undo, jot, reveal]) {
      // greyed, not disabled: one that is pressed says why
      const why = shown.off[one.dataset.decide];
      one.ariaDisabled = Boolean(why);
      one.title = why ?? one.dataset.hint;
    }
    for (const one of decisions) one.ariaPressed = item !== null && shown.state === one.dataset.decide;
    error.textContent = shown.error;
    tell(shown.message);
    const written = shown.notes ?? [];
    notes.replaceChildren(...written.map((text) => html`<div dir="auto">Note: ${text}</div>`));
  }

  /** Cut the step of the path with a number; of one that was flipped Python says what to do. */
  function pick(number) {
    const one = isCutting && model.get("case").path[number - 1];
    if (one) decide("cut", one.edge);
  }

  // a key held down decides one pair, not all
  const once = (act) => (place, event) => event.repeat || act(place);
  const ACT = {
    number: once((place) => pick(place + 1)),
    undo: once(takeBack),
    note: once(write),
    reveal: once(show),
    "go on": once(() => send("next")),
    view: null,
    ...marker?.ACT,
    ...Object.fromEntries(words.decide.map(([letter, name]) => [letter, once(() => decide(name))]))
  };

  /** What the picture asks; while a cut is being chosen, a line that is clicked is the answer. */
  const relay = (intent, content) =>
    isCutting && intent === "edge" ? decide("cut", content.id) : send(intent, content);

  /** Whether Esc had something to leave here. */
  function escape() {
    if (field.leave()) return true;
    if (isCutting) setCutting(false);
    else return false;
    return true;
  }

  return { element, draw, ACT, relay, escape, stop: marker?.stop };
}
