"""Public paraphrase datasets: where each lives, on what terms, and how to get it."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import urlsplit

from .download import FetchError, discard, download, unpack
from .provenance import file_hash

__all__ = ["DATASETS", "Dataset", "FetchError", "Source", "default_folder", "fetch"]

_RECORD = "fetched.json"


class Source(NamedTuple):
    """One address; `members` names the files wanted from it where it is an archive."""

    url: str
    sha256: str | None = None
    members: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The files it leaves on disk."""
        return [PurePosixPath(path).name for path in self.members or (urlsplit(self.url).path,)]


class Dataset:
    """A dataset: `name` (which is also its format in `read_pairs`), `title`, `terms` and where, `sources`."""

    def __init__(self, name: str, title: str, terms: str, link: str, *sources: Source):
        self.name, self.title, self.terms, self.link, self.sources = name, title, terms, link, sources

    def __repr__(self) -> str:
        return f"<{self.name}: {self.title}>"


_QUORA = "Quora's terms of service: for non-commercial use."
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
        _QUORA,
        "https://www.quora.com/about/tos",
        # Address: huggingface/datasets (quora).
        Source(
            "http://qim.fs.quoracdn.net/quora_duplicate_questions.tsv",
            "b3350dbb1d98db1f5abca85d736ba514bf4da253fae53939303d79fe921ec7c8",
        ),
    ),
    Dataset(
        "qqp-glue",
        "Quora Question Pairs as GLUE splits it, train and dev: 404,276 pairs, 42 MB to download",
        _QUORA,
        "https://www.quora.com/about/tos",
        # Address: huggingface/datasets (glue), GLUE's download script.
        Source(
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
        Source(_SENTEVAL + "train.txt", "60a9b09084528f0673eedee2b69cb941920f0b8cd0eeccefc464a98768457f89"),
        Source(_SENTEVAL + "test.txt", "a04e271090879aaba6423d65b94950c089298587d9c084bf9cd7439bd785f784"),
    ),
    Dataset(
        "paws",
        "PAWS-Wiki, labelled (final): 65,401 pairs, 5 MB to download",
        "Free for any purpose, as it is; to name Google LLC as the source is appreciated.",
        "https://github.com/google-research-datasets/paws/blob/master/LICENSE",
        # Address: README of google-research-datasets/paws.
        Source(
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
        Source(
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
        Source(_JSICK + "train.tsv"),
        Source(_JSICK + "test.tsv"),
    ),
    Dataset(
        "mqp",
        "Medical Question Pairs: 3,048 pairs, 0.7 MB",
        "No licence is stated; ask the authors before passing it on.",
        "https://github.com/curai/medical-question-pair-dataset",
        # Address: huggingface/datasets (medical_questions_pairs).
        Source(
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
        Source(
            "https://download.microsoft.com/download/E/5/F/E5FCFCEE-7005-4814-853D-DAA7C66507E0/WikiQACorpus.zip",
            "467c13f9e104552c0a9c16f41836ca8d89f9c0cc4b6e4355e104d5c3109ffa45",
            tuple(f"WikiQACorpus/WikiQA-{part}.tsv" for part in ("train", "dev", "test")),
        ),
    ),
]
DATASETS = {dataset.name: dataset for dataset in _TABLE}


def default_folder() -> Path:
    """The folder that PARAGRAPH_DATA names, else ``~/.cache/paragraph``."""
    return Path(os.environ.get("PARAGRAPH_DATA") or Path.home() / ".cache" / "paragraph")


def fetch(
    dataset: str | Dataset,
    folder: str | os.PathLike | None = None,
    *,
    accept: bool = False,
    accept_changed: bool = False,
    progress: bool = True,
) -> list[Path]:
    """The files of a public dataset, downloaded where they are not yet there.

    They lie in ``folder/name``. The terms are shown first and must be accepted. What breaks off is taken up
    again by the next call. Each download is held against its known hash; where none is known, the hash of the
    first download is kept in ``fetched.json`` and checked from then on. So are the files on disk; those put
    there by other means are returned as they are.

    Parameters
    ----------
    dataset : str or Dataset
        A key of `DATASETS`, or a `Dataset` of your own.
    folder : path, optional
        Default: `default_folder()`.
    accept : bool
        Accept the terms without being asked.
    accept_changed : bool
        Take a download whose hash is not the expected one, and expect the new hash from then on.
    progress : bool
        Show a progress bar on stderr.

    Raises
    ------
    FetchError
        Unknown name, terms not accepted, no network, damaged archive, changed file.

    Examples
    --------
    >>> sorted(DATASETS)
    ['jsick', 'mqp', 'mrpc', 'paws', 'qqp', 'qqp-glue', 'sick', 'wikiqa']
    """
    if isinstance(dataset, str):
        if dataset not in DATASETS:
            raise FetchError(f"unknown dataset {dataset!r}; there are: {', '.join(DATASETS)}")
        dataset = DATASETS[dataset]
    home = Path(folder or default_folder()).expanduser() / dataset.name
    try:
        record = _read_record(home)
        missing = [source for source in dataset.sources if not _in_place(source, home, record)]
        if missing:
            _confirm(dataset, accept)
            home.mkdir(parents=True, exist_ok=True)
        for source in missing:
            _fetch_source(source, home, record, accept_changed, progress)
    except OSError as error:
        raise FetchError(f"{home}: {error.strerror or error}; name another folder or make room") from error
    return [home / name for source in dataset.sources for name in source.names]


def _confirm(dataset: Dataset, accept: bool) -> None:
    print(f"{dataset.title}\nTerms: {dataset.terms}\n       {dataset.link}", file=sys.stderr)
    if accept:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise FetchError(
            f"{dataset.name}: its terms must be accepted, and there is no terminal to ask at. "
            "Read them, then say so: accept=True, or --yes on the command line."
        )
    print("Do you accept these terms? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise FetchError(f"{dataset.name}: not fetched, as its terms were not accepted")


def _in_place(source: Source, home: Path, record: dict) -> bool:
    """Whether all files of a source are there, unchanged since they were fetched."""
    there = [name for name in source.names if (home / name).exists()]
    for name in there:
        known = record["files"].get(name)
        if known and known != (found := file_hash(home / name)):
            raise FetchError(
                f"{home / name}: changed since it was fetched (SHA-256 then {known}, now {found}). "
                "Delete it and fetch again, or move your own file elsewhere."
            )
        if not known and len(there) < len(source.names):
            raise FetchError(f"{home / name}: is not from an earlier fetch and would be replaced; move it away")
    return len(there) == len(source.names)


def _fetch_source(source: Source, home: Path, record: dict, accept_changed: bool, progress: bool) -> None:
    part = home / (PurePosixPath(urlsplit(source.url).path).name + ".part")
    try:
        download(source.url, part, progress=progress)
    except FetchError as error:
        raise FetchError(f"{error}\nOr by hand: put {', '.join(source.names)} into {home}.") from error
    found = file_hash(part)
    known = record["downloads"].get(source.url, {}).get("sha256", source.sha256)
    if known not in (None, found) and not accept_changed:
        discard(part)
        raise FetchError(
            f"{source.url}: not the file expected, so it was not kept (SHA-256 expected {known}, found "
            f"{found}). Fetch again, in case it was damaged on the way. If the source has changed it and you "
            "trust the new one: accept_changed=True, or --accept-changed on the command line."
        )
    record["downloads"][source.url] = {
        "sha256": found,
        "bytes": part.stat().st_size,
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    parts = [home / (name + ".part") for name in source.names]
    try:
        for member, path in zip(source.members, parts, strict=False):
            unpack(part, member, path)
        for path, name in zip(parts, source.names, strict=True):
            record["files"][name] = file_hash(path)
            os.replace(path, home / name)
        _write_record(home, record)
    finally:
        discard(part, *parts)


def _read_record(home: Path) -> dict:
    try:
        record = json.loads((home / _RECORD).read_text(encoding="utf-8"))
        return {"files": dict(record["files"]), "downloads": dict(record["downloads"])}
    except FileNotFoundError:
        return {"files": {}, "downloads": {}}
    except (ValueError, KeyError, TypeError) as error:
        raise FetchError(f"{home / _RECORD}: cannot be read ({error}); delete it, and what it was for") from error


def _write_record(home: Path, record: dict) -> None:
    part = home / (_RECORD + ".part")
    part.write_text(json.dumps(record, indent=1), encoding="utf-8")
    os.replace(part, home / _RECORD)
