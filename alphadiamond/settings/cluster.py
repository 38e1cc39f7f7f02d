"""How a script uses a cluster of machines: settings of the engine `ray`."""

from dataclasses import dataclass
from typing import Final

from alphadiamond.settings.ranges import Choice, above, between, one_of, setting, text

ENGINE: Final[Choice] = one_of("processes", "ray")
"""Where workers run: processes on this machine, or actors of Ray on any number of machines (the extra [ray])."""

_ADDRESS: Final = text("local, auto, or HOST:PORT such as 10.0.0.5:6379", r"local|auto|[^\s:/@]+:\d{1,5}")


@dataclass
class RaySettings:
    address: str = setting("local", _ADDRESS)
    """local starts Ray on this machine, on its loopback address alone; auto joins the cluster that this machine is part
    of; HOST:PORT names its head."""
    quorum: float = setting(1.0, above(0, up_to=1))
    """The share of workers that an iteration waits for; what the others bring counts in the next one. With 1 a run is
    the same as with processes, bit for bit."""
    gpu: float = setting(0.0, between(0, 1, note="0 for none"))
    """The share of a graphics card that each worker gets; with 0 workers play on their processor, whatever the learner
    learns on."""
    dashboard: bool = False
    """Show Ray's dashboard on this machine's loopback address; only with address=local (a cluster has its own)."""
    insecure: bool = False
    """Join a cluster that asks nobody for a token: whoever reaches one of its ports can run anything on all of it."""
