"""Sentences to vectors with MiniLM, ours or plain, and the cache at size; prints JSON.

python -m benchmarks.encoding ours SENTENCES FOLDER     the first time its cache in FOLDER is cold, then warm
python -m benchmarks.encoding plain SENTENCES FOLDER    float32, batches in file order, each padded to its longest
python -m benchmarks.encoding cache VECTORS FOLDER      written and read, without a model

The first two leave their vectors in FOLDER, and use questions of qqp_natural, else of the shipped corpus.
"""

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

import paragraph as pg

BATCH = 128  # rows; ours takes as many, and at most 4,096 tokens


def questions(n: int) -> list[str]:
    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_natural.tsv.gz"
    pairs = pg.read_pairs(source if source.is_file() else pg.DEMO)
    return list(dict.fromkeys([*pairs["text_a"], *pairs["text_b"]]))[:n]


def plain(texts: list[str]) -> np.ndarray:
    """As the model's own card does it, batch by batch."""
    import torch

    from paragraph.learn.models import load_encoder, load_tokenizer

    tokenizer, encoder = load_tokenizer("minilm"), load_encoder("minilm")
    vectors = []
    with torch.inference_mode():
        for at in range(0, len(texts), BATCH):
            batch = tokenizer(
                texts[at : at + BATCH], padding=True, truncation=True, max_length=256, return_tensors="pt"
            )
            hidden = encoder(**batch).last_hidden_state
            there = batch["attention_mask"].unsqueeze(-1)
            vectors.append(((hidden * there).sum(1) / there.sum(1)).numpy())
    return np.concatenate(vectors)


def cache(n: int, folder: Path) -> dict:
    from paragraph.learn.cache import VectorCache

    texts = [f"What is question number {i} of so many questions about?" for i in range(n)]
    vectors = np.random.default_rng(0).normal(size=(n, 384)).astype(np.float32)
    with VectorCache("benchmark", 384, folder) as kept:
        began = time.perf_counter()
        for at in range(0, n, BATCH):
            kept.write(texts[at : at + BATCH], vectors[at : at + BATCH])
        wrote = time.perf_counter() - began
    read, processor = [], []
    for _ in range(3):
        with VectorCache("benchmark", 384, folder) as kept:
            began, cpu = time.perf_counter(), time.process_time()
            found = kept.read(texts)
            read.append(time.perf_counter() - began)
            processor.append(time.process_time() - cpu)
        if not (found.there.all() and (found.vectors == vectors).all()):
            raise SystemExit("the cache does not give back what was written")
    return {"write": wrote, "read": min(read), "processor": min(processor), "bytes": kept.path.stat().st_size}


def main() -> None:
    what, n, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    if what == "cache":
        print(json.dumps(cache(n, folder)))
        return
    # Loaded first: seconds of imports are not what is measured.
    from paragraph.learn import encode
    from paragraph.learn.devices import arithmetic, pick_device
    from paragraph.learn.models import load_encoder

    load_encoder("minilm")
    texts = questions(n)
    began, cpu = time.perf_counter(), time.process_time()
    vectors = encode(texts, "minilm", device="cpu", cache=folder, progress=False) if what == "ours" else plain(texts)
    found = {"seconds": time.perf_counter() - began, "processor": time.process_time() - cpu, "sentences": len(texts)}
    np.save(folder / f"{what}.npy", vectors)
    print(json.dumps(found | {"arithmetic": arithmetic(pick_device("cpu"))}))


if __name__ == "__main__":
    main()
