"""The Spark session that codes pairs: the one that is active, so that work is done where the data lie, or our own."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ...pairs import PairsError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["read", "session", "write"]


@contextmanager
def session(memory: int, work: Path) -> Iterator[SparkSession]:
    """A session to work in: of the active one, or of ``spark-submit``, or on two cores of this machine while it lasts.

    Raises
    ------
    PairsError
        pyspark or Java is not installed.
    """
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise PairsError(
            "engine 'spark' needs pyspark, which is not installed: pip install 'paragraph-workbench[spark]'"
        ) from None
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    if (active := SparkSession.getActiveSession()) is not None:
        yield active.newSession()  # with views and options of its own
        return
    if "PYSPARK_GATEWAY_PORT" in os.environ:  # of spark-submit, which says where
        yield SparkSession.builder.getOrCreate()
        return
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise PairsError("engine 'spark' needs Java 17 or newer, and no java is found; install it or set JAVA_HOME")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": f"{max(memory // 2 >> 20, 512)}m",  # the rest is for Python
        "spark.local.dir": str(work / "spill"),
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "16",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    spark = SparkSession.builder.master("local[2]").appName("paragraph").config(map=options).getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


def write(table: DataFrame, place: Path) -> None:
    """Write a table as a folder of Parquet files, on a disk that all machines share."""
    table.write.parquet(f"file://{place.resolve()}")


def read(spark: SparkSession, place: Path) -> DataFrame:
    """The table in a Parquet file, or in a folder of them."""
    return spark.read.parquet("file://" + re.sub(r"([\\*?\[\]{}])", r"\\\1", str(place.resolve())))
