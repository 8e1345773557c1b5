"""Kill a writer of a log at random moments, and see that all it was told is kept is there.

    python kills.py FOLDER KILLS SEED [LONGEST [labeler]]

A child process adds decisions and says the id of each when `add` has returned, or when the bench of a Pair Labeler
has shown the next pair; after at most LONGEST seconds it is killed with SIGKILL. The next child goes on with the same
log, and every tenth begins a new one, so that some are killed while the file is made. Prints the numbers of kills, of
decisions said to be kept, and of those found again; of decisions found that nobody was told of, each kill can leave
one.
"""

import os
import random
import signal
import sys
import time

from paragraph.decisions.log import DecisionLog
from paragraph.decisions.records import last_words, pair_of, says, standing


def write_until_killed(path, say):
    log = DecisionLog(path, "Ada")
    number = 0
    while True:
        number += 1
        if number % 7 == 0:
            record = log.undo()
        else:
            record = log.add(f"question {os.getpid()} {number}", "another question", "keep", note="a note " * 50)
        os.write(say, record.id.encode())


def label_until_killed(path, say):
    """Answers by keys; the child goes on with what the log holds, and trains meanwhile."""
    bench = bench_of(path)
    number = 0
    while True:
        number += 1
        if number % 7 == 0:
            bench.on_undo()
        elif bench.current is None:
            bench.current = number % len(bench.queue) + 1
            continue
        else:
            bench.decide(("same", "different", "ambiguous", "skip")[os.getpid() * number % 4])
        os.write(say, bench._mine.records[-1].id.encode())


def bench_of(path):
    import paragraph as pg
    from tests.collection.words import WordLearner

    texts = [f"{topic} has {word}" for topic in "abcdefgh" for word in "ijklm"]
    return pg.PairLabeler(WordLearner(texts), 10_000, path, "Ada", strategy="adaptive", batch=4)


def check_bench(path):
    """What stands in the log is what a bench that is opened again has."""
    bench = bench_of(path)
    bench.wait()
    last = last_words(standing(DecisionLog(path).records()))
    answers = {record.pair: says(record)[record.pair] for record in last if record.decision != "skip"}
    assert {record.pair for record in bench._queue.asked} == answers.keys()
    labels = {pair_of(a, b): y for a, b, y in bench.labels()[["text_a", "text_b", "label"]].values.tolist()}
    assert labels == {pair: same for pair, same in answers.items() if same is not None}


def kill_one(path, after, write):
    """The ids that a child had said when it was killed."""
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        try:
            write(path, say)
        finally:
            os._exit(1)  # an error: fewer ids than there should be, and a status that is not a signal
    os.close(say)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child ended by itself"
    with os.fdopen(hear) as said:
        text = said.read()
    return [text[at : at + 32] for at in range(0, len(text), 32)]


def main(folder, kills, seed, longest=0.03, what="log"):
    labels = what == "labeler"
    if labels:
        bench_of(os.path.join(folder, "first.db"))  # what it imports is there when children begin
    rng = random.Random(seed)
    told = found = untold = 0
    for first in range(0, kills, 10):
        path = os.path.join(folder, f"{first}.db")
        said, times = [], min(10, kills - first)
        for _ in range(times):
            said += kill_one(path, rng.uniform(0, longest), label_until_killed if labels else write_until_killed)
            there = {record.id for record in DecisionLog(path).records()}  # opened as it was left
            assert there >= set(said), f"lost: {set(said) - there}"
        there = {record.id for record in DecisionLog(path).records()}
        told, found, untold = told + len(said), found + len(there & set(said)), untold + len(there - set(said))
        assert len(there - set(said)) <= times
        if labels:
            check_bench(path)
    print(kills, told, found, untold)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *map(float, sys.argv[4:5]), *sys.argv[5:])
