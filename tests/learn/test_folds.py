"""Opinions on pairs: who was trained on what, checked row by row against networkx; and what classifiers say."""

import json
import math
import warnings
from functools import partial

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from paragraph.learn import describe, encode, out_of_fold, pair_opinions
from paragraph.learn.encoder import MissingModel, load, load_tokenizer
from paragraph.learn.heads import head_of
from paragraph.measure.splits import sides

from ..reference import numbered as table
from ..refused import refused
from .tiny import tiny_classifier


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch, exact):
    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path / "cache"))


class Spy:
    """Learns nothing; remembers for each row it predicts which rows it was trained on."""

    name, trained_on, deterministic = "spy", "", True

    def __init__(self, seen):
        self.seen = seen

    def fit(self, train, dev=None):
        assert train["label"].notna().all()
        self.trained = set(train.index)
        return self

    def predict_proba(self, pairs):
        assert not self.seen.keys() & set(pairs.index)  # each row once
        self.seen |= dict.fromkeys(pairs.index, self.trained)
        return np.full(len(pairs), 0.5)


def spied(pairs, **options):
    """For each row, the rows its model was trained on; and what was warned of."""
    seen = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = out_of_fold(pairs, lambda seed: Spy(seen), **options)
    assert (found == 0.5).all() and set(seen) == set(pairs.index)  # rows without a label too
    return seen, " ".join(str(warning.message) for warning in caught)


def texts(pairs, rows):
    return {text for row in rows for text in pairs.loc[row, ["text_a", "text_b"]]}


def parts(pairs, stated):
    """From each sentence to all that these rows connect it with."""
    graph = nx.Graph()
    graph.add_nodes_from(texts(pairs, pairs.index))
    graph.add_edges_from(zip(stated["text_a"], stated["text_b"], strict=True))
    return {text: part for part in nx.connected_components(graph) for text in part}


sentence = st.integers(0, 14)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), min_size=1, max_size=25)


@settings(max_examples=25)
@given(some_rows, st.integers(2, 5), st.integers(0, 3))
def test_nothing_connected_was_seen_and_all_else_was(rows, folds, seed):
    label = {frozenset(row[:2]): row[2] for row in rows}  # one a pair: the clusters are what rows labelled 1 connect
    pairs = table([(i, j, label[frozenset((i, j))]) for i, j, _ in rows])
    seen, said = spied(pairs, folds=folds, seed=seed)
    cluster, component = parts(pairs, pairs[pairs["label"].eq(1).fillna(False)]), parts(pairs, pairs)
    found = sides(pairs, [1 / folds] * folds, "clusters", seed)
    fold_of = {row: {found.side[found.a[row]], found.side[found.b[row]]} for row in pairs.index}
    labelled = set(pairs.index[pairs["label"].notna()])
    for row, trained in seen.items():
        known = texts(pairs, trained)
        assert not known & set().union(*(cluster[text] for text in texts(pairs, [row])))
        assert "cut" in said or not known & component[pairs.loc[row, "text_a"]]
        assert trained == {other for other in labelled if not fold_of[other] & fold_of[row]}


def test_folds_are_balanced_and_the_seed_decides():
    rng = np.random.default_rng(0)
    pairs = table([(3 * i, 3 * i + k, int(rng.random() < 0.4)) for i in range(400) for k in (1, 2)])
    seen, said = spied(pairs, folds=5)
    models = {id(trained): trained for trained in seen.values()}
    assert not said and len(models) == 5
    for trained in models.values():
        mine = pairs.loc[[row for row in seen if seen[row] is trained]]
        assert len(mine) == pytest.approx(160, abs=2)
        assert mine["label"].mean() == pytest.approx(pairs["label"].mean(), abs=0.01)
        assert trained == set(pairs.index) - set(mine.index)
    assert spied(pairs, folds=5)[0] == seen != spied(pairs, folds=5, seed=1)[0]


def test_a_component_that_holds_everything_is_cut_and_a_cluster_stays_whole():
    """A ring of 20 triangles of paraphrases, neighbours joined by a negative."""
    ring = [(3 * i + j, 3 * i + k, 1) for i in range(20) for j, k in ((0, 1), (1, 2))]
    seen, said = spied(table(ring + [(3 * i + 2, 3 * ((i + 1) % 20), 0) for i in range(20)]), folds=5)
    assert "cut between its clusters" in said
    assert 0 < int(said.split(" of 60 rows join")[0].split()[-1]) < 20 and min(map(len, seen.values())) > 15
    pairs = table([(0, i, 1) for i in range(1, 40)] + [(100 + 2 * i, 101 + 2 * i, i % 2) for i in range(10)])
    seen, said = spied(pairs, folds=3)
    assert "one cluster holds 39 of 49 rows" in said
    (trained,) = {frozenset(seen[row]) for row in range(39)}
    assert trained and trained <= set(range(39, 49))


@pytest.mark.filterwarnings("ignore")
def test_refused_and_a_model_that_answers_no_probability_is_named_with_the_row(monkeypatch):
    for rows, folds, says in [
        ([(0, 1, 1)], 1, "two or more"),
        ([], 5, "no pairs"),
        ([(0, 1, 1), (2, 3, 1), (4, 5, 0)], 3, "rows to learn from.*more folds"),
        ([(0, 1, 1), (1, 2, 1), (0, 2, 1)], 3, "fold 1 of 3.*empty"),
    ]:
        refused(says, out_of_fold, table(rows), "tfidf", folds=folds)
    pairs = table([(2 * i, 2 * i + 1, i % 2) for i in range(10)]).drop(columns="row")
    for no in (np.nan, 1.5, -0.1):
        answer = lambda self, pairs, no=no: np.where(pairs["text_a"] == "s6", no, 0.5)  # noqa: E731
        monkeypatch.setattr(Spy, "predict_proba", answer)
        refused(f"row 4: the model answers {no}, which is no prob", out_of_fold, pairs, lambda seed: Spy({}))


def test_opinions(tiny):
    pairs = table([(2 * i, 2 * i + 1, (i % 2) or None if i > 3 else i % 2) for i in range(40)] + [(0, 0, 1)])
    pairs.index = pairs.index[::-1]  # rows are told apart by position
    pairs["label"] = pairs["label"].where(pairs["label"].notna() | (np.arange(41) % 3 == 0), 0)
    found = pair_opinions(pairs, "tfidf", encoder=tiny)
    assert found.columns.tolist() == ["text_a", "text_b", "model", "cosine"]
    assert found["text_a"].tolist() == pairs["text_a"].tolist()
    np.testing.assert_array_equal(found["model"], out_of_fold(pairs, "tfidf"))
    assert found["cosine"].iloc[-1] == pytest.approx(1)  # a sentence with itself
    assert found["cosine"].between(-1.00001, 1.00001).all() and found.attrs["out_of_fold"]


PAIRS = pd.DataFrame({"text_a": ["How do cats purr?", "Is tea hot?", "x"], "text_b": ["Why do cats?", "Tea?", "x"]})


def test_which_output_speaks_for_a_paraphrase_and_labels_that_do_not_say_are_named():
    # Labels of classifiers that others have trained: the output that speaks for a paraphrase, and whether it entails.
    for head, labels in {
        (0, False): "Paraphrase Non-Paraphrase, is_duplicate is_not_duplicate, SAME DIFFERENT, LABEL_0",
        (1, False): "not_paraphrase paraphrase, not_equivalent equivalent, no yes, LABEL_0 LABEL_1",
        (0, True): "entailment not_entailment",
        (2, True): "CONTRADICTION NEUTRAL ENTAILMENT",
    }.items():
        assert {head_of(some.split())[:2] for some in labels.split(", ")} == {head}
    for labels in ("NEGATIVE POSITIVE", "LABEL_0 LABEL_1 LABEL_2", "LABEL_1 LABEL_0", "paraphrase duplicate", ""):
        said = refused("id2label: not_paraphrase and paraphrase", head_of, labels.split(), "toy")
        assert all(repr(label) in said for label in labels.split())


def test_probabilities_by_hand():
    """Odds of 3 : 1 in one order, 1 : 1 in the other."""
    both = np.log([[1.0, 3.0], [1.0, 1.0]])
    assert head_of(["no", "yes"]).probability(both) == pytest.approx([(3 / 4 + 1 / 2) / 2])
    assert head_of(["entailment", "not_entailment"]).probability(both) == pytest.approx([1 / 4])
    ways = np.log([[1, 8, 1], [2, 2, 6], [2, 5, 3], [1, 1, 8]])  # two pairs; then both the other way round
    assert head_of(["neutral", "entailment", "contradiction"]).probability(ways) == pytest.approx([0.5, 0.1])
    assert head_of(["LABEL_0"]).probability(np.array([[0.0], [math.log(3)]])) == pytest.approx([(1 / 2 + 3 / 4) / 2])
    assert head_of(["no", "yes"]).probability(np.array([[0.0, 1e4], [0.0, 1e4]])) == pytest.approx([1])


def test_a_folder_is_asked_both_ways(tmp_path):
    folder = tiny_classifier(tmp_path / "bert", ["duplicate", "not_duplicate"])
    found = pair_opinions(PAIRS, folder, encoder=folder)
    model, tokenizer = load(folder, "ForSequenceClassification", fitted=True), load_tokenizer(folder)
    with torch.inference_mode():  # as plain transformers would
        there, back = (
            model(**tokenizer(list(a), list(b), padding=True, return_tensors="pt")).logits.softmax(1)[:, 0]
            for a, b in ((PAIRS["text_a"], PAIRS["text_b"]), (PAIRS["text_b"], PAIRS["text_a"]))
        )
    assert (there - back).abs().max() > 0.01  # so that the order tells
    np.testing.assert_allclose(found["model"], (there + back) / 2, atol=1e-4)
    assert found.attrs["reads"] == "P('duplicate'), the mean of both orders" and not found.attrs["out_of_fold"]
    assert (found.attrs["model"], found.attrs["trained_on"]) == (str(folder), "unknown (see the model's card)")
    again = pair_opinions(PAIRS, str(folder), encoder=folder)  # from the cache
    np.testing.assert_array_equal(again["model"], found["model"])
    assert pair_opinions(PAIRS[:0], folder, encoder=folder).empty


def changed(folder, file="config.json", **entries):
    path = folder / file
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    return folder


def test_code_that_a_model_brings_is_never_run(tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("it asked"))
    code = {"AutoConfig": "own.Own", "AutoTokenizer": ["own.Own", None]}
    for i, file in enumerate(("config.json", "tokenizer_config.json")):
        folder = tiny_classifier(tmp_path / f"bert{i}", ["no", "yes"])
        (folder / "own.py").write_text(f"open({str(ran)!r}, 'w')\nclass Own: pass\n")
        changed(folder, file, auto_map=code, model_type="own")
        for ask in (describe, load, partial(pair_opinions, PAIRS)):
            refused("brings Python code of its own", ask, folder)
    assert not ran.exists()


def test_outputs_that_are_no_probabilities_and_a_head_that_is_not_there(tiny, tmp_path):
    folder = tiny_classifier(tmp_path / "single", ["LABEL_0"])
    for kind in ("regression", "multi_label_classification"):
        changed(folder, problem_type=kind)
        refused(f"says {kind}.*as the model, or columns", pair_opinions, PAIRS, folder)
    refused("no classification head", pair_opinions, PAIRS, tiny)  # and none is drawn at random
    folder = tiny_classifier(tmp_path / "bert", ["no", "yes"])
    path = folder / "model.safetensors"
    weights = load_file(path)
    for lost in ("classifier.weight", "bert.embeddings.word_embeddings.weight"):
        save_file({k: v for k, v in weights.items() if k != lost}, path, metadata={"format": "pt"})
        refused("lack 1 of those it needs", pair_opinions, PAIRS, folder)
        if lost.startswith("classifier"):
            assert load(folder, "ForSequenceClassification", 2).num_labels == 2  # to be trained, a new head will do
    for head in ("", "ForSequenceClassification"):
        refused("lack 1 of those it needs", load, folder, head)


def test_no_name_of_a_model(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name in ("\0", "a\0b", "\ud800", "x" * 5000, "a/b/c", "", "~nobody/there", "../no", "no\nsuch"):
        for ask in (describe, partial(encode, ["a"]), partial(pair_opinions, PAIRS, progress=False)):
            with pytest.raises(MissingModel) as caught:
                ask(name)
            assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 600, ascii(name)
