// Right, above the explanation: the sentences of the picture as a numbered list, then the neighbouring
// clusters.

function rosterPane({ model, send, focus, picture }) {
  const box = html`<ol class="pg-sentences" aria-label="Sentences of the picture"></ol>`;
  const heading = html`<h3></h3>`;
  const element = html`<section class="pg-roster" aria-label="Sentences">${heading}${box}</section>`;
  const list = sentenceList(box, {
    pick(key, event) {
      focus();
      send("select", { keys: chosenBy(event, key, model.get("selected")) });
    },
    point: (key) => picture.point(key === null ? [] : [key])
  });
  let shown = null;

  function draw() {
    const { nodes, listed, scene } = model.get("picture");
    element.hidden = !listed;
    if (!listed || scene === shown) return; // other lines between the same nodes
    shown = scene;
    const sentences = sentencesOf(nodes);
    const homes = new Set(sentences.map(({ home }) => home));
    const titleOf = ({ home, group, parts }) =>
      [homes.size > 1 && `Cluster ${home}`, parts > 1 && `part ${group + 1} of ${parts}`]
        .filter(Boolean)
        .join(", ");
    const entries = [];
    let last;
    for (const node of nodes) {
      const quiet = isClosed(node) && sentences.length > 0;
      const title = quiet ? "Neighbouring clusters" : titleOf(node);
      if (title && title !== last) entries.push({ heading: title });
      last = title;
      entries.push({ key: node.key, number: node.number, spans: node.spans ?? node.text, quiet });
    }
    const rare = html`<small> · <mark>grey</mark>: words that most other sentences do not contain</small>`;
    const count = (sentences.length || nodes.length).toLocaleString();
    refill(
      heading,
      html`<span>${sentences.length ? "Sentences " : "Clusters "}</span><small>${count}</small>`,
      sentences.some(({ spans }) => spans) && rare
    );
    list.fill(entries);
    choose();
    mark();
  }

  function point(keys, name = "pointed") {
    list.flag(name, keys);
    list.show(keys);
  }

  const choose = () => point(model.get("selected"), "chosen");

  /** Sentences that hold what is searched for. */
  function mark() {
    const { hits = [] } = model.get("listing");
    list.flag("hit", hits);
    if (!model.get("selected").length) list.show(hits);
  }

  return { element, draw, choose, mark, point, stop: list.stop };
}
