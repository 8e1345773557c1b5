// Right: where a label comes from, or what is known of a sentence or a cluster.

function whyPanel({ model, send }) {
  const element = make("section", { class: "pg-why", "aria-label": "Why", "aria-live": "polite", tabindex: "-1" });

  const go = (key, text) => make("button", { class: "pg-go", dir: "auto", title: "Show in the picture", "data-key": key,
    on: { click: () => send("show", { key }) } }, text);
  const pair = (one) => make("li", { class: one.conflict ? "pg-conflict" : "" }, sign(one.sign),
    make("div", {}, one.texts.map((text, i) => go(one.keys[i], sentence(text))), make("small", { text: rowsOf(one.rows) })));
  const row = (one) => make("tr", {}, make("td", { text: one.row }), make("td", { text: one.label }),
    make("td", {}, sentence(one.texts[0]), make("br"), sentence(one.texts[1])));

  function parts(said) {
    const found = [make("h3", { text: said.title ?? "Why?" })];
    if (said.badge) found.push(make("span", { class: `pg-badge pg-badge-${said.badge}`, text: said.badge }));
    if (said.text) found.push(make("p", { text: said.text }));
    if (said.pair) found.push(make("div", { class: "pg-pair" }, said.pair.map((spans, i) => make("div", {}, go(said.keys[i], sentence(spans))))));
    if (said.sentence) found.push(make("p", {}, sentence(said.sentence, "pg-whole")));
    if (said.facts?.length) {
      found.push(make("dl", { class: "pg-facts" }, said.facts.flatMap(([name, value]) => [make("dt", { text: name }), make("dd", { text: value })])));
    }
    if (said.action) {
      const { text, intent, content } = said.action;
      found.push(make("button", { class: "pg-action", text, on: { click: () => send(intent, content) } }));
    }
    if (said.steps?.length) found.push(make("h4", { text: said.steps_title }), make("ol", { class: "pg-steps" }, said.steps.map(pair)));
    if (said.pairs?.length) found.push(make("h4", { text: said.pairs_title }), make("ul", { class: "pg-pairs" }, said.pairs.map(pair)));
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
