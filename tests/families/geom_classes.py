"""The classes of shapes, by the names of their files. They are imported when they are first needed."""

import importlib

from opendynamics.api.geoms.geom import GEOM_CLASSES


def geom_class(name):
    importlib.import_module(f"opendynamics.api.geoms.{name}")
    return GEOM_CLASSES[name]
