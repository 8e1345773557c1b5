"""Transformers of random weights on disk, small enough to load and train in a blink."""

import re
from pathlib import Path

import pandas as pd

import paragraph as pg


def tiny_bert(folder, *, seed=0, width=32, layers=2, max_length=64, texts=None):
    """Write a BERT and its word-piece tokenizer to `folder`, and return the path.

    Its vocabulary is single letters and the words of `texts` (by default, of the shipped corpus).
    """
    import torch  # takes seconds, also where tests are only collected
    import transformers

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
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = transformers.BertModel(config)
    model.save_pretrained(folder)
    return folder


def tiny_adapter(folder):
    """Train an adapter of such a model on a few pairs, save it in `folder`, and return the path."""
    texts = ("Is it far?", "Is it near?", "What is tea?", "Who is it?")
    rows = [(a, b, int(a < b)) for a in texts for b in texts if a != b]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    encoder = tiny_bert(Path(folder).resolve().with_name("tiny"), width=16, layers=1)
    pg.papers.make_model("adapter", model=encoder, rank=2, progress=False).fit(pairs).save(folder)
    return folder
