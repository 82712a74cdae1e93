"""Calls that are machine code: they do what their Python functions do, for all arguments and at all times."""

import copy
import gc
import inspect
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.compiled_calls import known as known_objects
from opendynamics.api.compiled_calls import loop as loop_calls
from opendynamics.api.compiled_calls import vectorcall
from opendynamics.api.compiled_calls.known import offset_of_slot, words_of
from opendynamics.api.compiled_calls.loop import LOOP
from opendynamics.api.compiled_calls.vectorcall import CompiledCall, compiled_call, load_calls_of
from opendynamics.api.contact import Contacts
from opendynamics.api.contact_run import NOW
from opendynamics.api.joint_methods import JointMethods
from tests.compiled_calls import counts, machine_code_alone, outcome
from tests.unit.scenes import state

if CompiledCall is None:
    pytest.skip("this Python calls functions only", allow_module_level=True)

CALLS = {
    "collide": od.collide,
    "add_contact": JointMethods.add_contact,
    "is_connected_to": od.Body.is_connected_to,
    "body": od.Geom.body.fget,
    "add_force": od.Body.add_force,
    "add_torque": od.Body.add_torque,
}
LOOP_CALLS = "collide", "add_contact", "is_connected_to"
FUNCTIONS = {name: call.__wrapped__ for name, call in CALLS.items()}


class Functions:
    """The calls of a loop as Python functions."""

    collide, add_contact, is_connected_to = (staticmethod(FUNCTIONS[name]) for name in LOOP_CALLS)


class Machine:
    """The calls of a loop as users call them."""

    collide = staticmethod(od.collide)

    @staticmethod
    def add_contact(world, *arguments, **options):
        return world.add_contact(*arguments, **options)

    @staticmethod
    def is_connected_to(body1, *arguments, **options):
        return body1.is_connected_to(*arguments, **options)


def pile(of_two_geoms=True):
    """A world with touching boxes and balls on a plane, two of them hinged, and a box of two geoms or one."""
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    boxes = [world.add_body(od.Box((1, 1, 1)), position=(0.99 * k, 0, 0.499), name=f"box{k}") for k in range(4)]
    balls = [world.add_body(od.Sphere(0.4), position=(0.99 * k, 0, 1.39)) for k in range(4)]
    if of_two_geoms:
        second = world.add_geom(od.Sphere(0.3))
        second.body, second.offset_position = boxes[3], (0, 0, 0.4)
    world.add_hinge(boxes[0], balls[0], anchor=(0, 0, 1), axis=(1, 0, 0))
    return world


def loop(calls, world, steps, options=lambda surface, group: {"surface": surface, "group": group}, log=None):
    """ODE's loop, by these calls; `log` takes what they return."""
    group, surface = od.JointGroup(), od.Surface(mu=0.5)
    log = log or (lambda *found: None)

    def near(a, b):
        body1, body2 = a.body, b.body
        connected = body1 is not None and body2 is not None and calls.is_connected_to(body1, body2)
        log(a.name, b.name, body1 and body1.name, body2 and body2.name, connected)
        if connected:
            return
        contacts = calls.collide(a, b, max_contacts=8)
        assert type(contacts) is Contacts
        for contact in contacts:
            joint = calls.add_contact(world, contact, **options(surface, group))
            log(contact.depth if log else 0, len(group), joint.kind)

    for _ in range(steps):
        world.space.collide(near)
        world.quick_step(0.01)
        group.empty()


def during(world, act):
    """What `act(a, b)` returns for the pairs of a collision."""
    found = []
    world.space.collide(lambda a, b: found.append(act(a, b)))
    return found


@pytest.mark.parametrize("name", CALLS)
def test_a_compiled_call_looks_like_its_function(name):
    call, function = CALLS[name], FUNCTIONS[name]
    assert type(call) is CompiledCall and inspect.isroutine(call)
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(call, attribute) == getattr(function, attribute)
    assert inspect.signature(call) == inspect.signature(function)
    assert inspect.getsource(call) == inspect.getsource(function)
    assert weakref.ref(call)() is call and copy.deepcopy(call) is call


def test_collide_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(od.collide)) is od.collide


def test_methods_are_bound():
    world = pile()
    assert world.add_contact.__self__ is world
    assert world.add_contact == world.add_contact
    assert weakref.WeakMethod(world.add_contact)() == world.add_contact


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        lambda surface, group: {"surface": surface, "group": group},
        lambda surface, group: {"group": group, "surface": surface},
        lambda surface, group: {"group": group},
        lambda surface, group: {"surface": surface, "group": group, "attach": True},
        lambda surface, group: {"surface": surface, "body1": None, "group": group},
    ],
)
def test_a_loop_moves_bodies_as_by_python_functions(options, read):
    logs, states = [], []
    for calls in (Functions, Machine):
        world, log = pile(), []
        loop(calls, world, 20, options, (lambda *found, log=log: log.append(found)) if read else None)
        logs.append(log)
        states.append(state(world))
    assert logs[0] == logs[1] and bool(logs[0]) is read
    assert np.array_equal(*states)


@pytest.mark.parametrize("name", LOOP_CALLS)
def test_machine_code_serves_the_loop(name):
    world, group, surface, served = pile(), od.JointGroup(), od.Surface(), []
    loop(Machine, world, 2)

    def near(a, b):
        body1, body2, found = a.body, b.body, od.collide(a, b)
        if body1 is None or body2 is None or len(found) < 3:
            return
        if name == "add_contact":  # the first of a run is the function's
            world.add_contact(found[0], surface=surface, group=group)
        with machine_code_alone(CALLS[name]):
            if name == "add_contact":
                world.add_contact(found[1], surface=surface, group=group)
                world.add_contact(found[2], surface, group=group)
            served.append((body1.is_connected_to(body2), od.collide(a, b), od.collide(a, b, max_contacts=8)))

    world.space.collide(near)
    assert served


def test_references_are_counted():
    world, group, surface = pile(), od.JointGroup(), od.Surface()
    loop(Machine, world, 3)
    checked = []

    def near(a, b):
        body1, body2 = a.body, b.body
        found = od.collide(a, b, max_contacts=8)
        if body1 is None or body2 is None or len(found) < 3:
            return
        run = NOW.run
        first = world.add_contact(found[0], surface=surface, group=group)
        second = world.add_contact(found[1], surface=surface, group=group)
        things = (a, b, body1, body2, *found, found, first, second, surface, group, world, NOW.listed, run, None, True)
        k = run.next
        for turn in range(10_100):
            if turn == 100:  # what is kept from the first time on has been kept
                before, blocks = counts(*things), sys.getallocatedblocks()
            od.collide(a, b, max_contacts=8)
            od.collide(a, b)
            body1.is_connected_to(body2)
            run.next = k - 1
            world.add_contact(found[1], surface=surface, group=group)
            outcome(od.collide, a)
            outcome(world.add_contact, surface=surface, group=group)
        assert counts(*things)[:-2] == before[:-2]
        assert abs(sys.getallocatedblocks() - blocks) < 200
        checked.append(a)

    world.space.collide(near)
    assert checked


def test_numbers_of_contacts_do_not_pile_up():
    """Python keeps integers up to 256 once; later ones are objects."""
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    for k in range(100):
        world.add_body(od.Box((1, 1, 1)), position=(2 * k, 0, 0.499))
    loop(Machine, world, 30)  # compiles what it needs
    blocks = sys.getallocatedblocks()
    loop(Machine, world, 30)
    assert sys.getallocatedblocks() - blocks < 1000


@pytest.mark.parametrize("of_two_geoms", [False, True])
def test_contacts_of_the_pair_itself_connect_its_bodies(of_two_geoms):
    world, group, surface = pile(of_two_geoms), od.JointGroup(), od.Surface()

    def near(a, b):
        if a.body is None or b.body is None:
            return []
        found = []
        for contact in od.collide(a, b):
            world.add_contact(contact, surface=surface, group=group)
            found.append((a.body.is_connected_to(b.body), FUNCTIONS["is_connected_to"](a.body, b.body)))
        return found

    for _ in range(3):
        found = [each for pair in during(world, near) for each in pair]
        assert len(found) > 3 and set(found) == {(True, True)}
        world.quick_step(0.01)
        group.empty()


def test_what_is_left_out_is_counted():
    world = pile()
    expected = during(world, lambda a, b: FUNCTIONS["collide"](a, b, max_contacts=2).left_out)
    assert max(expected) > 0
    assert during(world, lambda a, b: [od.collide(a, b, max_contacts=2).left_out for _ in range(2)]) == [
        [number] * 2 for number in expected
    ]


MISUSE = [
    lambda collide, a, b: collide(),
    lambda collide, a, b: collide(a),
    lambda collide, a, b: collide(max_contacts=8),
    lambda collide, a, b: collide(a, max_contacts=8),
    lambda collide, a, b: collide(a, b, 8),
    lambda collide, a, b: collide(a, b, max_contact=8),
    lambda collide, a, b: collide(a, b, **{"".join(["max_", "contacts"]): 8}),
    lambda collide, a, b: collide(a, b, max_contacts="8"),
    lambda collide, a, b: collide(a, b, max_contacts=None),
    lambda collide, a, b: collide(a, b, max_contacts=True),
    lambda collide, a, b: collide(a, b, max_contacts=8.0),
    lambda collide, a, b: collide(a, b, max_contacts=1000),
    lambda collide, a, b: collide(a, b, max_contacts=8, like=None),
    lambda collide, a, b: collide(a, b, like=None, max_contacts=8),
    lambda collide, a, b: collide(a, b, like="ode"),
    lambda collide, a, b: collide(b=b, a=a),
    lambda collide, a, b: collide(b, a),
    lambda collide, a, b: collide(None, None),
    lambda collide, a, b: collide(a, a),
]


@pytest.mark.parametrize("misuse", MISUSE)
def test_other_arguments_of_collide_are_the_functions(misuse):
    world = pile()

    def both(a, b):
        od.collide(a, b)
        mine, theirs = (outcome(misuse, call, a, b) for call in (od.collide, FUNCTIONS["collide"]))
        if isinstance(mine, Contacts):
            mine, theirs = ([(c.depth, *c.position, c.geom1, c.geom2) for c in found] for found in (mine, theirs))
        assert mine == theirs

    during(world, both)
    outcome(misuse, od.collide, *world.geoms[:2])


@pytest.mark.parametrize("thing", [None, 1, "name", object(), od.Geom, [], od.Surface()])
def test_wrong_objects_are_refused_as_by_functions(thing):
    world = pile()

    def wrong(a, b):
        for name, arguments in (
            ("is_connected_to", (thing, thing)),
            *(("is_connected_to", (thing, a.body)), ("is_connected_to", ()), ("is_connected_to", (None, None))),
            *(("add_contact", (thing, thing)), ("add_contact", (world, thing)), ("add_contact", ())),
        ):
            mine, theirs = (outcome(call[name], *arguments) for call in (CALLS, FUNCTIONS))
            assert mine == theirs or (name == "add_contact" and type(mine) is type(theirs))
        for options in ({"surface": thing, "group": thing}, {"surface": thing, "groups": thing}):
            mine, theirs = (outcome(call["add_contact"], world, thing, **options) for call in (CALLS, FUNCTIONS))
            assert mine == theirs

    during(world, wrong)


def test_nothing_found_is_valid_after_a_move():
    world = pile()

    def near(a, b):
        before = [contact.depth for contact in od.collide(a, b)]
        if a.body is not None and before:
            position = a.body.position
            a.body.position = np.add(position, (0, 0, 100))
            assert od.collide(a, b) == []
            a.body.position = position
        return before

    assert during(world, near) == during(pile(), lambda a, b: [contact.depth for contact in od.collide(a, b)])


def test_collisions_within_collisions_and_kept_contacts():
    world, other, kept = pile(), pile(), []

    def near(a, b):
        kept.extend(od.collide(a, b))
        other.space.collide(lambda c, d: kept.extend(od.collide(c, d)))
        assert [contact.depth for contact in od.collide(a, b)] == [
            contact.depth for contact in kept[:0] + list(od.collide(a, b))
        ]

    for _ in range(3):
        world.space.collide(near)
    assert all(contact.geom1 is not None and contact.depth >= 0 for contact in kept)


def test_bodies_that_end_in_the_callback():
    world, group, surface = pile(), od.JointGroup(), od.Surface()

    def near(a, b):
        contacts = outcome(od.collide, a, b)
        if a.body is not None and a.body.name == "box1":
            joint = outcome(a.body.add_force, (0, 0, 1))
            outcome(a.body.destroy)
            del joint
        for contact in contacts if isinstance(contacts, list) else ():
            outcome(world.add_contact, contact, surface=surface, group=group)
        outcome(lambda: (a.body, b.body, od.collide(a, b)))

    outcome(world.space.collide, near)
    group.empty()
    loop(Machine, world, 2)


def test_any_code_may_run_while_a_list_is_made():
    """A new list may start a collection of garbage, which may collide a space."""
    world, other, turns = pile(), pile(), []
    loop(Machine, world, 2)

    def collide_other(phase, info):
        if len(turns) < 200 and not (len(turns) and turns[-1] is None):
            turns.append(None)  # none within this one
            other.space.collide(od.collide)
            turns[-1] = NOW.run.look_closer()
            turns[-1] = phase

    threshold = gc.get_threshold()
    gc.callbacks.append(collide_other)
    gc.set_threshold(1)
    try:
        loop(Machine, world, 5)
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(collide_other)
    assert len(turns) == 200
    expected = pile()
    loop(Functions, expected, 7)
    assert np.array_equal(state(world), state(expected))


def test_a_subclass_may_replace_methods():
    class MyWorld(od.World):
        made = 0

        def add_contact(self, contact, *, surface, group):
            self.made += 1
            return super().add_contact(contact, surface=surface, group=group)

    world, group, surface = MyWorld(gravity=(0, 0, -10)), od.JointGroup(), od.Surface()
    world.add_plane()
    world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.49))
    for _ in range(2):
        during(world, lambda a, b: [world.add_contact(c, surface=surface, group=group) for c in od.collide(a, b)])
    assert world.made == len(group) == 8


def test_functions_stay_where_objects_are_not_as_expected(monkeypatch):
    monkeypatch.setattr(vectorcall, "CompiledCall", None)
    assert compiled_call(loop_calls.collide, LOOP)(FUNCTIONS["collide"]) is FUNCTIONS["collide"]
    with pytest.raises(ValueError, match="not in list"):
        offset_of_slot(type("Kind", (), {"x": property(lambda self: 0, lambda self, value: None)}), "x")


def test_machine_code_is_not_used_where_attributes_are_not_found(monkeypatch):
    call, numbers = compiled_call(loop_calls.collide, LOOP)(FUNCTIONS["collide"]), LOOP.numbers.copy()

    def fail(kind, name):
        raise ValueError

    monkeypatch.setattr(known_objects, "offset_of_slot", fail)
    load_calls_of(LOOP)
    assert LOOP not in vectorcall.UNLOADED
    LOOP.numbers[:] = numbers
    assert words_of(call)[vectorcall.VECTORCALL // 8] == 0
    assert during(pile(), lambda a, b: len(call(a, b))) == during(pile(), lambda a, b: len(od.collide(a, b)))


def test_finalizers_may_call_at_the_end_of_the_program():
    program = """
import sys, opendynamics as od
world = od.World()
world.add_plane()
world.add_body(od.Sphere(1), position=(0, 0, 0.9))
world.space.collide(lambda a, b: od.collide(a, b))
class Last:
    def __init__(self):
        self.world, self.geoms, self.collide = world, world.geoms, od.collide
    def __del__(self):
        for _ in range(10):
            found = [geom.body for geom in self.geoms], self.collide(*self.geoms[:2])
        print("end", len(found[1]))
sys.last = Last()
sys.modules["last"] = sys.last
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


PREPARE = {"forces": "world.add_body(mass=1.0)", "loop": "world.add_plane()"}
CALL = {"forces": "thing.add_force((1, 0, 0))", "loop": "thing.body"}


@pytest.mark.parametrize("name", PREPARE)
def test_machine_code_is_loaded_after_some_calls(name):
    program = f"""
import opendynamics as od
from opendynamics.api.compiled_calls.{name} import {name.upper()} as known, FREQUENT
from opendynamics.api.compiled_calls.vectorcall import UNLOADED
world = od.World()
thing = {PREPARE[name]}
for k in range(FREQUENT - 1):
    {CALL[name]}
assert known in UNLOADED
{CALL[name]}
assert known not in UNLOADED
{CALL[name]}
print("right", getattr(thing, "force", [FREQUENT + 1])[0] == FREQUENT + 1)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "right True\n", done.stderr


# -- bodies of geoms ---------------------------------------------------------------------------------------------------


def geoms_of_each_kind(world):
    shapes = [
        od.Sphere(1),
        od.Box((1, 1, 1)),
        od.Capsule(0.2, 1),
        od.Cylinder(0.2, 1),
        od.Ellipsoid((1, 2, 3)),
        od.Cone(1, 2),
    ]
    return [world.add_geom(shape) for shape in shapes]


def test_machine_code_serves_the_bodies_of_geoms():
    load_calls_of(LOOP)
    world = od.World()
    body, geoms = world.add_body(mass=1.0), [*geoms_of_each_kind(world), world.add_plane()]
    loose = od.Sphere(1)

    with machine_code_alone(CALLS["body"]):
        assert [geom.body for geom in (*geoms, loose)] == [None] * 8
        for geom in geoms[:-1]:
            geom.body = body
        assert [geom.body for geom in geoms] == [body] * 6 + [None]
        geoms[0].body = None
        assert geoms[0].body is None
        geoms[1].destroy()
        with pytest.raises(AssertionError, match="left a call"):
            geoms[1].body  # noqa: B018
    with pytest.raises(od.DestroyedError):
        geoms[1].body  # noqa: B018
    geoms[2].destroy()
    again = world.add_geom(od.Sphere(1))  # in its row
    assert again.body is None
    with pytest.raises(od.DestroyedError):
        geoms[2].body  # noqa: B018


@pytest.mark.parametrize("thing", [None, 1, "geom", od.Geom, object(), (), object.__new__(od.Sphere), od.World(), 2.5])
def test_only_geoms_have_bodies(thing):
    load_calls_of(LOOP)
    for arguments in ((thing,), (), (thing, thing)):
        mine, theirs = (outcome(call["body"], *arguments) for call in (CALLS, FUNCTIONS))
        assert mine == theirs is not None


def test_references_to_bodies_are_counted():
    load_calls_of(LOOP)
    world = od.World()
    body = world.add_body(od.Sphere(1))
    geom, plane = body.geoms[0], world.add_plane()
    for turn in range(10_100):
        if turn == 100:
            before, blocks = counts(body, geom, plane), sys.getallocatedblocks()
        geom.body, plane.body  # noqa: B018
    assert counts(body, geom, plane) == before
    assert abs(sys.getallocatedblocks() - blocks) < 200


def test_geoms_of_a_user_s_class_have_bodies():
    class Mine(od.Sphere):
        __slots__ = ("extra",)

    load_calls_of(LOOP)
    world = od.World()
    mine = Mine(1.0)
    body = world.add_body(mine)
    mine.extra = 1
    assert mine.body is body
