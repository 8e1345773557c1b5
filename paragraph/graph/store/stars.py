"""Connected components of more edges than one machine holds: every component becomes a star, by joins alone.

Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii (2014), Connected components in MapReduce and beyond, SoCC,
sections 2 and 3: two half-steps in turn, each of which keeps the components.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

__all__ = ["POSITIVE", "half_steps", "read", "write"]

HEAVY = 1 << 17  #: edges of one node, from which on they are not joined by one machine

#: The positive pairs of some rows, by the majority of their labels, the later row on a tie: ``big > small``.
POSITIVE = """
    SELECT big, small FROM (
        SELECT greatest(a, b) AS big, least(a, b) AS small, sum(sign) AS balance, max_by(sign, row) AS last
        FROM rows WHERE a <> b AND sign <> 0 GROUP BY greatest(a, b), least(a, b))
    WHERE balance > 0 OR balance = 0 AND last > 0"""
# All larger neighbours of a node are joined to its least neighbour, or to itself where that is less;
# then a node and all its smaller neighbours to the least of these.
_LARGE = "SELECT DISTINCT big, coalesce(least, small) AS small FROM {met}"
_SMALL = "SELECT small AS big, least AS small FROM {met} WHERE small <> least UNION SELECT big, least FROM {met}"


def half_steps(spark: Any, edges: Any, work: Path) -> Iterator[tuple[Path, int]]:
    """Where the edges after each half-step lie, until none changes, and how many they are.

    `edges` are distinct pairs of codes, `big` and `small`; the last ones join all nodes of a component to its first.
    Each step lies on disk before the next begins, so that no plan grows.
    """
    from pyspark.sql import functions as F

    before, last = None, work / "edges"
    write(edges, last)
    for turn in count(1):
        for name, step, end in (("large", _LARGE, "small"), ("small", _SMALL, "big")):
            place = work / f"{name}-{turn}"
            write(spark.sql(step, met=_met(read(spark, last), end)), place)
            shutil.rmtree(last)
            # As many edges can be others: the count alone stands still some rounds too early.
            total = F.sum(F.xxhash64("big", "small").cast("decimal(38,0)"))
            state = read(spark, last := place).agg(F.count("*"), total).first()
            yield place, state[0]
        if state == before:
            return
        before = state


def _met(edges: Any, end: str) -> Any:
    """Edges, each with the `least` of the smaller neighbours of one of its ends, null without any."""
    from pyspark.sql import functions as F

    least = edges.groupBy(F.col("big").alias("node")).agg(F.min("small").alias("least"))
    edges = edges.withColumn("node", F.col(end))
    # The least neighbour of a node with very many edges, as a giant's root, goes to all machines, not they to one.
    heavy = edges.groupBy("node").count().where(F.col("count") > HEAVY).select("node")
    of_heavy = edges.join(F.broadcast(heavy.join(least, "node", "left")), "node")
    return of_heavy.unionByName(edges.join(F.broadcast(heavy), "node", "left_anti").join(least, "node", "left"))


def write(table: Any, place: Path) -> None:
    """Write a table as a folder of Parquet files, on a disk that all machines share."""
    table.write.parquet(f"file://{place.resolve()}")


def read(spark: Any, place: Path) -> Any:
    """The table in a Parquet file, or in a folder of them."""
    return spark.read.parquet("file://" + re.sub(r"([\\*?\[\]{}])", r"\\\1", str(place.resolve())))
