"""How much memory settings ask for, and how much there is."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Need:
    """Memory that settings ask for."""

    key: str
    """The setting to lower."""
    what: str
    size: int
    """Bytes."""


def too_much(needs: list[Need]) -> tuple[str, str] | None:
    """(the setting to lower, why) where the needs together are more than the machine has."""
    have = machine()
    total = sum(need.size for need in needs)
    if total <= have:
        return None
    largest = max(needs, key=lambda need: need.size)
    rest = "" if largest.size > have else f", {amount(total)} with everything else,"
    return largest.key, f"{largest.what} would take {amount(largest.size)}{rest} and this machine has {amount(have)}"


def machine() -> int:
    """Bytes of memory that this process may have in all."""
    import psutil

    found = [int(psutil.virtual_memory().total)]
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            found.append(int(Path(limit).read_text(encoding="utf-8")))
        except (OSError, ValueError):  # no such limit
            continue
    return min(found)


def amount(size: float) -> str:
    """`3.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.0f} PB"
