// Above the picture of an Explorer: its two views, and which labels are drawn.

const VIEWS = { cluster: "one cluster", clusters: "cluster of clusters" };
const LAYERS = [
  ["positive", "+ stated", "paraphrase, stated"],
  ["negative", "− stated", "not a paraphrase, stated"],
  ["conflicts", "conflicts", "negatives inside a cluster, and pairs labelled both 1 and 0"],
  ["inferred_positive", "+ inferred", "paraphrase, inferred from a path of positives"],
  ["inferred_negative", "− inferred", "not a paraphrase, carried over from a stated negative"]
];

const SURE = "Show inferred labels that are right with at least this probability; the thicker, the surer";

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
    const slider = (name, hint, range, format) => ({
      kind: "slider",
      name,
      text: name,
      hint,
      range,
      format,
      value: layers[name]
    });
    const far = [1, Math.max(farthest, layers.distance), 1];
    const follows = layers.inferred_positive || layers.inferred_negative;
    return [
      Object.entries(VIEWS).map(viewButton),
      LAYERS.map(toggle),
      follows && slider("distance", "Show inferred labels up to this distance", far, (most) => `≤ ${most}`),
      "sure" in layers && slider("sure", SURE, [0, 0.99, 0.01], (least) => `≥ ${Number(least).toFixed(2)}`),
      help && askButton(model, help)
    ];
  }

  return { ...controlBar("pg-bar", parts, use), turn };
}
