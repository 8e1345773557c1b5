"""Tokens of JavaScript and CSS: strings, parts of templates, regular expressions, numbers, names, punctuators."""

import re
from collections.abc import Iterator

__all__ = ["css_tokens", "js_tokens"]

_STRING = r""" "(?:[^"\\\n]|\\.|\\\n)*" | '(?:[^'\\\n]|\\.|\\\n)*' """
_NUMBER = r"0[xXbBoO][\da-fA-F_]+n? | (?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?"
_JS = re.compile(
    rf"""(?P<blank>\s+ | //[^\n]* | /\*.*?\*/)
    | (?P<template>`) | (?P<string>{_STRING}) | (?P<number>{_NUMBER}) | (?P<name>[\#@]?[\w$]+)
    | (?P<regex>/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*)
    | (?P<punctuator>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=
        |=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|\*\*|[-{{}}()[\];,<>+*/%&|^!~?:=.])""",
    re.X | re.S,
)
# of a template, up to its end or to a value in it
_PART = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.S)
#: After one of these a slash begins a regular expression; after another name, or the end of a value, it divides.
_BEFORE_A_VALUE = {
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "else",
    "do",
}
_BEFORE_A_VALUE |= {"await", "yield", "instanceof"}
_CSS = re.compile(
    rf"""(?P<blank>\s+ | /\*.*?\*/)
    | (?P<string>{_STRING}) | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:%|[a-zA-Z]+)?)
    | (?P<name>[@\#]?-{{0,2}}[\w\\][\w\\-]*) | (?P<punctuator>::|[~|^$*]=|\S)""",
    re.X | re.S,
)


def css_tokens(source: str) -> list[str]:
    """Return the tokens of a style sheet, without comments."""
    return [match.group() for match in _CSS.finditer(source) if match.lastgroup != "blank"]


def js_tokens(source: str) -> list[str]:
    """Return the tokens of a script, without comments. A template has one more than values stand in it."""
    return list(_js(source))


def _js(source: str) -> Iterator[str]:
    # templates: depth of braces around each that is open
    at, last, depth, templates = (
        0,
        None,
        0,
        [],
    )
    while at < len(source):
        match = _JS.match(source, at)
        if match is None:
            raise ValueError(f"no token of JavaScript: {source[at : at + 40]!r}")
        kind, text = match.lastgroup, match.group()
        if kind == "regex" and _ends_value(last):
            kind, text = "punctuator", "/"
        in_template = kind == "template" or (text == "}" and templates and templates[-1] == depth)
        if in_template:
            text += _PART.match(source, at + 1).group()
            templates += [depth] if kind == "template" else []
            if text.endswith("`"):
                templates.pop()
        elif text in ("{", "}"):
            depth += 1 if text == "{" else -1
        at += len(text)
        if kind != "blank":
            yield text
            last = (kind, text) if not in_template or text.endswith("`") else None


def _ends_value(last: tuple[str, str] | None) -> bool:
    if last is None:
        return False
    kind, text = last
    if kind == "name":
        return text not in _BEFORE_A_VALUE
    return kind != "punctuator" or text in (")", "]", "}") or text.endswith("`")
