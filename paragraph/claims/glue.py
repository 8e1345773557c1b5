"""Chen, Ji and Evans (2020), Table 1, from GLUE's Quora Question Pairs, where the user has them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from .checking import NeedsData, claim
from .chen import FLIPPED, PRINTED, SLIPS, TABLE_1


@lru_cache(maxsize=2)
def _glue(folder: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Rows of each label in the four datasets, by part; negatives by the rule of the published code."""
    from ..graph import ParaphraseGraph
    from ..graph.inference import infer
    from ..pairs import read_pairs

    counts = {}
    for part, file in (("training", "train.tsv"), ("testing", "dev.tsv")):
        path = next((p for p in (folder / "qqp-glue" / file, folder / "QQP" / file) if p.is_file()), None)
        if path is None:
            raise NeedsData(f"no qqp-glue/{file} in the data folder; get it with: paragraph fetch qqp-glue")
        graph = ParaphraseGraph.from_pairs(read_pairs(path, format="qqp-glue"))
        rows = graph.pairs["label"].to_numpy()
        flipped = int(np.append(graph.within, False)[graph.row_edge].sum())  # row_edge -1: the False
        stated = int((graph.edge_sign > 0).sum())
        inferred = infer(graph, negatives="clusters").counts()
        within = int(graph.within.sum())
        positive = stated + inferred["positive"]
        negative = len(graph.edge_sign) - stated + inferred["negative"]
        original = int((rows == 1).sum()), int((rows == 0).sum())
        counts[part] = {
            "original": original,
            "original_flipped": (original[0] + flipped, original[1] - flipped),
            "augmented": (positive, negative),
            "augmented_flipped": (positive + within, negative - within),
            "within": within,
        }
    return counts


for _part, _pairs in zip(("training", "testing"), FLIPPED, strict=True):

    @claim("Chen et al. 2020, section 3.2", f"mislabeled pairs in GLUE QQP, {_part}", _pairs)
    def _found(folder: Path, part: str = _part) -> int:
        return _glue(folder)[part]["within"]


for _name, _row in PRINTED.items():
    for _part, _printed in (("training", _row[:2]), ("testing", _row[2:])):
        _offset = 0 if _part == "training" else 2
        _mended = tuple(SLIPS.get((_name, _offset + i), (value,))[0] for i, value in enumerate(_printed))

        @claim(
            TABLE_1,
            f"{_name} from GLUE QQP, {_part}: positives, negatives",
            _printed,
            (_mended, "the printed row holds the slips named above") if _mended != _printed else None,
        )
        def _from_glue(folder: Path, name: str = _name, part: str = _part) -> tuple[int, int]:
            return _glue(folder)[part][name]
