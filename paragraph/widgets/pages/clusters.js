// The Explorer's kernel on a page: it answers the intents that `explorer/widget.py` answers, from the
// clusters that the page holds. Places, communities, marked words and the facts of a cluster were worked out
// when the page was written.

const OPEN = 6,
  ON_PAGE = 50;
// the order that a first click gives
const FIRST = { cluster: 1, size: -1, conflicts: -1, negatives: -1, density: 1 };

/** The list: clusters as columns of numbers, those that answer a query, and their rows. */
function listOf(graph) {
  const columns = new Map(
    [...graph.clusters.values()]
      .sort((a, b) => a.id - b.id)
      .map(({ id, members, counts: [within, conflicts, negatives, density] }) => [
        id,
        {
          row: { cluster: id, size: members.length, conflicts, negatives, density },
          within,
          direct: conflicts - within
        }
      ])
  );
  const inOrder = [...graph.nodes.values()].sort((a, b) => a.number - b.number);
  let last = [null];
  function hits(words) {
    if (last[0] === words) return last[1];
    const found = wordsIn(words).length ? gradesOf(inOrder, words) : new Map(),
      named = words.match(/^\s*(?:row\s+|#)(\S+)\s*$/i)?.[1];
    const ends = named
      ? graph.edges
          .filter(({ names }) => names.some((name) => String(name) === named))
          .flatMap(({ a, b }) => [a, b])
      : [];
    for (const node of ends) found.set(node, found.get(node) ?? 0);
    last = [words, ends.length ? new Map([...found].sort(([a], [b]) => a.number - b.number)) : found];
    return last[1];
  }
  function find({ words, bounds, kind, sort, descending }) {
    const best = new Map(),
      searched = wordsIn(words).length > 0;
    for (const [{ home }, grade] of hits(words)) best.set(home, Math.max(grade, best.get(home) ?? 0));
    const kept = [...columns.values()].filter(
      ({ row, within, direct }) =>
        (!searched || best.has(row.cluster)) &&
        Object.entries(bounds).every(
          ([name, [from, to]]) => row[name] >= (from ?? -Infinity) && row[name] <= (to ?? Infinity)
        ) &&
        { any: true, none: row.conflicts === 0, within: within > 0, direct: direct > 0 }[kind]
    );
    const value =
      searched && sort === "cluster" && !descending
        ? ({ row }) => -best.get(row.cluster)
        : ({ row }) => (descending ? -row[sort] : row[sort]);
    return kept.sort((a, b) => value(a) - value(b)).map(({ row }) => row.cluster);
  }
  function rows(ids, words) {
    const found = grouped(hits(words), ([{ home }]) => home);
    return ids.map((id) => {
      const here = found.get(id) ?? [],
        best = here.reduce(
          (one, other) => (other[1] > one[1] ? other : one),
          [graph.clusters.get(id).members[0], -1]
        );
      return { ...columns.get(id).row, text: best[0].text, hits: here.length };
    });
  }
  /** The words, with the most similar known word in the place of each that no sentence holds. */
  function nearest(words) {
    const all = wordsIn(words.toLowerCase()),
      unknown = all.filter((word) => !gradesOf(inOrder, word).size);
    if (!unknown.length || hits(words).size) return "";
    const known = new Set(inOrder.flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u)));
    const near = new Map(unknown.map((word) => [word, mostSimilar(word, known)]));
    return [...near.values()].every(Boolean) ? all.map((word) => near.get(word) ?? word).join(" ") : "";
  }
  /** One at random: large ones more likely; of the tenth with the lowest density; of those with a
   * conflict. */
  function surprise(by) {
    const some = [...columns.values()]
      .map(({ row }) => row)
      .filter(
        {
          size: ({ size }) => size > 1,
          density: ({ size }) => size > 2,
          conflict: ({ conflicts }) => conflicts > 0
        }[by]
      );
    const loose =
      by === "density"
        ? some.sort((a, b) => a.density - b.density).slice(0, Math.max(1, Math.floor(some.length / 10)))
        : some;
    let at = Math.random() * loose.reduce((sum, { size }) => sum + (by === "size" ? size : 1), 0);
    const drawn = loose.find(({ size }) => {
      at -= by === "size" ? size : 1;
      return at < 0;
    });
    return drawn?.cluster;
  }
  return { hits, find, rows, nearest, surprise };
}

function kernelOf(data, state, give) {
  const graph = heldGraph(data),
    list = listOf(graph),
    reasons = reasonsOf(graph),
    { start, forms, attributes } = data;
  let { screen, query, look } = data,
    found = list.find(query),
    scene,
    number = 0,
    why = 0;
  const opened = (cluster, view) => (view === "cluster" && cluster !== null ? [cluster] : []);
  const checked = (cluster) => {
    if (!graph.clusters.has(cluster)) throw new Error(`cluster ${cluster} is not on this page`);
    return cluster;
  };
  const isDrawn = (key) => scene.at.has(key);

  function sendPicture() {
    give({ picture: { ...pictureOf(graph, screen, scene, state.layers, look.form), scene: number } });
  }
  function sendLook() {
    const options = {
      ...Object.fromEntries(
        ["color", "size"].map((name) => [name, data.options[name].map((one) => [one, one])])
      ),
      form: forms
    };
    give({
      dress: {
        options,
        chosen: look,
        labels: look.labels,
        color: shades(look.color),
        size: shades(look.size)
      }
    });
  }
  /** The values of an attribute among what is drawn. */
  function shades(name) {
    if (name === "conflicts" || name === "same") return {};
    if (name === "community") {
      const of = Object.fromEntries(
        scene.nodes.filter(({ group }) => group !== undefined).map(({ key, group }) => [key, group])
      );
      return {
        kind: "category",
        name,
        names: Array.from(
          { length: greatest([0, ...Object.values(of).map((part) => part + 1)]) },
          (_, i) => `part ${i + 1}`
        ),
        of
      };
    }
    const { names, low, high } = attributes[name],
      asked = scene.nodes.filter(({ cluster }) => !names || cluster === undefined);
    const valueOf = ({ key, cluster, home }) =>
      cluster === undefined
        ? graph.clusters.get(home).values[name][graph.nodes.get(Number(key.slice(1))).place]
        : graph.clusters.get(cluster).means[name];
    const of = Object.fromEntries(
        asked.map((node) => [node.key, valueOf(node)]).filter(([, value]) => value !== null)
      ),
      values = Object.values(of);
    const shown = { name, of, missing: asked.length - values.length };
    if (names) return { ...shown, kind: "category", names };
    return {
      ...shown,
      kind: "number",
      low: low ?? (values.length ? least(values) : 0),
      high: high ?? (values.length ? greatest(values) : 0)
    };
  }
  function draw() {
    scene = makeScene(graph, screen, look.neighbours);
    number += 1;
    sendPicture();
    sendLook();
  }
  function choose(keys, given) {
    why += 1;
    give({ selected: keys, why: { ...(given ?? reasons.of(keys, screen.cluster, scene)), n: why } });
  }
  function sendList(page) {
    const hits = list.hits(query.words),
      homes = new Set([...hits.keys()].map(({ home }) => home));
    const now = {
      current: screen.cluster,
      hits: [
        ...scene.sentences.filter((node) => hits.has(node)).map(({ key }) => key),
        ...scene.closed.filter((id) => homes.has(id)).map((id) => `c${id}`)
      ]
    };
    if (page === null) return give({ listing: { ...state.listing, ...now } });
    const pages = Math.ceil(found.length / ON_PAGE),
      at = Math.max(0, Math.min(page, pages - 1));
    const filtered =
      JSON.stringify([query.bounds, query.kind]) !== JSON.stringify([start.bounds, start.kind]);
    give({
      listing: {
        rows: list.rows(found.slice(at * ON_PAGE, (at + 1) * ON_PAGE), query.words),
        total: found.length,
        page: at,
        pages,
        ...query,
        ...now,
        any: graph.clusters.size > 0,
        filtered,
        near: list.nearest(query.words)
      }
    });
  }
  const pageOf = (cluster) => Math.max(0, Math.floor(found.indexOf(cluster) / ON_PAGE));
  function go(to, { find = false, keep = false } = {}) {
    screen = to;
    draw();
    if (!keep) choose([]);
    sendList(find ? pageOf(screen.cluster) : null);
  }
  const at = (cluster) => ({ ...screen, cluster: checked(cluster), opened: opened(cluster, screen.view) });
  function select(node) {
    if (!scene.sentences.includes(node))
      go(
        screen.opened.includes(node.home) ? screen : { ...screen, cluster: node.home, opened: [node.home] },
        { find: true }
      );
    choose([node.key]);
  }

  const answers = {
    ready() {},
    layers: sendPicture,
    open: ({ cluster }) => go(at(cluster)),
    view: ({ view }) => go({ ...screen, view, opened: opened(screen.cluster, view) }),
    surprise({ by }) {
      const cluster = list.surprise(by);
      if (cluster !== undefined) go(at(cluster), { find: true });
    },
    query({ reset = false, bound, sort, ...changes }) {
      let next = reset ? start : query;
      if (bound) {
        const [from, to] = next.bounds[bound.name] ?? [null, null];
        next = {
          ...next,
          bounds: {
            ...next.bounds,
            [bound.name]: bound.side === "least" ? [bound.value, to] : [from, bound.value]
          }
        };
      }
      if (sort) next = { ...next, sort, descending: sort === next.sort ? !next.descending : FIRST[sort] < 0 };
      query = { ...next, ...changes };
      found = list.find(query);
      sendList(0);
    },
    page({ page, open }) {
      sendList(page);
      const { rows } = state.listing;
      if (open && rows.length) answers.open(open === "first" ? rows[0] : rows.at(-1));
    },
    look(changes) {
      const before = look.form;
      look = { ...look, ...changes };
      if (look.form !== before) sendPicture();
      sendLook();
    },
    select({ keys }) {
      const drawn = [...new Set(keys)].filter(isDrawn);
      if (drawn.length || !keys.length) choose(drawn);
    },
    edge({ id }) {
      const edge = scene.edges.find((one) => one.id === id);
      if (edge)
        choose(
          [edge.from, edge.to],
          edge.a === undefined ? reasons.negatives(edge.from, edge.to) : undefined
        );
    },
    show({ key }) {
      if (key[0] === "c" && isDrawn(key)) choose([key]);
      else if (key[0] === "n") select(graph.nodes.get(Number(key.slice(1))));
    },
    expand({ key }) {
      if (!isDrawn(key)) return;
      const id = Number(key.slice(1)),
        cluster = key[0] === "c" ? id : graph.nodes.get(id).home,
        open = screen.opened;
      if (open.includes(cluster) && screen.view === "cluster" && cluster === screen.cluster) return;
      const next = open.includes(cluster) ? open.filter((one) => one !== cluster) : [...open, cluster];
      if (next.length > OPEN) {
        why += 1;
        return give({
          why: {
            title: "Enough",
            text: `${OPEN} clusters are open. Double click a sentence of one to close it.`,
            n: why
          }
        });
      }
      go({ ...screen, opened: next }, { keep: key[0] === "c" });
    }
  };
  draw();
  sendList(pageOf(screen.cluster));
  choose([]);
  return answers;
}
