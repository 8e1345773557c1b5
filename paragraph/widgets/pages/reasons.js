// What the right side says of a sentence, a pair or a cluster: as `base/why.py` and `explorer/shown.py` make
// it.

const LISTED = 200;
const NOTHING = {
  title: "Why?",
  text: "Click a sentence to see its pairs and rows, or a line to see where its label comes from."
};
const leftOut = (total) => (total > LISTED ? `The first ${LISTED} of ${inThousands(total)} are listed.` : "");

function reasonsOf(graph) {
  const entry = ({ sign: s, a, b, names, conflicting }, beside) => {
    const some = [a, b].filter((node) => node !== beside);
    return {
      sign: s,
      texts: some.map(({ text }) => text),
      keys: some.map(({ key }) => key),
      rows: names,
      conflict: beside !== undefined && conflicting
    };
  };

  function sentence(node) {
    const edges = [...node.edges].sort(
      (a, b) => b.conflicting - a.conflicting || b.sign - a.sign || a.number - b.number
    );
    const plus = node.near.length,
      size = graph.clusters.get(node.home).members.length;
    const less = graph.missing(node.home)
      ? "Its pairs with clusters that are not on this page are left out."
      : "";
    return {
      title: "Sentence",
      sentence: node.text,
      facts: [
        ["cluster", `${node.home}, of ${inThousands(size)}`],
        ["stated pairs", `${plus} positive, ${edges.length - plus} negative`]
      ],
      pairs_title: "Its pairs",
      pairs: edges.slice(0, LISTED).map((edge) => entry(edge, node)),
      note: leftOut(edges.length) || less
    };
  }

  function pair(a, b) {
    const { verdict, reason, steps, label, right } = graph.explain(a, b),
      edge = graph.edgeBetween(a, b),
      keys = [a.key, b.key];
    const proof = steps.map(([one, other]) => {
      const { sign: s, names } = graph.edgeBetween(one, other);
      return { sign: s, texts: [one.text, other.text], rows: names, keys: [one.key, other.key] };
    });
    if (right !== undefined) {
      const each = steps.map((step) => graph.edgeBetween(...step).right),
        weakest = each.indexOf(Math.min(...each));
      for (const [i, step] of proof.entries())
        Object.assign(step, { right: each[i], weakest: i === weakest });
    }
    const titles = {
      conflict: "The positive path against it",
      inferred: "Proof: the stated pairs it follows from"
    };
    const shown = titles[verdict] ? proof : [],
      lit = [keys, ...proof.map((step) => step.keys)];
    return {
      title: "Pair",
      badge: verdict,
      text: `${reason[0].toUpperCase()}${reason.slice(1)}.`,
      pair: wordDiff(a.text, b.text),
      keys,
      steps_title: titles[verdict] ?? "",
      steps: shown,
      rows_title: "The rows that state it",
      rows: edge && graph.table ? edge.rows.slice(0, LISTED) : [],
      highlight: {
        nodes: [...new Set(lit.flat())].sort(),
        edges: lit,
        ...(verdict === "inferred" && { pair: keys, sign: label ? 1 : -1 })
      }
    };
  }

  /** The stated negatives between two nodes of the picture, at least one of them a closed cluster. */
  function negatives(one, other) {
    const isIn = (key, node) => key === node.key || key === `c${node.home}`;
    const edges = graph.edges.filter(
        ({ sign: s, a, b }) => s < 0 && ((isIn(one, a) && isIn(other, b)) || (isIn(one, b) && isIn(other, a)))
      ),
      several = edges.length !== 1;
    return {
      title: one[0] === "c" ? "Negatives between clusters" : `Negatives to cluster ${other.slice(1)}`,
      text: `${edges.length} stated pair${several ? "s" : ""} keep${several ? "" : "s"} the two apart.`,
      pairs_title: "Stated negatives",
      pairs: edges.slice(0, LISTED).map((edge) => entry(edge)),
      highlight: { nodes: [one, other], edges: [[one, other]] },
      note: leftOut(edges.length)
    };
  }

  function cluster(id) {
    const { members, facts } = graph.clusters.get(id);
    return {
      title: `Cluster ${id}`,
      facts,
      actions: [{ text: "Open this cluster", intent: "open", content: { cluster: id } }],
      pairs_title: "Its sentences",
      pairs: members
        .slice(0, LISTED)
        .map(({ key, text }) => ({ sign: 1, texts: [text], keys: [key], rows: [] })),
      note: leftOut(members.length)
    };
  }

  /** The open cluster, before anything is chosen. */
  function story(id, scene) {
    const { facts: known, lists, members, central, words, plain, group = [] } = graph.clusters.get(id),
      drawn = scene.opened.includes(id);
    const facts = [...known],
      sizes = [],
      [shared, splitting] = drawn ? words : (plain ?? words),
      node = graph.nodes.get(central);
    for (const part of group) sizes[part] = (sizes[part] ?? 0) + 1;
    if (drawn && sizes.length > 1)
      facts.splice(2, 0, ["parts", `${sizes.length}: ${sizes.join(" + ")} sentences`]);
    return {
      title: `Cluster ${id}`,
      facts,
      lists,
      central: members.length > 1 ? { title: "Most central sentence", key: node.key, text: node.text } : null,
      words: [
        { title: "Words that most sentences share", words: members.length > 1 ? shared : [] },
        { title: "Words that split them", words: splitting }
      ],
      note: NOTHING.text
    };
  }

  /** What explains the nodes chosen: one sentence, two of them, a closed cluster; where none is, the open
   * one. */
  function of(keys, current, scene) {
    const kinds = keys.map((key) => key[0]).join(""),
      [a, b] = keys.map((key) => graph.nodes.get(Number(key.slice(1))));
    if (kinds === "n") return sentence(a);
    if (kinds === "nn") return pair(a, b);
    if (kinds === "c") return cluster(Number(keys[0].slice(1)));
    return keys.length || current === null ? NOTHING : story(current, scene);
  }

  return { of, negatives };
}
