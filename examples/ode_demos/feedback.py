"""ODE's demo_feedback: a bridge of planks on hinges, whose joints break when their feedback is too large."""

from ode_demo import *

FRAMES, COUNT, STRESS = 120, 7, 400.0

stage = Stage(-9.81, h=0.02, mode=APPROX, mu=0.8)
dWorldSetCFM(stage.world, 1e-3)  # ropes yield slightly
planks = [stage.box((0.9, 1, 0.1), (k - COUNT // 2, 0, 2), 10) for k in range(COUNT)]
joints, broken = {}, []
for k in range(COUNT + 1):
    bodies = planks[k - 1] if k else None, planks[k] if k < COUNT else None
    joint = stage.joint(dJointCreateHinge, *bodies)
    dJointSetHingeAnchor(joint, k - COUNT // 2 - 0.5, 0, 2)
    dJointSetHingeAxis(joint, 0, 1, 0)
    joints[joint] = dJointFeedback()
    dJointSetFeedback(joint, joints[joint])
weight = stage.box((0.6, 0.6, 0.6), (0, 0, 4), 60)


def inspect(time):
    for joint, feedback in list(joints.items()):
        if max(dLENGTH(feedback.f1), dLENGTH(feedback.f2)) > STRESS:
            dJointAttach(joint, None, None)
            broken.append(time)
            del joints[joint]


stage.forces = inspect


def check():
    assert broken and min(broken) > 0.4, "joints broke, when the weight had fallen on the bridge"
    assert height(weight) < 1.0 and min(map(height, planks)) < 0.4, "and it came down"


if __name__ == "__main__":
    stage.show()
