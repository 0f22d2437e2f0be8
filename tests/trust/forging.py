"""What careless hands and careful forgers do to a session, and to its export; each says which version gives it away.

A forger makes seals, digests, checkpoints and signatures anew, with a key of his own or with the true one. Left out:
what is found of it, which test_tampering.py asks.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import orjson

from replay.checkpoints import Signer
from replay.envelope import Envelope, Tip, canonical, digest, envelope, genesis
from replay.rules.game import EVERYTHING
from replay.rules.session_decide import play
from replay.rules.session_events import DealEnded, DealStarted, EntropyAdded, Event, Irregular
from replay.rules.session_state import Session
from tests.rules.tables import support_of
from tests.trust.sessions import Kept, signed, stored

Rows = list[bytes]
"""The lines of an export, without their ends: header, events, checkpoints, end."""


def rows_of(exported: bytes) -> Rows:
    """Its lines."""
    return exported.split(b"\n")[:-1]


def joined(rows: Sequence[bytes]) -> bytes:
    """The export of these lines."""
    return b"".join(row + b"\n" for row in rows)


class Tampered(NamedTuple):
    """A spoilt export, and the versions any of which gives it away: none if it was no event that was touched."""

    exported: bytes
    at: frozenset[int]


def edited(chance: Random, rows: Rows, version: int) -> Tampered:
    """One byte anywhere in the file made another."""
    whole = bytearray(joined(rows))
    place = chance.randrange(len(whole))
    whole[place] ^= chance.randrange(1, 256)
    row = bytes(joined(rows))[:place].count(b"\n")
    return Tampered(bytes(whole), frozenset({row}) if 1 <= row <= version else frozenset())


def dropped(chance: Random, rows: Rows, version: int) -> Tampered:
    """An event less."""
    at = chance.randrange(1, version + 1)
    return Tampered(joined(rows[:at] + rows[at + 1 :]), frozenset({at}))


def swapped(chance: Random, rows: Rows, version: int) -> Tampered:
    """Two events in each other's place."""
    one, other = sorted(chance.sample(range(1, version + 1), 2))
    made = list(rows)
    made[one], made[other] = made[other], made[one]
    return Tampered(joined(made), frozenset({one}))


def repeated(chance: Random, rows: Rows, version: int) -> Tampered:
    """An event once more, there or elsewhere."""
    which, place = chance.randrange(1, version + 1), chance.randrange(1, version + 2)
    if chance.random() < 0.5:
        place = which + 1
    # Before itself it is the same as after.
    at = place + 1 if place == which else place
    return Tampered(joined([*rows[:place], rows[which], *rows[place:]]), frozenset({at}))


def inserted(chance: Random, rows: Rows, version: int) -> Tampered:
    """An event that never was: one of the others with the version of its place, and once in a while its digest too."""
    place = chance.randrange(1, version + 2)
    fields = orjson.loads(rows[chance.randrange(1, version + 1)])
    fields["event"] |= {"version": place, "request": "inserted"}
    at = {place}
    if chance.random() < 0.5 and place > 1 and fields["event"]["kind"] != "session.deal_ended":
        # It follows; that the next one does not is what is seen then, unless the rules know better.
        before = bytes.fromhex(orjson.loads(rows[place - 1])["digest"])
        fields["digest"] = digest(before, canonical(fields["event"])).hex()
        at.add(place + 1)
    return Tampered(joined([*rows[:place], canonical(fields), *rows[place:]]), frozenset(at))


def not_opening(chance: Random, rows: Rows, version: int) -> Tampered:
    """An opening that is not that of its seal, somewhere: of another value, or with another salt."""
    made = list(rows)
    sealed = [at for at in range(1, version + 1) if b'"opened":{}' not in made[at]]
    at = chance.choice(sealed)
    fields = orjson.loads(made[at])
    opening = chance.choice(list(fields["opened"].values()))
    if not isinstance(opening[0], str):
        opening = chance.choice([each for each in opening if each])
    which = chance.randrange(2)
    opening[which] = _other(chance, opening[which])
    made[at] = canonical(fields)
    return Tampered(joined(made), frozenset({at}))


def _other(chance: Random, value: Any) -> Any:
    """A value much like this one."""
    match value:
        case [_, *_]:
            at = chance.randrange(len(value))
            return [*value[:at], _other(chance, value[at]), *value[at + 1 :]]
        case str() if len(value) > 2:
            at = chance.randrange(len(value))
            return value[:at] + chance.choice("0123456789abcdef".replace(value[at], "")) + value[at + 1 :]
        case _:
            return chance.choice([card for card in ("2c", "Ad", "Ts", "Kh") if card != value])


CARELESS: Final[tuple[Callable[[Random, Rows, int], Tampered], ...]] = (
    *(edited, dropped, swapped, repeated, inserted, not_opening),
)


class Forged(NamedTuple):
    """A log that was made anew from what never happened so, and the version that gives it away."""

    log: Kept
    at: int
    check: str
    """Which check finds it."""


def sealed_otherwise(chance: Random, of: Kept, signer: Signer) -> Forged:
    """A public part that has another seal than what opens it, in a chain put right."""
    at = chance.choice([each.version for each in of.stored[: of.ends[-1] - 1] if each.opened])
    fields = orjson.loads(of.stored[at - 1].raw)
    name = chance.choice(list(fields["seals"]))
    seal = fields["seals"][name]
    fields["seals"][name] = _other(chance, seal) if isinstance(seal, str) else [_other(chance, seal[0]), *seal[1:]]
    made = rechained(of, {at: canonical(fields)})
    return Forged(of._replace(stored=made, checkpoints=signed(of.id, made, signer)), at, "seals")


def rechained(of: Kept, changed: dict[int, bytes]) -> tuple[Envelope, ...]:
    """The events with these public parts in place of theirs, and digests that follow."""
    opened = of.opened
    tip = Tip(0, genesis(of.id, opened.game, opened.revision, opened.options))
    made = []
    for each in of.stored:
        raw = changed.get(each.version, each.raw)
        made.append(envelope(each.version, raw, each.sealed_bytes(), digest(tip.head, raw)))
        tip = made[-1].tip
    return tuple(made)


def dealt_otherwise(chance: Random, of: Kept, signer: Signer) -> Forged | None:
    """Cards that do not follow from the seed, or a seed that is not the one committed to; None if nothing is dealt."""
    starts = [at for at, event in enumerate(of.events, start=1) if isinstance(event, DealStarted) and at < of.ends[-1]]
    events, at = list(of.events), chance.choice(starts)
    started = events[at - 1]
    assert isinstance(started, DealStarted)
    end = next(each for each in of.ends if each > at)
    before = events[at - 2]
    match chance.choice(("cards", "text", "seed", "organiser")):
        case "text" if isinstance(before, EntropyAdded):
            events[at - 2] = before._replace(text=before.text + ".")
        case "seed":
            ended = events[end - 1]
            assert isinstance(ended, DealEnded)
            assert ended.dealt_from is not None
            events[end - 1] = ended._replace(dealt_from=_other(chance, ended.dealt_from))
            at = end
        case "organiser":
            events[at - 1] = started._replace(entropy=f"{started.entropy}.")
        case _:
            first, last = started.hands[0], started.stock[-1]
            assert last is not None
            if first[0] == last:
                return None
            hands = ((last, *first[1:]), *started.hands[1:])
            events[at - 1] = started._replace(hands=hands, stock=(*started.stock[:-1], first[0]))
    return Forged(stored(of.id, events, chance, signer), at, "deals")


def played_otherwise(chance: Random, of: Kept, signer: Signer) -> Forged | None:
    """A play that the rules forbid where another was made; None if there is none to be found."""
    plays = [at for at, event in enumerate(of.events, start=1) if hasattr(event, "seat") and at < of.ends[-1]]
    for at in chance.sample(plays, min(len(plays), 10)):
        if isinstance(of.events[at - 1], EntropyAdded):
            continue
        forbidden = _forbidden(chance, of.state(at - 1))
        if forbidden is not None:
            events = [*of.events[: at - 1], forbidden, *of.events[at:]]
            return Forged(stored(of.id, events, chance, signer), at, "plays")
    return None


def _forbidden(chance: Random, session: Session) -> Event | None:
    """The event of a play that the rules forbid now."""
    assert session.deal is not None
    game, state = session.game, session.deal.state
    support = support_of(game)
    judge, turn = support.judge(state), game.view(state, EVERYTHING).turn
    seats = [turn, chance.randrange(1, session.seats + 1)]
    for seat in seats if chance.random() < 0.8 else reversed(seats):
        assert seat is not None
        said = list(support.sayable(state, seat))
        for command in chance.sample(said, min(len(said), 40)):
            if judge(command) not in (None, "impossible") and game.impossible(state, command) is None:
                made = play(session, command, irregular=True)[0]
                assert isinstance(made, Irregular)
                # As if the rules allowed it; or marked, with a clause that it does not offend.
                return made.play if chance.random() < 0.8 else made._replace(clause="XA-99")
    return None


def scored_otherwise(chance: Random, of: Kept, signer: Signer) -> Forged:
    """Points, winners or an ending that do not follow from the cards."""
    events, at = list(of.events), chance.choice(of.ends)
    ended = events[at - 1]
    assert isinstance(ended, DealEnded)
    match chance.choice(("points", "points", "winners", "ending", "number")):
        case "winners" if ended.winners is not None and len(ended.winners) < of.opened.seats:
            others = {*range(1, of.opened.seats + 1)} - {*ended.winners}
            events[at - 1] = ended._replace(winners=tuple(sorted(others)))
        case "ending":
            events[at - 1] = ended._replace(ending="shown" if ended.ending != "shown" else "out")
        case "number":
            events[at - 1] = ended._replace(number=ended.number + 1)
        case _:
            which = chance.randrange(len(ended.points))
            points = [*ended.points]
            points[which] += chance.choice((-100, -1, 1, 5))
            events[at - 1] = ended._replace(points=tuple(points))
    return Forged(stored(of.id, events, chance, signer), at, "scores")
