// What the right side says about a sentence, a pair or a cluster.

const ROWS = 40; // of a conflict
const PARTS = 5; // named at most
const NOTHING = {
  title: "Why?",
  text: "Click a sentence to see its pairs and rows, or a line to see where its label comes from."
};
const STEPS = {
  conflict: "The positive path against it",
  inferred: "Proof: the stated pairs it follows from"
};
/** The sizes of parts, largest first; of many the first five. */
const saidSizes = (sizes) => sizes.slice(0, PARTS).join(" + ") + (sizes.length > PARTS ? " + …" : "");
const leftOut = (total) => (total > LISTED ? `The first ${LISTED} of ${inThousands(total)} are listed.` : "");

/** What labels would change if they were wrong, as `what_if` of Python has it. */
const whatIf = (rows) => ({
  title: "What if: clusters, inferred labels",
  head: ["", "clusters", "+", "−", "also settles"],
  rows
});

function reasonsOf(graph) {
  /** An entry of a list: a sign, its sentences and its rows. */
  const listed = (sign, nodes, rows) => ({
    sign,
    texts: nodes.map(({ text }) => text),
    keys: nodes.map(({ key }) => key),
    rows
  });

  /** Rows that state a label, called as the file calls it. */
  const rowsOfEdge = ({ rows }) => rows.map((row) => ({ ...row, label: graph.words[row.label] }));

  /** A stated label as an entry; beside one of its sentences, with the other alone. */
  function entry({ sign, a, b, names, isConflicting }, beside) {
    const some = [a, b].filter((node) => node !== beside);
    return { ...listed(sign, some, names), conflict: isConflicting };
  }

  function sentence(node) {
    const { home, near, text } = node;
    const edges = node.edges.toSorted((a, b) => b.isConflicting - a.isConflicting || b.sign - a.sign);
    const { size } = graph.clusters.get(home);
    const less = "Its pairs with clusters that are not on this page are left out.";
    return {
      title: "Sentence",
      sentence: text,
      facts: [
        ["cluster", `${home}, of ${inThousands(size)}`],
        ["stated pairs", `${near.length} positive, ${edges.length - near.length} negative`]
      ],
      pairs_title: "Its pairs",
      pairs: edges.slice(0, LISTED).map((edge) => entry(edge, node)),
      note: leftOut(edges.length) || (graph.missing(home) ? less : "")
    };
  }

  /** A step of a proof as an entry. */
  function step(nodes) {
    const { sign, names } = graph.edgeBetween(...nodes);
    return listed(sign, nodes, names);
  }

  function pair(a, b) {
    const { verdict, reason, steps, label } = graph.explain(a, b);
    const edge = graph.edgeBetween(a, b);
    const keys = [a.key, b.key];
    const proof = steps.map(step);
    const lit = [keys, ...proof.map((one) => one.keys)];
    const isTie = verdict === "stated" && isDisputed(edge) && edge.yes === edge.no;
    return {
      title: "Pair",
      badge: isTie ? "annotators differ" : verdict,
      text: `${capitalised(reason)}.`,
      pair: wordDiff(a.text, b.text),
      keys,
      steps_title: STEPS[verdict] ?? "",
      steps: verdict in STEPS ? proof : [],
      rows_title: "The rows that state it",
      rows: edge && graph.table ? rowsOfEdge(edge).slice(0, LISTED) : [],
      highlight: {
        nodes: unique(lit.flat()).sort(),
        edges: lit,
        ...(verdict === "inferred" && { pair: keys, sign: label ? 1 : -1 })
      }
    };
  }

  /** The stated negatives between two nodes of the picture, at least one of them a closed cluster. */
  function negatives(one, other) {
    const isIn = (key, node) => key === node.key || key === `c${node.home}`;
    const joins = ({ a, b }) => (isIn(one, a) && isIn(other, b)) || (isIn(one, b) && isIn(other, a));
    const own = one[0] === "c" ? graph.clusters.get(Number(one.slice(1))).members : [graph.nodes.get(one)];
    const found = own.flatMap((node) => node.edges).filter((edge) => edge.sign < 0 && joins(edge));
    const edges = found.sort(byNumber);
    const keep = edges.length === 1 ? "pair keeps" : "pairs keep";
    return {
      title: one[0] === "c" ? "Negatives between clusters" : `Negatives to cluster ${other.slice(1)}`,
      text: `${edges.length} stated ${keep} the two apart.`,
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
      pairs: members.slice(0, LISTED).map((node) => listed(1, [node], [])),
      note: leftOut(members.length)
    };
  }

  /** The open cluster, before anything is chosen. */
  function story(id, scene) {
    const record = graph.clusters.get(id);
    const { lists, words, group = [] } = record;
    const isDrawn = scene.opened.includes(id);
    const isAlone = record.size === 1;
    const [shared, splitting] = words;
    const { key, text } = graph.centralOf(id);
    const facts = [...record.facts];
    const parts = unique(group).sort((a, b) => a - b);
    const sizes = parts.map((part) => group.filter((one) => one === part).length);
    if (isDrawn && sizes.length > 1)
      facts.splice(2, 0, ["parts", `${sizes.length}: ${saidSizes(sizes)} sentences`]);
    return {
      title: `Cluster ${id}`,
      facts,
      lists,
      central: isAlone ? null : { title: "Most central sentence", key, text },
      words: [
        { title: "Words that most sentences share", words: isAlone ? [] : shared },
        { title: "Words that split them", words: splitting }
      ],
      note: NOTHING.text
    };
  }

  /** What explains the nodes chosen: one sentence, two of them, a closed cluster; where none is, the open
   * one. */
  function of(keys, current, scene) {
    const kinds = keys.map((key) => key[0]).join("");
    const [a, b] = keys.map((key) => graph.nodes.get(key));
    if (kinds === "n") return sentence(a);
    if (kinds === "nn") return pair(a, b);
    if (kinds === "c") return cluster(Number(keys[0].slice(1)));
    return keys.length || current === null ? NOTHING : story(current, scene);
  }

  /** The positive labels that contradict another, step by step, and the rows of all. */
  function against(ends, path) {
    const steps = path.slice(1).map((node, i) => [path[i], node]);
    const all = new Map([ends, ...steps].map((nodes) => [graph.pairOf(...nodes), nodes]));
    const edges = [...all.values()].map((nodes) => graph.edgeBetween(...nodes)).filter(Boolean);
    const rows = graph.table ? edges.flatMap(rowsOfEdge) : [];
    const step = ([a, b], i) => ({
      ...listed(1, [a, b], graph.edgeBetween(a, b).names),
      texts: wordDiff(a.text, b.text),
      number: i < NUMBERED ? i + 1 : null
    });
    return {
      steps_title: steps.length ? "Positive labels that join the two" : "",
      steps: steps.map(step),
      rows: rows.slice(0, ROWS),
      note: rows.length > ROWS ? `The first ${ROWS} of ${inThousands(rows.length)} rows are listed.` : "",
      highlight: {
        nodes: unique([...ends, ...path]).map(({ key }) => key),
        edges: [ends, ...steps].map((nodes) => nodes.map(({ key }) => key))
      }
    };
  }

  return { of, pair, negatives, against };
}
