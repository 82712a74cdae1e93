"""ODE's loop: the program itself handles every contact.

Boxes fall on a floor that is half ice and half rubber. If a callback only looks up the surface of two materials, as here,
`world.advance` with `world.surfaces` does the same in compiled code.
"""

import opendynamics as od

ICE, RUBBER = od.Surface(mu=0.02), od.Surface(mu=0.9, bounce=0.3)

world = od.World(gravity=(2.0, 0, -9.81))  # gravity at an angle, as on a slope
space, contacts = od.HashSpace(), od.JointGroup()
space.add(od.Plane(normal=(0, 0, 1)))
boxes = [
    world.add_body(od.Box((0.4, 0.4, 0.4)), position=(0, 0.5 * k - 1.25, 0.5 + 0.2 * k), density=500, space=space)
    for k in range(6)
]


def near(a, b):
    """Called with two geoms whose bounding boxes overlap; they may or may not touch."""
    for contact in od.collide(a, b, max_contacts=4):
        surface = ICE if contact.position[1] < 0 else RUBBER
        world.add_contact(contact, surface=surface, group=contacts)


for _ in range(180):
    space.collide(near)  # finds pairs, calls near
    world.step(0.01)  # ODE's dWorldStep
    contacts.empty()  # contacts last for one step

for body in boxes:
    x, y, _ = body.position
    print(f"{'ice' if y < 0 else 'rubber':>6}: slid {x:5.2f} m")
