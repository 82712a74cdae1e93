"""The parts of Numba that compile kernels and entries. Imported only when something has to be compiled.

Machine code that has been kept is loaded without this module, and without Numba (`compile/objects.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import count
from typing import Any

import numba
import numba.core.types
from llvmlite.binding import Linkage
from numba.core.cgutils import get_or_insert_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir import Assign, Expr, SetItem
from numba.core.typed_passes import (
    AnnotateTypes,
    DumpParforDiagnostics,
    InlineOverloads,
    NopythonRewrites,
    NopythonTypeInference,
)
from numba.core.typing import signature as typing_signature
from numba.core.typing.templates import make_intrinsic_template
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    WithLifting,
)
from numba.np.numpy_support import from_dtype

from opendynamics.core import (
    table_methods,  # noqa: F401  (makes tables known to Numba)
    types,
)
from opendynamics.core.compile.objects import ObjectCode
from opendynamics.core.compile.symbols import add_symbols, declare_entry
from opendynamics.core.numba_shortcuts import passes_without, shortcuts, shorten

add_symbols()

numba_types: Any = numba.core.types  # Any: its names are created when it is imported

_BARE_SINCE = (0, 63)  # the version of Numba whose libraries have what `_BareLibrary` needs


class _Codegen:
    """Numba's code generator, except that it records the environments of functions without machine code of their own."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: a kernel runs only as a part of an entry."""


class _KernelLibrary(JITCodeLibrary):
    """The LLVM code of a kernel, neither optimised nor turned into machine code.

    The entry that it becomes a part of is optimised as a whole; doing it for each kernel on the way doubled the time
    that everything takes to compile.
    """

    @property
    def codegen(self) -> Any:
        return _Codegen(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class _BareLibrary(_KernelLibrary):
    """The same without a copy for its callers, and without being verified, as the entry is verified as a whole."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:  # for which Numba would make passes, too
                manager, builder = self._codegen._function_pass_manager()
                manager.run(function, builder)

    def finalize(self) -> None:
        """Take in the kernels that it calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"  # as in the copy that Numba would make, whose original nobody needs
        self._shared_module = self._final_module
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _UnsignedIndices(FunctionPass):
    """Makes indices of arrays unsigned: kernels count from the start alone, and need no test whether an index is negative."""

    _name = "unsigned_indices"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                indexing = statement.value if isinstance(statement, Assign) else statement
                if isinstance(indexing, SetItem) or (isinstance(indexing, Expr) and indexing.op == "getitem"):
                    state.calltypes[indexing] = _with_unsigned_index(state.calltypes.pop(indexing))
        return True


def _with_unsigned_index(called: Any) -> Any:
    """The signature of an access to a sequence, with an unsigned index if the sequence is an array."""
    sequence, index, *value = called.args
    if not (isinstance(sequence, numba_types.Array) and index == numba_types.intp):
        return called
    return typing_signature(called.return_type, sequence, numba_types.uintp, *value)


class _EntryCompiler(Compiler):
    """Numba's compiler with shortcuts, without passes that find nothing, and with unsigned indices."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library, *rest)
        shorten(self.state.targetctx)

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        managers = [passes_without(manager, _NEEDLESS) for manager in super().define_pipelines()]
        for manager in managers:
            manager.add_pass_after(_UnsignedIndices, NopythonTypeInference)
            manager.finalize()
        return managers


class _KernelCompiler(_EntryCompiler):
    """The same with a library that stays LLVM code."""

    _numbers = count()

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            made = _BareLibrary if numba.version_info.short >= _BARE_SINCE else _KernelLibrary
            library = made(targetctx.codegen(), f"kernel{next(self._numbers)}")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)


# Passes for what kernels do not have (closures, `with` blocks, overloads and functions that are always inlined, expressions of
# whole arrays, loops over literals), and passes that only print.
_NEEDLESS = (
    AnnotateTypes,
    DumpParforDiagnostics,
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    InlineOverloads,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    NopythonRewrites,
    WithLifting,
)


def kernel_dispatcher(function: Callable[..., Any], fastmath: Any = False) -> Any:
    """Numba's dispatcher of a kernel, which compiles it into its callers."""
    dispatcher = numba.njit(
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        pipeline_class=_KernelCompiler,
        fastmath=fastmath,
    )(function)
    call_template = dispatcher.get_call_template

    def without_literals(arguments: Any, keywords: Any) -> Any:
        # Numba would compile one copy for every integer that is written down in a call.
        return call_template(tuple(map(numba_types.unliteral, arguments)), keywords)

    dispatcher.get_call_template = without_literals
    return dispatcher


def compile_entry(function: Callable[..., Any], signature: types.Signature, nogil: bool, c_abi: bool) -> ObjectCode:
    """Compile a function for its signature. Returns its object code.

    Raises:
        TypeError: if its result cannot be returned without Numba.
    """
    dispatcher = numba.njit(
        error_model="numpy",
        no_cfunc_wrapper=not c_abi,
        nogil=nogil,
        _nrt=False,
        pipeline_class=_EntryCompiler,
    )(function)
    compiled = numba_signature(signature)
    with shortcuts():
        dispatcher.compile(compiled)
    result = dispatcher.overloads[compiled.args]
    if result.environment.consts:
        raise TypeError(
            f"{function.__module__}.{function.__name__} returns what only Numba can make a Python object of"
        )
    code = result.library._get_compiled_object()
    names, declared = result.fndesc, result.library._final_module.functions
    linked = tuple(each.name for each in declared if each.is_declaration and each.name in _linked)
    called = names.llvm_cfunc_wrapper_name if c_abi else names.llvm_func_name
    return ObjectCode(called, names.llvm_cpython_wrapper_name, names.env_name, linked, code)


_linked: set[str] = set()  # symbols of entries that kernels call


def type_of_entry(entry: Any) -> Any:
    """Numba's type of an entry that kernels call: its machine code is declared here, and linked when theirs is loaded."""
    compiled = numba_signature(entry.signature)

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        function_type = context.call_conv.get_function_type(compiled.return_type, compiled.args)
        target = get_or_insert_function(builder.module, function_type, entry.symbol)
        _, value = context.call_conv.call_function(builder, target, compiled.return_type, compiled.args, values)
        return value

    def definition(context: Any, *arguments: Any) -> Any:
        return compiled, codegen

    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_ONLY)
    parameters = inspect.signature(entry.py_func).parameters.values()
    definition.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
    _linked.add(entry.symbol)
    declare_entry(entry.symbol)
    return type_of_intrinsic(entry, definition)


def type_of_intrinsic(handle: Any, definition: Callable[..., Any]) -> Any:
    """Numba's type of an intrinsic."""
    return numba_types.Function(make_intrinsic_template(handle, definition, definition.__name__))


def numba_signature(signature: types.Signature) -> Any:
    """Numba's signature for one of ours."""
    return numba_type(signature.return_type)(*map(numba_type, signature.args))


def numba_type(declared: types.Type) -> Any:
    """Numba's type for one of ours."""
    if isinstance(declared, types.Array):
        element = declared.dtype
        element = numba_type(element) if isinstance(element, types.Type) else from_dtype(element)
        return numba_types.Array(element, declared.ndim, declared.layout, readonly=declared.readonly)
    if isinstance(declared, types.Record):
        return from_dtype(declared.dtype)
    if isinstance(declared, types.NamedTuple):
        return numba_types.BaseTuple.from_types(tuple(map(numba_type, declared.types)), declared.made_by)
    if isinstance(declared, types.Tuple):
        return numba_types.Tuple(tuple(map(numba_type, declared.types)))
    return getattr(numba_types, declared.name)
