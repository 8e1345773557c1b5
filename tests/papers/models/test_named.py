"""Models that a folder names: those of this machine alone; nothing is asked of the network."""

import json
import socket

import numpy as np
import pytest

import paragraph as pg
from paragraph.doubts.judges import judge_of
from paragraph.learn import describe
from paragraph.papers import Tagger, load_model, make_model
from paragraph.papers.tags.tagger import SHIPPED

from ...refused import refused

ELSEWHERE = "someone/a-model"


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The machines that are looked for; none is found. The cache of the hub is empty."""
    asked = []

    def nowhere(host, *_, **__):
        asked.append(host)
        raise OSError("no network")

    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    for name, value in (("OFFLINE", False), ("CACHE", str(tmp_path / "hub"))):
        monkeypatch.setattr(f"huggingface_hub.constants.HF_HUB_{name}", value)
    return asked


def as_json(path, **options):
    path.write_text(json.dumps({"model": ELSEWHERE, "encoder": "x", "options": options, "history": []}))


def as_arrays(path):
    arrays = dict(np.load(SHIPPED / "alignment_tagger.npz"))
    np.savez(path, **arrays | {"model": np.array(ELSEWHERE), "encoder": np.array(ELSEWHERE)})


@pytest.mark.parametrize("file, write, load", [
    *((f"{name}.json", as_json, load_model) for name in ("adapter", "cosine_model", "pair_classifier")),
    ("alignment_tagger.npz", as_arrays, Tagger.load), ("adapter.json", as_json, judge_of),
])  # fmt: skip
def test_one_that_is_not_here_is_not_fetched(tmp_path, asked, file, write, load):
    write(tmp_path / file)
    said = f"{file}: .*'{ELSEWHERE}' is neither a folder nor in .*hub; .* fetches it, which no file may do"
    said = refused(said, load, tmp_path)
    assert "\n" not in said and f"describe('{ELSEWHERE}')" in said and asked == []
    refused("the hub did not give it", describe, ELSEWHERE)  # the user's own word
    assert asked


@pytest.mark.parametrize("option", ["start", "progress", "device"])
def test_a_file_says_nothing_of_where_to_work(tiny, tmp_path, option):
    """An adapter that starts from its own folder would load itself without end."""
    make_model("adapter", model=tiny, rank=2).fit(pg.read_pairs(pg.DEMO)[:16]).save(tmp_path)
    path = tmp_path / "adapter.json"
    noted = json.loads(path.read_text())
    path.write_text(json.dumps(noted | {"options": noted["options"] | {option: str(tmp_path)}}))
    assert "\n" not in refused(f"cannot be used .*{option}", load_model, tmp_path)
    path.write_text(json.dumps(noted | {"model": str(tmp_path)}))
    refused("adapter.json: .*its config.json names no width", load_model, tmp_path)
