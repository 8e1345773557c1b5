// The Explorer: it answers what a person does from what its keeper gives. Places, communities, marked words
// and the facts of a cluster are worked out by Python. `shapes.js` declares what goes to and fro.

/** @param {Data} data @param {State} state @param {(changes: object) => void} give */
async function kernelOf(data, state, give, model = null) {
  const graph = signedGraph(data);
  /** @type {Keeper} */
  const keeper = model ? kernelKeeper(model, graph) : savedKeeper(data, graph);
  keeper.take?.(state.prefetched);
  const list = listOf(data.columns);
  const decisions = decisionsOf({ data, state, give, graph, keeper, list });
  /** @type {Page} */
  const page = { data, state, give, graph, keeper, list, decisions, scene: null };
  const screen = screenOf(page);
  const choice = choiceOf(page, screen);
  const browsing = browsingOf(page);
  const { draw, show } = screen;
  const { choose, explain } = choice;
  const { sendPage, sendOwnPage } = browsing;
  const moves = movesOf(page, screen, choice, browsing);

  // -- what a person says of labels ---------------------------------------------------------------
  /** Show what stands now; what is on the right stays. */
  async function sayDecided(changes = {}) {
    decisions.read();
    draw();
    if (state.listing) await sendPage(state.listing.page);
    decisions.look(changes);
  }

  /** An intent that one of `decisions` answers: where it was done, show it, and say so. */
  const deciding = (act) => async (content) => {
    const answer = await act(content);
    if (!answer) return;
    const { message, decided, at } = answer;
    if (decided) give({ decided });
    const keys = at && unique(at).map((number) => `n${number}`);
    if (at && String(keys) !== String(state.selected)) await moves.select(at);
    await sayDecided({ message });
    choice.foresee();
  };

  /** Follow what Python has set. */
  async function adopt({ names }) {
    const has = (name) => names.includes(name);
    if (has("decided")) await sayDecided();
    if (has("prefetched")) keeper.take(state.prefetched);
    if (has("query") && (await browsing.seekAll(state.query))) await sendPage(0);
    if (has("screen")) {
      await show(state.screen);
      await sendOwnPage();
    } else if (has("layers")) draw();
    if (has("screen") || has("selected")) await choose(state.selected);
    if (has("shown")) explain(state.shown);
  }

  const answers = {
    ...choice.answers,
    ...moves.answers,
    ...browsing.answers,
    ...Object.fromEntries(Object.entries(decisions.acts).map(([name, act]) => [name, deciding(act)])),
    ready() {},
    adopt,
    layers: draw,
    async page({ page: wanted, open }) {
      await browsing.listed();
      await sendPage(wanted);
      const { rows } = state.listing;
      if (open && rows.length) await answers.open(open === "first" ? rows[0] : rows.at(-1));
    },
    async sign({ name }) {
      give({ decided: keeper.sign(name) });
      await sayDecided({ message: "", error: "" });
    },
    handIn: () => keeper.handIn()
  };
  if (keeper.decided) give({ decided: keeper.decided() });
  decisions.read();
  await browsing.seekAll(state.query);
  const { selected } = state;
  await show(state.screen);
  await choose(selected);
  await sendOwnPage();
  return answers;
}
