"""The experiments this field argues about, on anyone's data: each says what it found, and what it could have found.

Every run can be killed and continued (`runs`), takes a `seed`, and ends in small tables without sentences.
"""

from .plant import plant_errors

__all__ = ["plant_errors"]
