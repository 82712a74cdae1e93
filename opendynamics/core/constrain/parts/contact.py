"""A contact point: no approach along the normal, and friction, up to six rows.

Normal n (into body0), arms c0, c1 from the centres of mass; every row but the rolling ones is a `point_row`.

    normal    J v >= max(push, restitution), 0 <= λ;  push = min(erp/h (depth - layer) + motion_normal, max velocity);
              restitution = bounce (motion_normal - v_out) + motion_normal if the approach is faster than
              bounce_velocity
              across a gap (SPECULATIVE), push = (depth - layer)/h + motion_normal: the gap may close in this step, and
              no further; the arms end where the points are that will meet
              where the world does not follow ODE, push is kept out of the velocity, and energy limits restitution: see
              `solve/impacts.py`, for which both are noted
    friction  along t1 and t2: J v = motion, |λ| <= mu, or <= mu λ_normal if the surface's mode says so (APPROX1);
              slip is the row's CFM: it slides with slip times the force
    cone      if the surface's mode says so (ELLIPTIC), (λ1/mu)² + (λ2/mu2)² <= 1, or <= λ_normal² : the second row is
              measured in units of k = mu2/mu (J, motion k times, slip k² times), so that the bound is a circle
    pull      if the surface's mode says so (INELASTIC, of ODE's development version): bounce <= λ on the normal, where
              `bounce` is no restitution but a force below 0, N; solved by rows alone, as ODE's steps are
    rolling   about t1, t2 and n: J v = 0, |λ| <= rho, or <= rho λ_normal
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import add, add_scaled, cross, get3, negate, plane_space, scale, subtract
from opendynamics.core.arrays.contacts import (
    APPROX1_1,
    APPROX1_2,
    APPROX1_N,
    BOUNCE,
    CONTACT_DETAILS,
    ELLIPTIC,
    FDIR1,
    MOTION1,
    MOTION2,
    MOTION_N,
    MU2,
    REVERSED,
    ROLLING,
    SLIP1,
    SLIP2,
    SOFT_CFM,
    SOFT_ERP,
    SPECULATIVE,
)
from opendynamics.core.arrays.rows import FORCES, ROWS, UNBOUNDED, VARIANTS
from opendynamics.core.arrays.worlds import ODES_METHOD
from opendynamics.core.constrain.parts.frame import centre, velocities_of, world_of
from opendynamics.core.constrain.parts.row import angular_row, point_row
from opendynamics.core.kernels import kernel

INELASTIC = 0x800  # a bit of SURFACE.mode, only from C names


@kernel
def details_of(tables, surface):
    """The details of the contact that has this surface; only if it has any."""
    return CONTACT_DETAILS.rows(tables)[surface.detail]


@kernel
def rolling_coefficients(tables, surface):
    """rho about t1, t2 and the normal; zero where there is none."""
    if not surface.mode & ROLLING:
        return 0.0, 0.0, 0.0
    details = details_of(tables, surface)
    if surface.mode & MU2:
        return details.rho, details.rho2, details.rho_normal
    return details.rho, details.rho, details.rho


@kernel
def normal_motion(tables, surface):
    """Surface velocity along the normal, m/s."""
    return details_of(tables, surface).motion_normal if surface.mode & MOTION_N else 0.0


@kernel
def first_motion(tables, surface):
    """The same along t1."""
    return details_of(tables, surface).motion1 if surface.mode & MOTION1 else 0.0


@kernel
def second_motion(tables, surface):
    """The same along t2."""
    return details_of(tables, surface).motion2 if surface.mode & MOTION2 else 0.0


@kernel
def apart_of(tables, contact):
    """From the point of body0 to that of body1 that it will meet, of a speculative contact."""
    return get3(details_of(tables, contact.surface).apart)


@kernel
def second_mu(surface):
    return surface.mu2 if surface.mode & MU2 else surface.mu


@kernel
def count_contact_rows(tables, surface):
    count = 1
    if surface.mu > 0.0:
        count += 1
    if second_mu(surface) > 0.0:
        count += 1
    rho = rolling_coefficients(tables, surface)
    for k in range(3):
        if rho[k] > 0.0:
            count += 1
    return count


@kernel
def count_bounded_rows(tables, surface):
    """How many of its rows are bounded: all but friction that never slides, whatever the normal force."""
    mode, free = surface.mode, 0
    free += surface.mu >= UNBOUNDED and not mode & APPROX1_1
    free += second_mu(surface) >= UNBOUNDED and not mode & APPROX1_2
    rho = rolling_coefficients(tables, surface)
    free += rho[0] >= UNBOUNDED and not mode & APPROX1_1
    free += rho[1] >= UNBOUNDED and not mode & APPROX1_2
    free += rho[2] >= UNBOUNDED and not mode & APPROX1_N
    return count_contact_rows(tables, surface) - free


@kernel
def contact_normal(contact):
    """Unit normal, into body0."""
    normal = get3(contact.point.normal)
    return negate(normal) if contact.flags & REVERSED else normal


@kernel
def row_axes(tables, contact):
    """The normal, and both directions of friction."""
    normal = contact_normal(contact)
    if contact.surface.mode & FDIR1:
        t1 = get3(details_of(tables, contact.surface).direction1)
        return normal, t1, cross(normal, t1)
    t1, t2 = plane_space(normal)
    return normal, t1, t2


@kernel
def wrench_of_rows(tables, contact, first):
    """Force on body0, and torque of rolling friction, of the contact's rows from `first` on; they need not be filled in."""
    surface, forces = contact.surface, FORCES.rows(tables)
    normal, t1, t2 = row_axes(tables, contact)
    force, torque, at = scale(forces[first], normal), (0.0, 0.0, 0.0), first + 1
    if surface.mu > 0.0:
        force = add_scaled(force, forces[at], t1)
        at += 1
    mu2 = second_mu(surface)
    if mu2 > 0.0:
        ratio = mu2 / surface.mu if has_cone(surface) else 1.0
        force = add_scaled(force, forces[at] * ratio, t2)
        at += 1
    rho, axes = rolling_coefficients(tables, surface), (t1, t2, normal)
    for k in range(3):
        if rho[k] > 0.0:
            torque = add_scaled(torque, forces[at], axes[k])
            at += 1
    return force, torque


@kernel
def fill_contact_rows(tables, contact, first, local, h):
    """Fill in the rows from `first` on; `local` is the first row's number within its island."""
    mode = contact.surface.mode
    normal, t1, t2 = row_axes(tables, contact)
    position = get3(contact.point.position)
    r0 = subtract(position, centre(tables, contact.body0))
    r1 = (0.0, 0.0, 0.0)
    if contact.flags & SPECULATIVE:
        position = add(position, apart_of(tables, contact))
    if contact.body1 != 0:
        r1 = subtract(position, centre(tables, contact.body1))
    _normal_row(tables, contact, first, normal, r0, r1, h)
    at = first + 1
    surface = contact.surface
    if surface.mu > 0.0:
        row = ROWS.rows(tables)[at]
        point_row(row, t1, r0, r1, first_motion(tables, surface))
        _friction_bounds(row, surface.mu, mode & APPROX1_1, local)
        if mode & SLIP1:
            row.cfm = details_of(tables, surface).slip1
        at += 1
    mu2 = second_mu(surface)
    if mu2 > 0.0:
        row = ROWS.rows(tables)[at]
        point_row(row, t2, r0, r1, second_motion(tables, surface))
        _friction_bounds(row, mu2, mode & APPROX1_2, local)
        if mode & SLIP2:
            row.cfm = details_of(tables, surface).slip2
        at += 1
        if has_cone(surface):
            _pair_rows(ROWS.rows(tables)[at - 2], row, mu2 / surface.mu)
    if mode & ROLLING:
        _rolling_rows(tables, surface, at, (t1, t2, normal), local)


@kernel
def _normal_row(tables, contact, first, normal, r0, r1, h):
    surface, row, variant = contact.surface, ROWS.rows(tables)[first], VARIANTS.rows(tables)[first]
    world = world_of(tables, contact.body0)
    point_row(row, normal, r0, r1, 0.0)
    erp = details_of(tables, surface).soft_erp if surface.mode & SOFT_ERP else world.erp
    depth = contact.point.depth - world.contact_surface_layer
    push = depth / h if contact.flags & SPECULATIVE else erp / h * max(depth, 0.0)
    motion = normal_motion(tables, surface)
    corrected = min(push + motion, world.contact_max_velocity)
    rebound = -inf
    if surface.mode & BOUNCE and surface.bounce_velocity >= 0.0:
        leaving = _row_velocity(tables, contact, row)
        if motion - leaving > surface.bounce_velocity:
            rebound = surface.bounce * (motion - leaving) + motion
    if surface.mode & SOFT_CFM:
        row.cfm = details_of(tables, surface).soft_cfm
    row.bias = max(corrected, rebound)
    # Contacts that yield like a spring, or still have a gap, are not corrected: their law defines the force.
    as_it_is = world.stabilization == ODES_METHOD or contact.flags & SPECULATIVE or surface.mode & (SOFT_ERP | SOFT_CFM)
    variant.corrected, variant.rebound, variant.motion = corrected / h, rebound / h, motion / h
    variant.resting = variant.corrected if as_it_is else variant.motion
    row.lo = min(surface.bounce, 0.0) if surface.mode & INELASTIC else 0.0
    row.hi = inf


@kernel
def _row_velocity(tables, contact, row):
    (v0, w0), (v1, w1) = velocities_of(tables, contact.body0), velocities_of(tables, contact.body1)
    velocity = 0.0
    for k in range(3):
        velocity += row.j0[k] * v0[k] + row.j0[3 + k] * w0[k]
        velocity += row.j1[k] * v1[k] + row.j1[3 + k] * w1[k]
    return velocity


@kernel
def _friction_bounds(row, limit, depends, local):
    row.lo = -limit
    row.hi = limit
    if depends:
        row.normal = local


@kernel
def has_cone(surface):
    """Whether the two friction forces are bounded together. With one that never slides they are not: a strip, no cone."""
    mode, mu, mu2 = surface.mode, surface.mu, second_mu(surface)
    if mode & ELLIPTIC == 0 or (mode & APPROX1_1 == 0) != (mode & APPROX1_2 == 0):
        return False
    return 0.0 < mu < inf and 0.0 < mu2 < inf


@kernel
def _pair_rows(first, second, ratio):
    first.pair = 1
    second.pair = -1
    if ratio != 1.0:
        for k in range(6):
            second.j0[k] *= ratio
            second.j1[k] *= ratio
        second.bias *= ratio
        second.cfm *= ratio * ratio
        second.lo, second.hi = first.lo, first.hi


@kernel
def _rolling_rows(tables, surface, at, axes, local):
    rho = rolling_coefficients(tables, surface)
    depends = (surface.mode & APPROX1_1, surface.mode & APPROX1_2, surface.mode & APPROX1_N)
    for k in range(3):
        if rho[k] > 0.0:
            row = ROWS.rows(tables)[at]
            angular_row(row, axes[k], 0.0)
            _friction_bounds(row, rho[k], depends[k], local)
            at += 1
