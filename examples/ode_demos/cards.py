"""ODE's demo_cards: a house of cards, three levels high, by the iterative step."""

from ode_demo import *

FRAMES, LEVELS = 100, 3
WIDTH, LENGTH, THICK = 0.2, 0.3, 0.02
LEAN = 0.45  # of a card from the vertical, rad

stage = Stage(-9.81, h=0.01, quick=True, mode=APPROX, mu=5.0)
dWorldSetQuickStepNumIterations(stage.world, 50)
cards = []
rise = LENGTH * dCos(LEAN) + THICK * dSin(LEAN)
reach = LENGTH * dSin(LEAN) + THICK * dCos(LEAN)
for level in range(LEVELS):
    base = level * (rise + THICK)
    tents = LEVELS - level
    for k in range(tents):
        middle = (2 * k - tents + 1) * reach
        for side in (-1, 1):
            card = stage.box((THICK, WIDTH, LENGTH), (middle + side * 0.5 * reach, 0, base + 0.5 * rise), 10)
            dBodySetRotation(card, dRFromAxisAndAngle(0, 1, 0, -side * LEAN))
            cards.append(card)
        if k + 1 < tents:  # a card lies across two tents
            cards.append(stage.box((2 * reach, WIDTH, THICK), (middle + reach, 0, base + rise + 0.5 * THICK), 10))
begin = [height(card) for card in cards]


def check():
    assert len(cards) == 2 * 6 + 3
    assert all(height(card) > 0.85 * was for card, was in zip(cards, begin)), "the house stands"


if __name__ == "__main__":
    stage.show()
