// Dynamics played on the table, forward and back, and a prediction while the verdict is hidden.

const PLAYED = 200; // steps at most, at one press
const BALANCED = "Balanced: every triad is balanced (for two camps), so nothing moves.";
const JAMMED = "Jammed: some triads are unbalanced, but each turn would unbalance more than it balances.";
const NO_TRIAD = "Nothing moves: dynamics turns edges of triads, and this graph has no triad.";

/** Why nothing moves, from the share of balanced triads. */
function stillness(share) {
  if (share === null) return NO_TRIAD;
  return share === 1 ? BALANCED : JAMMED;
}

function playingOf({ bench, state, data, work }, { note, setSign }) {
  const saidStep = ([a, b], sign) => `${bench.node(a).text} – ${bench.node(b).text} became ${symbol(sign)}`;

  /** A step forward, one that was taken back as it was; false where nothing moves. */
  function step() {
    const graph = graphOn(state.table);
    const run = state.work.run ?? { at: 0, steps: [], shares: [balancedShare(graph)] };
    const next = run.steps[run.at] ?? nextTurn(graph, state.work.rule, data.seed * PLAYED + run.at);
    if (!next) {
      note(stillness(balancedShare(graph)));
      work({ run });
      return false;
    }
    const pair = run.steps[run.at] ? next : bench.keys([next])[0].slice(0, 2);
    const sign = -bench.signOf(pair);
    setSign(pair, sign, saidStep(pair, sign), run);
    const at = run.at + 1;
    const shares = [...run.shares.slice(0, at), balancedShare(graphOn(state.table))];
    work({ run: { at, steps: run.steps.toSpliced(run.at, 1, pair), shares } });
    return true;
  }

  function play() {
    for (let i = 0; i < PLAYED && step();) i += 1;
  }

  function back() {
    const { run } = state.work;
    if (!run?.at) return;
    const pair = run.steps[run.at - 1];
    const sign = -bench.signOf(pair);
    setSign(pair, sign, saidStep(pair, sign), { ...run, at: run.at - 1 });
  }

  function vote({ answer }) {
    if (!VERDICTS.includes(answer)) throw new Error("no such vote");
    if (bench.isHidden) work({ vote: answer });
  }

  return { step, play, back, vote };
}
