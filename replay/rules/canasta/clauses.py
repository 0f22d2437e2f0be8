"""The clauses of Canasta: ids, grounds, and what each says in our words. RULES.md prints the same sentences."""

from collections.abc import Mapping
from typing import Final

from replay.rules.clauses import Clause

CLAUSES: Final[Mapping[str, Clause]] = {
    "CA-37": Clause(
        "house", "The preset sets every option not given: goren_1949 by the print, official_1949 by the official law."
    ),
    "C1": Clause("text", "Four play in two partnerships, seats 1 and 3 against 2 and 4; two or three may play too."),
    "CA-3": Clause("house", "With two or three players each is a side of his own."),
    "C2": Clause("text", "Two packs and four jokers are used, 108 cards."),
    "C3": Clause("text", "Jokers and deuces are wild."),
    "CA-1": Clause("text", "Joker 50; ace and deuce 20; king to eight 10; seven to four and black three 5."),
    "C4": Clause("text", "Partners are settled by drawing cards."),
    "C5": Clause("text", "Who draws highest is dealt to first and plays first; the deal goes round clockwise."),
    "CA-4": Clause("law", "The highest drawer takes seat 1, so the player on his right deals first."),
    "C6": Clause("text", "Four players get eleven cards each, three get 13, two get 15."),
    "CA-2": Clause("text", "Two players get fifteen: the printed 19 is a misreading."),
    "C7": Clause("text", "A red three held is laid on the table before play and replaced from the stock."),
    "CA-5": Clause("text", "Red threes are replaced before the upcard is turned, from the first player on, clockwise."),
    "C8": Clause("text", "Then a card is turned up, which the first player may take if he can meld it."),
    "CA-6": Clause(
        "law", "A wild card or red three turned up is covered by the next of the stock; a black three stays."
    ),
    "CA-38": Clause(
        "house", "In a written deal the stock gives first the replacements, then the covers, then the draws."
    ),
    "C9": Clause("text", "The undealt cards are the stock, from which players draw one card each in turn."),
    "CA-32": Clause("text", "A turn starts with exactly one of two plays: draw, or take the pile."),
    "C18": Clause("text", "A red three is no part of a hand: drawn, it is laid on the table and replaced."),
    "CA-34": Clause("text", "A draw goes on past red threes until a playing card comes."),
    "C10": Clause("text", "After drawing and melding a player must discard one card, which ends his turn."),
    "CA-33": Clause("house", "Any card of the hand may be discarded; a wild one freezes the pile."),
    "CA-49": Clause("house", "A card that came with the pile may be discarded at once."),
    "CA-35": Clause("house", "An illegal play is refused and changes nothing; there are no penalties."),
    "C12": Clause("text", "A meld is three or more cards of one rank; sequences do not count."),
    "C13": Clause("text", "Cards are added only to melds of one's own side."),
    "C14": Clause("text", "A meld has at least two natural cards and at most three wild ones."),
    "CA-15": Clause("text", "Three wild cards is the limit at every size, also where the pile is taken."),
    "CA-16": Clause(
        "text",
        "A meld of two naturals and three wild cards is legal, unless the option wants as many naturals as wilds.",
    ),
    "CA-14": Clause("law", "A side has one meld of each rank, and further cards of the rank join it."),
    "CA-18": Clause("house", "Cards once melded are not taken back or moved."),
    "C15": Clause("text", "A meld of seven or more cards is a canasta."),
    "CA-17": Clause("text", "A canasta may grow, and a wild card makes a natural one mixed; it pays one bonus."),
    "C19": Clause("text", "Black threes are melded only by who goes out; discarded, one cannot be picked up."),
    "CA-19": Clause("law", "Black threes are melded three or four together, without wild cards unless by option."),
    "CA-45": Clause(
        "house", "The play that lays them leaves no card, or one to discard, and his side has what going out needs."
    ),
    "C16": Clause("text", "A side's first meld of a deal needs 50 points, 90 from a total of 1,500, 120 from 3,000."),
    "CA-11": Clause("text", "The total before the deal decides; below zero 50 points are needed, by option 15."),
    "C17": Clause("text", "Two queens and a deuce are 40, too few for 50; three aces are enough."),
    "CA-12": Clause("law", "The card points of all melds laid together count, and nothing else."),
    "CA-40": Clause("house", "The one play by which a side first lays cards must reach the minimum alone."),
    "CA-13": Clause(
        "law", "In a first take the upcard and cards from the hand count towards the minimum, the rest of the pile not."
    ),
    "CA-36": Clause("house", "Totals may be negative, and a deal is judged by the totals before it."),
    "C11": Clause("text", "Who takes the top card takes the whole pile."),
    "CA-8": Clause(
        "text", "A pile is taken by two naturals of the upcard's rank, by one and a wild, or for a meld of it."
    ),
    "C20": Clause("text", "A wild card in the pile freezes it: two naturals from the hand must match the upcard."),
    "CA-7": Clause(
        "text", "By option a red three in the pile freezes it for all, and it is frozen for a side without a meld."
    ),
    "CA-9": Clause("text", "A frozen pile is not taken by adding to a meld; the pair and the upcard may join one."),
    "CA-39": Clause("house", "The taking group may hold further cards of the hand, and further groups may go with it."),
    "CA-10": Clause("law", "A wild upcard or a black three cannot be taken."),
    "CA-27": Clause("law", "A red three found in a taken pile is laid and not replaced."),
    "CA-30": Clause("text", "A hand of one card may take a pile of one card, unless the option forbids it."),
    "C21": Clause("text", "The deal ends when a player is rid of all his cards; his side must have a canasta."),
    "CA-20": Clause("text", "The canasta may be completed in the same turn."),
    "CA-51": Clause("house", "One canasta is needed; two in a two-handed game that draws two."),
    "C22": Clause("text", "A player goes out by melding all his cards, or all but one and discarding that."),
    "CA-21": Clause("law", "Who may not go out must hold a card at the end of his turn."),
    "CA-41": Clause("house", "So each play of his that lays cards must leave him two, or one if no discard follows."),
    "C23": Clause("text", "A player may ask his partner whether to go out, and the answer binds him."),
    "CA-22": Clause(
        "house", "Asking is open between draw and discard, once a turn, and only the partner may then act."
    ),
    "CA-42": Clause("house", "Asking needs a partner, and a hand with which either answer could be honoured."),
    "CA-43": Clause(
        "house", "After yes he must go out in this turn and may play nothing that prevents it; after no he must not."
    ),
    "CA-44": Clause("house", "By option each player may ask once in a deal."),
    "CA-23": Clause(
        "text", "A concealed hand goes out in one turn, nothing laid before; by option it holds a canasta of its own."
    ),
    "CA-46": Clause(
        "law", "It adds to no meld that lay there before the turn; by option the pile may not be taken for it."
    ),
    "CA-24": Clause("text", "A concealed hand is not exempt from the minimum, unless by option."),
    "CA-25": Clause("law", "On an empty stock a player takes the pile or passes, which ends the deal."),
    "CA-47": Clause("law", "He may not pass a pile that is not frozen and whose upcard fits a meld of his side."),
    "CA-26": Clause("law", "If the last card of the stock is a red three its drawer may meld, but does not discard."),
    "CA-48": Clause("law", "By option two players draw two cards, discard one, and need two canastas."),
    "CA-50": Clause(
        "house", "Then too a red three is replaced at once; if the stock ends after one card, the draw is complete."
    ),
    "C24": Clause("text", "The sheet has nine lines: six that count for the side, their sum, cards left, the net."),
    "C25": Clause("text", "Going out and the concealed hand count only for the side that goes out."),
    "C26": Clause("text", "If nobody goes out, neither counts."),
    "C27": Clause("text", "Red threes count for a side that has melded, and against one that has not."),
    "CA-29": Clause("text", "Without a meld a red three costs 100, and all four 800."),
    "CA-28": Clause("text", "Red threes count double only if one side has all four."),
    "C28": Clause("text", "Canasta bonuses come on top of the card points."),
    "C29": Clause("text", "The bonus for going out is small.", advice=True),
    "CA-31": Clause("law", "The game is 5,000 points; if the best total there is shared, another deal is played."),
}
