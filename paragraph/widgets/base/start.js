// A list beside a live signed graph beside an explanation. Python holds the truth; this draws it and sends
// intents. The other files of this folder stand above this one when they are joined.

function render({ model: outer, el }) {
  // A review has a queue for its list, and a pair to decide above the picture.
  const isReview = outer.get("case") !== undefined;
  const model = isReview ? reviewModel(outer) : outer;
  const { banner, send, unanswered, hear, gone, stop } = askPython(model, () => root);
  const focus = () => root.focus({ preventScroll: true });
  const bench = { model, send, focus };

  let isOpening = false; // something of the list, whose picture may be out of sight
  function opening(intent, content) {
    isOpening = intent === "open";
    send(intent, content);
  }

  // -- the frame ----------------------------------------------------------------------------------
  const help = helpPanel(bench);
  const list = (isReview ? reviewList : clusterList)({ ...bench, send: opening });
  const decide = model.get("desk") && decideBar({ ...bench, unanswered, help: isReview && help.toggle });
  const onPoint = (keys) => roster.point(keys);
  const picture = livePicture({ ...bench, send: decide?.relay ?? send, onPoint });
  const roster = rosterPane({ ...bench, picture });
  const why = whyPanel(bench);
  let pair = null;
  // words are marked, where other reviews show a pair
  if (isReview) pair = model.get("words").marks ? wordMarks(bench) : pairPane(bench);
  // A bench with controls of its own has no layers and no views.
  const hasControls = () => model.get("controls").length > 0;
  const legend = legendBar({ ...bench, isShown: () => !isReview && !hasControls() });
  const controls = ownControls(bench);
  const hasLayers = () => !hasControls() && (!isReview || model.get("picture").nodes.length > 0);
  const layers = layerBar({ ...bench, help: !isReview && help.toggle, isShown: hasLayers });
  const [title, stage, note] = picture.elements;
  const reviewed = isReview && html`<div class="pg-case">${pair.element}${decide.element}</div>`;
  const root = html`<div
    class="pg-bench pg-bench-live pg-live"
    tabindex="0"
    role="application"
    style="--pg-height: ${model.get("height")}px"
    aria-label="${model.get("name")}: a signed graph; press ${shownKey(model, "help")} for its keys"
    @pointerdown=${({ target }) => target.closest("input, select, button, summary, label") || focus()}
  >
    ${banner}${list.element}
    <section class="pg-middle" aria-label="Picture">
      ${title}${reviewed}${layers.element}${controls.element}${stage}${legend.element}${note}
    </section>
    <div class="pg-right">${roster.element}${!isReview && decide?.element}${why.element}</div>
    ${help.element}
  </div>`;
  root.bench = { ...picture, model }; // for tests, and for the curious
  el.append(root);

  const isNarrow = () => root.classList.contains("pg-narrow");

  // -- keys ---------------------------------------------------------------------------------------
  const ACT = {
    step: (place) => list.step(place ? 1 : -1),
    page: (place) => list.page(place ? 1 : -1),
    zoom: picture.zoom,
    search: () => {
      list.search.focus();
      list.search.select();
    },
    help: help.toggle,
    view: () => send("view", { view: model.get("picture").view === "cluster" ? "clusters" : "cluster" }),
    number: layers.turn,
    "go on": list.openFirst,
    ...(isReview && { number: null, "go on": decide.goOn }),
    ...pair?.ACT,
    ...decide?.ACT
  };
  function escape(field) {
    if (!help.element.hidden) help.show(false);
    else if (decide?.escape() || (!(field && field !== list.search) && list.clear()) || field) focus();
    else send("select", { keys: [] });
  }
  const deaf = listenToKeys({
    model,
    root,
    use(name, place, event) {
      const { key, target } = event;
      const field = target.closest("input:not([type=checkbox]), select");
      if (name === "back") return escape(field);
      if (field === list.search && (name === "go on" || key === "ArrowDown")) return list.openFirst();
      // the pair is hidden: nothing is decided
      if (isReview && !help.element.hidden && name !== "help") return false;
      if (!field && (controls.press(key) || (!event.repeat && decide?.answer(key)))) return true;
      const act = ACT[key] ?? ACT[name];
      // the element's own business
      if (field || !act || (["Enter", " "].includes(key) && target !== root)) return false;
      return act(place, event);
    }
  });

  // what was answered elsewhere, in another panel or page
  const look = () => isReview && send("look");

  // -- following Python ---------------------------------------------------------------------------
  const follow = {
    "change:ack"() {
      hear();
      decide?.hear();
    },
    comm_live_update: gone,
    "change:placed": picture.place,
    "change:selected"() {
      picture.redraw();
      roster.choose();
    },
    "change:layers"() {
      layers.draw();
      picture.restrict();
    },
    "change:controls"() {
      controls.draw();
      layers.draw();
    },
    "change:case"() {
      pair?.draw();
      const item = String(model.get("case")?.item ?? "");
      const isAnother = item !== root.dataset.case;
      root.dataset.case = item;
      // where all stands below each other, the next pair may be above what is seen
      if (isAnother && isNarrow() && root.matches(":focus-within"))
        title.scrollIntoView({ block: "nearest" });
    },
    "change:picture"() {
      const { view, scene, inferred, nodes } = model.get("picture");
      root.classList.toggle("pg-clusters", view === "clusters");
      root.classList.toggle("pg-bare", isReview && nodes.length <= 2);
      for (const part of [layers, legend, picture, roster]) part.draw();
      // what is on screen, for whoever tests or measures
      Object.assign(root.dataset, { scene, inferred: inferred.length });
      if (isOpening && !isReview && isNarrow())
        stage.scrollIntoView({ block: "nearest", behavior: "smooth" });
      isOpening = false;
    },
    "change:listing"() {
      list.draw();
      roster.mark();
      picture.mark(model.get("listing").hits ?? []);
    },
    "change:desk": () => decide?.draw(),
    "change:why"() {
      why.draw();
      picture.light();
      root.dataset.why = model.get("why").n ?? "";
    }
  };
  const leave = listenTo(model, follow);
  for (const name of ["controls", "case", "desk", "picture", "listing", "why"]) follow[`change:${name}`]();
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

  root.addEventListener("focusin", ({ relatedTarget }) => root.contains(relatedTarget) || look());
  window.addEventListener("focus", look);

  return () => {
    leave();
    window.removeEventListener("focus", look);
    if (isReview) model.stop();
    for (const part of [list, pair, picture]) part?.stop?.();
    stop();
    deaf();
    themes.disconnect();
    shape.disconnect();
  };
}
