"""One site that works without a network: a front page, the notebooks as they ran, a reference of every public name.

python docs/build.py                  to build/docs/index.html
python docs/build.py --reference      the reference and the pages of this folder, without the notebooks
"""

from __future__ import annotations

import argparse
import json
import os.path
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from html import unescape
from importlib import import_module
from inspect import getdoc, ismodule
from pathlib import Path, PurePosixPath

import jinja2
import mistune
import nbformat
import pdoc
import pdoc.render

import paragraph as pg
from paragraph import balance, draw
from paragraph.draw.figures import to_svg
from paragraph.draw.page import source as text_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NOTEBOOKS = ROOT / "notebooks"
#: Documented beside `paragraph` itself: the rooms that users import from.
ROOMS = ("balance", "draw", "learn", "widgets", "lesson", "papers", "papers.experiments", "papers.claims")
STYLES = (NOTEBOOKS / "_template" / "paragraph" / "style.css", HERE / "_template" / "site.css")
#: Pages of the repository, and their names on the site.
PAGES = {f"docs/{path.name}": f"{path.stem}.html" for path in sorted(HERE.glob("*.md"))} | {
    "CONTRIBUTING.md": "contributing.html",
    "CHANGELOG.md": "changes.html",
    "data/README.md": "data.html",
    "data/results/README.md": "results.html",
}
#: Files that pages lead to.
FILES = {"LICENSE": "LICENSE.txt", "data/results/judged.tsv": "judged.tsv", "docs/review.gif": "review.gif"}
PLACES = PAGES | FILES | {"README.md": "index.html"}
#: The conflict of the README: its negative is right, and a positive on the path between the two is wrong.
CONFLICT = (
    "How do I study for a big exam in only one night?",
    "exam in 7 days and i haven't opened the book, how should i revise",
)

templates = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE / "_template"), autoescape=True)
to_html = mistune.create_markdown(plugins=["table"])


# -- pages of Markdown -----------------------------------------------------------------------------------------


def plain(html: str) -> str:
    """The text of some HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def anchor(title: str) -> str:
    """The id of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def relink(html: str, source: str, target: str) -> str:
    """Lead links of a page of the repository, `source`, to places of the site; `target` is the page's own."""

    def on_the_site(link: re.Match) -> str:
        path = os.path.normpath(PurePosixPath(source).parent / link[2])
        if path.endswith(".ipynb"):
            path = path.removesuffix("ipynb") + "html"
        elif path in PLACES:
            path = PLACES[path]
        else:
            return link[0]
        return link[1] + os.path.relpath(path, PurePosixPath(target).parent)

    return re.sub(r'((?:href|src)=")((?!\w+:)[^"#]+)', on_the_site, html)


def page_of(source: str) -> str:
    """The body of a page of Markdown; headings can be linked to."""

    def with_id(heading: re.Match) -> str:
        _, level, title = heading.group(0, 1, 2)
        return f'<h{level} id="{anchor(plain(title))}">{title}</h{level}>'

    html = to_html((ROOT / source).read_text(encoding="utf-8"))
    html = re.sub(r"<h([1-4])>(.*?)</h\1>", with_id, html)
    return relink(html, source, PLACES[source])


def title_of(source: str) -> str:
    """The heading of a page."""
    return (ROOT / source).read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def build_pages(output: Path) -> None:
    """Write the pages of Markdown, and the files that they lead to."""
    template = templates.get_template("page.html.j2")
    for source, name in PAGES.items():
        page = template.render(title=title_of(source), css=text_of(*STYLES), body=page_of(source))
        (output / name).write_text(page, encoding="utf-8")
    for source, name in FILES.items():
        shutil.copy(ROOT / source, output / name)
    (output / ".nojekyll").touch()


def build_reference(output: Path) -> None:
    """Write the reference of `paragraph` and of its public rooms."""
    pdoc.render.configure(
        docformat="numpy",
        show_source=False,
        footer_text=f"paragraph {pg.__version__}",
        template_directory=HERE / "_template" / "reference",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # annotations that name types imported for type checkers only
        pdoc.pdoc("paragraph", *(f"paragraph.{room}" for room in ROOMS), output_directory=output)
    for path in output.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        ids = set(re.findall(r'\bid="([^"]+)"', html))
        path.write_text(unlink(html, ids), encoding="utf-8")


def unlink(html: str, ids: set[str]) -> str:
    """Make text of links to what a page does not show, such as an inherited name."""

    def known(link: re.Match) -> str:
        return link[0] if link[1] in ids else link[2]

    return re.sub(r'<a href="#([^"]*)">(.*?)</a>', known, html)


# -- the front page --------------------------------------------------------------------------------------------


def sections(text: str, name: str, id_of: Callable[[str], str]) -> Iterator[list[str]]:
    """The sections of a page of Markdown for a search: title, page, address, text."""
    page = text.splitlines()[0].lstrip("# ")
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for part in re.split(r"^(?=#{1,4} )", text, flags=re.MULTILINE):
        title, _, body = part.partition("\n")
        title = plain(to_html(title))
        if title:
            yield [title, page, f"{name}#{id_of(title)}", plain(to_html(body))]


def names_of(module: str) -> Iterator[list[str]]:
    """The public names of a module for a search."""
    page = f"reference/{module.replace('.', '/')}.html"
    room = import_module(module)
    for name in room.__all__:
        value = getattr(room, name)
        if not ismodule(value):
            about = (getdoc(value) or "").partition("\n\n")[0]
            yield [f"{module}.{name}", "reference", f"{page}#{name}", about]


def search_index() -> list[list[str]]:
    """Everything that the search of the front page finds."""
    found = []
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        name = path.relative_to(ROOT).with_suffix(".html").as_posix()
        found += sections(text, name, lambda title: title.replace(" ", "-"))
    for source, name in PAGES.items():
        found += sections((ROOT / source).read_text(encoding="utf-8"), name, anchor)
    for module in ("paragraph", *(f"paragraph.{room}" for room in ROOMS)):
        found += names_of(module)
    return found


def build_front(output: Path) -> None:
    """Write the front page: the README's conflict, the Lab and the map, which live without Python."""
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    explorer = pg.Explorer(graph)
    explorer.selection = CONFLICT
    explorer.save(output / "clusters.html")
    pg.TriadLab().save(output / "lab.html")
    atlas = pg.Atlas(graph, by="words")
    atlas.save(output / "map.html")
    atlas.save(output / "map.png")
    europe = balance.presets.europe(1907)
    figure = draw.draw_signed(europe, camps=balance.balance(europe))
    (output / "camps.svg").write_text(to_svg(figure, "Europe in 1907"), encoding="utf-8")
    story = (ROOT / "README.md").read_text(encoding="utf-8").split("\n\n")
    index = json.dumps(search_index(), ensure_ascii=False).replace("<", r"\u003c")
    page = templates.get_template("front.html.j2").render(
        css=text_of(*STYLES),
        version=pg.__version__,
        lead=relink(to_html(story[1]), "README.md", "index.html"),
        index=index,
        search=text_of(HERE / "_template" / "search.js"),
        pages={name: title_of(source) for source, name in PAGES.items()},
    )
    (output / "index.html").write_text(page, encoding="utf-8")


def build_notebooks(output: Path) -> int:
    """Execute the notebooks and write their pages; returns the exit status."""
    command = [sys.executable, NOTEBOOKS / "build.py", "--home", "../index.html", "-o", output / "notebooks"]
    failed = subprocess.run(list(map(str, command))).returncode
    relink_notebooks(output / "notebooks")
    return failed


def relink_notebooks(folder: Path) -> None:
    """Lead links of notebooks to other pages of the repository to their places on the site."""
    for path in folder.rglob("*.html"):
        if path.parent.name != "live":
            name = path.relative_to(folder.parent).as_posix()
            path.write_text(relink(path.read_text(encoding="utf-8"), name, name), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--reference", action="store_true", help="leave the notebooks out")
    options = parser.parse_args(arguments)
    build_reference(options.output / "reference")
    build_pages(options.output)
    if options.reference:
        return 0
    build_front(options.output)
    failed = build_notebooks(options.output)
    print(f"the site: {options.output / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
