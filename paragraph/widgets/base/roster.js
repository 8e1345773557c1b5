// Right, above the explanation: the sentences of the picture as a numbered list, then the neighbouring
// clusters.

function rosterPane({ model, send, focus, picture }) {
  const box = make("ol", { class: "pg-sentences", "aria-label": "Sentences of the picture" }),
    heading = make("h3");
  const element = make("section", { class: "pg-roster", "aria-label": "Sentences" }, heading, box);
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
    if (element.hidden || scene === shown) return; // other lines between the same nodes
    shown = scene;
    const sentences = nodes.filter(({ cluster }) => cluster === undefined),
      homes = new Set(sentences.map(({ home }) => home)).size;
    const entries = [];
    let last = null;
    for (const { key, number, text, spans, home, group, parts, cluster } of nodes) {
      const beside = cluster !== undefined && sentences.length > 0;
      const title = beside
        ? "Neighbouring clusters"
        : [homes > 1 && `Cluster ${home}`, parts > 1 && `part ${group + 1} of ${parts}`]
            .filter(Boolean)
            .join(", ");
      if (title && title !== last) entries.push({ heading: title });
      last = title;
      entries.push({ key, number, spans: spans ?? text, quiet: beside });
    }
    refill(
      heading,
      make("span", { text: sentences.length ? "Sentences " : "Clusters " }),
      make("small", { text: (sentences.length || nodes.length).toLocaleString() }),
      sentences.some(({ spans }) => spans) &&
        make("small", { text: " · " }, make("mark", { text: "word" }), " that most of the others lack")
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

  return { element, draw, choose, mark, point };
}
