"""Layouts: each that docs/layouts.md shows is read as it says; of the others none is read with a wrong sign."""

import contextlib
import csv
import io
import json
import re
import shlex
import warnings
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli.inputs import reading_options
from paragraph.cli.options import parser
from paragraph.files.spelling import from_shell

PAGE = Path(__file__).parents[2] / "docs" / "layouts.md"
BYTES = {"⇥": b"\t", "￩": b"\xe9"}


def shown():
    """The layouts of the page: name, file, content, flags, signs."""
    page, _, _ = PAGE.read_text(encoding="utf-8").partition("## ")
    for line in re.findall(r"^\| (?!layout|-)(.*) \|$", page, re.M):
        name, file, flags, signs = (part.strip() for part in line.split("|"))
        path, *lines = re.findall("`([^`]*)`", file)
        content = b"".join(BYTES.get(sign) or sign.encode() for sign in "\n".join(lines) + "\n")
        yield name, path, content, re.sub("`([^`]*)`.*", r"\1", flags), signs.replace(" ", "")


SHOWN = {name: row for name, *row in shown()}


def read(path, flags="", source=None, reader=pg.read_pairs, **options):
    words = ["summary", str(path), *shlex.split(flags)]
    args = parser().parse_args(words)
    with from_shell(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return reader(path if source is None else source, **reading_options(args) | options)


def signs_of(pairs):
    return "".join({1: "+", 0: "−"}.get(label, "?") for label in pairs["label"])


@pytest.mark.parametrize("name", SHOWN)
def test_a_layout_is_read_as_the_page_says(name, tmp_path):
    file, content, flags, signs = SHOWN[name]
    (path := tmp_path / file).write_bytes(content)
    assert signs_of(read(path, flags)) == signs
    store = read(path, flags, reader=pg.open_pairs, progress=False, engine="memory")
    assert signs_of(store.graph.pairs) == signs
    for table in frames(file, content, flags):
        assert signs_of(read(path, flags, table, format="auto", encoding="utf-8")) == signs


def frames(file, content, flags):
    """The file as a DataFrame, as people read it, where pandas reads it as it is."""
    with contextlib.suppress(ValueError, UnicodeDecodeError, pd.errors.ParserError):
        text = re.sub(r"\Asep=.\n", "", content.decode())
        if ".json" in file:
            records = json.loads(text)
            if not isinstance(records[0] if isinstance(records, list) else records, str):
                yield pd.DataFrame(records if isinstance(records, list) else [records])
            return
        header = None if re.search(r"text_a=\d", flags) and "--header" not in flags else 0
        quoting = csv.QUOTE_NONE if "--quoting no" in flags else csv.QUOTE_MINIMAL
        mark = next(mark for mark in "\t;," if mark in text)
        table = pd.read_csv(io.StringIO(text), sep=mark, header=header, quoting=quoting)
        if not re.search("--header|--on-error", flags) and not {"text_a", "NS"} & {*map(str, table.iloc[:, 0])}:
            yield table


def refused(path, **options):
    with pytest.raises(pg.PairsError) as error:
        read(path, **options)
    return str(error.value)


A = ["How old are you?", "Where is Oslo?", "Is tea hot?", "Who sang it?", "Why go?", "Can cats fly?"]
B = ["What is your age?", "Where is Rome?", "Is tea warm?", "Who wrote it?", "Why leave?", "Do dogs fly?"]
TRUE = [1, 0, 1, 0, 0, 0]
WRONG = [1 - sign for sign in TRUE]


def words(yes, no):
    return [yes if sign else no for sign in TRUE]


def table(names, *columns, mark=","):
    rows = [names.split(mark), *zip(*columns, strict=True)]
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(rows)
    return out.getvalue()


def lines(make):
    return "".join(json.dumps(make(i)) + "\n" for i in range(6))


def pair(i, **more):
    return {"text_a": A[i], "text_b": B[i]} | more


def studio(i, *answers, **more):
    return {"data": pair(i, **more), "annotations": list(answers)}


def choice(said, name="same", **more):
    return {"completed_by": 1, "result": [{"from_name": name, "value": {"choices": [said]}}]} | more


N = range(6)
OPTIONS = [{"id": 0, "text": "same"}, {"id": 1, "text": "different"}]
#: Layouts of others, by name: the file, and what the refusal says.
UNKNOWN = {
    "Prodigy, a label accepted or rejected.jsonl": (
        lines(lambda i: pair(i, label=1, answer=words("accept", "reject")[i])),
        "'answer' says if the label beside it is right"),
    "Prodigy, a choice of words.jsonl": (
        lines(lambda i: pair(i, options=[], accept=[words("same", "diff")[i]], answer="accept")),
        "label 'same' is not one of 0, 1; labels there: 'diff' 4, 'same' 2"),
    "Prodigy, ignored.jsonl": (lines(lambda i: pair(i, options=[], accept=["1"], answer="ignore")), "no label"),
    "Prodigy, two chosen.jsonl": (
        lines(lambda i: pair(i, options=[], accept=["1", "0"], answer="accept")), "not one of"),
    "SageMaker.manifest": (
        lines(lambda i: pair(i) | {"job": WRONG[i], "job-metadata": {"class-name": "x", "human-annotated": "yes"}}),
        "there is no label column"),
    "Argilla, a suggestion.jsonl": (
        lines(lambda i: pair(i) | {"label.suggestion": WRONG[i], "label.responses": [TRUE[i]]}),
        "there is no label column"),
    "Argilla, drafts.jsonl": (
        lines(lambda i: pair(i, label=[{"value": 1, "status": "draft"}])), "is not one of 0, 1"),
    "Argilla, answers as text.csv": (
        table("text_a,text_b,label.responses,label.responses.status", A, B, ["['1']"] * 6, ["['draft']"] * 6),
        "there is no label column"),
    "Label Studio, re-judged, JSON-MIN.json": (
        json.dumps([pair(i, label=WRONG[i], verdict=TRUE[i], annotator=1) for i in N]),
        "may be in 'label', 'verdict'"),
    "Label Studio, re-judged, CSV.csv": (
        table("text_a,text_b,label,meinung,annotator", A, B, WRONG, words("gleich", "anders"), ["ada"] * 6),
        "labels may be in 'label', 'meinung'"),
    "Label Studio, re-judged, JSON.json": (
        json.dumps([studio(i, choice("1"), label=WRONG[i]) for i in N]), "in 'label', 'choice of same'"),
    "Label Studio, cancelled.json": (json.dumps([studio(i, choice("1", was_cancelled=True)) for i in N]), "no label"),
    "Label Studio, two questions.json": (
        json.dumps([studio(i, choice("1"), choice("1", "fluent")) for i in N]), "there is no label column"),
    "Label Studio, predictions.json": (
        json.dumps([studio(i) | {"predictions": [choice("1")]} for i in N]), "there is no label column"),
    "doccano, by number.jsonl": (lines(lambda i: pair(i, annotations=[{"label": 1, "user": 1}])),
        "there is no label column"),
    "doccano, one text.jsonl": (lines(lambda i: {"text": A[i], "label": ["same"]}), "no column for text_a"),
    "OpenSanctions.jsonl": (
        lines(lambda i: {"left": {"name": [A[i], "x"]}, "right": {"name": [B[i]]}, "judgement": TRUE[i]}),
        "no column for text_a"),
    "MTurk.csv": (
        table("AssignmentStatus,Input.text_a,Input.text_b,Answer.same", ["Rejected"] * 6, A, B, TRUE),
        "no column for"),
    "MTurk, rejected.csv": (
        table("AssignmentStatus,text_a,text_b,label", ["Rejected", *["Approved"] * 5], A, B, TRUE),
        "row 2: the answer is withdrawn (Rejected)"),
    "two states.csv": (
        table("text_a,text_b,label,status,was_cancelled", A, B, TRUE, ["submitted"] * 6, [0, 1, 0, 0, 0, 0]),
        "labels may be in 'label', 'was_cancelled'"),
    "a class that comes again.csv": (
        table("text_a,text_b,label,genre", A, B, TRUE, ["news", "talk"] * 3), "labels may be in 'label', 'genre'"),
    "Argilla, a table.jsonl": (
        lines(lambda i: pair(i) | {"same": ["yes"], "same.status": ["discarded"]}), "no label column"),
    "Kili.json": (
        json.dumps([{"content": pair(i), "labels": [{"jsonResponse": {}, "labelType": "DEFAULT"}]} for i in N]),
        "no column for text_a"),
    "docs and labels.jsonl": (
        lines(lambda i: {"query": A[i], "docs": [B[i], A[i]], "labels": [1, 0]}), "no column for text_a"),
    "nested triplets.jsonl": (
        lines(lambda i: {role: {"text": A[i]} for role in ("anchor", "positive", "negative")}), "no column for"),
    "ids.csv": (table("ltable_id,rtable_id,label", N, N, TRUE), "no column for text_a"),
    "a model beside people.csv": (
        table("text_a,text_b,label,human_label", A, B, WRONG, TRUE), "'label', 'human_label'"),
    "Japanese.csv": (
        table("text_a,text_b,label,判定", A, B, WRONG, words("同じ", "違う")), "may be in 'label', '判定'"),
    "-1 alone.csv": (table("sentence1,sentence2,label", A, B, [-1] * 6), "label '-1' is not one of 0, 1"),
    "signs.csv": (table("source,target,sign", A, B, [1, -1] * 3), "no column for text_a"),
    "no labels.csv": (table("text_a,text_b", A, B), "there is no label column"),
    "no number.csv": (table("text_a,text_b,label", A, B, ["1e999", *TRUE[1:]]), "label '1e999' is not one of 0, 1"),
    "a set with a label.jsonl": (lines(lambda i: {"set": [A[i], B[i]], "label": 0}), "'label' beside a set"),
    "a query with a label.jsonl": (
        lines(lambda i: {"query": A[i], "pos": [B[i]], "same": 0}), "'same' beside a set or a query"),
    "triplets, one a text alone.csv": (table("anchor,positive,negative", A[:2], [B[0], ""], [A[2], ""]), "empty"),
    "triplets with a label.csv": (table("anchor,positive,negative,label", A, B, A, TRUE), "labels may be in 'label'"),
    "annotations of another kind.jsonl": (
        '{"annotations": [7], "data": {"a": 1}}\n', "not as its layout is"),
    "a key with a dot.jsonl": (
        '{"text_a": "a", "text_b": "b", "x": {"label": 1}, "x.label": 0}\n', "'x.label' names two values"),
    "Argilla's records.jsonl": (
        lines(lambda i: {"fields": pair(i), "responses": {"label": [{"value": 1}]}}), "a record of Argilla: docs/"),
    "an empty set.jsonl": ('{"set": [[]]}\n', "holds no pair"),
    "no text.jsonl": ('{"query": "a", "pos": []}\n', "holds no pair"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_layout_is_refused_and_no_flag_that_gives_all_pairs_one_sign_is_named(name, tmp_path):
    content, said = UNKNOWN[name]
    (path := tmp_path / name).write_text(content)
    message = refused(path)
    assert said in message and not re.search(r"(text_a|text_b|label)=[^…]", message)
    assert ("all=1" in message) == (name == "no labels.csv")
    assert "--header" not in message or name.endswith((".csv", ".tsv"))
    with pytest.raises(pg.PairsError):
        read(path, reader=pg.open_pairs, progress=False, engine="memory")


#: What a person may type next, and what comes of it: signs, or what the refusal says.
NEXT = {
    "inference": (
        table("premise,hypothesis,label", A, B, WRONG), "text_a=premise,text_b=hypothesis,label=label",
        "what does label '0' in column 'label' mean?"),
    "what differs": (
        table("text_a,text_b,verschieden", A, B, WRONG), "label=verschieden",
        "what does label '0' in column 'verschieden' mean? Only documented names of columns tell"),
    "what is wrong": (
        table("text_a,text_b,error", A, B, words("no", "yes")), "label=error",
        "what does label 'no' in column 'error' mean?"),
    "a distance": (
        table("text_a,text_b,distance", A, B, [0.1, 0.9] * 3), "label=distance --labels .6,.4", "+−+−+−"),
    "a set and a label": (
        table("text,group,label", A, N, TRUE), "text_a=text,set=group,label=label", "both give labels"),
    "a set beside labels": (
        table("text,group,match", A, N, TRUE), "text_a=text,set=group", "labels may be in 'match'"),
    "negatives and a label": (
        table("a,b,c,label", A, B, A, TRUE), "text_a=a,text_b=b,negative=c,label=label", "both give labels"),
    "classes of SageMaker": (
        lines(lambda i: pair(i) | {"job": WRONG[i], "job-metadata": {"class-name": words("yes", "no")[i]}}),
        "label=job-metadata.class-name --labels yes=1,no=0", "+−+−−−"),
    "numbers of classes of SageMaker": (
        lines(lambda i: pair(i) | {"job": WRONG[i], "job-metadata": {"class-name": words("yes", "no")[i]}}),
        "label=job --labels yes=1,no=0", "label '0' is not one of yes, no"),
    "answers of two people, one withdrawn": (
        json.dumps([studio(i, choice(TRUE[i]), choice(WRONG[i], was_cancelled=True)) for i in N]),
        " --unlabelled skip", "+−+−−−"),
    "a label of two kinds, accepted or rejected": (
        lines(lambda i: pair(i, label=WRONG[i], answer=words("accept", "reject")[i])),
        "label=answer --labels accept=1,reject=0", "'answer' says if the label beside it is right"),
    "triplets, all said to be paraphrases": (
        table("a,b,c", A, B, A), "text_a=a,text_b=b,negative=c --labels all=1", "+−" * 6),
    "true and false": (
        lines(lambda i: pair(i, same=bool(TRUE[i]))), "label=same --labels true=1,false=0", "+−+−−−"),
    "options by number": (
        lines(lambda i: pair(i, options=OPTIONS, accept=[1 - TRUE[i]], answer="accept")),
        " --labels same=1,different=0", "+−+−−−"),
    "an answer that is no choice": (
        json.dumps([studio(i, {"result": [{"value": {"taxonomy": [["different"]]}}]}, label=1) for i in N]),
        " ", "row 1: an answer of Label Studio that is no choice"),
    "an answer cancelled, as pandas writes it": (
        table("text_a,text_b,label,was_cancelled", A, B, TRUE, ["1.0", *[""] * 5]), " ",
        "labels may be in 'label', 'was_cancelled'"),
    "noise is no set": (table("text,topic", A, [-1] * 6), "text_a=text,set=topic", "may mean that a text is in none"),
    "numbers of two kinds": (
        table("text_a,text_b,score", A, B, ["1,200", "950.5"] * 3), "label=score --labels 500,1000",
        "column 'score': '1,200' beside '950.5' can be 1.2 or 1200"),
    "numbers of two kinds, in German": (
        table("text_a;text_b;score", A, B, ["1.200", "950,5"] * 3, mark=";"), "label=score --labels 500,1000",
        "'1.200' beside '950,5' can be 1.2 or 1200"),
    "thousands": (
        table("text_a,text_b,score", A, B, ["1,200", "950"] * 3), "label=score --labels 500,1000",
        "'1,200' beside '950' can be 1.2 or 1200"),
    "two scales": (
        table("text_a,text_b,score", A, B, ["12 %", ".9"] * 3), "label=score --labels .4,.6", "are two scales"),
    "another scale": (
        table("text_a,text_b,score", A, B, [".9", ".2"] * 3), "label=score --labels 40,60",
        "all numbers, 0.2 to 0.9, lie below both thresholds, 40 and 60"),
    "votes": (
        table("text_a,text_b,votes", A, B, ["(2, 3)", "(0, 4)"] * 3), "label=votes --labels .4,.6",
        "row 2: label '(2, 3)' is not a number: for and against, or k of n? docs"),
    "columns by number, no label": (
        table("a,b", A, B), "text_a=0,text_b=1 --labels all=1", "row 1: may name the columns; --header yes says"),
    "a header of numbers": (
        table("0,1,label", A, B, TRUE), "text_a=0,text_b=1,label=2 --labels 0=0,1=1", "(--header yes if this row"),
    "a state of Argilla": (
        table("text_a,text_b,same,same.status", A, B, ["['1']"] * 6, ["['discarded']"] * 6),
        "label=same --labels 1=1", "lists of answers and their states, as Argilla"),
    "ratings": (
        json.dumps([studio(i, {"result": [{"from_name": "x", "value": {"rating": 5 * TRUE[i]}}]}) for i in N]),
        "label=choice --labels 2,4", "an answer of Label Studio that is no choice"),
    "a column decided of another meaning": (
        table("text_a,text_b,label,decided", A, B, TRUE, ["by Ada", *[""] * 5]), "label=label --labels 0=0,1=1",
        "column 'decided': label 'by Ada' is not one of 0, 1; it holds what was decided: rename"),
    "two people, both silent": (
        table("text_a,text_b,x,y", A, B, ["", *TRUE[1:]], ["", *TRUE[1:]]), "label=x,label_2=y --labels 0=0,1=1",
        "row 2: no label"),
    "a list in a text": (lines(lambda i: pair(i, label=TRUE[i], c=[B[i], A[i]])), "label=label,text_b=c",
        "not text; docs/layouts.md shows how lists are read"),
    "a key that rows lack": (
        lines(lambda i: {"a": A[i], "b": B[i]} | ({"c": "x"} if i else {})), "text_a=a,text_b=b,negative=c",
        "+" + "+−" * 5),
}  # fmt: skip


@pytest.mark.parametrize("name", NEXT)
def test_what_is_typed_next_turns_no_sign(name, tmp_path):
    content, flags, said = NEXT[name]
    kind = {"{": "jsonl", "[": "json"}.get(content[0], "csv")
    (path := tmp_path / f"my.{kind}").write_text(content)
    flags = flags if flags.startswith(" ") else f"--columns {flags}"
    if said[0] in "+−":
        assert signs_of(read(path, flags)) == said
        return
    with pytest.raises(pg.PairsError, match=re.escape(said)):
        read(path, flags)


@pytest.mark.parametrize("more", [
    {"cosine": [0.9] * 6}, {"split": ["train"] * 6}, {"score": [3.5] * 6}, {"id": N},
    {"language": ["en"] * 6}, {"url": A}, {"comment": B}, {"lead_time": [1.5] * 6},
])  # fmt: skip
def test_a_harmless_column_is_no_reason_to_ask(more):
    frame = pd.DataFrame({"text_a": A, "text_b": B, "label": TRUE} | more)
    assert read("my.csv", "", frame)["label"].tolist() == TRUE


NAMES = "Lfd. Nr.;Frage (links);Frage (rechts);Urteil der Kollegin;Datum"
HEADED = table(NAMES, N, A, B, words("ja", "nein"), N, mark=";")
SAYS = "--labels ja=1,nein=0 --columns text_a=1,text_b=2,label=3"


@pytest.mark.parametrize("content, flags, said", [
    (HEADED, "", "'Urteil der Kollegin': 2 different: 'ja', 'nein'"),
    (HEADED, "--header no", "3: 3 different: 'Urteil der Kollegin', 'ja', 'nein'"), 
    (HEADED, SAYS, "row 1: label 'Urteil der Kollegin'"),
    (HEADED, f"{SAYS} --header yes", "+−+−−−"), (HEADED, f"{SAYS} --header no", "row 1: label 'Urteil der Kollegin'"),
    ("a,b,ja\nc,d,nein\ne,f,ja\n", "", "--header no if the first row is a pair: columns then count from 0"),
    ("0,1,1\n0,2,1\n1,2,0\n0,1,1\n", "--columns text_a=0,text_b=1,label=2 --labels 0=0,1=1 --header no", "++−+"),
])  # fmt: skip
def test_a_header(content, flags, said, tmp_path):
    (path := tmp_path / "my.csv").write_text(content)
    if said[0] in "+−":
        assert signs_of(read(path, flags)) == said
        return
    with pytest.raises(pg.PairsError, match=re.escape(said)):
        read(path, flags)


def test_counts_say_of_how_many_rows(tmp_path):
    (path := tmp_path / "my.csv").write_text("a,b,c\n" + "".join(f"x{i},y{i},{i % 2}\n" for i in range(500)))
    assert "its columns, in the first 99 rows:" in refused(path)
    assert "labels there: 'ja' 250, 'nein' 250;" in refused(
        pd_file(tmp_path, {"text_a": ["a"] * 500, "text_b": ["b"] * 500, "label": ["ja", "nein"] * 250})
    )


def pd_file(folder, columns):
    pd.DataFrame(columns).to_csv(folder / "pairs.csv", index=False)
    return folder / "pairs.csv"


def test_the_words_of_a_file_are_kept():
    frame = pd.DataFrame({"text_a": A, "text_b": B, "label": words("gleich", "anders")})
    assert read("x", source=frame, labels={"gleich": 1, "anders": 0}).attrs["report"]["words"] == ["anders", "gleich"]
    assert "words" not in read("x", source=frame.assign(label=TRUE)).attrs["report"]
    frame = frame.drop(columns="label").assign(same=words("same", "other"))
    found = read("x", source=frame, columns={"label": "same"}, labels={"same": 1, "other": 0})
    assert found.attrs["report"]["words"] == ["other", "same"] and found["label"].tolist() == TRUE
