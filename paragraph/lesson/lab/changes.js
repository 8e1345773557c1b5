// Changes of the table: what is laid, and what is done to its nodes and edges, by hand or by dynamics. Each
// change is kept, so that it can be taken back.

const FULL = `The table holds ${ON_TABLE} nodes at most.`;

function changesOf({ bench, state, data, give, work, reopen }) {
  /** Say something of the table. */
  const note = (text) => give({ table: { ...state.table, note: text } });
  /** After a change, whoever has not seen the verdict predicts anew. */
  const anew = () => bench.isHidden && work({ vote: "" });

  function lay(table) {
    const scene = (state.table.scene ?? 0) + 1;
    give({ table: { ...withPlaces(table), scene }, changes: [], placed: {}, selected: [] });
    work({ vote: state.work.vote && "", revealed: false, story: null });
  }

  function layStart(name) {
    const start = data.starts.find((one) => one.name === name);
    if (!start) throw new Error(`no start is called ${name}`);
    lay(start);
  }

  /** Make a change, and keep what it was. */
  function change(table, what, said = "") {
    give({ table: { ...table, note: said }, changes: [...state.changes, what] });
    anew();
    reopen();
  }

  function setSign(pair, sign, said) {
    const from = bench.signOf(pair) ?? 0;
    change(withSign(state.table, pair, sign), { did: "sign", edge: pair, from, to: sign }, said);
  }

  function changeNodes(table, what) {
    const { nodes, edges } = state.table;
    change(table, { ...what, before: { nodes, edges } });
  }

  function addNode() {
    if (state.table.nodes.length >= ON_TABLE) return note(FULL);
    const { table } = state;
    const node = newNode(table, state.changes);
    changeNodes({ ...table, scene: table.scene + 1, nodes: [...table.nodes, node] }, { did: "add", node });
    work({ removes: true }); // a node is there to be joined
  }

  function removeNodes() {
    for (const key of state.selected.filter(bench.node)) {
      changeNodes(withoutNode(state.table, key), { did: "remove", node: bench.node(key) });
    }
    give({ selected: [] });
  }

  function undo() {
    const last = state.changes.at(-1);
    if (!last) return;
    give({ table: { ...beforeChange(state.table, last), note: "" }, changes: state.changes.slice(0, -1) });
    anew();
    reopen();
  }

  return { note, anew, lay, layStart, setSign, addNode, removeNodes, undo };
}
