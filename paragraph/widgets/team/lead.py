"""The page of whoever leads a team: how far each person is, how they agree, and what they differ on."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from ...decisions.agreement import agreement
from ...decisions.record import DecisionError
from ...decisions.team import Team
from ..review.desk import Review
from .own import take_part

__all__ = ["lead_view"]


def lead_view(
    reviews: Mapping[str, Review], team: Team, here: Set[str | None], addresses: Mapping[str, str]
) -> dict[str, Any]:
    """Return the lead's page in plain values.

    `here` names those whose page is open; `addresses` has the addresses that nobody has used yet.
    """
    lead = reviews[team.lead]
    take_part(lead, team.part(team.lead, {}))
    lead._session.take([])  # the belief of all
    people = []
    for name, review in reviews.items():
        if name != team.lead:
            progress = review._queue.progress()
            row = {"name": name, "here": name in here, "address": addresses.get(name, "")}
            people.append(row | {each: progress[each] for each in ("decided", "moot", "skipped")})
    done = [names for names in team.done().values() if len(names - {team.lead}) >= team.each]
    return {
        "people": people,
        "done": len(done),
        "total": len(lead._queue.items),
        "each": team.each,
        "agreement": _agreement(team),
        "disputes": _disputes(lead, team),
        "estimate": lead._estimate(),
        "stopped": team.is_stopped,
    }


def _disputes(lead: Review, team: Team) -> list[dict[str, Any]]:
    """The pairs on which two people differ; `number` is that of the item by which the lead settles it."""
    queue = lead._queue
    disputes = []
    for dispute in team.answers.disputes:
        items = [item for item in map(queue.item_of, dispute.rows) if item is not None]
        number = queue.number[items[0]] if items else None
        first = dispute.rows[0].record
        pair = [first.text_a, first.text_b]
        disputes.append({"number": number, "pair": pair, "why": dispute.why})
    return disputes


def _agreement(team: Team) -> list[list[str]]:
    """The measures of `agreement` as text; none of fewer than two people."""
    try:
        found = agreement(team.answers.records)
    except DecisionError:
        return []
    return [[name, value] for name, value in found.measures.items()]
