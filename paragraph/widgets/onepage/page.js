// Figures in sections, each a button that opens something beside it; `make` of dom.js stands above this file.

function render({ model, el }) {
  const root = make("div", { class: "pg-onepage pg-live" });
  const open = (section, fact) => {
    model.send({ intent: "open", section, fact });
    root.querySelectorAll(".pg-fact-open").forEach((old) => old.classList.remove("pg-fact-open"));
    root.querySelector(`[data-fact="${section}-${fact}"]`).classList.add("pg-fact-open");
    root
      .closest(".pg-overview")
      ?.querySelector(".pg-bench")
      ?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  const draw = () =>
    root.replaceChildren(
      make("h2", { text: model.get("title") }),
      ...model.get("sections").map(({ title, facts, note, unit, about }, i) =>
        make(
          "section",
          {},
          make("h3", { text: title }),
          make("div", { class: "pg-fact pg-unit" }, make("b", { text: unit }), make("span", { text: about })),
          ...facts.map(({ value, text, opens, share }, j) =>
            make(
              opens ? "button" : "div",
              {
                class: "pg-fact",
                "data-fact": `${i}-${j}`,
                title: opens ? "Open in the Explorer" : null,
                style: share === null ? null : `--share: ${(100 * share).toFixed(2)}%`,
                on: opens ? { click: () => open(i, j) } : {}
              },
              make("b", { text: value }),
              make("span", { text, dir: "auto" })
            )
          ),
          note ? make("p", { text: note }) : null
        )
      )
    );
  draw();
  model.on("change:sections", draw);
  el.append(root);
  return () => model.off("change:sections", draw);
}

export default { render };
