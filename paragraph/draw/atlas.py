"""The atlas as a figure: colours of a column, names of regions."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ..words.lexicon import COMPARISON, CONTRACTIONS, FUNCTION_WORDS, NUMBERS, QUESTION, WAYS
from ..words.tokens import words_of
from .figures import new_figure
from .style import INK, NEGATIVE, RAMP, drawable, families

if TYPE_CHECKING:
    from matplotlib.figure import Figure


__all__ = [
    "Colors",
    "colors_of",
    "draw_atlas",
    "regions",
]

#: Okabe and Ito (2008), without black and yellow, each of which is invisible in one of the two themes.
NAMED = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1")
OTHER = RAMP[0]
#: Words that name no topic.
NO_TOPIC = frozenset().union(FUNCTION_WORDS, COMPARISON, CONTRACTIONS, NUMBERS, WAYS, QUESTION, *QUESTION.values())


class Colors(NamedTuple):
    """The colours of a column: one per named value, or a scale for numbers between two ends."""

    values: pd.Series  #: categories, or floats
    colors: dict[str, str] | None  #: of the categories, in order; None for numbers
    first: np.ndarray  #: order in which dots are drawn, the remarkable ones last, on top


def colors_of(column: pd.Series) -> Colors:
    """Return the colours of a column.

    Conflicts are counted as *none*, *1*, *2 or more*. Other numbers are coloured from low to high, a missing one as
    the lowest. The seven most frequent names have one colour each, all others share one.

    Examples
    --------
    >>> colors_of(pd.Series([0, 3, 1], name="conflicts")).values.tolist()
    ['none', '2 or more', '1']
    >>> colors_of(pd.Series(["b", "a", "b"], name="topic")).colors
    {'b': '#0072B2', 'a': '#E69F00'}
    """
    if column.name == "conflicts":
        names = np.array(["none", "1", "2 or more"])[np.minimum(column, 2)]
        colors = {"none": OTHER, "1": "#E69F00", "2 or more": NEGATIVE}
    elif pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        values = column.astype("Float64").astype(np.float64).replace([np.inf, -np.inf], np.nan)
        values = values.fillna(0.0 if values.isna().all() else values.min())
        return Colors(values, None, np.argsort(values.to_numpy(), kind="stable"))
    else:
        names = column.astype("str").fillna("none").str.slice(0, 60)
        frequent = [str(name) for name in names.value_counts().index[: len(NAMED)]]
        names = names.where(names.isin(frequent), "other").to_numpy()
        colors = {"other": OTHER} | dict(zip(frequent, NAMED, strict=False))
        colors = {name: colors[name] for name in dict.fromkeys([*frequent, "other"])}
    colors = {name: color for name, color in colors.items() if (names == name).any()}
    values = pd.Series(pd.Categorical(names, categories=list(colors)), name=column.name)
    background = values.isin(["none", "other"]).to_numpy()
    return Colors(values, colors, np.argsort(~background, kind="stable"))


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
    >>> import pandas as pd
    >>> columns = {"x": [0, 1], "y": [0, 1], "size": [2, 9], "conflicts": [0, 1], "sentence": ["Why?", "How?"]}
    >>> figure = draw_atlas(pd.DataFrame(columns))
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patheffects import withStroke

    figure = new_figure(10, 6.4, layout="constrained")
    axes = figure.subplots(subplot_kw={"aspect": "equal"})
    axes.set_title(drawable(title), weight="bold", size=11, family=families(), parse_math=False)
    axes.axis("off")
    shown = colors_of(table[color])
    dots = table.iloc[shown.first]
    values = shown.values.iloc[shown.first]
    area = np.clip(2e4 / max(len(table), 1), 2, 40) * np.sqrt(dots["size"].to_numpy() / 2)
    if shown.colors is None:
        ramp = LinearSegmentedColormap.from_list("ramp", RAMP)
        painted = axes.scatter(dots["x"], dots["y"], area, values, cmap=ramp, linewidths=0, rasterized=True)
        figure.colorbar(painted, ax=axes, shrink=0.4).set_label(drawable(color), family=families(), parse_math=False)
    elif shown.colors:
        for name in sorted(shown.colors, key=lambda name: name not in ("none", "other")):  # these below the others
            some = (values == name).to_numpy()
            look = {"color": shown.colors[name], "alpha": 0.75, "linewidths": 0, "rasterized": True}
            look["label"] = f" {drawable(name)}"  # of a name that begins with _, a legend is silent
            axes.scatter(dots["x"][some], dots["y"][some], area[some], **look)
        legend = axes.legend(title=f"{drawable(color)} of a cluster", loc="upper left", bbox_to_anchor=(1, 1))
        for text in (*legend.get_texts(), legend.get_title()):
            text.set(parse_math=False, family=families())
    for x, y, name in regions(table):
        axes.text(
            x, y, drawable(name), ha="center", va="center", weight="bold", color=INK, size=11, family=families(),
            parse_math=False, path_effects=[withStroke(linewidth=3, foreground="white")],
        )  # fmt: skip
    return figure


def regions(table: pd.DataFrame) -> list[tuple[float, float, str]]:
    """Name the parts of a map of clusters, each at its place: x, y, and the word that sets it apart.

    Parts are found by k-means, one per 25 dots and at most ten. The weight of a word is the number of a part's
    sentences that contain it, times the logarithm of its share there over its share of the whole map. Function words
    and words of comparison and of questions ("how", "best", "way") do not count: they name no topic.

    Examples
    --------
    >>> import pandas as pd
    >>> regions(pd.DataFrame({"x": [0] * 25, "y": [1] * 25, "sentence": ["How is tea made?"] * 24 + ["Tea?"]}))
    [(0.0, 1.0, 'tea')]
    """
    from scipy.cluster.vq import kmeans2

    places = table[["x", "y"]].to_numpy(float)
    found = []
    if not (count := min(10, len(table) // 25)):
        return []
    part = kmeans2(places, count, minit="++", seed=0)[1] if count > 1 else np.zeros(len(table))
    words = [{word for word in map(str.casefold, words_of(text)) if word[0].isalnum()} for text in table["sentence"]]
    everywhere = Counter(chain.from_iterable(words))
    for k in range(count):
        rows = np.flatnonzero(part == k)
        there = Counter(word for i in rows for word in words[i] - NO_TOPIC)
        telling = {word: n * np.log(n * len(words) / len(rows) / everywhere[word]) for word, n in there.items()}
        if telling:
            name = max(telling, key=lambda word: (telling[word], there[word]))
            found.append((*np.median(places[rows], axis=0).tolist(), name))
    return found
