"""What a record may hold at most, and why. Past these it is malformed, so that a hostile one costs little to refuse."""

from typing import Final

RECORD_BYTES: Final = 4 * 1024 * 1024
"""One record, in any form: some 2,500 deals of Rockaway, and four times what the HTTP service takes. Python needs up to
thirty times the bytes of hostile JSON, so this also bounds memory; and it bounds the plays, so they need no limit."""

NAME_LENGTH: Final = 100
"""Characters in a player's name: room for any person's, and a score sheet can still show it."""

NOTE_LENGTH: Final = 10_000
"""Characters in a note: some pages of typing."""

PLAY_LENGTH: Final = 500
"""Characters in a written play. The longest of any game melds every card of a large hand: about 200."""

WHOLE_NUMBER: Final = 10**15
"""Points and totals, either way from zero: sums over a whole record stay exact in every program that reads JSON
numbers as doubles (2**53), and within 64 bits."""

DEAL_NUMBER: Final = 1_000_000_000
"""The number of a deal in its session: the most that the option `deals` can be."""

TOML_KEY_DOTS: Final = 3
"""Dots in one TOML key. A record needs one (`options.deals`); the reader of TOML takes time by their square."""

WORD_LENGTH: Final = 100
"""Characters of a number in JSON, or of anything outside quotes in TOML, whose reader takes a hundred bytes of memory
for each digit of a long number."""

KNOWN_PLAYS: Final = 5_000
"""Different written plays remembered for one game and number of seats: all of Rockaway's, the usual ones of Canasta."""
