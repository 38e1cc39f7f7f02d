"""One browser and one server for all; without a browser the tests skip and say how to get one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from tests.browser.visits import Visitor, launched, missing
from tests.server.server_process import ServerProcess

HERE = Path(__file__).parent
_used: list[str] = []
"""The browser that ran, for the last line."""


_EXPECTED = ("WebSocket", "ERR_CONNECTION", "status of 404")
"""Of a browser's own complaints: about servers that are killed, and about people who do not exist."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are for `make test-browser` and `make test-all`: a browser takes its time, also where there is one."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """For this package alone: while Playwright runs, its event loop does, and no other can be begun."""
    if fault := missing():
        pytest.skip(fault)
    with launched() as made:
        _used.append(f"Chromium {made.version}")
        yield made


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One for each file, or people of two files could want the same name. After the browser: without one nothing has
    to serve."""
    made = ServerProcess(tmp_path_factory.mktemp("page"), bot_processes=1).start()
    yield made
    assert made.stop() == 0


@pytest.fixture
def visit(browser: Any, server: ServerProcess) -> Iterator[Callable[..., Visitor]]:
    """Makes people with browsers; at the end none of their pages may have had a fault."""
    made: list[Visitor] = []

    def visit(server: ServerProcess = server, **options: Any) -> Visitor:
        visitor = Visitor(browser, f"http://127.0.0.1:{server.port}/", **options)
        made.append(visitor)
        return visitor

    yield visit
    faults = [fault for visitor in made for fault in visitor.faults if not any(word in fault for word in _EXPECTED)]
    for visitor in made:
        visitor.close()
    assert not faults


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Whether anything was tried in a browser."""
    if not any(Path(str(argument).partition("::")[0]).resolve().is_relative_to(HERE) for argument in config.args):
        return
    if _used:
        terminalreporter.write_line(f"the page was tried in {_used[0]}")
    else:
        terminalreporter.write_line(f"the page was NOT tried in a browser: {missing() or 'no test asked for one'}")
