"""Assemble demo.tsv from its hand-written sources, and write its figures into README.md.

Hand-written: the questions by meaning (demo_meanings.tsv), the meanings that people mix up
(demo_near.txt) and the planted errors (demo_key.tsv). Drawn with a seed: which of the many true
pairs get a label, and the order of the rows. Run it as `python data/build_demo.py`.
"""

import csv
import random
import re
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations
from pathlib import Path

HERE = Path(__file__).parent
SEED = 20
FAMILIES = ("tip-", "leftover-")
NEAR_NEGATIVES = 4  # per pair of near meanings, where there are that many pairs of questions
FAR_NEGATIVES = 260  # pairs drawn at random, of meanings that nobody would mix up
EXTRA_POSITIVES = 0.35  # per question, beyond the tree that holds a meaning together

# The rows of the four direct contradictions, in file order; `r` exchanges the two sides.
DIRECT = {
    "How do I tell my boss I'm leaving?": "1 0 1",
    "Is baking soda the same thing as baking powder?": "0 1 0",
    "How do I make friends in a new city?": "0 1r",
    "How does offside work in football?": "1 0r",
}
SELF_PAIR = "Why do we get hiccups?"  # real collections hold a few of these too


def read_tsv(path):
    """The rows of a tab-separated, CSV-quoted file with a header, as dicts."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


def read_near(path):
    """{frozenset of two meanings: number of negatives between them, None where it is free}."""
    near = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        names, _, number = line.partition("#")[0].partition("=")
        for pair in combinations(names.split(), 2):
            near[frozenset(pair)] = int(number) if number else near.get(frozenset(pair))
    return near


@cache
def words(text):
    """The set of lower-case words of a question."""
    return set(re.findall(r"[\w']+", text.lower()))


def jaccard(a, b):
    """Share of words two questions have in common."""
    return len(words(a) & words(b)) / len(words(a) | words(b))


def far_apart(a, b, near):
    """Whether nobody would mix up two meanings, so that a pair drawn at random is a plain negative."""
    same_family = any(a.startswith(family) and b.startswith(family) for family in FAMILIES)
    return a != b and not same_family and frozenset((a, b)) not in near


def tree(questions, taken, rng):
    """Pairs that hold one meaning together without any pair in `taken`; chains rather than stars.

    Each question joins one of the three before it, which leaves paths of four and more to be inferred.
    """
    for _ in range(1000):
        order = rng.sample(questions, len(questions))
        pairs = []
        for i, question in enumerate(order[1:], start=1):
            free = [
                other
                for other in order[max(0, i - 3) : i]
                if frozenset((question, other)) not in taken
            ]
            if not free:
                break
            pairs.append(frozenset((question, rng.choice(free))))
        else:
            return pairs
    raise ValueError(f"the planted errors leave {questions} in pieces")


def draw(meanings, near, key, rng):
    """The labelled pairs as {frozenset of two questions: label}, planted ones included, direct ones not."""
    members = defaultdict(list)
    for row in meanings:
        members[row["meaning"]].append(row["question"])
    meaning_of = {row["question"]: row["meaning"] for row in meanings}
    planted = {frozenset((row["question1"], row["question2"])): row for row in key}
    touched = {meaning_of[question] for pair in planted for question in pair}
    label = {pair: int(row["stated"]) for pair, row in planted.items() if row["kind"] != "direct"}

    for meaning, questions in members.items():
        # Real collections miss links: now and then a question stays unconnected to its own meaning.
        lost = meaning not in touched and len(questions) >= 4 and rng.random() < 0.25
        linked = questions[:-1] if lost else questions
        for pair in tree(linked, planted, rng):
            label[pair] = 1
        free = [pair for pair in map(frozenset, combinations(linked, 2)) if pair not in label]
        free = [pair for pair in free if pair not in planted]
        for pair in rng.sample(
            free, min(len(free), int(len(linked) * EXTRA_POSITIVES + rng.random()))
        ):
            label[pair] = 1

    def negatives(a, b, number):
        # The likelier two questions are to be confused, the likelier somebody asked for their label.
        free = [frozenset((one, two)) for one in members[a] for two in members[b]]
        free = [pair for pair in free if pair not in label and pair not in planted]
        free.sort(key=lambda pair: jaccard(*sorted(pair)) + 0.3 * rng.random(), reverse=True)
        label.update(dict.fromkeys(free[:number], 0))

    for pair, number in near.items():
        negatives(*sorted(pair), NEAR_NEGATIVES if number is None else number)
    questions = list(meaning_of)
    seen = {question for pair in label for question in pair}
    far = [(question, rng.choice(questions)) for question in questions if question not in seen]
    while len(far) < FAR_NEGATIVES:
        far.append(rng.sample(questions, 2))
    for one, two in far:
        while not far_apart(meaning_of[one], meaning_of[two], near):
            two = rng.choice(questions)
        label[frozenset((one, two))] = 0
    return label


def rows(label, rng):
    """The rows (question1, question2, is_duplicate) of the released file, in their shuffled order."""
    table = []
    for pair in sorted(label, key=sorted):
        one, two = rng.sample(sorted(pair), 2)
        table.append((one, two, label[pair]))
    table.append((SELF_PAIR, SELF_PAIR, 1))
    same, reversed_ = rng.sample(table[:-1], 2)
    table += [same, (reversed_[1], reversed_[0], reversed_[2])]
    return table


def shuffled(table, key, rng):
    """`table` in random order, with the rows of each direct contradiction added in the order they need."""
    direct = []
    for row in key:
        if row["kind"] == "direct":
            one, two = row["question1"], row["question2"]
            plan = DIRECT[one].split()
            direct.append(
                [(two, one, int(p[0])) if p.endswith("r") else (one, two, int(p)) for p in plan]
            )
    slots = list(table) + [i for i, group in enumerate(direct) for _ in group]
    rng.shuffle(slots)
    upcoming = [iter(group) for group in direct]
    return [next(upcoming[slot]) if isinstance(slot, int) else slot for slot in slots]


def with_ids(table):
    """Rows as Quora numbers them: `id` from 0, `qid` from 1 in order of first appearance."""
    qid = {}
    for one, two, _ in table:
        for question in (one, two):
            qid.setdefault(question, len(qid) + 1)
    return [(i, qid[one], qid[two], one, two, label) for i, (one, two, label) in enumerate(table)]


def write_rows(path, table):
    """Write demo.tsv: QQP's released layout, quoted as CSV where a question needs it."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["id", "qid1", "qid2", "question1", "question2", "is_duplicate"])
        writer.writerows(table)


def look_alikes(meanings, leave_out=()):
    """(questions at word-Jaccard .8 or more from one of another meaning, questions)."""
    rest = [
        (row["meaning"], row["question"])
        for row in meanings
        if not row["meaning"].startswith(leave_out)
    ]
    found = set()
    for (meaning, one), (other, two) in combinations(rest, 2):
        if meaning != other and jaccard(one, two) >= 0.8:
            found |= {one, two}
    return len(found), len(rest)


def figures(table, meanings, key):
    """The README's figures, as (name, value) in the order printed."""
    sizes = Counter(Counter(row["meaning"] for row in meanings).values())
    positive = sum(row[-1] for row in table)
    alike, n = look_alikes(meanings)
    alike_outside, n_outside = look_alikes(meanings, FAMILIES)
    kinds = Counter(row["kind"] for row in key)
    return [
        ("questions", n),
        ("meanings", sum(sizes.values())),
        ("meanings by number of questions", ", ".join(f"{k}: {sizes[k]}" for k in sorted(sizes))),
        ("rows", len(table)),
        ("rows labelled 1", f"{positive} ({positive / len(table):.1%})"),
        ("rows labelled 0", len(table) - positive),
        ("questions within word-Jaccard .8 of another meaning", f"{alike} ({alike / n:.1%})"),
        (
            "the same outside the template families",
            f"{alike_outside} ({alike_outside / n_outside:.1%})",
        ),
        *((f"planted: {kind}", count) for kind, count in kinds.items()),
    ]


def filled(readme, name, lines):
    """`readme` with the part between `<!-- name -->` and `<!-- end -->` replaced by `lines`."""
    part = "\n".join([f"<!-- {name} -->", "", *lines, "", "<!-- end -->"])
    return re.sub(
        rf"<!-- {name} -->.*?<!-- end -->", lambda _: part, readme, count=1, flags=re.DOTALL
    )


def build(folder=HERE):
    """Write demo.tsv and the generated parts of README.md into `folder`."""
    meanings, key = read_tsv(HERE / "demo_meanings.tsv"), read_tsv(HERE / "demo_key.tsv")
    rng = random.Random(SEED)
    label = draw(meanings, read_near(HERE / "demo_near.txt"), key, rng)
    table = with_ids(shuffled(rows(label, rng), key, rng))
    write_rows(folder / "demo.tsv", table)

    numbers = ["| figure | value |", "|---|---|"]
    numbers += [f"| {name} | {value} |" for name, value in figures(table, meanings, key)]
    sample = ["| id | question1 | question2 | is_duplicate |", "|---|---|---|---|"]
    for i, _, _, one, two, stated in sorted(rng.sample(table, 40)):
        one, two = (text.replace("<", "&lt;").replace("|", "\\|") for text in (one, two))
        sample.append(f"| {i} | {one} | {two} | {stated} |")
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    readme = filled(filled(readme, "figures", numbers), "sample", sample)
    (folder / "README.md").write_text(readme, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
