"""Words of memory that several threads read and change: loads, stores and additions that no other thread comes between."""

from __future__ import annotations

import os
import platform
from typing import Any

from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")
arrayobj = LazyModule("numba.np.arrayobj")

# Address of the C library's function that yields the processor.
HAS_YIELD = os.name == "posix"

# Processors that have an instruction for waiting loops, which lets the other thread of a core work meanwhile.
HAS_PAUSE = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")


def _word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Address of word args[1] of the array args[0]."""
    data = arrayobj.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.gep(data, [args[1]])


@intrinsic
def load_word(typingctx: Any, words: Any, k: Any) -> Any:
    """words[k]; what its writer wrote before is seen afterwards."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_word(context, builder, signature, args), "seq_cst", align=8)

    return types.int64(words, types.int64), codegen


@intrinsic
def store_word(typingctx: Any, words: Any, k: Any, value: Any) -> Any:
    """words[k] = value, after all that was written before."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _word(context, builder, signature, args), "seq_cst", align=8)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64), codegen


@intrinsic
def add_to_word(typingctx: Any, words: Any, k: Any, value: Any) -> Any:
    """words[k] += value. Returns the value before."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _word(context, builder, signature, args), args[2], "seq_cst")

    return types.int64(words, types.int64, types.int64), codegen


@intrinsic
def pause(typingctx: Any) -> Any:
    """Let time pass in a waiting loop."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if HAS_PAUSE:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.void(), codegen


@intrinsic
def yield_processor(typingctx: Any) -> Any:
    """Let another thread have the processor, if one waits for it: it may be the one that is waited for."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if HAS_YIELD:
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), codegen
