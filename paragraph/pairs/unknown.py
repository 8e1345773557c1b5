"""Messages about a source whose layout is not known: its header, its columns, the flags that settle it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..files.errors import capped
from ..files.spelling import option
from .labels import KNOWN, label_text, score_of

__all__ = ["columns_of", "differs", "is_header", "may_label", "question"]

#: Rows that are looked at, columns that are shown, values of each.
FIRST, SHOWN, VALUES = 100, 20, 3
#: Columns of this name may hold labels or answers, whatever their values.
LABEL = re.compile(
    r"label|same|dup|class|gold|target|quality|paraphr|judg|rating|answer|verdict|choice|wrong|error|result|consensus"
    r"|majority|accept|reject|decision|decided|vote|respon|opinion|match|equiv|sign\b|entail|grade|correct|human|gleich|urteil"
    r"|antwort|bewert|igual|mismo|respuesta|pareil|même|réponse|avis|uguale|risposta|zelfde|判|同|答|評|类|類|标|ラベル|같|답"
    r"|одинак|ответ|метк",
    re.IGNORECASE,
)
#: Columns of this name have few values that are no labels: ids, people, times, parts, sources.
NO_LABEL = re.compile(
    r"(([#\w]*[_ .-])?([qug]*id\d?|idx|hash|row|index|url|no\.?|nr\.?|unnamed.*|)(_[lr])?)"
    r"|.*(annotat|reviewer|worker|user|time|date|created|split|fold|train|test|dev\b|lang|source|domain|genre|topic).*",
    re.IGNORECASE | re.ASCII,
)
#: A label of this name is 1 where the texts differ, or where a label is wrong.
TURNED = re.compile(
    r"diff|distinct|distan|diverg|contra|oppos|anton|negativ|inconsist|mismatch|wrong|error|mistake|incorrect|reject|unlike|other"
    r"|(not|non|un|dis|in)[ _-]?(same|sim|dup|para|match|eq|rel)|\bno\b|verschied|unterschied|ungleich|anders|falsch"
    r"|fehler|distint|diverso|divers[oa]s?\b|errone|faux|fout|verskil|違|异|異|不|다른|разн|отлич|ошиб",
    re.IGNORECASE,
)
SENTENCE = re.compile(r".{60}|\[['\"]|.*\s.*[.?!]$|.*[。？！]$", re.DOTALL)  #: no name of a column


def may_label(name: str | int, values: Iterable[str]) -> bool:
    """Tell if a column may hold labels or answers: by its name, or by few different values that come again.

    >>> may_label("verdict", []), may_label("annotator", ["1", "2"]), may_label("urteil 2", ["ja"])
    (True, False, True)
    >>> may_label("x", ["ok", "bad", "ok", "ok", "bad", "ok"]), may_label("x", ["0"]), may_label("x", ["far"])
    (True, True, False)
    """
    values = [text for value in values if (text := label_text(value))]
    few = {*map(str.casefold, values)}
    if LABEL.search(str(name)):  # but no sentences
        return 2 * len(few) <= len(values) or sum(map(len, values)) <= 40 * len(values)
    signs = few and few <= {*KNOWN, "0", "1", "-1", "2"}
    again = 1 < len(few) < 9 and len(values) >= 3 * len(few)
    return not NO_LABEL.fullmatch(str(name)) and bool(signs or again)


def differs(layout) -> bool:
    """Tell if 1 may be what differs in a layout: by the name of its label, or as in files of inference."""
    roles = layout.roles
    inference = {str(roles.get(role)).casefold() for role in ("text_a", "text_b")} & {"premise", "hypothesis"}
    return bool(inference or TURNED.search(str(roles.get("label", ""))))


def is_header(records):
    """Tell if the first record names columns (True), is a row like the others (False), or can be either (None).

    It is a row if it has a number, or a value of the few in its column; a header, if the others of a column are
    numbers, or few values that come again.

    >>> is_header([["a", "b", "same"], ["How?", "Why?", "1"]]), is_header([["How?", "Why?", "1"]])
    (True, False)
    >>> is_header([["a", "b", "same"], ["c", "d", "other"], ["e", "f", "same"]])
    False
    >>> is_header([["Lfd. Nr.", "Urteil"], ["x", "ja"], ["y", "nein"], ["z", "ja"], ["u", "nein"]])
    True
    """
    first, rest = records[0], records[1:]
    columns = [[value for value in column if value] for column in zip(*rest, strict=False)]
    if score_of(first) or any(t and t in c and len({*c}) < 9 for t, c in zip(first, columns, strict=False)):
        return False
    known = any(c and t and len(score_of(c)) == len({*c}) for t, c in zip(first, columns, strict=False))
    few = any(2 * len({*c}) <= len(c) and len({*c}) < 9 for c in columns)
    return True if known or few else False if any(map(SENTENCE.match, first)) else None


def columns_of(source):
    """The first values of each column of a `Source`, by its name, as texts without empty ones."""
    content, names = source.content, source.names
    if source.kind == "delimited":
        rows = source.first[source.header :]
        columns = {name: [row[i] for row in rows if row[i:]] for i, name in enumerate(names)}
    elif source.kind == "records":
        columns = {name: [record.get(name) for record in content[:FIRST]] for name in names}
    elif source.kind == "dataframe":
        columns = {name: content.iloc[:FIRST, i].tolist() for i, name in enumerate(names)}
    elif source.kind == "dataset":
        columns = content.slice(0, FIRST).to_pydict()
    else:
        columns = next((batch.to_pydict() for batch in content.iter_batches(FIRST)), {name: [] for name in names})
    gone = ("", "None", "nan", "<NA>")
    return {name: [text for text in map(str, some) if text not in gone] for name, some in columns.items()}


def question(source, texts=False):
    """A table of the columns of a `Source`, and the flags to give; with `texts`, their columns are known.

    That all pairs are paraphrases is proposed only if there is no column beside the two known ones.
    """
    columns = columns_of(source)
    most = max(map(len, columns.values()), default=0)
    lines = [f"its columns, in the first {most} rows:" if most >= FIRST - 1 else "its columns:"]
    for name, values in [*columns.items()][:SHOWN]:
        different = [*dict.fromkeys(values)]
        some = ", ".join(repr(capped(value, 30)) for value in different[:VALUES])
        what = f"{len(different):,} different: {some}" + ", …" * (len(different) > VALUES)
        lines.append(f"  {capped(repr(name), 40)}: {what}")
    lines += [f"  and {len(columns) - SHOWN:,} more"] * (len(columns) > SHOWN)
    roles = {"label": "…"} if texts else {"text_a": "…", "text_b": "…", "label": "…"}
    ways = [f"{option('columns', roles)} names {'that of the labels' if texts else 'them'}"]
    if texts and len(columns) == 2:
        ways.append(f"{option('labels', {'all': 1})} where there are no labels and all pairs are paraphrases")
    ways += [f"{option('unlabelled', 'keep')} reads pairs without labels"] * texts
    return "\n".join([*lines, "; ".join(ways), "docs/layouts.md shows how files of many kinds are read"])
