// A list beside a live signed graph beside an explanation. Python holds the truth; this draws it and sends
// intents. The other files of this folder stand above this one when they are joined.

const PATIENCE = 6; // seconds in which an idle Python does not answer before a message says so
const BUSY = "Python is busy: a cell is running. Clicks are answered when it is through.";
const SILENT =
  "Python does not answer. If it is busy, wait; if it was stopped, run this cell, or the command, again.";
const GONE =
  "The kernel was restarted or stopped: what is shown stands still. " +
  "Run this cell again, or start the command again, to go on.";

const VIEWS = { cluster: "one cluster", clusters: "cluster of clusters" };
const LAYERS = [
  ["positive", "+ stated", "paraphrase, stated"],
  ["negative", "− stated", "not a paraphrase, stated"],
  ["conflicts", "conflicts", "negatives inside a cluster, and pairs stated both ways"],
  ["inferred_positive", "+ inferred", "paraphrase, inferred by a path"],
  ["inferred_negative", "− inferred", "not a paraphrase, carried over from a stated negative"]
];

function render({ model, el }) {
  // -- talking to Python --------------------------------------------------------------------------
  let sent = 0,
    waiting = null;
  const send = (intent, content = {}) => {
    sent = Math.max(sent, model.get("ack")) + 1; // another view of this bench may have asked since
    root.dataset.asked = sent;
    wait();
    try {
      model.send({ intent, n: sent, ...content });
    } catch {
      complain(GONE);
    }
  };
  const answered = () => {
    root.dataset.answered = model.get("ack");
    if (model.get("ack") < sent) return;
    clearInterval(waiting);
    banner.hidden = true;
  };
  const complain = (text, quiet = false) => {
    if (!quiet) clearInterval(waiting);
    banner.textContent = text;
    banner.classList.toggle("pg-quiet", quiet);
    banner.setAttribute("role", quiet ? "status" : "alert");
    banner.hidden = false;
  };
  /** A busy kernel answers later; only an idle one that is silent is cause for alarm. */
  const kernel = kernelWatch(model);
  function wait() {
    let all = 0,
      idle = 0;
    clearInterval(waiting);
    waiting = setInterval(() => {
      all += 1;
      idle = kernel.busy() ? 0 : idle + 1;
      if (idle >= PATIENCE) complain(SILENT);
      else if (all >= PATIENCE) complain(BUSY, true);
    }, 1000);
  }

  // -- the frame ----------------------------------------------------------------------------------
  const focus = () => root.focus({ preventScroll: true });
  // A review has a queue for its list, and a pair to decide above the picture.
  const desk =
    model.get("case") === undefined
      ? null
      : reviewDesk({ model, send, focus, help: () => showHelp(help.hidden) });
  const list = (desk ? reviewList : clusterList)({ model, send, focus });
  const picture = livePicture({
    model,
    send: desk?.relay ?? send,
    focus,
    onPoint: (keys) => roster.point(keys)
  });
  const roster = rosterPane({ model, send, focus, picture }),
    why = whyPanel({ model, send }),
    looks = lookBar({ model, send });
  // A bench with controls of its own has no layers and no views.
  const controls = controlBar(
    "pg-controls",
    "control",
    () => model.get("controls"),
    (name, value) => send("control", { name, value })
  );
  const bar = controlBar(
    "pg-bar",
    "layer",
    () => (desk || model.get("controls").length ? [] : layerControls()),
    (name, value) => {
      if (name === "help") showHelp(help.hidden);
      else if (name in VIEWS) send("view", { view: name });
      else setLayers({ [name]: value });
    }
  );

  function layerControls() {
    const layers = model.get("layers"),
      { view, farthest, inferred } = model.get("picture"),
      follow = layers.inferred_positive || layers.inferred_negative;
    const near = inferred.filter(([, , s, far]) => layers[INFERRED[s]] && far <= layers.distance);
    const hidden = (sure) => near.filter(([, , , , right]) => !isSure(right, sure)).length;
    return [
      ...Object.entries(VIEWS).map(([name, text]) => ({
        kind: "button",
        name,
        text,
        pressed: name === view,
        hint: hinted(model, "Switch", "view")
      })),
      ...LAYERS.map(([name, text, hint], i) => ({
        kind: "toggle",
        name,
        text,
        mark: name,
        value: layers[name],
        hint: hinted(model, hint, "number").replace("1 … 9", i + 1)
      })),
      follow && {
        kind: "range",
        name: "distance",
        text: "distance",
        min: 1,
        max: Math.max(farthest, layers.distance),
        value: layers.distance,
        said: (far) => `≤ ${far}`,
        hint: "Show inferred labels up to this distance"
      },
      follow &&
        "sure" in layers && {
          kind: "range",
          name: "sure",
          text: "sure",
          max: 0.99,
          step: 0.01,
          value: layers.sure,
          said: (sure) => {
            const [gone, all] = [hidden(sure), near.length].map((count) => count.toLocaleString());
            return `≥ ${Number(sure).toFixed(2)}, ${gone} of ${all} hidden`;
          },
          hint: "Show inferred labels that are at least so probably right; the surer, the thicker the line"
        },
      {
        kind: "button",
        name: "help",
        text: "?",
        label: "Keys",
        style: "pg-ask",
        hint: hinted(model, "Keys", "help")
      }
    ];
  }

  const files = [
    ["", "save …"],
    ["html", "page (.html)"],
    ["svg", "picture (.svg)"],
    ["png", "picture (.png)"]
  ];
  const saver = choice(
    "Save what is on screen",
    files,
    (ending) => {
      send("save", { ending });
      saver.value = "";
    },
    "",
    { class: "pg-save" }
  );
  // a page without Python is a file
  saver.hidden = desk || model.get("controls").length || !model.widget_manager;

  function keep({ file }, buffers) {
    const link = make("a", { download: file, href: URL.createObjectURL(new Blob(buffers)) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  function setLayers(change) {
    // Drawn at once from what is here; Python adds the inferred labels it had not yet sent.
    model.set("layers", { ...model.get("layers"), ...change });
    model.save_changes();
    send("layers", { layers: model.get("layers") });
  }

  const banner = make("div", { class: "pg-banner", role: "alert" }),
    help = make("div", { class: "pg-help", role: "dialog", "aria-label": "Keys" });
  banner.hidden = help.hidden = true;
  const [title, stage, note] = picture.elements;
  const root = make(
    "div",
    {
      class: "pg-bench pg-bench-live pg-live",
      tabindex: "0",
      role: "application",
      style: `--pg-height: ${model.get("height")}px`,
      "aria-label": `${model.get("name")}: a signed graph; press ? for its keys`,
      on: { pointerdown: ({ target }) => target.closest("input, select, button, summary, label") || focus() }
    },
    banner,
    list.element,
    make(
      "section",
      { class: "pg-middle", "aria-label": "Picture" },
      make("div", { class: "pg-top" }, title, saver),
      bar.element,
      controls.element,
      desk?.element,
      stage,
      looks.element,
      note
    ),
    make("div", { class: "pg-right" }, roster.element, why.element),
    help
  );
  root.bench = { ...picture, model }; // for tests, and for the curious
  el.append(root);

  function showHelp(on) {
    const { keys, mouse } = model.get("shortcuts"),
      close = make("button", { text: "Close (Esc)", on: { click: () => showHelp(false) } });
    help.replaceChildren(
      make("h3", { text: "Keys" }),
      terms(keys.map(([, , shown, means]) => [shown, means])),
      make("h3", { text: "Mouse" }),
      terms(mouse),
      close
    );
    help.hidden = !on;
    if (on) close.focus();
    else focus();
  }

  // -- keys ---------------------------------------------------------------------------------------
  const ACT = {
    step: (place) => list.step(place ? 1 : -1),
    page: (place) => list.page(place ? 1 : -1),
    zoom: (place) => [() => picture.zoomBy(1.3), () => picture.zoomBy(1 / 1.3), picture.fit][place](),
    search: () => {
      list.search.focus();
      list.search.select();
    },
    help: () => showHelp(help.hidden),
    view: () => send("view", { view: model.get("picture").view === "cluster" ? "clusters" : "cluster" }),
    matrix: () =>
      model.get("dress").options &&
      send("look", { form: model.get("picture").form === "matrix" ? "graph" : "matrix" }),
    number: (place) =>
      LAYERS[place] && setLayers({ [LAYERS[place][0]]: !model.get("layers")[LAYERS[place][0]] }),
    "go on": list.openFirst,
    ...desk?.ACT
  };
  function escape(field) {
    if (!help.hidden) showHelp(false);
    else if (desk?.escape() || (!(field && field !== list.search) && list.clear()) || field) focus();
    else send("select", { keys: [] });
  }
  const deaf = listenToKeys({
    model,
    root,
    use(name, place, event) {
      const { key, target } = event,
        field = target.closest("input:not([type=checkbox]), select");
      if (name === "back") return escape(field);
      if (field === list.search && (name === "go on" || key === "ArrowDown")) {
        focus();
        return list.openFirst();
      }
      if (desk && !help.hidden && name !== "help") return false; // the pair is hidden: nothing is decided
      if (!field && controls.press(key)) return true;
      const act = ACT[key] ?? ACT[name];
      // the element's own business
      if (field || !act || (["Enter", " "].includes(key) && target !== root)) return false;
      return act(place, event);
    }
  });

  // -- following Python ---------------------------------------------------------------------------
  const follow = {
    "change:ack": answered,
    "msg:custom": keep,
    comm_live_update: () => complain(GONE),
    "change:placed": picture.place,
    "change:selected"() {
      picture.redraw();
      roster.choose();
    },
    "change:layers"() {
      bar.draw();
      picture.restrict();
    },
    "change:dress"() {
      looks.draw();
      picture.restrict();
    },
    "change:controls"() {
      controls.draw();
      bar.draw();
      root.classList.toggle("pg-no-list", !model.get("listing").rows);
    },
    "change:case"() {
      desk?.draw();
      root.dataset.case = model.get("case")?.item ?? "";
    },
    "change:picture"() {
      const { view, scene, inferred } = model.get("picture");
      root.classList.toggle("pg-clusters", view === "clusters");
      for (const part of [bar, looks, picture, roster]) part.draw();
      // what is on screen, for whoever tests or measures
      Object.assign(root.dataset, { scene, inferred: inferred.length });
    },
    "change:listing"() {
      list.draw();
      roster.mark();
      picture.mark(model.get("listing").hits ?? []);
    },
    "change:why"() {
      why.draw();
      picture.light();
      root.dataset.why = model.get("why").n ?? "";
    }
  };
  for (const [event, call] of Object.entries(follow)) model.on(event, call);
  for (const name of ["controls", "case", "picture", "listing", "why"]) follow[`change:${name}`]();
  const dress = () => picture.dress(root);
  const themes = new MutationObserver(() => setTimeout(dress, 50));
  themes.observe(document.body, {
    attributes: true,
    attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"]
  });
  const shape = new ResizeObserver(() => {
    root.classList.toggle("pg-narrow", root.clientWidth > 0 && root.clientWidth < 900);
    list.showCurrent(); // when first drawn, the list had no size yet
  });
  shape.observe(root);
  requestAnimationFrame(dress);
  send("ready");

  return () => {
    for (const [event, call] of Object.entries(follow)) model.off(event, call);
    clearInterval(waiting);
    for (const part of [kernel, list, desk, picture]) part?.stop?.();
    deaf();
    themes.disconnect();
    shape.disconnect();
  };
}
