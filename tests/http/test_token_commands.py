"""`upcard token`: what it makes, lists and ends is the same that the service knows."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.grants import seat_id
from service.tokens import Tokens, server_key, token_digest
from tests.http.house import House
from tests.http.tables import Sitting, opened
from tests.store_server import StoreServer

Upcard = Callable[..., Result]


@pytest.fixture
def upcard(tmp_path: Path, http_server: StoreServer) -> Upcard:
    """Runs `upcard token …` over the store of the real house."""
    env = {"UPCARD_DATA": str(tmp_path), "UPCARD_EVENTS_URL": http_server.url, "UPCARD_JOBS_URL": http_server.jobs_url}
    return lambda *arguments, **more: CliRunner().invoke(main, ["token", *arguments], env=env, **more)


def said(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.output.strip()


@pytest.fixture
def table(real_house: House) -> Sitting:
    return opened(real_house)


@pytest.mark.store
class TestTokenCommands:
    """In the order in which somebody would use them."""

    def test_first_is_made_once_and_replaced_when_asked(
        self, upcard: Upcard, real_house: House, tmp_path: Path
    ) -> None:
        def known(token: str) -> bool:
            return Tokens(real_house.store, server_key(tmp_path), lambda: 0.0).caller(token) is not None

        file = Path(said(upcard("first")))
        before = file.read_text().strip()
        assert said(upcard("first")) == str(file)
        assert file.read_text().strip() == before
        assert known(before)
        said(upcard("first", "--new"))
        assert file.stat().st_mode & 0o777 == 0o600
        after = file.read_text().strip()
        assert (known(before), known(after)) == (False, True)

    def test_each_role_is_made_listed_and_revoked(self, upcard: Upcard, real_house: House, table: Sitting) -> None:
        made = {
            "organiser": said(upcard("create")),
            "auditor": said(upcard("create", "--role", "auditor", "--label", "referee")),
            "watch": said(upcard("create", "--role", "watch", "--session", table.id, "--expires-in", "2h")),
            "seat 2": said(upcard("create", "--role", "seat", "--session", table.id, "--seat", "2")),
        }
        lines = said(upcard("list")).splitlines()
        for what, token in made.items():
            grant = real_house.tokens.grants.find(token_digest(token))
            assert grant is not None
            [line] = [line for line in lines if line.startswith(f"{grant.id}  {what}  ")]
            assert line.endswith("last used never")
            assert token not in line
            real_house.again().client.get("/v1/sessions", token).ok()
            token_id = line.split("  ")[0]
            assert said(upcard("revoke", token_id)) == "revoked"
            real_house.again().client.get("/v1/sessions", token).problem("unauthenticated")
            assert "revoked already" in upcard("revoke", token_id).output
        assert "until 20" in "\n".join(lines)
        assert "'referee'" in "\n".join(lines)

    def test_a_sessions_list_begins_with_its_seats(self, upcard: Upcard, table: Sitting) -> None:
        lines = said(upcard("list", "--session", table.id)).splitlines()
        assert [line.split("  ")[0] for line in lines] == [seat_id(table.id, 1), seat_id(table.id, 2)]
        assert said(upcard("revoke", seat_id(table.id, 1))) == "revoked"
        table.house.again().client.get(table.path, table.seats[1]).problem("unauthenticated")
        assert "revoked 20" in said(upcard("list", "--session", table.id))

    def test_one_is_revoked_by_itself_too(self, upcard: Upcard, real_house: House) -> None:
        token = said(upcard("create"))
        real_house.client.get("/v1/sessions", token).ok()
        assert said(upcard("revoke", input=f"{token}\n")).endswith("revoked")
        assert upcard("revoke", "--token", token).exit_code != 0

    @pytest.mark.parametrize(
        "arguments",
        [
            ("create", "--role", "king"),
            ("create", "--role", "seat"),
            ("create", "--role", "watch", "--session", "nothing"),
            ("create", "--expires-in", "soon"),
            ("create", "--expires-in", "0s"),
            ("list", "--session", "nothing"),
            ("revoke", "nothing"),
        ],
    )
    def test_what_cannot_be_is_said(self, upcard: Upcard, real_house: House, arguments: tuple[str, ...]) -> None:
        before = real_house.everything()
        result = upcard(*arguments)
        assert result.exit_code != 0
        assert "Error" in result.output
        assert "Traceback" not in result.output
        assert real_house.everything() == before
