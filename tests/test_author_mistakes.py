"""A mistake in a game file is one RuleError: the file, the line, the source text and what to write instead."""

import importlib
import importlib.util
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pitboss.rules import Game, RuleError
from pitboss.rules.trace import trace

HEAD = '''"""A game with one mistake in it."""

import random

import numpy

from pitboss.rules import *

HITS = []


def play(t):
'''
DEAL = "mine = t.deal(PLAYER)\nhis = t.deal(DEALER)\n"
SETTLE = "t.settle(ante=compare(mine.rank, his.rank))\n"
GAME = """

GAME = Game(
    "my-game",
    "My game",
    play,
    wagers=(Wager("ante", required=True), Wager("raise", equal_to="ante")),
    options=({options}),
    anchors=({anchors}),
)
"""


def write(folder: Path, body: str, options: str = "", anchors: str = "") -> Path:
    path = folder / "my_game.py"
    path.write_text(HEAD + textwrap.indent(body, "    ") + GAME.format(options=options, anchors=anchors))
    return path


def load(path: Path) -> Game:
    spec = importlib.util.spec_from_file_location("my_game", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game = module.GAME
    assert isinstance(game, Game)
    return game


def complaint(path: Path) -> str:
    """What is said of the line marked `# here`, without the place and the source text."""
    source = path.read_text().splitlines()
    marked = next(i for i, line in enumerate(source, 1) if "# here" in line)
    with pytest.raises((RuleError, RecursionError)) as caught:
        trace(load(path).at())
    if caught.errisinstance(RecursionError):
        pytest.fail("a RecursionError instead of a message", pytrace=False)  # its traceback alone takes minutes
    message = str(caught.value)
    first, _, quoted = message.partition("\n")
    assert first.startswith(f"my_game.py, line {marked}: "), message
    assert quoted == f"    {source[marked - 1].strip()}", message
    return first.partition(": ")[2]


def in_a_round(line: str) -> str:
    """A round that is right but for this line, or for this line and what hangs on it."""
    hangs = "\n    pass" if line.partition("#")[0].rstrip().endswith(":") else ""
    return f"{DEAL}{line}{hangs}\n{SETTLE}"


def test_the_round_around_the_mistakes_is_right(tmp_path: Path) -> None:
    trace(load(write(tmp_path, in_a_round("pass"))).at())


# ---- a column tested for true or false: the message spells the line as it should read

SPELLED = {
    "a bare if": ("if mine.rank > his.rank:  # here", "if t.when(mine.rank > his.rank):"),
    "a bare while": ("while mine.rank > his.rank:  # here", "while t.when(mine.rank > his.rank):"),
    "a remark with an arrow": ("if mine.rank == 3:  # here: a three -> push", "if t.when(mine.rank == 3):"),
    "and": ("if mine.rank > 3 and his.rank > 3:  # here", "if t.when((mine.rank > 3) & (his.rank > 3)):"),
    "or": ("if mine.rank > 3 or his.rank > 3:  # here", "if t.when((mine.rank > 3) | (his.rank > 3)):"),
    "not": ("if not mine.rank == his.rank:  # here", "if t.when(~(mine.rank == his.rank)):"),
    "a chain": ("if TWO <= mine.rank <= SIX:  # here", "if t.when((TWO <= mine.rank) & (mine.rank <= SIX)):"),
    "and inside when": (
        "if t.when(mine.rank > 3 and his.rank > 3):  # here",
        "if t.when((mine.rank > 3) & (his.rank > 3)):",
    ),
    "not inside when": ("if t.when(not mine.rank == his.rank):  # here", "if t.when(~(mine.rank == his.rank)):"),
    "a chain inside when": (
        "if t.when(TWO <= mine.rank <= SIX):  # here",
        "if t.when((TWO <= mine.rank) & (mine.rank <= SIX)):",
    ),
    "a chain of ==": (
        "if t.when(mine.rank == his.rank == ACE):  # here",
        "if t.when((mine.rank == his.rank) & (his.rank == ACE)):",
    ),
    "in": ("if mine.rank in (TWO, ACE):  # here", "if t.when((mine.rank == TWO) | (mine.rank == ACE)):"),
    "or in an assignment": (
        "high = mine.rank > 3 or his.rank > 3  # here",
        "high = (mine.rank > 3) | (his.rank > 3)",
    ),
    "a conditional expression": (
        "result = WIN if mine.rank > 3 else LOSE  # here",
        "result = where(mine.rank > 3, WIN, LOSE)",
    ),
    "max": ("top = max(mine.rank, his.rank)  # here", "top = highest(mine.rank, his.rank)"),
    "min": ("low = min(mine.rank, 3)  # here", "low = lowest(mine.rank, 3)"),
    "a result": (
        "if compare(mine.rank, his.rank) == 'win':  # here",
        "if t.when(compare(mine.rank, his.rank) == 'win'):",
    ),
}


@pytest.mark.parametrize(("line", "better"), SPELLED.values(), ids=list(SPELLED))
def test_a_column_is_not_true_or_false(tmp_path: Path, line: str, better: str) -> None:
    said = complaint(write(tmp_path, in_a_round(line)))
    assert "a column holds one value per round, so Python cannot test it for true or false" in said
    assert f"write `{better}`" in said


@pytest.mark.parametrize("line", [line for line, _ in SPELLED.values()], ids=list(SPELLED))
def test_the_advice_works_when_it_is_followed(tmp_path: Path, line: str) -> None:
    advice = re.search(r"write `([^`]+)`", complaint(write(tmp_path, in_a_round(line))))
    assert advice
    (tmp_path / "again").mkdir()
    body = in_a_round(advice[1]).replace("    pass", "    mine = t.deal(PLAYER)")  # a while loop has to come to an end
    game = load(write(tmp_path / "again", body))
    if advice[1].startswith("while"):
        with pytest.raises(RuleError, match="does a loop never end"):
            trace(game.at())
    else:
        trace(game.at())


# ---- other things a column, a card or a hand cannot do

CANNOT = {
    "a column meets a string": (
        "t.when(mine.rank == '7')",
        "cannot meet '7'; it takes whole numbers (ranks are TWO to",
    ),
    "a hand meets a number": ("t.when(mine == 3)", "write `.rank` or `.suit` to compare it with a number"),
    "a hand is less than a hand": ("t.when(mine < his)", "write `.rank`"),
    "a hand is more than a number": ("t.when(mine > 3)", "write `.rank`"),
    "a card is more than a card": ("t.when(mine[0] > his[0])", "write `.rank`"),
    "a hand as a condition": (
        "if mine:",
        "a hand is neither true nor false; branch on its cards with `if t.when(...)`",
    ),
    "hands compared": ("compare(mine, his)", "a card is not a number; write `.rank` or `.suit`"),
    "rank of two cards": (
        "t.deal(PLAYER, 2).rank",
        "this hand has 2 cards; say which one, for instance `hand[0].rank`",
    ),
    "numpy.maximum": ("numpy.maximum(mine.rank, 3)", "numpy.maximum does not work on a column; write highest, lowest"),
    "numpy.where": ("numpy.where(mine.rank > 3, 1, 0)", "numpy is not defined for a column"),
    "a dict keyed by a column": (
        "{0: 1}[mine.rank]",
        "cannot be the key of a dict or set; write `lookup(table, column)`",
    ),
    "a list indexed by a column": ("[1, 2, 3][mine.rank]", "lookup"),
    "int()": ("int(mine.rank)", "int() is not defined for a column, which holds one value per round; there are + - *"),
    "% by a column": ("mine.rank % his.rank", "`%` takes a whole number of 1 or more, such as `total % 10`, not"),
    "% by nothing": ("mine.rank % 0", "`%` takes a whole number of 1 or more"),
    "// by less than nothing": ("mine.rank // -3", "`//` takes a whole number of 1 or more"),
    "// by a fraction": ("mine.rank // 0.5", "`//` takes a whole number of 1 or more"),
    "a number divided by a column": ("7 % mine.rank", "% with a column behind it is not defined for a column"),
    "/": ("mine.rank / 2", "/ is not defined for a column"),
    "ranks put in order by Python": (
        "sorted([mine.rank, his.rank])",
        "`hand.ranks` or `high_to_low` instead of `sorted`",
    ),
    "nothing put in order": ("high_to_low()", "puts one to 7 values in order, not 0"),
    "too much put in order": ("t.deal(PLAYER, 8).ranks", "puts one to 7 values in order, not 8"),
    "count of a column": ("count(mine.rank)", "count() takes conditions, such as count(card.rank == ACE for card in"),
    "count of ranks": ("count(card.rank for card in mine)", "`count` takes conditions"),
    "the strength of a text": (
        "strength('Ah Kh')",
        "strength() takes hands that were dealt, such as strength(own, board)",
    ),
    "the strength of a code": ("strength(-1, 60)", "strength() takes hands that were dealt"),
    "the strength of a rank": ("strength(mine.rank)", "strength() takes hands that were dealt"),
    "the strength of a list": ("strength([mine[0], his[0]])", "strength() takes hands that were dealt"),
    "the strength of a card": ("strength(mine)", "strength() looks at 2 to 7 cards, not at 1"),
    "the strength of eight cards": (
        "strength(t.deal(PLAYER, 8))",
        "not at 8; of more, write highest(*(strength(seven) for seven in hand.choose(7)))",
    ),
    "the strength of a card and itself": ("strength(mine, mine)", "strength() is given a card twice"),
    "the best four of three": ("strength(t.deal(PLAYER, 3), cards=4)", "the best 4 of 4 cards to seven, not of 3"),
    "the best two of three": ("strength(t.deal(PLAYER, 3), cards=2)", "the best 2 of 2 cards, not of 3"),
    "the best nine": (
        "strength(mine, his, cards=9)",
        "how many cards a hand counts is a whole number from 2 to 5, not 9",
    ),
    "the longest suit of nothing": ("longest_suit()", "longest_suit() looks at 1 to 7 cards, not at 0"),
    "a pair by its letter": ("pair_of('J')", "a rank is TWO to ACE, such as pair_of(JACK), not 'J'"),
    "a pair of jokers": ("pair_of(13)", "a rank is TWO to ACE"),
    "high cards by their letters": (
        "high_cards('A', 'K')",
        "a rank is TWO to ACE, such as high_cards(ACE, KING), not 'A'",
    ),
    "a pair as high cards": (
        "high_cards(12, 12)",
        "takes different ranks; for a pair write for instance pair_of(JACK)",
    ),
    "too many high cards": ("high_cards(12, 10, 8, 6, cards=3)", "takes one to 3 ranks for hands of 3 cards, not 4"),
    "high cards that are a straight": ("high_cards(10, 9, 8, cards=3)", "queen-jack-ten in 3 cards is a straight"),
    "high cards with no room": ("high_cards(2)", "four in 5 cards leaves no lower cards"),
    "a floor of six cards": (
        "pair_of(9, cards=6)",
        "how many cards a hand counts is a whole number from 2 to 5, not 6",
    ),
    "three of a suit, deuce high": ("flush_of(3, 0)", "no 3 cards of one suit have two as their highest"),
    "hands that have no name": ("hands_from('pairs')", "'pairs' is not one of royal flush, straight flush"),
    "hands by a number": ("hands_from(8192)", "8192 is not one of royal flush"),
    "hands of four cards by a name of five": ("hands_from('full house', cards=4)", "is not one of four of a kind"),
    "a hand and a number together": ("mine + 3", "a hand can be put together with another hand or a card, not with 3"),
    "a card that a hand lacks": ("mine[1]", "this hand has 1 card, hand[0], not 1"),
    "an f-string": ("f'{mine.rank}'", "formatting is not defined for a column"),
    "& without brackets": ("mine.rank == 3 & his.rank == 4", "put each side in brackets"),
    "a table too short": (
        "lookup([1, 2, 3], mine.rank)",
        "the column runs from 0 to 12, and the table has nothing for 3",
    ),
    "a table indexed by a hand": ("lookup([1, 2, 3], mine)", "a card is not a number; write `.rank` or `.suit`"),
    "where of a number and a result": ("where(mine.rank > 3, WIN, 1)", "between two numbers or between two results"),
    "a result that cannot be": ("compare(mine.rank, 3) == 'won'", "can be lose, push, win; it is never 'won'"),
}


@pytest.mark.parametrize(("line", "phrase"), CANNOT.values(), ids=list(CANNOT))
def test_what_columns_cards_and_hands_cannot_do(tmp_path: Path, line: str, phrase: str) -> None:
    assert phrase in complaint(write(tmp_path, in_a_round(f"{line}  # here")))


# ---- wagers

WAGERS = {
    "an unknown wager settled": ("t.settle(antee=WIN)  # here", "declare it with Wager('antee') or settle one of ante"),
    "a string for a result": (
        "t.settle(ante='win')  # here",
        "ante is settled with a result: WIN, PUSH, LOSE, row(...)",
    ),
    "a row that the pay table lacks": (
        "t.settle(ante=row('surrender'))  # here",
        "the row 'surrender', which its pay table 'even money' lacks; it has win, push, lose",
    ),
    "nothing settled": ("t.settle()  # here", "settle() needs at least one wager, such as t.settle(ante=WIN)"),
    "settled twice": ("t.settle(ante=WIN)\nt.settle(ante=WIN)  # here", "ante has been settled already in this round"),
    "settled but not bet": ("t.settle(raise_=WIN)  # here", "was not bet in this round; write t.bet('raise') first"),
    "an undeclared bet": ("t.bet('rise')  # here", "the wager 'rise' was never declared; the game has ante, raise"),
    "an opening bet during the round": ("t.bet('ante')  # here", "t.bet() is for wagers declared with equal_to"),
    "bet twice": ("t.bet('raise')\nt.bet('raise')  # here", "raise has been bet already"),
    "bet the wrong multiple": ("t.bet('raise', 2)  # here", "raise may be 1x the ante, not 2x"),
}


@pytest.mark.parametrize(("lines", "phrase"), WAGERS.values(), ids=list(WAGERS))
def test_wagers(tmp_path: Path, lines: str, phrase: str) -> None:
    assert phrase in complaint(write(tmp_path, in_a_round(lines)))


def test_a_wager_left_open_on_the_way_of_one_choice(tmp_path: Path) -> None:
    body = DEAL + "if t.decide('fold', 'play') == 'play':  # here\n    t.settle(ante=WIN)\n"
    said = complaint(write(tmp_path, body))
    assert "the round ends here without settling ante (on the way: the player chooses 'fold')" in said
    assert "write t.settle(ante=...) before play() returns" in said


def test_a_raise_left_open_after_another_settlement(tmp_path: Path) -> None:
    body = DEAL + "if t.decide('fold', 'play') == 'play':\n    t.bet('raise')\nt.settle(ante=WIN)  # here\n"
    said = complaint(write(tmp_path, body))
    assert "without settling raise (on the way: the player chooses 'play')" in said
    assert "write t.settle(raise_=...) before play() returns" in said, "`raise` alone is a Python keyword"


def test_a_round_that_does_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "pass\n")
    with pytest.raises(RuleError, match=r"my_game\.py, line 12: .*without settling ante \(on the way: every round\)"):
        trace(load(path).at())


# ---- deals, decisions, options

TABLE = {
    "one choice": ("t.decide('raise')", "two or more different choices, such as t.decide('fold', 'raise')"),
    "the same choice twice": ("t.decide('raise', 'raise')", "two or more different choices"),
    "when of a rank": ("t.when(mine.rank)", "a condition on the cards, such as t.when(his.rank <= SIX)"),
    "a deal to nobody": ("t.deal('Bob')", "cards are dealt to PLAYER, DEALER, BOARD or a place with a name of its own"),
    "a deal of no cards": ("t.deal(PLAYER, 0)", "deal a whole number of cards, 1 or more, not 0"),
    "nothing to reveal": (
        "t.reveal(BOARD)",
        "nothing was dealt to 'board' that could be revealed; cards lie at player, dealer",
    ),
    "carry before carried": ("t.carry('streak', 1)", "read it first with t.carried('streak', highest, on=...)"),
    "an unknown option": ("t.option('bonus')", "the game declares no option 'bonus'; it has table-min, table-max"),
    "an ordinary NameError": ("x = hiss.rank", "play() fails with NameError: name 'hiss' is not defined"),
    "an ordinary TypeError": ("x = 1 + 'one'", "play() fails with TypeError: unsupported operand type(s)"),
}


@pytest.mark.parametrize(("line", "phrase"), TABLE.values(), ids=list(TABLE))
def test_deals_decisions_and_options(tmp_path: Path, line: str, phrase: str) -> None:
    assert phrase in complaint(write(tmp_path, in_a_round(f"{line}  # here")))


BONUS = 'Choice("bonus", ("none", "pays"), "a bonus"),  # here\n    '


def test_an_option_that_is_never_read(tmp_path: Path) -> None:
    said = complaint(write(tmp_path, in_a_round("pass"), options=BONUS))
    assert "the option 'bonus' is declared but never asked for; read it with t.option('bonus')" in said


def test_an_option_that_only_an_anchor_mentions_is_never_read(tmp_path: Path) -> None:
    anchor = 'Anchor("ante", "0%", "nobody", options={"bonus": "pays"}),'
    said = complaint(write(tmp_path, in_a_round("pass"), options=BONUS, anchors=anchor))
    assert "the option 'bonus' is declared but never asked for; read it with t.option('bonus')" in said


# ---- rounds that never end


def test_a_loop_that_deals_for_ever(tmp_path: Path) -> None:
    said = complaint(
        write(tmp_path, DEAL + "while t.when(mine.rank >= TWO):\n    his = t.deal(DEALER)  # here\n" + SETTLE)
    )
    assert "deals more than the 52 cards of the shoe: does a loop never end?" in said
    assert "Every loop needs a way out" in said


def test_a_loop_that_asks_the_player_for_ever(tmp_path: Path) -> None:
    said = complaint(write(tmp_path, DEAL + "while t.decide('again', 'stop') == 'again':  # here\n    pass\n" + SETTLE))
    assert "does a loop ask this question for ever?" in said


@pytest.mark.parametrize("loop", ["while True: pass", "while t.when(mine.rank > SIX): pass"])
def test_a_loop_that_asks_nothing_is_stopped_by_the_clock(tmp_path: Path, loop: str) -> None:
    """In a process of its own: a tool that measures coverage may hold a lock when the clock strikes."""
    path = write(tmp_path, f"{DEAL}{loop}  # here\n{SETTLE}")
    script = (
        "import sys; from pitboss.rules import mistakes; mistakes.PATIENCE = 0.2; "
        "from pitboss.cli import main; raise SystemExit(main(['analyze', sys.argv[1]]))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60)
    marked = next(i for i, line in enumerate(path.read_text().splitlines(), 1) if "# here" in line)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"pitboss: my_game.py, line {marked}: ")
    assert "if this is a loop, give it a way out" in done.stderr


# ---- a play that is not the same twice


IMPURE = {
    "another question each time": (
        "HITS.append(1)\nif len(HITS) % 2:\n    t.decide('a', 'b')  # here\nelse:\n    t.when(mine.rank > 3)\n" + SETTLE
    ),
    "another condition each time": "HITS.append(1)\nt.when(mine.rank > len(HITS))  # here\n" + SETTLE,
    "other choices each time": "HITS.append(1)\nt.decide('a', f'b{len(HITS)}')  # here\n" + SETTLE,
    "another settlement each time": (
        "HITS.append(1)\nt.settle(ante=WIN if len(HITS) % 2 else LOSE)  # here\n"  # no question is asked at all
    ),
    "a random condition": "t.when(mine.rank > random.randrange(1, 12))  # here\n" + SETTLE,
    "a random settlement": "t.settle(ante=random.choice([WIN, LOSE]))  # here\n",
}


@pytest.mark.parametrize("lines", IMPURE.values(), ids=list(IMPURE))
def test_play_must_not_draw_random_numbers_or_remember(tmp_path: Path, lines: str) -> None:
    path = write(tmp_path, DEAL + lines)
    with pytest.raises(RuleError) as caught:
        trace(load(path).at())
    place = r"my_game\.py, line \d+: "
    assert re.match(place, str(caught.value))
    assert "it must not draw random numbers or remember anything" in str(caught.value)
