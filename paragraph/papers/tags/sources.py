"""Files of other people that are read as tags: MultiMWA and ETPC.

MultiMWA holds human word alignments of paraphrases (Lan, Jiang and Xu 2021), ETPC typed spans in which pairs of MRPC
differ (Kovatchev, Martí and Salamó 2018).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

from ...pairs import PairsError
from ...pairs.errors import excerpt
from ...pairs.opening import HELD, load, not_utf8
from ...pairs.read import read_pairs
from .penn import words
from .table import checked

__all__ = ["read_etpc", "read_multimwa"]

_NAMES = ["row", "id", "text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b"]
_FILES = ("textual_np_neg", "textual_np_pos", "negation")
#: Relations whose words the other sentence cannot paraphrase, even if the sense is preserved.
NO_PARAPHRASE = ("addition/deletion", "non-paraphrase")
_MRPC = {"train": "msr_paraphrase_train.txt", "test": "msr_paraphrase_test.txt"}


def read_multimwa(path: str | PathLike, *, max_unpacked: int = HELD) -> pd.DataFrame:
    """Read the tag table of one MultiMWA file, with its ``id``: a word is 1 if no link reaches it, sure or possible.

    A `PairsError` names file, row and value: too few fields, what is no link, a link to a word that is not there.

    References
    ----------
    W. Lan, C. Jiang and W. Xu, *Neural semi-Markov CRF for monolingual word alignment*, ACL 2021, section 4.
    """
    name, rows = Path(path).name, []
    for row, line in enumerate(load(path, max_unpacked=max_unpacked).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            fields = line.decode().rstrip("\r").split("\t")
        except UnicodeDecodeError as error:
            raise PairsError(f"{name}, row {row}: {not_utf8(error)}") from None
        if len(fields) < 9:
            raise PairsError(f"{name}, row {row}: {len(fields)} fields where MultiMWA has 9 or more: {excerpt(line)}")
        cut = [fields[1].split(), fields[3].split()]
        tags = [[1] * len(side) for side in cut]
        for link in f"{fields[7]} {fields[8]}".split():  # sure, and possible
            ends = [int(end) for end in link.split("-")] if re.fullmatch(r"\d{1,9}-\d{1,9}", link) else []
            if not ends or any(end >= len(side) for side, end in zip(tags, ends, strict=True)):
                raise PairsError(f"{name}, row {row}: {link!r} is no link between two of the words")
            for side, end in zip(tags, ends, strict=True):
                side[end] = 0
        rows.append((row, fields[0], fields[1], fields[3], *cut, *tags))
    table = pd.DataFrame(rows, columns=_NAMES, dtype=object).set_index("row").assign(source=name.split(".")[0])
    return checked(table, name).reset_index(drop=True)


def read_etpc(
    source: str | PathLike | Iterable[str | PathLike], mrpc: str | PathLike, *, max_unpacked: int = HELD
) -> pd.DataFrame:
    """Read the tag table of the MRPC pairs in which ETPC marks relations.

    A word is 1 where it stands in the scope of a relation that does not preserve the sense, of an addition or
    deletion of either kind, or of *non-paraphrase*. In substitutions the words that both scopes hold are left out:
    of "$ 2.5 billion" and "$ 1.8 billion" only the numbers count.

    Parameters
    ----------
    source : str, Path or several of them
        The folder of ``textual_np_neg``, ``textual_np_pos`` and ``negation`` (``.xml``, ``.xml.gz``), or such files.
    mrpc : str or Path
        The folder of MRPC, whose two files hold the sentences.

    Returns
    -------
    DataFrame
        A tag table with ``pair_id`` (from 1: the rows of MRPC train, then those of test), ``split``, ``label``,
        and ``negation_a``, ``negation_b``: 1 on each word in the scope of a negation. Of its ``attrs``, ``scopes``
        counts by file the scopes with word numbers; ``unmatched`` lists those whose numbers lead to another text, and
        which mark nothing; ``untagged`` are the numbers of pairs with negations alone, which are no rows.

    Raises
    ------
    PairsError
        A file is missing or is no ETPC; a pair is not in MRPC; a scope has neither numbers nor "whole sentence".

    References
    ----------
    V. Kovatchev, M. A. Martí and M. Salamó, *ETPC: a paraphrase identification corpus annotated with extended
    paraphrase typology and negation*, LREC 2018.
    """
    sentences = _sentences(Path(mrpc))
    texts_of = dict(zip(sentences.index, sentences[["text_a", "text_b"]].to_numpy(), strict=True))
    cut, tags, negations, scopes, unmatched = {}, {}, {}, Counter(), []
    for path in _files(source):
        negation = path.name.startswith("negation")
        for relation in _relations(path, max_unpacked):
            number, kind = (_text(relation, name) for name in ("pair_id", "type_name"))
            if not _is_number(number) or int(number) not in texts_of:
                raise PairsError(f"{path.name}: pair_id {number!r} is not a row of MRPC's train and test files")
            number = int(number)
            where = {"file": path.name, "pair_id": number, "type": kind}
            if number not in cut:
                cut[number] = [words(text) for text in texts_of[number]]
                negations[number] = [[0] * len(side) for side in cut[number]]
            zeros = [[0] * len(side) for side in cut[number]]
            marks = negations[number] if negation else tags.setdefault(number, zeros)
            found = [_scope(relation, side, cut[number][side], where) for side in (0, 1)]
            texts = [{_form(word) for word in text.split()} for _, text, _, _ in found]
            changes = kind.lower() in NO_PARAPHRASE or _text(relation, "sense_preserving").lower() != "yes"
            common = texts[0] & texts[1] if "substitution" in kind.lower() else set()
            for side, (scope, text, ids, fits) in enumerate(found):
                scopes[path.name] += scope[:1].isdecimal()
                if not fits:
                    unmatched.append({**where, "side": "ab"[side], "scope": scope, "text": text})
                elif negation or changes:
                    for i in ids:
                        marks[side][i] |= _form(cut[number][side][i]) not in common
    tagged = sorted(tags)
    table = sentences.loc[tagged].assign(source="etpc")
    for name, of in {"words": cut, "tags": tags, "negation": negations}.items():
        for side, letter in enumerate("ab"):
            table[f"{name}_{letter}"] = pd.Series([of[number][side] for number in tagged], table.index, dtype=object)
    table = checked(table, "ETPC").rename_axis("pair_id").reset_index()
    table.attrs.update(scopes=dict(scopes), unmatched=unmatched, untagged=sorted({*cut} - {*tags}))
    return table


def _scope(relation, side, its_words, where):
    """(scope and text as they are written, numbers of the words, whether these give the text) for one sentence."""
    scope, text = (_text(relation, f"s{side + 1}_{name}") for name in ("scope", "text"))
    if scope.lower() == "whole sentence":
        return scope, text, range(len(its_words)), True
    parts = scope.replace(",", " ").split()
    if not all(map(_is_number, parts)):
        at = f"{where['file']}, pair_id {where['pair_id']}"
        raise PairsError(f"{at}: s{side + 1}_scope {scope!r} has neither word numbers nor 'whole sentence'")
    ids = [int(part) for part in parts]
    found = [_form(its_words[i]) if i < len(its_words) else None for i in ids]
    return scope, text, ids, found == [_form(word) for word in text.split()]


def _is_number(text):
    """Tell whether this is a whole number that can count pairs or words."""
    return text.isdecimal() and len(text) < 10


def _form(word):
    return '"' if word in ("``", "''") else word.lower()


def _text(relation, name):
    return (relation.findtext(name) or "").strip()


def _files(source):
    if not isinstance(source, str | PathLike):
        return [Path(path) for path in source]
    found = [path for name in _FILES for path in sorted(Path(source).glob(f"{name}.xml*"))]
    if not found:
        raise PairsError(f"{source}: is no folder with {', '.join(f'{name}.xml' for name in _FILES)}, packed or not")
    return found


def _relations(path, max_unpacked):
    try:
        relations = ElementTree.fromstring(load(path, max_unpacked=max_unpacked)).findall("relation")
    except (ElementTree.ParseError, LookupError) as error:  # LookupError: an encoding nobody knows
        raise PairsError(f"{path.name}: is not XML: {error}") from None
    if not relations:
        raise PairsError(f"{path.name}: holds no relation, as ETPC's files do")
    return relations


def _sentences(folder):
    """Read all pairs of MRPC, by the number that ETPC gives them."""
    parts, before = [], 0
    for split, name in _MRPC.items():
        pairs = read_pairs(folder / name, format="mrpc")
        # A row that cannot be read still counts, so that the numbers of the rows after it stay
        parts.append(pairs[["text_a", "text_b", "label"]].assign(split=split).set_axis(pairs["row"] - 1 + before))
        before += pairs.attrs["report"]["rows"]
    return pd.concat(parts)
