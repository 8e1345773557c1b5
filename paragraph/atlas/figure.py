"""The map as a figure, and the names of its regions."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..draw.figures import new_figure
from ..draw.shared import RAMP
from ..draw.style import INK, PAPER, drawable, families
from ..words.lexicon import COMPARISON, CONTRACTIONS, FUNCTION_WORDS, NUMBERS, QUESTION, WAYS
from ..words.tokens import words_of
from .colors import BACKGROUND, colors_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_atlas", "regions"]

#: Words that name no topic.
NO_TOPIC = {*FUNCTION_WORDS, *COMPARISON, *CONTRACTIONS, *NUMBERS, *WAYS, *QUESTION}
NO_TOPIC.update(*QUESTION.values())
REGION = 25  # dots of a region, on average
MOST = 10  # regions


def draw_atlas(table: pd.DataFrame, color: str = "conflicts", title: str = "") -> Figure:
    """Draw each cluster as a dot: size by its sentences, colour by a column.

    Parameters
    ----------
    table : DataFrame
        As in `Atlas.table`: x, y, size, sentence, and the column of the colour.
    color : str
    title : str

    Examples
    --------
    >>> columns = {"x": [0, 1], "y": [0, 1], "size": [2, 9], "conflicts": [0, 1], "sentence": ["Why?", "How?"]}
    >>> figure = draw_atlas(pd.DataFrame(columns))
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patheffects import withStroke

    letters = {"family": families(), "parse_math": False}
    figure = new_figure(10, 6.4, layout="constrained")
    axes = figure.subplots(subplot_kw={"aspect": "equal"})
    axes.set_title(drawable(title), weight="bold", size=11, **letters)
    axes.axis("off")
    shown = colors_of(table[color])
    places = table[["x", "y"]].to_numpy(float)
    area = np.sqrt(table["size"].to_numpy() / 2)
    area = area * np.clip(2e4 / max(len(table), 1), 2, 40)
    dots = {"linewidths": 0, "rasterized": True}
    if shown.colors is None:
        at = shown.first
        x, y = places[at].T
        dots["cmap"] = LinearSegmentedColormap.from_list("ramp", RAMP)
        painted = axes.scatter(x, y, area[at], shown.values.iloc[at], **dots)
        bar = figure.colorbar(painted, ax=axes, shrink=0.4)
        bar.set_label(drawable(color), **letters)
    elif shown.colors:
        dots["alpha"] = 0.75
        for name in sorted(shown.colors, key=lambda name: name not in BACKGROUND):
            at = np.flatnonzero(shown.values == name)
            x, y = places[at].T
            label = f" {drawable(name)}"  # of a name that begins with _, a legend is silent
            axes.scatter(x, y, area[at], color=shown.colors[name], label=label, **dots)
        legend = axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
        legend.set_title(f"{drawable(color)} of a cluster")
        for text in (*legend.get_texts(), legend.get_title()):
            text.set(**letters)
    around = [withStroke(linewidth=3, foreground=PAPER)]
    middle = {"ha": "center", "va": "center", "weight": "bold", "size": 11, "color": INK}
    for x, y, name in regions(table):
        axes.text(x, y, drawable(name), path_effects=around, **middle, **letters)
    return figure


def regions(table: pd.DataFrame) -> list[tuple[float, float, str]]:
    """Name the parts of a map of clusters, each at its place: x, y, and the word that sets it apart.

    Parts are found by k-means, one per 25 dots and at most ten. The weight of a word is the number of a part's
    sentences that contain it, times the logarithm of its share there over its share of the whole map. Function words
    and words of comparison and of questions ("how", "best", "way") do not count: they name no topic.

    Examples
    --------
    >>> regions(pd.DataFrame({"x": [0] * 25, "y": [1] * 25, "sentence": ["How is tea made?"] * 24 + ["Tea?"]}))
    [(0.0, 1.0, 'tea')]
    """
    from scipy.cluster.vq import kmeans2

    count = min(MOST, len(table) // REGION)
    if not count:
        return []
    places = table[["x", "y"]].to_numpy(float)
    part = kmeans2(places, count, minit="++", seed=0)[1]
    words = [_topics(text) for text in table["sentence"]]
    everywhere = Counter(chain.from_iterable(words))
    found = []
    for k in range(count):
        rows = np.flatnonzero(part == k)
        there = Counter(chain.from_iterable(words[i] for i in rows))
        share = len(rows) / len(words)
        weight = {}
        for word, n in there.items():
            weight[word] = n * np.log(n / share / everywhere[word]), n
        if weight:
            x, y = np.median(places[rows], axis=0).tolist()
            found.append((x, y, max(weight, key=weight.get)))
    return found


def _topics(text: str) -> set[str]:
    """The words of a sentence that may name a topic."""
    words = map(str.casefold, words_of(text))
    return {word for word in words if word[0].isalnum()} - NO_TOPIC
