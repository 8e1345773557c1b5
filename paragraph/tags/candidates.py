"""The pairs worth tagging: alike, but not too much."""

from __future__ import annotations

import pandas as pd

from .table import untagged

__all__ = ["candidates"]


def candidates(pairs: pd.DataFrame, *, progress: bool = True) -> pd.DataFrame:
    """Choose the pairs to annotate, as a tag table without tags: the filter of Wang et al. (2022), section 4.1.

    BLEU between the two, the mean of both directions, lies between 5 and 20; each sentence has 10 characters or more;
    the longer has less than 2.5 times as many words as the shorter.

    Returns
    -------
    DataFrame
        With `bleu`, in the order of `pairs`. ``attrs["bleu"]`` is sacrebleu's signature; ``attrs["left_out"]`` counts
        the others by the first rule they break.

    Examples
    --------
    >>> dawn = "We left the old house at dawn."
    >>> texts = [dawn, "Ok.", "The house was very old when we left for good."]
    >>> found = candidates(pd.DataFrame({"text_a": [dawn] * 3, "text_b": texts}), progress=False)
    >>> found.text_b.tolist(), found.attrs["left_out"]
    (['The house was very old when we left for good.'], {'short': 1, 'lengths': 0, 'bleu': 1})
    """
    from sacrebleu.metrics import BLEU
    from tqdm.auto import tqdm

    table, bleu = untagged(pairs), BLEU(effective_order=True)
    left_out, scores = {"short": 0, "lengths": 0, "bleu": 0}, []
    rows = zip(*(table[name] for name in ("text_a", "text_b", "words_a", "words_b")), strict=True)
    for a, b, *words in tqdm(rows, "BLEU", len(table), unit=" pairs", delay=2, leave=False, disable=not progress):
        short, long = sorted(map(len, words))
        why = "short" if min(len(a), len(b)) < 10 else "lengths" if long >= 2.5 * short else ""
        score = None if why else (bleu.sentence_score(a, [b]).score + bleu.sentence_score(b, [a]).score) / 2
        why = why or ("" if 5 < score < 20 else "bleu")
        if why:
            left_out[why] += 1
        scores.append(None if why else score)
    found = table.assign(bleu=pd.array(scores, dtype="Float64")).dropna(subset="bleu").reset_index(drop=True)
    signature = str(bleu.get_signature()) if any(score is not None for score in scores) or left_out["bleu"] else ""
    found.attrs = {"bleu": signature, "left_out": left_out}
    return found
