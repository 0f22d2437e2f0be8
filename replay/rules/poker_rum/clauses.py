"""The clauses of Poker Rum: ids, grounds, and what each says in our words. RULES.md prints the same sentences."""

from collections.abc import Mapping
from typing import Final

from replay.rules.clauses import Clause

CLAUSES: Final[Mapping[str, Clause]] = {
    "P1": Clause("text", "In deadwood court cards count ten, an ace eleven, other cards their number."),
    "PA-1": Clause("text", "A stray ace counts eleven, by option ten; in a combination it has no value."),
    "P2": Clause("text", "An ace may begin a run (A 2 3) or end it (Q K A), and never stands inside one."),
    "P3": Clause("text", "Ten cards are dealt to each player."),
    "P4": Clause("text", "Two or three players use one pack, more use two."),
    "PA-3": Clause("house", "Two to six play."),
    "PA-4": Clause("house", "There are no jokers."),
    "PA-5": Clause("house", "The next card is turned up as the first discard, and the first player may take it."),
    "PA-6": Clause("text", "The seat on the dealer's left begins; play and deal go round to the left."),
    "P6": Clause("text", "A combination has three or more cards: a group of one rank, or a run of one suit."),
    "PA-7": Clause("text", "From two packs equal cards may stand in one group, and a group may have any size."),
    "PA-8": Clause("house", "A run holds each rank once; two equal runs are two combinations."),
    "PA-9": Clause("text", "A card serves one combination only."),
    "P7": Clause("text", "Deadwood is what fits no combination."),
    "PA-10": Clause("house", "Deadwood is the smallest over all arrangements of the hand, whatever anybody lays."),
    "P5": Clause("text", "The aim is to bring the unmatched cards down to fifteen or less."),
    "P8": Clause("text", "Each in turn draws from the stock or takes the top discard, and then discards one card."),
    "PA-18": Clause("house", "When the stock is gone the discards are turned over unshuffled and drawn from."),
    "PA-19": Clause("house", "A card just taken may not be discarded in the same turn."),
    "PA-23": Clause("house", "That holds for the discard of a show as well."),
    "P9": Clause("text", "Nothing is laid down until a player can show with fifteen or less of deadwood."),
    "PA-2": Clause("text", "Fifteen itself is enough, or whatever `call_limit` says."),
    "PA-11": Clause("text", "A player shows in his own turn, after drawing, with the ten cards his discard leaves."),
    "PA-22": Clause("text", "Nobody must show who could; only a show ends the deal."),
    "PA-12": Clause("house", "A show above the limit is refused without penalty."),
    "P10": Clause("text", "A show ends the deal, and the deadwood of the hand shown is counted."),
    "P11": Clause("text", "Printed example: with 6h-9h and Jc-Kc matched, 2 2 5 leave nine."),
    "P12": Clause("text", "Every other player then sets his own combinations aside."),
    "PA-13": Clause("text", "Nothing is added to another's combinations, and nobody draws again."),
    "P13": Clause("text", "Who has more deadwood than the caller who wins pays him the difference."),
    "P14": Clause("text", "If a player has less than the caller he wins, all pay him, the caller double."),
    "PA-15": Clause("text", "Of several below the caller only the lowest wins, and the rest of them pay him too."),
    "PA-16": Clause("text", "The amount is the difference to the lowest hand, and twice that for a beaten caller."),
    "P15": Clause("text", "Players who tie for low divide what the others lose."),
    "PA-14": Clause("text", "A caller who ties for low wins with the others and pays no penalty."),
    "PA-24": Clause("house", "By option a caller who ties for low wins nothing and pays nothing; the others win."),
    "PA-21": Clause("text", "Who is level with the caller, but not lowest, pays the single difference."),
    "PA-17": Clause("house", "Losses are divided once, in whole points; odd ones go round from the caller's left."),
    "PA-20": Clause("house", "One point is one unit, and the session is open unless options end it."),
}
