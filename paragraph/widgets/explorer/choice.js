// What is chosen in the picture, and its explanation.

/** @param {Page} page */
function choiceOf(page, { hold }) {
  const { state, give, graph, decisions } = page;
  const reasons = reasonsOf(graph);
  const explain = (why) => give({ why: { ...why, n: (state.why?.n ?? 0) + 1 } });

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
    if (state.selected !== keys) return;
    explain(why ?? reasons.of(keys, state.screen.cluster, page.scene));
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
    }
  };
  return { explain, foresee, choose, answers };
}
