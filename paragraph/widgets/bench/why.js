// Right: where a label comes from, or what is known of a sentence or a cluster.

function whyPanel({ model, send }) {
  const element = make("section", { class: "pg-why", "aria-label": "Why", "aria-live": "polite", tabindex: "-1" });

  const go = (key, text) => make("button", { class: "pg-go", dir: "auto", title: "Show in the picture", "data-key": key,
    on: { click: () => send("show", { key }) } }, text);
  const pair = (one) => make("li", { class: one.conflict ? "pg-conflict" : "" }, one.number ? make("kbd", { text: one.number }) : sign(one.sign),
    make("div", {}, one.texts.map((text, i) => go(one.keys[i], sentence(text))), make("small", { text: rowsOf(one.rows) })));
  const row = (one) => make("tr", {}, make("td", { text: one.row }), make("td", { text: one.label }),
    make("td", {}, sentence(one.texts[0]), make("br"), sentence(one.texts[1])));

  /** A field to answer in; what it holds is sent as it stands. */
  function question(hint) {
    const field = make("input", { type: "text", placeholder: hint, "aria-label": `Answer: ${hint}` });
    const answer = () => field.value.trim() && send("answer", { answer: field.value });
    field.addEventListener("keydown", (event) => event.key === "Enter" && answer());
    return make("div", { class: "pg-actions" }, field, make("button", { class: "pg-action", text: "Check", on: { click: answer } }));
  }

  /** Shares between 0 and 1, step by step. */
  function chart(points) {
    const draw = (tag, attributes, parent) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      parent?.append(made);
      return made;
    };
    const svg = draw("svg", { viewBox: "0 0 240 110", class: "pg-chart", role: "img",
      "aria-label": `From ${Math.round(100 * points[0])} % to ${Math.round(100 * points.at(-1))} % in ${points.length - 1} steps` });
    const spot = (share, i) => [30 + (200 * i) / Math.max(1, points.length - 1), 10 + 80 * (1 - share)];
    for (const share of [0, 0.5, 1]) {
      draw("line", { x1: 30, x2: 230, y1: spot(share, 0)[1], y2: spot(share, 0)[1], class: "pg-grid-line" }, svg);
      draw("text", { x: 26, y: spot(share, 0)[1] + 4, "text-anchor": "end" }, svg).textContent = `${100 * share} %`;
    }
    draw("text", { x: 230, y: 106, "text-anchor": "end" }, svg).textContent = `step ${points.length - 1}`;
    draw("polyline", { points: points.map(spot).map((at) => at.join(",")).join(" "), class: "pg-curve" }, svg);
    const [x, y] = spot(points.at(-1), points.length - 1);
    draw("circle", { cx: x, cy: y, r: 3, class: "pg-dot" }, svg);
    return svg;
  }

  function parts(said) {
    const found = [make("h3", { text: said.title ?? "Why?" })];
    if (said.badge) found.push(make("span", { class: `pg-badge pg-badge-${said.badge}`, text: said.badge }));
    if (said.text) found.push(make("p", { text: said.text }));
    if (said.pair) found.push(make("div", { class: "pg-pair" }, said.pair.map((spans, i) => make("div", {}, go(said.keys[i], sentence(spans))))));
    if (said.sentence) found.push(make("p", {}, sentence(said.sentence, "pg-whole")));
    if (said.facts?.length) {
      found.push(make("dl", { class: "pg-facts" }, said.facts.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })])));
    }
    if (said.actions?.length) {
      found.push(make("div", { class: "pg-actions" }, said.actions.map(({ text, intent, content }) =>
        make("button", { class: "pg-action", text, on: { click: () => send(intent, content) } }))));
    }
    if (said.proposal) {
      const { badge, text, reasons } = said.proposal;
      found.push(make("div", { class: "pg-proposal" }, make("span", { class: "pg-badge", text: badge }), make("p", { text }),
        reasons.length ? make("ul", {}, reasons.map((reason) => make("li", { dir: "auto", text: reason }))) : null));
    }
    if (said.ask) found.push(question(said.ask));
    if (said.chart) found.push(make("h4", { text: said.chart.title }), chart(said.chart.points));
    if (said.steps?.length) found.push(make("h4", { text: said.steps_title }), make("ol", { class: "pg-steps" }, said.steps.map(pair)));
    if (said.pairs?.length) found.push(make("h4", { text: said.pairs_title }), make("ul", { class: "pg-pairs" }, said.pairs.map(pair)));
    if (said.table) {
      const cells = (tag, texts) => make("tr", {}, texts.map((text) => make(tag, { text, scope: tag === "th" && "col" })));
      found.push(make("h4", { text: said.table.title }), make("table", { class: "pg-table pg-what-if" },
        make("thead", {}, cells("th", said.table.head)), make("tbody", {}, said.table.rows.map((one) => cells("td", one)))));
    }
    if (said.rows?.length) {
      found.push(make("h4", { text: said.rows_title ?? "Rows" }), make("table", { class: "pg-table" },
        make("thead", {}, make("tr", {}, ["row", "label", "pair"].map((text) => make("th", { scope: "col", text })))),
        make("tbody", {}, said.rows.map(row))));
    }
    if (said.note) found.push(make("p", { class: "pg-small", text: said.note }));
    return found;
  }

  function draw() {
    refill(element, ...parts(model.get("why")));
    element.scrollTop = 0;
  }

  return { element, draw };
}
