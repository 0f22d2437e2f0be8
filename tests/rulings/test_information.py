"""The information barrier: a deal goes back across a play that showed a card only for a reason that is given (F2).

Whether a play shows one is asked of the views: what each viewer has in sight before and after it, the pile as it was
laid included, since everybody saw that.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest

from replay.rules.cards import Card
from replay.rules.game import ONLOOKER, AnyGame, EventType, Viewer
from replay.rules.registry import GAMES
from replay.rules.session import fold
from replay.rules.session_amend import RulingCommand
from replay.rules.session_decide import play
from replay.rules.session_events import Irregular
from replay.rules.session_rule import rule
from replay.rules.session_state import Session, plays_of
from tests.http.house import House, nothing_recorded
from tests.http.tables import SHORT, opened
from tests.rules.seeded import session as seeded_session
from tests.seeds import rng, scaled

SHOWING_NOTHING: Final = frozenset(
    {"rockaway.passed", "rum.card_taken", "rum.deal_voided", "canasta.asked", "canasta.answered", "canasta.passed"}
)
"""Kinds of play that never show a card. `canasta.pile_taken` shows none if only the pile's own card is added."""
SOMETIMES: Final = frozenset({"canasta.pile_taken"})


class Made(NamedTuple):
    """A play of seeded play, and the session around it."""

    before: Session
    event: Any
    after: Session


def kind_of(game: AnyGame, event: Any) -> str:
    """As it is stored."""
    types: Mapping[type[Any], EventType] = {each.shape: each for each in game.events}
    return types[type(event)].kind


def made_plays(game: AnyGame) -> Iterator[Made]:
    """Plays of seeded sessions, legal and irregular; the last of a deal is left out, after which all is open."""
    for number in range(scaled(60)):
        for irregular in (False, True):
            chance = rng(f"{game.name} session {number}{' irregular' * irregular}")
            for step in seeded_session(game, chance, irregular=irregular):
                if step.command is not None and step.before is not None and step.after.playing:
                    event = step.events[0]
                    yield Made(step.before, event.play if isinstance(event, Irregular) else event, step.after)


class Sight:
    """What everybody can have in sight, play by play: his hand, what lies on the table, and the pile as it was laid."""

    def __init__(self, session: Session) -> None:
        assert session.deal is not None
        self.first: Final = session.deal.first
        self._seats: Final = session.seats
        view = session.game.view(session.deal.state, ONLOOKER)
        # What a pile begins with was turned up one by one.
        self._pile: list[Card | None] = [*_pile_of(session.deal.state, view.discard_count, view.upcard)]

    def seen(self, session: Session) -> list[Counter[Card]]:
        """By viewer: each seat, then an onlooker."""
        assert session.deal is not None
        game, state = session.game, session.deal.state
        view = game.view(state, ONLOOKER)
        del self._pile[max(view.discard_count, 0) :]
        if view.discard_count > len(self._pile):
            self._pile.append(view.upcard)
        table = [*_cards(view.further), *(card for card in self._pile if card is not None)]
        hands = [game.view(state, Viewer(seat)).hands[seat - 1] or () for seat in range(1, self._seats + 1)]
        return [Counter(table) + Counter(hand) for hand in (*hands, ())]


def _pile_of(state: Any, count: int, upcard: Card | None) -> list[Card | None]:
    known = getattr(state, "pile", None)
    if known is not None and len(known) == count:
        return [*known]
    return [*((None,) * (count - 1)), *((upcard,) * (count > 0))]


def _cards(part: Any, name: str = "") -> Iterator[Card]:
    """The cards of what a view says of a game's own, however deep; `taken` names one that lies in a hand."""
    if name == "taken":
        return
    if isinstance(part, Mapping):
        for within, each in part.items():
            yield from _cards(each, within)
    elif isinstance(part, str):
        if (len(part) == 2 and part[0] in "A23456789TJQK" and part[1] in "cdhs") or part == "Jk":
            yield Card(part)
    elif isinstance(part, tuple | list):
        for each in part:
            yield from _cards(each)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_play_shows_what_somebody_sees_after_it_and_did_not_before(game: AnyGame) -> None:
    sight: Sight | None = None
    found: Counter[tuple[str, bool]] = Counter()
    for before, event, after in made_plays(game):
        assert before.deal is not None
        if sight is None or sight.first != before.deal.first or before.deal.plays == 0:
            sight = Sight(before)
        was, now = sight.seen(before), sight.seen(after)
        shown = any(now[viewer] - was[viewer] for viewer in range(len(was)))
        assert game.shows(event) or not shown, (event, was, now)
        kind = kind_of(game, event)
        found[kind, game.shows(event)] += 1
        # A draw that nobody has written down is of a card all the same, and so is one of a pile that was turned over.
        blind = getattr(event, "turned", False) or getattr(event, "card", ()) is None
        assert shown or blind or not game.shows(event), (event, was, now)
    assert {kind for kind, shows in found if not shows} <= SHOWING_NOTHING | SOMETIMES
    assert {kind for kind, shows in found if shows} & SHOWING_NOTHING == set()
    assert sum(found.values()) > 20


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_deal_goes_back_only_across_what_showed_nothing(game: AnyGame) -> None:
    """One play and several, of every kind that comes up: refused at the first that showed a card."""
    seen: Counter[tuple[str, bool]] = Counter()
    for before, event, after in made_plays(game):
        kind = kind_of(game, event)
        if seen[kind, game.shows(event)] >= 5:
            continue
        seen[kind, game.shows(event)] += 1
        assert after.deal is not None
        assert before.deal is not None
        for back in (before.version, max(after.deal.first, before.version - 3)):
            command = RulingCommand("retract", "slip", deal=after.deal.number, to=back)
            gone = [each for version, each in plays_of(after.deal.line) if version > back]
            showing = any(game.shows(each.play if isinstance(each, Irregular) else each) for each in gone)
            assert (_refusal(after, command) == "InformationShownError") == showing
            (ruled,) = rule(after, command._replace(despite="all agreed"), _no_history)
            again = fold(after, (ruled,)).deal
            assert again is not None
            assert (again.plays, again.state) == (after.deal.plays - len(gone), again.state)
            if back == before.version:
                assert (again.state, again.line) == (before.deal.state, before.deal.line)


def _no_history(_: Any) -> Any:
    raise AssertionError("a deal that is on needs no history")


def _refusal(session: Session, command: RulingCommand) -> str | None:
    try:
        rule(session, command, _no_history)
    except Exception as refusal:
        return type(refusal).__name__
    return None


def test_over_http_the_refusal_names_the_first_version_that_showed_a_card(house: House) -> None:
    table = opened(house)
    table.short(4)
    body = {"ruling": "retract", "deal": 1, "to": 3, "reason": "slip"}
    with nothing_recorded(house):
        for path in ("/rulings", "/rulings?dry_run=true"):
            table.post(path, body, table.owner).problem("information-shown", shown_at=4, version=6)
    table.post("/rulings", {**body, "despite_information": "all agreed"}, table.owner).ok(201)
    assert table.state().rulings[0].event.despite == "all agreed"
    assert table.get("/deals/1/replay?limit=200", table.owner)["steps"][2].get("struck") is True
    assert [step["version"] for step in table.get("/deals/1/replay", table.owner)["steps"] if "struck" in step] == [
        *(4, 5, 6)
    ]
    table.play(2, "play", SHORT["hands"][1][0]).ok(201)


def test_an_irregular_play_that_showed_nothing_is_taken_back_freely() -> None:
    game = GAMES["rockaway"]
    chance = rng("free retract")
    session = next(
        made.before for made in made_plays(game) if made.before.deal is not None and made.before.deal.plays > 3
    )
    state = session.deal.state if session.deal else None
    passes = game.read_play(chance.randrange(session.seats) + 1, "pass", [])
    events = play(session, passes, irregular=True)
    after = fold(session, events)
    assert after.deal is not None
    (ruled,) = rule(after, RulingCommand("retract", "slip", deal=after.deal.number, to=session.version), _no_history)
    again = fold(after, (ruled,)).deal
    assert again is not None
    assert again.state == state
