"""Logs of one JSON object a line, without anything that is secret."""

import datetime
import json
import logging
import re
import sys
from typing import Any, Final

_OWN: Final = set(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {"message", "asctime", "taskName"}
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


def set_up(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    for name, least in (("alphadiamond.server", level), ("uvicorn", "warning"), ("asyncio", "warning")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(least.upper())
