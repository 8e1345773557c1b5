// The Explorer's kernel on a page: it answers the intents that `explorer/widget.py` answers, from the
// clusters that the page holds. Places, communities, marked words and the facts of a cluster were worked out
// when the page was written.

const OPEN = 6; // clusters at most
const ON_PAGE = 50;
// columns of which a first click puts the largest first
const FALLING = ["size", "conflicts", "negatives"];
const ENOUGH = {
  title: "Enough",
  text: `${OPEN} clusters are open. Double click a sentence of one to close it.`
};

function kernelOf(data, state, give) {
  const graph = heldGraph(data);
  const list = listOf(graph);
  const reasons = reasonsOf(graph);
  const { start } = data;
  let { screen, query, look } = data;
  let found = list.find(query);
  let scene;
  let number = 0; // of the scene
  const isDrawn = (key) => scene.at.has(key);

  function sendPicture() {
    give({ picture: { ...pictureOf(graph, screen, scene, state.layers), scene: number } });
  }

  const sendLook = () => give({ dress: dressOf(graph, data, scene, look) });

  function draw() {
    scene = makeScene(graph, screen, look.neighbours);
    number += 1;
    sendPicture();
    sendLook();
  }

  const explain = (why) => give({ why: { ...why, n: (state.why?.n ?? 0) + 1 } });

  function choose(keys, why = reasons.of(keys, screen.cluster, scene)) {
    give({ selected: keys });
    explain(why);
  }

  /** What the list marks of the screen: the cluster that is open, and what is found in the picture. */
  function marks() {
    const hits = list.hits(query.words);
    const homes = new Set([...hits.keys()].map(({ home }) => home));
    const sentences = scene.sentences.filter((node) => hits.has(node)).map(({ key }) => key);
    const closed = scene.closed.filter((id) => homes.has(id)).map((id) => `c${id}`);
    return { current: screen.cluster, hits: [...sentences, ...closed] };
  }

  function sendPage(wanted) {
    const pages = Math.ceil(found.length / ON_PAGE);
    const page = Math.max(0, Math.min(wanted, pages - 1));
    const filterOf = ({ bounds, kind }) => JSON.stringify([bounds, kind]);
    const rows = list.rowsOf(found.slice(page * ON_PAGE, (page + 1) * ON_PAGE), query.words);
    const filtered = filterOf(query) !== filterOf(start);
    const near = list.nearest(query.words);
    const beyond = list.beyond(query);
    const any = graph.clusters.size > 0;
    give({
      listing: { rows, total: found.length, page, pages, ...query, ...marks(), any, filtered, near, beyond }
    });
  }

  /** The page of the list with the open cluster. */
  const sendOwnPage = () => sendPage(Math.floor(found.indexOf(screen.cluster) / ON_PAGE));

  /** Show another screen. */
  function go(changes, keepsChoice = false) {
    screen = { ...screen, ...changes };
    draw();
    if (!keepsChoice) choose([]);
    give({ listing: { ...state.listing, ...marks() } });
  }

  const openedIn = (view, cluster) => (view === "cluster" && cluster !== null ? [cluster] : []);

  function goTo(cluster) {
    if (!graph.clusters.has(cluster)) throw new Error(`cluster ${cluster} is not on this page`);
    go({ cluster, opened: openedIn(screen.view, cluster) });
  }

  /** Choose a sentence, in its cluster. */
  function select(node) {
    const { home } = node;
    if (!scene.sentences.includes(node)) {
      go(screen.opened.includes(home) ? {} : { cluster: home, opened: [home] });
      sendOwnPage();
    }
    choose([node.key]);
  }

  /** A query with a bound of a column set, or taken back (null). */
  function bounded(asked, { name, side, value }) {
    const [from, to] = asked.bounds[name] ?? [null, null];
    return { ...asked, bounds: { ...asked.bounds, [name]: side === "least" ? [value, to] : [from, value] } };
  }

  function sorted(asked, sort) {
    return { ...asked, sort, descending: sort === asked.sort ? !asked.descending : FALLING.includes(sort) };
  }

  const answers = {
    ready() {},
    layers: sendPicture,
    open: ({ cluster }) => goTo(cluster),
    view: ({ view }) => go({ view, opened: openedIn(view, screen.cluster) }),
    surprise({ by: what }) {
      const cluster = list.surprise(what);
      if (cluster === undefined) return;
      goTo(cluster);
      sendOwnPage();
    },
    query({ reset = false, bound, sort, ...changes }) {
      query = reset ? start : query;
      if (bound) query = bounded(query, bound);
      if (sort) query = sorted(query, sort);
      query = { ...query, ...changes };
      found = list.find(query);
      sendPage(0);
    },
    page({ page, open }) {
      sendPage(page);
      const { rows } = state.listing;
      if (open && rows.length) answers.open(open === "first" ? rows[0] : rows.at(-1));
    },
    look(changes) {
      look = { ...look, ...changes };
      sendLook();
    },
    select({ keys }) {
      const drawn = [...new Set(keys)].filter(isDrawn);
      if (drawn.length || !keys.length) choose(drawn);
    },
    edge({ id }) {
      const edge = scene.edges.find((one) => one.id === id);
      if (!edge) return;
      const { from, to, a } = edge;
      choose([from, to], a === undefined ? reasons.negatives(from, to) : undefined);
    },
    show({ key }) {
      if (key[0] === "n") select(graph.nodes.get(key));
      else if (isDrawn(key)) choose([key]);
    },
    expand({ key }) {
      if (!isDrawn(key)) return;
      const { opened, view } = screen;
      const cluster = graph.nodes.get(key)?.home ?? Number(key.slice(1));
      const isOpen = opened.includes(cluster);
      if (isOpen && view === "cluster" && cluster === screen.cluster) return;
      const next = isOpen ? opened.filter((one) => one !== cluster) : [...opened, cluster];
      if (next.length > OPEN) return explain(ENOUGH);
      go({ opened: next }, key[0] === "c");
    }
  };
  draw();
  choose([]);
  sendOwnPage();
  return answers;
}
