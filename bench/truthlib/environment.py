"""A virtual environment of the benchmark, made at the first run: scikit-learn is no dependency of the project."""

import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOME = ROOT / "build" / "bench-venv"


def enter(packages: list[str]) -> None:
    """Runs the calling script again with the benchmark's own Python."""
    if pathlib.Path(sys.prefix).resolve() == HOME.resolve():
        return
    ready = HOME / ("ready-" + "-".join(sorted(packages)))
    if not ready.exists():
        venv.create(HOME, with_pip=True)
        subprocess.run([HOME / "bin" / "pip", "install", "-q", *packages], check=True)
        ready.touch()
    os.execv(HOME / "bin" / "python", [str(HOME / "bin" / "python"), *sys.argv])
