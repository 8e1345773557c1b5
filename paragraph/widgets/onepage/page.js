// Figures in sections, each a button that opens something beside it; `html` of dom.js stands above this file.

function render({ model, el }) {
  const root = html`<div class="pg-onepage pg-live"></div>`;

  function open({ currentTarget: pressed }, section, fact) {
    model.send({ intent: "open", section, fact });
    root.querySelector(".pg-fact-open")?.classList.remove("pg-fact-open");
    pressed.classList.add("pg-fact-open");
    const bench = root.closest(".pg-overview")?.querySelector(".pg-bench");
    bench?.scrollIntoView({ block: "nearest" });
  }

  function figure({ value, text, opens, share }, section, fact) {
    const style = share === null ? null : `--share: ${(100 * share).toFixed(2)}%`;
    return html`<button
      class="pg-fact"
      title=${opens && "Open in the Explorer"}
      style=${style}
      disabled=${!opens}
      @click=${(event) => open(event, section, fact)}
    >
      <b>${value}</b><span dir="auto">${text}</span>
    </button>`;
  }

  const section = ({ title, facts, note, unit, about }, i) =>
    html`<section>
      <h3>${title}</h3>
      <div class="pg-fact pg-unit"><b>${unit}</b><span>${about}</span></div>
      ${facts.map((fact, j) => figure(fact, i, j))}${note && html`<p>${note}</p>`}
    </section>`;

  const draw = () =>
    root.replaceChildren(
      html`<h2>${model.get("title")}</h2>
        ${model.get("sections").map(section)}`
    );
  draw();
  el.append(root);
  return listenTo(model, { "change:sections": draw });
}

export default { render };
