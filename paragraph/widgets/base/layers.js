// Above the picture of an Explorer: its two views, and which labels are drawn.

const VIEWS = { cluster: "one cluster", clusters: "cluster of clusters" };
/** What can be shown of a picture: a name, and its layers. */
const SHOWN = [
  ["all sentences", { paths: false, degree: 0 }],
  ["conflicts, their paths", { paths: true, degree: 0 }],
  ...[2, 3, 5, 10].map((degree) => [`≥ ${degree} positives`, { paths: false, degree }])
];
const LAYERS = [
  ["positive", "+ stated", "paraphrase, stated"],
  ["negative", "− stated", "not a paraphrase, stated"],
  ["conflicts", "conflicts", "negatives inside a cluster, and pairs labelled both 1 and 0"],
  ["inferred_positive", "+ inferred", "paraphrase, inferred from a path of positives"],
  ["inferred_negative", "− inferred", "not a paraphrase, carried over from a stated negative"]
];

function layerBar({ model, send, help, isShown }) {
  /** Drawn at once from what is here; Python adds the inferred labels it had not yet sent. */
  function set(name, value) {
    setAll({ [name]: value });
  }

  function setAll(values) {
    model.set("layers", { ...model.get("layers"), ...values });
    model.save_changes();
    send("layers", { layers: model.get("layers") });
  }

  function turn(place) {
    const [name] = LAYERS[place] ?? [];
    if (name) set(name, !model.get("layers")[name]);
  }

  const viewButton = ([name, text]) =>
    html`<button
      title=${hinted(model, "Switch", "view")}
      aria-pressed=${name === model.get("picture").view}
      data-layer=${name}
      @click=${() => send("view", { view: name })}
    >
      ${text}
    </button>`;

  const toggle = ([name, text, hint], i) =>
    html`<label title=${hinted(model, hint, "number").replace("1 … 9", i + 1)} class="pg-layer pg-${name}">
      <input
        type="checkbox"
        checked=${model.get("layers")[name]}
        data-layer=${name}
        @change=${({ target }) => set(name, target.checked)}
      />
      <i aria-hidden="true"></i><span>${text}</span>
    </label>`;

  function distance({ distance: value }, farthest) {
    const hint = "Show inferred labels up to this distance";
    const range = [1, Math.max(farthest, value), 1];
    const said = (far) => `≤ ${far}`;
    return slider({ name: "distance", text: "distance", hint, range, value, said }, "layer", set);
  }

  function sureness({ sure, distance: far, ...layers }, inferred) {
    const near = inferred.filter(([, , s, steps]) => layers[INFERRED[s]] && steps <= far);
    const said = (least) => {
      const hidden = near.filter(([, , , , right]) => !isSure(right, least));
      const [few, all] = [hidden, near].map(({ length }) => length.toLocaleString());
      if (!near.length) return `≥ ${Number(least).toFixed(2)}, of inferred labels`;
      return `≥ ${Number(least).toFixed(2)}, ${few} of ${all} hidden`;
    };
    const hint = "Show inferred labels that are right with at least this probability; the thicker, the surer";
    return slider(
      { name: "sure", text: "sure", hint, range: [0, 0.99, 0.01], value: sure, said },
      "layer",
      set
    );
  }

  function trusted({ trust }) {
    const hint =
      "Take out stated positives whose probability of being right is lower: clusters fall apart. " +
      "In Python, they are explorer.left_out";
    const said = (least) => (Number(least) ? `≥ ${Number(least).toFixed(2)}` : "all labels");
    const range = [0, 0.99, 0.01];
    return slider({ name: "trust", text: "trust", hint, range, value: trust, said }, "layer", set);
  }

  function showing({ paths, degree }) {
    const options = SHOWN.map(([text], i) => [i, text]);
    const value = SHOWN.findIndex(([, of]) => of.paths === paths && of.degree === degree);
    if (value < 0) options.push([value, `≥ ${degree} positives`]);
    const hint = "Which sentences are drawn";
    return namedChoice({ name: "show", text: "show", hint, options, value }, "layer", (_, i) =>
      setAll(SHOWN[i]?.[1] ?? {})
    );
  }

  function parts() {
    if (!isShown()) return [];
    const layers = model.get("layers");
    const { farthest, inferred } = model.get("picture");
    const follows = layers.inferred_positive || layers.inferred_negative;
    const title = hinted(model, "Keys", "help");
    return [
      Object.entries(VIEWS).map(viewButton),
      LAYERS.map(toggle),
      follows && distance(layers, farthest),
      "sure" in layers && sureness(layers, inferred),
      "trust" in layers && trusted(layers),
      "paths" in layers && showing(layers),
      html`<button title=${title} class="pg-ask" aria-label="Keys" data-layer="help" @click=${help}>
        ?
      </button>`
    ];
  }

  return { ...controlBar("pg-bar", "layer", parts), turn };
}
