"""Making the site: the server's page and the engine, drawings, puzzles and networks beside them, all static files."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import BUILT_IN, load
from alphadiamond.network import load_checkpoint
from alphadiamond.network.headers import read_metadata
from alphadiamond.online.messages import VERSION
from alphadiamond.resources import champion_of
from alphadiamond.server.app import FONTS, STATIC
from alphadiamond.server.board_snapshots import describe
from alphadiamond.site.networks import network_bytes, packed
from alphadiamond.site.players import network_path, players_of, snapshots
from alphadiamond.site.puzzles import puzzles_of

OWN: Final = Path(__file__).parent / "static"
"""What the site has beside the server's page, or in its place."""
LARGEST: Final = 4_000_000
"""Bytes that the whole site may have."""
UNUSED: Final = ("js/main.js", "js/connection/socket.js")
"""Of the server's page: what only a server answers."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
"""Nothing from elsewhere, and nothing to elsewhere."""
LATER: Final = ("networks/", "puzzles/")
"""What nobody needs before the first move in a game: the service worker keeps it after that."""
_MARK: Final = "site.json"
"""The file by which a folder is known to be a site that may be replaced."""


class SiteError(AlphaDiamondError):
    """A site that cannot be made here."""


@dataclass(frozen=True)
class Made:
    """What was made."""

    files: dict[str, int]
    """Bytes of each file, by its path."""
    missing: tuple[str, ...]
    """Games without a network: they are played by the rules' own estimate."""

    @property
    def size(self) -> int:
        return sum(self.files.values())


def build(target: Path) -> Made:
    """Make the site in a folder, which must be empty, new, or a site that was made before."""
    if target.exists() and any(target.iterdir()) and not (target / _MARK).is_file():
        raise SiteError(f"{target} holds something else than a site: name another folder, or empty it")
    games = [load(name) for name in BUILT_IN]
    fresh = target.with_name(f"{target.name}.tmp")
    shutil.rmtree(fresh, ignore_errors=True)
    for source in (STATIC, OWN):
        shutil.copytree(source, fresh, dirs_exist_ok=True, ignore=shutil.ignore_patterns("package.json"))
    shutil.copytree(FONTS, fresh / "fonts")
    for path in UNUSED:
        (fresh / path).unlink()
    for path, content in _made_files(games):
        (fresh / path).parent.mkdir(parents=True, exist_ok=True)
        (fresh / path).write_bytes(content)
    _finish(fresh)
    made = Made(
        {str(path.relative_to(fresh)): path.stat().st_size for path in sorted(fresh.rglob("*")) if path.is_file()},
        tuple(game.name for game in games if not champion_of(game).exists()),
    )
    if made.size > LARGEST:
        shutil.rmtree(fresh)
        raise SiteError(f"the site would have {made.size:,} bytes, and {LARGEST:,} are the most that it may have")
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
    return made


def _made_files(games: list[Game]) -> Iterator[tuple[str, bytes]]:
    """All that is worked out: the welcome, drawings, puzzles, networks."""
    listed = [
        {
            "name": game.name,
            "title": game.title,
            "sides": [str(side) for side in game.sides],
            "start": "" if game.seeded else str(game.start()),
        }
        for game in games
    ]
    puzzles = {game.name: puzzles_of(game) for game in games}
    welcome = {
        "version": VERSION,
        "games": listed,
        "bots": [bot for game in games for bot in players_of(game)],
        "daily": {name: len(found) for name, found in puzzles.items() if found},
    }
    yield _MARK, _json(welcome)
    for game in games:
        yield f"drawings/{game.name}.json", msgspec.json.encode(describe(game))
        if puzzles[game.name]:
            yield f"puzzles/{game.name}.json", _json(puzzles[game.name])
        if champion_of(game).exists():
            yield network_path(game), _network(game, champion_of(game), precision="f16")
        for iteration, path in snapshots(game).items():
            yield network_path(game, iteration), _network(game, path, precision="i8")


def _network(game: Game, path: Path, *, precision: str) -> bytes:
    origin = {key: read_metadata(path).extra.get(key) for key in ("profile", "seed", "iteration", "games")}
    return packed(network_bytes(load_checkpoint(path, game=game).model, precision=precision, origin=origin))


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def _finish(folder: Path) -> None:
    """The document with its policy, and the list of files by which the service worker knows what to keep."""
    index = folder / "index.html"
    text = index.read_text(encoding="utf-8")
    head = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    manifest = '<link rel="manifest" href="manifest.webmanifest">\n'
    script = '<script type="module" src="js/main.js"></script>'
    assert script in text
    text = text.replace('<meta charset="utf-8">', head).replace(
        script, manifest + script.replace("main.js", "local/main.js")
    )
    index.write_text(text, encoding="utf-8")
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.encode() + (folder / path).read_bytes())
    worker = folder / "service-worker.js"
    code = worker.read_text(encoding="utf-8")
    rest = [path for path in files if path.startswith(LATER)]
    page = ["./", *(path for path in files if path not in rest and path != worker.name)]
    for name, value in (("VERSION = null", digest.hexdigest()[:16]), ("PAGE = []", page), ("REST = []", rest)):
        assert f"const {name};" in code
        code = code.replace(f"const {name};", f"const {name.partition(' ')[0]} = {json.dumps(value)};")
    worker.write_text(code, encoding="utf-8")
