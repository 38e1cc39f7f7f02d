"""Play each other: a page, a lobby, games and ratings, on this machine or beyond. docs/guides/serve.md describes it."""

from alphadiamond import cli
from alphadiamond.precompile import game_names
from alphadiamond.server.settings import ServeSettings


def serve(settings: ServeSettings) -> None:
    try:
        from alphadiamond.server.main import run
    except ModuleNotFoundError as error:
        if error.name not in ("msgspec", "starlette", "uvicorn", "websockets", "anyio", "h11", "confusable_homoglyphs"):
            raise
        cli.fail(f"the server needs {error.name}: pip install '.[server]'")
    run(settings)


if __name__ == "__main__":
    cli.run(serve, ServeSettings, "serve", games=lambda settings: game_names())
