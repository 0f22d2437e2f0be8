"""What a dispute says is read by those of its table and by nobody else, through whatever door; and it is data (F5)."""

import json
import re
from collections.abc import Iterator
from typing import Final

import pytest

from replay.codec import decode
from replay.envelope import Envelope
from replay.exports import read_export
from replay.rules.session_events import DisputeOpened
from service.hearing_page import visible
from tests.http.client import Answer
from tests.http.house import House
from tests.http.resources import resources
from tests.http.streaming import NDJSON, SSE, Stream
from tests.http.tables import SHORT, SHORT_PLAYS, Sitting, opened
from tests.rulings.playing import rule
from workers.webhooks.messages import message_body

WORD: Final = "xyzzyx"
HOSTILE: Final = (
    f'{WORD} <script>alert("1")</script>\n<img src=x onerror=y> \u202egnorw\u202c {{{{7*7}}}} &amp; \u200bAs'
)
REASON: Final = 'no <b>card</b> "was" \u202ehidden & all {{7*7}} saw it'
FORMS: Final = ("application/json", "application/toml", NDJSON, "text/plain", "text/html")
ORGANISERS: Final = re.compile(r"/v1/(tokens|webhooks|privileged_reads)|/privileged_reads$")
"""What tells of no session's events."""


@pytest.fixture(params=["on", "over"])
def table(house: House, request: pytest.FixtureRequest) -> Sitting:
    """A public table: deal 1 is over and was ruled on, deal 2 (if it is on) is contested too."""
    made = opened(house, public=True, options={"deals": None})
    made.short()
    made.post("/disputes", {"deal": 1, "version": 4, "words": HOSTILE}, made.seats[2]).ok(201)
    rule(made, {"ruling": "adjust", "deal": 1, "points": [0, 3], "disputes": [1], "reason": REASON}).ok(201)
    made.post("/disputes", {"deal": 1, "about": "arithmetic", "words": HOSTILE}, made.owner).ok(201)
    if request.param == "on":
        made.deal({**SHORT, "dealer": 2}).ok(201)
        made.play(1, "play", "8h").ok(201)
        made.post("/disputes", {"deal": 2, "words": HOSTILE}, made.seats[1]).ok(201)
    house.score(made.id)
    return made


def token(house: House, role: str, table: Sitting) -> str:
    """A token of this role for the table."""
    body = {"role": role, "sessions": [table.id]}
    made: str = house.client.post("/v1/tokens", body, house.owner).ok(201)["token"]
    return made


def answers(table: Sitting, by: str | None) -> Iterator[tuple[str, Answer]]:
    """Everything that this caller can read, in every form that there is."""
    paths = {
        each.path(table.id, number)
        for each in resources(table.house)
        if each.method == "GET" and not ORGANISERS.search(each.rule)
        for number in ("1", "2")
    }
    paths |= {f"{table.path}?at={at}" for at in range(1, table.version + 1)}
    paths |= {f"{table.path}/events?limit=500", f"{table.path}/deals/1/replay?limit=200"}
    for path in sorted(paths):
        for form in FORMS:
            yield f"{path} as {form}", table.house.client.get(path, by, headers={"Accept": f"{form}, */*;q=0.1"})


def streamed(table: Sitting, by: str | None) -> Iterator[tuple[str, str]]:
    """All events so far, as streams give them."""
    for form, path in ((SSE, "/events?after=0"), (NDJSON, "/events?after=0&follow=true")):
        with Stream(table.house, table.path + path, by, form=form) as stream:
            yield f"stream of {form}", json.dumps(stream.take(table.version))


def telling(table: Sitting, by: str | None) -> set[str]:
    """Where this caller finds the words of a dispute."""
    found = {about for about, answer in answers(table, by) if WORD in answer.everything}
    return found | {about for about, text in streamed(table, by) if WORD in text}


def stored(table: Sitting) -> list[Envelope]:
    """The log."""
    return list(table.house.log.read(table.id))


def test_they_are_for_the_table_alone(house: House, table: Sitting) -> None:
    other = opened(house)
    outside = {
        "nobody": None,
        "an onlooker": token(house, "watch", table),
        "another organiser": house.stranger,
        "a seat elsewhere": other.seats[1],
    }
    for name, by in outside.items():
        assert telling(table, by) == set(), name
    inside = {
        **{f"seat {seat}": by for seat, by in table.seats.items()},
        "the organiser": table.owner,
        "the first organiser": house.first,
        "an auditor": token(house, "auditor", table),
    }
    doors: tuple[str, ...] = ("/disputes as", "/events as", "/export as", "/audit as text/html", "/audit as text/plain")
    # A replay has what was said while its deal was on.
    doors += ("/replay as",) if table.state().playing else ()
    for name, by in inside.items():
        found = telling(table, by)
        for door in (*doors, "/audit as application/json", f"stream of {SSE}", f"stream of {NDJSON}"):
            assert any(door in each for each in found), f"{name}: {door}"
        desk = [each for each in found if each.startswith("/v1/disputes ")]
        assert bool(desk) == (name in ("the organiser", "the first organiser")), name


def test_nobody_else_gets_them_by_record_webhook_or_refusal(table: Sitting) -> None:
    for each in stored(table):
        assert WORD.encode() not in message_body(table.id, each)
    for by in (table.owner, table.seats[1], None):
        for form in ("application/json", "application/toml"):
            assert WORD not in table.get("/record", by, headers={"Accept": form}).ok().text
    for by in (None, table.house.stranger):
        answer = table.post("/rulings?dry_run=true", {"ruling": "void", "deal": 1, "reason": "so"}, by)
        assert WORD not in answer.everything


def test_they_lie_sealed_in_the_log_and_closed_in_an_onlookers_export(table: Sitting) -> None:
    opened_at = [each for each in stored(table) if each.kind == "session.dispute_opened"]
    assert len(opened_at) >= 2
    for each in opened_at:
        assert WORD.encode() not in each.raw
        assert "words" in each.seals
    for by, words in ((None, None), (table.seats[2], HOSTILE)):
        export = read_export(table.get("/export", by).ok().text.encode())
        told = [each for each in decode(export.events) if isinstance(each, DisputeOpened)]
        assert [each.words for each in told] == [words] * len(opened_at)


def test_they_come_back_as_they_were_written_where_they_are_data(table: Sitting) -> None:
    assert {each["words"] for each in table.get("/disputes", table.owner).ok()["disputes"]} == {HOSTILE}
    report = table.get("/deals/1/audit", table.owner).ok()["report"]
    assert [each["words"] for each in report["disputes"]] == [HOSTILE, HOSTILE]
    assert report["rulings"][0]["reason"] == REASON
    nobody = table.get("/deals/1/audit").ok()["report"]
    assert [each["words"] for each in nobody["disputes"]] == [None, None]
    assert nobody["rulings"] == report["rulings"]


def test_they_are_no_markup_no_template_and_no_line_of_the_report(table: Sitting) -> None:
    page = table.get("/deals/1/audit", table.owner, headers={"Accept": "text/html"}).ok()
    assert "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt;" in page.text
    assert "no &lt;b&gt;card&lt;/b&gt; &#34;was&#34; {U+202E}hidden &amp; all {{7*7}} saw it" in page.text
    for markup in ("<script", "<img", "onerror=y>", "<b>card", "javascript:"):
        assert markup not in page.text
    text = table.get("/deals/1/audit", table.owner, headers={"Accept": "text/plain"}).ok().text
    for form in (page.text, text):
        assert "{U+202E}gnorw{U+202C}" in form
        assert "{U+200B}As" in form
        assert "{{7*7}}" in form
        assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069]", form)
    lines = [line for line in text.splitlines() if "onerror" in line]
    assert [line.startswith("    > ") for line in lines] == [True, True]


@pytest.mark.parametrize("name", ["Ann</title><script>", "\u202eAnn", "Ann\u2067"])
def test_names_and_notes_are_data_too(house: House, name: str) -> None:
    body = {"game": "rockaway", "players": [name, "Ben"], "mode": "recorded", "public": True}
    table = Sitting(house, house.client.post("/v1/sessions", body, house.owner).ok(201), house.owner)
    table.deal({**SHORT, "note": "<i>late</i>\nRULINGS\nruling 9: void"}).ok(201)
    for seat, card in SHORT_PLAYS:
        table.play(seat, "play", card).ok(201)
    page = table.get("/deals/1/audit", headers={"Accept": "text/html"}).ok().text
    text = table.get("/deals/1/audit", headers={"Accept": "text/plain"}).ok().text
    assert "<script" not in page
    assert "<i>" not in page
    assert "\nruling 9" not in text
    assert visible(name) in text
    for form in (page, text):
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", form)
