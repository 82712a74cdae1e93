"""A cart balances a pole: full state feedback stabilises the upright position.

The force is a sum of position, speed, angle and rate, each times a gain. The gains place the poles of the linear model, an
inverted pendulum of length l on a cart: all four at -P rad/s.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene, Slider

CART, BOB, LENGTH = 1.0, 0.2, 0.6  # kg, kg, m: the pole is a massless rod with a bob
G, P = 9.81, 4.0  # m/s², rad/s
START = math.radians(12)  # of the pole, from the vertical

# With the force f: x'' = (f - m g a) / M,  a'' = ((M + m) g a - f) / (M l); matching (s + P)^4 gives
SPRING, DAMPER = CART * LENGTH * P**4 / G, 4 * CART * LENGTH * P**3 / G
LEAN = 6 * CART * LENGTH * P**2 + (CART + BOB) * G + SPRING * LENGTH
TILT = 4 * CART * LENGTH * P + DAMPER * LENGTH


def build(balanced=True):
    """The cart on its rail, the pole leaning."""
    world = od.World(gravity=(0, 0, -G))
    world.add_geom(od.Box((6, 0.04, 0.04), position=(0, 0, -0.09), name="rail"))
    cart = world.add_body(od.Box((0.3, 0.2, 0.1)), mass=CART, name="cart")
    rail = world.add_slider(cart, None, axis=(1, 0, 0), name="rail")
    place = (LENGTH * math.sin(START), 0, LENGTH * math.cos(START))
    turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), START)
    rod = od.Capsule(0.01, LENGTH, position=(0, 0, -LENGTH / 2))
    point = od.Mass.sphere(0.001, mass=BOB)
    pole = world.add_body(od.Sphere(0.05), rod, position=place, quaternion=turned, mass=point, name="pole")
    hinge = world.add_hinge(pole, cart, anchor=(0, 0, 0), axis=(0, 1, 0), name="pivot")
    for geom in world.geoms:
        geom.collide_bits = 0
    wanted = 0.0

    def move(x):
        nonlocal wanted
        wanted = x

    def balance(time):
        lean, tilt = START + hinge.angle, hinge.rate
        force = SPRING * (rail.position - wanted) + DAMPER * rail.rate + LEAN * lean + TILT * tilt
        rail.add_force(force if balanced else 0.0)

    return Scene(
        world,
        h=0.005,
        seconds=5.0,
        moment=0.25,
        camera=(0.6, -2.6, 0.9),
        target=(0.2, 0, 0.25),
        control=balance,
        sliders=(Slider("Place, m", -2, 2, 0, move, "Where the cart is to stand"),),
    )


def outcome(balanced):
    """Lean of the pole, rad, and position of the cart, m, at the end, and the largest lean until then."""
    scene = build(balanced)
    rail, hinge = scene.world.joints
    most = max(abs(START + hinge.angle) for _ in scene.play())
    return START + hinge.angle, rail.position, most


if __name__ == "__main__":
    (lean, place, _), (_, _, fallen) = outcome(True), outcome(False)
    print(f"balanced, the pole leans by {math.degrees(lean):.2f} degrees, the cart stands at {place:.3f} m")
    print(f"left alone, the pole turns to {math.degrees(fallen):.0f} degrees")
