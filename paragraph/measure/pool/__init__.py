"""All pairs of some sentences: which are positive, how a score ranks them, and what that is worth."""
