"""Paraphrases to order: proposed, held against a tagger, and counted; members of a cluster, or written by a model."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ...graph.distance import check_rule, path_lengths, shortest_paths
from ...graph.search import nodes_of
from ...learn.encoder import describe, load, load_tokenizer, silent, write_transformer
from ...learn.vectors import check_texts
from ...pairs import PairsError
from ...pairs.outputs import all_or_none, as_described, write_described
from ...words.tokens import tagged_shares
from .ngrams import rouge

__all__ = ["COPY", "THETA", "ClusterParaphraser", "Paraphraser", "Proposal", "Seq2SeqParaphraser"]

#: Most of the words of a pair that may be tagged 1 (Wang et al. 2022, section 5.3); the ROUGE-2 F of a copy.
THETA, COPY = 0.05, 0.9
#: Members that are looked at for each that is wanted: some are copies, or do not pass the tagger.
LOOKED_AT = 4
#: Texts that are written at a time.
_BATCH = 16

#: A paraphrase, where it comes from in words, and the proof.
Proposal = tuple[str, str, list]


class Paraphraser:
    """A way to make paraphrases. A subclass defines `_propose`: proposals for each text, best first.

    Parameters
    ----------
    tagger : optional
        A tagger, as `make_tagger` makes it, that was not trained on the data from which the paraphrases come.
        Paraphrases in which it tags more than a fraction `theta` of the words are left out.
    """

    def __init__(self, tagger: Any = None, theta: float = THETA):
        if not 0 <= theta <= 1:
            raise PairsError(f"theta {theta} is not a share, from 0 to 1")
        self.tagger, self.theta = tagger, theta

    def paraphrases(self, sentences: Sequence[str], n: int = 3, *, progress: bool = True) -> pd.DataFrame:
        """Make at most `n` paraphrases of each different sentence, in the order given, the least doubtful first.

        Columns
        -------
        text, paraphrase
        why, proof
            Where it comes from, in words and as a list.
        share
            Of the words of both that the tagger tags 1; missing without a tagger.
        rouge2
            ROUGE-2 F of the two: the lower, the more diverse (Wang et al. 2022, Table 7).

        ``.attrs`` has the mean `rouge2`, how many proposals were left out as `copies` (a ROUGE-2 F of .9 or more, or
        the same words) and as `tagged`, and the sentences `without` a paraphrase.
        """
        check_texts(sentences)
        texts = list(dict.fromkeys(sentences))
        proposed = zip(texts, self._propose(texts, n, progress), strict=True)
        rows = [(text, *one) for text, found in proposed for one in found]
        table = pd.DataFrame(rows, columns=["text", "paraphrase", "why", "proof"])
        table = table.astype({"text": "str", "paraphrase": "str", "why": "str"}).assign(share=np.nan)
        table["rouge2"] = rouge(table["paraphrase"], table["text"], "rouge2")[:, 2]
        old, new = (table[name].str.casefold().str.findall(r"\w+").map(tuple) for name in ("text", "paraphrase"))
        copies = (table["rouge2"] >= COPY) | (old == new)
        table = table[~copies]
        if self.tagger is not None and len(table):
            pairs = pd.DataFrame({"text_a": table["text"], "text_b": table["paraphrase"]})
            table = table.assign(share=tagged_shares(self.tagger.tag(pairs)))
        doubt = table["share"].fillna(0).to_numpy()
        order = np.lexsort((doubt, table["text"].map({text: i for i, text in enumerate(texts)})))
        kept = table.iloc[order[doubt[order] <= self.theta]].groupby("text", sort=False).head(n)
        kept = kept.reset_index(drop=True)
        made = {*kept["text"]}
        kept.attrs = {
            "rouge2": float(kept["rouge2"].mean()) if len(kept) else None,
            "copies": int(copies.sum()),
            "tagged": int((doubt > self.theta).sum()),
            "without": [text for text in texts if text not in made],
        }
        return kept


class ClusterParaphraser(Paraphraser):
    """The nearest members of a sentence's cluster; the proof is the path of stated pairs, as in `graph.explain`.

    Members that are stated to be no paraphrase of it are none; a sentence that is not in the data has none.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Is a tea warm?"], "text_b": ["Is a tea warm?", "Warm tea?"],
    ...                       "label": [1, 1], "row": [2, 3]})
    >>> found = ClusterParaphraser(ParaphraseGraph.from_pairs(pairs)).paraphrases(["Is tea hot?", "Who won?"])
    >>> found[["paraphrase", "why"]]
           paraphrase        why
    0  Is a tea warm?      row 2
    1       Warm tea?  rows 2, 3
    """

    def __init__(self, graph: ParaphraseGraph, tagger: Any = None, theta: float = THETA):
        super().__init__(tagger, theta)
        check_rule(checked_graph(graph, "ClusterParaphraser"), "all")
        self.graph = graph

    def _propose(self, texts: list[str], n: int, progress: bool) -> list[list[Proposal]]:
        nodes = tqdm(nodes_of(self.graph, texts).tolist(), "clusters", delay=2, leave=False, disable=not progress)
        return [self._members(node, LOOKED_AT * n) if node >= 0 else [] for node in nodes]

    def _members(self, node: int, most: int) -> list[Proposal]:
        members = self.graph.members(self.graph.cluster_of[node])
        _, lengths = path_lengths(self.graph, np.array([node]))
        edges = self.graph.edge_index.places(np.full(len(members), node), members)
        denied = (edges >= 0) & (self.graph.edge_sign[edges] < 0)
        order = np.argsort(lengths, kind="stable")
        near = members[order[(lengths[order] > 0) & ~denied[order]]][:most]
        found = []
        for path in shortest_paths(self.graph, np.full(len(near), node), near):
            rows = [self.graph.source_rows(self.graph.edge_between(i, j))[0] for i, j in pairwise(path)]
            why = f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"
            found.append((self.graph.text(path[-1]), why, self.graph.texts(path)))
        return found


class Seq2SeqParaphraser(Paraphraser):
    """A model such as BART writes the paraphrases, by beam search (Wang et al. 2022, section 5.3).

    Parameters
    ----------
    model : str or path
        A hub id, or a folder: any encoder-decoder of `transformers`, or what `save` wrote.
    tagger, theta
        As for `Paraphraser`; `fit` chooses its pairs by them too.
    epochs, lr, batch_size, seed
        Of the fine-tuning, by transformers' own Seq2SeqTrainer.
    max_length : int
        In tokens. Longer texts are cut, and counted in a warning.
    """

    def __init__(
        self, model: str | PathLike, tagger: Any = None, theta: float = THETA, *, epochs: int = 3, lr: float = 3e-5,
        batch_size: int = 16, max_length: int = 128, seed: int = 0, device: str | None = None,
    ):  # fmt: skip
        from ...learn.tokens import pick_device

        super().__init__(tagger, theta)
        about = describe(model)
        as_described(about.folder)
        self.name, self.trained_on, self.device = about.name, about.trained_on, pick_device(device)
        self.max_length = min(max_length, about.max_length)
        self._options = {"num_train_epochs": epochs, "learning_rate": lr, "seed": seed}
        self._options["per_device_train_batch_size"] = batch_size
        self._tokenizer = load_tokenizer(model)
        self._module = load(model, "ForSeq2SeqLM", fitted=True).to(self.device)

    def fit(self, pairs: pd.DataFrame, *, progress: bool = True) -> Self:
        """Fine-tune on the paraphrases among the pairs, each in both directions.

        Of those with `label` 1 (of all, where there is no such column) those in which the tagger tags a share of the
        words of `theta` at most. Raises `PairsError` where there is none.
        """
        from transformers import DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments
        from transformers.trainer_callback import PrinterCallback

        from ..models.training import own_randomness

        chosen = pairs[pairs["label"] == 1] if "label" in pairs else pairs
        if self.tagger is not None and len(chosen):
            chosen = chosen[tagged_shares(self.tagger.tag(chosen)) <= self.theta]
        if not len(chosen):
            wanted = f"a paraphrase with a tagged share of at most {self.theta}"
            raise PairsError(f"of {len(pairs):,} pairs none is {wanted}")
        a, b = chosen["text_a"].tolist(), chosen["text_b"].tolist()
        rows = self._tokens(a + b)
        rows = [{"input_ids": x, "labels": y} for x, y in zip(rows, rows[len(a) :] + rows[: len(a)], strict=True)]
        with tempfile.TemporaryDirectory() as folder, silent(), own_randomness(self._options["seed"]):
            asked = Seq2SeqTrainingArguments(
                folder, **self._options, save_strategy="no", logging_strategy="no", report_to=[],
                disable_tqdm=not progress, use_cpu=self.device.type == "cpu", dataloader_pin_memory=False,
            )  # fmt: skip
            collator = DataCollatorForSeq2Seq(self._tokenizer, self._module)
            trainer = Seq2SeqTrainer(self._module, asked, collator, rows)
            trainer.remove_callback(PrinterCallback)
            trainer.train()
        self._module.eval()
        self.trained_on += f"; {len(chosen):,} pairs of paraphrases"
        return self

    def save(self, folder: str | PathLike) -> None:
        """Write weights and tokenizer, as `transformers` writes them."""
        with all_or_none(folder) as stage:
            write_transformer(self._module, self._tokenizer, stage)
            write_described({}, stage / "report.json")

    def _propose(self, texts: list[str], n: int, progress: bool) -> list[list[Proposal]]:
        rows, beams, found = self._tokens(texts), max(4, n), []
        options = {"num_beams": beams, "num_return_sequences": beams, "do_sample": False}
        for at in tqdm(range(0, len(texts), _BATCH), "writing", delay=2, leave=False, disable=not progress):
            some = self._tokenizer.pad({"input_ids": rows[at : at + _BATCH]}, return_tensors="pt").to(self.device)
            ids = self._module.generate(**some, **options, max_new_tokens=self.max_length)  # without gradients
            written = [text.strip() for text in self._tokenizer.batch_decode(ids, skip_special_tokens=True)]
            for i in range(0, len(written), beams):
                each = dict.fromkeys(filter(None, written[i : i + beams]))
                found.append([(text, f"written by {Path(self.name).name}", []) for text in each])
        return found

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        if longer := sum(len(ids) > self.max_length for ids in self._tokenizer(texts, verbose=False)["input_ids"]):
            warnings.warn(f"{longer:,} texts are longer than {self.max_length} tokens and were cut", stacklevel=4)
        return self._tokenizer(texts, truncation=True, max_length=self.max_length)["input_ids"]
