"""Pairs augmented by phrases in another order: what is made, what is left out, and where it counts."""

from importlib.util import find_spec

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.japanese import parse as japanese
from paragraph.papers.japanese.parse import Parse, Parses, read_parses
from paragraph.papers.japanese.shuffle import stratified

from ...refused import refused


def parse(phrases, heads, **more):
    phrases = tuple(phrases.split("|"))
    return Parse("".join(phrases), phrases, heads, **more)


CAT, DOG = parse("猫が|机で|魚を|食べている", (3, 3, 3, -1)), parse("犬が|庭で|寝ている", (2, 2, -1))
SLEEP, CAT_2 = parse("猫が|寝ている", (1, -1)), parse("机で|猫が|魚を|食べている", (3, 3, 3, -1))
PARSES = {one.text: one for one in (CAT, DOG, SLEEP, CAT_2)}
PAIRS = pd.DataFrame(
    [(CAT.text, DOG.text, 0), (CAT.text, SLEEP.text, 0), (CAT.text, CAT_2.text, 1), (SLEEP.text, SLEEP.text, 1)],
    columns=["text_a", "text_b", "label"],
).assign(row=[2, 3, 5, 9], note=[*"wxyz"])


def augmented(pairs=PAIRS, **options):
    return pg.augment_by_shuffling(pairs, parses=Parses(PARSES, progress=False), **options)


def test_each_side_is_shuffled_and_both_with_the_same_orders():
    made = augmented(PAIRS[:1])
    assert made["side"].tolist()[1:] == ["premise", "hypothesis", "both"] and pd.isna(made["side"][0])
    (_, premise, hypothesis, both) = made[["text_a", "text_b", "order"]].to_numpy().tolist()
    assert premise[0] == both[0] != CAT.text and premise[1] == DOG.text
    assert hypothesis[1] == both[1] == "庭で犬が寝ている" and hypothesis[0] == CAT.text
    assert both[2] == f"{premise[2]} | {hypothesis[2]}" and hypothesis[2] == "1 0 2"
    assert made["from_row"].tolist()[1:] == [2, 2, 2] and made["note"].tolist() == ["w"] * 4


@pytest.mark.parametrize("rule", ["paper", "phrases"])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_what_is_made_and_left_out_adds_up(rule, n):
    made = augmented(n=n, rule=rule)
    report = made.attrs["shuffling"]
    assert sum(report["made"].values()) + sum(report["dropped"].values()) == 3 * n * len(PAIRS)
    assert report["made"] == {side: (made["side"] == side).sum() for side in report["made"]}
    texts = list(zip(made["text_a"], made["text_b"], strict=True))
    assert len(set(texts)) == len(texts) and made[: len(PAIRS)][[*PAIRS]].equals(PAIRS)


def test_it_is_the_same_for_the_same_seed_and_nothing_is_made_twice():
    assert augmented(rule="paper").equals(augmented(rule="paper"))
    assert len({tuple(augmented(rule="paper", seed=seed)["text_a"]) for seed in range(8)}) > 1
    refused("augmented already", augmented, augmented())
    rows = [(DOG.text, SLEEP.text, 1), ("庭で犬が寝ている", SLEEP.text, 1)]  # the data hold what would be made
    other = {"庭で犬が寝ている": parse("庭で|犬が|寝ている", (2, 2, -1))}
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    made = pg.augment_by_shuffling(pairs, parses=Parses(PARSES | other))
    assert len(made) == 2 and made.attrs["shuffling"]["dropped"] == {"a pair of the data": 2, "no other order": 4}


def test_parses_come_back_as_they_were_written(tmp_path):
    known = [CAT]
    known += [parse("猫が|寝た", (1, -1), pinned=(1,), words=("猫", "が", "寝た"))]
    Parses({one.text: one for one in known}).write(tmp_path / "p.jsonl")
    assert list(read_parses(tmp_path / "p.jsonl").values()) == known


LINE = '{"text": "猫が寝た", "phrases": ["猫が", "寝た"], "heads": [1, null], "pinned": %s}\n'


@pytest.mark.parametrize("line, why", [
    ("nothing", "not JSON"), ("[1]", "not a JSON object"), ('{"text": "猫"}', "there is no 'phrases'"),
    ("{}", "an object without keys"), ('{"text": "\\ud800", "phrases": ["\\ud800"], "heads": [-1]}', "surrogates"),
    ('{"text": "猫", "phrases": ["犬"], "heads": [-1]}', "the phrases are not the text"),
    ('{"text": "猫", "phrases": "猫", "heads": [-1]}', "'phrases' is '猫', not a list"),
    ('{"text": "猫", "phrases": ["猫"], "heads": ["0"]}', "'heads' is ['0'], not a list of int"),
    ('{"text": 1, "phrases": ["1"], "heads": [-1]}', "'text' is 1"),
    ('{"text": "猫", "phrases": ["猫"], "heads": [7]}', "the head 7 is none of the phrases 0 to 0"),
    ('{"text": "猫が寝た", "phrases": ["猫が寝た"], "heads": [-1]}', "another parse of this text"),
])  # fmt: skip
def test_a_line_that_is_no_parse_is_named(line, why, tmp_path):
    (tmp_path / "p.jsonl").write_text(2 * (LINE % "[]") + line, encoding="utf-8")  # one parse twice is no fault
    assert why in refused(r"p\.jsonl, row 3: ", read_parses, tmp_path / "p.jsonl")


@pytest.mark.skipif(find_spec("ginza") is not None, reason="GiNZA is installed")
def test_without_ginza_a_sentence_without_a_parse_says_what_to_install():
    with pytest.raises(pg.PairsError, match=r"no parse of '鳥が飛ぶ' is known.*pip install '.\[ja\]'"):
        pg.shuffle_phrases("鳥が飛ぶ", parses=Parses(PARSES))


SHIPPED = read_parses(pg.DEMO_PARSES)


def test_they_can_be_shuffled_without_ginza(monkeypatch):
    monkeypatch.setattr(japanese, "_model", lambda: pytest.fail("GiNZA was asked"))
    pairs = pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep")
    made = pg.augment_by_shuffling(pairs, parses=pg.Parses(pg.DEMO_PARSES))
    assert len(made) > 3 * len(pairs)


@pytest.mark.ja
@pytest.mark.slow
def test_they_are_what_ginza_says():
    assert list(japanese.parses(SHIPPED)) == list(SHIPPED.values())


def test_validation_has_the_labels_asked_for_and_training_the_rest():
    pairs, sizes = pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep"), {"entailment": 2, "neutral": 3}
    train, dev = stratified(pairs, 0, sizes)
    assert dev["entailment"].value_counts().to_dict() == sizes
    assert sorted([*train["text_a"], *dev["text_a"]]) == sorted(pairs["text_a"])
    again, other = (stratified(pairs, seed, sizes)[1] for seed in (0, 9))
    assert again.equals(dev) and not other.equals(dev)
