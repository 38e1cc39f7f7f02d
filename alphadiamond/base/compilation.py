"""Compilation by numba, kept on disk between runs in the user's cache directory.

Each kernel has one file for each signature it is called with, in a directory named by its module and a digest of that
module's sources with everything they import (numba by itself notices a change in a function's own file, but not in the
functions it calls); the file's name stands for the signature and, where rules of a game are among the arguments, for
the sources of that game and the values it has frozen. So a change costs the compilation of what depends on it, and
clones with the same sources share their files. Several processes may compile at once: a file is whole or not there,
and no index has to be kept. `alphadiamond.precompile` fills the cache ahead.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ClassVar, Final, ParamSpec, TypeVar, cast

import numba
import numba.core.caching
import numpy as np
from numba.core import event, types
from numba.extending import intrinsic

from alphadiamond.files import cache_directory
from alphadiamond.sources import PACKAGE, digest_of

P = ParamSpec("P")
R = TypeVar("R")

caching: Any = numba.core.caching  # untyped

KERNELS: Final[list[Any]] = []
"""Every function decorated so far, as numba's dispatchers."""

BODIES: Final[dict[Callable[..., Any], dict[type, Callable[..., Any]]]] = {}
"""For each function of the rules of games, what classes of rules give as its body: see `base.rules.implement`."""

_STALE_SECONDS = 30 * 24 * 3600
_LONGEST_WAIT = 60.0


def cache_root() -> Path:
    """Where compiled code is kept: NUMBA_CACHE_DIR where it is set, else the user's cache directory."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else cache_directory() / "numba"


@functools.cache
def _directory(file: Path) -> Path | None:
    """Where the compiled code of a source file is kept; None: nowhere, so that each process compiles anew."""
    try:
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
    except ValueError:
        name = file.stem
    directory = cache_root() / f"{name}-{digest_of(file)}"
    try:
        if not directory.is_dir():
            _remove_stale(cache_root())
            directory.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=directory):
                pass
        os.utime(directory)  # marks it as in use
    except OSError:
        return None
    return directory


def _remove_stale(root: Path) -> None:
    with contextlib.suppress(OSError):
        for old in root.iterdir():
            if old.is_dir() and time.time() - old.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(old, ignore_errors=True)


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    def __init__(self, function: Any, file: str) -> None:
        self._py_file = file
        self.directory = _directory(Path(file).resolve())

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator | None":
        found = cls(py_func, py_file)
        return found if found.directory is not None else None

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self.directory)

    def get_source_stamp(self) -> str:
        return ""  # the directory's name holds it

    def get_disambiguator(self) -> str:
        return ""


class _Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)


def _sources_of_rules(signature: Any) -> list[tuple[str, str]]:
    """The classes of named tuples among a kernel's arguments, each with a digest of all that its module is made of.

    The rules of a game are such a class, and the kernel's own module does not import them.
    """
    found = []
    for kind in signature:
        if isinstance(kind, types.BaseNamedTuple):
            one = cast(Any, kind).instance_class
            found.append((f"{one.__module__}.{one.__qualname__}", digest_of_rules(one)))
    return found


@functools.cache
def digest_of_rules(rules: type) -> str:
    """Of all that the compiled rules of a game depend on: its sources and, of a game that lives elsewhere, also the
    values that its functions take from outside, which the compiler freezes, wherever they come from."""
    file = Path(inspect.getfile(rules)).resolve()
    if file.is_relative_to(PACKAGE):
        return digest_of(file)
    whole = hashlib.sha256(digest_of(file).encode())
    seen: set[Any] = set()
    for bodies in BODIES.values():
        for part in _frozen(bodies.get(rules), (), seen):
            whole.update(part)
    return whole.hexdigest()[:16]


def _frozen(value: Any, names: tuple[str, ...], seen: set[Any]) -> Iterator[bytes]:
    """A value that a function uses, as bytes; `names` are all that the function mentions, attributes of modules too."""
    value = getattr(value, "py_func", value)
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    if isinstance(value, ModuleType | FunctionType) and module.partition(".")[0] in ("numpy", "numba", "math"):
        return
    if isinstance(value, FunctionType):
        if value not in seen:
            seen.add(value)
            yield value.__code__.co_code + repr([one for one in value.__code__.co_consts if _is_plain(one)]).encode()
            used = inspect.getclosurevars(value)
            for name, one in sorted({**used.globals, **used.nonlocals}.items()):
                yield name.encode()
                yield from _frozen(one, value.__code__.co_names, seen)
    elif isinstance(value, ModuleType):
        for name in names:
            one = getattr(value, name, None)
            if not isinstance(one, ModuleType):
                yield from _frozen(one, (), seen)
    elif isinstance(value, np.ndarray):
        yield repr((value.dtype, value.shape)).encode() + value.tobytes()
    elif isinstance(value, tuple):
        for one in value:
            yield from _frozen(one, (), seen)
    elif _is_plain(value):
        yield repr(value).encode()


def _is_plain(value: Any) -> bool:
    return isinstance(value, int | float | str | bytes | np.generic)


class _Overloads:
    """One file for each overload, named by what it was compiled for."""

    used: ClassVar[set[Path]] = set()
    """The files that this process has read or written."""

    def __init__(self, directory: str, name: str) -> None:
        self._directory = Path(directory)
        self._name = name

    def path(self, key: Any) -> Path:
        whole = repr((numba.__version__, sys.version_info[:2], key, _sources_of_rules(key[0])))
        return self._directory / f"{self._name}.{hashlib.sha256(whole.encode()).hexdigest()[:16]}.nbc"

    def load(self, key: Any) -> Any:
        path = self.path(key)
        try:
            found = pickle.loads(path.read_bytes())
        except Exception:  # not there, or damaged: it is compiled and written anew
            return None
        self.used.add(path)
        _log(f"loaded {path}")
        return found

    def save(self, key: Any, data: Any) -> None:
        path = self.path(key)
        with contextlib.suppress(OSError):  # a full disk costs time, not the work at hand
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".tmp")
            with os.fdopen(handle, "wb") as file:
                file.write(caching.dumps(data))
            os.replace(name, path)
            self.used.add(path)


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    _impl_class = _Implementation

    patient: ClassVar[bool] = False
    """Wait for another process that compiles the same thing, rather than do it twice."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _Overloads(self.cache_path, function.__qualname__)
        self._waits: dict[Any, contextlib.ExitStack] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None and self.patient and sig not in self._waits:
            turn = contextlib.ExitStack()
            path = self._cache_file.path(self._index_key(sig, target_context.codegen()))
            turn.enter_context(_turn(path.with_suffix(".lock")))
            found = super().load_overload(sig, target_context)
            if found is None:
                self._waits[sig] = turn
            else:
                turn.close()
        if found is None:
            _log(f"compiled {self._py_func.__module__}.{self._py_func.__qualname__} {sig}")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        super().save_overload(sig, data)
        if turn := self._waits.pop(sig, None):
            turn.close()


@contextlib.contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Hold a lock file; whoever does not get it within a minute goes on without."""
    end = time.monotonic() + _LONGEST_WAIT
    mine = False
    while not mine and time.monotonic() < end:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            mine = True
        except FileExistsError:
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _LONGEST_WAIT:  # left by a process that was killed
                    path.unlink()
                    continue
            time.sleep(0.02)
        except OSError:
            break
    try:
        yield
    finally:
        if mine:
            path.unlink(missing_ok=True)


def wait_for_others() -> None:
    """From now on compile nothing that another process is compiling: for processes that fill the cache together."""
    _Cache.patient = True


def files_used() -> set[Path]:
    """The files of the cache that this process has read or written so far."""
    return set(_Overloads.used)


def compilations() -> int:
    """How many kernels this process has compiled so far because the cache did not have them."""
    return sum(sum(kernel.stats.cache_misses.values()) for kernel in KERNELS)


def _log(line: str) -> None:
    """Where ALPHADIAMOND_KERNEL_LOG names a file, all processes write there what they compile and what they find."""
    if log := os.environ.get("ALPHADIAMOND_KERNEL_LOG"):
        with contextlib.suppress(OSError), open(log, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def njit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of integers and arrays; it holds no interpreter lock while it runs."""
    return _compiled(function, inner=False)


def njit_inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a part of kernels that becomes part of each kernel that calls it, however large it is."""
    return _compiled(function, inner=True)


def _compiled(function: Callable[P, R], *, inner: bool) -> Callable[P, R]:
    # Inlining is said in either case: left open it would be inherited from whichever kernel calls the function first.
    options: Any = {"nogil": True, "error_model": "numpy", "forceinline": inner}
    compiled: Any = numba.njit(**options)(function)
    with contextlib.suppress(RuntimeError):  # nowhere to keep it
        compiled._cache = _Cache(function)
    KERNELS.append(compiled)
    return cast(Callable[P, R], compiled)


def _is_kept() -> bool:
    return all(isinstance(kernel._cache, _Cache) for kernel in KERNELS)


class _Announcer(event.Listener):  # type: ignore[misc]
    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        if not self.said:
            self.said = True
            kept = "kept for the next time" if _is_kept() else "the cache directory cannot be written, so every time"
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


@intrinsic
def _borrowed(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _without_owner(context, builder, signature.args[0], args[0])

    return value(value), generate


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """An array, or a tuple of values, whose arrays name nobody to count references for."""
    from llvmlite import ir

    if isinstance(kind, types.Array):
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, one in enumerate(cast(Any, kind)):
            part = _without_owner(context, builder, one, builder.extract_value(value, i))
            value = builder.insert_value(value, part, i)
    return value


popcount = cast(Callable[[int], int], _popcount)
"""How many bits are set: one machine instruction. For compiled code only."""

lowest_bit = cast(Callable[[int], int], _lowest_bit)
"""The index of the lowest set bit; the value must not be 0. For compiled code only."""

A = TypeVar("A")
borrowed = cast(Callable[[A], A], _borrowed)
"""The same array, or tuple of arrays, its references not counted: counting is atomic, and in inner loops over views it
takes longer than the work. Only for what a kernel was given as an argument, since its caller keeps that; an array that
the kernel made itself would be freed at once. For compiled code only."""
