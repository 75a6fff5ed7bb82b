"""Options: every rule that a house may set, or that a document leaves open, by name, with a stated default."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.cards import MOST_DECKS
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.fields import a_list, a_name, a_text, a_whole, prose, refuse
from pitboss.rules.numbers import CENT, MOST, dollars, money
from pitboss.rules.ranks import ranks_of, spelled_ranks

Value = str | int | Fraction
EXACT, DOWN_TO_CHIP = "exact", "down-to-chip"
AMOUNTS = ("table-min", "table-max", "stake", "chip")  # that the house itself reads: bets are measured in them
LISTS = ("decks", "rounding")  # and so are these


@dataclass(frozen=True)
class Choice:
    """One of a few values; the first is the default unless another is named."""

    name: str
    values: tuple[str | int, ...]
    help: str
    default: str | int | None = None

    def __post_init__(self) -> None:
        a_name("the name of an option", self.name)
        object.__setattr__(self, "help", prose(f"what the option {self.name} is", self.help))
        values = a_list(f"the values of the option {self.name}", self.values, str | int, "(1, 2, 6)", empty=False)
        object.__setattr__(self, "values", values)
        for value in values:
            a_text(f"a value of the option {self.name}", str(value), needed=True)
        if len({str(v) for v in values}) < len(values):
            raise refuse(f"the option {self.name} has a value twice; name each once")
        if self.default is not None and (type(self.default), self.default) not in [(type(v), v) for v in values]:
            raise refuse(f"the default of the option {self.name}: {choice_of(said(self.default), values)}")
        for value in values:
            if self.name == "decks":
                a_whole("decks", value, 1, MOST_DECKS)
            elif self.name == "rounding" and value not in (EXACT, DOWN_TO_CHIP):
                raise refuse(f"the option rounding is the house's own: {choice_of(said(value), (EXACT, DOWN_TO_CHIP))}")

    def start(self) -> Value:
        return self.values[0] if self.default is None else self.default

    def parse(self, given: object) -> Value:
        for value in self.values:
            if str(value) == str(given).strip():
                return value
        raise BadInput(f"option {self.name}: {choice_of(given, self.values)}")

    def allowed(self) -> str:
        return " | ".join(map(str, self.values))


@dataclass(frozen=True)
class Amount:
    """An amount of money in dollars, such as a meter or a table limit."""

    name: str
    default: Fraction
    help: str
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(MOST)

    def __init__(self, name: str, default: int | str, help: str, least: int | str = 0) -> None:
        a_name("the name of an option", name)
        help = prose(f"what the option {name} is", help)
        try:
            lowest = max(dollars(f"option {name}", least), CENT if name in AMOUNTS else Fraction(0))
            for key, value in (("name", name), ("help", help), ("least", lowest)):
                object.__setattr__(self, key, value)
            object.__setattr__(self, "default", self.parse(default))
        except BadInput as error:
            raise refuse(str(error)) from None

    def start(self) -> Value:
        return self.default

    def parse(self, given: object) -> Value:
        return dollars(f"option {self.name}", given, self.least, self.most)

    def allowed(self) -> str:
        return f"dollars, ${money(self.least)} or more"


@dataclass(frozen=True)
class Ranks:
    """A set of ranks, such as the cards with which a dealer folds by his printed policy. Its value is a text in normal
    form, such as "2-3,9-A"; `ranks_of` reads it."""

    name: str
    default: str
    help: str

    def __post_init__(self) -> None:
        a_name("the name of an option", self.name)
        object.__setattr__(self, "help", prose(f"what the option {self.name} is", self.help))
        try:
            self.parse(self.default)
        except (BadInput, AttributeError) as error:
            raise refuse(str(error)) from None

    def start(self) -> Value:
        return self.parse(self.default)

    def parse(self, given: object) -> Value:
        try:
            return spelled_ranks(ranks_of(str(given)))
        except ValueError as error:
            raise BadInput(
                f"option {self.name}: {error}; write ranks from 2 to A, such as 2-6 or 2,3,9-A, or none"
            ) from None

    def allowed(self) -> str:
        return "ranks such as 2,3,9-A | none"


Option = Choice | Amount | Ranks

HOUSE_OPTIONS: tuple[Option, ...] = (
    Amount("table-min", 5, "smallest bet the table takes", least="0.01"),
    Amount("table-max", 500, "largest bet the table takes", least="0.01"),
    Choice(
        "rounding",
        (EXACT, DOWN_TO_CHIP),
        "a pay such as 3 to 2 on an odd bet: exactly that, or cut to whole chips",
    ),
    Amount("chip", 1, "the smallest chip, for down-to-chip", least="0.01"),
)
"""What every table has, whatever the game."""


def show_value(value: Value) -> str:
    """A value as a user would type it."""
    if not isinstance(value, Fraction) or value.denominator == 1:
        return str(value)
    places = next((n for n in range(1, 10) if 10**n % value.denominator == 0), 0)
    if not places:
        return str(value)
    whole, rest = divmod(value.numerator * 10**places // value.denominator, 10**places)
    return f"{whole}.{rest:0{places}d}"
