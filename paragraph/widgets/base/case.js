// Above the picture, in a review: the pair side by side, and the buttons and keys that decide it.

function reviewDesk({ model, send, focus, help }) {
  const words = model.get("words"),
    DECIDE = words.decide;
  // words are marked, where others show a pair
  const marker = words.marks ? wordMarks({ model, send }) : null;
  let cutting = false,
    item = null;

  const sides = make("div", { class: "pg-sides" });
  const status = make("span", { class: "pg-status" });
  const key = (letter) => make("kbd", { text: letter });
  const button = (letter, text, hint, act, name, gloss) =>
    make(
      "button",
      {
        "data-hint": `${hint} (${letter})`,
        "data-decide": name,
        on: {
          click: () => {
            focus();
            act();
          }
        }
      },
      key(letter),
      ` ${text}`,
      gloss
    );
  const letter = (name) => model.get("shortcuts").keys.find((row) => row[0] === name)[2];
  const decisions = DECIDE.map(([pressed, name, text, hint]) =>
    button(pressed, text, hint, () => decide(name), name, make("small", { text: hint }))
  );
  const takeBack = () => isOff("undo") || send("undo");
  const undo = button(letter("undo"), "Undo", "Take back the last decision", takeBack, "undo");
  const jot = button(letter("note"), "Note", "Write a note on this pair", () => write(true), "note");
  const reveal = button(letter("reveal"), "Reveal", `Show ${words.reveal}`, () => show(), "reveal");
  const ask = make("button", {
    class: "pg-ask",
    text: "?",
    title: hinted(model, "Keys", "help"),
    "aria-label": "Keys",
    on: { click: help }
  });
  const keys = make("div", { class: "pg-decide", role: "group", "aria-label": "Decide" }, decisions);
  const rest = make("div", { class: "pg-decide" }, status, undo, jot, reveal, ask);

  const choices = make("div", {
    class: "pg-cut-choices",
    role: "group",
    "aria-label": "Which positive is wrong?"
  });
  const field = make("input", {
    type: "text",
    class: "pg-note-field",
    placeholder: "A note on this pair. Enter saves, Esc does not.",
    "aria-label": "Note",
    maxlength: 2000,
    on: {
      keydown(event) {
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        send("note", { item, text: field.value });
        write(false);
      }
    }
  });
  const notes = make("div", { class: "pg-notes" }),
    message = make("div", { class: "pg-message", role: "status" }),
    error = make("div", { class: "pg-error", role: "alert" });
  const element = make(
    "div",
    { class: "pg-case" },
    marker?.element ?? sides,
    rest,
    keys,
    choices,
    field,
    error,
    message,
    notes
  );

  /** Whether a key does nothing now; then it says why. */
  function isOff(name) {
    const why = model.get("case").off[name];
    if (why) tell(why);
    return Boolean(why);
  }

  function tell(text) {
    message.textContent = text;
    message.hidden = !text;
  }

  /** Decide what is on screen: it goes by its number, so that a second press never decides what was not yet
   * seen. */
  function decide(name, edge) {
    if (isOff(name)) return;
    if (name === "cut" && edge === undefined) return setCutting(!cutting);
    setCutting(false);
    send("decide", { item, decision: name, ...(edge && { edge }) });
  }

  function setCutting(on) {
    const path = model.get("case").path ?? [];
    cutting = on && item !== null && path.length > 0;
    element.closest(".pg-bench")?.classList.toggle("pg-cutting", cutting);
    choices.hidden = !cutting;
    if (!cutting) return;
    choices.replaceChildren(
      make("b", { text: "Which positive is wrong?" }),
      ...path.map(({ edge, flipped }, i) =>
        make(
          "button",
          {
            "data-cut": i + 1,
            "aria-disabled": flipped && "true",
            title: flipped ? "You flipped this one: undo that first" : "See the path, step by step",
            on: {
              click: () => {
                focus();
                decide("cut", edge);
              }
            }
          },
          key(i + 1)
        )
      ),
      make("span", { text: "or click its line · Esc: none" })
    );
  }

  function write(on) {
    if (on && isOff("note")) return;
    field.hidden = !on;
    if (on) field.focus();
    else {
      field.value = "";
      focus();
    }
  }

  function show() {
    if (isOff("reveal")) return;
    tell(words.revealing);
    send("reveal", { item });
  }

  function draw() {
    const shown = model.get("case"),
      other = shown.item !== item;
    item = shown.item;
    if (other && !field.hidden) write(false);
    setCutting(false);
    marker?.draw();
    sides.hidden = status.hidden = item === null;
    if (item !== null) {
      if (!marker)
        refill(
          sides,
          ...shown.pair.map((spans, i) =>
            make(
              "button",
              {
                class: "pg-side",
                title: "Show its pairs",
                "data-key": shown.keys[i],
                on: {
                  click: () => {
                    focus();
                    send("select", { keys: [shown.keys[i]] });
                  }
                }
              },
              sentence(spans)
            )
          )
        );
      refill(
        status,
        shown.sign !== 0 && sign(shown.sign),
        ` ${shown.stated}`,
        shown.state === "open" && !shown.description.includes("cut")
          ? ""
          : make("b", { text: ` · ${shown.description}` })
      );
    }
    for (const [i, one] of decisions.entries())
      one.setAttribute("aria-pressed", String(item !== null && shown.state === DECIDE[i][1]));
    for (const one of [...decisions, undo, jot, reveal]) {
      // greyed, not disabled: one that is pressed says why
      const why = shown.off[one.dataset.decide];
      one.setAttribute("aria-disabled", String(Boolean(why)));
      one.title = why ?? one.dataset.hint;
    }
    error.textContent = shown.error;
    error.hidden = !shown.error;
    tell(shown.message);
    notes.replaceChildren(
      ...(shown.notes ?? []).map((text) => make("div", { dir: "auto", text: `Note: ${text}` }))
    );
    notes.hidden = !shown.notes?.length;
  }

  const pick = (number) => {
    const one = cutting && model.get("case").path[number - 1];
    if (one) decide("cut", one.edge); // of one that was flipped Python says what to do
  };
  // a key held down decides one pair, not all
  const once = (act) => (place, event) => event.repeat || act(place);
  const ACT = {
    number: once((place) => pick(place + 1)),
    undo: once(takeBack),
    note: once(() => write(true)),
    reveal: once(show),
    "go on": once(() => send("next")),
    view: null,
    matrix: null,
    ...marker?.ACT,
    ...Object.fromEntries(DECIDE.map(([pressed, name]) => [pressed, once(() => decide(name))]))
  };

  /** What the picture asks; while a cut is being chosen, a line that is clicked is the answer. */
  const relay = (intent, content) =>
    cutting && intent === "edge" ? decide("cut", content.id) : send(intent, content);

  /** Whether Esc had something to leave here. */
  function escape() {
    if (!field.hidden) write(false);
    else if (cutting) setCutting(false);
    else return false;
    return true;
  }

  field.hidden = choices.hidden = error.hidden = message.hidden = notes.hidden = true;
  return { element, draw, ACT, relay, escape, stop: marker?.stop };
}
