"""A tagger that is easily understood: a word is 1 where the other sentence has neither it nor a synonym."""


class Synonyms:
    def __init__(self, *same):
        self.same = set(map(frozenset, same))

    def tag(self, table):
        words = {side: [text.casefold().strip("?.").split() for text in table[f"text_{side}"]] for side in "ab"}
        tags = {
            side: [[int(not self._held(word, there)) for word in here] for here, there in zip(words[side], words[o])]  # noqa: B905
            for side, o in ("ab", "ba")
        }
        columns = {f"words_{side}": words[side] for side in "ab"} | {f"tags_{side}": tags[side] for side in "ab"}
        return table.assign(**columns, p_a=tags["a"], p_b=tags["b"])

    def _held(self, word, others):
        return word in others or any({word, other} in self.same for other in others)
