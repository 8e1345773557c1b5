"""Where the shipped corpus is: inside the installed package, or in `data/` of a checkout."""

from pathlib import Path

__all__ = ["DEMO", "DEMO_JAPANESE", "DEMO_KEY", "DEMO_TAGS"]

_installed = Path(__file__).parents[1] / "_data"
_folder = _installed if _installed.is_dir() else Path(__file__).parents[2] / "data"

#: The shipped pairs, in the layout of Quora's release.
DEMO = _folder / "demo.tsv"
#: The errors planted in them: question1, question2, stated, true, kind, note.
DEMO_KEY = _folder / "demo_key.tsv"
#: 120 of these pairs with a tag on each word, by two readings: read them with `pg.tags.read`.
DEMO_TAGS = _folder / "demo_tags.jsonl"
#: 60 Japanese sentences with their parses and a gloss of each phrase, two of a `pair` with its `entailment` label.
DEMO_JAPANESE = _folder / "demo_japanese.jsonl"
