"""One site that works without a network: a front page, the notebooks as they ran, a reference of every public name.

python docs/build.py [FOLDER]         to build/docs/index.html
"""

from __future__ import annotations

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
from pathlib import Path

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
#: `paragraph`, and the rooms that users import from.
ROOMS = [
    "paragraph", "paragraph.balance", "paragraph.draw", "paragraph.learn", "paragraph.widgets", "paragraph.lesson",
    "paragraph.papers", "paragraph.papers.experiments", "paragraph.papers.claims",
]  # fmt: skip
STYLES = (NOTEBOOKS / "_template" / "paragraph" / "style.css", HERE / "_template" / "site.css")
#: Pages of the repository, and their names on the site.
PAGES = {f"docs/{path.name}": f"{path.stem}.html" for path in sorted(HERE.glob("*.md"))} | {
    "CONTRIBUTING.md": "contributing.html",
    "CHANGELOG.md": "changes.html",
    "data/README.md": "data.html",
    "data/results/README.md": "results.html",
}
#: Files that pages lead to.
FILES = {
    "LICENSE": "LICENSE.txt",
    "data/results/judged.tsv": "judged.tsv",
    "docs/review.gif": "review.gif",
}
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
        path = os.path.normpath(Path(source).parent / link[2])
        place = PLACES.get(path, path.replace(".ipynb", ".html"))
        return link[0] if place == path else link[1] + os.path.relpath(place, Path(target).parent)

    return re.sub(r'((?:href|src)=")((?!\w+:)[^"#]+)', on_the_site, html)


def page_of(source: str) -> str:
    """The body of a page of Markdown; headings can be linked to."""

    def with_id(heading: re.Match) -> str:
        _, level, title = heading.group(0, 1, 2)
        return f'<h{level} id="{anchor(plain(title))}">{title}</h{level}>'

    html = to_html(text_of(ROOT / source))
    html = re.sub(r"<h([1-4])>(.*?)</h\1>", with_id, html)
    return relink(html, source, PLACES[source])


def title_of(source: str) -> str:
    """The heading of a page."""
    return text_of(ROOT / source).splitlines()[0].lstrip("# ")


def build_pages(output: Path) -> None:
    """Write the pages of Markdown, and the files that they lead to."""
    template = templates.get_template("page.html.j2")
    for source, name in PAGES.items():
        page = template.render(title=title_of(source), css=text_of(*STYLES), body=page_of(source))
        (output / name).write_text(page, "utf-8")
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
        # annotations that name types imported for type checkers only
        warnings.simplefilter("ignore")
        pdoc.pdoc(*ROOMS, output_directory=output)
    for path in output.rglob("*.html"):
        path.write_text(unlink(text_of(path)), "utf-8")


def unlink(html: str) -> str:
    """Make text of links to what a page does not show, such as an inherited name."""
    for name in set(re.findall(r'href="#([^"]*)"', html)):
        if f'id="{name}"' not in html:
            html = re.sub(f'<a href="#{re.escape(name)}">(.*?)</a>', r"\1", html)
    return html


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


def names_of(room: str) -> Iterator[list[str]]:
    """The public names of a room for a search."""
    page = f"reference/{room.replace('.', '/')}.html"
    module = import_module(room)
    for name in module.__all__:
        value = getattr(module, name)
        if not ismodule(value):
            about = (getdoc(value) or "").partition("\n\n")[0]
            yield [f"{room}.{name}", "reference", f"{page}#{name}", about]


def search_index() -> list[list[str]]:
    """Everything that the search of the front page finds."""
    found = []
    for path in sorted(NOTEBOOKS.rglob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        name = path.relative_to(ROOT).with_suffix(".html").as_posix()
        found += sections(text, name, lambda title: title.replace(" ", "-"))
    for source, name in PAGES.items():
        found += sections(text_of(ROOT / source), name, anchor)
    for room in ROOMS:
        found += names_of(room)
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
    atlas.figure().savefig(output / "map.png", dpi=150)
    europe = balance.presets.europe(1907)
    figure = draw.draw_signed(europe, camps=balance.balance(europe))
    (output / "camps.svg").write_text(to_svg(figure, "Europe in 1907"), "utf-8")
    story = text_of(ROOT / "README.md").split("\n\n")
    index = json.dumps(search_index(), ensure_ascii=False).replace("<", r"\u003c")
    page = templates.get_template("front.html.j2").render(
        css=text_of(*STYLES),
        version=pg.__version__,
        lead=relink(to_html(story[1]), "README.md", "index.html"),
        index=index,
        search=text_of(HERE / "_template" / "search.js"),
        pages={name: title_of(source) for source, name in PAGES.items()},
    )
    (output / "index.html").write_text(page, "utf-8")


def build_notebooks(output: Path) -> int:
    """Execute the notebooks and write their pages; returns the exit status."""
    command = [
        sys.executable,
        NOTEBOOKS / "build.py",
        "--home",
        "../index.html",
        "-o",
        output / "notebooks",
    ]
    failed = subprocess.run(command).returncode
    relink_notebooks(output / "notebooks")
    return failed


def relink_notebooks(folder: Path) -> None:
    """Lead links of notebooks to other pages of the repository to their places on the site."""
    for path in folder.rglob("*.html"):
        if path.parent.name != "live":
            name = path.relative_to(folder.parent).as_posix()
            path.write_text(relink(text_of(path), name, name), "utf-8")


def main(folder: str | Path = ROOT / "build" / "docs") -> int:
    output = Path(folder)
    build_reference(output / "reference")
    build_pages(output)
    build_front(output)
    failed = build_notebooks(output)
    print(f"the site: {output / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
