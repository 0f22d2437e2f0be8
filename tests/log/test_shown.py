"""Who sees what of a stored event before its deal is over, and law 4 for it: what a seat cannot know changes nothing.

Left out: when a deal is over and all is shown; that is asked by whoever shows.
"""

from collections.abc import Sequence
from random import Random

from replay.chain import check_seals
from replay.codec import shown
from replay.envelope import Envelope
from replay.rules.cards import Card, Cards
from replay.rules.game import EVERYTHING, ONLOOKER, EventType, Viewer
from replay.rules.rockaway.events import CardDrawn, CardPlayed, Passed
from replay.rules.session import fold
from replay.rules.session_events import DealEnded, DealStarted, EntropyAdded, Event, Irregular, SessionOpened
from tests.log.histories import again, history, stored
from tests.log.stated import STATED
from tests.log.strategies import DECLARED
from tests.seeds import rng, scaled

HANDS = (("Ac", "Kd"), ("Qs", "Qd"), ("Jh", "2c"))
STARTED = DealStarted(
    1, 3, tuple(tuple(map(Card, hand)) for hand in HANDS), Card("5d"), (Card("2d"), None), None, "late", "mixed"
)
OPEN = {"number": 1, "dealer": 3, "upcard": "5d", "played_at": None, "note": "late", "entropy": "mixed"}


def one(event: Event) -> Envelope:
    """The event as it is read back from its bytes."""
    (made,) = stored([event])
    return again(made)


def test_a_seat_sees_its_own_hand_of_a_deal_and_never_the_stock() -> None:
    for seat in (1, 2, 3):
        hands = [list(hand) if n == seat else None for n, hand in enumerate(HANDS, start=1)]
        assert shown(one(STARTED), Viewer(seat)).data == {**OPEN, "hands": hands, "stock": None}


def test_an_onlooker_sees_no_hand() -> None:
    assert shown(one(STARTED), ONLOOKER).data == {**OPEN, "hands": [None, None, None], "stock": None}
    assert shown(one(STARTED), Viewer(9)) == shown(one(STARTED), ONLOOKER)


def test_who_sees_everything_sees_the_stock_too() -> None:
    assert shown(one(STARTED), EVERYTHING).data == {
        **OPEN,
        "hands": list(map(list, HANDS)),
        "stock": ["2d", None],
    }


def test_a_drawn_card_is_shown_to_its_seat() -> None:
    for event in (CardDrawn(2, Card("Td"), 30), Irregular(CardDrawn(2, Card("Td"), 30), "R11")):
        mark = {"irregular": {"clause": "R11"}} if isinstance(event, Irregular) else {}
        assert shown(one(event), Viewer(2)).data == {"card": "Td", "stock_count": 30, **mark}
        assert shown(one(event), EVERYTHING).data == {"card": "Td", "stock_count": 30, **mark}
        for viewer in (ONLOOKER, Viewer(1), Viewer(3)):
            assert shown(one(event), viewer).data == {"card": None, "stock_count": 30, **mark}


def test_what_lies_face_up_is_shown_to_all() -> None:
    for viewer in (ONLOOKER, EVERYTHING, Viewer(1), Viewer(2)):
        assert shown(one(CardPlayed(2, Card("Td"), 1)), viewer).data == {"card": "Td", "turn": 1}
        assert shown(one(Passed(1, None)), viewer).data == {"turn": None}
        assert shown(one(DealEnded(1, "out", (0, 41), None, "5eed", None)), viewer).data == {
            "number": 1,
            "ending": "out",
            "points": [0, 41],
            "winners": None,
            "dealt_from": "5eed",
        }
        assert shown(one(EntropyAdded(2, "mine")), viewer).data == {"text": "mine"}


def test_a_seed_is_shown_to_nobody_until_its_deal_is_over() -> None:
    for event in (STATED["session.opened", 1][0], DealEnded(1, "out", (0, 41), None, None, "5eed" * 16)):
        stored_event = one(event)
        assert "seed" in stored_event.seals
        for viewer in (ONLOOKER, EVERYTHING, Viewer(1), Viewer(2)):
            assert shown(stored_event, viewer).data["seed"] is None
            assert "seed" not in shown(stored_event, viewer).opened
        for viewer in (Viewer(seeds=True), EVERYTHING._replace(seeds=True)):
            assert shown(stored_event, viewer).data["seed"] == event.seed  # type: ignore[union-attr]  # both have one
            check_seals(stored_event._replace(opened=shown(stored_event, viewer).opened))


def test_what_opens_is_given_for_what_is_shown_and_for_nothing_else() -> None:
    viewers = (ONLOOKER, EVERYTHING, Viewer(seeds=True), *(Viewer(seat) for seat in range(1, 9)))
    for (kind, schema), events in STATED.items():
        sealed = next(each.sealed for each in DECLARED if (each.kind, each.schema) == (kind, schema))
        for stored_event in map(one, events):
            for viewer in viewers:
                seen = shown(stored_event, viewer)
                assert set(seen.opened) <= set(stored_event.seals)
                for name in stored_event.seals:
                    opening, value, whole = seen.opened.get(name), seen.data[name], stored_event.opened[name]
                    if not sealed[name].by_seat:
                        assert opening in (None, whole)
                        assert value == (opening and opening[1])
                    else:
                        parts = opening or [None] * len(whole)
                        assert value == [part and part[1] for part in parts]
                        assert all(part in (None, true) for part, true in zip(parts, whole, strict=True))


def absent(declared: EventType, event: Event) -> set[str]:
    """Sealed fields that this event has nothing in, and that are then not sealed."""
    may_be = {name for name, audience in declared.sealed.items() if not (audience.own_seat or audience.by_seat)}
    return {name for name in may_be if getattr(event, name, None) is None}


def test_every_declared_field_has_its_place_for_every_viewer() -> None:
    for declared in DECLARED:
        fields = set(declared.shape._fields) - {"seat"}
        for event in STATED[declared.kind, declared.schema]:
            expected = fields | ({"irregular"} if isinstance(event, Irregular) else set())
            # What there is none of, where it may be so, is neither sealed nor public.
            expected -= absent(declared, event)
            for viewer in (ONLOOKER, EVERYTHING, Viewer(1), Viewer(2)):
                assert set(shown(one(event), viewer).data) == expected


def test_nothing_sealed_lies_in_the_public_part() -> None:
    for declared in DECLARED:
        for event in STATED[declared.kind, declared.schema]:
            unsealed = absent(declared, event)
            assert set(one(event).seals) == set(one(event).opened) == set(declared.sealed) - unsealed
            assert not set(one(event).data) & set(declared.sealed)


def test_two_deals_that_differ_only_in_unseen_cards_look_the_same() -> None:
    random = rng("log/shown")
    differing = 0
    for _ in range(scaled(1000)):
        played = history(random, deals=1)
        opened = played[0]
        assert isinstance(opened, SessionOpened)
        start = next((n for n, event in enumerate(played) if isinstance(event, DealStarted)), len(played))
        before, rest = played[:start], played[start:]
        for seat in (None, *range(1, opened.seats + 1)):
            twin = [*before, *with_unseen_cards_moved(random, rest, seat)]
            assert fold(None, twin).version == len(played), "the twin is no deal"
            differing += twin != played
            seen, seen_of_twin = ([shown(each, Viewer(seat)) for each in stored(events)] for events in (played, twin))
            assert seen == seen_of_twin
    assert differing > scaled(1000)


def with_unseen_cards_moved(random: Random, events: Sequence[Event], seat: int | None) -> list[Event]:
    """The same deal with the cards changed about that this seat (or an onlooker) never sees in it."""
    if not events or not isinstance(events[0], DealStarted):
        return list(events)
    started = events[0]
    # Each card by its place: where it was dealt. Places stay, what lies in them changes.
    hands = [[(n, at) for at in range(len(hand))] for n, hand in enumerate(started.hands, start=1)]
    cards = {(n, at): card for n, hand in enumerate(started.hands, start=1) for at, card in enumerate(hand)}
    cards |= {(0, at): card for at, card in enumerate(started.stock) if card is not None}
    unseen = {place for place in cards if place[0] != seat}
    drawn_from: dict[int, tuple[int, int]] = {}
    gone = 0
    for n, event in enumerate(events):
        play = event.play if isinstance(event, Irregular) else event
        if isinstance(play, CardDrawn):
            place = (0, gone)
            cards[place], drawn_from[n] = play.card, place
            unseen.add(place)
            gone += 1
            hands[play.seat - 1].append(place)
            if play.seat == seat:
                unseen.discard(place)
        elif isinstance(play, CardPlayed):
            hand = hands[play.seat - 1]
            place = next(each for each in hand if cards[each] == play.card)
            hand.remove(place)
            unseen.discard(place)
    places = sorted(unseen)
    moved = dict(zip(places, random.sample([cards[place] for place in places], len(places)), strict=True))
    now = {**cards, **moved}
    dealt: tuple[Cards, ...] = tuple(
        tuple(now[n, at] for at in range(len(hand))) for n, hand in enumerate(started.hands, start=1)
    )
    stock = tuple(now[0, at] if card is not None else None for at, card in enumerate(started.stock))
    twin: list[Event] = [started._replace(hands=dealt, stock=stock)]
    for n, event in enumerate(events[1:], start=1):
        if n not in drawn_from:
            twin.append(event)
        elif isinstance(event, Irregular):
            assert isinstance(event.play, CardDrawn)
            twin.append(event._replace(play=event.play._replace(card=now[drawn_from[n]])))
        else:
            assert isinstance(event, CardDrawn)
            twin.append(event._replace(card=now[drawn_from[n]]))
    return twin
