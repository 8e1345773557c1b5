"""Text pairs by the million: synthetic Parquet files, and one process that reads, joins and counts them."""

import json
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BYTES = 60  #: of a sentence
BATCH = 1_000_000


def sentences(codes: np.ndarray) -> pa.StringArray:
    """A sentence of 60 bytes for each number: words of five letters, of which the first six tell the number."""
    state = codes.astype(np.uint64)
    letters = np.full((len(codes), BYTES), ord(" "), np.uint8)
    for at in range(BYTES):
        if at % 6 == 5 and at < BYTES - 1:
            continue
        if at == 12:  # the rest are any letters, and the same for the same number
            state = codes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(8)
        letters[:, at] = 97 + (state % np.uint64(26)).astype(np.uint8)
        state = state // np.uint64(26) + (
            np.uint64(0x51ED2701) * np.uint64(at > 12) ^ state << np.uint64(7)
        )
    offsets = np.arange(len(codes) + 1, dtype=np.int32) * BYTES
    return pa.StringArray.from_buffers(
        len(codes), pa.py_buffer(offsets), pa.py_buffer(letters.ravel())
    )


def pairs(n: int, seed: int = 0):
    """Batches of n labelled pairs of n numbers: near duplicates in groups of many sizes, and a third negatives."""
    rng = np.random.default_rng(seed)
    for start in range(0, n, BATCH):
        size = min(BATCH, n - start)
        a = rng.integers(0, n, size)
        span = np.minimum(rng.zipf(1.6, size), 1000)
        near = a - a % 50 + (a % 50 + span) % 50
        positive = rng.random(size) < 2 / 3
        b = np.where(positive, near, rng.integers(0, n, size))
        yield a, b, positive.astype(np.int8)


def make(folder: Path, n: int, files: int = 4) -> None:
    """Write n pairs into `folder`, in several Parquet files."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([("text_a", pa.string()), ("text_b", pa.string()), ("label", pa.int8())])
    batches = list(range(0, n, BATCH))
    writers = [
        pq.ParquetWriter(folder / f"pairs-{i}.parquet", schema)
        for i in range(min(files, len(batches)))
    ]
    for i, (a, b, label) in enumerate(pairs(n)):
        table = pa.table([sentences(a), sentences(b), pa.array(label)], schema=schema)
        writers[i * len(writers) // len(batches)].write_table(table, row_group_size=1 << 17)
    for writer in writers:
        writer.close()


def watch(peak: dict[str, float]) -> None:
    """Keep the most memory that this process has had, in gigabytes: its own, and with the files that it maps."""
    while True:
        with open("/proc/self/status") as status:
            found = dict(line.split(":") for line in status)
        for name, line in {"own": "RssAnon", "resident": "VmRSS"}.items():
            peak[name] = max(peak.get(name, 0), int(found[line].split()[0]) / 1e6)
        time.sleep(0.01)


def main(engine: str, folder: str, memory: str) -> None:
    """Open the files of a folder and ask: processor seconds of each step, gigabytes of memory and of disk."""
    import paragraph as pg

    peak: dict[str, float] = {}
    if Path("/proc/self/status").exists():
        threading.Thread(target=watch, args=[peak], daemon=True).start()
    began, seconds = time.process_time(), {}

    def took(name: str) -> None:
        seconds[name] = time.process_time() - began - sum(seconds.values())

    with tempfile.TemporaryDirectory(dir=folder) as place:
        files = sorted(Path(folder).glob("*.parquet"))
        store = pg.open_pairs(files, engine, memory, None if engine == "memory" else place)
        took("open")
        counts = store.counts()
        took("count")
        pg.infer(store.graph).sample(1000)
        took("sample 1,000")
        store.cluster(0)
        took("take out the largest cluster")
        disk = sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file()) / 1e9
    print(json.dumps({"seconds": seconds, "memory": peak, "disk": disk, "counts": counts}))


if __name__ == "__main__":
    main(*sys.argv[1:])
