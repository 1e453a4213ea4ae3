"""Compares accelerations of random trees in Burgess with Pinocchio and MuJoCo.

Reads the output of `random_trees`. Each library builds the tree from the same numbers and uses the state in its own
coordinates. Accelerations are compared by their backward error: with the library's own mass matrix M and bias b,

    |M a + b - tau|  relative to the largest element of  |M| |a| + |b| + |tau|

must be at most 1e-9 for the accelerations a of Burgess. The library's own accelerations must satisfy the same bound.
"""

import json
import sys
from collections import Counter

import numpy as np

try:
    import pinocchio
except ImportError:
    pinocchio = None
try:
    import mujoco
except ImportError:
    mujoco = None

TOLERANCE = 1e-9


# Rotations and frames: a frame is a rotation matrix and a translation.


def matrix(quaternion):
    """Returns the matrix of a unit quaternion x, y, z, w."""
    x, y, z, w = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def product(a, b):
    """Returns the product of two quaternions x, y, z, w."""
    (av, aw), (bv, bw) = (np.array(a[:3]), a[3]), (np.array(b[:3]), b[3])
    return np.append(aw * bv + bw * av + np.cross(av, bv), aw * bw - av @ bv)


def conjugate(q):
    return np.array([-q[0], -q[1], -q[2], q[3]])


def frame(numbers):
    return matrix(numbers[3:]), np.array(numbers[:3])


def compose(a, b):
    return a[0] @ b[0], a[0] @ b[1] + a[1]


def inverse(a):
    return a[0].T, -a[0].T @ a[1]


def degrees(link):
    """Returns the number of degrees of freedom of a link."""
    joint = link["joint"]
    return {"weld": 0, "free": 6, "spherical": 3, "stack": len(joint.get("axes", []))}[joint["kind"]]


class FreeRoot:
    """A free link in the coordinates of Burgess: centre of mass and world axes."""

    def __init__(self, link, state):
        at = link["q"]
        self.q = np.array(state["q"][at + 3 : at + 7])
        self.rotation = matrix(self.q)
        self.center = np.array(link["center_of_mass"])
        self.lever = self.rotation @ self.center
        self.origin = np.array(state["q"][at : at + 3]) - self.lever
        self.spin, linear = self.six(link, state["v"])
        self.linear = linear - np.cross(self.spin, self.lever)

    @staticmethod
    def six(link, numbers):
        at = link["v"]
        return np.array(numbers[at : at + 3]), np.array(numbers[at + 3 : at + 6])

    def effort(self, link, efforts):
        """Returns moment about the origin and force in world coordinates."""
        moment, force = self.six(link, efforts)
        return moment + np.cross(self.lever, force), force

    def acceleration(self, link, accelerations):
        """Returns the angular acceleration and the linear acceleration of the link's origin in world coordinates."""
        angular, linear = self.six(link, accelerations)
        spin, lever = self.spin, self.lever
        return angular, linear - np.cross(angular, lever) - np.cross(spin, np.cross(spin, lever))


class Pinocchio:
    """A tree in Pinocchio. Stacks become composite joints; a welded link becomes a part of its parent."""

    name = "pinocchio"

    def __init__(self, sample):
        self.links = sample["links"]
        model = pinocchio.Model()
        model.gravity = pinocchio.Motion(np.array(sample["gravity"]), np.zeros(3))
        # For every link, the number of its joint and the frame of that joint in link coordinates.
        self.joints, frames, armature = [], [], {}
        for index, link in enumerate(self.links):
            parent = link["parent"]
            joint = link["joint"]
            parent_joint, parent_frame = (0, (np.eye(3), np.zeros(3))) if parent is None else frames[parent]
            in_parent, in_child = frame(link["parent_frame"]), frame(link["child_frame"])
            if joint["kind"] == "weld":
                link_in_parent = compose(in_parent, inverse(in_child))
                own = (parent_joint, compose(inverse(link_in_parent), parent_frame))
            else:
                placement = compose(inverse(parent_frame), in_parent)
                made, last = self.joint_model(joint)
                number = model.addJoint(parent_joint, made, pinocchio.SE3(*placement), f"joint {index}")
                own = (number, compose(in_child, (np.eye(3), last)))
                armature[number] = self.armature(joint)
            frames.append(own)
            self.joints.append(own[0])
            inertia = pinocchio.Inertia(
                link["mass"], np.array(link["center_of_mass"]), np.array(link["inertia"]).reshape(3, 3)
            )
            model.appendBodyToJoint(own[0], inertia, pinocchio.SE3(*inverse(own[1])))
        numbers = np.zeros(model.nv)
        for number, values in armature.items():
            at = model.joints[number].idx_v
            numbers[at : at + len(values)] = values
        model.armature = numbers
        self.model, self.data = model, model.createData()

    @staticmethod
    def joint_model(joint):
        """Returns the joint, and the pose of its last frame in the joint frame at position zero."""
        if joint["kind"] == "free":
            return pinocchio.JointModelFreeFlyer(), np.zeros(3)
        if joint["kind"] == "spherical":
            return pinocchio.JointModelSpherical(), np.zeros(3)
        composite, last = pinocchio.JointModelComposite(), np.zeros(3)
        for axis in joint["axes"]:
            unaligned = pinocchio.JointModelRevoluteUnaligned if axis["hinge"] else pinocchio.JointModelPrismaticUnaligned
            anchor = np.array(axis["anchor"])
            composite.addJoint(unaligned(*axis["direction"]), pinocchio.SE3(np.eye(3), anchor - last))
            last = anchor
        return composite, last

    @staticmethod
    def armature(joint):
        if joint["kind"] == "spherical":
            return [joint["armature"]] * 3
        return [axis["armature"] for axis in joint.get("axes", [])]

    def take(self, state):
        """Returns efforts, accelerations of Burgess and of the library, mass matrix and bias, in the library's coordinates."""
        q, v = np.zeros(self.model.nq), np.zeros(self.model.nv)
        tau, ours = np.zeros(self.model.nv), np.zeros(self.model.nv)
        for link, number in zip(self.links, self.joints):
            kind, count = link["joint"]["kind"], degrees(link)
            if kind == "weld":
                continue
            at_q, at = self.model.joints[number].idx_q, self.model.joints[number].idx_v
            if kind == "free":
                root = FreeRoot(link, state)
                back, spin = root.rotation.T, root.spin
                q[at_q : at_q + 7] = [*root.origin, *root.q]
                v[at : at + 6] = [*(back @ root.linear), *(back @ spin)]
                moment, force = root.effort(link, state["efforts"])
                tau[at : at + 6] = [*(back @ force), *(back @ moment)]
                angular, linear = root.acceleration(link, state["accelerations"])
                ours[at : at + 6] = [*(back @ (linear - np.cross(spin, root.linear))), *(back @ angular)]
                continue
            positions = 4 if kind == "spherical" else count
            q[at_q : at_q + positions] = state["q"][link["q"] : link["q"] + positions]
            for theirs, name in ((v, "v"), (tau, "efforts"), (ours, "accelerations")):
                theirs[at : at + count] = state[name][link["v"] : link["v"] + count]
        model, data = self.model, self.data
        own = pinocchio.aba(model, data, q, v, tau).copy()
        mass = pinocchio.crba(model, data, q).copy()
        mass = np.triu(mass) + np.triu(mass, 1).T
        return tau, ours, own, mass, pinocchio.nonLinearEffects(model, data, q, v).copy()


class Mujoco:
    """A tree in MuJoCo. A stack becomes several joints of one body."""

    name = "mujoco"

    def __init__(self, sample):
        self.links = sample["links"]
        children = {}
        for index, link in enumerate(self.links):
            children.setdefault(link["parent"], []).append(index)
        bodies = "".join(self.body(index, children) for index in children[None])
        xml = (
            '<mujoco><compiler angle="radian" autolimits="false" boundmass="0" boundinertia="0" '
            'balanceinertia="false" fusestatic="false"/>'
            f'<option gravity="{text(sample["gravity"])}"><flag constraint="disable" contact="disable"/></option>'
            f"<worldbody>{bodies}</worldbody></mujoco>"
        )
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)

    def body(self, index, children):
        link = self.links[index]
        joint, in_child = link["joint"], frame(link["child_frame"])
        pose = compose(frame(link["parent_frame"]), inverse(in_child))
        turn = product(link["parent_frame"][3:], conjugate(link["child_frame"][3:]))
        i = link["inertia"]
        inertia = [i[0], i[4], i[8], i[1], i[2], i[5]]
        if joint["kind"] == "free":
            joints = f'<joint name="{index}.0" type="free"/>'
        elif joint["kind"] == "spherical":
            joints = f'<joint name="{index}.0" type="ball" pos="{text(in_child[1])}" armature="{joint["armature"]!r}"/>'
        else:
            joints = "".join(
                f'<joint name="{index}.{number}" type="{"hinge" if axis["hinge"] else "slide"}" '
                f'pos="{text(in_child[0] @ axis["anchor"] + in_child[1])}" '
                f'axis="{text(in_child[0] @ axis["direction"])}" armature="{axis["armature"]!r}"/>'
                for number, axis in enumerate(joint.get("axes", []))
            )
        return (
            f'<body name="{index}" pos="{text(pose[1])}" quat="{text([turn[3], *turn[:3]])}">{joints}'
            f'<inertial pos="{text(link["center_of_mass"])}" mass="{link["mass"]!r}" fullinertia="{text(inertia)}"/>'
            + "".join(self.body(child, children) for child in children.get(index, []))
            + "</body>"
        )

    def take(self, state):
        """Returns efforts, accelerations of Burgess and of the library, mass matrix and bias, in the library's coordinates."""
        model, data = self.model, self.data
        tau, ours = np.zeros(model.nv), np.zeros(model.nv)
        for index, link in enumerate(self.links):
            kind, count = link["joint"]["kind"], degrees(link)
            if kind == "weld":
                continue
            at_q, at = model.joint(f"{index}.0").qposadr[0], model.joint(f"{index}.0").dofadr[0]
            if kind == "free":
                # Linear velocity in world coordinates, angular velocity in body coordinates.
                root = FreeRoot(link, state)
                back = root.rotation.T
                data.qpos[at_q : at_q + 7] = [*root.origin, root.q[3], *root.q[:3]]
                data.qvel[at : at + 6] = [*root.linear, *(back @ root.spin)]
                moment, force = root.effort(link, state["efforts"])
                tau[at : at + 6] = [*force, *(back @ moment)]
                angular, linear = root.acceleration(link, state["accelerations"])
                ours[at : at + 6] = [*linear, *(back @ angular)]
                continue
            turn = np.eye(3)
            if kind == "spherical":
                # Burgess uses the joint frame on the link, MuJoCo the link frame.
                turn = frame(link["child_frame"])[0]
                own = np.array(state["q"][link["q"] : link["q"] + 4])
                data.qpos[at_q : at_q + 4] = [own[3], *(turn @ own[:3])]
            else:
                turn = np.eye(count)
                data.qpos[at_q : at_q + count] = state["q"][link["q"] : link["q"] + count]
            for theirs, name in ((data.qvel, "v"), (tau, "efforts"), (ours, "accelerations")):
                theirs[at : at + count] = turn @ state[name][link["v"] : link["v"] + count]
        data.qfrc_applied[:] = tau
        mujoco.mj_forward(model, data)
        mass = np.zeros((model.nv, model.nv))
        full_mass(model, data, mass)
        return tau, ours, data.qacc.copy(), mass, data.qfrc_bias.copy()


def full_mass(model, data, mass):
    """Returns the dense mass matrix; the arguments of the function differ between versions."""
    try:
        mujoco.mj_fullM(model, data, mass)
    except TypeError:
        mujoco.mj_fullM(model, mass, data.qM)


def text(numbers):
    return " ".join(repr(float(number)) for number in numbers)


def backward_error(acceleration, tau, mass, bias):
    if len(tau) == 0:
        return 0.0
    residual = np.abs(mass @ acceleration + bias - tau)
    scale = np.abs(mass) @ np.abs(acceleration) + np.abs(bias) + np.abs(tau)
    return (residual / np.maximum(scale, np.finfo(float).tiny)).max()


def description(links):
    """Counts links by joint: `4 hinge, 2 slide+hinge`."""

    def kind(joint):
        axes = joint.get("axes")
        return "+".join("hinge" if axis["hinge"] else "slide" for axis in axes) if axes else joint["kind"]

    counts = Counter(kind(link["joint"]) for link in links)
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def main(path):
    engines = [engine for engine, there in ((Pinocchio, pinocchio), (Mujoco, mujoco)) if there]
    if not engines:
        sys.exit("compare_dynamics: neither Pinocchio nor MuJoCo is installed")
    worst, failed, models, states = Counter(), 0, 0, 0
    with open(path) as file:
        for number, line in enumerate(file):
            sample = json.loads(line)
            links, errors = sample["links"], Counter()
            for engine in engines:
                peer = engine(sample)
                for state in sample["states"]:
                    tau, ours, own, mass, bias = peer.take(state)
                    for who, acceleration in (("ours", ours), ("own", own)):
                        error = backward_error(acceleration, tau, mass, bias)
                        error = error if np.isfinite(error) else float("inf")
                        errors[engine.name, who] = max(errors[engine.name, who], error)
            agrees = all(error <= TOLERANCE for error in errors.values())
            models, states, failed = models + 1, states + len(sample["states"]), failed + (not agrees)
            for key, error in errors.items():
                worst[key] = max(worst[key], error)
            dofs = sum(degrees(link) for link in links)
            print(
                f"{number:3} {'agrees' if agrees else 'DISAGREES'}: {summary(errors, engines)}; "
                f"{len(links)} links, {dofs} degrees of freedom: {description(links)}"
            )
    print(f"{models} models, {states} states, {failed} disagree; worst {summary(worst, engines)}")
    return 1 if failed or models == 0 else 0


def summary(errors, engines):
    parts = (f"{e.name} ours {errors[e.name, 'ours']:.1e} (its own {errors[e.name, 'own']:.1e})" for e in engines)
    return ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
