"""What kernels need to be called by Python: memory by its address, and functions of Python's C API.

Objects are addresses here. Only functions that link to every Python are used (the stable ABI).
"""

from __future__ import annotations

import inspect
from typing import Any

from opendynamics.core.kernels import Intrinsic, LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")


@intrinsic
def load(typingctx: Any, address: Any) -> Any:
    """The word at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], args[0].type.as_pointer()))

    return types.int64(types.int64), codegen


@intrinsic
def load_double(typingctx: Any, address: Any) -> Any:
    """The number at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], ir.DoubleType().as_pointer()))

    return types.float64(types.int64), codegen


@intrinsic
def store(typingctx: Any, address: Any, value: Any) -> Any:
    """Store a word at an address."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], args[1].type.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


def c_function(name: str, arity: int, result: str = "int64") -> Intrinsic:
    """An intrinsic that calls a C function of words."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        returned = context.get_value_type(signature.return_type) if result != "void" else ir.VoidType()
        kind = ir.FunctionType(returned, [each.type for each in args])
        value = builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)
        return context.get_dummy_value() if result == "void" else value

    def definition(typingctx: Any, *arguments: Any) -> Any:
        return getattr(types, result)(*[types.int64] * arity), codegen

    positional = inspect.Parameter.POSITIONAL_ONLY
    names = ["typingctx", *(f"a{k}" for k in range(arity))]
    definition.__signature__ = inspect.Signature([inspect.Parameter(each, positional) for each in names])  # type: ignore[attr-defined]
    return intrinsic(definition)


Py_IncRef = c_function("Py_IncRef", 1, "void")
Py_DecRef = c_function("Py_DecRef", 1, "void")
PyBool_FromLong = c_function("PyBool_FromLong", 1)
PyDict_Contains = c_function("PyDict_Contains", 2, "int32")
PyDict_GetItem = c_function("PyDict_GetItem", 2)
PyErr_Clear = c_function("PyErr_Clear", 0, "void")
PyErr_Occurred = c_function("PyErr_Occurred", 0)
PyFloat_AsDouble = c_function("PyFloat_AsDouble", 1, "float64")
PyList_Append = c_function("PyList_Append", 2, "int32")
PyList_GetItem = c_function("PyList_GetItem", 2)
PyList_GetSlice = c_function("PyList_GetSlice", 3)
PyList_Size = c_function("PyList_Size", 1)
PyLong_AsSsize_t = c_function("PyLong_AsSsize_t", 1)
PyLong_FromSsize_t = c_function("PyLong_FromSsize_t", 1)
PyObject_Size = c_function("PyObject_Size", 1)
PyObject_Vectorcall = c_function("PyObject_Vectorcall", 4)
PySet_Contains = c_function("PySet_Contains", 2, "int32")
PyTuple_GetItem = c_function("PyTuple_GetItem", 2)
PyTuple_Size = c_function("PyTuple_Size", 1)
PyType_GenericNew = c_function("PyType_GenericNew", 3)
PyType_IsSubtype = c_function("PyType_IsSubtype", 2, "int32")
