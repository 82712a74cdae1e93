"""Every method of PyODE's classes with arguments of wrong types, values and counts, and on destroyed objects.

Every error names the call or the argument, and leaves bodies, masses and settings unchanged.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import math
import re

import pytest

from opendynamics import pyode as ode
from tests.faces.pyode.test_pyode_api import API, owner

REFUSALS = (TypeError, ValueError, IndexError, KeyError, OverflowError, NotImplementedError)
BASES = {"GeomObject", "SpaceBase", "Joint"}  # what their kinds have in common: none can be made
NOT_CALLED = {"CloseODE", "__getattr__", "__get__", "__set__", "_index"}
MADE = [kind for kind in API["classes"] if kind not in (*BASES, "<module>")]
CALLS = {  # each function once, by the first class that has it
    getattr(owner(kind), method): (kind, method)
    for kind in (*reversed(MADE), "<module>")
    for method in sorted(API["classes"][kind])
    if method not in NOT_CALLED and inspect.isroutine(getattr(owner(kind), method))
}
GROUPED = [kind for kind in MADE if issubclass(owner(kind), ode.Joint)]

VALUES = [None, "x", object(), math.nan, math.inf, -1, -1.5, 0, 99, 10**400, [], [math.nan] * 9, [1.0], ["a"] * 9, {}]


class Scene:
    """Two bodies in a world, and whatever a method may need."""

    def __init__(self):
        self.world, self.space, self.mass = ode.World(), ode.HashSpace(), ode.Mass()
        self.bodies = [ode.Body(self.world) for _ in range(2)]
        self.bodies[1].setPosition((1, 0, 0))
        self.mass.setSphereTotal(1, 1)
        self.held = [ode.GeomSphere(self.space, 1) for _ in range(2)]
        self.contact = ode.Contact()
        self.contact.setContactGeomParams((0, 0, 0), (0, 0, 1), 0.1, *self.held)
        self.triangles, self.heights = ode.TriMeshData(), ode.HeightfieldData()
        self.triangles.build([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
        self.heights.buildDouble([0.0] * 9, 1, 1, 1, 3, 3, 1, 0, 1, 0)

    def target(self, kind, method):
        """The object whose method is called."""
        if kind == "<module>":
            return ode
        known = {"World": self.world, "Body": self.bodies[0], "Mass": self.mass, "Contact": self.contact}
        if kind in known:
            return known[kind]
        made = getattr(ode, kind)(*self.arguments(kind, getattr(ode, kind)))
        if isinstance(made, ode.Joint) and kind != "ContactJoint":
            made.attach(self.bodies[0], None if kind == "Plane2DJoint" else self.bodies[1])
        if "Offset" in method and isinstance(made, ode.GeomObject):
            made.setBody(self.bodies[0])
        if method in ("remove", "getGeom", "__next__", "next") and isinstance(made, ode.SpaceBase):
            self.inside = ode.GeomSphere(made, 1)
        return made

    def arguments(self, name, function):
        return [self.sensible(name, each) for each in parameters_of(function)]

    def sensible(self, name, parameter):
        """An argument that makes sense."""
        name = f"{name} {parameter.name}"
        by_name = {
            "world": self.world,
            "jointgroup": None,
            "space": self.space if "_SpaceIterator" in name else None,
            "body1": self.bodies[0],
            "body2": None if "Plane2D" in name else self.bodies[1],
            "body": self.bodies[0],
            "contact": self.contact,
            "c": self.contact,
            "geom1": self.held[0],
            "geom2": self.held[1],
            "g1": None,
            "g2": None,
            "callback": do_nothing,
            "mass": self.mass,
            "a": (0, 0, 1),
            "arg": None,
            "userdata": None,
            "heightData": [0.0] * 9,
            "verts": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
            "faces": [(0, 1, 2)],
            "data": self.heights if "ield" in name else self.triangles,
            "R": (1, 0, 0, 0, 1, 0, 0, 0, 1),
            "q": (1, 0, 0, 0),
            "widthSamples": 3,
            "depthSamples": 3,
            "sweep_order": "XYZ",
            "direction": 1,
            "depth": 1,
            "param": ode.ParamVel,
            "normal": (0, 0, 1),
            "getParam": abs,
            "setParam": do_nothing,
            "center": (0, 0, 0),
            "extents": (9, 9, 9),
            "index": 0,
            "idx": 0,
            "anum": 0,
            "rel": 1,
            "j": None,
            "contactprops": (0, *[0.5] * 10, (1, 0, 0)),
            "copy": 0,
            "bWrap": 0,
            "bwrap": 0,
            "lengths": (1, 1, 1),
            "b": self.mass if "add" in name else 0.5,
        }
        if name.startswith("setParameters mass"):
            return 1.0
        if parameter.name == "geom":
            return getattr(self, "inside", None) or ode.GeomSphere(None, 1)
        if parameter.name in by_name:
            return by_name[parameter.name]
        kind = str(parameter.annotation)
        return 1 if "int" in kind else 0.25 if "float" in kind else (0.0, 1.0, 0.0)

    def state(self):
        """The readable state of the bodies, the world, the mass and the contact."""
        of_bodies = [getattr(body, f"get{what}")() for body in self.bodies for what in STATE]
        return [
            *of_bodies,
            *(str(mass) for mass in (self.mass, self.bodies[0].getMass())),
            *(getattr(self.world, f"get{what}")() for what in SETTINGS),
            *(getattr(self.contact, f"get{what}")() for what in ("Mode", "Mu", "Bounce", "FDir1", "ContactGeomParams")),
            *(geom.getRadius() for geom in self.held),
            len(self.space),
        ]


STATE = ("Position", "Quaternion", "LinearVel", "AngularVel", "Force", "Torque", "NumJoints", "GravityMode")
SETTINGS = ("Gravity", "ERP", "CFM", "LinearDamping", "ContactMaxCorrectingVel", "QuickStepNumIterations")


def do_nothing(*arguments):
    return 0.0


def parameters_of(function):
    found = inspect.signature(function).parameters.values()
    return [each for each in found if each.kind is each.POSITIONAL_OR_KEYWORD]


def refusal(call, arguments):
    """The message if the call is refused; None if it is not. Any other exception is a failure."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # errors of callbacks, as PyODE prints them
            call(*arguments)
    except REFUSALS as error:
        return str(error)
    return None


# The noun that a message uses for the object or the argument of a method, if it does not name it.
NOUNS = {
    "<module>": "body|collides|geom|contact|world|group",
    "attach": "body",
    "pointDepth": "the point",
    "__radd__": "mass",
}
NOUNS |= {
    "setOffsetRotation": "rotation",
    "setLevels": "level",
    "setInfo": "mode",
    "_addjoint": "joint",
    "__getitem__": "axis",
}
NOUNS |= {"setCategoryBits": "category bits", "setCollideBits": "collide bits", "setAngleOffset": "HingeAxisOffset"}
NOUNS |= {"setAxisAndAngleOffset": "HingeAxisOffset", "build": "triangle", "query": "space"}
EXPECTED = re.compile(
    "[Mm]ust|has body|has destroyed|takes|missing|but |attach it|only a|range|can be set|needs|use |: 0 is"
)
OF_PYTHON = re.compile(
    r"subscriptable|iterable|unhashable|supported between|int\(\) a|float\(\) a|could not|literal for"
)


@pytest.mark.parametrize(("kind", "method"), CALLS.values(), ids=[".".join(call) for call in CALLS.values()])
def test_what_is_refused_names_the_call_and_changes_nothing(kind, method):
    scene = Scene()
    call = getattr(scene.target(kind, method), method)
    stem = re.sub("^(set|get|add)", "", method)
    names = re.compile("|".join((method, kind, stem, NOUNS.get(method) or NOUNS.get(kind) or method)), re.IGNORECASE)
    for place, parameter in enumerate(parameters_of(call)):
        for wrong in VALUES:
            call = getattr(scene.target(kind, method), method)
            arguments = scene.arguments(method, call)
            arguments[place] = wrong
            before = scene.state()
            message = refusal(call, arguments)
            if message is None:
                scene = Scene()  # it was not wrong
                continue
            assert names.search(message) and EXPECTED.search(message), (parameter.name, wrong, message)
            assert not OF_PYTHON.search(message), (parameter.name, wrong, message)
            assert scene.state() == before, (parameter.name, wrong)


@pytest.mark.parametrize(("kind", "method"), CALLS.values(), ids=[".".join(call) for call in CALLS.values()])
def test_a_wrong_number_of_arguments_names_the_call(kind, method):
    call = getattr(Scene().target(kind, method), method)
    arguments = [None] * (len(inspect.signature(call).parameters) + 1)
    assert method in (refusal(call, arguments) or "") or any(
        each.kind is each.VAR_POSITIONAL for each in inspect.signature(call).parameters.values()
    )
    needed = [each for each in parameters_of(call) if each.default is each.empty]
    if needed:
        assert method in refusal(call, arguments[: len(needed) - 1])


@pytest.mark.parametrize("kind", MADE)
def test_what_a_class_refuses_names_it(kind):
    scene, make = Scene(), getattr(ode, kind)
    for place, parameter in enumerate(parameters_of(make)):
        for wrong in VALUES:
            arguments = scene.arguments(kind, make)
            arguments[place] = wrong
            before = scene.state()
            message = refusal(make, arguments)
            if message is not None:
                noun = re.compile(f"{kind}|{CLASS_NOUNS}", re.IGNORECASE)
                assert noun.search(message) and EXPECTED.search(message), (parameter.name, wrong, message)
                assert not OF_PYTHON.search(message), (parameter.name, wrong, message)
            assert scene.state() == before, (parameter.name, wrong)


CLASS_NOUNS = "joint|space|body|d[A-Z][A-Za-z]*Create|dCreate|data of|sweep order"


@pytest.mark.parametrize("kind", GROUPED)
def test_methods_of_a_joint_that_was_destroyed_say_so(kind):
    """But for those that need no joint: what it joins (nothing), feedback (none), parameters that it does not have."""
    scene, make, group = Scene(), getattr(ode, kind), ode.JointGroup()
    arguments = scene.arguments(kind, make)
    arguments[1] = group
    joint = make(*arguments)
    joint.attach(scene.bodies[0], None if kind == "Plane2DJoint" else scene.bodies[1])
    group.empty()
    silent = {"getBody", "getFeedback", "_destroyed", "dontGetParam"} | (
        set() if make._ode_parameters and kind != "Plane2DJoint" else {"setParam", "getParam"}
    )
    for method in API["classes"][kind]:
        call = getattr(joint, method)
        if inspect.isroutine(call) and method not in silent | NOT_CALLED:
            assert "destroyed" in (refusal(call, scene.arguments(method, call)) or ""), method


def test_a_surface_is_set_as_a_whole_or_not_at_all():
    contact = ode.Contact()
    before = contact.getMode(), contact.getMu(), contact.getBounce()
    with pytest.raises(ValueError, match="finite"):
        contact.setContactSurfaceParams(0, 2, 0, 0.5, 0, 0, 0, 0, 0, 0, math.nan, (0, 0, 1))
    assert (contact.getMode(), contact.getMu(), contact.getBounce()) == before


def test_bounds_are_checked_before_the_heights_are_there():
    data = ode.HeightfieldData()
    for bounds in ((math.nan, 1), ("x", 1), (0, None), (2, 1)):
        with pytest.raises((TypeError, ValueError), match=r"Height|bound"):
            data.setBounds(*bounds)
    data.buildDouble([0.0] * 9, 1, 1, 1, 3, 3, 1, 0, 1, 0)
