"""Object code as Numba made it, loaded and called without Numba.

LLVM's loader (llvmlite) links it into the process. Of Numba it needs two small extension modules, which are loaded from their
files without the package: `_helperlib`, the C functions that machine code calls to take arrays from Python, and `_dynfunc`, which
makes Python functions of machine code. So everything is called as Numba would call it: arguments are converted by the
wrapper that Numba compiled, the GIL is released where the entry is declared so, and exceptions are raised.

Arguments of calls are not checked: an array of another dtype than declared would be misinterpreted.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from opendynamics.core.compile.symbols import add_symbols, define_entry


class ObjectCode(NamedTuple):
    """The object code of one entry, and the names in it.

    Attributes:
        function: of the function by which other machine code calls it.
        wrapper: of the function by which Python calls it.
        environment: of the pointer to the object that the wrapper needs.
        linked: symbols of the entries that it calls.
        code: in the format of the system, such as ELF.
    """

    function: str
    wrapper: str
    environment: str
    linked: tuple[str, ...]
    code: bytes

    def to_bytes(self) -> bytes:
        """A line with the names and the length of the code, then the code."""
        return json.dumps([*self[:4], len(self.code)]).encode() + b"\n" + self.code

    @classmethod
    def from_bytes(cls, payload: bytes) -> ObjectCode:
        """The inverse of `to_bytes`; ValueError for anything else."""
        head, _, code = payload.partition(b"\n")
        function, wrapper, environment, linked, size = json.loads(head)
        if size != len(code):
            raise ValueError("no object code")
        return cls(function, wrapper, environment, tuple(linked), code)


class Loaded(NamedTuple):
    """An entry in this process.

    Attributes:
        call: the Python function.
        address: of the function by which other machine code calls it.
    """

    call: Callable[..., Any]
    address: int


def link(name: str, found: ObjectCode, global_names: dict[str, Any], addresses: dict[str, int]) -> Loaded:
    """Link object code into the process; it stays there for good.

    Each entry has its own engine: in a common one, symbols of the same name would be resolved to the first, and sums that may
    be reordered need not have the same order in both.

    Args:
        name: of the Python function.
        found: the object code.
        global_names: of the module that it is from.
        addresses: of the entries that it calls, by symbol.

    Raises:
        LookupError: if it lacks something.
    """
    from llvmlite import binding

    _prepare()
    add_symbols()
    for symbol, callee in addresses.items():
        define_entry(symbol, callee)
    if b"__svml_" in found.code:
        _load_vector_mathematics()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(opt=3, jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(found.code))
    engine.finalize_object()
    address, wrapper = engine.get_function_address(found.function), engine.get_function_address(found.wrapper)
    place = engine.get_global_value_address(found.environment)
    if not (address and wrapper and place):
        raise LookupError(f"there is no {found.function} in it")
    environment = _extension("_dynfunc").Environment(global_names)
    ctypes.c_void_p.from_address(place).value = id(environment)
    _kept_alive.extend((engine, environment))
    return Loaded(
        _extension("_dynfunc").make_function(sys.modules[__name__], name, "", wrapper, environment, ()), address
    )


_kept_alive: list[Any] = []


def _load_vector_mathematics() -> None:
    """Have Numba load Intel's library (SVML), with which machine code was compiled that names it."""
    from numba import config
    from numba.core.registry import cpu_target

    cpu_target.target_context  # noqa: B018
    if not config.USING_SVML:
        raise LookupError("Numba does not find Intel's SVML")


@cache
def _prepare() -> None:
    """Have LLVM know this machine, and the functions of Numba's that machine code calls."""
    from llvmlite import binding

    for name, address in _extension("_helperlib").c_helpers.items():
        binding.add_symbol(f"numba_{name}", address)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


@cache
def _extension(name: str) -> ModuleType:
    """An extension module of Numba's; loaded from its file, under a separate name, if Numba has not been imported."""
    known = sys.modules.get(f"numba.{name}")
    spec = None if known else importlib.util.find_spec("numba")
    for folder in (spec and spec.submodule_search_locations) or ():
        for suffix in EXTENSION_SUFFIXES:
            path = Path(folder, name + suffix)
            if path.is_file():
                own = importlib.util.spec_from_file_location(
                    f"{__name__}.{name}", path, loader=ExtensionFileLoader(f"{__name__}.{name}", str(path))
                )
                assert own is not None and own.loader is not None
                module = importlib.util.module_from_spec(own)
                own.loader.exec_module(module)
                return module
    return known or importlib.import_module(f"numba.{name}")
