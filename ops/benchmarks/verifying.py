"""`upcard verify` without starting a process: whole sessions of each game as exports, verified on one core."""

import time
from statistics import median

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.benchmarks.seeded import PLAYERS, STAMP, whole_session
from replay.checkpoints import Signer
from replay.codec import START, encode
from replay.exports import header_of, lines
from replay.rules.game import EVERYTHING
from replay.rules.session import fold
from replay.shards import new_session_id
from replay.verify import verify
from service.rare_collections import rare_collections
from service.render import seen_as


def exported(game: str, deals: int) -> tuple[bytes, int]:
    """The export of a session of so many shuffled deals at most, with its checkpoints, and its number of events."""
    signer, session_id = Signer(Ed25519PrivateKey.generate()), new_session_id()
    events = whole_session(1, deals, game=game)
    stored, session = encode(session_id, events, after=START, stamp=STAMP), fold(None, events)
    keys = [{"id": signer.id, "public": signer.public.hex(), "retired_at": None}]
    header = header_of(session_id, session, PLAYERS, EVERYTHING, stored[-1].digest.hex(), keys)
    ends = [each for each in stored if each.kind == "session.deal_ended"]
    checkpoints = [signer.checkpoint(session_id, each.tip, each.stamp.at).to_bytes() for each in ends]
    shown = ((each, seen_as(each, session, EVERYTHING)) for each in stored)
    return b"".join(lines(header, shown, checkpoints, signer)), len(stored)


def verified_each_second(game: str, deals: int, rounds: int) -> tuple[float, int]:
    """Events verified in a second of processor time, the median over rounds, and how many there are; raises
    RuntimeError unless the export is verified."""
    export, events = exported(game, deals)
    took = []
    for _ in range(rounds):
        with rare_collections():
            began = time.process_time()
            report = verify(export)
            took.append(time.process_time() - began)
        if report.verdict != "verified":
            raise RuntimeError(f"the export should be clean: {report}")
    return events / median(took), events
