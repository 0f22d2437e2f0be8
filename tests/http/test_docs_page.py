"""The page that shows the contract: it needs no other host, and its policy would not let it ask one."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from service.docs_page import ASSETS
from tests.faults.running import service
from tests.http.client import Client
from tests.http.contract import contract
from tests.ops.running import LIMIT

FORMS: Final = {"css": "text/css", "js": "text/javascript", "png": "image/png"}
FOREIGN: Final = re.compile(r"""@import|(?:src|href)=["']?(?:https?:)?//|url\(\s*["']?(?!["']?data:)""")
"""What makes a page or a style sheet ask another host."""


class Loaded(HTMLParser):
    """What a page loads, and what stands in it that a strict policy would not allow."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.files: list[str] = []
        self.inline: list[str] = []
        self._within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag with its attributes."""
        named = dict(attrs)
        self._within = tag
        if tag == "style" or (tag == "script" and "src" not in named):
            self.inline.append(tag)
        self.inline += [name for name in named if name == "style" or name.startswith("on")]
        self.files += [str(named["src"])] if "src" in named else []
        self.files += [str(named["href"])] if tag == "link" else []

    def handle_data(self, data: str) -> None:
        """Text; of a script it would be inline."""
        if self._within == "script" and data.strip():
            self.inline.append(data)


def policy(header: str) -> dict[str, list[str]]:
    """A Content-Security-Policy by its directives."""
    return {words[0]: words[1:] for words in map(str.split, header.split(";"))}


def test_all_that_the_page_loads_is_ours_and_there(client: Client) -> None:
    page = client.get("/docs").ok()
    loaded = Loaded(page.text)
    assert loaded.inline == []
    assert sorted(loaded.files) == sorted(f"/docs/{name}" for name in ASSETS)
    for path in loaded.files:
        found = client.get(path).ok()
        assert found.headers["Content-Type"].partition(";")[0] == FORMS[path.rpartition(".")[2]]
        assert found.text


def test_its_policy_is_strict(client: Client) -> None:
    said = policy(client.get("/docs").ok().headers["Content-Security-Policy"])
    assert said["default-src"] == ["'none'"]
    for directive in ("script-src", "style-src", "connect-src"):
        assert said[directive] == ["'self'"]
    assert said["img-src"] == ["'self'", "data:"]
    for directive in ("base-uri", "form-action", "frame-ancestors"):
        assert said[directive] == ["'none'"]
    everything = {source for sources in said.values() for source in sources}
    assert everything == {"'none'", "'self'", "data:"}


def test_it_asks_nobody_else(client: Client) -> None:
    start = client.get("/docs/start.js").ok().text
    assert 'url: "/openapi.json"' in start
    # Else Swagger UI asks its maker's validator about every document that is not on this very machine.
    assert "validatorUrl: null" in start
    sheets = [client.get(f"/docs/{name}").ok().text for name in ASSETS if name.endswith(".css")]
    for text in (start, client.get("/docs").ok().text, *sheets):
        assert FOREIGN.findall(text) == []


@pytest.mark.parametrize("name", ["index.html", "swagger-ui.js", "..%2Fpage.py", "LICENSE", "Start.js"])
def test_nothing_else_is_given_out(client: Client, name: str) -> None:
    client.get(f"/docs/{name}").problem("not-found")


def test_it_needs_no_token_and_looks_at_none(client: Client) -> None:
    for path in ("/docs", "/docs/start.js", "/openapi.json"):
        assert client.get(path, "no token of ours").ok() == client.get(path).ok()


CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.service
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_browser_shows_every_operation_and_finds_nothing_against_the_policy(tmp_path: Path) -> None:
    assert CHROMIUM is not None
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom")
    profile = f"--user-data-dir={tmp_path}"
    with service() as running:
        running.start_web()
        # The fragment opens one operation, with its examples and schemas.
        page = f"http://127.0.0.1:{running.port}/docs#/plays/make_play"
        command = [CHROMIUM, *flags, profile, "--virtual-time-budget=30000", page]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    for operation in contract().operations():
        tag = operation.said["tags"][0].replace(" ", "_")
        assert f"operations-{tag}-{operation.said['operationId']}" in shown.stdout
    assert "rockaway_play" in shown.stdout
    said = shown.stderr.lower()
    assert "security policy" not in said, said
    assert "uncaught" not in said, said
