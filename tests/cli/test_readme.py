"""Runs the examples of README.md, in order, in one empty folder."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def examples(text: str) -> list[str]:
    """The indented blocks that follow an example mark."""
    blocks = []
    for part in text.split("<!-- example -->\n")[1:]:
        lines = []
        for line in part.split("\n"):
            if not line.startswith("    "):
                break
            lines.append(line.strip())
        blocks.append("\n".join(lines))
    return blocks


class Readme(unittest.TestCase):
    def test_every_example_runs(self):
        command = pathlib.Path(os.environ["CFRULES"]).resolve()
        blocks = examples((ROOT / "README.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), 5)
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, PATH=f"{command.parent}:{os.environ['PATH']}")
            for block in blocks:
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment,
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, f"{block}\n{done.stderr}")
                self.assertNotIn("error", done.stderr.lower())


if __name__ == "__main__":
    unittest.main()
