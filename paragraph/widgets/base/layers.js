// Above the picture of an Explorer: its two views and the layers drawn; below it, a legend of its colours.

const VIEWS = { cluster: "one cluster", clusters: "cluster of clusters" };
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
    model.set("layers", { ...model.get("layers"), [name]: value });
    model.save_changes();
    send("layers", { layers: model.get("layers") });
  }

  function turn(place) {
    const [name] = LAYERS[place] ?? [];
    if (name) set(name, !model.get("layers")[name]);
  }

  function use(name, value) {
    if (name in VIEWS) send("view", { view: name });
    else set(name, value);
  }

  function parts() {
    if (!isShown()) return [];
    const layers = model.get("layers");
    const { farthest, view } = model.get("picture");
    const [, , keys] = keyRow(model, "number");
    const viewButton = ([name, text]) => ({
      kind: "button",
      name,
      text,
      hint: hinted(model, "view"),
      pressed: name === view
    });
    const toggle = ([name, text, meaning], i) => {
      const hint = help ? `${meaning} (${keys[i]})` : meaning;
      return { kind: "toggle", name, text, hint, line: name, value: layers[name] };
    };
    const distance = {
      kind: "slider",
      name: "distance",
      text: "distance",
      hint: "Show inferred labels up to this distance",
      range: [1, Math.max(farthest, layers.distance), 1],
      format: (most) => `≤ ${most}`,
      value: layers.distance
    };
    const follows = layers.inferred_positive || layers.inferred_negative;
    return [
      Object.entries(VIEWS).map(viewButton),
      LAYERS.map(toggle),
      follows && distance,
      help && askButton(model, help)
    ];
  }

  return { ...controlBar("pg-bar", parts, use), turn };
}

/** Below the picture: the legend of its colours. `isShown()`: has it such colours? */
function legendBar({ model, isShown }) {
  function parts() {
    if (!isShown()) return [];
    const hasParts = model.get("picture").nodes.some(({ parts: count }) => count > 1);
    return [
      html`<div class="pg-shades">
        <span><i style="background: var(--pg-halo)"></i>in a conflict</span>
        ${hasParts && html`<span>soft grounds: the parts of the cluster</span>`}
      </div>`
    ];
  }

  return controlBar("pg-looks", parts, () => {});
}
