"""The clauses of Rockaway: ids, grounds, and what each says in our words. RULES.md prints the same sentences."""

from collections.abc import Mapping
from typing import Final

from replay.rules.clauses import Clause

CLAUSES: Final[Mapping[str, Clause]] = {
    "R1": Clause("text", "Two to eight may play."),
    "R2": Clause(
        "text", "Up to four use one pack of 52, five and more two packs; there are no jokers, aces do their service."
    ),
    "RA-26": Clause("house", "Of two equal cards from two packs either may be played; they are interchangeable."),
    "R3": Clause("text", "Each player is dealt seven cards."),
    "R4": Clause("text", "The dealer turns up the next card, which starts the pile."),
    "RA-17": Clause("house", "An ace turned up stays: the first player must play its suit or an ace, or draw."),
    "RA-19": Clause("house", "The seat on the dealer's left begins; play and deal go round to the left."),
    "R5": Clause("text", "Players act in turn, each trying to put one card from the hand on the pile."),
    "RA-18": Clause("house", "A turn brings exactly one card to the pile, never more."),
    "R6": Clause("text", "A card may be played if it has the suit or the rank of the top card, or is an ace."),
    "R7": Clause("text", "An ace serves as a joker: it may be played on any card."),
    "R9": Clause("text", "An ace played changes the suit of the pile to its own."),
    "RA-15": Clause("house", "Whoever plays an ace names no suit."),
    "R10": Clause("text", "After an ace the next player must follow its suit or play another ace."),
    "RA-16": Clause(
        "house", "That is the ordinary rule of fitting, applied to an ace: its own suit or another ace, and no more."
    ),
    "R11": Clause("text", "Who holds a fitting card must add a card to the pile; only aces are exempt from this."),
    "RA-7": Clause(
        "text", "Drawing is forbidden while a fitting card other than an ace is held, and allowed when only aces fit."
    ),
    "RA-8": Clause("house", "Who holds a fitting card that is no ace may still play an ace in its place."),
    "R12": Clause(
        "text", "Nobody has to play an ace: its holder may draw on, or let the turn pass when the stock is gone."
    ),
    "RA-21": Clause("house", "The last card of a hand may be an ace."),
    "R8": Clause(
        "text",
        "Without a fitting card, or keeping aces, one draws singly till one fits; if none is left, the turn passes.",
    ),
    "RA-9": Clause(
        "house",
        "A drawn card that fits and is no ace ends the drawing: it, another that fits, or an ace must be played.",
    ),
    "RA-28": Clause(
        "house",
        "By option, who has drawn in this turn and holds an ace may draw past a fitting card while stock is left.",
    ),
    "RA-10": Clause("house", "A drawn ace is optional like any other: it may be played, or the drawing may go on."),
    "RA-11": Clause("text", "Drawing may be broken off at any point by playing an ace."),
    "RA-12": Clause("house", "Nobody may pass while the stock holds a card."),
    "RA-13": Clause(
        "house", "On an empty stock, who can play only aces may play one or pass; by option he must play one."
    ),
    "RA-6": Clause("house", "Cards played never return to the stock."),
    "RA-29": Clause(
        "house", "A pass is a play of its own, even when nothing else is legal or the stock has ended in this turn."
    ),
    "R13": Clause(
        "text", "The first to be rid of all his cards is out; the deal ends and the other hands are counted."
    ),
    "RA-14": Clause(
        "house",
        "As many passes in a row as players block the deal: nobody is out, every hand scores, declined aces too.",
    ),
    "RA-30": Clause(
        "house",
        "By option, a blocked deal's lowest hands, aces counted, score 0; the others as usual, no differences paid.",
    ),
    "R14": Clause(
        "text", "Number cards count their face, court cards 10; an ace adds 20 or doubles, whichever is more."
    ),
    "RA-24": Clause("house", "An ace never counts 1 or 11."),
    "RA-1": Clause(
        "house",
        "Aces in turn add 20 to the count so far or double it; by option they add 20 each or double the rest once.",
    ),
    "RA-2": Clause("text", "An ace that doubles adds nothing of its own: 40 and an ace make 80."),
    "RA-5": Clause(
        "house",
        "The pack is exhausted from when the stock reaches 0 to the deal's end, even if the last card was then played.",
    ),
    "R16": Clause("text", "In the last three deals every score is trebled."),
    "R17": Clause("text", "In the last three deals an exhausted pack trebles the score again: nine times the cards."),
    "R18": Clause(
        "text",
        "Before the last three deals an exhausted pack doubles all scores; one may draw on purpose to bring it about.",
    ),
    "RA-3": Clause(
        "text", "Times 1, or 2 (an option) if exhausted; in the last three deals times 3, or 9 if exhausted."
    ),
    "RA-4": Clause("house", "Nine is not automatic in the last three deals: unless the pack is exhausted it is three."),
    "R19": Clause(
        "text", "Four court cards and an ace, last three deals, pack exhausted: 40, doubled 80, nine times that 720."
    ),
    "RA-25": Clause("text", "The score of the deal is multiplied, never the running total."),
    "RA-23": Clause("text", "Who is out scores nothing, whatever the multiplier."),
    "R15": Clause("text", "A session is ten deals unless agreed otherwise, and the lowest total wins it."),
    "RA-20": Clause(
        "house", "The number of deals does not depend on the players, even if the deal has not gone round equally."
    ),
    "RA-27": Clause(
        "house",
        "The last three are counted back from `deals`, however early a target ends it; without `deals` there are none.",
    ),
    "RA-31": Clause(
        "house", "With a target the session also ends after a deal in which some total has reached it; the lowest wins."
    ),
    "RA-22": Clause("house", "Players who tie for the lowest total win together."),
    "R20": Clause("text", "An ace kept too long is a danger, and drawing on may beat going out.", advice=True),
}
