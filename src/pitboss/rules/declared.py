"""What a game file declares as a whole, checked when it is loaded: that its parts know each other, that every value of
an option gives a game, and that no name is misspelt in a line that no round has come to yet."""

import ast
import builtins
import dis
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType

from pitboss.rules.errors import BadInput, RuleError, Site
from pitboss.rules.game import Face, Game, Seen
from pitboss.rules.house import DERIVED
from pitboss.rules.mistakes import nearest
from pitboss.rules.options import Choice
from pitboss.rules.paytables import money
from pitboss.rules.vocabulary import Table

_GUARDED = {"NameError", "AttributeError", "hasattr", "getattr", "globals", "exec", "eval"}


def check_declared(game: Game) -> None:
    """One sentence with file and line for the first thing that cannot be."""
    _check_names(game)
    _check_amounts(game)
    for option in game.options:
        for value in option.values if isinstance(option, Choice) else ():
            try:
                game.at({option.name: value})
            except RuleError:
                raise
            except BadInput:  # a contradiction with the other defaults, which the game declares
                continue
    for anchor in game.anchors:
        try:
            house = game.at(anchor.options, anchor.tables)
            house.check_wager(anchor.wager)
            if anchor.strategy not in DERIVED:
                house.strategy(anchor.strategy)
        except RuleError:
            raise
        except BadInput as error:
            raise game.line_of(anchor.source).error(f"the anchor {anchor.edge} of {anchor.wager}: {error}") from None


def _check_amounts(game: Game) -> None:
    """A bet that no table takes: what it is at least is above what it is at most, one of them the table's."""
    house = game.at()
    for wager in house.wagers:
        if wager.equal_to is None and (least := house.least_bet(wager.name)) > (most := house.largest_bet(wager.name)):
            raise game.line_of(wager.name).error(
                f"{wager.name} takes ${money(least)} at least and ${money(most)} at most, with the table's limits of "
                f"${money(house.amount('table-min'))} to ${money(house.amount('table-max'))}; give it both of its own"
            )


# ---- misspelt names, in the parts of a file that have not been run


def _check_names(game: Game) -> None:
    """Names that are defined nowhere, and attributes that the table, or what a strategy sees, does not have."""
    file = game.play.__code__.co_filename
    if not game.path.exists():  # it was made in some other way
        return
    tree = ast.parse(game.path.read_bytes())
    known = {*vars(builtins), *game.play.__globals__, *_bound(tree)}
    functions = [game.play, game.wagers, *game.strategies.values(), *game.play.__globals__.values()]
    mine = [f for f in functions if isinstance(f, FunctionType) and f.__code__.co_filename == file]
    if _GUARDED & {point.id for point in ast.walk(tree) if isinstance(point, ast.Name)}:
        return  # the file itself looks whether a name is there
    for function in mine:
        for name, line in _globals_of(function.__code__):
            if name not in known:
                raise _misspelt(Site(file, line), name, {*known, *function.__code__.co_varnames}, "is not defined")
    for function in mine:
        if function is game.play:
            _check_attributes(function, Table, file, tree)
        elif function in game.strategies.values():
            _check_attributes(function, Seen, file, tree)
            _check_cards(function, file, tree)


def _bound(tree: ast.Module) -> Iterator[str]:
    """Every name that some line of the file gives a value, a global one that a function sets included."""
    for point in ast.walk(tree):
        if isinstance(point, ast.Name) and not isinstance(point.ctx, ast.Load):
            yield point.id
        elif isinstance(point, ast.Global):
            yield from point.names


def _globals_of(code: CodeType) -> Iterator[tuple[str, int]]:
    """The global names that a function asks for, and where; functions inside it included."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = (step.positions.lineno if step.positions else None) or line
        if step.opname == "LOAD_GLOBAL":
            yield step.argval, line
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals_of(inner)


def _check_attributes(function: FunctionType, kind: type, file: str, tree: ast.Module) -> None:
    """`t.setle(...)`: what is asked of the first argument must be there."""
    if not function.__code__.co_argcount:
        return
    held = kind.__init__.__code__.co_names  # type: ignore[misc]  # what the instance holds besides its methods
    known = {*dir(kind), *held, *getattr(kind, "__annotations__", ())}
    known |= {p.attr for p in ast.walk(tree) if isinstance(p, ast.Attribute) and isinstance(p.ctx, ast.Store)}
    first = function.__code__.co_varnames[0]
    for point in _body_of(function, tree):
        if not isinstance(point, ast.Attribute) or not isinstance(point.value, ast.Name) or point.value.id != first:
            continue
        if isinstance(point.ctx, ast.Load) and point.attr not in known:
            raise _misspelt(Site(file, point.lineno), point.attr, known, f"is nothing that `{first}` has")


def _check_cards(function: FunctionType, file: str, tree: ast.Module) -> None:
    """`seen.player[0].rnk`: a card that a strategy sees has a rank and a suit, also where it goes through them all."""
    inside = list(_body_of(function, tree))
    first = function.__code__.co_varnames[:1]
    seen = [f"{name}.{who}" for name in first for who in ("player", "dealer", "board")]
    through = [(p.target, p.iter) for p in inside if isinstance(p, ast.For | ast.comprehension)]
    cards = {t.id for t, over in through if isinstance(t, ast.Name) and ast.unparse(over) in seen}
    bound = [p.id for p in inside if isinstance(p, ast.Name) and not isinstance(p.ctx, ast.Load)]
    known = {name for name in dir(Face) if not name.startswith("_")} | {"code"}
    for point in inside:
        if not isinstance(point, ast.Attribute) or point.attr in known or point.attr.startswith("_"):
            continue
        of = point.value
        one = isinstance(of, ast.Subscript) and not isinstance(of.slice, ast.Slice) and ast.unparse(of.value) in seen
        if one or (isinstance(of, ast.Name) and of.id in cards and bound.count(of.id) == 1):
            raise _misspelt(Site(file, point.lineno), point.attr, known, "is nothing that a card has")


def _body_of(function: FunctionType, tree: ast.Module) -> Iterator[ast.AST]:
    """Every point of the function's own lines, unless its first argument is used for something else as well."""
    first, line = function.__code__.co_varnames[0], function.__code__.co_firstlineno
    for point in ast.walk(tree):
        if isinstance(point, ast.FunctionDef | ast.Lambda):
            start = min([point.lineno, *(d.lineno for d in getattr(point, "decorator_list", ()))])
            inside = list(ast.walk(point))
            names = [p for p in inside if isinstance(p, ast.Name) and p.id == first and not isinstance(p.ctx, ast.Load)]
            again = names or [p for p in inside if isinstance(p, ast.arg) and p.arg == first][1:]
            if start == line and not again and getattr(point, "name", "<lambda>") == function.__name__:
                yield from inside
                return


def _misspelt(where: Site, name: str, known: Iterable[str], why: str) -> RuleError:
    near = nearest(name, known)
    return where.error(f"{name!r} {why}" + (f"; did you mean {near[0]!r}?" if near else "; correct this line"))
