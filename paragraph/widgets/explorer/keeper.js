// The keeper of a graph, which a page of the Explorer asks: the kernel of a notebook, or what a saved page
// holds. Both answer the same questions with the same values; a kernel later, by a promise.
//
// `clusters({ open, near, nodes, wanted, neighbours })`: records of some clusters (those of `nodes` as well)
// and, in brief, of others and of the `neighbours` nearest, as `graph.add` takes them.
// `search(words)`: the grade of each cluster that holds them, and the words that were meant where none does.
// `names(ids, words)`: of each cluster its central sentence, or the best found in it, and how many were
// found.
// `apart(trust)`: what is left of clusters without the positives that are less probably right (`apartOf`).
// `like(node)`: the sentences of other clusters that are most like one, by its number; of a kernel alone.
// `right(pairs)`: how probably labels of sentences are right, in thousandths.
// `decide({ a, b, same, note })`: what a person says of two sentences, or notes, to be kept; `undo()` takes back
// the last, and answers whereof.
// `save(told)`: the page as a file; `told` hears the share of it that is done; of a kernel alone.
// `follows(a, b)`: what would follow if a stated label were wrong; a saved page cannot tell.

function savedKeeper({ records, edges, steps, sure, wrong, id }, graph) {
  const log = pageLog(id, graph);
  const kept = new Set(records.map(({ id }) => id));
  for (const record of records) record.links = record.links.filter(([other]) => kept.has(other));
  graph.add({ records, edges, wrong });
  const sentences = [...graph.nodes.values()].sort(by(({ number }) => number));
  const stated = new Map(edges.map(([number], i) => [number, steps?.[i]]));
  let last = {}; // the words asked for last, and what was found
  function hits(words) {
    if (last.words !== words) last = { words, found: seek(sentences, [...graph.edges.values()], words) };
    return last.found;
  }

  /** The words, with the most similar known word in the place of each that no sentence holds. */
  function nearest(words) {
    const all = wordsIn(words.toLowerCase());
    const unknown = all.filter((word) => !gradesOf(sentences, word).size);
    if (!unknown.length) return "";
    const known = new Set(sentences.flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u)));
    const near = all.map((word) => (unknown.includes(word) ? mostSimilar(word, known) : word));
    return near.every(Boolean) ? near.join(" ") : "";
  }

  /** From the digits of one cluster, or of two. */
  function rightOf([one, other]) {
    const edge = graph.edgeBetween(one, other);
    if (edge) return stated.get(edge.number);
    const [a, b] = [one, other].sort((x, y) => x.home - y.home || x.row - y.row);
    const many = graph.clusters.get(b.home).drawn.length;
    const isTogether = a.home === b.home;
    const skipped = isTogether ? (a.row * (a.row + 1)) / 2 + a.row + 1 : 0;
    const at = a.row * many + b.row - skipped;
    return Number(sure[isTogether ? a.home : `${a.home} ${b.home}`].slice(3 * at, 3 * at + 3));
  }

  return {
    clusters({ open = [], near = [], nodes = [] }) {
      const missing = [...open, ...near].find((id) => !kept.has(id));
      if (missing !== undefined) throw new Error(`cluster ${missing} is not on this page`);
      const unknown = nodes.find((number) => !graph.nodes.has(`n${number}`));
      if (unknown !== undefined) throw new Error(`sentence ${unknown} is not on this page`);
      return {};
    },
    search(words) {
      const best = new Map();
      const found = hits(words);
      for (const [{ home }, grade] of found) best.set(home, Math.max(grade, best.get(home) ?? 0));
      return { best, near: found.size ? "" : nearest(words) };
    },
    names(ids, words) {
      const here = grouped(hits(words), ([{ home }]) => home);
      return ids.map((id) => {
        const own = here.get(id) ?? [];
        const best = Math.max(...own.map(([, grade]) => grade));
        const [{ text }] = own.find(([, grade]) => grade === best) ?? [graph.centralOf(id)];
        return [text, own.length];
      });
    },
    apart: (trust) => graphApart(graph, trust),
    right: (pairs) => pairs.map(rightOf),
    ...log
  };
}

/** A kernel, asked by messages of a model. An answer comes in parts, so that none is too long for a proxy. */
function kernelKeeper(model, given, graph) {
  const page = Math.random().toString(36).slice(2); // other pages of this Explorer hear its answers as well
  const waiting = new Map();
  const known = new Map(); // answers to questions, by these
  let asked = 0;

  let hears = null; // how much of a page for a file is done

  model.on("msg:custom", ({ answer, part, left, saving }) => {
    if (saving !== undefined) hears?.(saving);
    const one = waiting.get(answer);
    if (!one) return;
    one.text += part;
    if (left) return;
    waiting.delete(answer);
    const { error, value } = JSON.parse(one.text);
    if (error) one.refuse(new Error(error));
    else one.give(value);
  });

  function ask(question, content) {
    asked += 1;
    const key = `${page} ${asked}`;
    return new Promise((give, refuse) => {
      waiting.set(key, { text: "", give, refuse });
      model.send({ intent: "ask", n: 0, key, question, content });
    });
  }

  async function once(question, content) {
    const key = JSON.stringify([question, content]);
    if (!known.has(key)) known.set(key, await ask(question, content));
    return known.get(key);
  }

  /** Take records and answers that Python gives before they are asked for. */
  function take({ clusters: records, answers }) {
    graph.add(records);
    for (const [question, content, value] of answers) known.set(JSON.stringify([question, content]), value);
  }

  take(given);
  return {
    take,
    clusters({ open = [], near = [], nodes = [], wanted = [], neighbours = 0 }) {
      const isShown = (at) => graph.nodes.get(`n${at}`)?.row !== undefined;
      const homes = wanted.filter((at) => !isShown(at)).map((at) => graph.nodes.get(`n${at}`)?.home);
      const asks = {
        open: open.filter((id) => !graph.isWhole(id) || homes.includes(id)),
        near: near.filter((id) => !graph.clusters.has(id)),
        nodes: nodes.filter((at) => !graph.nodes.has(`n${at}`))
      };
      const isHeld = !Object.values(asks).some(({ length }) => length);
      return isHeld ? {} : ask("clusters", { ...asks, wanted, neighbours });
    },
    async search(words) {
      const { ids, grades, near } = await once("search", { words });
      return { best: new Map(ids.map((id, i) => [id, grades[i]])), near };
    },
    names: (ids, words) => once("names", { ids, words }),
    apart: (trust) => once("apart", { trust }),
    like: (node) => once("like", { node }),
    right: (pairs) => ask("right", { pairs: pairs.map((pair) => pair.map(({ number }) => number)) }),
    decide: (content) => ask("decide", content),
    undo: () => ask("undo", {}),
    follows: (a, b) => ask("follows", { a, b }),
    save(told) {
      hears = told;
      return ask("save", {});
    }
  };
}
