// Right, above the explanation: the sentences of the picture as a numbered list, then the neighbouring clusters.

function rosterPane({ model, send, focus, picture }) {
  const box = make("ol", { class: "pg-sentences", "aria-label": "Sentences of the picture" });
  let shown = null;
  const heading = make("h3"), element = make("section", { class: "pg-roster", "aria-label": "Sentences" }, heading, box);
  const list = sentenceList(box, {
    pick(key, { ctrlKey, metaKey, shiftKey }) {
      const chosen = model.get("selected"), more = ctrlKey || metaKey || shiftKey;
      focus();
      send("select", { keys: !more ? [key] : chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key] });
    },
    point: (key) => picture.point(key === null ? [] : [key]),
  });

  function draw() {
    const { nodes, listed, scene } = model.get("picture");
    element.hidden = !listed;
    if (element.hidden || scene === shown) return; // other lines between the same nodes
    shown = scene;
    const sentences = nodes.filter(({ cluster }) => cluster === undefined), entries = [];
    const homes = new Set(sentences.map(({ home }) => home)).size;
    let last = null;
    for (const node of nodes) {
      const { key, number, text, spans, home, group, parts, cluster } = node;
      const heading = cluster !== undefined ? (sentences.length ? "Neighbouring clusters" : null)
        : [homes > 1 && `Cluster ${home}`, parts > 1 && `part ${group + 1} of ${parts}`].filter(Boolean).join(", ");
      if (heading && heading !== last) entries.push({ heading });
      last = heading;
      entries.push({ key, number, spans: spans ?? text, quiet: cluster !== undefined && sentences.length > 0 });
    }
    refill(heading, make("span", { text: sentences.length ? "Sentences " : "Clusters " }), make("small", { text: (sentences.length || nodes.length).toLocaleString() }));
    list.fill(entries);
    choose();
    mark();
  }

  function choose() {
    list.flag("chosen", model.get("selected"));
    list.show(model.get("selected"));
  }

  /** Sentences that hold what is searched for. */
  function mark() {
    const { hits = [] } = model.get("listing");
    list.flag("hit", hits);
    if (!model.get("selected").length) list.show(hits);
  }

  /** Those that the pointer is on in the picture. */
  function point(keys) {
    list.flag("pointed", keys);
    list.show(keys);
  }

  return { element, draw, choose, mark, point };
}
