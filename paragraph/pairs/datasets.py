"""The public datasets, one row each: how to read their files, where they are, and on what terms.

Label to sign:

========== ========================================================================================
qqp…       ``is_duplicate``: 1 positive, 0 negative
mrpc       ``Quality``: 1 positive, 0 negative
paws, mqp  ``label``: 1 positive, 0 negative
sick       ``relatedness_score``: 4.5 or more positive, below 3.5 negative, no sign between
jsick      ``relatedness_score_Ja`` in the same way; rows that have none (the training part as released)
           by ``entailment_label_Ja``: entailment positive, contradiction negative, neutral no sign
wikiqa     ``Label``: 1 where the sentence answers the question. Bipartite: question and answer are
           different things, so nothing follows from it by transitivity.
========== ========================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from .tables import ROLES

__all__ = ["DATASETS", "DEMO", "DEMO_JAPANESE", "DEMO_KEY", "DEMO_PARSES"]
__all__ += ["DEMO_TAGS", "FORMATS", "Dataset", "Download"]

ZERO_ONE = {"0": 0, "1": 1}


class Download(NamedTuple):
    """One address; if it is an archive, `members` names the files wanted from it."""

    url: str
    sha256: str | None = None
    members: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The files it leaves on disk."""
        return [PurePosixPath(path).name for path in self.members or (urlsplit(self.url).path,)]


@dataclass(frozen=True, repr=False)
class Dataset:
    """A dataset, or a kind of file: where it comes from, and how it is read.

    Parameters
    ----------
    name : str
        Also its format in `read_pairs`.
    title, terms, link : str
        What is fetched; its terms, and where they are written. An official release has a title.
    columns : dict
        From roles (`text_a`, `text_b`, `label`, `id`, `id_a`, `id_b`, `split`) to column names, to a tuple of
        alternative names, or, in files without a header, to positions from 0.
    headers : tuple of tuples of str
        The headers by which the format is known.
    delimiters : str
    quoted : bool, optional
        None if only the content can tell.
    labels : dict or tuple
        A map from label to 1, 0 or None, or two thresholds.
    otherwise : dict, optional
        The map of a second label column (role ``"otherwise"``), for rows without the first.
    bipartite : bool
    further : int
        The number of fields that may follow those of a row.
    """

    name: str
    title: str = ""
    terms: str = ""
    link: str = ""
    sources: tuple[Download, ...] = ()
    columns: dict = field(default_factory=dict)
    headers: tuple = ()
    delimiters: str = "\t"
    quoted: bool | None = None
    labels: dict | tuple = field(default_factory=lambda: ZERO_ONE)
    otherwise: dict | None = None
    bipartite: bool = False
    further: int = 0

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title}>"


def _columns(*names: str | int | tuple[str, ...]) -> dict:
    """Roles for text_a, text_b, label, id, id_a, id_b, split, entailment, in that order; empty for none."""
    return {role: name for role, name in zip(ROLES, names, strict=False) if name != ""}


def _headers(*headers: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(header.split("|")) for header in headers)


def _at(*source: str | tuple[str, ...] | None) -> tuple[Download]:
    """One source alone."""
    return (Download(*source),)


_QUORA = {
    "terms": "Quora's terms of service: for non-commercial use.",
    "link": "https://www.quora.com/about/tos",
    "columns": _columns("question1", "question2", "is_duplicate", "id", "qid1", "qid2"),
    "headers": _headers("id|qid1|qid2|question1|question2|is_duplicate"),
}
_SENTEVAL = "https://dl.fbaipublicfiles.com/senteval/senteval_data/msr_paraphrase_"
# A commit and not a branch, so that the address always means the same bytes.
_JSICK = "https://raw.githubusercontent.com/verypluming/JSICK/da426bbdb6dc133754daabfd2aa9396d54c75fea/jsick/"

_ENTAILMENT = ("entailment_label", "entailment_judgment")

# Hashes: no source here prints a SHA-256 of its own. Those given were recorded for the same address by the
# Hugging Face `datasets` library (dataset_infos.json). The checksums of tensorflow_datasets agree for MRPC;
# for PAWS they name another one (at the same length in bytes), so none is given there.
_TABLE = [
    Dataset(
        "qqp",
        "Quora Question Pairs as released: 404,290 pairs, 58 MB",
        **_QUORA,
        # Address: huggingface/datasets (quora).
        sources=_at(
            "http://qim.fs.quoracdn.net/quora_duplicate_questions.tsv",
            "b3350dbb1d98db1f5abca85d736ba514bf4da253fae53939303d79fe921ec7c8",
        ),
        quoted=True,
    ),
    Dataset(
        "qqp-kaggle",
        "Quora Question Pairs of the Kaggle competition (train.csv), which only Kaggle passes on",
        **_QUORA,
        delimiters=",",
        quoted=True,
    ),
    Dataset(
        "qqp-glue",
        "Quora Question Pairs as GLUE splits it, train and dev: 404,276 pairs, 42 MB to download",
        **_QUORA,
        # Address: huggingface/datasets (glue), GLUE's download script.
        sources=_at(
            "https://dl.fbaipublicfiles.com/glue/data/QQP-clean.zip",
            "40e7c862c04eb26ee04b67fd900e76c45c6ba8e6d8fab4f8f1f8072a1a3fbae0",
            ("QQP/train.tsv", "QQP/dev.tsv"),
        ),
        quoted=False,  # a line end inside a question breaks its row
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
        _columns("#1 String", "#2 String", "Quality", "", "#1 ID", "#2 ID"),
        _headers("Quality|#1 ID|#2 ID|#1 String|#2 String"),
        quoted=False,
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
        _columns("sentence1", "sentence2", "label", ("id", "")),
        _headers("id|sentence1|sentence2|label", "|sentence1|sentence2|label"),
        "\t,",
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
        _columns("sentence_A", "sentence_B", "relatedness_score", "pair_ID", "", "", "SemEval_set", _ENTAILMENT),
        _headers(
            "pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment",
            "pair_ID|sentence_A|sentence_B|entailment_label|relatedness_score|entailment_AB|entailment_BA"
            "|sentence_A_original|sentence_B_original|sentence_A_dataset|sentence_B_dataset|SemEval_set",
        ),
        quoted=False,
        labels=(3.5, 4.5),
    ),
    Dataset(
        "jsick",
        "JSICK, Japanese SICK: 9,927 pairs",
        "Creative Commons Attribution 4.0 (CC BY 4.0), says the README of the repository.",
        "https://github.com/verypluming/JSICK#license",
        # Addresses: made from the paths and a commit of the repository verypluming/JSICK.
        (Download(_JSICK + "train.tsv"), Download(_JSICK + "test.tsv")),
        _columns(
            "sentence_A_Ja", "sentence_B_Ja", "relatedness_score_Ja", "pair_ID", "", "", "data", "entailment_label_Ja"
        )
        | {"otherwise": "entailment_label_Ja"},
        _headers(
            "pair_ID|data|sentence_A_En|sentence_B_En|entailment_label_En|relatedness_score_En"
            "|corr_entailment_labelAB_En|corr_entailment_labelBA_En|sentence_A_Ja|sentence_B_Ja"
            "|entailment_label_Ja|relatedness_score_Ja|image_ID|original_caption|semtag_short|semtag_long"
        ),
        quoted=False,
        labels=(3.5, 4.5),
        otherwise={"entailment": 1, "contradiction": 0, "neutral": None},
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
        _columns(1, 2, 3),  # no header; the first column is the doctor who wrote the second question
        delimiters=",",
        quoted=True,
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
        _columns("Question", "Sentence", "Label", "", "QuestionID", "SentenceID"),
        _headers(
            "QuestionID|Question|DocumentID|DocumentTitle|SentenceID|Sentence|Label",
            "QuestionID|Question|DocumentTitle|SentenceID|Sentence|Label",
        ),
        quoted=False,
        bipartite=True,
    ),
    Dataset(  # the release of the benchmark; its scores have no sign of their own
        "stsb",
        columns=_columns(5, 6, 4),  # no header; two more fields, in some rows, name sources
        quoted=False,
        further=2,
    ),
    Dataset(  # what write_pairs writes
        "paragraph",
        columns=_columns("question1", "question2", "is_duplicate"),
        headers=_headers("question1|question2|is_duplicate"),
        delimiters="\t,",
        quoted=True,
    ),
]

#: All formats that have a name of their own, and those datasets that can be fetched.
FORMATS = {row.name: row for row in _TABLE}
DATASETS = {row.name: row for row in _TABLE if row.sources}


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
