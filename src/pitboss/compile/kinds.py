"""The integer types of the generated code."""

from typing import Any

import llvmlite.ir as ir

I1, I8, I16, I32, I64, I128 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64, 128))
Value = Any  # llvmlite is untyped


def const(value: int) -> Value:
    return ir.Constant(I64, value)
