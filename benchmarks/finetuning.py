"""One epoch of fine-tuning MiniLM on pairs of questions, ours and three others; prints JSON.

python -m benchmarks.finetuning WHAT PAIRS SEED

WHAT is `ours`; `plain`, a loop in float32 whose batches are padded to 48 tokens in file order; `cross-encoder`,
the trainer of sentence-transformers; or `trainer`, that of transformers, which groups rows by length. The two
trainers run in bfloat16 with a fused AdamW, as ours does. All have the same rows, model, batch size, learning
rate, schedule and longest input. What is timed leads from a table of texts to weights; the loading of the
pretrained ones is counted for ours alone, where it is part of `fit`.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import paragraph as pg

BATCH, LENGTH, LR, WARMUP, DEV = 32, 48, 2e-5, 0.1, 500


def questions(n: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Train and dev rows of qqp_natural, else of the shipped corpus."""
    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_natural.tsv.gz"
    pairs = pg.read_pairs(source if source.is_file() else pg.DEMO).sample(frac=1, random_state=0)
    return pairs[DEV : DEV + n], pairs[:DEV]


def ours(train: pd.DataFrame, seed: int):
    from paragraph.learn import PairClassifier
    from paragraph.learn.models import load_classifier

    load_classifier("minilm")  # seconds of imports are not what is measured
    model = PairClassifier(epochs=1, max_length=LENGTH, seed=seed, device="cpu", progress=False)
    assert (model.batch_size, model.lr, model.warmup) == (BATCH, LR, WARMUP)

    def run():
        model.fit(train)

    return run, model.predict_proba


def plain(train: pd.DataFrame, seed: int):
    import torch
    from transformers import get_linear_schedule_with_warmup

    from paragraph.learn.models import load_classifier, load_tokenizer

    tokenizer, module = load_tokenizer("minilm"), load_classifier("minilm", seed=seed)

    def run():
        torch.manual_seed(seed)
        module.train()
        label = torch.tensor(train["label"].to_numpy(int))
        optimizer = torch.optim.AdamW(module.parameters(), lr=LR)
        steps = -(-len(train) // BATCH)
        schedule = get_linear_schedule_with_warmup(optimizer, round(WARMUP * steps), steps)
        for at in range(0, len(train), BATCH):
            rows = train[at : at + BATCH]
            sides = (rows["text_a"].tolist(), rows["text_b"].tolist())
            options = {"padding": "max_length", "truncation": True, "max_length": LENGTH}
            logits = module(**tokenizer(*sides, **options, return_tensors="pt")).logits
            torch.nn.functional.cross_entropy(logits, label[at : at + BATCH]).backward()
            torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()

    return run, lambda pairs: predict(module, tokenizer, pairs)


def settings(folder: str, seed: int, rows: int) -> dict:
    """What both trainers are told."""
    return {
        "output_dir": folder,
        "num_train_epochs": 1,
        "per_device_train_batch_size": BATCH,
        "learning_rate": LR,
        "weight_decay": 0.01,
        "warmup_steps": round(WARMUP * rows / BATCH),
        "bf16": has_bfloat16(),
        "optim": "adamw_torch_fused",
        "seed": seed,
        "use_cpu": True,
        "dataloader_pin_memory": False,
        "save_strategy": "no",
        "logging_strategy": "no",
        "report_to": [],
        "disable_tqdm": True,
    }


def cross_encoder(train: pd.DataFrame, seed: int):
    from datasets import Dataset
    from sentence_transformers.cross_encoder import CrossEncoder, CrossEncoderTrainer, CrossEncoderTrainingArguments
    from sentence_transformers.cross_encoder.losses import BinaryCrossEntropyLoss

    from paragraph.learn.models import describe

    model = CrossEncoder(str(describe("minilm").folder), num_labels=1, max_length=LENGTH, device="cpu")
    rows = Dataset.from_dict(
        {
            "a": train["text_a"].tolist(),
            "b": train["text_b"].tolist(),
            "label": train["label"].astype(float).tolist(),
        }
    )

    def run():
        with tempfile.TemporaryDirectory() as folder:
            arguments = CrossEncoderTrainingArguments(**settings(folder, seed, len(train)))
            CrossEncoderTrainer(
                model=model, args=arguments, train_dataset=rows, loss=BinaryCrossEntropyLoss(model)
            ).train()

    def probability(pairs: pd.DataFrame) -> np.ndarray:
        from torch import nn

        sides = list(zip(pairs["text_a"], pairs["text_b"], strict=True))
        return model.predict(sides, activation_fn=nn.Sigmoid(), show_progress_bar=False)

    return run, probability


def trainer(train: pd.DataFrame, seed: int):
    from datasets import Dataset
    from transformers import DataCollatorWithPadding, Trainer, TrainingArguments

    from paragraph.learn.models import load_classifier, load_tokenizer

    tokenizer, module = load_tokenizer("minilm"), load_classifier("minilm", seed=seed)

    def run():
        sides = (train["text_a"].tolist(), train["text_b"].tolist())
        tokens = tokenizer(*sides, truncation=True, max_length=LENGTH)
        rows = Dataset.from_dict({**tokens, "label": train["label"].astype(int).tolist()})
        with tempfile.TemporaryDirectory() as folder:
            options = settings(folder, seed, len(train)) | {"train_sampling_strategy": "group_by_length"}
            Trainer(
                model=module,
                args=TrainingArguments(**options),
                train_dataset=rows,
                data_collator=DataCollatorWithPadding(tokenizer),
            ).train()

    return run, lambda pairs: predict(module, tokenizer, pairs)


def predict(module, tokenizer, pairs: pd.DataFrame) -> np.ndarray:
    """P(paraphrase), in float32, row by row."""
    import torch

    module.eval()
    with torch.inference_mode():
        rows = zip(pairs["text_a"], pairs["text_b"], strict=True)
        options = {"truncation": True, "max_length": LENGTH, "return_tensors": "pt"}
        logits = [module(**tokenizer(a, b, **options)).logits[0] for a, b in rows]
    return torch.stack(logits).softmax(dim=1)[:, 1].numpy()


def has_bfloat16() -> bool:
    from paragraph.learn.devices import arithmetic, pick_device

    return arithmetic(pick_device("cpu")) == "bfloat16"


WHAT = {"ours": ours, "plain": plain, "cross-encoder": cross_encoder, "trainer": trainer}


def main() -> None:
    what, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    train, dev = questions(n)
    run, probability = WHAT[what](train, seed)
    began, busy = time.perf_counter(), time.process_time()
    run()
    found = {"seconds": time.perf_counter() - began, "processor": time.process_time() - busy, "pairs": len(train)}
    label = dev["label"].to_numpy(int)
    right = np.where(label == 1, probability(dev), 1 - probability(dev)).astype(float)
    found |= {"dev loss": float(-np.log(right).mean()), "dev accuracy": float((right > 0.5).mean())}
    print(json.dumps(found | {"bfloat16": has_bfloat16()}))


if __name__ == "__main__":
    main()
