"""The public datasets that can be fetched, one row each: where their files are, and on what terms."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

__all__ = ["DATASETS", "DEMO", "DEMO_JAPANESE", "DEMO_KEY", "DEMO_PARSES"]
__all__ += ["DEMO_TAGS", "Dataset", "Download"]


class Download(NamedTuple):
    """One address; if it is an archive, `members` names the files wanted from it."""

    url: str
    sha256: str | None = None
    members: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The files it leaves on disk."""
        return [PurePosixPath(path).name for path in self.members or (urlsplit(self.url).path,)]


class Dataset(NamedTuple):
    """A dataset: its name, also that of its layout; what is fetched; the terms, and where they stand; the files."""

    name: str
    title: str
    terms: str
    link: str
    sources: tuple[Download, ...]


def _at(*source: str | tuple[str, ...] | None) -> tuple[Download]:
    """One source alone."""
    return (Download(*source),)


_QUORA = "Quora's terms of service: for non-commercial use.", "https://www.quora.com/about/tos"
_SENTEVAL = "https://dl.fbaipublicfiles.com/senteval/senteval_data/msr_paraphrase_"
# A commit and not a branch, so that the address always means the same bytes.
_JSICK = "https://raw.githubusercontent.com/verypluming/JSICK/da426bbdb6dc133754daabfd2aa9396d54c75fea/jsick/"

# Hashes: no source here prints a SHA-256 of its own. Those given were recorded for the same address by the
# Hugging Face `datasets` library (dataset_infos.json). The checksums of tensorflow_datasets agree for MRPC;
# for PAWS they name another one (at the same length in bytes), so none is given there.
_TABLE = [
    Dataset(
        "qqp",
        "Quora Question Pairs as released: 404,290 pairs, 58 MB",
        *_QUORA,
        # Address: huggingface/datasets (quora).
        _at(
            "http://qim.fs.quoracdn.net/quora_duplicate_questions.tsv",
            "b3350dbb1d98db1f5abca85d736ba514bf4da253fae53939303d79fe921ec7c8",
        ),
    ),
    Dataset(
        "qqp-glue",
        "Quora Question Pairs as GLUE splits it, train and dev: 404,276 pairs, 42 MB to download",
        *_QUORA,
        # Address: huggingface/datasets (glue), GLUE's download script.
        _at(
            "https://dl.fbaipublicfiles.com/glue/data/QQP-clean.zip",
            "40e7c862c04eb26ee04b67fd900e76c45c6ba8e6d8fab4f8f1f8072a1a3fbae0",
            ("QQP/train.tsv", "QQP/dev.tsv"),
        ),
    ),
    Dataset(
        "mrpc",
        "Microsoft Research Paraphrase Corpus: 5,801 pairs, 1.5 MB",
        "Microsoft's licence for the corpus, for research use.",
        "https://www.microsoft.com/en-us/download/details.aspx?id=52398",
        # Addresses: SentEval's and GLUE's download scripts, huggingface/datasets (glue).
        (
            Download(_SENTEVAL + "train.txt", "60a9b09084528f0673eedee2b69cb941920f0b8cd0eeccefc464a98768457f89"),
            Download(_SENTEVAL + "test.txt", "a04e271090879aaba6423d65b94950c089298587d9c084bf9cd7439bd785f784"),
        ),
    ),
    Dataset(
        "paws",
        "PAWS-Wiki, labelled (final): 65,401 pairs, 5 MB to download",
        "Free for any purpose, as it is; to name Google LLC as the source is appreciated.",
        "https://github.com/google-research-datasets/paws/blob/master/LICENSE",
        # Address: README of google-research-datasets/paws.
        _at(
            "https://storage.googleapis.com/paws/english/paws_wiki_labeled_final.tar.gz",
            None,
            ("final/train.tsv", "final/dev.tsv", "final/test.tsv"),
        ),
    ),
    Dataset(
        "sick",
        "SICK, Sentences Involving Compositional Knowledge: 9,840 pairs, 0.2 MB to download",
        "Creative Commons Attribution-NonCommercial-ShareAlike 3.0 (CC BY-NC-SA 3.0).",
        "https://zenodo.org/record/2787612",
        # Address: huggingface/datasets (sick). All three parts are in SICK.txt, named in its last column.
        _at(
            "https://zenodo.org/record/2787612/files/SICK.zip?download=1",
            "da272af924399fc2de4889ed55383e38822c10d16c4a949a89d597d09a0b7912",
            ("SICK.txt",),
        ),
    ),
    Dataset(
        "jsick",
        "JSICK, Japanese SICK: 9,927 pairs",
        "Creative Commons Attribution 4.0 (CC BY 4.0), says the README of the repository.",
        "https://github.com/verypluming/JSICK#license",
        # Addresses: made from the paths and a commit of the repository verypluming/JSICK.
        (Download(_JSICK + "train.tsv"), Download(_JSICK + "test.tsv")),
    ),
    Dataset(
        "mqp",
        "Medical Question Pairs: 3,048 pairs, 0.7 MB",
        "No licence is stated; ask the authors before passing it on.",
        "https://github.com/curai/medical-question-pair-dataset",
        # Address: huggingface/datasets (medical_questions_pairs).
        _at(
            "https://raw.githubusercontent.com/curai/medical-question-pair-dataset/master/mqp.csv",
            "94ecd609a9ca9350e1cff2438aa55a034762f01c1a68732aaae3e4be7b03cf57",
        ),
    ),
    Dataset(
        "wikiqa",
        "WikiQA, questions with candidate answers: 29,258 pairs, 7 MB to download",
        "Microsoft Research data licence agreement, which the archive holds.",
        "https://www.microsoft.com/en-us/download/details.aspx?id=52419",
        # Address: huggingface/datasets (wiki_qa), MatchZoo.
        _at(
            "https://download.microsoft.com/download/E/5/F/E5FCFCEE-7005-4814-853D-DAA7C66507E0/WikiQACorpus.zip",
            "467c13f9e104552c0a9c16f41836ca8d89f9c0cc4b6e4355e104d5c3109ffa45",
            tuple(f"WikiQACorpus/WikiQA-{part}.tsv" for part in ("train", "dev", "test")),
        ),
    ),
]
DATASETS = {row.name: row for row in _TABLE}


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
