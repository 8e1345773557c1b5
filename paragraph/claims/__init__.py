"""Published numbers, recomputed: each claim has its source, the value expected, the code, and a verdict.

One file a source; `table` checks them all.
"""

from . import chen, glue, jurisic, mussmann, takahagi, training, tribes, wang
from .checking import CLAIMS, Checked, Claim, claim, table

__all__ = [
    "CLAIMS",
    "Checked",
    "Claim",
    "chen",
    "claim",
    "glue",
    "jurisic",
    "mussmann",
    "table",
    "takahagi",
    "training",
    "tribes",
    "wang",
]
