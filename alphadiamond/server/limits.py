"""How much of anything one connection or one address may have."""

import ipaddress
from collections import OrderedDict
from typing import Final

_KEPT: Final = 10_000
"""Addresses that are remembered; the one heard of longest ago is forgotten first."""
PLY_BYTES: Final = 1_000
"""What following a line of play counts for beside its answer, for each move: about a tenth of a millisecond of work."""


def place_of(address: str) -> str:
    """What counts as one address: of IPv6 the half that a network is given, since the rest is anybody's choice."""
    try:
        made = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(made, ipaddress.IPv4Address):
        return address
    if made.ipv4_mapped is not None:
        return str(made.ipv4_mapped)
    return str(ipaddress.ip_network((made, 64), strict=False).network_address)


class Bucket:
    """Tokens that come back at a rate, up to a number."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate, self._most = rate, most
        self._left, self._at = most, now

    def take(self, now: float, cost: float = 1) -> bool:
        """Whether there is one left. What costs more is paid for afterwards: the next waits for it."""
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= cost
        return True


class Buckets:
    """One for each address."""

    def __init__(self, rate: float, most: float) -> None:
        self._rate, self._most = rate, most
        self._all: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float, cost: float = 1) -> bool:
        address = place_of(address)
        bucket = self._all.get(address)
        if bucket is None:
            bucket = self._all[address] = Bucket(self._rate, self._most, now)
            if len(self._all) > _KEPT:
                self._all.popitem(last=False)
        self._all.move_to_end(address)
        return bucket.take(now, cost)


class Counts:
    """How many of something each address has now."""

    def __init__(self, most: int, most_each: int, *, free: frozenset[str] = frozenset()) -> None:
        """`free` addresses are proxies, who speak for many: only the limit on all counts for them."""
        self.all = 0
        self._most, self._most_each = most, most_each
        self._free = frozenset(map(place_of, free))
        self._each: dict[str, int] = {}

    def take(self, address: str) -> bool:
        address = place_of(address)
        if self.all >= self._most or (address not in self._free and self._each.get(address, 0) >= self._most_each):
            return False
        self.all += 1
        self._each[address] = self._each.get(address, 0) + 1
        return True

    def give_back(self, address: str) -> None:
        address = place_of(address)
        self.all -= 1
        left = self._each.get(address, 0) - 1
        if left > 0:
            self._each[address] = left
        else:
            self._each.pop(address, None)
