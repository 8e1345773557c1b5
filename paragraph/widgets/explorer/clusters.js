// The Explorer: it answers what a person does from what its keeper gives. Places, communities, marked words
// and the facts of a cluster are worked out by Python.

const OPEN = 6; // clusters at most
const ON_PAGE = 50;
// columns of which a first click puts the largest first
const FALLING = ["size", "conflicts", "negatives", "decided"];
const ENOUGH = {
  title: "Enough",
  text: `${OPEN} clusters are open. Double click a sentence of one to close it.`
};

async function kernelOf(data, state, give, model = null, flush = () => {}) {
  const graph = heldGraph(data);
  const keeper = model ? kernelKeeper(model, state.given, graph) : savedKeeper(data, graph);
  const list = listOf(data.columns);
  const reasons = reasonsOf(graph);
  const decisions = decisionsOf({ data, state, give, graph, keeper, list });
  let found = []; // clusters that answer the query
  let hits = { best: new Map(), near: "" }; // of its words
  let scene = null;
  let number = 0; // of the scene
  let turn = 0; // screens asked for: where one comes late, another is shown already
  let search = 0; // queries asked for
  let fall = null; // what is left at the trust that is asked for, where there is one
  let isBinning = false; // are histograms shown?
  let listed = null; // the answer to the last one, which a page of it waits for
  const isDrawn = (key) => scene.at.has(key);
  const hold = async (wanted) => graph.add(await keeper.clusters(wanted));

  /** Ask how probably labels are right, of those not yet known. */
  async function learn(pairs) {
    const unknown = pairs.filter((pair) => !graph.right.has(graph.pairOf(...pair)));
    if (!graph.isTrusted || !unknown.length) return;
    const values = await keeper.right(unknown);
    unknown.forEach((pair, i) => graph.right.set(graph.pairOf(...pair), values[i]));
  }

  /** The number of the scene, and what is drawn of it: other parts, or fewer, are another picture. */
  const drawing = () =>
    [number, ...["trust", "paths", "degree"].map((name) => state.layers[name]).filter(Boolean)].join(" ");

  // -- the picture --------------------------------------------------------------------------------
  async function sendPicture() {
    const mine = number;
    const shown = inferredOf(graph, state.screen, scene, state.layers);
    await learn(shown.labels.map(([a, b]) => [a, b]));
    if (mine === number)
      give({
        picture: {
          ...pictureOf(graph, state.screen, scene, shown, state.layers),
          ...decisions.marks(scene),
          scene: drawing()
        }
      });
  }

  /** What is around the open clusters, as `makeScene` takes it. */
  async function surroundings({ cluster, view, opened }, { neighbours, steps }) {
    const closed = view === "clusters" && cluster !== null ? [cluster] : [];
    const reach = view === "clusters" ? steps : 1;
    const notes = [];
    let around = closed;
    for (let step = 0; step < reach; step += 1) {
      await hold({ near: around });
      const next = aroundOf(graph, { opened, closed: around }, neighbours);
      around = next.around;
      notes.push(...next.notes);
    }
    await hold({ near: around });
    return { around, notes };
  }

  /** Show a screen once its records are held: false where another was asked for meanwhile. */
  async function show(screen, looks = state.looks) {
    turn += 1;
    const mine = turn;
    const { cluster, opened, wanted } = screen;
    const open = [...new Set(cluster === null ? opened : [cluster, ...opened])];
    await hold({ open, wanted, neighbours: looks.neighbours });
    const beside = await surroundings(screen, looks);
    if (mine !== turn) return false;
    scene = makeScene(graph, screen, beside);
    number += 1;
    give({ screen, looks });
    await sendPicture();
    sendLook();
    return true;
  }

  function sendLook() {
    give({ dress: dressOf(graph, data, scene, state.looks, state.screen.view) });
  }

  // -- the explanation ----------------------------------------------------------------------------
  const explain = (why) => give({ why: { ...why, n: (state.why?.n ?? 0) + 1 } });

  /** Choose nodes, and say why, in words of their own or given. */
  async function choose(keys, why = null) {
    give({ selected: keys });
    const kinds = keys.map((key) => key[0]).join("");
    if (kinds === "c") await hold({ open: [Number(keys[0].slice(1))] });
    if (kinds === "nn" && !graph.bipartite) {
      const [a, b] = keys.map((key) => graph.nodes.get(key));
      const steps = !graph.edgeBetween(a, b) && graph.proof(a, b);
      if (steps) await learn([[a, b], ...steps]);
    }
    if (state.selected !== keys) return;
    explain(why ?? offering(reasons.of(keys, state.screen.cluster, scene)));
    decisions.look({ message: "", error: "" });
    foresee();
  }

  /** Tabulate what would follow if the chosen label were wrong, once the keeper has told. */
  async function foresee() {
    const { selected } = state;
    const rows = await decisions.foresee();
    if (rows.length && state.selected === selected) explain({ ...state.why, table: whatIf(rows) });
  }

  /** An explanation, with what else a keeper can be asked. */
  function offering(why) {
    const isOffered = keeper.like && why.sentence && !graph.bipartite;
    return isOffered ? { ...why, actions: [{ text: "More like this", intent: "like", content: {} }] } : why;
  }

  // -- the list -----------------------------------------------------------------------------------
  /** What the list marks of the screen: the cluster that is open, and what is found in the picture. */
  function marks() {
    const { words } = state.asked;
    const edges = [...new Set(scene.sentences.flatMap((node) => node.edges))];
    const here = wordsIn(words).length ? seek(scene.sentences, edges, words) : new Map();
    const sentences = scene.sentences.filter((node) => here.has(node)).map(({ key }) => key);
    const closed = scene.closed.filter((id) => hits.best.has(id)).map((id) => `c${id}`);
    return { current: state.screen.cluster, hits: [...sentences, ...closed] };
  }

  async function sendPage(wanted) {
    const { asked } = state;
    const pages = Math.ceil(found.length / ON_PAGE);
    const page = Math.max(0, Math.min(wanted, pages - 1));
    const ids = found.slice(page * ON_PAGE, (page + 1) * ON_PAGE);
    const names = ids.length ? await keeper.names(ids, asked.words) : [];
    if (asked !== state.asked) return;
    const filterOf = ({ bounds, kind, only }) => JSON.stringify([bounds, kind, only]);
    give({
      listing: {
        rows: ids.map((id, i) => ({
          ...list.rowOf(id),
          ...fall?.of.get(id),
          text: names[i][0],
          hits: names[i][1]
        })),
        ...(fall && { fall: fall.said }),
        total: found.length,
        page,
        pages,
        ...asked,
        only: asked.only && asked.only.length,
        ...marks(),
        any: list.count > 0,
        filtered: filterOf(asked) !== filterOf(data.start),
        ...(decisions.isOn() && { decides: true }),
        near: hits.near,
        beyond: list.beyond(asked, hits.best)
      }
    });
  }

  /** The page of the list with the open cluster. */
  const sendOwnPage = () => sendPage(Math.floor(found.indexOf(state.screen.cluster) / ON_PAGE));
  const mark = () => give({ listing: { ...state.listing, ...marks() } });

  /** Take out what is not trusted. */
  async function weigh() {
    const { trust = 0 } = state.layers;
    if (trust === (fall?.trust ?? 0)) return;
    const found = trust ? fallOf(await keeper.apart(0), await keeper.apart(trust), trust) : null;
    if (trust === (state.layers.trust ?? 0)) fall = found;
  }

  async function restrict() {
    await sendPicture();
    await weigh();
    if (fall || state.listing.fall) await sendPage(state.listing.page);
  }

  /** Find what answers a query; false where another was asked for meanwhile. */
  async function seekAll(asked) {
    search += 1;
    const mine = search;
    const isSearched = wordsIn(asked.words).length > 0;
    const given = isSearched ? await keeper.search(asked.words) : { best: new Map(), near: "" };
    if (mine !== search) return false;
    hits = given;
    found = list.find(asked, hits.best);
    give({ asked });
    if (isBinning) answers.bins();
    return true;
  }

  // -- where one is -------------------------------------------------------------------------------
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

  /** A query with a bound of a column set, or taken back (null). */
  function bounded(asked, { name, side, value, both }) {
    if (both !== undefined) {
      const { [name]: _, ...others } = asked.bounds;
      const own = both ?? data.start.bounds[name];
      return { ...asked, bounds: own ? { ...others, [name]: own } : others };
    }
    const [from, to] = asked.bounds[name] ?? [null, null];
    return { ...asked, bounds: { ...asked.bounds, [name]: side === "least" ? [value, to] : [from, value] } };
  }

  function sorted(asked, sort) {
    return { ...asked, sort, descending: sort === asked.sort ? !asked.descending : FALLING.includes(sort) };
  }

  // -- what a person says of labels ---------------------------------------------------------------
  /** Show what stands now; what is on the right stays. */
  async function sayDecided(changes = {}) {
    decisions.read();
    await sendPicture();
    if (state.listing) await sendPage(state.listing.page);
    decisions.look(changes);
  }

  /** Answer an intent by one of `decisions`: where it was done, show it, and say so. */
  async function done(answer) {
    if (!answer) return;
    const { message, decided, at } = answer;
    if (decided) give({ decided });
    if (at && String([...new Set(at)].map((number) => `n${number}`)) !== String(state.selected))
      await select(at);
    await sayDecided({ message });
    foresee();
  }

  const deciding = Object.entries(decisions.acts).map(([name, act]) => [
    name,
    async (content) => done(await act(content))
  ]);

  /** Follow what Python has set. */
  async function adopt({ names }) {
    const has = (name) => names.includes(name);
    if (has("decided")) await sayDecided();
    if (has("given")) keeper.take(state.given);
    if (has("asked") && (await seekAll(state.asked))) await sendPage(0);
    if (has("screen") || has("looks")) {
      await show(state.screen, state.looks);
      if (has("screen")) await sendOwnPage();
      else mark();
    } else if (has("layers")) await restrict();
    if (has("screen") || has("selected")) await choose(state.selected);
    if (has("told")) explain(state.told);
  }

  const answers = {
    ready() {},
    adopt,
    layers: restrict,
    bins({ on = true } = {}) {
      isBinning = on;
      if (on) give({ bins: list.bins(state.asked, hits.best) });
    },
    open: ({ cluster }) => goTo(cluster),
    view: ({ view }) => go({ view, opened: openedIn(view, state.screen.cluster) }),
    async surprise({ by: what }) {
      const cluster = list.surprise(what);
      if (cluster === undefined) return;
      await goTo(cluster);
      await sendOwnPage();
    },
    async query({ reset = false, bound, sort, ...changes }) {
      let asked = reset ? data.start : state.asked;
      if (bound) asked = bounded(asked, bound);
      if (sort) asked = sorted(asked, sort);
      const isHere = state.listing?.rows?.some(({ cluster }) => cluster === state.screen.cluster);
      listed = seekAll({ ...asked, ...changes });
      if (!(await listed)) return;
      if (sort && isHere)
        await sendOwnPage(); // the reader's place is kept
      else await sendPage(0);
    },
    async page({ page, open }) {
      await listed;
      await sendPage(page);
      const { rows } = state.listing;
      if (open && rows.length) await answers.open(open === "first" ? rows[0] : rows.at(-1));
    },
    async look(changes) {
      const looks = { ...state.looks, ...changes };
      if ("neighbours" in changes || "steps" in changes) {
        if (await show(state.screen, looks)) mark();
        return;
      }
      give({ looks });
      sendLook();
    },
    async select({ keys }) {
      const drawn = [...new Set(keys)].filter(isDrawn);
      if (drawn.length || !keys.length) await choose(drawn);
    },
    async edge({ id }) {
      const edge = scene.edges.find((one) => one.id === id);
      if (!edge) return;
      const { from, to, a } = edge;
      if (a === undefined && from[0] === "c") await hold({ open: [Number(from.slice(1))] });
      await choose([from, to], a === undefined ? reasons.negatives(from, to) : null);
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
    ...Object.fromEntries(deciding),
    async sign({ name }) {
      give({ decided: keeper.sign(name) });
      await sayDecided({ message: "", error: "" });
    },
    handIn: () => keeper.handIn(),
    async like() {
      const { selected } = state;
      const node = graph.nodes.get(selected[0]);
      const found = await keeper.like(node.number);
      if (state.selected === selected) explain(likeThis(node, found));
    },
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
  await seekAll(state.asked);
  const { selected } = state;
  await show(state.screen, state.looks);
  await choose(selected);
  await weigh();
  await sendOwnPage();
  return answers;
}
