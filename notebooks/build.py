"""Execute the notebooks and write each as a web page that works from disk, without a network.

python notebooks/build.py                     every notebook, to build/notebooks/
python notebooks/build.py 00_tour.ipynb -o pages
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from html import escape, unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import jinja2
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert import HTMLExporter
from nbconvert.filters import markdown2html
from tqdm import tqdm
from traitlets.config import Config

from paragraph.draw.network import script_policy

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE / "_template"
HUNG = 1200  # seconds that no cell takes, on any machine

# What a cell left behind, best first. Widgets and JavaScript need a running server or a CDN, so they are
# not in the list: their still twin (a picture, a page, at least a line of text) is what the export shows.
SHOWN = ["text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/plain"]

POLICY = (
    f"default-src 'none'; base-uri 'none'; form-action 'none'; {script_policy()}; "
    "style-src 'unsafe-inline'; img-src data:; font-src data:; frame-src 'self' file:"
)

WIDGET = "application/vnd.jupyter.widget-view+json"
#: A widget that lives, in the place of its still twin, which is for paper.
FRAME = (
    '<div class="live"><iframe loading="lazy" src="{0}" title="{1}"></iframe>'
    '<p><a href="{0}">On a page of its own</a></p></div>'
)


class Page(NamedTuple):
    """One exported notebook, as the list of notebooks shows it."""

    file: str
    title: str
    lead: str


def every() -> list[Path]:
    """All notebooks of this folder: the paths by number, then the further topics."""
    return sorted(HERE.glob("*.ipynb")) + sorted(HERE.glob("papers/*.ipynb"))


def describe(notebook: nbformat.NotebookNode, path: Path) -> Page:
    """Title (the first heading) and lead (the first paragraph) of a notebook."""
    prose = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    html = markdown2html(prose)
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    paragraph = re.search(r"<p>(.*?)</p>", html, re.DOTALL)
    title, lead = (_plain(found.group(1)) if found else "" for found in (heading, paragraph))
    file = path.relative_to(HERE) if path.is_relative_to(HERE) else Path(path.name)
    return Page(file.with_suffix(".html").as_posix(), title or path.stem, lead)


def _plain(html: str) -> str:
    html = re.sub(r'<a class="anchor-link".*?</a>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def execute(notebook: nbformat.NotebookNode, folder: Path, live: Path | None = None) -> None:
    """Run all cells in place, in `folder`; raises what nbclient raises on the first error.

    With `live`, a folder, each widget on display becomes a page there that lives without Python.
    """
    code = f"import runpy; runpy.run_path({str(HERE / 'live.py')!r})['save_pages']({str(live)!r})"
    if live is not None:
        notebook.cells.append(nbformat.v4.new_code_cell(code))
    try:
        NotebookClient(
            notebook,
            timeout=HUNG,
            startup_timeout=HUNG,
            resources={"metadata": {"path": str(folder)}},
            store_widget_state=False,
        ).execute()
    finally:
        if live is not None:
            notebook.cells.pop()


def enliven(notebook: nbformat.NotebookNode, saved: Path, target: Path) -> None:
    """Put the saved page of each widget beside its picture; `target` is the page of the notebook."""
    number = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            page = saved / f"{data.get(WIDGET, {}).get('model_id')}.html"
            if page.is_file():
                number += 1
                name = f"live/{target.stem}-{number}.html"
                (target.parent / "live").mkdir(exist_ok=True)
                title = re.search("<title>(.*?)</title>", html := page.read_text(encoding="utf-8"))[
                    1
                ]
                (target.parent / name).write_text(html, encoding="utf-8")
                data["text/html"] = FRAME.format(escape(name), title)


def to_html(
    notebook: nbformat.NotebookNode,
    page: Page,
    previous: Page | None = None,
    following: Page | None = None,
) -> str:
    """The executed notebook as one self-contained page."""
    config = Config()
    config.NbConvertBase.display_data_priority = SHOWN
    config.CSSHTMLHeaderPreprocessor.style = "xcode"
    exporter = HTMLExporter(
        config=config,
        template_name="paragraph",
        extra_template_basedirs=[str(TEMPLATES)],
        embed_images=True,
    )
    exporter.log.setLevel("ERROR")  # it warns about every picture without an alternative text
    notebook = nbformat.from_dict(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_bar(output)]
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"(\]\((?!\w+:)[^)\s#]+)\.ipynb(?=[)#])", r"\1.html", cell.source)
    resources = {
        "title": page.title, "policy": POLICY, "previous": previous, "following": following,
        "root": "../" * page.file.count("/"),
        "metadata": {"name": page.title, "path": str(HERE)},
    }  # fmt: skip
    html, _ = exporter.from_notebook_node(notebook, resources)
    return html


def _is_bar(output: nbformat.NotebookNode) -> bool:
    """Tell a progress bar: a widget that is gone, whose text stands still at some percentage."""
    data = output.get("data", {})
    text = data.get("text/plain", "") if WIDGET in data else ""
    return bool(re.search(r"\[\d\d:\d\d[<,]", text))


def to_list(pages: list[Page], home: str = "") -> str:
    """The page that lists the others, with a link to the site that they belong to."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES / "paragraph"))
    css = (TEMPLATES / "paragraph" / "style.css").read_text(encoding="utf-8")
    return environment.get_template("list.html.j2").render(
        pages=pages, css=css, policy=POLICY, home=home
    )


def build(paths: list[Path], output: Path, home: str = "") -> dict[Path, Exception]:
    """Execute and export the notebooks; returns those that failed, with the error.

    A notebook that failed is exported too, as far as it came, so that the error can be read in place.
    """
    output.mkdir(parents=True, exist_ok=True)
    notebooks = [nbformat.read(path, as_version=4) for path in paths]
    pages = [describe(notebook, path) for notebook, path in zip(notebooks, paths, strict=True)]
    failed: dict[Path, Exception] = {}
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # two kernels run at a time
    with ThreadPoolExecutor(2) as pool, TemporaryDirectory() as live:
        running = {}
        for number in reversed(range(len(paths))):  # those that train come last, and take longest
            task = pool.submit(execute, notebooks[number], paths[number].parent, Path(live))
            running[task] = number
        for done in tqdm(as_completed(running), total=len(running), desc="notebooks", unit=""):
            number = running[done]
            try:
                done.result()
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                failed[paths[number]] = error
            previous = pages[number - 1] if number else None
            following = pages[number + 1] if number + 1 < len(pages) else None
            target = output / pages[number].file
            target.parent.mkdir(exist_ok=True)
            enliven(notebooks[number], Path(live), target)
            html = to_html(notebooks[number], pages[number], previous, following)
            target.write_text(html, encoding="utf-8")
    (output / "index.html").write_text(to_list(pages, home), encoding="utf-8")
    return failed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "notebooks", nargs="*", type=Path, help="default: every notebook of this folder"
    )
    parser.add_argument("-o", "--output", type=Path, default=HERE.parent / "build" / "notebooks")
    parser.add_argument("--home", default="", help="the page of a site that leads here")
    options = parser.parse_args(arguments)
    paths = options.notebooks or every()
    paths = [path if path.exists() else HERE / path for path in paths]
    for path in paths:
        if not path.is_file():
            parser.error(f"{path}: no such notebook")
    failed = build(paths, options.output, options.home)
    for path, error in failed.items():
        print(f"{path.name}: {error}", file=sys.stderr)
    print(f"{len(paths) - len(failed)} of {len(paths)} notebooks: {options.output / 'index.html'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
