"""How far a long run is: a bar where somebody watches, silence where nobody does."""

import sys
import time

WIDTH = 30


class Progress:
    def __init__(self, total: int):
        self.total, self.done, self.start = total, 0, time.monotonic()

    def show(self, doing: str) -> None:
        if not sys.stderr.isatty() or self.total == 0:
            return
        filled = WIDTH * self.done // self.total
        spent = time.monotonic() - self.start
        left = f", about {spent / self.done * (self.total - self.done) / 60:.0f} min left" if self.done else ""
        bar = "#" * filled + "." * (WIDTH - filled)
        sys.stderr.write(f"\r\033[K[{bar}] {self.done} of {self.total}{left}: {doing}")
        sys.stderr.flush()

    def clear(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
