// The keeper of a graph, which a page of the Explorer asks: the kernel of a notebook, or what a saved page
// holds. Both answer the same questions with the same values; a kernel later, by a promise.
//
// `clusters(wanted)`: records of some clusters, and of others in brief, as `graph.add` takes them.
// `search(words)`: the grade of each cluster that holds them.
// `names(ids, words)`: of each cluster its central sentence, or the best found in it, and how many were
// found.
// `decide({ a, b, same, note })`: what a person says of two sentences, or notes, to be kept; `undo()` takes
// back the last, and answers whereof.
//
// Of a kernel alone:
// `follows(a, b)`: what would follow if a stated label were wrong.

/** @param {Data} data */
function savedKeeper({ records, edges, id }, graph) {
  graph.add({ records, edges });
  const sentences = [...graph.nodes.values()].sort(by(({ number }) => number));
  let last = { words: "", grades: new Map() }; // the words asked for last, and what was found
  function hits(words) {
    if (last.words !== words) last = { words, grades: seek(sentences, [...graph.edges.values()], words) };
    return last.grades;
  }

  return {
    clusters({ open = [], near = [], nodes = [] }) {
      for (const id of [...open, ...near])
        if (!graph.clusters.has(id)) throw new Error(`cluster ${id} is not on this page`);
      for (const number of nodes)
        if (!graph.nodes.has(`n${number}`)) throw new Error(`sentence ${number} is not on this page`);
      return {};
    },
    search(words) {
      const best = new Map();
      for (const [{ home }, grade] of hits(words)) best.set(home, Math.max(grade, best.get(home) ?? 0));
      return best;
    },
    names(ids, words) {
      const here = grouped(hits(words), ([{ home }]) => home);
      return ids.map((id) => {
        const own = here.get(id) ?? [];
        const [best] = own.toSorted(by(([, grade]) => -grade)); // of equals the first
        const { text } = best?.[0] ?? graph.centralOf(id);
        return [text, own.length];
      });
    },
    ...pageLog(id, graph)
  };
}

/** A kernel, asked by messages of a model. An answer comes in parts, so that none is too long for a proxy. */
function kernelKeeper(model, graph) {
  const waiting = new Map();
  const known = new Map(); // answers to questions, by these

  function hear({ answer, part, left }) {
    const one = waiting.get(answer);
    if (!one) return;
    one.text += part;
    if (left) return;
    waiting.delete(answer);
    const { error, value } = JSON.parse(one.text);
    if (error) one.refuse(new Error(error));
    else one.give(value);
  }

  function ask(question, content) {
    const key = String(Math.random()); // other pages of this Explorer hear its answers as well
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

  return {
    stop: listenTo(model, { "msg:custom": hear }),
    take,
    clusters({ open = [], near = [], nodes = [], wanted = [] }) {
      const isShown = (at) => graph.nodes.get(`n${at}`)?.row !== undefined;
      const homes = wanted.filter((at) => !isShown(at)).map((at) => graph.nodes.get(`n${at}`)?.home);
      const asks = {
        open: open.filter((id) => !graph.isWhole(id) || homes.includes(id)),
        near: near.filter((id) => !graph.clusters.has(id)),
        nodes: nodes.filter((at) => !graph.nodes.has(`n${at}`))
      };
      const isHeld = !Object.values(asks).some(({ length }) => length);
      return isHeld ? {} : ask("clusters", { ...asks, wanted });
    },
    async search(words) {
      const { ids, grades } = await once("search", { words });
      return new Map(ids.map((id, i) => [id, grades[i]]));
    },
    names: (ids, words) => once("names", { ids, words }),
    decide: (content) => ask("decide", content),
    undo: () => ask("undo", {}),
    follows: (a, b) => ask("follows", { a, b })
  };
}
