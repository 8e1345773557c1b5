// Two sentences whose words are marked by clicks, by dragging and by keys. Python holds the marks.

function wordMarks({ model, send }) {
  let side = 0,
    at = 0,
    item = null,
    drag = null;
  const element = make("div", { class: "pg-words", "aria-label": "Words" });
  const marksOf = (which) => model.get("case").marks[which];
  const word = (which, i) => element.querySelector(`[data-side="${which}"][data-word="${i}"]`);

  function mark(which, from, to, on) {
    send("mark", { item, side: which, first: Math.min(from, to), end: Math.max(from, to) + 1, on });
  }

  /** Where a key marks next. */
  function go(which, i) {
    word(side, at)?.classList.remove("pg-at");
    [side, at] = [which, i];
    word(side, at)?.classList.add("pg-at");
  }

  function step(by) {
    const next = at + by,
      ends = [0, 1].map((which) => marksOf(which).length);
    if (next >= 0 && next < ends[side]) go(side, next);
    else if (by > 0 ? side === 0 : side === 1) go(1 - side, by > 0 ? 0 : ends[0] - 1);
    word(side, at).scrollIntoView({ block: "nearest" });
  }

  function preview() {
    for (const one of element.querySelectorAll(".pg-dragged")) one.classList.remove("pg-dragged");
    if (!drag) return;
    for (let i = Math.min(drag.from, drag.to); i <= Math.max(drag.from, drag.to); i += 1)
      word(drag.side, i).classList.add("pg-dragged");
  }

  element.addEventListener("pointerdown", (event) => {
    const { side: which, word: i } = event.target.closest(".pg-word")?.dataset ?? {};
    if (i === undefined || event.button !== 0) return;
    event.preventDefault(); // no text is selected
    event.target.releasePointerCapture?.(event.pointerId); // a finger, too, passes over words
    drag = { side: Number(which), from: Number(i), to: Number(i) };
    preview();
  });
  element.addEventListener("pointerover", ({ target }) => {
    const { side: which, word: i } = target.closest(".pg-word")?.dataset ?? {};
    if (!drag || i === undefined || Number(which) !== drag.side) return;
    drag.to = Number(i);
    preview();
  });
  const drop = ({ type }) => {
    if (!drag) return;
    const { side: which, from, to } = drag;
    drag = null;
    preview();
    if (type === "pointercancel") return;
    go(which, to);
    mark(which, from, to, !marksOf(which)[from]);
  };
  for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, drop);

  function draw() {
    const { item: number, pieces, marks, others } = model.get("case");
    if (number !== item) {
      [item, side, at, drag] = [number, 0, 0, null];
      element.hidden = item === null;
      refill(
        element,
        (pieces ?? []).map((texts, which) =>
          make(
            "p",
            {
              class: "pg-sentence",
              dir: "auto",
              role: "group",
              "aria-label": which ? "Second sentence" : "First sentence"
            },
            texts.map((text, k) =>
              k % 2 === 0
                ? make("span", { text })
                : make("span", {
                    class: "pg-word",
                    role: "checkbox",
                    "data-side": which,
                    "data-word": (k - 1) / 2,
                    text
                  })
            )
          )
        )
      );
    }
    for (const [which, sentence] of [...element.children].entries()) {
      for (const [k, one] of [...sentence.children].entries()) {
        const i = (k - 1) / 2,
          times = others[which]?.[i];
        if (k % 2 === 0)
          one.classList.toggle("pg-between", Boolean(marks[which][i - 0.5] && marks[which][i + 0.5]));
        else {
          one.setAttribute("aria-checked", String(Boolean(marks[which][i])));
          one.classList.toggle("pg-other", times > 0);
          one.title = times ? `marked by ${times} other${times > 1 ? "s" : ""}` : "";
        }
      }
    }
    go(side, at);
  }

  const some = (act) => (place, event) => item === null || act(event, place);
  const ACT = {
    move: some(({ shiftKey }, place) => {
      if (place && shiftKey) mark(side, at, at, true);
      step(place ? 1 : -1);
      if (!place && shiftKey) mark(side, at, at, false);
    }),
    mark: some(({ repeat }) => repeat || mark(side, at, at, !marksOf(side)[at])),
    every: some(
      ({ repeat }) => repeat || mark(side, 0, marksOf(side).length - 1, !marksOf(side).every(Boolean))
    ),
    other: some(() => go(1 - side, Math.min(at, marksOf(1 - side).length - 1)))
  };
  const stop = () => ["pointerup", "pointercancel"].forEach((type) => window.removeEventListener(type, drop));
  return { element, draw, ACT, stop };
}
