"""The calls that a PyODE program makes for each pair and each contact, as machine code (`api/compiled_calls/`).

As in `api/compiled_calls/loop.py`: each entry handles the most frequent case of a Python function, under the same conditions.
"""

from __future__ import annotations

from opendynamics.api.compiled_calls.known import TYPE, WORD, Known
from opendynamics.api.compiled_calls.loop import LOOP, are_connected, are_found, go_on, next_of_run, range_of_pair
from opendynamics.api.compiled_calls.protocol import COUNT, NOT_HANDLED, VECTORCALL, new_reference, put, result
from opendynamics.api.compiled_calls.python_api import (
    PyDict_GetItem,
    PyList_GetItem,
    PyList_GetSlice,
    PyLong_AsSsize_t,
    PyObject_Size,
    PyTuple_GetItem,
    load,
)
from opendynamics.core.kernels import entry, kernel

_PYODE = "opendynamics.pyode"
PYODE_LOOP = Known(
    "opendynamics_pyode_loop_calls",
    objects={"int": int, "float": float, "max_contacts": 150},
    named={
        "ode": f"{_PYODE}.collision:_ODE",
        "own_maker": f"{_PYODE}.contact:CONTACTS",
        "forgotten": f"{_PYODE}.lifetime:FORGOTTEN",
        "no_run": "opendynamics.api.contact_run:NO_RUN",
        "Contact": f"{_PYODE}.contact:Contact",
        "SharedSurface": f"{_PYODE}.contact:SharedSurface",
        "ContactJoint": f"{_PYODE}.joints.contact:ContactJoint",
        "Body": f"{_PYODE}.body:Body",
    },
    slots={
        "identified": (f"{_PYODE}.handle:Identified", ("_ode_id",)),
        "contact": (f"{_PYODE}.contact:Contact", ("_ode_surface",)),
        "surface": (f"{_PYODE}.contact:SharedSurface", ("bounces", "frictions", "modes")),
        "listed": ("opendynamics.api.listed_pairs:ListedPairs", ("given",)),
        "run": ("opendynamics.api.contact_run:ContactRun", ("body1", "body2", "given", "newest", "source", "until")),
    },
    also=LOOP,
)
_known = PYODE_LOOP.array


@entry(VECTORCALL, c_abi=True)
def collide(function, arguments, flags, names):
    """`collide(geom1, geom2)`."""
    return result(_contacts(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _contacts(arguments, count, names):
    """The contacts of the current pair, if they have been found and nothing has moved since."""
    known = _known()[0]
    listed = load(known.now + known.now_listed)
    if count != 2 or names != 0 or load(listed + TYPE) != known.ListedPairs or PyObject_Size(known.forgotten) != 0:
        return NOT_HANDLED
    given = load(listed + known.listed_given)
    if PyTuple_GetItem(given, 0) != load(arguments) or PyTuple_GetItem(given, 1) != load(arguments + WORD):
        return NOT_HANDLED
    if load(listed + known.listed_like) != known.ode or not are_found(
        known, listed, known.max_contacts, known.own_maker
    ):
        return NOT_HANDLED
    start, end = range_of_pair(known, listed)
    return PyList_GetSlice(load(listed + known.listed_shown), start, end) if end >= start else NOT_HANDLED


@entry(VECTORCALL, c_abi=True)
def connected(function, arguments, flags, names):
    """`areConnected(body1, body2)`."""
    return result(_connected(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _connected(arguments, count, names):
    known = _known()[0]
    if count != 2 or names != 0 or PyObject_Size(known.forgotten) != 0:
        return NOT_HANDLED
    body1, body2 = load(arguments), load(arguments + WORD)
    if load(body1 + TYPE) != known.Body or load(body2 + TYPE) != known.Body:
        return NOT_HANDLED
    return are_connected(known, load(body1 + known.identified_ode_id), load(body2 + known.identified_ode_id))


@entry(VECTORCALL, c_abi=True)
def set_mode(function, arguments, flags, names):
    """`contact.setMode(flags)`."""
    known = _known()[0]
    found = _surface_changed(known, arguments, flags & COUNT, names, known.surface_modes, False)
    return result(found, function, arguments, flags, names)


@entry(VECTORCALL, c_abi=True)
def set_mu(function, arguments, flags, names):
    """`contact.setMu(mu)`."""
    known = _known()[0]
    found = _surface_changed(known, arguments, flags & COUNT, names, known.surface_frictions, True)
    return result(found, function, arguments, flags, names)


@entry(VECTORCALL, c_abi=True)
def set_bounce(function, arguments, flags, names):
    """`contact.setBounce(bounce)`."""
    known = _known()[0]
    found = _surface_changed(known, arguments, flags & COUNT, names, known.surface_bounces, True)
    return result(found, function, arguments, flags, names)


@kernel
def _surface_changed(known, arguments, count, names, others, real):
    """None; the contact has the surface that differs by a number. `others`: where its surface keeps those by this number."""
    if count != 2 or names != 0:
        return NOT_HANDLED
    contact, number = load(arguments), load(arguments + WORD)
    if load(contact + TYPE) != known.Contact:
        return NOT_HANDLED
    kind, surface = load(number + TYPE), load(contact + known.contact_ode_surface)
    if (
        surface == 0
        or load(surface + TYPE) != known.SharedSurface
        or not (kind == known.int or (real and kind == known.float))
    ):
        return NOT_HANDLED
    found = PyDict_GetItem(load(surface + others), number)
    if found == 0:
        return NOT_HANDLED
    put(contact + known.contact_ode_surface, found)
    return new_reference(known.none)


@entry(VECTORCALL, c_abi=True)
def make_contact_joint(function, arguments, flags, names):
    """`ContactJoint(world, group, contact)`, as the metaclass's `__call__`."""
    return result(_joint(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _joint(arguments, count, names):
    """The joint of the contact after the last one, with the same surface, in the same world and group."""
    known = _known()[0]
    if count != 4 or names != 0 or load(arguments) != known.ContactJoint or PyObject_Size(known.forgotten) != 0:
        return NOT_HANDLED
    world, group, contact = load(arguments + WORD), load(arguments + 2 * WORD), load(arguments + 3 * WORD)
    run = load(known.now + known.now_run)
    given = load(run + known.run_given)
    if world != PyTuple_GetItem(given, 0) or group != PyTuple_GetItem(given, 1):
        return NOT_HANDLED
    shown, joint = next_of_run(known, run)
    if contact != shown or load(contact + TYPE) != known.Contact:
        return NOT_HANDLED
    if load(contact + known.contact_ode_surface) != load(run + known.run_surface):
        return NOT_HANDLED
    if load(run + known.run_newest) != known.no_run:
        return NOT_HANDLED
    if not go_on(known, run):
        return 0
    put(run + known.run_newest, joint)
    return new_reference(joint)


@entry(VECTORCALL, c_abi=True)
def attach(function, arguments, flags, names):
    """`joint.attach(body1, body2)` of a contact joint."""
    return result(_attached(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _attached(arguments, count, names):
    """None; the newest joint joins the bodies of the contact that it is of."""
    known = _known()[0]
    if count != 3 or names != 0:
        return NOT_HANDLED
    joint, body1, body2 = load(arguments), load(arguments + WORD), load(arguments + 2 * WORD)
    run = load(known.now + known.now_run)
    if joint != load(run + known.run_newest):
        return NOT_HANDLED
    following = PyLong_AsSsize_t(load(run + known.run_next))
    if body1 != load(run + known.run_body1) or body2 != load(run + known.run_body2):
        if not _are_of_pair(known, run, following, body1, body2):
            return NOT_HANDLED
    elif following > PyLong_AsSsize_t(load(run + known.run_until)):
        return NOT_HANDLED
    put(run + known.run_newest, known.no_run)
    return new_reference(known.none)


@kernel
def _are_of_pair(known, run, following, body1, body2):
    """Whether the bodies are those of the current pair, of which the last contact is; noted for the pair's other contacts."""
    listed = load(known.now + known.now_listed)
    if load(listed + TYPE) != known.ListedPairs or load(run + known.run_source) != listed:
        return False
    pair = load(listed + known.listed_current)
    one, other = _identifier(known, body1), _identifier(known, body2)
    if one == 0 or other == 0 or PyTuple_GetItem(pair, 2) != one or PyTuple_GetItem(pair, 3) != other:
        return False
    start, end = range_of_pair(known, listed)
    if not start < following <= end:
        return False
    at = PyLong_AsSsize_t(load(listed + known.listed_at))
    put(run + known.run_until, PyList_GetItem(load(listed + known.listed_ends), at))
    put(run + known.run_body1, body1)
    put(run + known.run_body2, body2)
    return True


@kernel
def _identifier(known, body):
    """The C ID of a body, None for None; 0: it is neither, or has none yet."""
    if body == known.none:
        return body
    return load(body + known.identified_ode_id) if load(body + TYPE) == known.Body else 0
