"""The training loop: early stopping, the best weights, and a run that is interrupted."""

import math
import signal

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import binary_cross_entropy_with_logits as entropy

from paragraph.papers.models.training import HISTORY, history_table, own_randomness, shuffled_batches, train

from ...refused import refused


class Task:
    """A linear teacher in 8 dimensions, a small student with dropout; `run` trains it."""

    def __init__(self, seed=0, epochs=3, rows=64):
        g = torch.Generator().manual_seed(5)
        self.x = torch.randn(rows, 8, generator=g)
        self.y = (self.x[:, 0] > 0).float()
        with own_randomness(seed):
            self.module = torch.nn.Sequential(
                torch.nn.Linear(8, 16), torch.nn.BatchNorm1d(16), torch.nn.Dropout(0.3), torch.nn.Linear(16, 1)
            )
        self.optimizer = torch.optim.Adam(self.module.parameters(), lr=0.01)
        rng = np.random.default_rng(seed)
        self.plan = [(e, batch) for e in range(1, epochs + 1) for batch in np.split(rng.permutation(rows), rows // 8)]
        self.history, self.steps, self.before = [], 0, {}

    def loss(self, rows):
        self.steps += 1
        self.before.get(self.steps, lambda: None)()
        return entropy(self.module(self.x[rows])[:, 0], self.y[rows])

    def evaluate(self):
        logits = self.module(self.x)[:, 0]
        return float(entropy(logits, self.y)), float(((logits > 0) == self.y.bool()).float().mean())

    def run(self, **options):
        options = {"evaluate": self.evaluate} | options
        train(self.module, self.optimizer, self.loss, self.plan, history=self.history, **options)
        return self

    @property
    def weights(self):
        return {name: value.clone() for name, value in self.module.state_dict().items()}

    @property
    def table(self):
        return history_table(self.history)


def equal(a, b):
    return all(torch.equal(a[name], b[name]) for name in a)


def test_it_learns_and_keeps_a_history():
    task = Task(epochs=20).run()
    table = task.table
    assert table.columns.tolist() == HISTORY
    assert table["step"].tolist() == list(range(2, 20 * 8 + 1, 2))
    assert table["epoch"].tolist() == np.repeat(range(1, 21), 4).tolist()
    assert table["seconds"].is_monotonic_increasing
    assert table["dev accuracy"].iloc[-1] > 0.95 and not task.module.training


def test_the_weights_at_the_end_are_the_best():
    task, measured = Task(epochs=6), []

    def evaluate():  # a dev loss that is least at the fifth evaluation
        measured.append(task.weights)
        return abs(len(measured) - 5) + 0.5, 0.5

    task.run(evaluate=evaluate)
    assert len(measured) == 24
    assert equal(task.weights, measured[4]) and not equal(task.weights, measured[-1])


def test_it_evaluates_evenly_and_stops_when_the_dev_loss_falls_no_more():
    for batches, evaluations, steps in ((8, 4, [2, 4, 6, 8]), (3, 4, [1, 2, 3]), (8, 1, [8])):
        assert Task(epochs=1, rows=8 * batches).run(evaluations=evaluations).table["step"].tolist() == steps
    for patience in (1, 3):
        losses = iter([0.9, 0.7, 0.5, 0.5, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
        task = Task(epochs=5).run(evaluate=lambda losses=losses: (next(losses), 0.5), patience=patience)
        assert len(task.table) == 3 + patience
        assert task.table["step"].iloc[-1] == task.steps == 2 * (3 + patience)


def test_learning_rate_rises_and_falls():
    task, seen = Task(epochs=2), []
    task.before = {step: lambda: seen.append(task.optimizer.param_groups[0]["lr"]) for step in range(1, 17)}
    task.run(warmup=0.25)
    assert np.allclose(np.array(seen) / 0.01, [0.25, 0.5, 0.75, 1, *(np.arange(12, 0, -1) / 12)])


@pytest.mark.parametrize("step, kept", [(2, "no good weights yet"), (7, "best weights so far are kept")])
def test_a_loss_that_is_not_a_number(step, kept):
    task = Task()
    task.before[step] = lambda: task.x.fill_(math.nan)
    said = rf"training batch is nan at step {step}; the.* {kept}.*lower learning rate than 0.01"
    refused(said, task.run)
    assert len(task.table) == (step - 1) // 2
    assert all(torch.isfinite(value).all() for value in task.module.parameters())


@pytest.mark.parametrize("step, kept", [(1, "the last weights"), (9, "those of the least dev loss")])
def test_interrupted(step, kept):
    task, best = Task(), {}
    task.before[step] = lambda: (best.update(task.weights), signal.raise_signal(signal.SIGINT))
    with pytest.warns(UserWarning, match=rf"after {step - 1} of 24 steps; {kept}"), pytest.raises(KeyboardInterrupt):
        task.run()
    assert len(task.table) == (step - 1) // 2 and equal(task.weights, best) and not task.module.training


@given(st.lists(st.integers(1, 40), max_size=60), st.integers(1, 9), st.integers(0, 99))
def test_shuffled_batches_hold_every_row_once(lengths, size, seed):
    found, again = (shuffled_batches(np.array(lengths), size, seed) for _ in range(2))
    assert sorted(np.concatenate([*found, []])) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= size for batch in found) and len(found) == -(-len(lengths) // size)
    assert [batch.tolist() for batch in found] == [batch.tolist() for batch in again]
