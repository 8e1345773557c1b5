"""The layouts of docs/layouts.md: each is read as it says, told by the messages alone, whatever the way in."""

import ast
import contextlib
import csv
import gzip
import io
import json
import re
import shlex
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli.files import reading_options
from paragraph.cli.options import one_line, parser
from paragraph.files.spelling import from_shell

PAGE = Path(__file__).parents[2] / "docs" / "layouts.md"
BYTES = {"⇥": b"\t", "␃": b"\3", "␄": b"\4", "￩": b"\xe9"}


class Layout(NamedTuple):
    """A layout: its name, its file, the commands one after the other, what each refusal says, and the pairs."""

    name: str
    file: str
    content: bytes
    commands: list
    said: list
    pairs: list


def layouts():
    for block in re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        block = block.split("\n## ")[0]
        file, content = re.search(r"^```(\S+)\n(.*?)^```$", block, re.M | re.S).groups()
        pairs = re.search(r"^```pairs\n(.*?)^```$", block, re.M | re.S)
        data = b"".join(BYTES.get(sign) or sign.encode() for sign in content)
        commands, said = (
            re.findall(r"^    ((?:paragraph |pg\.).*)$", block, re.M),
            re.findall(r"^> (.*)$", block, re.M),
        )
        name = block.split("\n")[0]
        yield Layout(name, file, data, commands, said, pairs and pairs[1].splitlines())


def as_read(pairs):
    """One line a pair: its sign, its texts, and the further columns that tell how sure it is and whose it is."""
    lines = []
    for pair in pairs.to_dict("records"):
        sign = {1: "+", 0: "−"}.get(pair["label"], " ")
        more = [
            f"{name} {pair[name]:.3g}" if name == "score" else f"{name} {pair[name]}"
            for name in ("score", "annotator")
            if name in pair
        ]
        lines.append(" | ".join([f"{sign} {pair['text_a']}", pair["text_b"], *more]))
    return lines


def read_so(command, read=pg.read_pairs, source=None, **options):
    """What a command reads, by the options that it gives."""
    words = shlex.split(command)[1:]
    args = parser().parse_args(words)
    with from_shell(words), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = reading_options(args) | options
        return read(args.file if source is None else source, **given)


LAYOUTS = [*layouts()]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_layout_is_read_as_the_page_says(layout, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = gzip.compress(layout.content) if layout.file.endswith(".gz") else layout.content
    Path(layout.file).write_bytes(content)
    said = ""
    for i, command in enumerate(layout.commands):
        if i:  # what is typed stands in the message: as a whole command, with each … filled in, or as an option
            new = command.removeprefix(layout.commands[i - 1]).strip()
            offered = [re.escape(each).replace("…", "[01]?") for each in re.findall("`([^`]* [^`]*|pg[^`]*)`", said)]
            assert any(re.fullmatch(each, command) for each in offered) or (new and new in said)
        if i == len(layout.commands) - 1 and layout.pairs is not None:
            break
        with pytest.raises(pg.PairsError) as error:
            read_so(command)
        said = one_line(str(error.value))
        assert layout.said[i] in said
    if layout.pairs is None:
        return
    if command.startswith("pg."):
        texts = pd.Series({number: f"Text {number}." for number in range(99)})
        table = next(tables(layout, command), None)
        assert (
            as_read(eval(command, {"pg": pg, "pd": pd, "ast": ast, "json": json, "table": table, "texts": texts}))
            == layout.pairs
        )
        return
    assert as_read(read_so(command)) == layout.pairs
    stored = read_so(command, pg.open_pairs, progress=False, engine="memory").graph.pairs
    assert as_read(stored) == layout.pairs
    if find_spec("duckdb"):
        graph = read_so(command, pg.open_pairs, progress=False, engine="duckdb").graph
        assert [line for pairs, *_ in graph.row_parts() for line in as_read(pairs)] == layout.pairs
    if "(a file)" in layout.name:
        return
    for table in tables(layout, command):
        assert as_read(read_so(command, source=table, format="auto", quoting=None, encoding="utf-8")) == layout.pairs


def tables(layout, command):
    """The file as a DataFrame and as a Dataset, as people read it."""
    datasets = pytest.importorskip("datasets")
    text = layout.content.decode()
    if ".json" in layout.file:
        try:
            records = [*map(json.loads, text.splitlines())]
        except ValueError:
            records = json.loads(text)
        if isinstance(records, list) and isinstance(records[0], dict):
            yield pd.DataFrame(records)
            yield datasets.Dataset.from_list(records)
        return
    mark = next(mark for mark in "\t;|,>" if mark in text)
    text, header = re.sub(r"\Asep=.\n", "", text), None if re.search(r"text_a=\d", command) else 0
    quoting = csv.QUOTE_NONE if "--quoting no" in command else csv.QUOTE_MINIMAL
    with contextlib.suppress(pd.errors.ParserError):  # a row of another length, which pandas refuses
        frame = pd.read_csv(io.StringIO(text), sep=mark, header=header, quoting=quoting)
        yield frame
        yield datasets.Dataset.from_pandas(frame) if header == 0 else frame
