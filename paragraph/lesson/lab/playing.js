// Dynamics played on the table, and a prediction while the verdict is hidden.

const PLAYED = 200; // steps at most, at one press
const STEADY = "Nothing moves: no triad is unbalanced (for two camps).";
const JAMMED = "Jammed: some triads are unbalanced, but each turn would unbalance more than it balances.";

function playingOf({ bench, state, data }, { note, setSign }) {
  /** A step; false where nothing moves. */
  function step() {
    const graph = graphOn(state.table);
    const next = nextTurn(graph, state.work.rule, data.seed * PLAYED + state.changes.length);
    if (!next) {
      note(triadsOf(graph).some(isOdd) ? JAMMED : STEADY);
      return false;
    }
    const [[a, b, sign]] = bench.keys([next]);
    const names = [a, b].map((key) => bench.node(key).text).join(" – ");
    setSign([a, b], -sign, `${names} became ${symbol(-sign)}`);
    return true;
  }

  function play() {
    for (let i = 0; i < PLAYED && step();) i += 1;
  }

  return { step, play };
}
