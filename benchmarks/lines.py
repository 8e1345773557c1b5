"""Lines of the package by folder: code, docstrings, comments and blanks apart, tokens, and what is not Python.

A second table says how dense the code is: tokens of a statement, and what packs several thoughts into one, per 1,000
tokens. Tokens are those of Python's tokenizer without comments, docstrings and layout. (Since Python 3.12 an f-string
is several tokens; the figures in the change log are of 3.11.) Those of JavaScript and CSS are as `scripts.py` counts.

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

__all__ = ["density", "lines_of", "packing_of", "statements_of", "table"]

WINGS = ["lesson", "atlas", "scale", "papers"]
#: What packs several thoughts into one statement.
PACKING = ["a, b = x, y", ":=", "text * flag", "x if c else y"]
_LAYOUT = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_TOKENS = {".js": js_tokens, ".css": css_tokens}


def docstrings_of(tree: ast.AST) -> list[ast.Expr]:
    """The docstrings of a module, its classes and functions."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
                found.append(first)
    return found


def lines_of(source: str) -> Counter:
    """Lines of a Python file that hold code, a docstring, a comment alone, nothing; and its tokens."""
    code, doc, comment = set(), set(), set()
    for one in docstrings_of(ast.parse(source)):
        doc.update(range(one.lineno, one.end_lineno + 1))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        rows = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.COMMENT:
            comment.update(rows)
        elif token.type not in _LAYOUT:
            code.update(rows)
    code -= doc
    comment -= code | doc
    total = len(source.splitlines())
    blank = total - len(code) - len(doc) - len(comment)
    lines = {
        "code": len(code),
        "docstrings": len(doc),
        "comments": len(comment),
        "blank": blank,
        "total": total,
    }
    return Counter(lines, files=1, tokens=sum(statements_of(source)))


def statements_of(source: str) -> list[int]:
    """The tokens of each statement, which ends at the end of a logical line; docstrings are none."""
    docs = {(one.lineno, one.col_offset) for one in docstrings_of(ast.parse(source))}
    found, tokens = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE:
            found += [tokens] if tokens else []
            tokens = 0
        elif token.type not in {*_LAYOUT, tokenize.COMMENT} and token.start not in docs:
            tokens += 1
    return found


def packing_of(source: str) -> Counter:
    """Counts of what packs several thoughts into one statement (`PACKING`)."""
    found = Counter()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            found["a, b = x, y"] += isinstance(node.targets[0], ast.Tuple)
        elif isinstance(node, ast.NamedExpr):
            found[":="] += 1
        elif isinstance(node, ast.IfExp):
            found["x if c else y"] += 1
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            found["text * flag"] += any(map(_is_repeated, (node.left, node.right)))
    return found


def _is_repeated(part: ast.expr) -> bool:
    is_text = isinstance(part, ast.Constant) and isinstance(part.value, str)
    return is_text or isinstance(part, ast.JoinedStr | ast.List)


def density(folder: Path) -> pd.DataFrame:
    """Tokens of a statement, and what packs, per 1,000 tokens: of each room, of the core and of all."""
    statements: dict[str, list[int]] = {}
    packing: dict[str, Counter] = {}
    for path in sorted(folder.rglob("*.py")):
        source, room = path.read_text(), _room(path, folder)
        for name in (room, "all") if room in WINGS else (room, "core", "all"):
            statements.setdefault(name, []).extend(statements_of(source))
            packing.setdefault(name, Counter()).update(packing_of(source))
    rooms = sorted(statements, key=lambda name: (name == "all", name == "core", name))
    rows = {}
    for name in rooms:
        each = pd.Series(statements[name])
        row = {"tokens a statement": each.mean(), "nine in ten": each.quantile(0.9)}
        rows[name] = row | {kind: 1000 * packing[name][kind] / each.sum() for kind in PACKING}
    return pd.DataFrame.from_dict(rows, orient="index").round(2)


def _room(path: Path, folder: Path) -> str:
    return path.relative_to(folder).parts[0] if path.parent != folder else "(root)"


def table(folder: Path) -> pd.DataFrame:
    """One row per room of the package, the sum of the core, which is all but the wings, and the sum of all."""
    found: dict[str, Counter] = {}
    for path in sorted(folder.rglob("*")):
        room = _room(path, folder)
        if path.suffix == ".py":
            found.setdefault(room, Counter()).update(lines_of(path.read_text()))
        elif path.suffix in _TOKENS:
            kind, source = path.suffix[1:], path.read_text()
            counted = {
                kind: len(source.splitlines()),
                f"{kind} tokens": len(_TOKENS[path.suffix](source)),
            }
            found.setdefault(room, Counter()).update(counted)
    columns = ["files", "code", "docstrings", "comments", "blank", "total", "tokens"]
    columns += ["js", "js tokens", "css", "css tokens"]
    rows = (
        pd.DataFrame.from_dict(found, orient="index").reindex(columns=columns).fillna(0).astype(int)
    )
    sums = {"core": rows.drop(WINGS, errors="ignore").sum(), "all": rows.sum()}
    return pd.concat([rows, pd.DataFrame.from_dict(sums, orient="index")])


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "paragraph")
    print(table(place).to_string(), density(place).to_string(), sep="\n\n")
