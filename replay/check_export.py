#!/usr/bin/env python3
"""Checks an Upcard export with the standard library alone: `python3 check_export.py export.ndjson`.

Checks the chain of digests, the seals that are opened, that every seed was committed to before its deal, and that
every shuffled deal which is over follows from its seed. One file, which imports nothing of Upcard, so that it can be
read in one sitting and carried anywhere. Left out: signatures (compare the head that it prints with a checkpoint that
you kept), the rules of the games, and scores; `upcard verify` checks those too.

Exit status: 0 if everything holds, 1 if something does not, 2 if the file cannot be read.
"""

import hmac
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

Fields = dict[str, Any]


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of text, whole numbers, lists, and objects with ASCII keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


class Wrong(Exception):  # noqa: N818 - it is what is wrong with a file, not an error of this program
    """Something does not hold; `version` says at which event, None where it is none."""

    def __init__(self, check: str, version: int | None, detail: str) -> None:
        super().__init__(f"{check}: {'' if version is None else f'version {version}: '}{detail}")
        self.check, self.version, self.detail = check, version, detail


def read(raw: bytes) -> tuple[Fields, list[Fields], list[Fields], Fields, str]:
    """Header, events, checkpoints of an export, whose every line must be canonical JSON under one digest."""
    rows = raw.split(b"\n")
    if rows.pop() != b"":
        raise Wrong("file", None, "the last line is cut off")
    header: Fields = {}
    end: Fields = {}
    events: list[Fields] = []
    checkpoints: list[Fields] = []
    for number, row in enumerate(rows):
        try:
            fields = json.loads(row)
            if canonical(fields) != row:
                raise ValueError("it is not canonical JSON")
            if number == 0:
                header = fields if fields["export"] == 1 and int(fields["version"]) > 0 else {}
            elif number == len(rows) - 1:
                end = dict(fields["end"])
            elif "checkpoint" in fields:
                checkpoints.append(fields["checkpoint"])
            else:
                # Whatever is looked at below must be there; of which type it is, is found out there.
                event = fields["event"]
                event["version"], event["kind"], event["data"], event["seals"], fields["digest"]
                fields["opened"].items()
                if checkpoints:
                    raise ValueError("an event stands after the checkpoints")
                events.append(fields)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            version = number if 0 < number <= header.get("version", 0) else None
            raise Wrong("file", version, f"line {number + 1}: {type(fault).__name__} {fault}"[:200]) from None
    if not header or not end:
        raise Wrong("file", None, "its first or last line is missing")
    return header, events, checkpoints, end, sha256(b"".join(row + b"\n" for row in rows[:-1])).hexdigest()


def check_chain(header: Fields, events: list[Fields]) -> str:
    """Every version follows, and every digest is SHA-256 of the digest before it and the event's canonical JSON."""
    if not events:
        raise Wrong("chain", 1, "there is no event")
    try:
        opening = events[0]["event"]["data"]
        bound = {name: opening[name] for name in ("game", "options", "revision")}
    except (LookupError, TypeError):
        raise Wrong("chain", 1, "it opens no session") from None
    head = sha256(canonical({**bound, "session": header.get("session")})).digest()
    for version, each in enumerate(events, start=1):
        if each["event"]["version"] != version or type(each["event"]["version"]) is not int:
            raise Wrong("chain", version, f"event {each['event']['version']} stands in its place")
        head = sha256(head + canonical(each["event"])).digest()
        if each["digest"] != head.hex():
            raise Wrong("chain", version, "its digest does not follow from the events before it")
    return head.hex()


def by_seat(opening: list[Any]) -> bool:
    """Whether this is a list of openings, one a seat, rather than one: a salt and a value."""
    return not opening or not isinstance(opening[0], str)


def check_seals(events: list[Fields]) -> None:
    """Every seal is SHA-256 of the canonical JSON of the salt and value that open it; none is closed after its deal."""
    over = max([0, *(n for n, each in enumerate(events, 1) if each["event"]["kind"] == "session.deal_ended")])
    begun = max([0, *(n for n, e in enumerate(events[:over], 1) if e["event"]["kind"] == "session.deal_started")])
    for version, each in enumerate(events, start=1):
        try:
            seals, opened = each["event"]["seals"], each["opened"]
            for name in sorted({*seals, *opened}):
                opening, seal = opened.get(name), seals.get(name)
                if name in opened and not fits(opening, seal):
                    raise Wrong("seals", version, f"the seal of `{name}` does not open")
                closed = name != "words" and (opening is None or (by_seat(opening) and None in opening))
                if closed and (version < begun if name == "seed" else version <= over):
                    raise Wrong("seals", version, f"the seal of `{name}` is not opened, though its deal is over")
        except (LookupError, TypeError, ValueError, AttributeError) as fault:
            raise Wrong("seals", version, f"its seals cannot be read: {type(fault).__name__}") from None


def fits(opening: list[Any], seal: Any) -> bool:
    """Whether what is opened is what was sealed; of a list by seat each part for itself, those still closed aside."""
    if by_seat(opening):
        return len(opening) == len(seal) and all(
            each is None or (len(each) == 2 and sha256(canonical(each)).hexdigest() == part)
            for each, part in zip(opening, seal, strict=True)
        )
    return len(opening) == 2 and sha256(canonical(opening)).hexdigest() == seal


def shuffled(pack: list[str], seed: bytes) -> list[str]:
    """The shuffle of SHUFFLE.md: from the last card down, each changes places with one at or below it."""
    order, counter, block = list(pack), 0, b""
    for last in range(len(order) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        number = limit
        while number >= limit:
            if not block:
                block, counter = sha256(seed + counter.to_bytes(8, "big")).digest(), counter + 1
            number, block = int.from_bytes(block[:4], "big"), block[4:]
        other = number % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def check_deals(events: list[Fields]) -> int:
    """Every shuffled deal that is over follows from the seed sealed before it, and the texts mixed into that."""
    seed: str | None = None
    texts: dict[int, str] = {}
    deals = 0
    for version, each in enumerate(events, start=1):
        event, opened = each["event"], each["opened"]
        kind, data = event["kind"], event["data"]
        try:
            if kind == "session.entropy_added":
                texts[data["seat"]] = data["text"]
            elif kind == "session.deal_started" and data["entropy"] is not None and seed is not None:
                check_deal(version, data, opened, seed, texts)
                deals += 1
            elif kind == "session.deal_ended" and data["dealt_from"] != seed:
                raise Wrong("deals", version, "the seed that it reveals is not the one that was committed to")
            if kind in ("session.opened", "session.deal_ended") or (
                kind == "session.ruled" and "seed" in event["seals"]
            ):
                seed = opened["seed"][1] if "seed" in opened else None
                texts = {}
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as fault:
            raise Wrong("deals", version, f"it cannot be dealt again: {type(fault).__name__} {fault}"[:200]) from None
    return deals


def check_deal(version: int, data: Fields, opened: Fields, seed: str, texts: dict[int, str]) -> None:
    """Deal once more from the pack in order, one card at a time from the dealer's left, and compare."""
    hands, stock = [hand for _, hand in opened["hands"]], opened["stock"][1]
    seats, size = len(hands), len(hands[0])
    mix = b""
    for text in [*(texts.get(seat, "") for seat in range(1, seats + 1)), data["entropy"]]:
        part = text.encode()
        mix += len(part).to_bytes(4, "big") + part
    pack = sorted([card for hand in hands for card in hand] + [data["upcard"]] + stock)
    cards = shuffled(pack, hmac.new(bytes.fromhex(seed), mix, "sha256").digest())
    first = data["dealer"] % seats
    again = [cards[(seat - first) % seats : size * seats : seats] for seat in range(seats)]
    if (again, cards[size * seats], cards[size * seats + 1 :]) != (hands, data["upcard"], stock):
        raise Wrong("deals", version, f"the cards of deal {data['number']} are not those that its seed gives")


def check(raw: bytes) -> str:
    """Check a whole file; what holds, in words. Raises Wrong."""
    header, events, checkpoints, end, digest = read(raw)
    head = check_chain(header, events)
    check_seals(events)
    deals = check_deals(events)
    check_heads(header, events, checkpoints)
    if end.get("sha256") != digest:
        raise Wrong("file", None, "a line is not as it was exported")
    dealt = "1 deal" if deals == 1 else f"{deals} deals"
    return f"{len(events)} events, {dealt} dealt again, head {head} at version {len(events)}"


def check_heads(header: Fields, events: list[Fields], checkpoints: list[Fields]) -> None:
    """The header and the checkpoints name heads of this log."""
    for each in checkpoints:
        try:
            version, head = int(each["version"]), each["head"]
        except (LookupError, TypeError, ValueError) as fault:
            raise Wrong("checkpoints", None, f"it cannot be read: {type(fault).__name__}") from None
        if not 1 <= version <= len(events):
            raise Wrong("checkpoints", len(events) + 1, f"version {version} was signed, and is not here")
        if events[version - 1]["digest"] != head:
            raise Wrong("checkpoints", version, "another head was signed at this version")
    if header["version"] != len(events):
        raise Wrong("file", min(header["version"], len(events)) + 1, "its header tells another number of events")
    if header.get("head") != events[-1]["digest"]:
        raise Wrong("file", None, "its header names another head than the last event's")


def main(arguments: list[str]) -> int:
    """Check the file that is named; prints what holds, or the first thing that does not."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        raw = Path(arguments[0]).read_bytes()
    except OSError as fault:
        print(fault, file=sys.stderr)
        return 2
    try:
        print(f"holds: {check(raw)}")
    except Wrong as wrong:
        # What the file itself says stands in it, and a terminal would obey some of that.
        print(f"does not hold: {str(wrong).encode('unicode_escape').decode()}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
