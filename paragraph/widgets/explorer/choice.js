// What is chosen in the picture, and its explanation.

/** @param {Page} page */
function choiceOf(page, { hold, learn }) {
  const { state, give, graph, keeper, decisions } = page;
  const reasons = reasonsOf(graph);
  const explain = (why) => give({ why: { ...why, n: (state.why?.n ?? 0) + 1 } });

  /** An explanation, with what else a keeper can be asked. */
  function offering(why) {
    if (!keeper.like || !why.sentence || graph.bipartite) return why;
    return { ...why, actions: [{ text: "More like this", intent: "like", content: {} }] };
  }

  /** Tabulate what would follow if the chosen label were wrong, once the keeper has told. */
  async function foresee() {
    const { selected } = state;
    const rows = await decisions.foresee();
    if (rows.length && state.selected === selected) explain({ ...state.why, table: whatIf(rows) });
  }

  /** Choose nodes by their keys, and say why, in words of their own or given. */
  async function choose(keys, why = null) {
    give({ selected: keys });
    decisions.look({ message: "", error: "" }); // at once: the keys are for what is chosen
    const kinds = keys.map((key) => key[0]).join("");
    if (kinds === "c") await hold({ open: [Number(keys[0].slice(1))] });
    if (kinds === "nn" && !graph.bipartite) {
      const [a, b] = keys.map((key) => graph.nodes.get(key));
      const steps = !graph.edgeBetween(a, b) && graph.proof(a, b);
      if (steps) await learn([[a, b], ...steps]);
    }
    if (state.selected !== keys) return;
    explain(why ?? offering(reasons.of(keys, state.screen.cluster, page.scene)));
    decisions.look();
    foresee();
  }

  const answers = {
    async select({ keys }) {
      const drawn = unique(keys).filter((key) => page.scene.at.has(key));
      if (drawn.length || !keys.length) await choose(drawn);
    },
    async edge({ id }) {
      const edge = page.scene.edges.find((one) => one.id === id);
      if (!edge) return;
      const { from, to, a } = edge;
      if (a === undefined && from[0] === "c") await hold({ open: [Number(from.slice(1))] });
      await choose([from, to], a === undefined ? reasons.negatives(from, to) : null);
    },
    async like() {
      const { selected } = state;
      const node = graph.nodes.get(selected[0]);
      const nearest = await keeper.like(node.number);
      if (state.selected === selected) explain(likeThis(node, nearest));
    }
  };
  return { explain, foresee, choose, answers };
}
