"""One site that works without a network: the notebooks as they ran, and a reference of every public name.

python docs/build.py                  to build/docs/index.html
python docs/build.py --reference      the reference and the pages of this folder, without the notebooks
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import warnings
from pathlib import Path

import mistune
import pdoc
import pdoc.render

import paragraph

ROOT = Path(__file__).resolve().parents[1]
#: Documented beside `paragraph` itself: the rooms that users import from.
ROOMS = ("balance", "draw", "learn", "widgets", "lesson", "papers", "papers.experiments", "papers.claims")

FRONT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>paragraph</title>
<style>{css}</style>
</head>
<body class="contents">
<main>
<h1>paragraph</h1>
<p>A workbench for paraphrase datasets, seen as signed graphs. Version {version}. These pages need no network.</p>
<ul>
<li><a href="notebooks/index.html">The notebooks</a><p>Each as it ran, pictures included. Start here.</p></li>
<li><a href="clusters.html">The Explorer, live</a><p>All clusters of the shipped corpus: search, click, and ask
why. Written by <code>pg.Explorer(graph).save("clusters.html")</code>.</p></li>
<li><a href="lab.html">The Triad Lab, live</a><p>Signed graphs that answer each click, and exercises that check
themselves. Written by <code>pg.TriadLab().save("lab.html")</code>.</p></li>
<li><a href="reference/paragraph.html">The reference</a><p>Every public function and class, with examples that run
in the tests.</p></li>
{pages}
</ul>
</main>
</body>
</html>
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{css}</style>
</head>
<body class="contents">
<main>
{body}
<p><a href="index.html">All pages</a></p>
</main>
</body>
</html>
"""


def build_reference(output: Path) -> None:
    """Write the reference of `paragraph` and of its public rooms."""
    pdoc.render.configure(docformat="numpy", show_source=False, footer_text=f"paragraph {paragraph.__version__}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # annotations that name types imported for type checkers only
        pdoc.pdoc("paragraph", *(f"paragraph.{room}" for room in ROOMS), output_directory=output)


def title_of(source: Path) -> str:
    """The heading of a page."""
    return source.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def build_pages(output: Path, css: str) -> None:
    """Write the pages of this folder."""
    to_html = mistune.create_markdown(plugins=["table"])
    for source in Path(__file__).parent.glob("*.md"):
        text = source.read_text(encoding="utf-8")
        body = re.sub(r'href="(\w+)\.md"', r'href="\1.html"', to_html(text))
        page = PAGE.format(title=title_of(source), css=css, body=body)
        (output / f"{source.stem}.html").write_text(page, encoding="utf-8")


def build_demonstrations(output: Path) -> None:
    """Write pages that live without Python."""
    graph = paragraph.ParaphraseGraph.from_pairs(paragraph.read_pairs(paragraph.DEMO))
    paragraph.Explorer(graph).save(output / "clusters.html")
    paragraph.TriadLab().save(output / "lab.html")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--reference", action="store_true", help="leave the notebooks out")
    options = parser.parse_args(arguments)
    build_reference(options.output / "reference")
    css = (ROOT / "notebooks" / "_template" / "paragraph" / "style.css").read_text(encoding="utf-8")
    build_pages(options.output, css)
    if options.reference:
        return 0
    titles = {source.stem: title_of(source) for source in sorted(Path(__file__).parent.glob("*.md"))}
    pages = "\n".join(f'<li><a href="{name}.html">{title}</a></li>' for name, title in titles.items())
    page = FRONT.format(css=css, version=paragraph.__version__, pages=pages)
    (options.output / "index.html").write_text(page, encoding="utf-8")
    build_demonstrations(options.output)
    command = [sys.executable, ROOT / "notebooks" / "build.py", "-o", options.output / "notebooks"]
    failed = subprocess.run(list(map(str, command))).returncode
    print(f"the site: {options.output / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
