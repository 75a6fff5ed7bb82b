"""A line in which Python tests a column for true or false, spelled as it should read."""

import ast
from functools import reduce

_NAMES = {"max": "highest", "min": "lowest"}
GENERAL = (
    "use `if t.when(...)` to branch, `&`, `|` and `~` instead of `and`, `or` and `not`, `where(condition, a, b)` to "
    "choose, `highest` and `lowest` instead of `max` and `min`, `hand.ranks` or `high_to_low` instead of `sorted`"
)


def advice(line: str) -> str:
    """What to write instead of this line; general advice where the line does not tell."""
    statement = _parse(line)
    if isinstance(statement, ast.If | ast.While):
        word = line.split()[0]
        return f"write `{word} {ast.unparse(_asked(statement.test))}:`"
    if statement is not None:
        before = ast.unparse(statement)
        after = ast.unparse(_Columns().visit(statement))
        if after != before:
            return f"write `{after}`"
    return GENERAL


def _parse(line: str) -> ast.stmt | None:
    for text in (line, f"{line}\n    pass", f"{line.removeprefix('el')}\n    pass"):
        try:
            return ast.parse(text).body[0]
        except (SyntaxError, IndexError):
            continue
    return None


def _asked(test: ast.expr) -> ast.expr:
    """The condition of an `if`, put to the table; what is put to it already stays as it is."""
    if _is_when(test):
        return _Columns().visit(test)  # type: ignore[no-any-return]
    if isinstance(test, ast.BoolOp) and any(_is_when(v) for v in test.values):
        return ast.BoolOp(test.op, [_asked(v) for v in test.values])
    return ast.Call(ast.Attribute(ast.Name("t"), "when"), [_Columns().visit(test)], [])


def _is_when(test: ast.expr) -> bool:
    return isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "when"


class _Columns(ast.NodeTransformer):
    """`and`, `or`, `not`, chains, `in`, `a if c else b`, max and min, as columns take them."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return _join(ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr(), node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return ast.UnaryOp(ast.Invert(), node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        return _join(ast.BitAnd(), [_pair(a, op, b) for a, op, b in zip(sides, node.ops, sides[1:], strict=False)])

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("where"), [node.test, node.body, node.orelse], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _NAMES:
            node.func.id = _NAMES[node.func.id]
        return node


def _pair(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    if isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set) and right.elts:
        either = _join(ast.BitOr(), [ast.Compare(left, [ast.Eq()], [e]) for e in right.elts])
        return either if isinstance(op, ast.In) else ast.UnaryOp(ast.Invert(), either)
    return ast.Compare(left, [op], [right])


def _join(op: ast.operator, parts: list[ast.expr]) -> ast.expr:
    return reduce(lambda a, b: ast.BinOp(a, op, b), parts)
