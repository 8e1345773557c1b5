// The picture: the nodes of the table with their camps, and its edges.

/** Camps that colour the nodes, by key: those of the verdict, in an exercise those chosen. */
function campsOn(bench) {
  if (bench.exercise) return bench.attempt.camps;
  const weak = judgeBalance(graphOn(bench.table), "weak"); // strong balance is weak balance as well
  if (!weak.balanced || bench.isHidden) return {};
  return Object.fromEntries(weak.camps.map((camp, place) => [bench.key(place), camp]));
}

/** What a click on a line does. */
function hintOn({ picks, exercise }) {
  if (picks) return "Click to select or deselect it.";
  return !exercise || DRAWN.includes(exercise.kind) ? "Click to turn the sign." : "";
}

function titleOn(bench) {
  const { table, exercise, place } = bench;
  if (exercise) return `Exercise ${place}: ${exercise.title}`;
  const name = bench.isHidden
    ? "What do you predict?"
    : `${table.name.charAt(0).toUpperCase()}${table.name.slice(1)}:`;
  const [positive, negative] = [isPositive, isNegative].map((kind) => table.edges.filter(kind).length);
  return `${name} ${table.nodes.length} nodes, ${positive} +, ${negative} −`;
}

function pictureOf(bench) {
  const { table } = bench;
  const camps = campsOn(bench);
  const hint = hintOn(bench);
  const coloured = (key) => (key in camps ? { camp: camps[key] } : {});
  const faces = bench.work.story === null ? [] : facesOn(bench);
  const node = (one, i) => ({ ...one, size: 1, conflict: false, ...coloured(one.key), ...faces[i] });
  const edge = ([from, to, sign]) => ({
    id: `e${from}-${to}`,
    from,
    to,
    sign,
    count: 1,
    layer: sign > 0 ? "positive" : "negative",
    text: `${symbol(sign)} ${hint}`.trim()
  });
  return {
    scene: table.scene,
    view: "lab",
    title: titleOn(bench),
    note: bench.isHidden && table.note !== FULL ? "" : table.note, // captions name the verdict
    nodes: table.nodes.map(node),
    edges: table.edges.map(edge),
    inferred: [],
    farthest: 1
  };
}
