"""A virtual environment of the benchmark, made at the first run: scikit-learn is no dependency of the project."""

import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOME = ROOT / "build" / "bench-venv"


def prepare(packages: list[str]) -> pathlib.Path:
    """The environment's Python, with these packages."""
    python = HOME / "bin" / "python"
    ready = HOME / ("ready-" + "-".join(sorted(packages)))
    if not python.exists():
        venv.create(HOME, with_pip=True)
    if not ready.exists():
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        ready.touch()
    return python


def enter(packages: list[str]) -> None:
    """Runs the calling script again with the benchmark's own Python."""
    if pathlib.Path(sys.prefix).resolve() == HOME.resolve():
        return
    python = str(prepare(packages))
    os.execv(python, [python, *sys.argv])
