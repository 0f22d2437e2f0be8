"""Examples of the OpenAPI document: requests that the service takes as they are, and answers that it gives.

The tests send the requests to the service, and hold every example to its schema.
"""

from collections.abc import Mapping
from typing import Any, Final

Examples = dict[str, dict[str, Any]]


def _example(summary: str, value: Any) -> dict[str, Any]:
    return {"summary": summary, "value": value}


_HANDS: Final = [["2c", "4c", "6c", "8c", "Tc", "Qc", "Ah"], ["3c", "5c", "7c", "9c", "Jc", "Kc", "As"]]
_JSON: Final = "application/json"

_RECORD: Final = {
    "record": 1,
    "game": "rockaway",
    "players": ["Ann", "Ben"],
    "options": {"deals": 1},
    "deals": [
        {
            "hands": [" ".join(hand) for hand in _HANDS],
            "upcard": "Ac",
            "plays": ["1 play 2c", "2 play 3c", "1 play 4c"],
        }
    ],
}
_TOML: Final = """\
record = 1
game = "rockaway"
players = ["Ann", "Ben"]
options = {deals = 1}

[[deals]]
hands = ["2c 4c 6c 8c Tc Qc Ah", "3c 5c 7c 9c Jc Kc As"]
upcard = "Ac"
plays = ["1 play 2c", "2 play 3c", "1 play 4c"]
"""

REQUESTS: Final[Mapping[str, Mapping[str, Examples]]] = {
    "open_session": {
        _JSON: {
            "rockaway": _example(
                "Rockaway at a real table, one deal",
                {
                    "game": "rockaway",
                    "players": ["Ann", "Ben"],
                    "options": {"deals": 1},
                    "mode": "recorded",
                    "public": True,
                },
            ),
            "single_pack_rum": _example(
                "Single-Pack Rum, shuffled here", {"game": "single_pack_rum", "players": ["Ann", "Ben", "Cy"]}
            ),
            "poker_rum": _example(
                "Poker Rum up to 100 points",
                {"game": "poker_rum", "players": ["Ann", "Ben"], "options": {"target": 100}, "mode": "dealt"},
            ),
            "canasta": _example(
                "Four-handed Canasta by the official rules of 1949",
                {
                    "game": "canasta",
                    "players": ["Ann", "Ben", "Cy", "Di"],
                    "options": {"preset": "official_1949"},
                    "public": True,
                },
            ),
        }
    },
    "start_deal": {
        _JSON: {
            "shuffled": _example("Shuffled here", {}),
            "mixed": _example(
                "Shuffled here, with a text of the organiser's mixed in", {"entropy": "table 4, round 2"}
            ),
            "recorded": _example("The cards of a real table; Rockaway for two", {"upcard": "Ac", "hands": _HANDS}),
        }
    },
    "add_entropy": {_JSON: {"dice": _example("What dice showed", {"entropy": "seven dice: 4 4 1 6 2 2 5"})}},
    "make_play": {
        _JSON: {
            "rockaway_play": _example("Rockaway: a card", {"seat": 1, "type": "play", "card": "2c"}),
            "draw": _example("A draw", {"seat": 1, "type": "draw"}),
            "single_pack_rum_meld": _example(
                "Single-Pack Rum: a sequence", {"seat": 1, "type": "meld", "cards": ["7d", "8d", "9d"]}
            ),
            "poker_rum_show": _example("Poker Rum: showing", {"seat": 1, "type": "show", "card": "Ks"}),
            "canasta_take": _example(
                "Canasta: the pile, and a meld beside",
                {"seat": 1, "type": "take", "melds": {"K": ["Kh", "Ks"], "Q": ["Qh", "Qd", "Qc"]}},
            ),
        }
    },
    "open_dispute": {
        _JSON: {
            "play": _example("A play contested", {"deal": 1, "version": 4, "words": "He held a card that fitted."}),
            "sum": _example("A sum contested", {"deal": 1, "about": "arithmetic", "words": "I count 41."}),
        }
    },
    "withdraw_dispute": {_JSON: {"withdraw": _example("Nothing to say", {})}},
    "confirm_result": {_JSON: {"confirm": _example("Nothing to say", {})}},
    "make_ruling": {
        _JSON: {
            "let_stand": _example(
                "What was played stands, and the dispute ends",
                {"ruling": "let_stand", "deal": 1, "disputes": [1], "reason": "Nothing else fitted.", "clause": "R6"},
            ),
            "retract": _example(
                "The deal goes back, though a card was seen",
                {
                    "ruling": "retract",
                    "deal": 1,
                    "to": 3,
                    "reason": "Played out of turn.",
                    "despite_information": "All three agreed.",
                },
            ),
            "amend": _example(
                "A play that the scribe entered wrongly",
                {
                    "ruling": "amend",
                    "deal": 1,
                    "changes": [{"version": 5, "play": "1 play 9c"}],
                    "reason": "It was the nine.",
                },
            ),
            "adjust": _example(
                "Points added", {"ruling": "adjust", "deal": 1, "points": [0, -20], "reason": "An ace counted twice."}
            ),
            "award": _example("The session awarded", {"ruling": "award", "winners": [2], "reason": "Seat 1 left."}),
        }
    },
    "what_if": {
        _JSON: {
            "one_play": _example(
                "Another card at version 2", {"at": 2, "plays": [{"seat": 1, "type": "play", "card": "4c"}]}
            )
        }
    },
    "make_token": {
        _JSON: {
            "auditor": _example(
                "An auditor of all sessions of mine, for a week", {"role": "auditor", "expires_in": 604800}
            ),
            "watch": _example("A screen in the hall", {"role": "watch", "label": "screen in the hall"}),
        }
    },
    "revoke_token": {_JSON: {"revoke": _example("Nothing to say", {})}},
    "make_webhook": {
        _JSON: {
            "all": _example("Every event of all my sessions", {"url": "https://hooks.example.com/upcard"}),
            "some": _example(
                "Beginnings and ends of deals",
                {
                    "url": "https://hooks.example.com/upcard",
                    "events": ["session.deal_started", "session.deal_ended"],
                },
            ),
        }
    },
    "change_webhook": {_JSON: {"enable": _example("Go on, and try at once what waits", {"enabled": True})}},
    "rotate_secret": {_JSON: {"day": _example("The old secret signs for one more day", {"overlap": 86400})}},
    "redeliver": {
        _JSON: {"event": _example("The event by its id", {"id": "evt_01890a5d-ac96-774b-bcce-b302099a8057_17"})}
    },
    "close_session": {_JSON: {"close": _example("Nothing to say", {})}},
    "import_record": {
        _JSON: {"unfinished": _example("A deal in progress", _RECORD)},
        "application/toml": {"unfinished": _example("The same as TOML", _TOML)},
    },
}
"""By operation and media type."""

_DEAL: Final = {
    "number": 1,
    "dealer": 2,
    "turn": 1,
    "upcard": "Ac",
    "stock_count": 89,
    "discard_count": 1,
    "ending": None,
    "hands": [{"seat": 1, "count": 7, "cards": _HANDS[0]}, {"seat": 2, "count": 7, "cards": None}],
    "exhausted": False,
    "passes": 0,
    "drawn": 0,
}
_SESSION: Final = {
    "id": "0198c0de-0000-7000-8000-000000000000",
    "game": "rockaway",
    "revision": 1,
    "options": {
        "deals": 10,
        "target": None,
        "multi_ace": "per_ace",
        "draw_past_fitting": False,
        "ace_forced_when_exhausted": False,
        "blocked": "score_all",
        "exhausted_multiplier": 2,
    },
    "mode": "dealt",
    "public": True,
    "version": 2,
    "status": "playing",
    "players": [{"seat": 1, "name": "Ann"}, {"seat": 2, "name": "Ben"}],
    "totals": [0, 0],
    "winners": None,
    "opened_at": "2026-09-21T13:46:40.000Z",
    "head": "fb070b41c47275d50477927ff13c1def835f7be6c17c04e4e607bf7471c41479",
    "commitment": "02394fd56889c0d1234921445f4a11a7cfc019c292c8a1b3d56bfa8454c8885f",
    "entropy": ["seven dice: 4 4 1 6 2 2 5", None],
    "terms": {"disputes": "provisional", "arithmetic_minutes": 30, "ruling_minutes": 30, "second_person": False},
    "disputes": [],
    "rulings": 0,
    "deal": _DEAL,
}
_LINES: Final = [
    {"seat": 2, "points": 20, "clause": "R14", "text": "an ace", "cards": ["As"]},
    {"seat": 2, "points": 40, "clause": "R16", "text": "trebled: one of the last three deals", "cards": []},
]

RESPONSES: Final[Mapping[tuple[str, str], Examples]] = {
    ("read_session", "200"): {"seat": _example("As seat 1 sees it", _SESSION)},
    ("list_plays", "200"): {
        "forced": _example(
            "A fitting card must be played",
            {"version": 2, "seat": 1, "turn": 1, "plays": [{"seat": 1, "type": "play", "card": "2c"}]},
        )
    },
    ("list_events", "200"): {
        "play": _example(
            "A card played",
            {
                "events": [
                    {
                        "version": 3,
                        "kind": "rockaway.card_played",
                        "schema": 1,
                        "seat": 1,
                        "at": "2026-09-21T13:46:42.000Z",
                        "who": "seat:1",
                        "request": "0198c0de-1000-7000-8000-000000000000",
                        "data": {"card": "2c", "turn": 2},
                        "seals": {},
                        "salts": {},
                        "digest": "4f4e4a4a131881c3bdf4144b1dab8ea58e5c84eb592f8768bbcf1a06222c0f74",
                    }
                ],
                "next": None,
            },
        )
    },
    ("read_deal", "200"): {
        "posted": _example(
            "A deal that is over",
            {
                "number": 1,
                "status": "posted",
                "ending": "out",
                "points": [0, 60],
                "lines": _LINES,
                "posted_at": "2026-09-21T13:46:56.000Z",
                "result": "provisional",
                "final_at": "2026-09-21T14:16:56.000Z",
                "rulings": [],
                "disputes": [],
            },
        )
    },
    ("read_ledger", "200"): {
        "one_deal": _example(
            "One deal posted",
            {
                "entries": [
                    {
                        "number": 1,
                        "kind": "deal_score",
                        "deal": 1,
                        "points": [0, 60],
                        "lines": _LINES,
                        "versions": [2, 16],
                        "revision": 1,
                        "posted_at": "2026-09-21T13:46:56.000Z",
                    }
                ],
                "balances": [0, 60],
                "next": None,
            },
        )
    },
}
"""By operation and status."""
