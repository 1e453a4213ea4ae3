"""Runs as data frames."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

_LIBRARIES = ("polars", "pandas")


def frame(columns: dict[str, list[Any]], library: str | None) -> Any:
    """Return columns as a DataFrame of the named library, or of the first one that is installed."""
    if library is None:
        library = next((name for name in _LIBRARIES if importlib.util.find_spec(name) is not None), None)
        if library is None:
            raise ImportError("a DataFrame needs polars or pandas: `pip install polars`; or use columns()")
    if library not in _LIBRARIES:
        raise ValueError(f"library '{library}': expected 'polars' or 'pandas'")
    return importlib.import_module(library).DataFrame(columns)
