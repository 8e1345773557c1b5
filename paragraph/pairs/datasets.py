"""The public datasets that can be fetched, and the corpus that is shipped."""

from __future__ import annotations

from pathlib import Path

from .layouts import RELEASES

__all__ = ["DATASETS", "DEMO", "DEMO_JAPANESE", "DEMO_KEY", "DEMO_PARSES", "DEMO_TAGS"]

#: The releases that can be fetched, by their names.
DATASETS = {name: release for name, release in RELEASES.items() if release.sources}

_installed = Path(__file__).parents[1] / "_data"
_folder = _installed if _installed.is_dir() else Path(__file__).parents[2] / "data"

#: The shipped pairs, in the layout of Quora's release.
DEMO = _folder / "demo.tsv"
#: The errors planted in them: question1, question2, stated, true, kind, note.
DEMO_KEY = _folder / "demo_key.tsv"
#: 120 of these pairs with a tag on each word, by two readings: read them with `pg.tags.read`.
DEMO_TAGS = _folder / "demo_tags.jsonl"
#: 30 pairs of Japanese sentences with a column `entailment`; read them with ``unlabelled="keep"``.
DEMO_JAPANESE = _folder / "demo_japanese.tsv"
#: The parses of these sentences, a gloss of each phrase and a translation.
DEMO_PARSES = _folder / "demo_parses.jsonl"
