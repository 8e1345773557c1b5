// The Explorer: it answers what a person does from what its keeper gives. Places, communities, marked words
// and the facts of a cluster are worked out by Python. `shapes.js` declares what goes to and fro.

const OPEN = 6; // clusters at most
const ENOUGH = {
  title: "Enough",
  text: `${OPEN} clusters are open. Double click a sentence of one to close it.`
};

/** @param {Data} data @param {State} state @param {(changes: object) => void} give */
async function kernelOf(data, state, give, model = null, flush = () => {}) {
  const graph = heldGraph(data);
  /** @type {Keeper} */
  const keeper = model ? kernelKeeper(model, state.given, graph) : savedKeeper(data, graph);
  const list = listOf(data.columns);
  const decisions = decisionsOf({ data, state, give, graph, keeper, list });
  /** @type {Page} */
  const page = { data, state, give, graph, keeper, list, decisions, scene: null };
  const screen = screenOf(page);
  const choice = choiceOf(page, screen);
  const browsing = browsingOf(page, screen);
  const { hold, draw, show } = screen;
  const { choose, explain } = choice;
  const { mark, sendPage, sendOwnPage } = browsing;

  const isDrawn = (key) => page.scene.at.has(key);

  /** Take out what is not trusted, and draw what the layers show. */
  async function restrict() {
    if (!(await screen.weigh())) return draw();
    await show(state.screen);
    await sendPage(state.listing.page);
  }

  /** Show another screen. */
  async function go(changes, keepsChoice = false) {
    if (!(await show({ ...state.screen, ...changes }))) return;
    if (!keepsChoice) await choose([]);
    mark();
  }

  const openedIn = (view, cluster) => (view === "cluster" && cluster !== null ? [cluster] : []);

  async function goTo(cluster) {
    if (!list.rowOf(cluster)) throw new Error(`there is no cluster ${cluster}`);
    await go({ cluster, opened: openedIn(state.screen.view, cluster), wanted: [] });
  }

  /** Choose sentences, in their clusters. */
  async function select(numbers) {
    await hold({ nodes: numbers });
    const nodes = [...new Set(numbers)].map((number) => graph.nodes.get(`n${number}`));
    const homes = [...new Set(nodes.map(({ home }) => home))];
    if (!nodes.every(({ key }) => isDrawn(key))) {
      const areOpen = homes.every((home) => state.screen.opened.includes(home));
      await go({ ...(areOpen ? {} : { cluster: homes[0], opened: homes }), wanted: numbers });
      await sendOwnPage();
    }
    await choose(nodes.map(({ key }) => key));
  }

  // -- what a person says of labels ---------------------------------------------------------------
  /** Show what stands now; what is on the right stays. */
  async function sayDecided(changes = {}) {
    decisions.read();
    await draw();
    if (state.listing) await sendPage(state.listing.page);
    decisions.look(changes);
  }

  /** An intent that one of `decisions` answers: where it was done, show it, and say so. */
  const deciding = (act) => async (content) => {
    const answer = await act(content);
    if (!answer) return;
    const { message, decided, at } = answer;
    if (decided) give({ decided });
    if (at && String([...new Set(at)].map((number) => `n${number}`)) !== String(state.selected))
      await select(at);
    await sayDecided({ message });
    choice.foresee();
  };

  /** Follow what Python has set. */
  async function adopt({ names }) {
    const has = (name) => names.includes(name);
    if (has("decided")) await sayDecided();
    if (has("given")) keeper.take(state.given);
    if (has("asked") && (await browsing.seekAll(state.asked))) await sendPage(0);
    if (has("screen")) {
      await show(state.screen);
      await sendOwnPage();
    } else if (has("layers")) await restrict();
    if (has("looks")) screen.dress();
    if (has("screen") || has("selected")) await choose(state.selected);
    if (has("told")) explain(state.told);
  }

  const answers = {
    ...choice.answers,
    ...browsing.answers,
    ...Object.fromEntries(Object.entries(decisions.acts).map(([name, act]) => [name, deciding(act)])),
    ready() {},
    adopt,
    layers: restrict,
    open: ({ cluster }) => goTo(cluster),
    view: ({ view }) => go({ view, opened: openedIn(view, state.screen.cluster) }),
    async surprise({ by: what }) {
      const cluster = list.surprise(what);
      if (cluster === undefined) return;
      await goTo(cluster);
      await sendOwnPage();
    },
    async page({ page: wanted, open }) {
      await browsing.listed();
      await sendPage(wanted);
      const { rows } = state.listing;
      if (open && rows.length) await answers.open(open === "first" ? rows[0] : rows.at(-1));
    },
    look(looks) {
      give({ looks });
      screen.dress();
    },
    async show({ key }) {
      if (key[0] === "n") await select(key.split(" ").map((one) => Number(one.slice(1))));
      else if (isDrawn(key)) await choose([key]);
    },
    async expand({ key }) {
      if (!isDrawn(key)) return;
      const { opened, view } = state.screen;
      const cluster = graph.nodes.get(key)?.home ?? Number(key.slice(1));
      const isOpen = opened.includes(cluster);
      if (isOpen && view === "cluster" && cluster === state.screen.cluster) return;
      const next = isOpen ? opened.filter((one) => one !== cluster) : [...opened, cluster];
      if (next.length > OPEN) explain(ENOUGH);
      else await go({ opened: next }, key[0] === "c");
    },
    async sign({ name }) {
      give({ decided: keeper.sign(name) });
      await sayDecided({ message: "", error: "" });
    },
    handIn: () => keeper.handIn(),
    async save() {
      const saving = (share) => {
        give({ saving: share });
        flush();
      };
      saving(0);
      try {
        download("explorer.html", [await keeper.save(saving)], "text/html");
      } catch ({ message }) {
        explain({ title: "Not saved", text: message });
      }
      saving(null);
    }
  };
  if (keeper.decided) give({ decided: keeper.decided() });
  decisions.read();
  await browsing.seekAll(state.asked);
  const { selected } = state;
  await screen.weigh();
  await show(state.screen);
  await choose(selected);
  await sendOwnPage();
  return answers;
}
