"""What one may write for each option: what is right, what is nonsense, and what may be taken either way."""

from dataclasses import dataclass

GOOD, BAD, EITHER, LONG = "good", "bad", "either", "long"


@dataclass(frozen=True)
class Value:
    """A word for an option. A list of arguments that holds a bad one must not end with exit code 0; one that is long
    asks for work that a user would stop."""

    text: str
    worth: str


def values(good: str = "", bad: str = "", either: str = "", long: str = "") -> tuple[Value, ...]:
    """Words parted by blanks."""
    kinds = ((GOOD, good), (BAD, bad), (EITHER, either), (LONG, long))
    return tuple(Value(text, worth) for worth, texts in kinds for text in texts.split())


HARD = (
    "", " ", "\t", "x" * 10_000, "\x1b[31mred\x1b[0m", "\x07", "a\nb", "a\rb", "\x7f", "\x9b31m", "[bold]x[/bold]",
    "[/]",
    "[link=x]", "\udcff\udcfe", "\u202e", "\ufeff", "😀", "é", "--", "-", "%s%n", "{0}", "$(x)", "`x`", "'", '"', "\\",
    "a=b=c", "=", "==", ",", ";", "None", "True", "*",
)  # fmt: skip
"""Words that are the right answer to no question that is asked on the command line."""

NO_NUMBERS = (
    "nan", "inf", "-inf", "Infinity", "1e99999999", "-1e99999999", "1e-99999999", "abc", "9" * 5_000,
    "0." + "9" * 5_000,
    "²", "½", "12,50", "1,23,456", "1/0", "0/0", "0x10", "1e", "e5", "+-3", "5 5", "10**3", "1_", "_1", "1..2..3",
    "5%%",
    "$", "$$5", "-", "1e5e5", "1j",
)  # fmt: skip
"""Words that are no number."""

ODD_NUMBERS = ("٣", "６", "1_000", "1e3", "+5", "-0", "0e0", "007", " 5", "5.", "1,000", "$5")
"""Words that may be taken for a number, or may be refused."""

junk = tuple(Value(text, BAD) for text in HARD)
no_number = junk + tuple(Value(text, BAD) for text in NO_NUMBERS)
number = no_number + tuple(Value(text, EITHER) for text in ODD_NUMBERS)
listed = tuple(v for v in no_number if v.text not in ("12,50", "1,23,456"))
no_file = tuple(v for v in junk if v.text in ("", "x" * 10_000))
any_file = tuple(Value(v.text, EITHER) for v in junk if v not in no_file and v.text != "--")


def pairs(names: str, of: tuple[Value, ...]) -> tuple[Value, ...]:
    """NAME=VALUE, for the words of a value."""
    return tuple(Value(f"{name}={v.text}", v.worth) for name in names.split() for v in of)


GAMES: dict[str, dict[str, tuple[Value, ...]]] = {
    "bluff": {
        "-o": values("decks=2 decks=8 tie=push-first limit=high progressive=three dealer-folds=2-5 meter=500",
                     "decks=3 decks=0 tie=x dealer-folds=9-2-4 dealer-folds=1 table-min=501 meter=-1 increment=16/3",
                     "dealer-folds=none dealer-raises=2-A"),
        "-p": values("suit-tie=1,3,15 suit-tie=standard progressive=$100,$1000 suit-tie=suit=1,tie=3,match=15",
                     "suit-tie=1,3 suit-tie=1,3,15,20 suit-tie=1,3,nan suit-tie=1,3,1e99999999 suit-tie=1,3,-2 nosuch=1"
                     " suit-tie=1,3,inf suit-tie=suit=1,suit=1,match=15 progressive=1,$nan",
                     "suit-tie=15,3,1 suit-tie=0,0,0 ante=2 suit-tie=1,3,16/3"),
        "--wager": values("ante suit-tie progressive", "raise nosuch ANTE", ""),
        "--strategy": values("optimal casual", "nosuch Optimal", ""),
        "--bet": values("ante=10 suit-tie=5 progressive=5 ante=12.50", "nosuch=5 raise=5 progressive=6 ante=1e9", ""),
        "--row": values("suit=1..2 tie=2..4 match=10..20..5 match=lose..1 tie=3,4",
                        "nosuch=1..2 suit=2..1 suit=1..5..0 suit=1..5..-1 suit=1..1e99999999 suit=nan..2 suit=.."
                        " suit=-5 suit=1..1e12 match=1..1000000", "suit=1"),
        "--rate": values("suit-tie=40% progressive=0.1", "suit-tie=140% suit-tie=-5% nosuch=5% suit-tie=2", "ante=50%"),
        "--toke": values("", "nosuch=5", "ante=5 suit-tie=5"),
    },
    "casino_war.py": {
        "-o": values("decks=1 decks=8 bonus=pays", "decks=9 decks=1.0 bonus=none,pays bonus=", ""),
        "-p": values("tie=10 tie=11 ante=1,-1/2", "tie=10,11 tie=nan ante=1 tie=-2 nosuch=3", "tie=push"),
        "--wager": values("ante tie", "war nosuch", ""),
        "--strategy": values("optimal always-war always-surrender", "always nosuch", ""),
        "--bet": values("ante=10 tie=5", "war=10 tie=1e9 nosuch=1", ""),
        "--row": values("tie=8..12", "tie=1..1e99999999 nosuch=1", "win=1..2"),
        "--rate": values("tie=40%", "tie=101% nosuch=1%", ""),
        "--toke": values("", "nosuch=5", "ante=5"),
    },
    "red_dog.py": {
        "-o": values("decks=1 decks=4", "decks=3 nosuch=1", ""),
        "-p": values("raise=5,4,2,1", "raise=5,4,2 ante=1 nosuch=1 raise=5,4,2,1e99999999", "raise=1,1,1,1"),
        "--wager": values("ante", "raise nosuch", ""),
        "--strategy": values("optimal raise-7", "raise-8 nosuch", ""),
        "--bet": values("ante=10 ante=500", "raise=10 ante=501 ante=4", ""),
        "--row": values("", "nosuch=1", "three=11"),
        "--rate": values("", "ante=140% nosuch=1", "ante=50%"),
        "--toke": values("", "nosuch=5", "ante=5"),
    },
}  # fmt: skip
"""The games that are quick, with what is particular to each."""

BROKEN = {
    "-o": (*junk, *pairs("table-min table-max meter", no_number), *values("", "decks")),
    "-p": (*junk, *values("", "ante suit-tie= =1")),
    "--wager": junk, "--strategy": junk, "--row": (*junk, *pairs("match", listed)),
    "--bet": (*junk, *pairs("ante", no_number), *values("", "ante=0 ante=-5 ante=16/3 ante=10.001 ante= =5 ante")),
    "--rate": (*junk, *pairs("tie suit-tie", no_number)), "--toke": (*junk, *pairs("ante", no_number)),
}  # fmt: skip
"""What is nonsense for every game."""

OPTIONS: dict[str, tuple[Value, ...]] = {
    "--rounds": (*number, *values("1 2 20", "0 -5 1.5 16/3 1e16 9999999999999999999", "65536 1e4", "1e12 1e15")),
    "--until-se": (*no_number, *values("0.1 0.05", "0 -1 -0.5", "10 16/3", "1e-9 0.0000001")),
    "--seed": (*number, *values("1 7 0", "1.5 16/3", "-1 99999999999999999999 18446744073709551616")),
    "--cluster": values("", "tcp://127.0.0.1:0 lab 5 http://lab:1 tcp://lab tcp://:1 tcp://a:99999 tcp://a:b"),
    "--workers": (*number, *values("1 2", "0 -1 1.5", "64 100000")),
    "--seats": (*number, *values("1 2 3", "0 -1 1000000 1.5 99999999999999999999", "7 8 100")),
    "--spots": (*number, *values("1 2", "0 -1 99 1.5", "7")),
    "--cut": (*listed, *values("1 0.5 1.25", "-1 1e9 0.5,,1 0.5,x", "0 0.5,1 1/3 0.001")),
    "--decks": (*listed, *values("2 6", "0 -1 999 2,,6 2,x 1.5 99999999999999999999", "2,6 1")),
    "--shoe": (*(v for v in junk if v.text.strip()), *values(
        "A:20 2:3", "A:-1 A:999 Z:1 A: A:x A:nan A:1e99999999 :5 A:1.5 Kx:3 A:20:20 A:20,A:19 A:20,Ah:3 ,, "
        "joker:1 Jk:1 Jk2:0 Jk3:1",
        "A:0 Kh:1")),
    "--checkpoint": (*no_file, *any_file, *values(
        "run.ck", "missing/run.ck folder claims.toml casino_war.py log.jsonl claims.toml/x", "/dev/null loop")),
    "--log": (*no_file, *any_file, *values(
        "new.jsonl log.jsonl", "missing/log folder /dev/full claims.toml casino_war.py claims.toml/x loop",
        "/dev/null")),
    "--plot": (*junk, *values("x.svg x.png", "x x.bmp missing/x.png folder /dev/full .png claims.toml/x.svg",
    "loop.svg")),
    "--game": (*junk, *values("", "nosuch folder claims.toml /dev/null loop", "bluff casino_war.py")),
    "--jurisdiction": (*junk, *values(
        "washington nevada plain", "nosuch Washington missing.toml folder casino_war.py claims.toml /dev/null loop")),
    "--edge": (*listed, *values("5% 4%..6% 0..10%", "6%..4% .. nan..nan -inf..inf 1%..2%..3%", "1000% 0.05 -5%..0 0")),
    "--step": (*no_number, *values("1 1/2", "0 -1", "5 1/3", "1/1000000")),
    "--taste": (*junk, *values("closest hits calm wild pretty", "nosuch Closest")),
    "--across": (*junk, *values("decks decks=2,4", "nosuch decks=9 decks= decks=2,,4 decks=2,x decks=nan",
    "tie bonus")),
    "--top": (*number, *values("1 5", "0 -1 1.5", "1000000 99999999999999999999")),
    "--hands": (*number, *values("60 1", "0 -1 1.5", "1000000000 99999999999999999999999")),
    "--shoes": (*number, *values("2 5 20", "0 -1 1.5 99999999999999999999", "", "50000 1000000")),
    "--states": (*number, *values("8 20", "0 -1 1000000000 99999999999999999999", "5", "10000")),
    "--limit": (*no_number, *values("100 $500", "-5 -0.01", "0 1e9 16/3")),
    "--tolerate": (*no_number, *values("20 0", "-5", "1e9 16/3")),
    "--hours": (*no_number, *values("8 0.5", "0 -1", "16/3 1e6 1e300")),
    "--days": (*number, *values("1 30", "0 -1 1.5", "10000000 99999999999999999999")),
    "--risk": (*no_number, *values("1% 0.05", "0 -1% 200% 0%", "100% 1e-300 99.9999999%")),
}  # fmt: skip
"""What may be written for an option of any game. One that is not here is attacked with `UNKNOWN`."""

UNKNOWN = tuple(Value(v.text, EITHER) for v in number)

POSITIONAL: dict[str, tuple[Value, ...]] = {
    "log": (*junk, *values("log.jsonl", "nosuch folder claims.toml casino_war.py /dev/null loop run.jsonl/x")),
    "claims": (*(v for v in junk if v.text != "--"), *values("claims.toml",
    "nosuch folder casino_war.py log.jsonl loop")),
    "which": (*(v for v in junk if v.text != "--"), *values("washington plain", "nosuch folder claims.toml loop")),
    "cards": (*number, *values("3 5 6 7", "0 1 2 4 8 -5 1000000 99999999999999999999")),
    "game": (*junk, *values("",
    "nosuch folder claims.toml log.jsonl /dev/null /dev/full .. / loop missing/x.py empty.py")),
}  # fmt: skip
