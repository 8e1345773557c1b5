"""Delimited text, record by record, in plain Python.

Two dialects. *Quoted* is RFC 4180: a field that begins with a quote ends at the next single one, and inside
it delimiters and line ends are text and ``""`` is a quote; a quote anywhere else is an ordinary character.
*Unquoted* has no special character but the delimiter. In both, records end with LF, CR LF or CR, and a blank
line is a record of empty fields, so that row numbers agree with what a spreadsheet or an editor shows.
"""

import re

__all__ = ["each_once", "excerpt", "first_record", "likely_encoding", "not_utf8", "quoting", "records"]

LOOKS_LIKE = ", but looks like "
STRAY = "stray quote (a field begins with one and does not end with one)"


def records(data, delimiter, quoted, width):
    """Yield (row, fields, None) for each record of `width` fields, and (row, line, why) for each bad one.

    A bad record ends with its first line, even where a quote runs on: so a stray quote costs one row, and
    each line of the file is in a row or in a bad one. Linear in the file for any fixed width, because a
    quoted field's search stops at the first lone quote, and a record's at the first surplus field.
    """
    split, line_end = delimiter.encode(), re.compile(rb"\r\n?|\n")
    field = _field_pattern(split)
    start = row = 0
    while start < len(data):
        row += 1
        found = line_end.search(data, start)
        stop, following = found.span() if found else (len(data), len(data))
        line = data[start:stop]
        if not line:
            fields, why = [b""] * width, None
        elif quoted and b'"' in line:
            fields, end, why = _quoted_record(data, start, field, split, width)
            if not why:
                found = line_end.match(data, end)
                following = found.end() if found else len(data)
        else:
            fields = line.split(split)
            why = _ragged(len(fields), width)
        yield row, line if why else fields, why
        start = following


def _field_pattern(split):
    ends = re.escape(split) + rb"\r\n"
    return re.compile(rb'"((?:[^"]++|"")*+)"(?=[%b]|\Z)|[^%b]*+' % (ends, ends))


def _quoted_record(data, start, field, split, width):
    fields, at = [], start
    while True:
        found = field.match(data, at)
        at = found.end()
        if found[1] is not None:
            fields.append(found[1].replace(b'""', b'"'))
        elif found[0].startswith(b'"'):
            return fields, at, STRAY
        else:
            fields.append(found[0])
        if data[at : at + 1] != split:
            return fields, at, _ragged(len(fields), width)
        if len(fields) > width:
            return fields, at, f"more than {width} fields where {width} are expected"
        at += 1


def _ragged(found, width):
    return None if found == width else f"{found} fields where {width} are expected"


def first_record(data, delimiter, quoted):
    """The fields of the first record, as text; all of the first line where its quotes make no sense."""
    line = re.match(rb"[^\r\n]*", data)[0]
    split = delimiter.encode()
    if quoted and b'"' in line:
        fields, _, why = _quoted_record(data, 0, _field_pattern(split), split, 1 << 14)
        fields = line.split(split) if why and why.startswith(STRAY) else fields
    else:
        fields = line.split(split)
    return [field.decode("utf-8", "replace") for field in fields]


def quoting(data, delimiter, width, cut=False):
    """Which reading the quotes in the data are evidence for.

    A field that begins with a quote is a vote for quoting if it ends as a quoted field must, and holds a doubled
    quote, or a delimiter or line end that would leave its line with too few or too many fields. It is a vote
    against if it does not end so, or if its line is whole only without quoting. ``"Yes"`` is a vote for neither.

    Parameters
    ----------
    cut : bool
        Whether `data` is only the beginning of the file.

    Returns
    -------
    str
        ``"quoted"``, ``"unquoted"``, ``"same"`` (no field begins with a quote, so both readings give the same
        rows) or ``"either"``.
    """
    split = delimiter.encode()
    field, runs_on = _field_pattern(split), re.compile(rb'"(?:[^"]++|"")*+')
    if cut:
        data = data[: max(data.rfind(b"\n"), 0)]
    votes = {"quoted": 0, "unquoted": 0, "either": 0}
    at = data.find(b'"')
    while at >= 0 and sum(votes.values()) < 10_000:
        if at and data[at - 1 : at] not in (split, b"\n", b"\r"):
            at = data.find(b'"', at + 1)
            continue
        found = field.match(data, at)
        if found[1] is None:
            if not (cut and runs_on.match(data, at).end() == len(data)):
                votes["unquoted"] += 1
        elif b'""' in found[1]:
            votes["quoted"] += 1
        elif any(mark in found[1] for mark in (split, b"\n", b"\r")):
            line = data[data.rfind(b"\n", 0, at) + 1 : (data.find(b"\n", at) + 1 or len(data) + 1) - 1]
            votes["unquoted" if line.count(split) + 1 == width else "quoted"] += 1
        else:
            votes["either"] += 1
        at = data.find(b'"', max(found.end(), at + 1))
    quoted, unquoted = votes["quoted"], votes["unquoted"]
    if not any(votes.values()):
        return "same"
    if quoted > 20 * unquoted or (quoted == unquoted == 0 and data.startswith(b'"')):
        return "quoted"  # a header in quotes comes from a writer that quotes every text
    return "unquoted" if unquoted > 20 * quoted else "either"


def each_once(items):
    """A dict of the items of a JSON object; ValueError where one key is there twice, and one value would be lost.

    >>> each_once([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    ValueError: key 'a' is there twice
    """
    found = dict(items)
    if len(found) < len(items):
        keys = [key for key, _ in items]
        raise ValueError(f"key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return found


def excerpt(data, length=80):
    text = bytes(data[: 4 * length]).decode("utf-8", "backslashreplace").replace("\0", "\\0")
    return text if len(text) <= length else text[: length - 1] + "…"


def not_utf8(error):
    """Say what is wrong with bytes that are no UTF-8, and which encoding they seem to have."""
    byte, likely = error.object[error.start], likely_encoding(error.object)
    return f"byte 0x{byte:02x} is not UTF-8{LOOKS_LIKE}{likely}"


def likely_encoding(data):
    """The encoding of bytes that are not UTF-8: a Japanese one if that gives kana, else Western European.

    >>> likely_encoding("café".encode("latin-1")), likely_encoding("ねこです".encode("euc-jp"))
    ('cp1252', 'euc-jp')
    """
    for name in ("shift-jis", "euc-jp"):
        text = data.decode(name, "ignore")
        if re.search("[ぁ-んァ-ヶ]", text) and text.encode(name, "ignore") == data:
            return name
    return "latin-1" if re.search(rb"[\x81\x8d\x8f\x90\x9d]", data) else "cp1252"
