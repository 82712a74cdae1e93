"""Dependencies of the machine code of entries, found independently of the keys: by the functions that functions name."""

from types import FunctionType, ModuleType

from opendynamics.core.arrays.table import Table


def reached_from(entry):
    """Module and name of every function that an entry calls, directly or not, and names of the tables that these name."""
    functions, tables, left, seen = set(), set(), [entry.py_func], set()
    while left:
        function = left.pop()
        if function in seen:
            continue
        seen.add(function)
        functions.add((function.__module__, function.__name__))
        for value in named_by(function):
            if isinstance(value, Table):
                tables.add(value.name)
            else:
                left += functions_of(value)
    return functions, tables


def named_by(function):
    """The values of all global names and closed-over variables in a function, and attributes of modules among them."""
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [constant for constant in code.co_consts if hasattr(constant, "co_names")]
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    modules = [value for value in values if isinstance(value, ModuleType) and value.__name__.startswith("opendynamics")]
    return values + [vars(module)[name] for module in modules for name in names if name in vars(module)]


def functions_of(value):
    """The Python functions behind a value: of a kernel, an intrinsic, or the function itself; only those of the package."""
    for attribute in ("py_func", "_definition"):
        value = getattr(value, attribute, value)
    ours = isinstance(value, FunctionType) and (value.__module__ or "").startswith("opendynamics.")
    return [value] if ours else []
