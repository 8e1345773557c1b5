"""The training loop: early stopping, the best weights, checkpoints, and a run killed and gone on with."""

import io
import math
import signal
from types import SimpleNamespace

import IPython
import IPython.display
import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits as entropy

from paragraph.learn.pairs import training
from paragraph.learn.pairs.training import HISTORY, history_table, loss_curve, own_randomness, train

from ..refused import refused


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
        options = {"evaluate": self.evaluate, "progress": False} | options
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


def test_when_it_evaluates_and_that_it_stops_when_the_dev_loss_falls_no_more():
    for batches, evaluations, steps in ((8, 4, [2, 4, 6, 8]), (3, 4, [1, 2, 3]), (8, 1, [8])):
        assert Task(epochs=1, rows=8 * batches).run(evaluations=evaluations).table["step"].tolist() == steps
    for patience in (1, 3):
        losses = iter([0.9, 0.7, 0.5, 0.5, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])
        task = Task(epochs=5).run(evaluate=lambda losses=losses: (next(losses), 0.5), patience=patience)
        assert len(task.table) == 3 + patience
        assert task.table["step"].iloc[-1] == task.steps == 2 * (3 + patience)


def test_learning_rate_rises_and_falls():
    task, seen = Task(epochs=2), []
    step = task.optimizer.step
    task.optimizer.step = lambda: (seen.append(task.optimizer.param_groups[0]["lr"]), step())
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


def interrupted(step, folder):
    """A run that is broken off in this step, with a checkpoint after each batch."""
    task = Task()
    task.before[step] = lambda: signal.raise_signal(signal.SIGINT)
    said = rf"after {step - 1} of 24 steps.*goes on from the last checkpoint"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "EVERY", 0)
        with pytest.warns(UserWarning, match=said), pytest.raises(KeyboardInterrupt):
            task.run(checkpoint=folder)
    assert len(task.table) == (step - 1) // 2


@pytest.mark.parametrize("step", [1, 9, 24])
def test_interrupted_and_gone_on_with(tmp_path, step):
    whole = Task().run()
    interrupted(step, tmp_path)
    again = Task().run(checkpoint=tmp_path)
    assert again.steps == 24 - (step - 1) and equal(again.weights, whole.weights)
    assert again.table.drop(columns="seconds").equals(whole.table.drop(columns="seconds"))
    finished = Task().run(checkpoint=tmp_path)  # is read back
    assert finished.steps == 0 and equal(finished.weights, whole.weights) and finished.table.equals(again.table)


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    Task().run(checkpoint=tmp_path)
    others = {"seed": 1}, {"warmup": 0.1}, {"patience": 9}, {"fingerprint": "other data"}
    for task, options in ((Task(seed=1), {}), (Task(epochs=4), {}), *((Task(), options) for options in others)):
        refused("checkpoint of a run with other data or options", task.run, checkpoint=tmp_path, **options)


def resaved(before, changes):
    """A checkpoint that is a whole file, in which something is missing (None) or another thing."""
    state = torch.load(io.BytesIO(before), weights_only=True)
    torch.save({key: value for key, value in (state | changes).items() if value is not None}, out := io.BytesIO())
    return out.getvalue()


def test_a_damaged_checkpoint(tmp_path):
    Task().run(checkpoint=tmp_path)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    changes = [{key: value} for key in ("module", "progress") for value in (None, {})]
    changes += [{"mark": None}, {"module": {"weight": torch.zeros(3)}}, {"progress": {"step": "x"}}]
    cuts = b"", whole[: len(whole) // 2], b"no checkpoint", b"{}"
    for content in (*cuts, *(resaved(whole, change) for change in changes)):
        path.write_bytes(content)
        refused(r"checkpoint.pt: cannot be used .*delete it", Task().run, checkpoint=tmp_path)


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(tmp_path, monkeypatch):
    interrupted(5, tmp_path)
    (path,) = tmp_path.iterdir()
    before = path.read_bytes()

    def half(state, file):
        file.write(b"half of it")
        raise OSError("No space left on device")

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(OSError, match="No space"):
        Task().run(checkpoint=tmp_path)
    assert [*tmp_path.iterdir()] == [path] and path.read_bytes() == before


def test_the_curve_says_where_the_best_is_and_in_a_notebook_is_replaced(monkeypatch):
    losses = iter([0.9, 0.25, 0.5, 0.7])
    table = Task(epochs=1).run(evaluate=lambda: (next(losses), 0.875)).table
    assert loss_curve(table).axes[0].get_title(loc="left") == "best: loss 0.250, accuracy 87.5%, step 4"
    alone = loss_curve(Task(epochs=1).run(evaluate=None).table).axes[0]
    assert alone.lines[0].get_label() == "train" and not alone.get_title(loc="left")
    shown = []  # as a kernel sees it: shown once, then updated
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=True))
    monkeypatch.setattr(IPython.display, "display", lambda svg, **options: shown.append((svg.data, options)))
    Task(epochs=1).run(live=True)
    assert [options["update"] for _, options in shown] == [False, True, True, True]
    assert len({options["display_id"] for _, options in shown}) == 1
    assert len({picture for picture, _ in shown}) == 4 and all("<svg" in picture for picture, _ in shown)
