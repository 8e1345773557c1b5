"""What a command has written, read from the folder it ran in."""

import json

import pandas as pd
import pytest


def table(path="out.tsv", **options):
    return pd.read_csv(path, sep="\t", keep_default_na=False, **options)


def load_json(path):
    """A file of JSON that every reader takes: without NaN."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=pytest.fail)


def record(path="out.tsv"):
    """What lies beside an output and says how it was made."""
    return load_json(f"{path}.record.json")
