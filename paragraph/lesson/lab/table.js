// The table: `{ of, name, note, scene, nodes, edges }`, a graph as it lies there. Nodes have keys ("n3"); an
// edge is [key, key, sign]. `of` says where the nodes come from: a start, the number of an exercise, or what
// Python laid (null). Each change makes another table; what it was is kept in a list of changes, so that it
// can be taken back.

const BLANK_TABLE = { of: null, name: "", note: "", nodes: [], edges: [] };
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The graph on a table, its nodes by their places. */
function graphOn({ nodes, edges }) {
  const place = new Map(nodes.map(({ key }, i) => [key, i]));
  return graphOf(
    nodes.length,
    edges.map(([a, b, sign]) => [place.get(a), place.get(b), sign])
  );
}

/** A table with another sign at an edge; 0 takes it away. */
function withSign(table, pair, sign) {
  const { edges } = table;
  const at = edges.findIndex((edge) => samePair(edge, pair));
  const [a, b] = edges[at] ?? pair;
  const put = sign ? [[a, b, sign]] : [];
  return { ...table, edges: edges.toSpliced(at < 0 ? edges.length : at, 1, ...put) };
}

function withoutNode(table, key) {
  return {
    ...table,
    scene: table.scene + 1,
    nodes: table.nodes.filter((node) => node.key !== key),
    edges: table.edges.filter(([a, b]) => a !== key && b !== key)
  };
}

/** A node called by the first letter that is free, where there is room; its key was not used before. */
function newNode(table, changes) {
  const { nodes } = table;
  const names = ["", "1", "2"].flatMap((number) => [...LETTERS].map((letter) => letter + number));
  const text = names.find((name) => nodes.every((node) => node.text !== name));
  const known = [...nodes, ...changes.map(({ node }) => node).filter(Boolean)];
  const used = known.map(({ key }) => Number(key.slice(1)));
  return {
    key: `n${Math.max(-1, ...used) + 1}`,
    text,
    number: text,
    label: "",
    sentence: false,
    ...roomAmong(table)
  };
}

/** A table as it was before a change; of nodes, `before` holds what it was. */
function beforeChange(table, { did, edge, from, before }) {
  if (did === "sign") return withSign(table, edge, from);
  return { ...table, scene: table.scene + 1, ...before };
}
