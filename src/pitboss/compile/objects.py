"""LLVM IR to callable machine code, with object code kept on disk under a hash of everything it depends on.

The hash covers the IR itself, the LLVM and llvmlite versions, the processor and its features: a changed game file makes
other IR and so never runs old code. What is kept is sealed, name and all, with a secret of the user's own folder: code
that is damaged, swapped or somebody else's is not run, but compiled again.
"""

import ctypes
import hashlib
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from pitboss.disk import keep, recall


class CompileError(RuntimeError):
    """LLVM refused the IR: a defect of pitboss, not of a game file."""


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _machine() -> Any:
    """A new one each time: an execution engine takes its machine with it when it goes."""
    _initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )


class Code:
    """Functions of one module, ready to call."""

    def __init__(self, ir: str) -> None:
        machine = _machine()
        name = f"{code_key(ir)}.o"
        data = recall(name, bytes)
        if data is None:
            data = _compile(ir, machine)
            keep(name, data)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def function(self, name: str, *argtypes: Any, result: Any = None) -> Any:
        address = self._engine.get_function_address(name)
        if not address:
            raise CompileError(f"no function {name} in the compiled module")
        function = ctypes.CFUNCTYPE(result, *argtypes)(address)
        function._keep = self  # type: ignore[attr-defined]  # machine code lives as long as its engine
        return function


def code_key(ir: str) -> str:
    """A name for everything that machine code depends on."""
    features = llvm.get_host_cpu_features().flatten()
    parts = (ir, llvmlite.__version__, str(llvm.llvm_version_info), llvm.get_host_cpu_name(), features)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _compile(ir: str, machine: Any) -> bytes:
    try:
        module = llvm.parse_assembly(ir)
        module.verify()
    except RuntimeError as error:
        raise CompileError(f"LLVM refused the generated code: {error}") from error
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))
