"""Every link of the pages leads somewhere, every page is in the index, and pages to be read through are short."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        ROOT / "examples" / "README.md",
        *DOCS.rglob("*.md"),
        *ROOT.glob("checkpoints/*/README.md"),
    ]
)
LONG = ("reference", "lab")
"""Folders whose pages are consulted and not read through."""
MOST_WORDS = 1_500
MOST_WORDS_A_SENTENCE = 45


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", without_code(page.read_text()), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
    return found


def broken_links(page: Path) -> list[str]:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_of_a_page_leads_to_a_file_and_its_heading(page: Path) -> None:
    assert broken_links(page) == []


def test_the_index_links_to_every_page() -> None:
    linked = {(DOCS / link).resolve() for link in re.findall(r"\]\(([^)\s#]+)", (DOCS / "README.md").read_text())}
    assert [str(page) for page in DOCS.rglob("*.md") if page not in linked and page != DOCS / "README.md"] == []


def test_the_site_s_navigation_holds_every_page_by_its_kind() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
    kinds = {kind: pages for entry in site["nav"] for kind, pages in entry.items()}
    for kind in ("guides", "reference", "explanation", "lab"):
        assert sorted(kinds[kind.capitalize()]) == [
            f"docs/{kind}/{page.name}" for page in sorted((DOCS / kind).iterdir())
        ]
    named = [page for pages in kinds.values() for page in ([pages] if isinstance(pages, str) else pages)]
    assert {ROOT / page for page in named} >= set(PAGES)


def test_no_page_outside_reference_and_lab_is_long() -> None:
    """Code blocks do not count: a whole game is one."""
    words = {
        str(page.relative_to(DOCS)): len(without_code(page.read_text()).split())
        for page in DOCS.rglob("*.md")
        if page.relative_to(DOCS).parts[0] not in LONG
    }
    assert {page: count for page, count in words.items() if count > MOST_WORDS} == {}


def sentences(text: str) -> Iterator[str]:
    """Those of the running text: no code, no headings, no cells of tables; a link or a piece of code is a word."""
    prose = re.sub(r"^(#.*|\|.*| {4}(?! *[-\d]).*)$", "", without_code(text), flags=re.MULTILINE)
    prose = re.sub(r"\]\([^)]*\)|`[^`]*`", "x", prose)
    for paragraph in re.split(r"\n\s*\n|\n\s*(?:-|\d+\.) ", prose):
        yield from re.split(r"(?<=[.!?])[\"')*]*\s+", paragraph)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if not {*LONG, "checkpoints"} & {*page.relative_to(ROOT).parts}],  # those list many figures
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_no_sentence_has_to_be_read_twice_for_its_length(page: Path) -> None:
    assert [one for one in sentences(page.read_text()) if len(one.split()) > MOST_WORDS_A_SENTENCE] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 100
