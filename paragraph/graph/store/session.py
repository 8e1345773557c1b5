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
from typing import Any

from ...pairs import PairsError

__all__ = ["read", "session", "write"]

HERE = "127.0.0.1"
OPTIONS = {"driver.bindAddress": HERE, "driver.host": HERE, "ui.enabled": "false", "ui.showConsoleProgress": "false"}
OPTIONS |= {"log.level": "ERROR", "sql.shuffle.partitions": "16"}


@contextmanager
def session(memory: int, work: Path) -> Iterator[Any]:
    """A session: of the active one, of ``spark-submit``, or else on two cores of this machine, as long as needed."""
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise PairsError(
            "engine 'spark' needs pyspark, which is not installed: pip install 'paragraph-workbench[spark]'"
        ) from None
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    active = SparkSession.getActiveSession()
    if active or "PYSPARK_GATEWAY_PORT" in os.environ:  # which spark-submit sets
        yield (active or SparkSession.builder.getOrCreate()).newSession()  # with views and options of its own
        return
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise PairsError("engine 'spark' needs Java 17 or newer, and finds none; install it, or set JAVA_HOME")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    own = OPTIONS | {"driver.memory": f"{max(memory >> 21, 512)}m", "local.dir": f"{work}/spill"}
    options = {f"spark.{name}": value for name, value in own.items()}
    with SparkSession.builder.master("local[2]").appName("paragraph").config(map=options).getOrCreate() as spark:
        yield spark


def write(table: Any, place: Path) -> None:
    """Write a table as a folder of Parquet files, on a disk that all machines share."""
    table.write.parquet(f"file://{place.resolve()}")


def read(spark: Any, place: Path) -> Any:
    """The table in a Parquet file, or in a folder of them."""
    return spark.read.parquet("file://" + re.sub(r"([\\*?\[\]{}])", r"\\\1", str(place.resolve())))
