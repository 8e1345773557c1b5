"""Transformers of random weights on disk, small enough to load and train in a blink."""

import re
from pathlib import Path

import torch
import transformers

import paragraph as pg


def _written(folder, kind, config, seed, times=1):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = kind(config)
    for value in model.parameters():
        value.data.mul_(times)
    model.save_pretrained(folder)
    return folder


def tiny_bert(folder, *, seed=0, width=32, layers=2, max_length=64, texts=None):
    """Write a BERT and its word-piece tokenizer to `folder`, and return the path.

    Its vocabulary is single letters and the words of `texts` (by default, of the shipped corpus).
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if texts is None:
        texts = pg.read_pairs(pg.DEMO)["text_a"]
    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text.lower())})
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters)]
    vocabulary += [word for word in words if word not in vocabulary]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=max_length).save_pretrained(
        folder
    )
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=width, num_hidden_layers=layers, num_attention_heads=2,
        intermediate_size=2 * width, max_position_embeddings=max_length,
    )  # fmt: skip
    return _written(folder, transformers.BertModel, config, seed)


def tiny_classifier(folder, labels, *, seed=0, **settings):
    """The same with a head of random weights, whose outputs have these names; large ones, so that orders differ."""
    folder = tiny_bert(folder, seed=seed, width=16, layers=1)
    config = transformers.BertConfig.from_pretrained(folder, id2label=dict(enumerate(labels)), **settings)
    return _written(folder, transformers.BertForSequenceClassification, config, seed, times=12)
