"""Kill a writer of a log at random moments, and see that all it was told is kept is there.

    python kills.py FOLDER KILLS SEED [LONGEST]

A child process adds decisions and says the id of each when `add` has returned; after at most LONGEST seconds it is
killed with SIGKILL. The next child goes on with the same log, and every tenth begins a new one, so that some are
killed while the file is made. Prints the numbers of kills, of decisions said to be kept, and of those found again; of
decisions found that nobody was told of, each kill can leave one.
"""

import os
import random
import signal
import sys
import time

from paragraph.decisions.log import DecisionLog


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


def kill_one(path, after):
    """The ids that a child had said when it was killed."""
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        try:
            write_until_killed(path, say)
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


def main(folder, kills, seed, longest=0.03):
    rng = random.Random(seed)
    told = found = untold = 0
    for first in range(0, kills, 10):
        path = os.path.join(folder, f"{first}.db")
        said, times = [], min(10, kills - first)
        for _ in range(times):
            said += kill_one(path, rng.uniform(0, longest))
            there = {record.id for record in DecisionLog(path).records()}  # opened as it was left
            assert there >= set(said), f"lost: {set(said) - there}"
        there = {record.id for record in DecisionLog(path).records()}
        told, found, untold = told + len(said), found + len(there & set(said)), untold + len(there - set(said))
        assert len(there - set(said)) <= times
    print(kills, told, found, untold)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *map(float, sys.argv[4:5]))
