"""PyODE's calls that are machine code: they do what their Python functions do, for all arguments and at all times."""

import inspect
import sys

import pytest

from opendynamics import pyode as ode
from opendynamics.api.compiled_calls import vectorcall
from opendynamics.api.compiled_calls.vectorcall import CompiledCall
from opendynamics.api.contact_run import NOW
from opendynamics.c_api import dRandSetSeed
from opendynamics.pyode.joints.contact import _QuicklyMade
from tests.compiled_calls import counts
from tests.compiled_calls import outcome as outcome_of

if CompiledCall is None:
    pytest.skip("this Python calls functions only", allow_module_level=True)

CALLS = {
    "collide": ode.collide,
    "areConnected": ode.areConnected,
    "setMode": ode.Contact.setMode,
    "setMu": ode.Contact.setMu,
    "setBounce": ode.Contact.setBounce,
    "ContactJoint": vars(_QuicklyMade)["__call__"],
    "attach": vars(ode.ContactJoint)["attach"],
}
FUNCTIONS = {name: call.__wrapped__ for name, call in CALLS.items()}


def use(functions):
    """Let the calls call other functions, with all arguments."""
    for name, call in CALLS.items():
        vectorcall._set_field(call, vectorcall.FUNCTION, id(functions[name]))


@pytest.fixture(autouse=True)
def _restored():
    yield
    use(FUNCTIONS)


class Pile:
    """Boxes that touch, and balls on them, of which one is hinged to its box, on a plane; one box has two geoms."""

    def __init__(self, calls=CALLS):
        self.calls = calls
        self.world, self.space, self.group = ode.World(), ode.SimpleSpace(), ode.JointGroup()
        self.others, self.last = ode.JointGroup(), (None, None)
        self.world.setGravity((0, 0, -10))
        self.floor = ode.GeomPlane(self.space, (0, 0, 1), 0)
        self.bodies, self.geoms, self.log = [], [], []
        for k in range(3):
            self.add(ode.GeomBox(self.space, (1, 1, 1)), (0.99 * k, 0, 0.499))
            self.add(ode.GeomSphere(self.space, 0.4), (0.99 * k, 0, 1.39))
        second = ode.GeomSphere(self.space, 0.3)
        second.setBody(self.bodies[4])
        second.setOffsetPosition((0, 0, 0.4))
        self.geoms.append(second)
        self.hinge = ode.HingeJoint(self.world)
        self.hinge.attach(self.bodies[0], self.bodies[1])
        self.hinge.setAnchor((0, 0, 1))
        self.hinge.setAxis((1, 0, 0))

    def add(self, geom, position):
        body = ode.Body(self.world)
        body.setPosition(position)
        geom.setBody(body)
        self.bodies.append(body)
        self.geoms.append(geom)

    def near(self, arg, a, b):
        """What programs do: a joint for each contact. `self.kind` varies it."""
        calls, body1, body2 = self.calls, a.getBody(), b.getBody()
        connected = calls["areConnected"](body1, body2)
        self.log.append(bool(connected))
        if connected:
            return
        for k, contact in enumerate(calls["collide"](a, b)):
            calls["setMode"](contact, ode.ContactApprox1 + ode.ContactBounce)
            calls["setMu"](contact, 0.5 if arg != "two surfaces" or k % 2 else 2)
            calls["setBounce"](contact, 0.1)
            if arg == "every other one" and k % 2:
                continue
            group = None if arg == "no group" else self.others if arg == "two groups" and k % 2 else self.group
            joint = calls["ContactJoint"](ode.ContactJoint, self.world, group, contact)
            if arg == "some unattached" and k % 3 == 2:
                continue
            bodies = {
                "reversed": (body2, body1),
                "bodies of the last pair": (body1, body2) if k else self.last,
                "one body of the last pair": (body1, self.last[1]) if k else (body1, body2),
            }
            calls["attach"](joint, *bodies.get(arg, (body1, body2)))
            self.log.append((contact.getMu(), contact.getMode(), contact.getBounce()))
            if arg == "read":
                self.log.append(
                    (contact.getContactGeomParams()[2], joint.getBody(0) is body1, joint.getBody(1) is body2)
                )

        self.last = body1, body2

    def run(self, steps, arg=None):
        dRandSetSeed(5)  # QuickStep shuffles rows by the process's generator
        for _ in range(steps):
            self.space.collide(arg, self.near)
            if arg == "two groups":
                self.others.empty()
            self.world.quickStep(0.01)
            self.group.empty()
            self.others.empty()
        return [(*body.getPosition(), *body.getQuaternion(), *body.getLinearVel()) for body in self.bodies]


@pytest.mark.parametrize("name", CALLS)
def test_a_call_looks_like_its_function(name):
    call, function = CALLS[name], FUNCTIONS[name]
    assert type(call) is CompiledCall and inspect.isfunction(function)
    assert inspect.signature(call) == inspect.signature(function) and call.__doc__ == function.__doc__


KINDS = [
    *(None, "two surfaces", "every other one", "no group", "two groups", "some unattached", "reversed", "read"),
    *("bodies of the last pair", "one body of the last pair"),
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_moves_bodies_as_by_python_functions(kind):
    by_machine, by_functions = Pile(), Pile(FUNCTIONS)
    assert by_machine.run(20, kind) == by_functions.run(20, kind)
    assert by_machine.log == by_functions.log and True in by_machine.log


def refusing(name):
    def refuse(*arguments, **options):
        raise AssertionError(f"machine code left a call of {name} to its function")

    return refuse


def test_machine_code_serves_the_loop():
    pile, served = Pile(), []
    pile.run(2)
    refuse = {name: refusing(name) for name in CALLS}

    def near(_, a, b):
        body1, body2 = a.getBody(), b.getBody()
        if body1 is None or body2 is None or ode.areConnected(body1, body2):
            return
        found = ode.collide(a, b)
        if len(found) < 3:
            return
        for contact in [*found, *found]:  # the surfaces are made when they are first needed
            contact.setMode(ode.ContactApprox1)
            contact.setMu(0.5)
            contact.setBounce(0.2)
        use(FUNCTIONS | {"areConnected": refuse["areConnected"]})
        assert not ode.areConnected(body1, body2)
        use(FUNCTIONS)
        ode.ContactJoint(pile.world, pile.group, found[0]).attach(body1, body2)  # the first of a run is the function's
        use(refuse)
        try:
            found = ode.collide(a, b)
            for contact in found[1:3]:
                contact.setMode(ode.ContactApprox1)
                contact.setMu(0.5)
                contact.setBounce(0.2)
                joint = ode.ContactJoint(pile.world, pile.group, contact)
                joint.attach(body1, body2)
            served.append(joint)
        finally:
            use(FUNCTIONS)

    pile.space.collide(None, near)
    assert len(served) >= 2


def test_the_first_contact_of_a_pair_is_attached_by_machine_code():
    pile, served = Pile(), []
    pile.run(2)
    refuse = FUNCTIONS | {"attach": refusing("attach")}

    def near(_, a, b):
        body1, body2 = a.getBody(), b.getBody()
        for k, contact in enumerate(ode.collide(a, b)):
            joint = ode.ContactJoint(pile.world, pile.group, contact)
            use(refuse if served else FUNCTIONS)
            joint.attach(body1, body2)
            use(FUNCTIONS)
            served.append(k)

    pile.space.collide(None, near)
    assert served.count(0) > 3


def test_references_are_counted():
    pile, checked = Pile(), []
    pile.run(3)

    def near(_, a, b):
        body1, body2 = a.getBody(), b.getBody()
        found = ode.collide(a, b)
        if body1 is None or body2 is None or len(found) < 3 or checked:
            return
        for contact in found:
            contact.setMu(0.5)
        run = NOW.run
        joints = [ode.ContactJoint(pile.world, pile.group, contact) for contact in found[:1]]
        joints[0].attach(body1, body2)
        k = run.next
        other = {"setMode": (ode.ContactApprox1, 0), "setMu": (0.25, 0.5)}
        things = (
            a,
            b,
            body1,
            body2,
            *found,
            found,
            pile.world,
            pile.group,
            *joints,
            NOW.listed,
            run,
            run.newest,
            True,
            None,
        )
        for turn in range(5_100):
            if turn == 100:  # what is kept from the first time on has been kept
                before, blocks = counts(*things), sys.getallocatedblocks()
            ode.collide(a, b)
            ode.areConnected(body1, body2)
            for name, values in other.items():
                for value in values:
                    getattr(found[1], name)(value)
            run.next = k
            joint = ode.ContactJoint(pile.world, pile.group, found[1])
            joint.attach(body1, body2)
            run.body1 = None  # as for the first contact of a pair
            run.next = k
            ode.ContactJoint(pile.world, pile.group, found[1]).attach(body1, body2)
            del joint
        assert counts(*things)[:-2] == before[:-2]
        assert abs(sys.getallocatedblocks() - blocks) < 200
        checked.append(a)

    pile.space.collide(None, near)
    assert checked


def outcome(call, *arguments):
    """The result of a call, in a form that can be compared, or its error."""
    found = outcome_of(call, *arguments)
    if isinstance(found, list):
        return [contact.getContactGeomParams()[:3] for contact in found]
    return type(found) if isinstance(found, ode.ContactJoint) else found


@pytest.mark.parametrize("thing", [None, 1, "name", 2.5, object(), ode.Contact, ode.Body, ode.Contact(), ()])
def test_other_arguments_are_the_functions(thing):
    pile = Pile()
    pile.run(2)

    def near(_, a, b):
        body1, body2 = a.getBody(), b.getBody()
        for name, arguments in (
            *(
                ("collide", (thing, b)),
                ("collide", (a, thing)),
                ("collide", (a,)),
                ("collide", (a, b, thing)),
                ("collide", (b, a)),
            ),
            *(("areConnected", (thing, body2)), ("areConnected", (body1, thing)), ("areConnected", (body1,))),
            *(("areConnected", (None, None)), ("areConnected", (body2, body1)), ("areConnected", (body1, body1))),
            *(
                (name, (contact, thing))
                for name in ("setMode", "setMu", "setBounce")
                for contact in ode.collide(a, b)[:1]
            ),
            *((name, (thing, 1)) for name in ("setMode", "setMu", "setBounce")),
            *((name, (ode.Contact(), 1)) for name in ("setMode", "setMu", "setBounce")),
            *(("ContactJoint", (thing, thing, thing, thing)), ("ContactJoint", (ode.ContactJoint, pile.world, thing))),
            *(
                ("ContactJoint", (ode.ContactJoint, pile.world, pile.group, thing)),
                ("ContactJoint", (ode.ContactJoint,)),
            ),
            *(("attach", (thing, body1, body2)), ("attach", (pile.hinge, thing)), ("attach", ())),
        ):
            mine, theirs = (outcome(calls[name], *arguments) for calls in (CALLS, FUNCTIONS))
            assert mine == theirs, (name, arguments)
        for contact in ode.collide(a, b)[:1]:
            for one in (body1, thing):
                found = []
                for calls in (CALLS, FUNCTIONS):
                    joint = ode.ContactJoint(pile.world, pile.group, contact)
                    found.append((outcome(calls["attach"], joint, one, thing), joint.getBody(0), joint.getBody(1)))
                assert found[0] == found[1]

    # Errors of callbacks are printed and ignored, as in PyODE.
    failures = []

    def watched(arg, a, b):
        try:
            near(arg, a, b)
        except BaseException as error:
            failures.append(error)

    pile.space.collide(None, watched)
    assert not failures


NUMBERS = [0, 1, 1.0, 4, 0.5, -1, True, float("nan"), float("inf"), 10**400, "1", None, 2.0**70]


@pytest.mark.parametrize("name", ["setMode", "setMu", "setBounce"])
@pytest.mark.parametrize("value", NUMBERS, ids=lambda value: str(value)[:9])
def test_surfaces_change_as_by_functions(name, value):
    found = []
    for calls in (CALLS, FUNCTIONS):
        pile, seen = Pile(), []
        pile.run(1)

        def near(_, a, b, calls=calls, seen=seen):
            for contact in ode.collide(a, b):
                for each in (value, 1, value):
                    seen.append(outcome(calls[name], contact, each))
                seen.append(repr((contact.getMode(), contact.getMu(), contact.getBounce())))

        pile.space.collide(None, near)
        found.append(seen)
    assert found[0] == found[1] and found[0]


def test_released_objects_are_destroyed_before_contacts_are_found():
    pile, found = Pile(), []
    pile.run(2)

    def near(_, a, b):
        before = len(ode.collide(a, b))
        if not found and before:
            joint = ode.BallJoint(pile.world)
            joint.attach(pile.bodies[3], pile.bodies[5])
            assert ode.areConnected(pile.bodies[3], pile.bodies[5])
            del joint
            found.append(ode.areConnected(pile.bodies[3], pile.bodies[5]))

    pile.space.collide(None, near)
    assert found == [0]


def test_contacts_are_found_anew_after_a_move():
    pile, checked = Pile(), []

    def near(_, a, b):
        body = a.getBody()
        found = [contact.getContactGeomParams()[2] for contact in ode.collide(a, b)]
        if body is not None and found:
            x, y, z = body.getPosition()
            body.setPosition((x, y, z + 100))
            checked.append(ode.collide(a, b))
            body.setPosition((x, y, z))
            assert [contact.getContactGeomParams()[2] for contact in ode.collide(a, b)] == found

    pile.space.collide(None, near)
    assert checked and not any(checked)


def test_a_joint_is_attached_to_the_bodies_of_a_later_pair():
    found = []
    for calls in (CALLS, FUNCTIONS):
        pile, waiting = Pile(), []

        def near(_, a, b, calls=calls, pile=pile, waiting=waiting):
            while waiting:
                joint = waiting.pop()
                calls["attach"](joint, a.getBody(), b.getBody())
                pile.log.append((joint.getBody(0) is a.getBody(), joint.getBody(1) is b.getBody()))
            for contact in ode.collide(a, b)[:1]:
                waiting.append(calls["ContactJoint"](ode.ContactJoint, pile.world, pile.group, contact))

        pile.near = near
        found.append((pile.run(5), pile.log))
    assert found[0] == found[1] and len(found[0][1]) > 10


def test_a_joint_is_attached_while_another_space_collides():
    found = []
    for calls in (CALLS, FUNCTIONS):
        pile, inner, log = Pile(), ode.SimpleSpace(), []
        bodies = [ode.Body(pile.world) for _ in range(2)]
        boxes = [ode.GeomBox(inner, (1, 1, 1)) for _ in bodies]
        for k, (box, body) in enumerate(zip(boxes, bodies, strict=True)):
            body.setPosition((20, 0, 5 + 0.9 * k))
            box.setBody(body)

        def near(_, a, b, calls=calls, pile=pile, inner=inner, boxes=boxes, log=log):
            for contact in ode.collide(a, b)[:1]:
                joint = calls["ContactJoint"](ode.ContactJoint, pile.world, pile.group, contact)
                inner.collide(joint, lambda given, c, d: calls["attach"](given, c.getBody(), d.getBody()))
                log.append([joint.getBody(k) is box.getBody() for k, box in enumerate(boxes)])

        pile.near = near
        found.append((pile.run(3), log))
    assert found[0] == found[1] and found[0][1]


def test_numbers_of_contacts_do_not_pile_up():
    """Python keeps integers up to 256 once; later ones are objects."""
    pile = Pile()
    for k in range(100):
        pile.add(ode.GeomBox(pile.space, (1, 1, 1)), (2 * k + 5, 0, 0.499))
    pile.run(30)  # compiles what it needs
    pile.log.clear()
    blocks = sys.getallocatedblocks()
    pile.run(30)
    pile.log.clear()
    assert sys.getallocatedblocks() - blocks < 1000


def test_subclasses_are_made_by_their_constructors():
    class Mine(ode.ContactJoint):
        made = 0

        def __init__(self, world, group, contact, extra):
            super().__init__(world, group, contact)
            self.extra = extra

    pile, extras = Pile(), []

    def near(_, a, b):
        for contact in ode.collide(a, b):
            joint = Mine(pile.world, pile.group, contact, 5)
            joint.attach(a.getBody(), b.getBody())
            extras.append(joint.extra)

    pile.space.collide(None, near)
    assert set(extras) == {5}


def test_a_subclass_without_a_constructor_is_made():
    class Mine(ode.ContactJoint):
        pass

    pile, kinds = Pile(), []

    def near(_, a, b):
        for k, contact in enumerate(ode.collide(a, b)):
            joint = (Mine if k % 2 else ode.ContactJoint)(pile.world, pile.group, contact)
            joint.attach(a.getBody(), b.getBody())
            kinds.append((k % 2, type(joint)))

    pile.space.collide(None, near)
    assert set(kinds) == {(0, ode.ContactJoint), (1, Mine)}
