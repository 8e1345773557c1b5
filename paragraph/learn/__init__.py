"""Encoders: texts as vectors, kept on disk; a trained reader of pairs; the package's logistic regression.

All of this needs ``pip install '.[learn]'``. Names load when they are first used: torch takes seconds.
"""

from .. import lazy_names

_HOME = {
    "encode": "vectors",
    "Description": "encoder",
    "MissingModel": "encoder",
    "describe": "encoder",
    "Adapter": "adapter",
}

__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
