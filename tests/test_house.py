"""The house itself: environments that agree, imports that run one way, notebooks stored without outputs."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CONDA_NAMES = {"pytorch": "torch", "matplotlib-base": "matplotlib", "nbconvert-core": "nbconvert"}


def requirements(lines):
    found = {}
    for line in lines:
        name, bound = re.fullmatch(r"([\w.-]+)(>=[\w.]+)?", line).groups()
        found[CONDA_NAMES.get(name, name).lower()] = bound
    return found


def test_conda_environment_asks_for_what_the_project_asks_for():
    wanted = requirements(PROJECT["dependencies"])
    for extra in PROJECT["optional-dependencies"].values():
        wanted |= requirements(extra)
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pip = next(entry["pip"] for entry in environment if isinstance(entry, dict))
    assert pip[-1] == "-e ."
    conda = requirements([entry for entry in environment if isinstance(entry, str)] + pip[:-1])
    assert conda.pop("python") == PROJECT["requires-python"]
    assert conda.pop("pip") is None
    assert conda == wanted


def test_constraints_pin_every_requirement_at_or_above_its_lower_bound():
    pins = dict(
        re.fullmatch(r"([\w.-]+)==([\w.]+)(?:\+\w+)?", line).groups()
        for line in (ROOT / "constraints.txt").read_text().lower().splitlines()
        if line and not line.startswith("#")
    )
    pins = {name.replace("_", "-"): version for name, version in pins.items()}
    wanted = requirements(PROJECT["dependencies"])
    for extra in PROJECT["optional-dependencies"].values():
        wanted |= requirements(extra)

    def numbers(version):
        return [int(part) for part in re.findall(r"\d+", version)]

    for name, bound in wanted.items():
        assert numbers(pins[name]) >= numbers(bound), name


@pytest.mark.parametrize("absent", [["torch", "transformers", "matplotlib", "networkx", "scipy"]])
def test_import_is_light(absent):
    code = (
        "import sys, paragraph; paragraph.ParaphraseGraph; paragraph.read_pairs; paragraph.infer;"
        f"print([name for name in {absent!r} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


#: Each layer may import those before it (and, inside functions, its own).
LAYERS = [
    set(layer.split())
    for layer in """
        pairs formats delimited labels records repeats sources datasets download demo record
        edges identity graph search distance paths export tables
        pairspace inference contradictions splits leaks clusters proof variants balance
        learn measure
        posterior error_rates lexicon differences weights evidence sides cuts repairs suspicion
        decision_records decision_files decision_store decisions replaying agreement precision
        draw widgets
        experiments
        claims cli
    """.strip().splitlines()
]


def layer_of(module):
    for number, names in enumerate(LAYERS):
        if module in names:
            return number
    raise AssertionError(f"module {module} has no layer")


def imports_at_the_top(path):
    """Modules of this package that a file imports when it is itself imported."""
    package = path.relative_to(ROOT / "paragraph").parts
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            inside = len(package) - node.level  # 0: the top of the package
            if inside == 0:
                names = [node.module.split(".")[0]] if node.module else [name.name for name in node.names]
                yield from (name for name in names if name != "__version__")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paragraph."):
            yield node.module.split(".")[1]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "paragraph").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT / "paragraph"))
)
def test_imports_run_one_way(path):
    module = path.relative_to(ROOT / "paragraph").parts[0].removesuffix(".py")
    if module in ("__init__", "__main__"):
        return
    for imported in imports_at_the_top(path):
        assert layer_of(imported) <= layer_of(module), f"{module} imports {imported}"


#: What stands beside the rest, on pair tables and arrays, and who may know it.
BESIDE = {
    "learn": {"learn", "experiments", "claims", "cli"},
    "measure": {"measure", "learn", "experiments", "claims", "cli"},
}


@pytest.mark.parametrize("beside", BESIDE)
def test_what_stands_beside_is_known_to_few(beside):
    for path in sorted((ROOT / "paragraph").rglob("*.py")):
        module = path.relative_to(ROOT / "paragraph").parts[0].removesuffix(".py")
        code = path.read_text()
        if module not in BESIDE[beside] | {"__init__"}:
            assert not re.search(
                rf"from \.+{beside}\b|from paragraph\.{beside}\b|import paragraph\.{beside}\b", code
            ), path
        if module != "learn":
            assert not re.search(r"^\s*(import|from) torch\b", code, re.M), f"{path} imports torch"


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.name)
def test_notebooks_are_stored_without_outputs(path):
    for cell in json.loads(path.read_text())["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None
