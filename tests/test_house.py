"""The house itself: environments that agree, imports that run one way, notebooks stored without outputs."""

import ast
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml

from benchmarks.lines import lines_of
from benchmarks.scripts import css_tokens, js_tokens

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
#: Extras that few need and that bring much: conda users install them with pip. `ja`: GiNZA (1.1 GB); `scale`: DuckDB;
#: `spark`: Spark (470 MB), which needs Java.
LEFT_OUT = {"ja", "scale", "spark"}
CONDA_NAMES = {"pytorch": "torch", "matplotlib-base": "matplotlib", "nbconvert-core": "nbconvert"}


def requirements(lines):
    found = {}
    for line in lines:
        name, bound = re.fullmatch(r"([\w.-]+)(>=[\w.]+)?", line).groups()
        found[CONDA_NAMES.get(name, name).lower()] = bound
    return found


def wanted(left_out=()):
    extras = (extra for name, extra in PROJECT["optional-dependencies"].items() if name not in left_out)
    return requirements([*PROJECT["dependencies"], *chain.from_iterable(extras)])


def test_conda_environment_asks_for_what_the_project_asks_for():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pip = next(entry["pip"] for entry in environment if isinstance(entry, dict))
    assert pip[-1] == "-e ."
    conda = requirements([entry for entry in environment if isinstance(entry, str)] + pip[:-1])
    assert conda.pop("python") == PROJECT["requires-python"]
    assert conda.pop("pip") is None
    assert conda == wanted(LEFT_OUT)


def test_constraints_pin_every_requirement_at_or_above_its_lower_bound():
    pins = dict(
        re.fullmatch(r"([\w.-]+)==([\w.]+)(?:\+\w+)?", line).groups()
        for line in (ROOT / "constraints.txt").read_text().lower().splitlines()
        if line and not line.startswith("#")
    )
    pins = {name.replace("_", "-"): version for name, version in pins.items()}
    for name, bound in wanted().items():
        pin, least = ([int(part) for part in re.findall(r"\d+", version)] for version in (pins[name], bound))
        assert pin >= least, name


def test_import_is_light():
    absent = ["torch", "transformers", "matplotlib", "networkx", "pyvis", "scipy"]
    code = (
        "import sys, paragraph.draw; paragraph.ParaphraseGraph; paragraph.read_pairs; paragraph.infer;"
        f"print([name for name in {absent!r} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


#: The rooms of the package from the ground up: a room may import those below it.
CORE = ["files", "words", "pairs", "graph", "balance", "draw", "learn", "doubts", "decisions", "serving", "widgets",
        "cli"]  # fmt: skip
#: What the core does not import and runs without; no wing imports another.
WINGS = ["lesson", "atlas", "scale", "papers"]
ROOMS = CORE + WINGS
#: The folders of `papers`, likewise.
PAPERS = ["models", "experiments", "distance", "collection", "tags", "texts", "japanese", "claims"]
FILES = sorted((ROOT / "paragraph").rglob("*.py"))


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text())


def module_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in FILES}


def imports(path, typing=True):
    """The modules of this package that a file imports, inside functions too; with `typing`, for type checking."""
    own = module_of(path).split(".")
    package = own if path.name == "__init__.py" else own[:-1]
    found, left = set(), [tree_of(path)]
    while left:
        node = left.pop()
        if not typing and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*base, *([node.module] if node.module else [])])
            if base in MODULES:
                inner = {f"{base}.{alias.name}" for alias in node.names}
                found.update(inner & MODULES or {base})
        left.extend(ast.iter_child_nodes(node))
    return found - {"paragraph"}


@functools.cache
def arrows():
    """Pairs of a module and one that it imports."""
    return [(module_of(path), imported) for path in FILES for imported in imports(path, typing=False)]


def room_of(module):
    return module.split(".")[1] if "." in module else ""


def folder_of(module):
    """The folder of `papers` that holds a module; "" for the core."""
    return module.split(".")[2] if module.startswith("paragraph.papers.") else ""


def test_there_are_these_rooms_and_nothing_beside_them():
    for inside, names in (("paragraph", ROOMS), ("paragraph/papers", PAPERS)):
        folders = {path.name for path in (ROOT / inside).iterdir() if path.is_dir() and path.name != "__pycache__"}
        assert folders == set(names)
    assert {path.name for path in (ROOT / "paragraph").glob("*.py")} == {"__init__.py", "__main__.py"}


def test_imports_run_upwards():
    for of, names in ((room_of, ROOMS), (folder_of, PAPERS)):
        inside = [arrow for arrow in arrows() if {of(arrow[0]), of(arrow[1])} <= set(names)]
        assert inside and [arrow for arrow in inside if names.index(of(arrow[1])) > names.index(of(arrow[0]))] == []


def test_one_door_leads_to_the_wings():
    """Only `paragraph/__init__.py` names a wing, be it in an import or in the string of a lazy one."""
    assert [(m, i) for m, i in arrows() if room_of(i) in WINGS and room_of(m) != room_of(i)] == []
    path = re.compile(rf"(paragraph)?\.+({'|'.join(WINGS)})(\.\w+)*")
    named = [
        (module_of(file), node.value)
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and path.fullmatch(node.value)
    ]
    assert [(module, text) for module, text in named if room_of(module) not in WINGS] == []


@pytest.mark.long
def test_the_core_runs_without_the_wings(tmp_path):
    shutil.copytree(ROOT / "paragraph", tmp_path / "paragraph", ignore=shutil.ignore_patterns(*WINGS, "__pycache__"))
    (tmp_path / "data").symlink_to(ROOT / "data")
    core = sorted(module for module in MODULES if room_of(module) not in (*WINGS, "__main__"))
    code = f"""
import importlib, sys, paragraph as pg
for module in {core!r}:
    importlib.import_module(module)
[getattr(pg, name) for name in dir(pg) if name not in pg._DOORS]
graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
pg.Explorer(graph), pg.ConflictReview(graph, "log.db", reviewer="A"), pg.overview(graph)
print(pg.__file__, pg.infer(graph).counts()["positive"], len(pg.repair(graph)))
"""
    asked = [sys.executable, "-W", "ignore", "-c", code]
    out = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": ""})
    assert out.stdout.split() == [str(tmp_path / "paragraph" / "__init__.py"), "616", "52"], out.stderr


def test_no_files_import_each_other_in_a_circle():
    import networkx as nx

    files = nx.DiGraph([(module_of(path), imported) for path in FILES for imported in imports(path)])
    assert [sorted(circle) for circle in nx.strongly_connected_components(files) if len(circle) > 1] == []


def test_no_file_is_longer_than_a_reader_keeps_in_mind():
    lines = {path: lines_of(path.read_text())["code"] for path in FILES}
    assert {path: code for path, code in lines.items() if code > 270} == {}


@pytest.mark.parametrize(
    ("tokens_of", "source", "tokens"),
    [
        (js_tokens, "a => b?.c ?? 'it\\'s' // no token", "a => b ?. c ?? 'it\\'s'"),
        (js_tokens, "x = a / 2 + /[/*]\\/(y)/g.test(s) /* nor this */", "x = a / 2 + /[/*]\\/(y)/g . test ( s )"),
        (js_tokens, "`of ${ {n: `${m}`}.n } ${k}`;", "`of_${ { n : `${ m }` } . n }_${ k }` ;"),
        (js_tokens, "return /a b/", "return /a_b/"),
        (css_tokens, "/* why */ .pg::before { --ink: #fff; margin: -.5em }",
         ". pg :: before { --ink : #fff ; margin : -.5em }"),
    ],
)  # fmt: skip
def test_tokens_of_scripts(tokens_of, source, tokens):
    assert [token.replace(" ", "_") for token in tokens_of(source)] == tokens.split()


SCRIPTS = sorted(path for end in ("js", "css") for path in (ROOT / "paragraph").rglob(f"*.{end}"))


def test_no_line_of_javascript_or_css_is_longer_than_prettier_may_make_it():
    width = json.loads((ROOT / ".prettierrc.json").read_text())["printWidth"]
    lines = [(path.name, line) for path in SCRIPTS for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 5000 and width == 110
    assert [(name, line) for name, line in lines if len(line) > width] == []


def test_no_folder_and_no_module_is_called_like_a_public_function():
    import paragraph

    folders = {path.name for path in (ROOT / "paragraph").rglob("*") if path.is_dir()}
    functions = {name for name in paragraph.__all__ if name.islower() and callable(getattr(paragraph, name))}
    assert not folders & functions
    for path in FILES:
        assert path.stem != path.parent.name and not path.stem.startswith(f"{path.parent.name}_"), path


def test_torch_is_imported_in_learn_and_papers_alone():
    for path in FILES:
        if room_of(module_of(path)) not in ("learn", "papers"):
            assert not re.search(r"^\s*(import|from) torch\b", path.read_text(), re.M), f"{path} imports torch"


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").rglob("*.ipynb")), ids=lambda p: p.name)
def test_notebooks_are_stored_without_outputs(path):
    for cell in json.loads(path.read_text())["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None
