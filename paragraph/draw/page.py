"""Pictures and files of JavaScript or CSS as parts of an HTML page."""

from __future__ import annotations

import base64
import io
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["image_of", "png_image", "source", "svg_image"]


def svg_image(svg: str, title: str) -> str:
    """An SVG as an HTML image, which runs no script and shows in untrusted notebooks."""
    return image_of("svg+xml", svg.encode("utf-8"), title)


def png_image(figure: Figure, title: str) -> str:
    """A figure of matplotlib as an HTML image."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    return image_of("png", picture.getvalue(), title)


def image_of(kind: str, data: bytes, title: str) -> str:
    """A picture of some kind ("png", "svg+xml") as an HTML image."""
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
    return f'<img alt="{escape(title)}" style="max-width: 100%" src="{source}">'


@cache
def source(*paths: Path) -> str:
    """Return files of JavaScript or CSS as one text, with the same line ends everywhere: policies name hashes."""
    texts = [path.read_text("utf-8") for path in paths]
    return "\n".join(texts).replace("\r\n", "\n")
