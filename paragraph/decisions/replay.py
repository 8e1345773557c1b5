"""A log of decisions, replayed on a fresh copy of the data; and for a person to read, what that did."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.proof import write_conflicts
from ..pairs import outputs, write_pairs
from ..pairs.corrected import beside_corrected, is_table_name, write_corrected
from ..pairs.showing import show
from ..pairs.write import write_table
from ..repairs.change import effects_of, relabelled
from .log import DecisionLog, records_of
from .records import DecisionError, says, standing
from .refusals import ALREADY_SO, agreed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Replayed", "replay"]

LISTED = 20  # decisions in the table of a notebook
_CHANGES = (
    "text_a", "text_b", "decision", "edge1", "edge2", "label", "effect", "rows", "reviewers", "times", "ids", "why",
)  # fmt: skip
_NOT_APPLIED = ("text_a", "text_b", "decision", "edge1", "edge2", "reviewers", "times", "ids", "why")
_UNSTATED = ("text_a", "text_b", "same", "reviewers", "times", "ids")
#: What the columns are called in the file of changes.
_WRITTEN = {"text_a": "question1", "text_b": "question2", "edge1": "text_a", "edge2": "text_b"}


@dataclass(frozen=True, repr=False)
class Replayed:
    """A pair table with the decisions of a log applied.

    Printed it says what was applied, dropped and refused, and how the data changed; a notebook shows a picture of the
    cluster that changed most, before and after, and the first decisions.
    """

    #: The corrected rows, in their order; the new column `decided` holds the id of the decision that changed or
    #: kept a row's label, and is empty elsewhere.
    pairs: pd.DataFrame
    #: One row a decision that applied: the pair it was made on (`text_a`, `text_b`); the pair whose rows it changed
    #: (`edge1`, `edge2`), its `label` before, the `effect` ("becomes 1", "becomes 0", "dropped", "stays") and the
    #: numbers of the `rows`; who decided, when, and why.
    changes: pd.DataFrame
    #: One row a decision that did not apply, and `why`.
    not_applied: pd.DataFrame
    #: One row a pair that was judged though no row states it, as in an audit: `text_a`, `text_b`, `same` (1, 0, or
    #: missing where nobody can say), who, when. Nothing in the data changes by it.
    unstated: pd.DataFrame
    #: When two spellings are one sentence.
    identity: str
    #: The graph of the given data, in which the decisions were found.
    before: ParaphraseGraph
    #: The pairs whose rows changed or were dropped, as edges of `before`.
    changed: np.ndarray

    def __repr__(self) -> str:
        rows = [f"{a:<10}{b:>7,}{c:>11,}  {d}" for a, b, c, d in self._counts.itertuples(index=False)]
        rows = [f"{'pairs':>17}{'decisions':>11}", *rows] if rows else ["no decisions"]
        return "\n".join([*rows, ", ".join(f"{name}: {old} → {new}" for name, old, new in self._figures)])

    def _repr_html_(self) -> str:
        table, figure, picture = self.decisions, self.figure(), "<p>No label changed.</p>"
        if figure is not None:
            written = io.BytesIO()
            figure.savefig(written, format="png", dpi=110)
            source = base64.b64encode(written.getvalue()).decode("ascii")
            title = "The cluster in which most labels changed, before and after"
            picture = f'<img alt="{title}" style="max-width: 100%" src="data:image/png;base64,{source}">'
        tables = [self._counts, pd.DataFrame(self._figures, columns=["in the data", "before", "after"])]
        parts = [*(show(part, len(part)).to_html() for part in tables), picture]
        if len(table):
            parts.append(show(table.assign(reviewers=table["reviewers"].map(", ".join)), LISTED).to_html())
        if len(table) > LISTED:
            parts.append(f"<p>{LISTED} of {len(table):,} decisions; all are in <code>.decisions</code>.</p>")
        return "".join(parts)

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """One row a decision, or several that agree: `outcome`, `decision`, the pair, `what`, `reviewers`.

        `outcome` is "applied", "dropped" (its rows), "already so" (the data have what it asks for), "refused", or
        "no row" (a judgement of a pair that no row states). The pair of a cut is the positive that it cuts.
        """
        changes = self.changes.assign(text_a=self.changes["edge1"], text_b=self.changes["edge2"])
        changes["outcome"] = np.where(changes["effect"] == "dropped", "dropped", "applied")
        effect = changes["effect"].str.replace("^(becomes|stays)", r"label \1", regex=True)
        rows = changes["rows"].map(lambda rows: ", ".join(map(str, rows[:8])) + ", …" * (len(rows) > 8))
        changes["what"] = effect + " (row" + np.where(changes["rows"].str.len() > 1, "s ", " ") + rows + ")"
        refused = self.not_applied.assign(outcome="refused", what=self.not_applied["why"])
        so = refused["what"].str.startswith(ALREADY_SO)
        refused["outcome"] = refused["outcome"].mask(so, ALREADY_SO)
        refused["what"] = refused["what"].str.removeprefix(f"{ALREADY_SO}: ")
        same = self.unstated["same"].astype(object).map({1: "the same", 0: "different"}).fillna("nobody can say")
        judged = self.unstated.assign(outcome="no row", decision="judged", what=same)
        columns = ["outcome", "decision", "text_a", "text_b", "what", "reviewers"]
        parts = [part[columns].sort_values("outcome", kind="stable") for part in (changes, refused, judged)]
        return pd.concat(parts, ignore_index=True)

    @property
    def _counts(self) -> pd.DataFrame:
        """The number of times of each thing: `outcome`, `pairs`, `decisions`, `what`; a dispute is about one pair."""
        table = self.decisions
        why = table["what"].str.split(r" \(|: ", regex=True).str[0]
        table = table.assign(
            what=table["decision"].where(table["outcome"].isin(["applied", "dropped", ALREADY_SO]), why),
            pairs=[frozenset(pair) for pair in zip(table["text_a"], table["text_b"], strict=True)],
            decisions=table["reviewers"].str.len(),
        )
        groups = table.groupby(["outcome", "what"], sort=False).agg({"pairs": "nunique", "decisions": "sum"})
        return groups.reset_index()[["outcome", "pairs", "decisions", "what"]]

    @property
    def _figures(self) -> list[tuple[str, str, str]]:
        """Figures of the data: their name, as they were, as they are."""
        found = [["rows", "labelled pairs", "clusters of two or more", "conflicts inside clusters"]]
        for graph in (self.before, self.graph):
            within = 0 if graph.bipartite else int(graph.within.sum())
            counts = (len(graph.pairs), len(graph.edge_a), int((graph.cluster_sizes > 1).sum()), within)
            found.append([f"{count:,}" for count in counts])
        return list(zip(*found, strict=True))

    def figure(self) -> Figure | None:
        """The cluster in which most labels changed, before and after; None where none changed."""
        from ..draw.figures import draw_change

        return draw_change(self.before, self.graph, self.changed) if len(self.changed) else None

    @cached_property
    def graph(self) -> ParaphraseGraph:
        """The graph of the corrected pairs."""
        return ParaphraseGraph.from_pairs(self.pairs, self.identity)

    @cached_property
    def kept(self) -> np.ndarray:
        """A mask of the edges of `graph` whose label was decided to be kept (see `variants.write_datasets`)."""
        stays = self.changes.loc[self.changes["effect"] == "stays", "ids"].str[0]
        rows = self.pairs["decided"].isin(stays).to_numpy()
        return np.isin(np.arange(len(self.graph.edge_a)), self.graph.row_edge[rows])

    def write(self, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
        """Write the corrected pairs: a folder of tables, or with a suffix the file that was read, corrected.

        In a folder are `pairs` as corrected.tsv, `changes`, `not_applied` and `unstated` as files of these names;
        with `spreadsheet_safe` no spreadsheet runs a text as a formula (see `LabelWriter`). A name like ``clean.csv``
        is for the user's own file, in which no other line changes (`write_corrected`); beside it
        ``clean.left_out.csv`` has the rows that were dropped, and ``clean.decisions.tsv`` is `decisions`.
        """
        path = Path(path)
        if is_table_name(path):
            if spreadsheet_safe:
                raise DecisionError(f"{path.name} keeps the cells of its source; spreadsheet_safe is for a folder")
            effects = {row: change.effect for change in self.changes.itertuples() for row in change.rows}
            with outputs.all_or_none(path.parent, path) as stage:
                write_corrected(self.before.pairs, effects, stage / path.name)
                write_table(self.decisions, stage / beside_corrected(path, "decisions.tsv").name)
                outputs.write_record(stage / path.name, {})
            return
        same = self.unstated["same"].astype("str").fillna("")
        with outputs.all_or_none(path) as stage:
            write_pairs(self.pairs, stage / "corrected.tsv", spreadsheet_safe)
            write_table(self.changes.rename(columns=_WRITTEN), stage / "changes.tsv", spreadsheet_safe)
            write_conflicts(self.not_applied, stage / "not_applied.tsv", spreadsheet_safe)
            write_conflicts(self.unstated.assign(same=same), stage / "unstated.tsv", spreadsheet_safe)
            outputs.write_described({}, stage / "report.json")


def replay(
    log: DecisionLog | str | PathLike | list,
    data: pd.DataFrame | ParaphraseGraph,
    *,
    reviewer: str | None = None,
    cut: str = "drop",
    identity: str | None = None,
) -> Replayed:
    """The data with the decisions of a log applied; the given data are not changed.

    Pairs are found by the texts of their sentences. *flip*: all rows of the pair become 1. *cut*: all rows of
    the positive pair it names are dropped. *keep*: the rows stay, and no rule will flip them. *ambiguous*: the
    pair's rows are dropped. *skip*: nothing.

    Parameters
    ----------
    log : DecisionLog, path of a log or of its export, or list of these or of records
    data : pair table or graph
    reviewer : str, optional
        Whose decisions. Of several reviewers, those decisions apply on which all agree who decided the pair
        (*skip* aside), and the others are listed. A decision that settles a disagreement (`ConflictReview(settle=…)`)
        takes the place of those that it settles.
    cut : {"drop", "negative"}
        Whether the rows of a cut pair are dropped, or become 0.
    identity : {"text", "normal", "id"}, optional
        When two spellings are one sentence. Default: the graph's own, or "text". With "id", too, decisions
        are found by text.

    Raises
    ------
    DecisionError
        The log cannot be read, or holds nothing of `reviewer`.

    Notes
    -----
    A decision does not apply, and `not_applied` says so, where the data no longer hold a sentence or state
    the pair, where the label is another than it was when decided, where it is so already, or where two
    decisions want different things of one pair. Where a third person settles a disagreement, otherwise than by a
    flip, the flips and cuts in the same cluster by only some of those who disagreed wait for people to look again. A
    decision on a conflict of which several positives are cut applies as a whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> log = DecisionLog(f"{tempfile.mkdtemp()}/decisions.db", reviewer="Ada")
    >>> _ = log.add("a", "c", "cut", label=0, edge=("c", "b"))
    >>> _ = log.add("x", "y", "flip", label=0)
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> found = replay(log, pairs)
    >>> found
                pairs  decisions
    dropped         1          1  cut
    refused         1          1  not in these data
    rows: 3 → 2, labelled pairs: 3 → 2, clusters of two or more: 1 → 1, conflicts inside clusters: 1 → 0
    >>> found.pairs[["text_a", "text_b", "label"]].values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> found.changes[["decision", "edge1", "edge2", "label", "effect"]]
      decision edge1 edge2  label   effect
    0      cut     b     c      1  dropped
    >>> found.not_applied["why"].tolist()
    ["not in these data: 'x', 'y'"]
    """
    if isinstance(log, pd.DataFrame | ParaphraseGraph):
        raise DecisionError("the log comes first, then the data: replay(log, pairs)")
    if not isinstance(data, pd.DataFrame | ParaphraseGraph):
        raise DecisionError(f"data {data!r} is no pair table and no graph: replay(log, read_pairs(file))")
    effects, records = effects_of(cut), records_of(log)
    if reviewer is not None:
        known = sorted({record.reviewer for record in records})
        if reviewer not in known:
            raise DecisionError(f"the log holds nothing of {reviewer!r}; its reviewers: {', '.join(known) or 'none'}")
        records = [record for record in records if record.reviewer == reviewer]
    is_graph = isinstance(data, ParaphraseGraph)
    identity = identity or (data.identity if is_graph else "text")
    graph, found_by = data, "text" if identity == "id" else identity
    if not is_graph or (data.pairs is not None and data.identity != found_by):
        graph = ParaphraseGraph.from_pairs(data.pairs if is_graph else data, found_by)
    verdicts = agreed(graph, standing(records))
    applied = {v.target: v for v in sorted(verdicts, key=lambda v: v.target) if not v.why and v.target >= 0}
    effect_on = {edge: effects[verdict.first.decision] for edge, verdict in applied.items()}
    pairs, rows = relabelled(graph, effect_on, {edge: verdict.first.id for edge, verdict in applied.items()})
    refused = [verdict.row for verdict in verdicts if verdict.why]
    bare = [verdict for verdict in verdicts if verdict.target < 0 and not verdict.why]
    judged = [verdict.row | {"same": says(verdict.first).get(verdict.first.pair)} for verdict in bare]
    changes = []
    for edge, verdict in applied.items():
        a, b = graph.texts(graph.ends(edge))
        why = dict.fromkeys(text for record in verdict.records for text in (record.reason, record.note) if text)
        own = {"edge1": a, "edge2": b, "label": int(graph.edge_sign[edge] > 0), "effect": effect_on[edge]}
        changes.append(verdict.row | own | {"rows": rows[edge], "why": "; ".join(why)})
    tables = (_table(*each) for each in ((changes, _CHANGES), (refused, _NOT_APPLIED), (judged, _UNSTATED)))
    changed = np.array([edge for edge, effect in effect_on.items() if effect != "stays"], dtype=np.int64)
    return Replayed(pairs, *tables, identity, graph, changed)


def _table(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> pd.DataFrame:
    types = dict.fromkeys(columns, "str") | {"label": "int64", "same": "Int8"}
    types |= dict.fromkeys(["rows", "reviewers", "times", "ids"], object)
    return pd.DataFrame(rows, columns=list(columns)).astype({name: types[name] for name in columns})
