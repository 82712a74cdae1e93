"""WorldItem: the table of materials, and everything in the world."""

from __future__ import annotations

from opendynamics.robot.materials import MaterialTable, table_of
from opendynamics.robot.projects.items.item import Item

CLASSES = ("WorldItem",)


class Entry(Item):
    """A world."""

    def materials(self) -> MaterialTable | None:
        """Its table of materials; None without one."""
        if self.data.find("default_material_table_file", "material_table_file") is None:
            return None
        uri = self.data.text("default_material_table_file", "material_table_file")
        if not uri:
            return None
        path = self.project.find(uri, self.data.place)
        return table_of(self.project.parsed(path, self.data.place), path)
