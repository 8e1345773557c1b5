// Above the picture of an Explorer: its two views, and which labels are drawn.

const VIEWS = { cluster: "one cluster", clusters: "cluster of clusters" };
const LAYERS = [
  ["positive", "+ stated", "paraphrase, stated"],
  ["negative", "− stated", "not a paraphrase, stated"],
  ["conflicts", "conflicts", "negatives inside a cluster, and pairs labelled both 1 and 0"],
  ["inferred_positive", "+ inferred", "paraphrase, inferred from a path of positives"],
  ["inferred_negative", "− inferred", "not a paraphrase, carried over from a stated negative"]
];

/** Probabilities from which on labels are shown, or trusted. */
const LEVELS = [
  ["sure", "Show inferred labels that are right with at least this probability; the thicker, the surer"],
  [
    "trust",
    "Take out stated positives that are right with less than this probability: clusters fall apart. In " +
      "Python, they are explorer.left_out"
  ]
];

function layerBar({ model, send, help, isShown }) {
  /** Drawn at once from what is here; Python adds the inferred labels it had not yet sent. */
  function set(name, value) {
    model.set("layers", { ...model.get("layers"), [name]: value });
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
    html`<label
      title=${help ? hinted(model, hint, "number").replace("1 … 9", i + 1) : hint}
      class="pg-layer pg-${name}"
    >
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

  const said = (least) => `≥ ${Number(least).toFixed(2)}`;
  const level =
    (layers) =>
    ([name, hint]) =>
      name in layers &&
      slider({ name, text: name, hint, range: [0, 0.99, 0.01], value: layers[name], said }, "layer", set);

  function parts() {
    if (!isShown()) return [];
    const layers = model.get("layers");
    const { farthest } = model.get("picture");
    const follows = layers.inferred_positive || layers.inferred_negative;
    return [
      Object.entries(VIEWS).map(viewButton),
      LAYERS.map(toggle),
      follows && distance(layers, farthest),
      LEVELS.map(level(layers)),
      help && askButton(model, help)
    ];
  }

  return { ...controlBar("pg-bar", "layer", parts), turn };
}
