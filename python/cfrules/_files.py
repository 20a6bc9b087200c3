"""Models in files: the command line's own format, also for pickle and copy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _core
from ._base import Base

if TYPE_CHECKING:
    from typing_extensions import Self


class Files(Base):
    """save and load; pickle, copy and joblib go through the same bytes."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model file of the command line; ``force`` overwrites."""
        self._fitted().save(os.fspath(path), force)

    @classmethod
    def load(cls, path: str | os.PathLike[str], **params: Any) -> Self:
        """Read a model file, checked before anything of it is used."""
        return cls(**params)._adopt(_core.Model.load(os.fspath(path)), None, None)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name not in ("model_", "_drawn_on")}
        if hasattr(self, "model_"):
            import tempfile
            from pathlib import Path

            with tempfile.TemporaryDirectory() as folder:
                self.save(Path(folder) / "model.cfr")
                state["_bytes"] = (Path(folder) / "model.cfr").read_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        content = state.pop("_bytes", None)
        vars(self).update(state)
        if content is not None:
            import tempfile
            from pathlib import Path

            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "model.cfr").write_bytes(content)
                self.model_ = _core.Model.load(str(Path(folder) / "model.cfr"))
