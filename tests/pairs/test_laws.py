"""Two laws of every layout: no answer, the file byte for byte; with answers, they are what is read from then on.

The layouts are those of docs/layouts.md, the official releases, and longer files of each kind in other languages.
"""

import json
import re
import warnings

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.cli.inputs import reading_options
from paragraph.cli.options import parser
from paragraph.files.names import sibling
from paragraph.pairs.back import clean_name, write_back
from paragraph.pairs.remembered import layout_file

from .samples import FIRST_LINES
from .test_layouts import SHOWN

TEXTS = [
    "Ist es weit?",
    "Ist es ein langer Weg?",
    'Sagt er "nah"?',
    "Wie weit, bitte?",
    "很远吗？",
    "是不是很远？",
    "Qui?",
]
#: Files of several records: the name, the content, the flags.
LONGER = {
    "words, semicolons, CR LF": (
        "my.csv",
        'Nr;Frage 1;Frage 2;gleich?;Notiz\r\n1;Ist es weit?;"Ist es; ein Weg?";ja;"zwei\r\nZeilen"\r\n'
        '2;Ist es weit?;Ist es nah?;"nein";1,50\r\n3;Ist es nah?;Ist es weit?;ja;\r\n4;Wer?;Wo?;weiß;x\r\n',
        "--columns 'text_a=Frage 1,text_b=Frage 2,label=gleich?' --labels 'ja=1,nein=0,weiß=' --unlabelled skip",
    ),
    "several people": (
        "my.csv",
        "id,a,b,ann1,ann2,remark\n7,Is it far?,Is it near?,0,1,x\n8,Is it near?,Is it far?,1,1,\n9,Who?,Where,0,,y\n",
        "--columns text_a=a,text_b=b,label=ann1,label_2=ann2 --labels 0=0,1=1",
    ),
    "a row for each person": (
        "my.csv",
        "text_a,text_b,label,annotator\nWho?,Where?,1,Ada\nWho?,Where?,0,Bo\nWhy?,What for?,1,Ada\nx,y,,Bo\n",
        "--unlabelled keep",
    ),
    "scores, reversed rows": (
        "my.csv",
        "a,b,s\nIs it far?,Is it near?,4.50\nIs it near?,Is it far?,1.50\nWho?,Where?,3\nWho?,When?,4.9\n",
        "--columns text_a=a,text_b=b,label=s --labels 2,4 --unlabelled skip",
    ),
    "no header, shares": (
        "my.tsv",
        "Is it far?\tIs it near?\t1/5\nWho?\tWhere?\t5/5\n",
        "--columns text_a=0,text_b=1,label=2 --labels .4,.6",
    ),
    "triplets": (
        "my.csv",
        'anchor,positive,negative_1,negative_2,n\nWho?,"Who, please?",Where?,When?,7\nWhy?,What for?,Who?,,8\n',
        "",
    ),
    "nested keys": (
        "my.jsonl",
        '{"b": {"t": "Wo?"},  "a": {"t": "Wer?", "n": 1.50}, "gleich": {"ja": "nein"}, "z": [1, 2.0]}\n\n'
        '{"a": {"t": "\\u00e9t\\u00e9?"}, "b": {"t": "Quand?"}, "gleich": {"ja": "ja"}}\r\n',
        "--columns text_a=a.t,text_b=b.t,label=gleich.ja --labels ja=1,nein=0",
    ),
    "a list of objects": (
        "my.json",
        '[\n  {"text_a": "Who?", "text_b": "Where?", "label": 1, "n": 1.50},\n'
        '  {"label": 0, "text_a": "Why?", "text_b": "When?"},\n  {"text_a": "x", "text_b": "y", "label": 1}\n]\n',
        "",
    ),
    "objects over several lines": (
        "my.json", '{\n "text_a": "Who?",\n "text_b": "Where?",\n "label": true\n}\n{\n "text_a": "a",'
        ' "text_b": "b", "label": false }\n', ""),
    "sets in lists": (
        "my.jsonl", '{"set": ["Who?", "Which one?", "Who, please?"]}\n{"set": ["a", "b"]}\n', ""),
    "queries": (
        "my.jsonl",
        '{"query": "Who?", "pos": ["Who, please?", "Which one?"], "neg": ["Where?"], "id": 1.0}\n'
        '{"query": "a", "pos": ["b"], "neg": []}\n',
        "",
    ),
    "queries with one paraphrase": (
        "my.json", '[{"anchor": "a", "positive": "p", "negative": ["n", "m"]},\n'
        ' {"anchor": "b", "positive": "q", "negative": ["k"]}]\n', ""),
    "Label Studio, two people": (
        "my.json",
        json.dumps([
            {"data": {"text_a": "Who?", "text_b": "Where?"}, "annotations": [
                {"completed_by": who, "result": [{"from_name": "same", "value": {"choices": [word]}}]}
                for who, word in ((1, "yes"), (2, "no"))
            ]},
            {"data": {"text_a": "a", "text_b": "b"}, "annotations": []},
        ], indent=1),
        "--unlabelled skip",
    ),
}  # fmt: skip
LAYOUTS = {name: (file, content, flags) for name, (file, content, flags, _) in SHOWN.items()}
LAYOUTS |= {name: (file, content.encode(), flags) for name, (file, content, flags) in LONGER.items()}
LAYOUTS |= {
    f"release {name}": (
        "x.csv" if name in ("mqp", "qqp-kaggle", "paws") else "x.tsv",
        content.encode(),
        f"--input {name}",
    )
    for name, content in FIRST_LINES.items()
}
#: Layouts in which the place of a text is its label.
PLACES = re.compile("triplet|quer|sets?|links")


def quietly(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def options_of(flags):
    import shlex

    return reading_options(parser().parse_args(["summary", "x", *shlex.split(flags)]))


def effects_of(pairs, wishes, cut):
    """The effect on each row of the answers about unordered pairs, and the label that each then has, or None."""
    effects, labels = {}, {}
    for place, row in enumerate(pairs.itertuples()):
        key = frozenset((row.text_a, row.text_b))
        if key not in wishes or pd.isna(row.label):
            continue
        wish = wishes[key]
        labels[key] = wish
        if wish is None:
            effects[place] = "dropped"
        elif wish == row.label:
            effects[place] = "stays"
        else:
            effects[place] = "becomes 1" if wish else cut
    return effects, labels


def labels_by_pair(pairs):
    found = {}
    for row in pairs.itertuples():
        found.setdefault(frozenset((row.text_a, row.text_b)), []).append(row.label)
    return found


@pytest.mark.parametrize("name", LAYOUTS)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_is_answered_is_read_and_nothing_else_changes(tmp_path, name, data):
    file, content, flags = LAYOUTS[name]
    path = tmp_path / file
    path.write_bytes(content)
    pairs = quietly(pg.read_pairs, path, **options_of(flags))
    clean = tmp_path / clean_name(pairs.attrs["report"])
    quietly(write_back, pairs, {}, clean)
    assert clean.read_bytes() == content

    keys = sorted(labels_by_pair(pairs), key=sorted)
    wishes = {
        key: wish for key in keys if (wish := data.draw(st.sampled_from([0, 1, None, "no answer"]))) != "no answer"
    }
    effects, wanted = effects_of(pairs, wishes, data.draw(st.sampled_from(["dropped", "becomes 0"])))
    quietly(write_back, pairs, effects, clean)
    left = sibling(clean, "left_out")
    try:
        after = labels_by_pair(quietly(pg.read_pairs, clean, encoding=options_of(flags).get("encoding", "utf-8")))
    except pg.PairsError as error:  # nothing is left
        assert re.search("is empty|no column|holds no pair|none of|no label column", str(error)), error
        after = {}
    before = labels_by_pair(pairs)
    assert after.keys() <= before.keys()
    for key, labels in before.items():
        found = after.get(key, [])
        if key in wanted:
            assert {*found} <= {wanted[key]}, (key, wishes, clean.read_text())
            if wanted[key] is not None and {*labels} == {wanted[key]} and not PLACES.search(name):
                assert found
        elif not PLACES.search(name):
            assert found == labels
    if path.suffix in (".csv", ".tsv", ".jsonl") and not PLACES.search(name) and b"sep=" not in content:
        layout = layout_file(clean)
        adds = b"decided" in clean.read_bytes() or (layout.exists() and "decided" in layout.read_text())
        rows = {int(pairs["row"].iloc[place]) for place, effect in effects.items()}
        if not rows:
            assert clean.read_bytes() == content
        elif not adds:
            lines = content.splitlines(keepends=True)
            kept = {*clean.read_bytes().splitlines(keepends=True)} | {*left.read_bytes().splitlines(keepends=True)}
            assert {line for i, line in enumerate(lines, 1) if i not in rows and b'"' not in line} <= kept
