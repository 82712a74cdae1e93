"""Internals of Numba that the kernels depend on beyond its documented interface, and the versions that have them.

A version of Numba that is not yet allowed fails here with all that is missing or has changed. When nothing does, and the
other tests pass with it, raise the bound in `pyproject.toml` and in `cli/checks/python.py`.
"""

import inspect
from importlib import import_module

import numba
import numpy as np
import pytest

from opendynamics.cli.checks import python as check
from opendynamics.core.compile import settings
from tests.kernel_cache.copies import PACKAGE, run

NEEDLESS = [
    "typed_passes:AnnotateTypes",
    "typed_passes:DumpParforDiagnostics",
    "typed_passes:InlineOverloads",
    "typed_passes:NopythonRewrites",
    "untyped_passes:FindLiterallyCalls",
    "untyped_passes:InlineClosureLikes",
    "untyped_passes:InlineInlinables",
    "untyped_passes:LiteralPropagationSubPipelinePass",
    "untyped_passes:LiteralUnroll",
    "untyped_passes:MakeFunctionToJitFunction",
    "untyped_passes:WithLifting",
]

# Name, its parameters where we rely on them, and what breaks without it.
PRIVATE = [
    ("numba.core.codegen:CodeLibrary._get_compiled_object", ["self"], "keeping machine code (core/jit.py)"),
    ("numba.core.dispatcher:Dispatcher.compile", ["self", "sig"], "compiling entries, and functions of users"),
    ("numba._helperlib:c_helpers", None, "loading machine code without Numba (core/compile/objects.py)"),
    ("numba._dynfunc:make_function", None, "calling machine code without Numba"),
    ("numba._dynfunc:Environment", None, "calling machine code without Numba"),
    ("numba.core.typing.templates:make_intrinsic_template", None, "intrinsics (core/kernels.py)"),
    ("numba.core.registry:cpu_target", None, "tables, which are made known when the first is compiled"),
    ("numba.core.codegen:JITCodeLibrary.__init__", None, "kernels that stay LLVM code (core/jit.py)"),
    ("numba.core.codegen:JITCodeLibrary.enable_object_caching", ["self"], "kernels that stay LLVM code"),
    ("numba.core.codegen:JITCodeLibrary.get_pointer_to_function", ["self", "name"], "kernels, and functions of users"),
    ("numba.core.codegen:CPUCodeLibrary.finalize", ["self"], "kernels that are optimised only in entries"),
    ("numba.core.codegen:CPUCodeLibrary._get_module_for_linking", ["self"], "kernels that are linked into entries"),
    ("numba.core.codegen:CPUCodeLibrary._optimize_functions", ["self", "ll_module"], "kernels, each optimised once"),
    ("numba.core.codegen:CPUCodegen._function_pass_manager", ["self", "kwargs"], "kernels, each optimised once"),
    ("numba.core.codegen:JITCodeLibrary._ensure_finalized", ["self"], "kernels without machine code of their own"),
    ("numba.core.codegen:JITCodeLibrary.codegen", None, "kernels whose environments are not noted"),
    ("numba.core.codegen:JITCPUCodegen.set_env", None, "kernels whose environments are not noted"),
    (
        "numba.core.compiler:CompilerBase.__init__",
        ["self", "typingctx", "targetctx", "library", "args", "return_type", "flags", "locals"],
        "kernels that stay LLVM code",
    ),
    (
        "numba.core.dispatcher:Dispatcher.compile",
        ["self", "sig"],
        "entries, which are compiled in turn with other processes",
    ),
    (
        "numba.core.dispatcher:_DispatcherBase.get_call_template",
        ["self", "args", "kws"],
        "one kernel for all literal integers",
    ),
    (
        "numba.core.codegen:CPUCodeLibrary.__init__",
        ["self", "codegen", "name"],
        "entries that are linked: its _final_module",
    ),
    ("numba.core.cgutils:get_or_insert_function", ["module", "fnty", "name"], "entries that are linked"),
    ("numba.core.compiler:Compiler.define_pipelines", ["self"], "kernels that are compiled by fewer passes"),
    ("numba.core.compiler_machinery:PassManager.finalize", ["self"], "kernels that are compiled by fewer passes"),
    *((f"numba.core.{name}", None, "kernels that are compiled by fewer passes") for name in NEEDLESS),
    (
        "numba.core.compiler_machinery:PassManager._runPass",
        ["self", "index", "pss", "internal_state"],
        "passes without timers (core/numba_shortcuts.py)",
    ),
    ("numba.core.errors:new_error_context", None, "passes without timers"),
    ("numba.core.compiler_lock:global_compiler_lock", None, "shortcuts that other threads do not meet"),
    ("numba.core.ir:Inst._rec_list_vars", ["self", "val"], "variables of instructions, found in fewer calls"),
    ("numba.core.event:_registered", None, "events that are not sent, as nobody listens"),
    ("numba.core.event:start_event", ["kind", "data"], "events that are not sent"),
    ("numba.core.event:end_event", ["kind", "data", "exc_details"], "events that are not sent"),
    (
        "numba.core.types:Function.get_call_type",
        ["self", "context", "args", "kws"],
        "operators, each resolved once: its _impl_keys",
    ),
    ("numba.core.base:BaseContext.subtarget", ["self", "kws"], "sizes of types, each found once"),
    ("numba.core.base:BaseContext.get_abi_sizeof", ["self", "ty"], "sizes of types, each found once"),
    ("numba.core.base:BaseContext.get_function", ["self", "fn", "sig", "_firstcall"], "accesses of arrays"),
    (
        "numba.core.compiler_machinery:PassManager.add_pass_after",
        ["self", "pass_cls", "location"],
        "indices that are unsigned (core/jit.py)",
    ),
    ("numba.core.compiler_machinery:FunctionPass.run_pass", None, "indices that are unsigned"),
    ("numba.core.compiler_machinery:register_pass", ["mutates_CFG", "analysis_only"], "indices that are unsigned"),
    ("numba.core.typed_passes:NopythonTypeInference", None, "indices that are unsigned"),
    ("numba.core.ir:SetItem", ["target", "index", "value", "loc"], "indices that are unsigned"),
    ("numba.core.types:BaseTuple.from_types", None, "named tuples as arguments of entries"),
    ("numba.core.types:unliteral", ["lit_type"], "one kernel for all literal integers"),
    ("numba.core.callconv:CPUCallConv.get_function_type", ["self", "restype", "argtypes"], "calls through addresses"),
    (
        "numba.core.callconv:CPUCallConv.call_function",
        ["self", "builder", "callee", "resty", "argtys", "args", "attrs"],
        "calls through addresses",
    ),
    (
        "numba.np.arrayobj:populate_array",
        ["array", "data", "shape", "strides", "itemsize", "meminfo", "parent"],
        "tables (core/arrays/table.py)",
    ),
    ("numba.np.arrayobj:make_array", ["array_type"], "vectors of four (core/solve)"),
    ("numba.np.numpy_support:from_dtype", ["dtype"], "tables"),
    ("numba.core.typing.templates:infer_getattr", None, "tables"),
    ("numba.core.imputils:lower_constant", None, "tables"),
    ("numba.core.imputils:lower_builtin", None, "tables"),
    ("numba.core.datamodel.models:OpaqueModel", None, "tables"),
]

OPTIONS = ["error_model", "no_cpython_wrapper", "no_cfunc_wrapper", "_nrt", "nogil", "fastmath"]


def find(name):
    module, _, path = name.partition(":")
    found = import_module(module)
    for part in path.split("."):
        found = inspect.getattr_static(found, part) if inspect.isclass(found) else getattr(found, part)
    return found


def test_what_kernels_lean_on_is_there():
    wrong = []
    for name, parameters, purpose in PRIVATE:
        try:
            found = find(name)
        except (ImportError, AttributeError):
            wrong.append(f"{name} is gone: {purpose}")
            continue
        if parameters is not None and list(inspect.signature(found).parameters) != parameters:
            wrong.append(f"{name} takes {inspect.signature(found)}: {purpose}")
    assert not wrong, f"Numba {numba.__version__}:\n" + "\n".join(wrong)


def test_indices_of_arrays_are_unsigned(monkeypatch):
    from numba import types

    from opendynamics.core import jit

    def moved(array, k, numbers):
        array[k] += array[k + 1] * numbers[k]
        return array[-1]

    found, decide = [], jit._with_unsigned_index

    def note(called):
        found.append(decide(called))
        return found[-1]

    monkeypatch.setattr(jit, "_with_unsigned_index", note)
    numbers = np.arange(4.0)
    last = numba.njit(pipeline_class=jit._EntryCompiler)(moved)(numbers, 1, (1.0, 10.0, 100.0))
    assert numbers.tolist() == [0.0, 21.0, 2.0, 3.0]
    assert last == 3.0  # an index that is written down
    array = types.Array(types.float64, 1, "C")
    assert [called.args[1] for called in found if called.args[0] == array] == 3 * [types.uint64]


def test_options_of_kernels_are_known():
    from numba.core.cpu import CPUTargetOptions

    assert [name for name in OPTIONS if not hasattr(CPUTargetOptions, name)] == []


def test_numba_asks_objects_for_their_type():
    """What stands for kernels, entries, intrinsics and tables until something is compiled is known by an attribute."""

    class Stand:
        _numba_type_ = numba.types.int64

    assert numba.typeof(Stand()) is numba.types.int64


def test_its_version_and_settings_are_found_without_it():
    assert settings.version.__wrapped__() == numba.__version__
    program = """
        import sys
        from opendynamics.core.compile import settings
        before = settings.version(), settings.settings()
        assert "numba" not in sys.modules
        settings.version.cache_clear()
        import numba
        from numba.core.registry import cpu_target
        assert (settings.version(), settings.settings()) == before
        assert eval(settings.machine()) == cpu_target.target_context.codegen().magic_tuple()
        numba.config.OPT = 1
        print(settings.settings() != before[1])
        numba.config.reload_config()
    """
    assert run(PACKAGE, program, OPENDYNAMICS_CACHE_DIR="") == "True"


@pytest.mark.parametrize(
    ("version", "state"),
    [
        (numba.__version__, "fine"),
        ("0.61.0", "fine"),
        ("0.60.0", "broken"),
        ("0.69.0rc1", "broken"),
        ("1.0.0", "broken"),
    ],
)
def test_the_doctor_knows_the_versions(monkeypatch, version, state):
    monkeypatch.setattr(check.numba, "__version__", version)
    found = {finding.title: finding for finding in check.findings()}["Numba"]
    assert found.state == state and found.text == version
    assert ("pip install" in found.remedy) == (state != "fine")
