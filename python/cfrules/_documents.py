"""Answers of the core: one document, and lists of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar, overload

from ._tables import Tabular


class Document:
    """An answer of the core: its JSON, read when first looked into, and its text."""

    __slots__ = ("_given", "_json", "_text")
    _given: dict[str, Any] | None
    _parts: ClassVar[dict[str, Any]] = {}  # how the items of a list in the JSON are read

    def __init__(self, text_of_json: str, text: str) -> None:
        self._json = text_of_json
        self._text = text
        self._given = None

    def to_json(self) -> str:
        """The document as the command line writes it, on one line."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The document as dictionaries and lists."""
        return json.loads(self._json)

    def _value(self, key: str) -> Any:
        if self._given is None:
            self._given = json.loads(self._json)
        value = self._given[key]
        kind = self._parts.get(key)
        return value if kind is None or not isinstance(value, list) else [kind.from_dict(item) for item in value]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Document) and other._json == self._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self._value(key)
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no attribute '{key}'") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.to_dict()})

    def __reduce__(self) -> Any:
        return type(self), (self._json, self._text)


class Listing(Document):
    """A document that is mainly a list: its length, items and iteration are those of ``_listed``."""

    __slots__ = ()
    _listed: ClassVar[str] = "rules"

    def __len__(self) -> int:
        return len(self._value(self._listed))

    def __getitem__(self, at: Any) -> Any:
        return self._value(self._listed)[at]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._value(self._listed))

    def __bool__(self) -> bool:
        return True  # an answer without a rule is an answer


One = TypeVar("One", bound=Document)


class Documents(Sequence[One], Tabular, Generic[One]):
    """Documents in the order of the people: length, index, slice, iteration and equality as of a list."""

    def __init__(self, documents: Sequence[str], texts: Sequence[str]) -> None:
        self._documents = list(documents)
        self._texts = list(texts)

    def _one(self, at: int) -> One:
        raise NotImplementedError

    def _some(self, at: slice) -> Any:
        return type(self)(self._documents[at], self._texts[at])

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, at: int) -> One: ...
    @overload
    def __getitem__(self, at: slice) -> Any: ...
    def __getitem__(self, at: int | slice) -> Any:
        return self._some(at) if isinstance(at, slice) else self._one(at)

    def __iter__(self) -> Iterator[One]:
        return (self._one(i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Documents) and other._documents == self._documents

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return type(self), (self._documents, self._texts)

    def __repr__(self) -> str:
        shown = [f"{i}: {text.rstrip()}" for i, text in enumerate(self._texts[:3])]
        more = [f"... and {len(self) - 3} more"] if len(self) > 3 else []
        return "\n\n".join([*shown, *more]) or "no people"

    def _repr_html_(self) -> str:
        cards = "".join(item._repr_html_() for item in self[:5])
        return cards + (f"<p>and {len(self) - 5} more</p>" if len(self) > 5 else "")

    def to_json(self, indent: int | None = None) -> str:
        """A list of the objects that the command line writes one per line."""
        return "[" + ",\n".join(self._documents) + "]" if indent is None else json.dumps(self.to_dict(), indent=indent)

    def to_dict(self) -> list[dict[str, Any]]:
        """The documents as dictionaries and lists."""
        return [json.loads(document) for document in self._documents]
