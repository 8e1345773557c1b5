// Right, above the explanation: the sentences of the picture as a numbered list, then the neighbouring
// clusters; linked both ways with what is drawn.

function rosterPane({ model, send, focus, picture }) {
  const box = html`<ol class="pg-sentences" aria-label="Sentences of the picture"></ol>`;
  const heading = html`<h3></h3>`;
  const element = html`<section class="pg-roster" aria-label="Sentences">${heading}${box}</section>`;
  const items = new Map(); // by key
  let shown = null;

  function pick(key, event) {
    focus();
    send("select", { keys: chosenBy(event, key, model.get("selected")) });
  }

  function entry({ key, number, text, quiet }) {
    const item = html`<li
      value=${number}
      tabindex="0"
      data-key=${key}
      class=${quiet && "quiet"}
      @click=${(event) => pick(key, event)}
      @keydown=${(event) => event.key === "Enter" && pick(key, event)}
      @pointerenter=${() => picture.point([key])}
      @pointerleave=${() => picture.point([])}
    >
      ${sentence(text)}
    </li>`;
    items.set(key, item);
    return item;
  }

  function draw() {
    const { nodes, listed, scene } = model.get("picture");
    element.hidden = !listed;
    if (!listed || scene === shown) return; // other lines between the same nodes
    shown = scene;
    const sentences = sentencesOf(nodes);
    const homes = unique(sentences.map(({ home }) => home));
    function titleOf({ home, group, parts }) {
      const names = [homes.length > 1 && `Cluster ${home}`, parts > 1 && `part ${group + 1} of ${parts}`];
      return joined(names, ", ");
    }
    items.clear();
    const isBeside = (node) => isClosed(node) && sentences.length > 0;
    const groups = grouped(nodes, (node) => (isBeside(node) ? "Neighbouring clusters" : titleOf(node)));
    const entries = [...groups].map(([title, some]) => [
      title && html`<li class="heading" role="presentation">${title}</li>`,
      some.map((node) => entry({ ...node, quiet: isBeside(node) }))
    ]);
    const count = inThousands(sentences.length || nodes.length);
    heading.replaceChildren(sentences.length ? "Sentences " : "Clusters ", html`<small>${count}</small>`);
    refill(box, entries);
    box.scrollTop = 0;
    choose();
    mark();
  }

  const show = (keys) => reveal(box, keys.map((key) => items.get(key)).filter(Boolean));

  /** Give a class to the entries of these keys, and to no other. */
  function flag(name, keys) {
    for (const [key, item] of items) item.classList.toggle(name, keys.includes(key));
  }

  function point(keys, name = "pointed") {
    flag(name, keys);
    show(keys);
  }

  const choose = () => point(model.get("selected"), "chosen");

  /** Sentences that hold what is searched for. */
  function mark() {
    const { hits = [] } = model.get("listing");
    flag("hit", hits);
    if (!model.get("selected").length) show(hits);
  }

  return { element, draw, choose, mark, point };
}
