// A list beside a live signed graph beside an explanation. Python holds the truth; this draws it and sends intents.
// The other files of this folder stand above this one when they are joined.

const PATIENCE = 6; // seconds in which an idle Python does not answer before a message says so
const BUSY = "Python is busy: a cell is running. Clicks are answered when it is through.";
const SILENT = "Python does not answer. If it is busy, wait; if the kernel was restarted, run this cell again.";
const GONE = "The kernel was restarted or stopped: what is shown stands still. Run this cell again to go on.";

const LAYERS = [
  ["positive", "+ stated", "paraphrase, stated"],
  ["negative", "− stated", "not a paraphrase, stated"],
  ["conflicts", "conflicts", "negatives inside a cluster, and pairs stated both ways"],
  ["inferred_positive", "+ inferred", "paraphrase, inferred by a path"],
  ["inferred_negative", "− inferred", "not a paraphrase, carried over from a stated negative"],
];

function render({ model, el }) {
  // -- talking to Python ------------------------------------------------------------------------------------
  let sent = 0, waiting = null;
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
    let all = 0, idle = 0;
    clearInterval(waiting);
    waiting = setInterval(() => {
      all += 1;
      idle = kernel.busy() ? 0 : idle + 1;
      if (idle >= PATIENCE) complain(SILENT);
      else if (all >= PATIENCE) complain(BUSY, true);
    }, 1000);
  }

  // -- the frame ----------------------------------------------------------------------------------------------
  const focus = () => root.focus({ preventScroll: true });
  // A review has a queue for its list, and a pair to decide above the picture.
  const desk = model.get("case") === undefined ? null : reviewDesk({ model, send, focus, help: () => showHelp(help.hidden) });
  const list = (desk ? reviewList : clusterList)({ model, send, focus });
  const picture = livePicture({ model, send: desk?.relay ?? send, focus, onPoint: (keys) => roster.point(keys) });
  const roster = rosterPane({ model, send, focus, picture }), why = whyPanel({ model, send });
  const controls = controlBar({ model, send }), looks = lookBar({ model, send });
  const banner = make("div", { class: "pg-banner", role: "alert" });
  banner.hidden = true;

  const boxes = LAYERS.map(([name, text, hint], i) => {
    const box = make("input", { type: "checkbox", "data-layer": name });
    box.addEventListener("change", () => setLayers({ [name]: box.checked }));
    return make("label", { title: hinted(model, hint, "number").replace("1 … 9", i + 1), class: `pg-layer pg-${name}` }, box, make("i", { "aria-hidden": "true" }), make("span", { text }));
  });
  const reach = make("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "Distance of inferred labels" });
  const reachText = make("span", { class: "pg-reach-text" });
  reach.addEventListener("input", () => { reachText.textContent = `≤ ${reach.value}`; });
  reach.addEventListener("change", () => setLayers({ distance: Number(reach.value) }));
  const reachLabel = make("label", { class: "pg-reach", title: "Show inferred labels up to this distance" }, make("span", { text: "distance" }), reach, reachText);
  const views = [["cluster", "one cluster"], ["clusters", "cluster of clusters"]].map(([view, text]) =>
    make("button", { "data-view": view, text, title: hinted(model, "Switch", "view"), on: { click: () => send("view", { view }) } }));
  const ask = make("button", { class: "pg-ask", text: "?", title: hinted(model, "Keys", "help"), "aria-label": "Keys", on: { click: () => showHelp(help.hidden) } });
  const bar = make("div", { class: "pg-bar" }, make("div", { class: "pg-views", role: "group", "aria-label": "View" }, views), boxes, reachLabel, ask);

  const terms = (entries) => make("dl", {}, entries.flatMap(([key, what]) => [make("dt", { text: key }), make("dd", { text: what })]));
  const close = make("button", { text: "Close (Esc)", on: { click: () => showHelp(false) } });
  const help = make("div", { class: "pg-help", role: "dialog", "aria-label": "Keys" });
  help.hidden = true;
  const [title, stage, note] = picture.elements;
  const middle = make("section", { class: "pg-middle", "aria-label": "Picture" }, title, bar, controls.element, desk?.element ?? "", stage, looks.element, note);
  const right = make("div", { class: "pg-right" }, roster.element, why.element);
  const root = make("div", { class: "pg-bench pg-bench-live pg-live", tabindex: "0",
    role: "application", "aria-label": `${model.get("name")}: a signed graph; press ? for its keys`, style: `--pg-height: ${model.get("height")}px` },
  banner, list.element, middle, right, help);
  root.bench = { ...picture, model }; // for tests, and for the curious
  el.append(root);
  root.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("input, select, button, summary, label")) focus();
  });

  function showHelp(on) {
    const { keys, mouse } = model.get("shortcuts");
    help.replaceChildren(make("h3", { text: "Keys" }), terms(keys.map(([, , shown, means]) => [shown, means])),
      make("h3", { text: "Mouse" }), terms(mouse), close);
    help.hidden = !on;
    if (on) close.focus();
    else focus();
  }

  function setLayers(change) {
    // Drawn at once from what is here; Python adds the inferred labels it had not yet sent.
    model.set("layers", { ...model.get("layers"), ...change });
    model.save_changes();
    send("layers", { layers: model.get("layers") });
  }

  function drawLayers() {
    const layers = model.get("layers");
    for (const box of bar.querySelectorAll("[data-layer]")) box.checked = Boolean(layers[box.dataset.layer]);
    reach.max = Math.max(1, model.get("picture").farthest, layers.distance);
    reach.value = layers.distance;
    reachText.textContent = `≤ ${layers.distance}`;
    reachLabel.hidden = !(layers.inferred_positive || layers.inferred_negative);
  }

  function drawPicture() {
    const { view, scene, inferred } = model.get("picture");
    for (const button of views) button.setAttribute("aria-pressed", button.dataset.view === view ? "true" : "false");
    root.classList.toggle("pg-clusters", view === "clusters");
    drawLayers();
    looks.draw();
    picture.draw();
    roster.draw();
    Object.assign(root.dataset, { scene, inferred: inferred.length }); // what is on screen, for whoever tests or measures
  }

  /** A bench with controls of its own has no layers, no views and no list. */
  function drawControls() {
    controls.draw();
    bar.hidden = desk !== null || model.get("controls").length > 0;
    root.classList.toggle("pg-no-list", !model.get("listing").rows);
  }

  function drawLooks() {
    looks.draw();
    picture.restrict();
  }

  function drawList() {
    list.draw();
    roster.mark();
    picture.mark(model.get("listing").hits ?? []);
  }

  function drawCase() {
    desk?.draw();
    root.dataset.case = model.get("case")?.item ?? "";
  }

  function drawWhy() {
    why.draw();
    picture.light();
    root.dataset.why = model.get("why").n ?? "";
  }

  // -- keys -----------------------------------------------------------------------------------------------------------
  const ACT = {
    step: (place) => list.step(place ? 1 : -1), page: (place) => list.page(place ? 1 : -1),
    zoom: (place) => [() => picture.zoomBy(1.3), () => picture.zoomBy(1 / 1.3), picture.fit][place](),
    search: () => { list.search.focus(); list.search.select(); }, help: () => showHelp(help.hidden),
    view: () => send("view", { view: model.get("picture").view === "cluster" ? "clusters" : "cluster" }),
    matrix: () => model.get("dress").options && send("look", { form: model.get("picture").form === "matrix" ? "graph" : "matrix" }),
    number: (place) => LAYERS[place] && setLayers({ [LAYERS[place][0]]: !model.get("layers")[LAYERS[place][0]] }),
    "go on": list.openFirst, ...desk?.ACT,
  };
  function escape(field) {
    if (!help.hidden) showHelp(false);
    else if (desk?.escape()) focus();
    else if (!(field && field !== list.search) && list.clear()) focus();
    else if (field) focus();
    else send("select", { keys: [] });
  }
  const deaf = listenToKeys({ model, root, use(name, place, event) {
    const { key, target } = event, field = target.closest("input:not([type=checkbox]), select");
    if (name === "back") return escape(field);
    if (field === list.search && (name === "go on" || key === "ArrowDown")) { focus(); return list.openFirst(); }
    if (desk && !help.hidden && name !== "help") return false; // the pair is hidden: nothing is decided
    if (!field && controls.press(key)) return true;
    const act = ACT[key] ?? ACT[name];
    if (field || !act || (["Enter", " "].includes(key) && target !== root)) return false; // the element's own business
    return act(place, event);
  } });

  // -- following Python -----------------------------------------------------------------------------------------------
  const follow = {
    "change:ack": answered, "change:listing": drawList, "change:dress": drawLooks, "change:picture": drawPicture, "change:why": drawWhy,
    "change:layers": () => { drawLayers(); picture.restrict(); }, "change:placed": picture.place,
    "change:controls": drawControls, "change:case": drawCase, "change:selected": () => { picture.redraw(); roster.choose(); },
    "comm_live_update": () => complain(GONE),
  };
  for (const [event, call] of Object.entries(follow)) model.on(event, call);
  const dress = () => picture.dress(root);
  const themes = new MutationObserver(() => setTimeout(dress, 50));
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const shape = new ResizeObserver(() => {
    root.classList.toggle("pg-narrow", root.clientWidth > 0 && root.clientWidth < 820);
    list.showCurrent(); // when first drawn, the list had no size yet
  });
  shape.observe(root);
  drawControls();
  drawCase();
  drawPicture();
  drawList();
  drawWhy();
  requestAnimationFrame(dress);
  send("ready");

  return () => {
    for (const [event, call] of Object.entries(follow)) model.off(event, call);
    clearInterval(waiting);
    kernel.stop();
    deaf();
    list.stop();
    desk?.stop?.();
    picture.stop();
    themes.disconnect();
    shape.disconnect();
  };
}

export default { render };
