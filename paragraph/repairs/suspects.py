"""Which stated labels are most probably wrong, in a conflict or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..learn.text.paraphrases import shares
from ..measure.logistic import sigmoid
from ..pairs import PairsError
from ..words.reasons import reasons
from .evidence import evidence_log_odds
from .rates import rates

__all__ = ["suspects"]

#: What is said of a negative in which a tagger finds nothing.
UNTAGGED = "labelled not, yet no word is tagged; "


def suspects(
    graph: ParaphraseGraph,
    evidence: pd.DataFrame | None = None,
    *,
    audit: Any = None,
    tagger: Any = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Every stated pair with the probability that its label is wrong, the most suspicious first.

    Three things make `p_wrong`, and nothing is drawn at random:

    1. how often labels of its kind are wrong (`rates.error_rates`), by an audit or by the evidence;
    2. what the evidence says of the pair, its label aside (`evidence.evidence_log_odds`);
    3. for a positive on a cut between the sentences of a conflict, how probable it is that the negative is right and
       the cut is what is wrong (`cut.Cuts.blame`). Either reason is enough: 1 − (1 − own) · (1 − blame).

    Parameters
    ----------
    evidence : DataFrame, optional
        Further evidence about pairs; see `evidence.evidence`.
    audit : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs (`text_a`, `text_b`, `same`), as `paragraph.audit` draws them: they say how often labels of each
        kind are wrong, and what they say of their own pairs holds.
    tagger : optional
        Tags the words that the other sentence cannot paraphrase (`learn.default_tagger`). It changes no `p_wrong`.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong.
    reason
        The conflict it is part of, and how the sentences differ in words (for a positive), or that they do not.
    untagged
        With a tagger: a negative in which it tags no word, for people to confirm. How many of them are paraphrases
        depends on where they come from: 47.6 % of a model's proposals (Wang et al. 2022, section 4.3); of 147 judged
        negatives of Quora the tagger that ships leaves 39 untagged, none of which is one.

    ``.attrs["rates"]`` holds the error rates, as of `error_rates`.

    Raises
    ------
    PairsError
        Evidence or judged pairs that do not fit; bipartite pairs.

    Notes
    -----
    For a conflict `p_wrong` is not the `p_flip` of `repair`: the two answer different questions. `repair` proposes
    what to do about one conflict. It asks whether the two sentences mean the same, by what people judged, and takes
    flips to be half of all conflicts until somebody judges some. A ranking asks which labels stand out in this file:
    here the evidence is that of the file's own labels, and so is the share of flips (`rates.flips`). Ranked by the
    `p_flip` of `repair` instead, average precision on planted errors is lower wherever there are conflicts, by .005
    to .31, and on turned labels of two sets it falls below "rule, then evidence" or the evidence alone
    (``benchmarks/results/suspects.tsv``). The price: where words alone tell little and both kinds of conflict are
    frequent, the share goes astray, and the ranking is behind the rule that flips all (``repair.tsv``, *queue*). To
    decide on flip or cut, take `repair`.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs)).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    from tqdm.auto import tqdm

    if graph.bipartite:
        raise PairsError("these pairs are bipartite: nothing in them is transitive, so no label contradicts a path")
    found = rates(graph, evidence_log_odds(graph, evidence, progress=progress), audit)
    p = sigmoid(found.log_odds)
    p = 1 - (1 - p) * (1 - found.cuts.blame(1 - p[found.cuts.conflicts]))
    order = np.argsort(-p, kind="stable")
    a, b = graph.texts(graph.edge_a[order]), graph.texts(graph.edge_b[order])
    conflict = (graph.within | found.cuts.crossed)[order]
    label = (graph.edge_sign[order] > 0).astype(np.int8)
    rows = zip(a, b, label.tolist(), conflict.tolist(), strict=True)
    rows = tqdm(rows, "reasons", len(a), unit=" pairs", delay=2, leave=False, disable=not progress)
    why = [_reason(*row) for row in rows]
    listed = pd.DataFrame({"text_a": a, "text_b": b, "label": label, "p_wrong": p[order], "reason": why})
    listed = listed.astype({"text_a": "str", "text_b": "str", "reason": "str"})
    if tagger is not None:
        untagged = label == 0
        if untagged.any():
            untagged[untagged] = shares(tagger.tag(listed.loc[untagged, ["text_a", "text_b"]])) == 0
        listed["untagged"] = untagged
        listed["reason"] = listed["reason"].mask(untagged, UNTAGGED + listed["reason"])
    listed.attrs["rates"] = found.table.to_dict("list")
    return listed


def _reason(a: str, b: str, label: int, conflict: bool) -> str:
    message = ["a negative lies across it" if label else "joined by positives"] if conflict else []
    return "; ".join([*message, *(reasons(a, b) or ["no difference in words"])])
