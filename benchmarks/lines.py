"""Lines of the package by folder: code, docstrings, comments and blanks apart, tokens, and what is not Python.

Tokens are those of Python's tokenizer without comments, docstrings and layout. (Since Python 3.12 an f-string is
several tokens; the figures in the change log are of 3.11.) Those of JavaScript and CSS are as `scripts.py` counts.

python -m benchmarks.lines [FOLDER]
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pandas as pd

from .scripts import css_tokens, js_tokens

__all__ = ["lines_of", "table"]

WINGS = ["lesson", "scale", "papers"]
_TOKENS = {".js": js_tokens, ".css": css_tokens}


def lines_of(source: str) -> Counter:
    """Lines of a Python file that hold code, a docstring, a comment alone, nothing; and its tokens."""
    code, doc, comment, tokens = set(), set(), set(), 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                doc.update(range(first.lineno, first.end_lineno + 1))
    layout = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        rows = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.COMMENT:
            comment.update(rows)
        elif token.type not in layout:
            code.update(rows)
            tokens += not (token.type == tokenize.STRING and token.start[0] in doc)
    code -= doc
    comment -= code | doc
    total = len(source.splitlines())
    blank = total - len(code) - len(doc) - len(comment)
    lines = {"code": len(code), "docstrings": len(doc), "comments": len(comment), "blank": blank, "total": total}
    return Counter(lines, files=1, tokens=tokens)


def table(folder: Path) -> pd.DataFrame:
    """One row per room of the package, the sum of the core, which is all but the wings, and the sum of all."""
    found: dict[str, Counter] = {}
    for path in sorted(folder.rglob("*")):
        room = path.relative_to(folder).parts[0] if path.parent != folder else "(root)"
        if path.suffix == ".py":
            found.setdefault(room, Counter()).update(lines_of(path.read_text()))
        elif path.suffix in _TOKENS:
            kind, source = path.suffix[1:], path.read_text()
            counted = {kind: len(source.splitlines()), f"{kind} tokens": len(_TOKENS[path.suffix](source))}
            found.setdefault(room, Counter()).update(counted)
    columns = ["files", "code", "docstrings", "comments", "blank", "total", "tokens"]
    columns += ["js", "js tokens", "css", "css tokens"]
    rows = pd.DataFrame.from_dict(found, orient="index").reindex(columns=columns).fillna(0).astype(int)
    sums = {"core": rows.drop(WINGS, errors="ignore").sum(), "all": rows.sum()}
    return pd.concat([rows, pd.DataFrame.from_dict(sums, orient="index")])


if __name__ == "__main__":
    print(table(Path(sys.argv[1] if len(sys.argv) > 1 else "paragraph")).to_string())
