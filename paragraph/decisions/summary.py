"""What a replay did, for a person to read: counts, the data before and after, each decision, a picture."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ..pairs.showing import show

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph
    from .replay import Replayed

__all__ = ["as_html", "as_text", "counts", "each"]

LISTED = 20  # decisions in the table of a notebook
#: Of a judgement that no row states.
SAME = {1: "the same", 0: "different"}


class Count(NamedTuple):
    """One line of the summary."""

    outcome: str  #: "applied", "dropped", "refused" or "no row"
    pairs: int
    decisions: int
    what: str


def each(found: Replayed) -> pd.DataFrame:
    """One row a decision, or several that agree: `outcome`, `decision`, the pair it is about, `what`, `reviewers`.

    `outcome` is "applied", "dropped" (its rows), "refused", or "no row" (a judgement of a pair that no row states).
    The pair of a cut is the positive that it cuts.
    """
    changes, refused, unstated = found.changes, found.not_applied, found.unstated
    dropped = changes["effect"] == "dropped"
    parts = [
        changes.assign(
            outcome=dropped.map({True: "dropped", False: "applied"}),
            text_a=changes["edge1"],
            text_b=changes["edge2"],
            what=[
                f"{effect.replace('becomes', 'label becomes').replace('stays', 'label stays')} ({_rows(rows)})"
                for effect, rows in zip(changes["effect"], changes["rows"], strict=True)
            ],
        ),
        refused.assign(outcome="refused", what=refused["why"]),
        unstated.assign(
            outcome="no row", decision="judged", what=[SAME.get(same, "nobody can say") for same in unstated["same"]]
        ),
    ]
    columns = ["outcome", "decision", "text_a", "text_b", "what", "reviewers"]
    table = pd.concat([part[columns] for part in parts], ignore_index=True)
    place = table["outcome"].map({"applied": 0, "dropped": 1, "refused": 2, "no row": 3})
    return table.iloc[place.argsort(kind="stable")].reset_index(drop=True)


def counts(found: Replayed) -> list[Count]:
    """How often each thing happened. Reviewers who disagree on a pair are decisions on one pair."""
    table = each(found)
    why = table["what"].str.split(r" \(|: ", regex=True).str[0]
    table["what"] = table["decision"].where(table["outcome"].isin(["applied", "dropped"]), why)
    table["pair"] = [frozenset(pair) for pair in zip(table["text_a"], table["text_b"], strict=True)]
    table["number"] = table["reviewers"].str.len()
    groups = table.groupby(["outcome", "what"], sort=False)
    return [
        Count(outcome, group["pair"].nunique(), int(group["number"].sum()), what) for (outcome, what), group in groups
    ]


def before_and_after(found: Replayed) -> list[tuple[str, int, int]]:
    """Figures of the data as they were, and as they are."""

    def figures(graph: ParaphraseGraph) -> list[int]:
        within = 0 if graph.bipartite else int(graph.within.sum())
        return [len(graph.pairs), len(graph.edge_a), int((graph.cluster_sizes > 1).sum()), within]

    names = ["rows", "labelled pairs", "clusters of two or more", "conflicts inside clusters"]
    return list(zip(names, figures(found.before), figures(found.graph), strict=True))


def as_text(found: Replayed) -> str:
    """The counts, and the figures of the data."""
    lines = [("", "pairs", "decisions", "")]
    lines += [(one.outcome, f"{one.pairs:,}", f"{one.decisions:,}", one.what) for one in counts(found)]
    rows = [f"{a:<8}{b:>7}{c:>11}  {d}".rstrip() for a, b, c, d in lines] if len(lines) > 1 else ["no decisions"]
    figures = [f"{name}: {old:,} → {new:,}" for name, old, new in before_and_after(found)]
    return "\n".join([*rows, ", ".join(figures)])


def as_html(found: Replayed) -> str:
    """The counts, the figures, a picture of the cluster that changed most, and the first decisions."""
    table = each(found)
    figures = pd.DataFrame(before_and_after(found), columns=["in the data", "before", "after"])
    figures[["before", "after"]] = figures[["before", "after"]].map("{:,}".format)
    parts = [
        show(pd.DataFrame(counts(found), columns=list(Count._fields)), len(table)).to_html(),
        show(figures).to_html(),
        _picture(found),
    ]
    if len(table):
        listed = table.assign(reviewers=table["reviewers"].map(", ".join))
        note = f"{LISTED} of {len(table):,} decisions; all are in <code>.decisions</code>." * (len(table) > LISTED)
        parts += [show(listed, LISTED).to_html(), f"<p>{note}</p>" * bool(note)]
    return "".join(parts)


def _picture(found: Replayed) -> str:
    figure = found.figure()
    if figure is None:
        return "<p>No label changed.</p>"
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110)
    source = base64.b64encode(written.getvalue()).decode("ascii")
    title = escape("The cluster in which most labels changed, before and after")
    return f'<img alt="{title}" style="max-width: 100%" src="data:image/png;base64,{source}">'


def _rows(rows: list[int]) -> str:
    return f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:8]))}" + ", …" * (len(rows) > 8)
