"""What a record tells of rulings: lines at the end of the deal's note, which any reader of the form lets pass.

`upcard rulings 1`, then lines `ruling`, `dealt`, `struck`, `amended`, as ops/decisions/0015-disputes-and-rulings.md has
them. Left out: who ruled and when, and what a dispute said. A record is given to everybody; those stay in the log.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from replay.records.limits import NOTE_LENGTH
from replay.records.notation import write_cards
from replay.rules.game import AnyGame
from replay.rules.session_events import DealStarted, Event, Irregular
from replay.rules.session_state import Deal, Ruling, Session, plays_of, struck_by

HEADING: Final = "upcard rulings 1"
_FIELDS: Final = (
    *("version", "disputes", "reason", "clause", "rests_on", "despite", "overrules", "to", "changed", "delta"),
    *("points", "totals", "winners"),
)
_LINE: Final = re.compile(
    r"ruling (?P<number>\d+) (?P<kind>\w+) (?P<said>\{.*\})"
    r"|dealt (?P<dealt>\d+) (?P<dealt_by>\d+) (?P<cards>\{.*\})"
    r"|(?P<what>struck|amended) (?P<version>\d+) (?P<by>\d+) (?P<play>.+)"
    r"|more (?P<more>\d+)",
    re.ASCII,
)


class Dealing(NamedTuple):
    """One dealing of a deal: its cards, and its plays as they were recorded, with their versions."""

    start: DealStarted
    version: int
    plays: Sequence[tuple[int, Event]]


class Told(NamedTuple):
    """What the lines of a note say."""

    rulings: tuple[Mapping[str, Any], ...]
    """By their fields, `number` and `ruling` (its kind) among them; what is null or empty is left out."""
    struck: tuple[tuple[int, int, str], ...]
    """Plays that do not count: version, ruling, play."""
    amended: tuple[tuple[int, int, str], ...]
    """Plays that are written otherwise in the deal: version, ruling, play as it was entered first."""
    dealt: tuple[tuple[int, int, Mapping[str, Any]], ...]
    """Cards of a dealing that was dealt again: version, ruling, `hands`, `upcard` and `stock` as a deal has them."""
    more: int
    """Lines that found no room."""


def note_with(
    session: Session, deal: Deal, dealings: Sequence[Dealing], rulings: Iterable[Ruling], note: str | None
) -> str | None:
    """A deal's note with its rulings told after it, as far as there is room. `dealings`: the one that counts last."""
    lines = [_ruling_line(each) for each in rulings]
    if not lines:
        return note
    for dealing in dealings[:-1]:
        lines += _dealt_again(session, dealing)
    lines += _changed(session, deal, dealings[-1])
    head = HEADING if note is None else f"{note}\n\n{HEADING}"
    if len(head) > NOTE_LENGTH:
        return note
    return head + _fitting(lines, NOTE_LENGTH - len(head))


def _fitting(lines: Sequence[str], room: int) -> str:
    """The lines, each after its line break, or so many of them as there is room for, and how many are missing."""
    whole = "".join(f"\n{line}" for line in lines)
    if len(whole) <= room:
        return whole
    made = ""
    for number, line in enumerate(lines):
        rest = f"\nmore {len(lines) - number}"
        if len(made) + 1 + len(line) + len(rest) > room:
            return made + rest if len(made) + len(rest) <= room else made
        made += f"\n{line}"
    return made


def _ruling_line(ruling: Ruling) -> str:
    event = ruling.event._asdict() | {"version": ruling.version}
    said = {name: event[name] for name in _FIELDS if event[name] not in (None, ())}
    if ruling.overruled:
        said["overruled"] = True
    return f"ruling {ruling.event.number} {ruling.event.ruling} {orjson.dumps(said).decode()}"


def _dealt_again(session: Session, dealing: Dealing) -> Iterator[str]:
    """A dealing that does not count, with all that was played in it."""
    start = dealing.start
    until = next((span.last for span in session.finished if span.first == dealing.version), dealing.version)
    made = (each for each in session.rulings if each.event.ruling == "redeal" and each.event.deal == start.number)
    # The first that came after it, or in the middle of it: that which is not over is ended by its ruling.
    by = next((each.event.number for each in made if each.version >= until - 1 and not each.overruled), 0)
    cards = {"hands": [write_cards(hand) for hand in start.hands], "upcard": start.upcard}
    cards["stock"] = write_cards(start.stock)
    yield f"dealt {dealing.version} {by} {orjson.dumps(cards).decode()}"
    for version, event in dealing.plays:
        yield f"struck {version} {by} {_written(session.game, event)}"


def _changed(session: Session, deal: Deal, dealing: Dealing) -> Iterator[str]:
    """The plays of a dealing that are not in the deal as it is written, or are other ones there."""
    standing = dict(plays_of(deal.line))
    amends = [each.event for each in reversed(session.rulings) if each.event.line is not None and not each.overruled]
    for version, event in dealing.plays:
        now = standing.get(version)
        if now is None:
            yield f"struck {version} {struck_by(session, version) or 0} {_written(session.game, event)}"
        elif now != event:
            by = (each.number for each in amends if any(play[0] == version for play in each.line or ()))
            yield f"amended {version} {next(by, 0)} {_written(session.game, event)}"


def _written(game: AnyGame, event: Event) -> str:
    made: Any = event.play if isinstance(event, Irregular) else event
    return f"{made.seat} {game.write_play(made)}{'!' if isinstance(event, Irregular) else ''}"


def told_in(note: str) -> Told | None:
    """What a note tells of rulings; None if it tells of none. Raises ValueError if its lines are not as written here.

    A note may tell twice, if its record was brought into a session and was ruled on there: then it says the last.
    """
    _, heading, after = f"\n{note}".rpartition(f"\n{HEADING}\n")
    if not heading:
        return None
    rulings: list[Mapping[str, Any]] = []
    struck: list[tuple[int, int, str]] = []
    amended: list[tuple[int, int, str]] = []
    dealt: list[tuple[int, int, Mapping[str, Any]]] = []
    more = 0
    for line in after.split("\n"):
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"no line about a ruling: {line[:80]!r}")
        if found["number"]:
            said = orjson.loads(found["said"])
            rulings.append({"number": int(found["number"]), "ruling": found["kind"], **said})
        elif found["dealt"]:
            dealt.append((int(found["dealt"]), int(found["dealt_by"]), orjson.loads(found["cards"])))
        elif found["what"]:
            play = (int(found["version"]), int(found["by"]), found["play"])
            (struck if found["what"] == "struck" else amended).append(play)
        else:
            more = int(found["more"])
    return Told(tuple(rulings), tuple(struck), tuple(amended), tuple(dealt), more)
