"""Logs of one JSON object a line, without anything that is secret."""

import datetime
import json
import logging
import re
import sys
from typing import Any, Final

_OWN: Final = set(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {"message", "asctime", "taskName"}
_OFTEN: Final = 5
_MINUTE: Final = 60.0
_THEIRS: Final = ("Invalid UTF-8", "Invalid HTTP", "Unsupported upgrade")
_TOKEN: Final = re.compile(r"ad_[A-Za-z0-9_-]{20,}")


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= {key: value for key, value in record.__dict__.items() if key not in _OWN and key != "color_message"}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        # Nothing here is meant to hold a token; what a library quotes might.
        return _TOKEN.sub("ad_...", json.dumps(line, default=str))


class RateLimit(logging.Filter):
    """Lets what strangers can cause be said a few times a minute; what they send is no fault of ours."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.name.startswith("uvicorn") or record.levelno > logging.ERROR:
            return True
        if str(record.msg).startswith(_THEIRS):
            record.exc_info = None
        elif record.exc_info:
            return True  # a fault of the program's
        since, count = self._told.get(record.msg, (record.created, 0))
        if record.created - since > _MINUTE:
            since, count = record.created, 0
        self._told[record.msg] = since, count + 1
        if count + 1 == _OFTEN:
            record.repeated = "no more of these for a minute"
        return count < _OFTEN


def set_up(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(RateLimit())
    for name, least in (("alphadiamond.server", level), ("uvicorn", "warning"), ("asyncio", "warning")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(least.upper())
