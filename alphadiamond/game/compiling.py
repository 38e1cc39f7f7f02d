"""Compilation by numba, kept on disk between runs in the user's cache directory.

Compiled code is stored under a digest of every module that holds compiled code (`*kernels.py`) or constants frozen
into it (`board.py`, `trees.py`): numba notices a change in a function's own file, but not in the functions it calls.
Import `njit` from here, never from numba, so that the cache is in place before numba is imported.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from alphadiamond.files import cache_directory

P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE = Path(__file__).parents[1]
_STALE_SECONDS = 30 * 24 * 3600


def _source_digest() -> str:
    digest = hashlib.sha256()
    constants = [_PACKAGE / "game" / "board.py", _PACKAGE / "search" / "trees.py", Path(__file__)]
    for path in sorted([*constants, *_PACKAGE.rglob("*kernels.py")]):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _prepare_cache() -> bool:
    """Point numba at a directory we can write to; False means compile anew in each process."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return True
    root = cache_directory() / "numba"
    current = root / _source_digest()
    try:
        current.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=current):
            pass
        os.utime(current)  # marks it as in use
        for old in root.iterdir():
            if time.time() - old.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return False
    os.environ["NUMBA_CACHE_DIR"] = str(current)
    return True


_CACHE = _prepare_cache()

import numba  # noqa: E402  (the cache directory is read when numba is imported)
from numba.core import event, types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402


def njit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of integers and arrays; it holds no interpreter lock while it runs."""
    compiled: Callable[P, R] = numba.njit(cache=_CACHE, nogil=True, error_model="numpy")(function)
    return compiled


class _Announcer(event.Listener):  # type: ignore[misc]
    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            kept = "kept for the next time" if _CACHE else "the cache directory cannot be written, so every time"
            with contextlib.suppress(OSError, ValueError):
                print(f"compiling for this machine ({kept})", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


@functools.cache
def announce_compilation() -> None:
    """From now on tell the person at the terminal, once, when they are waiting for the compiler."""
    event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]


@intrinsic
def _popcount(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest_bit(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


popcount = cast(Callable[[int], int], _popcount)
"""How many bits are set: one machine instruction. For compiled code only."""

lowest_bit = cast(Callable[[int], int], _lowest_bit)
"""The index of the lowest set bit; the value must not be 0. For compiled code only."""
