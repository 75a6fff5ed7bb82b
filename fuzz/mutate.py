"""A program with one to three things changed: a name misspelt, a number too large, a line gone."""

import ast
import random
from collections.abc import Callable

NUMBERS = (
    "-5", "0", "1", "2", "0.9", "10**30", "Fraction(1, 2)", "None", "'x'", "float('nan')", "float('inf')", "True",
    "255", "-1",
    "2**63", "1.0", "[]", "(1, 2)", "1j", "b'x'", "...", "lambda: 1", "5.5", "51", "52", "13", "-0.0",
)  # fmt: skip
TEXTS = (
    "''", "' '", "'nosuch'", "'a\\x1b[31mb'", "'[bold]x'", "'[/]'", "None", "5", "'x' * 5000", "'a\\nb'", "0.5",
    "'\\udcff'", "'ante'",
    "'lose'", "'push'", "'nan'", "'1e99999999'", "['x']", "b'x'", "'\\u202e'", "'=,|'", "'-x'", "'{0}%s'", "'\\x00'",
)  # fmt: skip
HOSTILE = (
    "while True: pass", "raise KeyboardInterrupt", "raise SystemExit(0)", "raise BaseException('x')", "input()",
    "print('hello')",
    "1 / 0", "assert False", "return", "import nosuch", "play(t)", "t = None", "del t", "x = nosuch",
    "raise GeneratorExit", "yield",
    "t.settle()", "t.deal('x')", "t.burn(1)", "t.when(True)", "t.decide('a', 'b')", "global t",
    "__import__('sys').exit(0)",
    "import sys; sys.stdout.write('x')", "for i in range(30): t.when(t.deal('board').rank > 3)", "t.reveal('dealer')",
)  # fmt: skip
OPERATORS = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Pow,
    ast.BitAnd,
    ast.BitOr,
    ast.BitXor,
    ast.LShift,
    ast.MatMult,
)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)


def mutated(source: str, dice: random.Random) -> tuple[str, list[str]]:
    """Another program, and what was changed in it."""
    tree = ast.parse(source)
    changes: list[str] = []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        change = dice.choice(CHANGES)
        if said := change(tree, dice):
            changes.append(said)
    return ast.unparse(ast.fix_missing_locations(tree)), changes


def _put(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Another node in the place of one."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(v is old for v in value):
                value[next(i for i, v in enumerate(value) if v is old)] = new


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _constant(tree: ast.Module, dice: random.Random, kind: type, others: tuple[str, ...]) -> str:
    joined = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is kind and id(n) not in joined]
    if not found:
        return ""
    old, new = dice.choice(found), dice.choice(others)
    said = f"line {old.lineno}: {new} for {str(old.value)[:30]!r}"
    _put(tree, old, _expression(new))
    return said


def _number(tree: ast.Module, dice: random.Random) -> str:
    return _constant(tree, dice, int, NUMBERS)


def _text(tree: ast.Module, dice: random.Random) -> str:
    return _constant(tree, dice, str, TEXTS)


def _misspelt_text(tree: ast.Module, dice: random.Random) -> str:
    found = [
        n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and 1 < len(n.value) < 20
    ]
    if not found:
        return ""
    node = dice.choice(found)
    assert isinstance(node.value, str)
    old, node.value = node.value, _misspelt(node.value, dice)
    return f"line {node.lineno}: {node.value!r} for {old!r}"


def _misspelt(word: str, dice: random.Random) -> str:
    at = dice.randrange(len(word))
    return dice.choice((word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word.upper(), word + "s")) or "x"


def _name(tree: ast.Module, dice: random.Random) -> str:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    node = dice.choice(found)
    old = node.id
    node.id = dice.choice((_misspelt(old, dice).replace(" ", ""), dice.choice(found).id))
    return f"line {node.lineno}: {node.id} for {old}"


def _attribute(tree: ast.Module, dice: random.Random) -> str:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    if not found:
        return ""
    node = dice.choice(found)
    old, node.attr = (
        node.attr,
        dice.choice((_misspelt(node.attr, dice), dice.choice(found).attr, "__class__", "__dict__")),
    )
    return f"line {node.lineno}: .{node.attr} for .{old}"


def _call(tree: ast.Module, dice: random.Random) -> str:
    node = dice.choice([n for n in ast.walk(tree) if isinstance(n, ast.Call)])
    parts: list[list[ast.expr] | list[ast.keyword]] = [p for p in (node.args, node.keywords) if p]
    if not parts:
        node.args = [_expression(dice.choice(NUMBERS))]
        return f"line {node.lineno}: an argument too many"
    part = dice.choice(parts)
    at = dice.randrange(len(part))
    what = dice.choice(("dropped", "doubled", "odd", "swapped"))
    if what == "dropped":
        del part[at]
    elif what == "doubled" and part is node.args:
        node.args.insert(at, node.args[at])
    elif what == "swapped":
        dice.shuffle(part)
    elif part is node.keywords:
        node.keywords[at].value = _expression(dice.choice(NUMBERS + TEXTS))
    else:
        node.args[at] = _expression(dice.choice(NUMBERS + TEXTS))
    return f"line {node.lineno}: argument {at + 1} {what}"


def _operator(tree: ast.Module, dice: random.Random) -> str:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp | ast.Compare | ast.BoolOp | ast.UnaryOp)]
    if not found:
        return ""
    node = dice.choice(found)
    if isinstance(node, ast.BinOp):
        node.op = dice.choice(OPERATORS)()
    elif isinstance(node, ast.Compare):
        node.ops[0] = dice.choice(COMPARISONS)()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    else:
        node.op = dice.choice((ast.Not, ast.Invert, ast.USub))()
    return f"line {node.lineno}: {ast.unparse(node)[:60]}"


def _statement(tree: ast.Module, dice: random.Random) -> str:
    bodies = [
        n.body for n in ast.walk(tree) if isinstance(n, ast.Module | ast.FunctionDef | ast.If | ast.For | ast.While)
    ]
    body = dice.choice(bodies)
    at = dice.randrange(len(body))
    line = getattr(body[at], "lineno", 0)
    what = dice.choice(("removed", "doubled", "swapped", "hostile", "hostile"))
    if what == "removed":
        body[at : at + 1] = [] if len(body) > 1 else [ast.Pass()]
    elif what == "doubled":
        body.insert(at, body[at])
    elif what == "swapped":
        other = dice.randrange(len(body))
        body[at], body[other] = body[other], body[at]
    else:
        said = dice.choice(HOSTILE)
        inside = ast.parse(f"def f(t):\n    {said}").body[0]
        assert isinstance(inside, ast.FunctionDef)
        body[at:at] = inside.body
        return f"line {line}: {said}"
    return f"line {line}: a statement {what}"


CHANGES: tuple[Callable[[ast.Module, random.Random], str], ...] = (
    _number, _number, _text, _misspelt_text, _name, _attribute, _call, _call, _operator, _statement, _statement,
)  # fmt: skip
