"""The clauses of Single-Pack Rum: ids, grounds, and what each says in our words. RULES.md prints the same sentences."""

from collections.abc import Mapping
from typing import Final

from replay.rules.clauses import Clause

CLAUSES: Final[Mapping[str, Clause]] = {
    "S1": Clause(
        "text", "One pack of 52 is used, ranked from king down to ace; the ace may also stand above the king."
    ),
    "S2": Clause("text", "Two to six play."),
    "S3": Clause(
        "text", "Cards are drawn for seats and first deal; the lowest chooses, the next lowest sits on his left."
    ),
    "SA-20": Clause("law", "The lowest, ace low, deals first and so has the last seat; those who tie draw again."),
    "S4": Clause("text", "Two players are dealt ten cards each, three seven, four six, one at a time."),
    "SA-1": Clause("house", "Five or six players are dealt six cards each, by option five."),
    "S5": Clause("text", "The next card is turned up as the first discard; the stock lies beside it face down."),
    "S6": Clause("text", "Each in turn, from the dealer's left, takes the top discard or draws from the stock."),
    "S7": Clause("text", "He may then lay out a combination but need not, and in any case discards one card."),
    "S8": Clause("text", "A discard covers the one before it, and only the top one can be taken."),
    "S12": Clause("text", "When the stock is gone the discards are turned over, unshuffled, and serve as the stock."),
    "SA-19": Clause("house", "The order and the time of turning are those of both rums (XA-1, XA-2)."),
    "SA-18": Clause("house", "A card just taken from the pile may not be discarded in the same turn."),
    "SA-24": Clause(
        "house", "A card taken may go if it is the only one left after a table action, or as a splash's discard."
    ),
    "S9": Clause("text", "A combination is three of one rank, or three of one suit in sequence."),
    "SA-9": Clause("text", "A layout has three cards; additions lengthen a run at its ends, or bring a group to four."),
    "SA-10": Clause(
        "house", "An ace stands below the deuce or above the king, and where it ends a run nothing is added."
    ),
    "S10": Clause("text", "After the draw one may lay out three cards, or add one card to a combination on the table."),
    "SA-6": Clause("text", "One may do so whether one drew or took, and need not use a card taken at once."),
    "SA-2": Clause("house", "One layout of three cards a turn; a fourth card that belongs to it is an addition."),
    "SA-3": Clause(
        "text", "One table action a turn: a layout, or one card to another's combination, or one to one's own."
    ),
    "SA-4": Clause("text", "One card to others' combinations in a turn is one in all."),
    "SA-25": Clause("text", "Beside that one action, one more card may be added to a combination of one's own."),
    "SA-26": Clause(
        "house", "By option any number of layouts and additions may be made, and a layout may be longer than three."
    ),
    "SA-5": Clause("house", "Who has laid out nothing himself may still add to the combinations of others."),
    "SA-21": Clause("text", "An addition names its combination, since a card may fit two."),
    "SA-22": Clause("house", "A combination belongs to the player who laid it out, whoever adds to it."),
    "S11": Clause(
        "text", "Who gets rid of his last card, by a layout or as a lone discard, calls out and ends the deal."
    ),
    "SA-7": Clause("text", "Who has no card left after a table action is out without a discard."),
    "SA-8": Clause("house", "The last card may also go as an addition, to one's own combination or another's."),
    "S15": Clause("text", "Often a hand is out in two or three rounds without a splash.", advice=True),
    "S13": Clause(
        "text", "Nothing is laid after the call; the winner is credited with the other hands, J 11, Q 12, K 13."
    ),
    "SA-11": Clause("text", "An ace left in hand counts 1, also beside a king."),
    "SA-12": Clause("text", "Every card in hand counts, also one that is in a combination; cards on the table do not."),
    "SA-13": Clause(
        "text", "Each loser pays the winner his own pips; by option the winner is only credited with them."
    ),
    "S14": Clause(
        "text", "Where agreed, who lays down his whole hand at once, or all but a discard, wins double of everybody."
    ),
    "SA-14": Clause("text", "No splash is played unless it has been agreed."),
    "SA-15": Clause(
        "text", "A splash lays the whole hand, or all but its discard, in own combinations, after no table action."
    ),
    "SA-16": Clause("house", "A splash may lay any number of combinations, of three or more cards."),
    "SA-17": Clause("text", "After a splash every loser's pips count twice, in either settlement."),
    "SA-27": Clause(
        "house", "A splash is one play of its own, made after the draw; going out otherwise never counts as one."
    ),
    "SA-28": Clause(
        "house", "By option a splash may add to the table too, beside at least one combination from the hand."
    ),
    "SA-23": Clause("house", "The session is open unless options end it, and the highest total wins."),
}
