"""Cones about one axis: where their sides' lines meet, at the apex, they had a contact at no place, of depth 0."""

import numpy as np

import opendynamics as od


def test_contacts_of_cones_about_one_axis_are_somewhere():
    rng = np.random.default_rng(0)
    for _ in range(300):
        height, radii = 10.0 ** rng.uniform(-1, 3), 10.0 ** rng.uniform(-1, 1, 2)
        contacts = od.collide(od.Cone(radii[0], height), od.Cone(radii[1], height))
        assert contacts
        for contact in contacts:
            assert np.isfinite(contact.position).all() and contact.depth >= 0.0
