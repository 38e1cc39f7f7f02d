"""What the wheel holds beside the package's own files: configurations, the shipped network, and the scripts.

They stay at the top of the project, where people look for them, and are copied into the package when it is built;
`alphadiamond/resources.py` finds them in either place.
"""

import ast
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent


def subcommands() -> list[str]:
    """The names in `COMMANDS` and `TOOLS`, read and not imported: what it imports need not be installed yet."""
    tables = {
        ast.unparse(node.target): node.value
        for node in ast.parse((ROOT / "alphadiamond" / "command.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.AnnAssign) and node.value is not None
    }
    return [name for table in ("COMMANDS", "TOOLS") for name in ast.literal_eval(tables[table])]


def carried() -> list[Path]:
    """Files from the top of the project, relative to it."""
    scripts = [ROOT / "scripts" / f"{name}.py" for name in subcommands()]
    scripts += (ROOT / "scripts" / "benchmarks").glob("*.py")
    found = [*(ROOT / "configs").rglob("*.yaml"), *(ROOT / "checkpoints").rglob("*.safetensors"), *scripts]
    return sorted(path.relative_to(ROOT) for path in found if path.is_file())


class BuildWithResources(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for path in carried():
                target = Path(self.build_lib) / "alphadiamond" / path
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        copied = [] if self.editable_mode else [str(Path(self.build_lib) / "alphadiamond" / path) for path in carried()]
        return [*super().get_outputs(include_bytecode), *copied]


setup(cmdclass={"build_py": BuildWithResources})
