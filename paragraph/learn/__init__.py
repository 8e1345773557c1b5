"""Encoders, and judges of pairs: who says how probable it is that two sentences mean the same.

All of this needs ``pip install '.[learn]'``. Names load when they are first used: torch takes seconds.
"""

from .. import lazy_names

_HOME = {
    "encode": "vectors",
    "Description": "encoder",
    "MissingModel": "encoder",
    "describe": "encoder",
    "Adapter": "adapter",
    "Judge": "judge",
}

__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
