// The list of the Explorer: what answers the query, page by page.

// columns of which a first click puts the largest first
const FALLING = ["size", "conflicts", "negatives", "decided"];

/** A query with another bound of a column. */
function boundedQuery(query, { name, side, value }) {
  const [least, most] = query.bounds[name] ?? [null, null];
  const own = side === "least" ? [value, most] : [least, value];
  return { ...query, bounds: { ...query.bounds, [name]: own } };
}

/** @param {Page} page */
function browsingOf(page) {
  const { data, state, give, keeper, list, decisions } = page;
  let matches = []; // clusters that answer the query
  let best = new Map(); // how well its words are found, by cluster
  let search = 0; // queries asked for
  let listed = null; // the answer to the last one, which a page of it waits for

  /** What the list marks of the screen: the cluster that is open, and what is found in the picture. */
  function marks() {
    const { words } = state.query;
    const { sentences, closed } = page.scene;
    const edges = unique(sentences.flatMap((node) => node.edges));
    const here = wordsIn(words).length ? seek(sentences, edges, words) : new Map();
    const shown = sentences.filter((node) => here.has(node)).map(({ key }) => key);
    const beside = closed.filter((id) => best.has(id)).map((id) => `c${id}`);
    return { current: state.screen.cluster, hits: [...shown, ...beside] };
  }

  const mark = () => give({ listing: { ...state.listing, ...marks() } });

  async function sendPage(wanted) {
    const { query } = state;
    const pages = Math.ceil(matches.length / PAGE);
    const at = Math.max(0, Math.min(wanted, pages - 1));
    const ids = matches.slice(at * PAGE, (at + 1) * PAGE);
    const names = ids.length ? await keeper.names(ids, query.words) : [];
    if (query !== state.query) return;
    const filterOf = ({ bounds, kind, only }) => JSON.stringify([bounds, kind, only]);
    function rowOf(id, i) {
      const [text, hits] = names[i];
      return { ...list.rowOf(id), text, hits };
    }
    give({
      listing: {
        rows: ids.map(rowOf),
        total: matches.length,
        page: at,
        pages,
        ...query,
        only: query.only && query.only.length,
        ...marks(),
        any: list.count > 0,
        filtered: filterOf(query) !== filterOf(data.start),
        decides: decisions.isOn(),
        beyond: Math.max(0, best.size - matches.length)
      }
    });
  }

  /** The page of the list with the open cluster. */
  const sendOwnPage = () => sendPage(Math.floor(matches.indexOf(state.screen.cluster) / PAGE));

  /** Find what answers a query; false where another was asked for meanwhile. @param {Query} query */
  async function seekAll(query) {
    search += 1;
    const mine = search;
    const grades = wordsIn(query.words).length ? await keeper.search(query.words) : new Map();
    if (mine !== search) return false;
    best = grades;
    matches = list.find(query, best);
    give({ query });
    return true;
  }

  function sorted(query, sort) {
    return { ...query, sort, descending: sort === query.sort ? !query.descending : FALLING.includes(sort) };
  }

  const answers = {
    async query({ reset = false, bound, sort, ...changes }) {
      let query = reset ? data.start : state.query;
      if (bound) query = boundedQuery(query, bound);
      if (sort) query = sorted(query, sort);
      const isHere = state.listing?.rows?.some(({ cluster }) => cluster === state.screen.cluster);
      listed = seekAll({ ...query, ...changes });
      if (!(await listed)) return;
      if (sort && isHere)
        await sendOwnPage(); // the reader's place is kept
      else await sendPage(0);
    }
  };
  return { marks, mark, seekAll, sendPage, sendOwnPage, listed: () => listed, answers };
}
