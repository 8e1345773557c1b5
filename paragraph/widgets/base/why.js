// Right: where a label comes from, or what is known of a sentence or a cluster.

function whyPanel({ model, send }) {
  const element = make("section", {
    class: "pg-why",
    "aria-label": "Why",
    "aria-live": "polite",
    tabindex: "-1"
  });

  const go = (key, text) =>
    make(
      "button",
      {
        class: "pg-go",
        dir: "auto",
        title: "Show in the picture",
        "data-key": key,
        on: { click: () => send("show", { key }) }
      },
      text
    );
  const pair = (one) =>
    make(
      "li",
      { class: one.conflict ? "pg-conflict" : "" },
      one.number ? make("kbd", { text: one.number }) : sign(one.sign),
      make(
        "div",
        {},
        one.texts.map((text, i) => go(one.keys[i], sentence(text))),
        make(
          "small",
          {},
          one.said ?? rowsOf(one.rows),
          one.right !== undefined && [
            "; ",
            make(one.weakest ? "strong" : "span", {
              class: "pg-right-with",
              text: `right with ${probability(one.right)}${one.weakest ? ", the weakest step" : ""}`
            })
          ]
        )
      )
    );
  const row = (one) =>
    make(
      "tr",
      {},
      make("td", { text: one.row }),
      make("td", { text: one.label }),
      make("td", {}, sentence(one.texts[0]), make("br"), sentence(one.texts[1]))
    );

  /** What a number of the cluster counts: each line that is drawn is explained at a click. */
  function counted(text, ids) {
    const { nodes, edges } = model.get("picture"),
      ends = new Map(nodes.map((node) => [node.key, node])),
      wanted = new Set(ids);
    const lines = edges
      .filter(({ id }) => wanted.has(id))
      .map(({ id, from, to }) => [id, ends.get(from), ends.get(to)]);
    if (!lines.length) return text;
    const left = ids.length - lines.length,
      rest = left > 0 && make("small", { text: `${left.toLocaleString()} more are not drawn` });
    return make(
      "details",
      {},
      make("summary", { text }),
      lines.map(([id, a, b]) =>
        make(
          "button",
          {
            class: "pg-counted",
            title: "Explain it",
            "data-edge": id,
            on: { click: () => send("edge", { id }) }
          },
          make("small", { text: `${a.number} – ${b.number} ` }),
          sentence(a.text),
          " | ",
          sentence(b.text)
        )
      ),
      rest
    );
  }

  /** A field to answer in; what it holds is sent as it stands. */
  function question({ hint, value }) {
    const answer = () => field.value.trim() && send("answer", { answer: field.value });
    const field = make("input", {
      type: "text",
      placeholder: hint,
      "aria-label": `Answer: ${hint}`,
      value,
      on: { keydown: ({ key }) => key === "Enter" && answer() }
    });
    return make(
      "div",
      { class: "pg-actions" },
      field,
      make("button", { class: "pg-action", text: "Check", on: { click: answer } })
    );
  }

  /** Shares between 0 and 1, step by step. */
  function chart(points) {
    const steps = points.length - 1;
    const [first, last] = [points[0], points.at(-1)].map((share) => Math.round(100 * share));
    const label = `From ${first} % to ${last} % in ${steps} steps`;
    const spot = (share, i) => [30 + (200 * i) / Math.max(1, steps), 10 + 80 * (1 - share)],
      [cx, cy] = spot(points.at(-1), steps);
    return make(
      "svg",
      { viewBox: "-8 0 248 110", class: "pg-chart", role: "img", "aria-label": label },
      [0, 0.5, 1]
        .map((share) => [share, spot(share, 0)[1]])
        .map(([share, y]) => [
          make("line", { x1: 30, x2: 230, y1: y, y2: y, class: "pg-grid-line" }),
          make("text", { x: 26, y: y + 4, "text-anchor": "end", text: `${100 * share} %` })
        ]),
      make("text", { x: 230, y: 106, "text-anchor": "end", text: `step ${steps}` }),
      make("polyline", {
        points: points
          .map(spot)
          .map((at) => at.join(","))
          .join(" "),
        class: "pg-curve"
      }),
      make("circle", { cx, cy, r: 3, class: "pg-dot" })
    );
  }

  /** A table: `columns` above, a row of elements for each entry. */
  const table = (name, columns, entries) =>
    make(
      "table",
      { class: `pg-table ${name}` },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          columns.map((text) => make("th", { scope: "col", text }))
        )
      ),
      make("tbody", {}, entries)
    );
  const proposal = ({ badge, gloss, text, reasons }) =>
    make(
      "div",
      { class: "pg-proposal" },
      make("span", { class: "pg-badge", text: badge }),
      gloss && make("small", { text: ` ${gloss}` }),
      make("p", { text }),
      reasons.length > 0 &&
        make(
          "ul",
          {},
          reasons.map((reason) => make("li", { dir: "auto", text: reason }))
        )
    );
  const act = ({ text, intent, content, pressed }) =>
    make("button", {
      class: "pg-action",
      text,
      "aria-pressed": pressed ? "true" : null,
      on: { click: () => send(intent, content) }
    });
  /** Text to be copied: it is chosen as a whole. */
  const copied = ([text]) =>
    make("textarea", {
      class: "pg-copy",
      readonly: true,
      rows: 9,
      "aria-label": "To be copied",
      text,
      on: { focus: ({ target }) => target.select(), click: ({ target }) => target.select() }
    });
  /** A part with a heading, where there is something in it. */
  const section = (title, entries, part) =>
    entries?.length > 0 && [make("h4", { text: title }), part(entries)];

  const parts = (why) =>
    [
      make("h3", { text: why.title ?? "Why?" }),
      why.badge && make("span", { class: `pg-badge pg-badge-${why.badge}`, text: why.badge }),
      why.done && make("span", { class: "pg-badge pg-badge-right", text: why.done }),
      why.text && make("p", { text: why.text }),
      why.how && make("p", { class: "pg-small", text: why.how }),
      why.pair &&
        make(
          "div",
          { class: "pg-pair" },
          why.pair.map((spans, i) => make("div", {}, go(why.keys[i], sentence(spans))))
        ),
      why.sentence && make("p", {}, sentence(why.sentence, "pg-whole")),
      why.facts?.length &&
        terms(
          why.facts.map(([name, text]) => [name, counted(text, why.lists?.[name] ?? [])]),
          { class: "pg-facts" }
        ),
      why.central && [
        make("h4", { text: why.central.title }),
        go(why.central.key, sentence(why.central.text))
      ],
      (why.words ?? []).map(({ title, words }) =>
        section(title, words, (some) =>
          make(
            "p",
            { class: "pg-words" },
            some.map(([word, count]) =>
              make(
                "button",
                {
                  dir: "auto",
                  text: word,
                  title: "Search this word",
                  on: { click: () => send("query", { words: word }) }
                },
                make("small", { text: ` ${count.toLocaleString()}` })
              )
            )
          )
        )
      ),
      why.choices?.length &&
        make("div", { class: "pg-actions", role: "group", "aria-label": "Answers" }, why.choices.map(act)),
      why.ask && question(why.ask),
      why.actions?.length && make("div", { class: "pg-actions" }, why.actions.map(act)),
      why.grade &&
        make(
          "div",
          { class: "pg-grade", role: "status" },
          make("span", { class: `pg-badge pg-badge-${why.grade.badge}`, text: why.grade.badge }),
          make("p", { text: why.grade.text })
        ),
      why.copy && section(why.copy.title, [why.copy.text], copied),
      section(why.hints_title, why.hints, (hints) =>
        make(
          "ol",
          { class: "pg-hints" },
          hints.map((text) => make("li", { text }))
        )
      ),
      why.proposal && proposal(why.proposal),
      why.chart && section(why.chart.title, why.chart.points, chart),
      section(why.steps_title, why.steps, (steps) => make("ol", { class: "pg-steps" }, steps.map(pair))),
      section(why.pairs_title, why.pairs, (pairs) => make("ul", { class: "pg-pairs" }, pairs.map(pair))),
      why.table &&
        section(why.table.title, why.table.rows, (rows) =>
          table(
            "pg-what-if",
            why.table.head,
            rows.map((texts) =>
              make(
                "tr",
                {},
                texts.map((text) => make("td", { text }))
              )
            )
          )
        ),
      section(why.rows_title ?? "Rows", why.rows, (rows) =>
        table("", ["row", "label", "pair"], rows.map(row))
      ),
      why.note && make("p", { class: "pg-small", text: why.note })
    ].flat(3);

  function draw() {
    refill(element, parts(model.get("why")));
    element.scrollTop = 0;
  }

  return { element, draw };
}
