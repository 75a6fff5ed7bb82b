"""Game files that make no sense, one mistake each in a small game that is right: none of them may be taken."""

from dataclasses import dataclass

SMALL = '''"""Small: one card each; the higher one wins."""

from fractions import Fraction

from pitboss.rules import *


def play(t):
    mine = t.deal(PLAYER)
    his = t.deal(DEALER, face=DOWN)
    start = mine.rank > TWO
    t.option("bonus")
    if t.decide("fold", "raise", name="first") == "fold":
        t.settle("gives up", ante=LOSE)
    else:
        t.bet("raise")
        t.reveal(DEALER)
        high = compare(mine.rank, his.rank)
        t.settle(ante=where(start, high, high), raise_=high)
    t.settle(side=first_match(("pair", mine.rank == his.rank), ("suit", mine.suit == his.suit)))
    streak = t.carried("streak", 1, on="side")
    t.carry("streak", where(mine == his, 1, 0 * streak))


def thumb(seen):
    return "raise" if seen.player[0].rank > SEVEN else "fold"


def wagers(options):
    return (
        Wager("ante", "your card is higher", required=True),
        Wager("raise", "the same", equal_to="ante", times=(1,)),
        Wager("side", "a pair or a suit", needs="ante", tables=[PayTable("standard", {"suit": 1, "pair": 11})]),
    )


GAME = Game(
    name="small",
    title="Small",
    play=play,
    wagers=wagers,
    options=(
        Choice("decks", (1, 2, 6), "decks in the shoe", default=1),
        Amount("bonus", 500, "what a bonus would be"),
    ),
    strategies={"thumb": thumb},
    anchors=(Anchor("side", "-17.65%", "somebody", strategy="optimal"),),
    cut_card="0.5",
    seats=7,
    notes=("a note",),
)
'''


@dataclass(frozen=True)
class Wrong:
    """What is written instead of what."""

    old: str
    new: str
    only: str = ""  # where it cannot be seen without asking for it: "thumb" is a strategy

    @property
    def text(self) -> str:
        assert self.old in SMALL, self.old
        return SMALL.replace(self.old, self.new, 1)


def _instead(old: str, *new: str, only: str = "") -> tuple[Wrong, ...]:
    return tuple(Wrong(old, text, only) for text in new)


_SIDE, _ANTE, _TABLE = 'needs="ante"', "required=True", '{"suit": 1, "pair": 11}'
_RAISE, _TIMES, _DECKS = 'equal_to="ante"', "times=(1,)", '"decks", (1, 2, 6), "decks in the shoe", default=1'
_ANCHOR, _AMOUNT = '"side", "-17.65%", "somebody", strategy="optimal"', '"bonus", 500, "what a bonus would be"'
_SITS, _PLAY, _WAGERS, _STRATEGIES = "    seats=7,", "play=play", "wagers=wagers", '{"thumb": thumb}'
_START, _HIGH, _BEGIN = "mine.rank > TWO", "compare(mine.rank, his.rank)", "    mine = t.deal(PLAYER)\n"

WAGERS = (
    *_instead(_SIDE, *(f'needs="ante", {more}' for more in (
        "minimum=-5", "minimum=0.005", "minimum='x'", "minimum=float('nan')", "minimum=10**30",
        "minimum=20, maximum=10", "minimum=TABLE_MIN", "maximum=TABLE_MIN", "maximum=3", "minimum=1000",
        "maximum=-1", "maximum=0", "maximum=None, minimum=[]", "exactly=-5", "exactly=0", "exactly='table'",
        "exactly=Fraction(1, 3)", "exactly=5, minimum=10", "minimum=Fraction(16, 3)", "table_of='antte'",
        "table_of='side'",
        "table_of=5", "times=(2,)", "nosuch=1", "required='yes'", "tokes='x'", "stake_returned=None", "equal_to='side'",
    ))),
    *_instead(_SIDE, "needs='antte'", "needs='side'", "needs=5", "needs='raise'"),
    *_instead(_RAISE, "equal_to='raise'", "equal_to='antte'", "equal_to=5", "equal_to='side', needs='nosuch'"),
    *_instead(_TIMES, "times=(0.5,)", "times=()", "times=(-1,)", "times=('x',)", "times=1", "times=(0,)",
              "times=(10**30, 1)", "times=(float('nan'), 1)", "times=(None, 1)"),
    *_instead('"side", "a pair', '"ante", "a pair', '"si de", "a pair', '"side\\x1b[31m", "a pair', '"", "a pair',
              '5, "a pair', 'None, "a pair', '"side\\n", "a pair', '"Side=5", "a pair', '"-side", "a pair'),
)  # fmt: skip

TABLES = (
    *_instead(_TABLE, *(f'{{"suit": {pay}, "pair": 11}}' for pay in (
        "-2", "-5", "0.5", "'x'", "'nan'", "'1e99999999'", "None", "float('nan')", "float('inf')", "[1]", "''", "'1/0'",
        "dollars(-5)", "dollars('nan')", "dollars('16/3')", "Meter('nosuch')", "Meter()", "Meter(5)", "True",
    ))),
    *_instead(_TABLE, '{"suit": 1, "pair": 11, "lose": 1}', "{}", "[]", "None",
    "5",
              '{"suit": 1}', '{"suit": 1, 5: 11}',
              '{"suit": 1, "pair": 11, "": 1}',
              '{"suit": 1, "pair": 11, "lose": -2}', '{"suit": 1, "pair\\x1b[2J": 11}'),
    *_instead("tables=[PayTable", "tables=[5, PayTable", "tables=[None] or [PayTable", "tables=[] and [PayTable"),
    *_instead('"standard", {', '"standard", {"suit": 1, "pair": 11}), PayTable("standard", {', '"", {', '5, {',
              '"x\\x07", {'),
)  # fmt: skip

OPTIONS = (
    *_instead(_DECKS, *(f'"decks", {rest}' for rest in (
        '(1, 2, 6), "decks", default=1.0', '(1, 2, 6), "decks", default=True',
        '(1, 2, 6), "decks", default=9', '(1, 2, 6), "decks", default="1"', '(9,), "decks"', '(0,), "decks"',
        '(-1,), "decks"',
        '("x",), "decks"', '(), "decks"', '(1, 1), "decks"', '(1.5,), "decks"', '(None,), "decks"', '5, "decks"',
        '("",), "decks"', '(10**30,), "decks"', '(True,), "decks"', '(float("nan"),), "decks"', '"126", "decks"',
        '(1000,), ""',
    ))),
    *_instead('Choice("decks", (1, 2, 6), "decks in the shoe", default=1)', *(
        'Amount("decks", 3, "x")', 'Ranks("decks", "2-3", "x")', 'Choice("rounding", ("up",), "x")',
        'Choice("chip", (1,), "x")', 'Amount("chip", 0, "x")', 'Amount("table-min", 0, "x")',
        'Amount("table-max", 1, "x")', 'Amount("stake", 0, "x")',
    )),
    *_instead('Choice("decks"', 'Choice("deck s"', 'Choice("decks=1"', 'Choice("decks\\x1b[1m"', "Choice(''",
    "Choice(5",
              'Choice("decks", (1, 2), "x"), Choice("decks"',
              'Choice("unread", (1, 2), "x"), Choice("decks"', 'Nosuch("x"), Choice("decks"', '5, Choice("decks"'),
    *_instead(_AMOUNT, *(f'"bonus", {rest}' for rest in (
        '-5, "x"', '"nan", "x"', '"1e99999999", "x"', 'None, "x"', '"", "x"', '"16/3", "x"', '10**30, "x"',
        '500, "x", least=600', '500, "x", least="nan"', '500, "x", least=-5', 'float("inf"), "x"', "[], 'x'",
    ))),
    *_instead('Amount("bonus", 500, "what a bonus would be")', 'Ranks("decks", "2-6", "x")', 'Ranks("bonus", "x", "x")',
              'Ranks("table-min", "2-6", "x")', 'Choice("bonus", (), "x")', 'Amount("decks", 1, "x")'),
)  # fmt: skip

GAME = (
    *_instead(_ANCHOR, '"side", "abc", "x"', '"side", "nan%", "x"', '"side", "", "x"', '"nosuch", "5%", "x"',
              '"side", "5%", "x", strategy="nosuch"', '"side", "5%", "x", options={"nosuch": "1"}',
              '"raise", "5%", "x"',
              '"side", "5%", "x", options={"decks": "9"}', '"side", "5%", "x", tables={"side": "nosuch"}',
              '"side", 5, "x"',
              '"side", "1e99999999%", "x"', '"side", "5%", "x", tables={"nosuch": "1"}',
              '"side", "5%", "x", options=5'),
    *_instead(_SITS, *(f"    seats={n}," for n in ("0", "-1", "'x'", "None", "1.5", "10**30", "float('nan')"))),
    *_instead('cut_card="0.5"', *(f"cut_card={c}" for c in (
        "'x'", "'-1'", "None", "'nan'", "'1e99999999'", "'999'", "''", "[]", "'1/0'"))),
    *_instead(_SITS, *(f"    {more}, seats=7," for more in (
        "deck=(52,)", "deck=(-1, 0, 1)", "deck=('A',)", "deck=()", "deck=(0,)", "deck=5", "deck=(None,) * 52",
        "deck=(0.5,) * 52", "deck=cards('7-X')", "deck=cards('')", "deck=cards('A-2')", "deck=cards('2c-7d')",
        "deck=cards('7-A, K')", "deck=cards(7)", "deck=cards('Ac')", "deck=0 * cards('K')", "deck=99 * cards('2-A')",
        "deck=cards('2-A', jokers=3)", "deck=cards('2-A', jokers=-1)", "deck=cards('2-A', jokers='one')",
        "deck=cards('2-A', joker=WILD)", "deck=cards('2-A', jokers=1, joker='x')", "deck=cards('2-A') + 5",
        "deck=lambda options: 5", "deck=lambda options: nosuch", "deck=lambda: cards('2-A')", "deck='7-A'",
        "deck=cards('7-A\\x1b[2J')", "deck=cards('A' * 10**6)",
        "deck=range(53)", "one_of=('ante',)", "one_of=[['nosuch']]", "one_of=5", "one_of=[[]]",
        "one_of=lambda o: nosuch",
        "contradiction=lambda options: 1 / 0", "contradiction=lambda options: nosuch", "contradiction=5",
        "contradiction=lambda options: 5", "counts=5", "settles_from_right='x'", "nosuch=1",
        "contradiction=lambda: None", "contradiction=lambda options: options['nosuch']",
    ))),
    *_instead('name="small"', "name=''", "name='a b'", "name='a\\x1b[31m'", "name=5", "name=None", "name='../x'",
    "name='[/]'"),
    *_instead('title="Small"', "title=5", "title=None", "title=''", "title='a\\nb'"),
    *_instead(_PLAY, "play=None", "play=lambda t: None", "play=print", "play=lambda: None", "play=int", "play='play'",
              "play=lambda t: 1 / 0", "play=lambda t, x: None"),
    *_instead(_WAGERS, "wagers=None", "wagers=()", "wagers=5", "wagers=lambda o: ()", "wagers=lambda o: None",
    "wagers=[5]",
              "wagers=lambda: ()", "wagers=lambda o: nosuch", "wagers='ante'", "wagers=lambda o: o['nosuch']"),
    *_instead("strategies={", "strategies=[", "strategies={'optimal': thumb, "),
    *_instead(_STRATEGIES, "{'thumb': None}", "{'thumb': 'raise'}", "{'': thumb}", "{5: thumb}", "5",
    "{'a\\x1b': thumb}"),
    *_instead('notes=("a note",)', "notes=5", "notes=(5,)", "notes=(None,)"),
    *_instead("GAME = Game(", "GAME = (", "GAME = [Game](", "game = Game(", "GAME = lambda **_: Game(",
    "GAME = print("),
)  # fmt: skip

PLAY = (
    *_instead(_START, *(f"{wrong} == 5" for wrong in (
        "lookup([0.9] * 13, mine.rank)", "lookup([Fraction(1, 2)] * 13, mine.rank)", "lookup([], mine.rank)",
        "mine.rnk",
        "lookup([1] * 5, mine.rank)", "lookup(['x'] * 13, mine.rank)", "lookup([None] * 13, mine.rank)",
        "mine.rank * 0.5",
        "where(mine.rank > TWO, 0.5, 1)", "where(mine.rank > TWO, Fraction(1, 2), 1)", "where(mine.rank, 1, 0)",
        "mine.rank / 2",
        "where(mine.rank > TWO, 1, WIN)", "where(mine.rank > TWO, None, 1)", "where('x', 1, 0)", "mine.rank + 'x'",
        "mine + 1",
        "within(mine.rank, 0, 2)", "lookup([5, 1, 9], within(mine.rank, 0, 2))", "within(mine.rank + his.rank, 0, 23)",
        "mine.rank + float('nan')", "mine.rank * 10**30", "mine.rank ** 2", "mine.rank % 0", "max(mine.rank, TWO)",
        "mine.rank % his.rank", "mine.rank // -1", "mine.rank // 0.5", "mine.rank % 10**30", "7 % mine.rank",
        "mine.rank % 'x'", "divmod(mine.rank, 2)", "strength()", "strength(mine)", "strength(mine, mine)",
        "strength('Ah Kh')", "strength(-1, 60)", "strength(mine, his, cards=9)", "strength(mine, his, cards='x')",
        "strength(mine, his, cards=4)", "strength(mine, his, cards=True)", "longest_suit()", "longest_suit(mine.suit)",
        "flush_strength([mine])", "straight_flush_length('x')", "royal_length(mine, his)", "count(mine.rank)",
        "count(5)", "count(card.rank for card in mine)", "count('x')", "high_to_low()", "high_to_low('x')",
        "high_to_low(*[mine.rank] * 8)", "mine.ranks[9]", "mine['x']", "sorted([mine.rank, his.rank])",
        "pair_of('J')", "pair_of(13)", "pair_of(JACK, cards=6)", "pair_of(mine.rank)", "high_cards()",
        "high_cards('A', 'K')", "high_cards(ACE, ACE)", "high_cards(QUEEN, JACK, TEN, cards=3)", "high_cards(FOUR)",
        "flush_of(0)", "flush_of(3, TWO)", "flush_of(9)", "flush_of(2, ACE, ACE)", "hands_from('pairs')",
        "hands_from(5)", "hands_from('pair', cards=6)", "hands_from('pair', up_to='x')",
        "highest(mine.rank, 'x')", "lowest()", "among(mine.rank, 'x')", "among(mine.rank, '2-')",
        "lookup(5, mine.rank)",
        "lookup([float('inf')] * 13, mine.rank)", "lookup([10**30] * 13, mine.rank)", "int(mine.rank)",
        "t.option('nosuch')",
        "within(mine.rank, 0.5, 2.5)", "mine.rank + Fraction(1, 2)", "mine.rank - 0.9", "column(0.5)", "column('x')",
    ))),
    *_instead(_START, "mine.rank > 0.5", "mine.rank == 2.5", "mine.rank < Fraction(5, 2)", "mine.rank == 'A'", "5",
    "None",
              "mine.rank > float('nan')", "mine.rank and TWO", "nosuch", "WIN", "(yield)", "not mine.rank"),
    *_instead(_HIGH, "compare(mine.rank)", "WIN if mine.rank > his.rank else LOSE", "row('nosuch')", "5", "None",
    "'win'",
              "compare(mine.rank, 'x')", "pick(('win',), 5)", "pick((), 0)", "pick(('win', 'lose'), mine.rank)",
              "row(5)",
              "by_floor(mine.rank, {})", "compare(mine.rank, 0.5)", "first_match()", "first_match(('win', 5))"),
    *_instead("t.deal(PLAYER)", "t.deal('No Body')", "t.deal('players')", "t.deal('seat 3')", "t.deal('the banker')",
              "t.deal('a\\x1b[31mb')", "t.deal('\u0440layer')", "t.deal('x' * 99)", "t.deal(5)", "t.deal(['banker'])",
              "t.deal(' banker')", "t.deal('')", "t.deal(PLAYER, 0)", "t.deal(PLAYER, -1)", "t.deal(PLAYER, 0.5)",
    "t.deal()",
              "t.deal(PLAYER, 10**9)", "t.deal(PLAYER, 'x')", "t.deal(PLAYER, face='x')", "t.deal(PLAYER, hand='x')",
              "t.deal(PLAYER, 1.0)", "t.deal(PLAYER, True)", "t.deal(PLAYER, hand=0)", "t.deal(PLAYER, hand=-1)"),
    *_instead('t.decide("fold", "raise", name="first")', "t.decide()", "t.decide('fold')", "t.decide('fold', 'fold')",
              "t.decide('fold', 5)", "t.decide('fold', None)", "t.decide('fold', '')",
              "t.decide('fold', 'raise', name=5)",
              "t.decide('fold', 'raise', by=5)", "t.decide('fold', 'raise', by={'x': his.rank})",
              "t.decide(['fold', 'raise'])",
              "t.decide('fold', 'raise', by={'x': 0.5})", "t.decide('fold', 'a\\x1b[31mb')"),
    *_instead('t.bet("raise")', "pass", "t.bet('nosuch')", "t.bet('raise', 5)", "t.bet('raise', 0.5)", "t.bet('ante')",
              "t.bet(5)", "t.bet('raise', -1)", "t.bet('raise', 'x')", "t.bet('raise'); t.bet('raise')"),
    *_instead('"streak", 1, on="side"', '"streak", 0, on="side"', '"streak", 256, on="side"',
    '"streak", 1, on="nosuch"',
              '"streak", "x", on="side"', '"streak", 0.5, on="side"', '5, 1, on="side"', '"streak", 1.5, on="side"'),
    *_instead("where(mine == his, 1, 0 * streak)", "5", "0.5", "'x'", "None", "-1", "mine.rank", "WIN"),
    *_instead("ante=where(start, high, high), raise_=high", "ante=high", "ante=high, raise_=high, ante_=high", "ante=5",
              "ante=None, raise_=high", "nosuch=high", "ante=WIN == 5, raise_=high"),
    *_instead('"gives up", ante=LOSE', "5, ante=LOSE", "None, ante=LOSE"),
    *_instead("t.reveal(DEALER)", "t.reveal('x')", "t.reveal(BOARD)", "t.reveal(5)", "t.reveal()", "t.split('x', 5)",
              "t.reveal([PLAYER])", "t.named('x', 5)", "t.named(5, his.rank)", "t.named('', his.rank)",
              "t.named('x', his)", "t.named('a\\x1b[31mb', his.rank)", "t.named('a\\nb', his.rank)",
              "t.mark('x')", "t.share('nosuch', his.rank)", "t.burn(-1)", "t.burn('x')", "t.burn(10**9)", "t.burn(0.5)",
              "t.nosuch()", "t.has('nosuch')", "t.when(5)", "t.when('x')", "t.when(None)", "t.when(his.rank)"),
    *_instead(_BEGIN, *(f"{_BEGIN}    {line}\n" for line in (
        "yield", "return", "1 / 0", "raise KeyboardInterrupt", "raise SystemExit", "raise SystemExit(0)",
        "import sys; sys.exit()",
        "raise BaseException('x')", "raise GeneratorExit", "raise StopIteration", "raise MemoryError", "play(t)",
        "assert False",
        "raise ExceptionGroup('x', [ValueError('y')])", "raise AssertionError", "raise BadInput('a\\x1b[31mb')",
        "import nosuch",
        "raise RuleError('')", "raise Exception('[/]')", "raise Exception('a\\nb\\nc')", "raise BrokenPipeError",
        "raise EOFError",
        "raise OSError(28, 'x')", "del mine", "raise NotImplementedError", "raise UnicodeError",
        "raise type('Own', (BaseException,), {})('x')", "class E(Exception): __str__ = None\n    raise E",
        "raise type('Own', (Exception,), {'__str__': lambda s: 1 / 0})",
    ))),
)  # fmt: skip

SLOW = _instead(_BEGIN, *(f"{_BEGIN}    {line}\n" for line in (
    "while True: pass", "while True: t.when(mine.rank > TWO)", "import time; time.sleep(600)",
    "for i in range(40): t.when(t.deal(BOARD).rank > TWO)", "for i in range(40): t.decide('a', 'b')",
    "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    "import time\n    while True:\n        try: time.sleep(600)\n        except BaseException: pass",
    "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(600)",
    "import threading; threading.Event().wait()",
    "class Slow:\n        def __del__(self):\n            while True: pass\n    Slow()",
    "while True: t.decide('a', 'b')",
    "x = []\n    while True: x.append(x[:] + [1])", "while True: mine.rank + 1",
    "[t.when(mine.rank > i) for i in range(10**7)]",
    "x = mine.rank\n    for i in range(10**6): x = where(x > 1, x, i % 3)",
    "t.burn(1) if 1 else 0\n    while t.when(mine.rank > TWO): 0",
)))  # fmt: skip

LOADING = _instead("\n\ndef play(t):", *(f"\n{line}\n\n\ndef play(t):" for line in (
    "import sys; sys.exit(0)", "raise SystemExit", "raise KeyboardInterrupt", "raise BaseException('x')", "exit()",
    "1 / 0",
    "while True: pass", "import nosuch", "from pitboss.rules import nosuch", "raise GeneratorExit", "def f(): f()\nf()",
    "import time; time.sleep(600)", "raise MemoryError", "class X(", "  x = 1", "x = (", "return 5", "\x00",
    "raise StopIteration",
    "raise type('Own', (BaseException,), {})", "x = " + "(" * 500, "x = " + "-" * 50_000 + "1",
    "x = " + "1+" * 50_000 + "1",
    "raise Exception('a\\x1b[31mb')", "raise Exception('a\\nb')", "import sys; sys.exit('a\\nb')",
    "await x",
)))  # fmt: skip

STRATEGIES = (
    *_instead('"raise" if seen.player[0].rank > SEVEN else "fold"', "'nosuch'", "5", "None", "nosuch", "seen.nosuch",
    "1 / 0",
              "seen.player[5]", "[]", "['raise']", "seen.dealer[0]", "seen.by['x']",
              "seen.at('nosuch')", "seen.at(5)", "seen.at([])", "'raise '", "'Raise'",
              "__import__('sys').exit(0)",
              "(yield)", only="thumb"),
    *_instead("def thumb(seen)", "def thumb()", "def thumb(seen, other)", "def thumb(*, seen)", "async def thumb(seen)",
              "class thumb", only="thumb"),
    *_instead("    return \"raise\" if", "    while True: pass\n    return \"raise\" if",
    "    raise KeyboardInterrupt\n    return 1 if",
              "    raise SystemExit(0)\n    return 1 if", "    raise BaseException\n    return 1 if", only="thumb"),
)  # fmt: skip

EVERY: tuple[Wrong, ...] = (*WAGERS, *TABLES, *OPTIONS, *GAME, *PLAY, *SLOW, *LOADING, *STRATEGIES)
