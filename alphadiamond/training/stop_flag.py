"""How a person's wish to stop reaches whoever is at work."""


class Stopped(Exception):  # noqa: N818  (not an error)
    """The run was asked to stop; what it has saved is on disk."""


class StopFlag:
    """Set by a signal handler, looked at wherever the run waits or repeats."""

    def __init__(self) -> None:
        self._set = False
        self.exit_code = 130
        """What the process ends with: 128 and the number of the signal that asked, Ctrl-C's if none did."""

    def set(self) -> None:
        self._set = True

    def is_set(self) -> bool:
        return self._set
