// From one screen to another: to a cluster, to sentences, to neighbours that are opened and closed.

const ENOUGH = {
  title: "Enough",
  text: `${OPEN} clusters are open. Double click a sentence of one to close it.`
};

/** `list` is what stands beside: it marks a screen, and turns to its page.
 * @param {Page} page */
function movesOf(page, { hold, show }, { choose, explain }, { mark, sendOwnPage }) {
  const { graph, state } = page;
  const isDrawn = (key) => page.scene.at.has(key);

  /** Show another screen. */
  async function go(changes, keepsChoice = false) {
    if (!(await show({ ...state.screen, ...changes }))) return;
    if (!keepsChoice) await choose([]);
    mark();
  }

  const openedIn = (view, cluster) => (view === "cluster" && cluster !== null ? [cluster] : []);

  /** Choose sentences, in their clusters. */
  async function select(numbers) {
    await hold({ nodes: numbers });
    const nodes = graph.nodesOf(new Set(numbers));
    const homes = homesOf(nodes);
    if (!nodes.every(({ key }) => isDrawn(key))) {
      const areOpen = homes.every((home) => state.screen.opened.includes(home));
      await go({ ...(areOpen ? {} : { cluster: homes[0], opened: homes }), wanted: numbers });
      await sendOwnPage();
    }
    await choose(nodes.map(({ key }) => key));
  }

  const answers = {
    open: ({ cluster }) => go({ cluster, opened: openedIn(state.screen.view, cluster), wanted: [] }),
    view: ({ view }) => go({ view, opened: openedIn(view, state.screen.cluster) }),
    async show({ key }) {
      if (key[0] === "n") await select(key.match(/\d+/g).map(Number));
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
    }
  };
  return { select, answers };
}
