"""Connected components of more edges than one machine holds: every component becomes a star, by joins alone.

Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii (2014), Connected components in MapReduce and beyond, SoCC,
sections 2 and 3: two half-steps in turn, each of which keeps the components.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from .session import read, write

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["POSITIVE", "half_steps"]

HEAVY = 1 << 17  #: edges of one node, from which on it is not joined by one machine

#: The positive pairs of some rows, by the majority of their labels, the later row on a tie: ``big > small``.
POSITIVE = """
    SELECT big, small FROM (
        SELECT greatest(a, b) AS big, least(a, b) AS small, sum(sign) AS balance, max_by(sign, row) AS last
        FROM rows WHERE a <> b AND sign <> 0 GROUP BY greatest(a, b), least(a, b))
    WHERE balance > 0 OR balance = 0 AND last > 0"""


def half_steps(spark: SparkSession, edges: DataFrame, work: Path) -> Iterator[tuple[str, DataFrame, int]]:
    """The half-steps until no edge changes: what each is called, its edges, and how many they are.

    `edges` are distinct, from `big` to `small`, codes of nodes. In the last ones each node that is not the first of
    its component points to that. Each lies on disk before the next begins, so that no plan grows.
    """
    from pyspark.sql import functions as F

    before, last = None, work / "edges"
    write(edges, last)
    edges = read(spark, last)
    for turn in count(1):
        for name, half_step in (("large star", _large), ("small star", _small)):
            place = work / f"{name}-{turn}".replace(" ", "-")
            write(half_step(edges), place)
            shutil.rmtree(last)
            edges, last = read(spark, place), place
            # As many edges can be others: the count alone stands still some rounds too early.
            state = edges.agg(F.count("*"), F.sum(F.xxhash64("big", "small").cast("decimal(38,0)"))).first()
            yield f"{name} {turn}", edges, state[0]
        if state == before:
            return
        before = state


def _large(edges: DataFrame) -> DataFrame:
    """All larger neighbours of a node are joined to its least neighbour, or to itself where that is less."""
    from pyspark.sql import functions as F

    return _with_least(edges, "small").select("big", F.coalesce("least", "small").alias("small")).distinct()


def _small(edges: DataFrame) -> DataFrame:
    """A node and its smaller neighbours are joined to the least of these."""
    from pyspark.sql import functions as F

    found = _with_least(edges, "big")
    others = found.where("small <> least").select(F.col("small").alias("big"), F.col("least").alias("small"))
    return others.union(found.select("big", F.col("least").alias("small"))).distinct()


def _with_least(edges: DataFrame, end: str) -> DataFrame:
    """Edges, each with the least of the smaller neighbours of one of its ends, null without any.

    Where an end has very many edges, as the root of a giant cluster has, its neighbour goes to all machines instead
    of its edges to one.
    """
    from pyspark.sql import functions as F

    least = edges.groupBy(F.col("big").alias("node")).agg(F.min("small").alias("least"))
    heavy = edges.groupBy(F.col(end).alias("node")).count().where(F.col("count") > HEAVY).drop("count")
    edges = edges.withColumn("node", F.col(end))
    of_heavy = edges.join(F.broadcast(heavy.join(least, "node", "left")), "node")
    others = edges.join(F.broadcast(heavy), "node", "left_anti").join(least, "node", "left")
    return of_heavy.unionByName(others)
