"""How the tests of the live view show objects, and find them."""

import opendynamics as od


def show(what, **options):
    return od.view(what, block=False, open_browser=False, **{"quiet": True, **options})


def batch_of(viewer, shape, moves=True):
    """The batch whose geoms have a shape."""
    batches = viewer._session.batches
    return next(b for b in batches.batches if b.moves is moves and batches.geoms[b.members[0]].shape == shape)


def ids_of(viewer, shape):
    """Which handles a batch has."""
    return [id(handle) for handle in batch_of(viewer, shape).handles]


def panel_of(viewer, name):
    """A part of the panel, by the name of its file."""
    return next(panel for panel in viewer._session.panels if type(panel).__module__.endswith(f".{name}"))
