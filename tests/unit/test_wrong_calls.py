"""Every public call with invalid arguments: the error names the call as the user wrote it, and its arguments."""

import builtins
import inspect
import re
import types

import pytest

import opendynamics as od
from opendynamics.api.compiled_calls.vectorcall import CompiledCall
from opendynamics.api.spaces.world_space import WorldSpace
from opendynamics.io.recording.frame import Frame, Frames, RecordedContacts

RETURNED = (WorldSpace, Frame, Frames, RecordedContacts)  # classes without a name in `od` of what users get
MANY = tuple(range(40))
HANDS_ON = inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL
FILLED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
INTERNAL = {"matrix_numbers", "product", "_dot", "_is_of_usual_length", "__getattr__"}


def public():
    """Name and value of what `od`, `od.robot` and `od.rotation` have."""
    for name in od.__all__:
        yield name, getattr(od, name)
    for name in od.robot.__all__:
        yield f"robot.{name}", getattr(od.robot, name)
    for name, found in vars(od.rotation).items():
        if inspect.isfunction(found) and found.__module__ == od.rotation.__name__ and name not in INTERNAL:
            yield f"rotation.{name}", found


def classes():
    found = {kind: name for name, kind in public() if isinstance(kind, type) and not issubclass(kind, BaseException)}
    return [pytest.param(kind, id=name) for kind, name in (found | {kind: kind.__name__ for kind in RETURNED}).items()]


def functions():
    found = {value: name for name, value in public() if isinstance(inspect.unwrap(value), types.FunctionType)}
    return [pytest.param(value, id=name) for value, name in found.items()]


def methods():
    """Owner and name of all public methods that are defined in Python."""
    found = []
    for kind in (parameter.values[0] for parameter in classes()):
        for name in dir(kind):
            member = inspect.getattr_static(kind, name)
            function = member.__func__ if isinstance(member, classmethod) else member
            function = function.__wrapped__ if type(function) is CompiledCall else function
            if not name.startswith("_") and inspect.isfunction(function):
                found.append(pytest.param(kind, name, id=f"{kind.__name__}.{name}"))
    return found


def kinds_of_parameters(call):
    return {parameter.kind for parameter in inspect.signature(call).parameters.values()}


def check(call, name):
    """Call it in all wrong ways that there are, with errors that name it."""
    own = rf"^{re.escape(name)}\(\)"
    kinds, parameters = kinds_of_parameters(call), inspect.signature(call).parameters.values()
    if HANDS_ON[0] not in kinds or any(p.annotation == "NoReturn" for p in parameters):
        needed = [None for p in parameters if p.kind in FILLED[:2] and p.default is p.empty]
        with pytest.raises(TypeError, match=rf"{own} has no argument 'nosuch'\. It(s arguments are \w| has none)"):
            call(*needed, nosuch=1)
    if HANDS_ON[1] not in kinds:
        with pytest.raises(TypeError, match=rf"{own} (was given 40 arguments without names and takes|lacks|takes)"):
            call(*MANY)
    if any(p.kind in FILLED and p.default is p.empty for p in parameters):
        with pytest.raises(TypeError, match=rf"{own} (lacks the arguments? '\w+'.*\. Its arguments are|missing)"):
            call()


@pytest.mark.parametrize("function", functions())
def test_a_function_names_itself(function):
    check(function, function.__name__)


@pytest.mark.parametrize("kind", classes())
def test_a_constructor_names_the_class(kind):
    if kind.__init__ is object.__init__ and kind.__new__ is object.__new__:
        with pytest.raises(TypeError, match=rf"^{kind.__name__}\(\) takes no arguments$"):
            kind(1)
    elif issubclass(kind, (od.Geom, od.Space, od.Joint)):  # options that bases take
        own = rf"^{kind.__name__}(\(\) (has no argument 'nosuch'|lacks the arguments? '.*')\. Its| is the base class)"
        with pytest.raises(TypeError, match=own):
            kind(*([od.World()] if issubclass(kind, od.Joint) else []), nosuch=1)
    else:
        check(kind, kind.__name__)


@pytest.mark.parametrize(("kind", "name"), methods())
def test_a_method_names_its_class_and_itself(kind, name):
    if isinstance(inspect.getattr_static(kind, name), classmethod):
        call = getattr(kind, name)
    else:
        made = next(base for base in kind.__mro__ if base.__module__ == builtins.__name__)
        thing = od.World() if kind is od.World else made.__new__(kind)
        call = types.MethodType(getattr(kind, name), thing)
    if hasattr(getattr(kind, name), "_plain"):
        with pytest.raises(TypeError, match=rf"^(World|Body|ContactJoint|Surfaces)\.{name}\(\) takes "):
            call(*MANY)
    else:
        check(call, f"{kind.__name__}.{name}")


@pytest.mark.parametrize("kind", ["ball", "hinge", "slider", "fixed", "universal", "servo", "plane2d"])
def test_a_joint_that_is_added_names_its_class(kind):
    with pytest.raises(TypeError, match=r"^\w+\(\) has no argument 'nosuch'\. Its arguments are body1, body2"):
        getattr(od.World(), f"add_{kind}")(nosuch=1)


def test_what_a_view_is_given_too_much_is_named():
    pytest.importorskip("viser", reason="the live view needs viser")
    with pytest.raises(
        TypeError, match=r"^Viewer\(\) has no argument 'prt'; did you mean 'port'\? Its arguments are what"
    ):
        od.view(od.World(), prt=8080)


def test_all_are_called():
    assert len(functions()) > 40 and len(classes()) > 90 and len(methods()) > 550
