// Right: where a label comes from, or what is known of a sentence or a cluster.

function whyPanel({ model, send }) {
  const element = html`<section class="pg-why" aria-label="Why" aria-live="polite" tabindex="-1"></section>`;

  const go = (key, text) =>
    sentenceButton("pg-go", "Show in the picture", key, text, () => send("show", { key }));

  const pair = ({ conflict, number, sign: s, texts, keys, rows }) =>
    html`<li class=${conflict ? "pg-conflict" : ""}>
      ${number ? html`<kbd>${number}</kbd>` : sign(s)}
      <div>
        ${texts.map((text, i) => go(keys[i], text))}
        <small>${rowsOf(rows)}</small>
      </div>
    </li>`;

  /** What the person's own columns say of a row. */
  const beside = (columns) =>
    html`<div class="pg-beside">
      ${columns.map(([name, value]) => html`<span><bdi>${name}</bdi> <b dir="auto">${value}</b></span>`)}
    </div>`;

  const row = ({ row: name, label, texts: [one, other], beside: columns = [] }) =>
    html`<tr>
      <td>${name}</td>
      <td>${label}</td>
      <td>${sentence(one)}<br />${sentence(other)}${columns.length > 0 && beside(columns)}</td>
    </tr>`;

  /** A number of the cluster: each line that it counts and that is drawn is explained at a click. */
  function counted(text, ids = []) {
    const { nodes, edges } = model.get("picture");
    const end = (key) => nodes.find((node) => node.key === key);
    const wanted = new Set(ids);
    const lines = edges.filter(({ id }) => wanted.has(id));
    if (!lines.length) return text;
    const left = ids.length - lines.length;
    const line = ({ id, from, to }) => {
      const a = end(from);
      const b = end(to);
      return html`<button
        class="pg-counted"
        title="Explain it"
        data-edge=${id}
        @click=${() => send("edge", { id })}
      >
        <small>${a.number} – ${b.number} </small>${sentence(a.text)}${" | "}${sentence(b.text)}
      </button>`;
    };
    return html`<details>
      <summary>${text}</summary>
      ${lines.map(line)}${left > 0 && html`<small>${inThousands(left)} more are not drawn</small>`}
    </details>`;
  }

  /** A field to answer in; what it holds is sent as it stands. */
  function question({ hint, value, button = "Check", unsent = "" }) {
    const answer = () => field.value.trim() && send("answer", { answer: field.value });
    const state = html`<small role="status"></small>`;
    const field = html`<input
      type="text"
      placeholder=${hint}
      aria-label="Answer: ${hint}"
      value=${value}
      @input=${() => state.replaceChildren(field.value === value ? "" : unsent)}
      @keydown=${({ key, isComposing }) => key === "Enter" && !isComposing && answer()}
    />`;
    return html`<div class="pg-actions">
      ${field}<button class="pg-action" @click=${answer}>${button}</button>${state}
    </div>`;
  }

  const table = (name, columns, rows) =>
    html`<table class="pg-table ${name}">
      <thead>
        <tr>
          ${columns.map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;

  const proposal = ({ badge, gloss, text, reasons }) =>
    html`<div class="pg-proposal">
      <span class="pg-badge">${badge}</span>${gloss && html`<small> ${gloss}</small>`}
      <p>${text}</p>
      ${
        reasons.length > 0 &&
        html`<ul>
          ${items(reasons)}
        </ul>`
      }
    </div>`;

  const act = ({ text, intent, content, pressed }) =>
    html`<button
      class="pg-action"
      aria-pressed=${pressed ? true : null}
      @click=${() => send(intent, content)}
    >
      ${text}
    </button>`;

  /** Text to be copied: it is chosen as a whole. */
  function copied(text) {
    const choose = ({ target }) => target.select();
    const area = html`<textarea
      class="pg-copy"
      readonly
      rows="9"
      aria-label="To be copied"
      @focus=${choose}
      @click=${choose}
    ></textarea>`;
    area.value = text;
    return area;
  }

  const word = ([text, count]) =>
    html`<button dir="auto" title="Search this word" @click=${() => send("query", { words: text })}>
      ${text}<small> ${inThousands(count)}</small>
    </button>`;
  const items = (texts) => texts.map((text) => html`<li dir="auto">${text}</li>`);
  const cells = (texts) =>
    html`<tr>
      ${texts.map((text) => html`<td>${text}</td>`)}
    </tr>`;
  const fact = ([name, text], lists = {}) => [name, counted(text, lists[name])];

  /** Something under a heading, where there is any of it. */
  const section = (title, entries, part) => entries?.length > 0 && [html`<h4>${title}</h4>`, part(entries)];

  const parts = (why) => [
    html`<h3>${why.title ?? "Why?"}</h3>`,
    why.badge && html`<span class="pg-badge pg-badge-${why.badge}">${why.badge}</span>`,
    why.done && html`<span class="pg-badge pg-badge-right">${why.done}</span>`,
    why.text && html`<p class="pg-text">${byHand(why.text)}</p>`,
    why.how && html`<p class="pg-small">${byHand(why.how)}</p>`,
    why.pair &&
      html`<div class="pg-pair">
        ${why.pair.map((spans, i) => html`<div>${go(why.keys[i], spans)}</div>`)}
      </div>`,
    why.sentence && html`<p class="pg-whole">${sentence(why.sentence)}</p>`,
    why.facts?.length > 0 &&
      html`<dl class="pg-facts">${terms(why.facts.map((one) => fact(one, why.lists)))}</dl>`,
    why.central && [html`<h4>${why.central.title}</h4>`, go(why.central.key, why.central.text)],
    why.words?.map(({ title, words }) =>
      section(title, words, () => html`<p class="pg-words">${words.map(word)}</p>`)
    ),
    why.choices?.length > 0 &&
      html`<div class="pg-actions" role="group" aria-label="Answers">${why.choices.map(act)}</div>`,
    why.ask && question(why.ask),
    why.actions?.length > 0 && html`<div class="pg-actions">${why.actions.map(act)}</div>`,
    why.grade &&
      html`<div class="pg-grade" role="status">
        <span class="pg-badge pg-badge-${why.grade.badge}">${why.grade.badge}</span>
        <p>${why.grade.text}</p>
      </div>`,
    section(why.copy?.title, why.copy?.text, copied),
    section(
      why.hints_title,
      why.hints,
      (hints) =>
        html`<ol class="pg-hints">
          ${items(hints)}
        </ol>`
    ),
    why.proposal && proposal(why.proposal),
    section(
      why.steps_title,
      why.steps,
      (steps) =>
        html`<ol class="pg-steps">
          ${steps.map(pair)}
        </ol>`
    ),
    section(
      why.pairs_title,
      why.pairs,
      (pairs) =>
        html`<ul class="pg-pairs">
          ${pairs.map(pair)}
        </ul>`
    ),
    section(why.table?.title, why.table?.rows, (rows) =>
      table("pg-what-if", why.table.head, rows.map(cells))
    ),
    section(why.rows_title ?? "Rows", why.rows, (rows) => table("", ["row", "label", "pair"], rows.map(row))),
    why.note && html`<p class="pg-small">${byHand(why.note)}</p>`
  ];

  function draw() {
    refill(element, parts(model.get("why")));
    element.scrollTop = 0;
  }

  return { element, draw };
}
