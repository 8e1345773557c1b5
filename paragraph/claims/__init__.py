"""Published numbers, recomputed: `table` checks the claims of ``printed.tsv`` and says how each came out."""

from .checking import CLAIMS, Checked, Claim, claim, table

__all__ = ["CLAIMS", "Checked", "Claim", "claim", "table"]
