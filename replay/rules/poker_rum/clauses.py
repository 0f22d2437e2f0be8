"""The clauses of Poker Rum: ids, grounds, and what each says in our words. RULES.md prints the same sentences."""

from collections.abc import Mapping
from typing import Final

from replay.rules.clauses import Clause

CLAUSES: Final[Mapping[str, Clause]] = {
    "P1": Clause("text", "In deadwood court cards count ten, an ace eleven, other cards their number."),
    "PA-1": Clause("text", "An ace in deadwood counts eleven, by option ten; in a combination it has no value."),
    "P2": Clause("text", "An ace may begin a run (A 2 3) or end it (Q K A), and never stands inside one."),
    "P3": Clause("text", "Each player is dealt ten cards, however many play."),
    "P4": Clause("text", "Two or three players use one pack, more than three use two."),
    "PA-3": Clause("house", "Two to six play."),
    "PA-4": Clause("house", "There are no jokers."),
    "PA-5": Clause("house", "The next card is turned up as the first discard, and the first player may take it."),
    "PA-6": Clause("text", "The seat on the dealer's left begins; play and deal go round to the left."),
    "P6": Clause("text", "A combination is a group of one rank or a run of one suit, of three or more cards."),
    "PA-7": Clause("text", "From two packs equal cards may stand in one group, and a group may have any size."),
    "PA-8": Clause(
        "house", "A run has one suit and consecutive ranks, each once; two equal runs are two combinations."
    ),
    "PA-9": Clause("text", "A card stands in one combination only."),
    "P7": Clause("text", "Deadwood is whatever stands in no combination."),
    "PA-10": Clause(
        "house", "Deadwood is the least that any arrangement of the hand leaves, whatever its player would lay."
    ),
    "P5": Clause("text", "The aim is to draw until the unmatched cards count fifteen or less."),
    "P8": Clause("text", "Each in turn takes the top of the stock or of the pile, and then discards one card face up."),
    "PA-18": Clause("house", "When the stock is gone the discards are turned over, unshuffled, and drawn from."),
    "PA-19": Clause("house", "A card just taken may not be discarded in the same turn."),
    "PA-23": Clause("house", "A card just taken may not be the discard of a show either."),
    "P9": Clause("text", "Nothing is laid down before a show, and a show needs fifteen or less of deadwood."),
    "PA-2": Clause("text", "Fifteen itself is enough; an option sets another limit."),
    "PA-11": Clause(
        "text", "One shows in turn, after drawing, and always with a discard; no deadwood at all earns no bonus."
    ),
    "PA-22": Clause("text", "Who could show may play on; only a show ends the deal."),
    "PA-12": Clause("house", "A show above the limit is refused, and costs nothing."),
    "P10": Clause(
        "text", "A show ends the deal: the caller, having discarded, lays out his hand and counts his deadwood."
    ),
    "P11": Clause("text", "Printed example: 6h to 9h and Jc to Kc set aside and Ks discarded, 2, 2 and 5 are nine."),
    "P12": Clause("text", "Then all other hands are laid down, and their combinations set aside."),
    "PA-13": Clause("text", "Nothing is added to the combinations of another, and nobody draws again."),
    "P13": Clause("text", "Who has more deadwood than the winning caller pays him the difference."),
    "P14": Clause("text", "A player with less than the caller wins: everybody pays him, the caller double."),
    "PA-15": Clause("text", "Of several below the caller only the lowest wins, and the others of them pay him too."),
    "PA-16": Clause("text", "Each pays his difference from the lowest hand, a beaten caller twice that."),
    "P15": Clause("text", "Players who tie for low divide what the others pay."),
    "PA-14": Clause("text", "A caller who ties for low is one of the winners, and no penalty is due."),
    "PA-24": Clause("house", "By option a caller who ties for low neither wins nor pays; those level with him win."),
    "PA-21": Clause("text", "Who is level with the caller, but not lowest, pays the difference once."),
    "PA-17": Clause(
        "house", "Payments are pooled and divided once; odd points go one each from the caller's left, he last."
    ),
    "PA-20": Clause(
        "house", "One point is one unit; the session is open unless options end it, and the highest total wins."
    ),
}
