"""Tags that other people's files hold, as tag tables: MultiMWA and ETPC.

MultiMWA holds human word alignments of paraphrases (Lan, Jiang and Xu, ACL 2021, section 4), ETPC typed spans in
which pairs of MRPC differ (Kovatchev, Martí and Salamó, LREC 2018).
"""

from __future__ import annotations

import gzip
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

import paragraph as pg

__all__ = ["read_etpc", "read_multimwa"]

NAMES = ["text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b"]
#: Relations whose words the other sentence cannot paraphrase, even if the sense is preserved.
NO_PARAPHRASE = ("addition/deletion", "non-paraphrase")
MRPC = {"train": "msr_paraphrase_train.txt", "test": "msr_paraphrase_test.txt"}


def read_multimwa(path: Path) -> pd.DataFrame:
    """Read one file: a word is 1 if no link reaches it, sure or possible."""
    rows = []
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        fields = line.split("\t")
        cut = [fields[1].split(), fields[3].split()]
        tags = [[1] * len(side) for side in cut]
        for link in f"{fields[7]} {fields[8]}".split():  # sure, and possible
            for side, end in zip(tags, link.split("-"), strict=True):
                side[int(end)] = 0
        rows.append((fields[1], fields[3], *cut, *tags))
    return pd.DataFrame(rows, columns=NAMES).assign(source=path.name.split(".")[0])


def read_etpc(folder: Path, mrpc: Path) -> pd.DataFrame:
    """Read the MRPC pairs in which ETPC marks relations, with `pair_id`: the rows of MRPC train, then those of test.

    A word is 1 where it stands in the scope of a relation that does not preserve the sense, of an addition or
    deletion of either kind, or of *non-paraphrase*. In substitutions the words that both scopes hold are left out:
    of "$ 2.5 billion" and "$ 1.8 billion" only the numbers count. A scope whose numbers lead to another text than
    the one it quotes marks nothing.
    """
    texts, rows = sentences(mrpc), {}
    for sign in ("neg", "pos"):
        with gzip.open(folder / f"textual_np_{sign}.xml.gz") as file:
            for relation in ElementTree.parse(file).iter("relation"):
                number, kind = int(field(relation, "pair_id")), field(relation, "type_name").lower()
                if number not in rows:
                    cut = [pg.tags.words(text) for text in texts.loc[number, ["text_a", "text_b"]]]
                    rows[number] = [
                        *texts.loc[number, ["text_a", "text_b"]],
                        *cut,
                        *([0] * len(side) for side in cut),
                    ]
                cut, tags = rows[number][2:4], rows[number][4:]
                changes = (
                    kind in NO_PARAPHRASE or field(relation, "sense_preserving").lower() != "yes"
                )
                quoted = [
                    [form(word) for word in field(relation, f"s{k}_text").split()] for k in (1, 2)
                ]
                common = {*quoted[0]} & {*quoted[1]} if "substitution" in kind else set()
                for k in (0, 1) if changes else ():
                    for i in scope(field(relation, f"s{k + 1}_scope"), cut[k], quoted[k]):
                        tags[k][i] |= form(cut[k][i]) not in common
    found = pd.DataFrame.from_dict(
        {number: rows[number] for number in sorted(rows)}, orient="index", columns=NAMES
    )
    return found.assign(source="etpc").rename_axis("pair_id").reset_index()


def scope(written: str, words: list[str], quoted: list[str]) -> list[int]:
    """Return the numbers of the words of a scope; none where they do not give the text it quotes."""
    if written.lower() == "whole sentence":
        return [*range(len(words))]
    numbers = [int(part) for part in written.replace(",", " ").split()]
    return (
        numbers if [form(words[i]) if i < len(words) else None for i in numbers] == quoted else []
    )


def form(word: str) -> str:
    return '"' if word in ("``", "''") else word.lower()


def field(relation: ElementTree.Element, name: str) -> str:
    return (relation.findtext(name) or "").strip()


def sentences(folder: Path) -> pd.DataFrame:
    """Read all pairs of MRPC, by the number that ETPC gives them."""
    parts, before = [], 0
    for name in MRPC.values():
        pairs = pg.read_pairs(folder / name, format="mrpc")
        # A row that cannot be read still counts, so that the numbers of the rows after it stay
        parts.append(pairs[["text_a", "text_b"]].set_axis(pairs["row"] - 1 + before))
        before += pairs.attrs["report"]["rows"]
    return pd.concat(parts)
