"""The layout of a source, by its first hundred rows: its header, and the columns likely to hold texts and labels."""

from __future__ import annotations

import re
from collections import Counter

from ..files.errors import capped
from ..files.spelling import command
from .delimited import FIRST
from .meanings import MANY, SAID, is_label, label_text, score_of, ways

__all__ = ["advice", "is_header", "likely_columns"]

#: Names of columns that are not texts, and of columns that may be labels.
ID = re.compile(
    r"(?i:([#\w]*[_ -])?([qug]*id\d?|idx|hash|row|index|no\.?|nr\.?|unnamed.*|)(_[lr])?)|\w+I[Dd]", re.ASCII
)
LABEL = re.compile(
    r"label|same|score|dup|class|gold|target|quality|similar|relat|paraphrase|judg|rating|answer|prob",
    re.IGNORECASE,
)
SENTENCE = re.compile(r".{60}|\[['\"]|.*\s.*[.?!]$|.*[。？！]$", re.DOTALL)  #: no name of a column
#: Words that tell the sides apart in column names, and separators between the two texts of one field.
SIDE = re.compile(r"[12]|(?<![a-z])[ablrxy](?![a-z])|left|right|first|second", re.IGNORECASE)
#: A label of this name is 1 where the texts differ.
TURNED = re.compile(
    r"differ|distinct|distance|contradict|(not|non|un|dis|in)[ _-]?(same|sim|dup|para|match|eq|rel)|\bno$", re.I
)
#: An address, a list, an object, features with their values, an id: no text.
NO_TEXT = re.compile(r"\S+://\S+|[\[{](\S*|['\"\d{\[].*)[\]}]|(\S+=\S+(\s+|\Z))+|(?=\D*\d)[!-~]+", re.DOTALL)
LISTS = re.compile(r"\[['\"][^'\"]*(\s|[^\0-\x7f])")
BETWEEN = ("\n", "\t", "|||", "||", "[SEP]", "</s>", "<sep>", "|", ";")


def is_header(records):
    """Tell if the first record names columns: none of it is a sentence, a number or a label, unlike what follows.

    >>> is_header([["a", "b", "same"], ["How?", "Why?", "1"]]), is_header([["How?", "Why?", "1"]])
    (True, False)
    >>> is_header([["a", "b", "same"], ["c", "d", "other"], ["e", "f", "same"]])
    False
    """
    first, rest = records[0], records[1:]
    if any(map(SENTENCE.match, first)) or score_of(first):
        return False
    labels = [{*column} for column in zip(*rest, strict=False)]
    return not any(text and text in values for text, values in zip(first, labels, strict=False) if len(values) < 9)


def likely_columns(columns, found):
    """Guess the columns of the texts and the label, for a message, from each column's first values and those found.

    Returns
    -------
    dict
        The roles; `text_a` and `text_b` are "…" if there is none.
    list
        All columns that may hold texts, and all that may hold labels.

    >>> likely_columns({"id": ["1"], "first": ["How?"], "second": ["Why?"], "is same": ["yes"]}, {})[0]
    {'text_a': 'first', 'text_b': 'second', 'label': 'is same'}
    >>> likely_columns({0: ["7"], 1: ["How is it?"], 2: ["(4, 6)"], 3: ["Why is it so?"]}, {})[0]
    {'text_a': 1, 'text_b': 3, 'label': 2}
    """
    likely = {role: name for role in ("text_a", "text_b", "label") if (name := found.get(role)) is not None}
    left = [name for name in columns if name not in likely.values() and not ID.fullmatch(str(name))]
    ranks = {name: rank for name in left[::-1] if (rank := _label_rank(name, columns[name]))}
    labels = sorted(ranks, key=ranks.get)
    if "label" not in likely and labels:
        likely["label"], rank = labels[0], ranks[labels[0]][:3]
        people = [name for name in columns if ranks.get(name, ())[:3] == rank]
        numbered = len({re.sub(r"\d", "", str(name)) for name in people} - {""}) == 1
        if len(people) > 1 and (numbered or (len(people) > 2 and not rank[2])):
            likely |= {f"label_{i}" if i > 1 else "label": name for i, name in enumerate(people, 1)}
    texts = [name for name in _texts(columns, labels) if name in left]
    if texts and isinstance(texts[0], str):  # its other side first
        of = SIDE.sub("", texts[0])
        texts[1:] = sorted(texts[1:], key=lambda name: SIDE.sub("", str(name)) != of)
    lacking = [role for role in ("text_a", "text_b") if role not in likely]
    likely |= dict(zip(lacking, [*texts, "…", "…"], strict=False))
    return dict(sorted(likely.items(), key=lambda item: (item[0] != "text_a", item[0] != "text_b"))), texts, labels


def _label_rank(name, column):
    """The rank of a column among those that may hold labels: called a label, names, signs, fractions, low numbers.

    None for a column that is unlikely to hold labels: long texts, many names, numbers that count or identify.
    """
    values = {label_text(value).casefold() for value in column} - {""}
    scores, called = score_of(values).values(), bool(LABEL.search(str(name)))
    known = bool(values) and all(map(is_label, values))
    whole = all(number == int(number) for number in scores) * max(scores, default=0)
    if known and (scores or called or len(values) > 1):
        counted = bool(column[2:]) and [*map(str, range(1, len(column) + 1))] == column
        fits = not counted and max(scores, default=0) <= 100 and not (whole and len(values) > MANY)
    else:
        fits = 1 < len(values) < (MANY if called else 5 * bool(column[5:])) and not any(map(SENTENCE.match, values))
    odd = not values <= {*SAID}
    fits = fits and not (odd and TURNED.search(str(name)))
    return (not called, not known or bool(scores), odd, whole) if fits else None


def _texts(columns, labels):
    """The columns that hold texts: letters, in several words, about as long as the others."""
    if not any(columns.values()):
        return [*columns]
    letters = [
        name
        for name, column in columns.items()
        if any(re.search(r"[^\W\d_]", text) for text in column)
        and not all(map(NO_TEXT.fullmatch, filter(None, column)))
        and name not in labels
    ]
    worded = [name for name in letters if any(re.search(r"\s|[^\0-\x7f]", text) for text in columns[name])]
    names = worded or letters
    differ = [name for name in names if len({*columns[name]}) > 1]
    names = differ if len(differ) > 1 else names
    length = {name: sum(min(len(text), 40) for text in columns[name]) for name in names}
    long = {name for name in names if 2 * length[name] >= max(length.values())}
    return [name for name in names if name in long or len(" ".join(columns[name]).split()) >= 3 * len(columns[name])]


def advice(source, found):
    """Commands that name the columns of a `Source`, with the usual meanings of its labels and the rows as then
    read."""
    if source.kind == "records" and len(source.content) == 1:
        held = {key: value for key, value in source.content[0].items() if _nested(value)}
        if key := max(held, key=lambda key: len(held[key]), default=None):
            frame = f"pd.DataFrame(json.load(open({source.name!r}))[{key!r}])"
            return f"`pg.read_pairs({frame})` in Python, where {key!r} holds the rows"
    if source.kind == "records" and any(SENTENCE.match(str(name)) for name in source.names):
        table = f"pd.Series(json.load(open({source.name!r}))).explode().reset_index()"
        call = f"pg.read_pairs({table}.set_axis(['text_a', 'text_b'], axis=1), labels={{'all': 1}})"
        return f"`{call}` in Python, where each text has its paraphrases"
    rows = first_rows(source)
    columns = {name: [row[i] for row in rows if i < len(row)] for i, name in enumerate(source.names)}
    likely, texts, labels = likely_columns(columns, found)
    further = [name for name in texts if name not in likely.values()]
    if likely["text_b"] == "…":
        return _too_few_texts(source, columns, likely)
    if "label" in likely:
        people = [name for role, name in likely.items() if role.startswith("label")]
        values = Counter(label for name in people for label in map(label_text, columns.get(name, ())) if label)
        signs = {value: SAID.get(value.casefold()) for value in values}
        turned = {value: 1 - sign for value, sign in signs.items() if sign is not None}
        if len(turned) < len(values) <= FIRST / 2:
            how = ways(values, columns=likely)
        elif TURNED.search(str(likely["label"])):
            how = f"{command(columns=likely, labels=turned)} where {likely['label']!r} says that the two differ"
        else:
            how = command(columns=likely) + " where several people gave labels" * (len(people) > 1)
        called = LABEL.search(str(likely["label"]))
        others = [name for name in labels if name not in people and (LABEL.search(str(name)) or not called)]
        how += f"; labels may also be those of {repr(others)[1:-1]}" * bool(others)
    else:
        how = _without_labels(columns, likely, further)
        known = {} if likely.items() <= found.items() else {"columns": likely}
        how += f"; {command(**known, unlabelled='keep')} reads the pairs without labels"
    places = [source.names.index(name) for name in (*likely.values(), *further[:1]) if name in columns]
    shown = [" | ".join(capped(row[i], 40) for i in places if i < len(row)) for row in rows[:3]]
    how = f"name them, as with {how}" if how.startswith("`") else how
    return f"{how}; the first rows read so: {'; '.join(map(repr, shown))}" if shown else how


def _nested(value):
    return isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], list | dict))


def _without_labels(columns, likely, further):
    """The meanings that pairs without labels may have, each with its command."""
    told, which = f"{command(columns=likely, labels={'all': 1})} where all pairs are paraphrases", repr(further)[1:-1]
    told = [told + f" (without {which})" * bool(further)]
    for i, (role, is_one) in enumerate({"negative": "no paraphrase", "positive": "a paraphrase"}.items(), 1):
        if 0 < len(further) < 6:
            more = likely | {f"{role}_{j}": name for j, name in enumerate(further, i)}
            told.append(f"{command(columns=more)} where {which} is {is_one} of the first text")
    return "; ".join([*told, *_repeats(columns, likely)])


def _repeats(columns, likely):
    """A command for rows that name the row they repeat, if the column names suggest it."""
    id_a = next((name for name in columns if ID.fullmatch(str(name))), None)
    id_b = next((name for name in columns if re.search("dup", str(name), re.IGNORECASE)), None)
    if id_a is None or id_b is None or id_b in likely.values():
        return []
    how = command(columns={"text_a": likely["text_a"], "id_a": id_a, "id_b": id_b}, labels={"all": 1})
    return [f"{how} where {id_b!r} is the id of a row with the same meaning"]


def _too_few_texts(source, columns, likely):
    """The meanings that rows with one text or none may have, each with its command."""
    name, table = likely["text_a"], "with this file as a DataFrame `table`"
    if name == "…":
        ids = [one for one, column in columns.items() if one != likely.get("label") and len({*column}) > 1]
        if len(ids) < 2:
            return "no column holds texts"
        ids = ", ".join(f"text_{side}=table[{one!r}].map(texts)" for side, one in zip("ab", ids, strict=False))
        label = f"columns={{'label': {likely['label']!r}}}" if "label" in likely else "labels={'all': 1}"
        call = f"pg.read_pairs(table.assign({ids}), {label})"
        return f"no column holds texts; where these are ids, {table} and a Series `texts` by id: `{call}` in Python"
    if lists := next((one for one, column in columns.items() if column and all(map(LISTS.match, column))), None):
        call = f"pg.read_pairs(table.assign(**{{{lists!r}: table[{lists!r}].map(ast.literal_eval)}}))"
        return f"where {lists!r} holds lists, {table}, after `import ast`: `{call}` in Python"
    if mark := next((mark for mark in BETWEEN if {text.count(mark) for text in columns[name]} == {1}), None):
        two = f"table[{name!r}].str.split({mark!r}, expand=True, regex=False)"
        call = f"pg.read_pairs(table.join({two}.set_axis(['text_a', 'text_b'], axis=1)))"
        return f"where {name!r} holds both texts, {table}: `{call}` in Python"
    counts = {one: len({*column} - {""}) for one, column in columns.items() if one != name}
    if not counts and source.kind == "delimited":
        most = Counter(map(len, source.first)).most_common(1)[0][0]
        if most > 1:
            return f"most rows have {most} fields: remove the lines before the header"
        two = f"`paste {source.name} OTHER > pairs.tsv` where another file has the second texts"
        return f"a row needs two texts, and a label, with tabs between them: text_a⇥text_b⇥label; {two}"
    sets, told = [one for one, count in counts.items() if 1 < count < len(columns[one]) < 20 * count], []
    if sets:
        one = max(sets, key=counts.get)
        how = command(columns={"text_a": name, "set": one})
        told = [f"{how} where rows with the same {one!r} are paraphrases"]
    first = " | ".join(capped(column[0], 40) for column in columns.values() if column)
    what = f"pairs need two texts, and {name!r} alone seems to hold any (first row: {first!r})"
    return "; ".join([what, *told, *_repeats(columns, likely)])


def first_rows(source):
    """The first rows of a `Source`, as lists of texts."""
    content = source.content
    if source.kind == "delimited":
        return source.first[isinstance(source.names[0], str) :]
    if source.kind == "dataframe":
        rows = content.head(FIRST).itertuples(index=False, name=None)
    else:
        if source.kind == "parquet":
            content = next((batch.to_pylist() for batch in content.iter_batches(FIRST)), [])
        elif source.kind == "dataset":
            content = content.slice(0, FIRST).to_pylist()
        rows = [[*map(record.get, source.names)] for record in content[:FIRST]]
    return [["" if value is None or value != value else str(value) for value in row] for row in rows]
