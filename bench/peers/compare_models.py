"""Compares Gymnasium's models in Burgess and in MuJoCo.

For each model, questions are written to a file. `model_answers` answers them with Burgess, and this script with MuJoCo:

1. properties: total mass, centre of mass, and for every moving link its mass, centre of mass, inertia and the axes of its
   joint, at ten random states, to 1e-9 (lengths in m, masses and inertias by the largest of the model);
2. forward dynamics: accelerations at 100 random states inside the joints' limits, under random controls, without constraints
   (contacts, limits), to 1e-6 of the largest acceleration of the state;
3. flight: 2 s by Runge-Kutta at 1 ms from the first pose, random controls in half of their ranges 25 times per second,
   without constraints, to 1e-5 in all positions;
4. standing: ant and humanoid, held in a pose by position servos and placed on their feet, all margins 0, at 1 ms: their
   height while both stand still, to 2 mm;
5. wandering: 60 s at 1/240 s under random controls: the 99th percentile of the deepest penetration per step is below 2 mm.

Penetration is measured relative to the distance at which contacts push, which margins move away from the surfaces.
"""

import argparse
import json
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import mujoco
import numpy as np

from models_page import page
from record_models import MODELS as RECORDED
from record_models import STEP, Controls

SEED = 5
STATES = 100
DESCRIBED = 10
FLIGHT_SECONDS, FLIGHT_STEP = 2.0, 1e-3
# Fraction of the controls' ranges. With the full range and without limits, the legs of walker2d rotate so fast that a change
# of the last bit grows to 1 mm after 2 s.
FLIGHT_CONTROLS = 0.5
WANDER_SECONDS = 60.0
SAME, SAME_ACCELERATION, SAME_FLIGHT = 1e-9, 1e-6, 1e-5
SAME_HEIGHT, PENETRATION = 2e-3, 2e-3
# Stiffness and damping of the servos, in N m/rad and N m s/rad; time of the standing check, in s. The round feet of the
# humanoid are on one line, so it stands for half a second and then falls.
SERVOS = {"ant": (200.0, 20.0, 3.0), "humanoid": (500.0, 50.0, 0.4)}
STAND_STEP = 1e-3


# Questions.


def states(model, random, count):
    """Returns random states inside the joint limits, with controls inside their ranges."""
    for _ in range(count):
        qpos = model.qpos0.copy()
        for joint in range(model.njnt):
            at, kind = model.jnt_qposadr[joint], model.jnt_type[joint]
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                qpos[at : at + 3] = random.uniform(-1, 1, 3)
                qpos[at + 3 : at + 7] = rotation(random)
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                qpos[at : at + 4] = rotation(random)
            elif model.jnt_limited[joint]:
                qpos[at] = random.uniform(*model.jnt_range[joint])
            else:
                qpos[at] += random.uniform(-2, 2)
        yield {"qpos": qpos, "qvel": random.uniform(-3, 3, model.nv), "ctrl": Controls(model, random).at(0)}


def rotation(random):
    quaternion = random.normal(size=4)
    return quaternion / np.linalg.norm(quaternion)


def first_pose(model):
    return {"qpos": model.qpos0.copy(), "qvel": np.zeros(model.nv), "ctrl": np.zeros(model.nu)}


def course(model, random, start, step, seconds, every, share=1.0):
    """Returns a start state and random controls in a fraction of their range, each held for 1/25 s."""
    made, length = Controls(model, random), round(seconds / step)
    rows, steps, last = [], [], None
    for index in range(length):
        now = made.at(index * step)
        if last is not now:
            rows.append(share * now)
            steps.append(index)
            last = now
    return {"start": start, "controls": rows, "steps": steps, "length": length, "every": every}


def with_servos(path, output, stiffness, damping):
    """Writes a copy of the model with a position servo on every hinge and without margins."""
    document = xml.parse(path)
    root = document.getroot()
    for geom in root.iter("geom"):
        geom.attrib.pop("margin", None)
    actuators = root.find("actuator")
    actuators.clear()
    for joint in root.find("worldbody").iter("joint"):
        if joint.get("type") == "hinge":
            xml.SubElement(actuators, "position", joint=joint.get("name"), kp=str(stiffness), kv=str(damping))
    document.write(output)
    return output


def standing_pose(model):
    """Returns the first pose of the model, lowered until its lowest shape touches the ground; servos hold it."""
    data = mujoco.MjData(model)
    start = first_pose(model)
    for number in range(model.nnumeric):
        if model.numeric(number).name == "init_qpos":
            start["qpos"] = model.numeric(number).data.copy()
    start["ctrl"] = start["qpos"][7:].copy()
    data.qpos[:] = start["qpos"]
    data.qpos[2] = 10
    mujoco.mj_kinematics(model, data)
    floor = next(geom for geom in range(model.ngeom) if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_PLANE)
    others = [geom for geom in range(model.ngeom) if geom != floor]
    lowest = min(mujoco.mj_geomDistance(model, data, floor, geom, 100, None) for geom in others)
    start["qpos"][2] = 10 - lowest
    return start


class Question:
    def __init__(self, name, check, path, step, asked):
        self.name, self.check, self.path, self.step, self.asked = name, check, path, step, asked

    def line(self):
        return json.dumps({"file": str(self.path), "step": self.step, **self.asked}, default=lambda array: array.tolist())


def questions(folder, peers, names):
    for number, path in enumerate(sorted(folder.glob("*.xml"))):
        name = path.stem
        if names and name not in names:
            continue
        random = np.random.default_rng([SEED, number])
        model = mujoco.MjModel.from_xml_path(str(path))
        yield Question(name, "states", path, STEP, {"states": list(states(model, random, STATES))})
        flight = course(model, random, first_pose(model), FLIGHT_STEP, FLIGHT_SECONDS, 100, FLIGHT_CONTROLS)
        yield Question(name, "flight", path, FLIGHT_STEP, {"flight": flight})
        if name in RECORDED:
            wander = course(model, random, first_pose(model), STEP, WANDER_SECONDS, 2400)
            yield Question(name, "wander", path, STEP, {"run": wander})
        if name in SERVOS:
            stiffness, damping, seconds = SERVOS[name]
            own = with_servos(path, peers / f"{name}_servos.xml", stiffness, damping)
            start = standing_pose(mujoco.MjModel.from_xml_path(str(own)))
            stand = {"start": start, "controls": [start["ctrl"]], "steps": [0]}
            stand |= {"length": round(seconds / STAND_STEP), "every": 100}
            yield Question(name, "stand", own, STAND_STEP, {"run": stand})


# Answers of MuJoCo.


def depth(data):
    """Returns the deepest penetration."""
    return max((contact.includemargin - contact.dist for contact in data.contact), default=0.0)


def free_of_constraints(path, step, integrator):
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep, model.opt.integrator = step, integrator
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return model


def put(data, moment):
    data.qpos[:], data.qvel[:], data.ctrl[:] = moment["qpos"], moment["qvel"], moment["ctrl"]


def welded(model, data):
    """Returns mass, centre of mass and inertia of every moving group of welded bodies."""
    groups = {}
    for body in range(1, model.nbody):
        groups.setdefault(model.body_weldid[body], []).append(body)
    for root, bodies in groups.items():
        if root == 0:
            continue
        masses = model.body_mass[bodies]
        mass = masses.sum()
        center = masses @ data.xipos[bodies] / mass
        inertia = np.zeros((3, 3))
        for body in bodies:
            turn, arm = data.ximat[body].reshape(3, 3), data.xipos[body] - center
            inertia += turn @ np.diag(model.body_inertia[body]) @ turn.T
            inertia += model.body_mass[body] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        yield model.body_dofadr[root], mass, center, inertia


def axes(model, data):
    """Returns the motion of the body of every hinge and slide, at the world's origin."""
    for joint in range(model.njnt):
        axis, anchor = data.xaxis[joint], data.xanchor[joint]
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
            yield model.jnt_dofadr[joint], axis, np.cross(anchor, axis)
        elif model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_SLIDE:
            yield model.jnt_dofadr[joint], np.zeros(3), axis


# Comparisons. Each returns a description of the result, the number that is checked, and its upper bound.


def compare_description(question, answer):
    model = free_of_constraints(question.path, STEP, mujoco.mjtIntegrator.mjINT_EULER)
    data = mujoco.MjData(model)
    worst = {"mass": 0.0, "centre": 0.0, "inertia": 0.0, "axes": 0.0}

    def note(what, difference):
        worst[what] = max(worst[what], float(np.abs(difference).max(initial=0)))

    for moment, ours in zip(question.asked["states"][:DESCRIBED], answer["states"]["states"]):
        put(data, moment)
        mujoco.mj_forward(model, data)
        theirs = list(welded(model, data))
        whole = sum(mass for _, mass, _, _ in theirs)
        center = sum(mass * center for _, mass, center, _ in theirs) / whole
        largest = max(np.abs(inertia).max() for _, _, _, inertia in theirs)
        note("mass", (ours["mass"] - whole) / whole)
        note("centre", np.array(ours["center"]) - center)
        by_dof = {link["qvel"]: link for link in ours["links"]}
        assert len(by_dof) == len(theirs), f"{len(by_dof)} moving links, MuJoCo has {len(theirs)}"
        for dof, mass, center, inertia in theirs:
            link = by_dof[dof]
            xx, yy, zz, yz, xz, xy = link["inertia"]
            own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            note("mass", (link["mass"] - mass) / whole)
            note("centre", np.array(link["center"]) - center)
            note("inertia", (own - inertia) / largest)
        by_dof = {axis["qvel"]: axis for axis in ours["axes"]}
        for dof, angular, linear in axes(model, data):
            note("axes", np.array(by_dof[dof]["angular"]) - angular)
            note("axes", np.array(by_dof[dof]["linear"]) - linear)
    return ", ".join(f"{what} {error:.1e}" for what, error in worst.items()), max(worst.values()), SAME


def compare_accelerations(question, answer):
    model = free_of_constraints(question.path, STEP, mujoco.mjtIntegrator.mjINT_EULER)
    data = mujoco.MjData(model)
    worst = 0.0
    for moment, ours in zip(question.asked["states"], answer["states"]["states"], strict=True):
        put(data, moment)
        mujoco.mj_forward(model, data)
        difference = np.abs(np.array(ours["accelerations"]) - data.qacc).max()
        worst = max(worst, difference / max(np.abs(data.qacc).max(), 1e-3))
    return f"{worst:.1e} of the largest acceleration", worst, SAME_ACCELERATION


def follow(model, course, see):
    data = mujoco.MjData(model)
    put(data, course["start"])
    rows = iter(zip(course["steps"], course["controls"]))
    begin, row = next(rows)
    for step in range(course["length"]):
        if step == begin:
            data.ctrl[:] = row
            begin, row = next(rows, (None, None))
        mujoco.mj_step(model, data)
        see(step, data)


def same_quaternions(model, ours, theirs):
    """Returns the one of the two equivalent quaternions that is nearer to that of MuJoCo."""
    for joint in range(model.njnt):
        at = {mujoco.mjtJoint.mjJNT_FREE: 3, mujoco.mjtJoint.mjJNT_BALL: 0}.get(model.jnt_type[joint])
        if at is not None:
            at += model.jnt_qposadr[joint]
            if ours[at : at + 4] @ theirs[at : at + 4] < 0:
                ours[at : at + 4] *= -1
    return ours


def compare_flight(question, answer):
    model = free_of_constraints(question.path, question.step, mujoco.mjtIntegrator.mjINT_RK4)
    flight, differences = question.asked["flight"], []
    positions = iter(answer["course"]["positions"])

    def see(step, data):
        if (step + 1) % flight["every"] == 0:
            ours = same_quaternions(model, np.array(next(positions)), data.qpos)
            differences.append(np.abs(ours - data.qpos).max())

    follow(model, flight, see)
    worst = max(differences)
    return f"{worst:.1e} (after 1 s {max(differences[:10]):.1e})", worst, SAME_FLIGHT


def compare_standing(question, answer):
    model = mujoco.MjModel.from_xml_path(str(question.path))
    # Damping of the servos is implicit, which the lightest links need.
    model.opt.timestep, model.opt.integrator = question.step, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    heights, depths = [], []

    def see(step, data):
        heights.append(data.qpos[2])
        depths.append(depth(data))

    follow(model, question.asked["run"], see)
    ours = answer["course"]["positions"][-1][2]
    their_depth, our_depth = depths[-1], answer["course"]["penetrations"][-1]
    found = (
        f"{1e3 * ours:.2f} mm, MuJoCo {1e3 * heights[-1]:.2f} mm after {len(heights) * question.step:.1f} s "
        f"(depth {1e3 * our_depth:.2f} and {1e3 * their_depth:.2f} mm)"
    )
    return found, abs(ours - heights[-1]), SAME_HEIGHT


def compare_wandering(question, answer):
    model = mujoco.MjModel.from_xml_path(str(question.path))
    model.opt.timestep, model.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_EULER
    depths = []
    follow(model, question.asked["run"], lambda _, data: depths.append(depth(data)))
    ours, theirs = (np.percentile(np.maximum(d, 0), [99, 100]) for d in (answer["course"]["penetrations"], depths))
    found = (
        f"{1e3 * ours[0]:.3f} mm (deepest {1e3 * ours[1]:.2f}), "
        f"MuJoCo {1e3 * theirs[0]:.3f} mm (deepest {1e3 * theirs[1]:.2f})"
    )
    return found, ours[0], PENETRATION


COMPARISONS = {
    "states": [("description", compare_description), ("accelerations", compare_accelerations)],
    "flight": [("flight", compare_flight)],
    "stand": [("standing", compare_standing)],
    "wander": [("wandering", compare_wandering)],
}

# The page.

HEADINGS = {
    "description": (
        "Properties of the models",
        "Largest difference of the total mass, the mass and inertia of every moving link (relative to the largest of the model), "
        f"the centres of mass (m) and the joint axes, at {DESCRIBED} random states. Target: {SAME:.0e}.",
    ),
    "accelerations": (
        "Forward dynamics",
        f"Largest difference of the accelerations at {STATES} random states within the joint limits, with random controls, motors, "
        f"damping, springs, armature and fluid, but without constraints. Target: {SAME_ACCELERATION:.0e}.",
    ),
    "flight": (
        "Flight",
        f"Largest difference of a position (m, rad, quaternion) in {FLIGHT_SECONDS:.0f} s from the first pose, both with "
        f"Runge-Kutta steps of 1 ms, without contacts and limits. Controls change 25 times a second, at random in "
        f"{FLIGHT_CONTROLS:.0%} of their ranges. Target: {SAME_FLIGHT:.0e}.",
    ),
    "standing": (
        "Standing",
        "Height of the torso, with steps of 1 ms and margins of 0, while position servos hold the first pose ("
        + ", ".join(f"{name}: {kp:.0f} N m/rad, {kv:.0f} N m s/rad" for name, (kp, kv, _) in SERVOS.items())
        + f"). The round feet of the humanoid are on one line, so it falls after a while. "
        f"Target: within {1e3 * SAME_HEIGHT:.0f} mm.",
    ),
    "wandering": (
        "Penetration",
        f"99th percentile over the steps of the deepest penetration in {WANDER_SECONDS:.0f} s with steps of 1/240 s and random "
        f"controls. Penetration is measured from the distance at which contact forces begin, which includes the margins of "
        f"the shapes: 10 mm in ant, 1 mm in humanoid and hopper. Target: below {1e3 * PENETRATION:.0f} mm.",
    ),
}


def main():
    # MuJoCo would write its warnings to a file in this folder.
    mujoco.set_mju_user_warning(lambda _: None)
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("peers", type=Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--times", type=Path)
    options = parser.parse_args()
    asked = list(questions(options.folder, options.peers, options.models))
    file = options.peers / "model_questions.jsonl"
    file.write_text("".join(question.line() + "\n" for question in asked))
    output = subprocess.run(["target/dist/model_answers", file], stdout=subprocess.PIPE, check=True, text=True).stdout
    results = []
    for question, line in zip(asked, output.splitlines(), strict=True):
        answer = json.loads(line)
        for check, compare in COMPARISONS[question.check]:
            if "failure" in answer:
                found, met = answer["failure"], False
            else:
                found, number, allowed = compare(question, answer)
                met = bool(number <= allowed)
            results.append((question.name, check, found, met))
            print(f"{question.name:25} {check:14} {'passed' if met else 'FAILED'}: {found}", flush=True)
    failed = sum(not met for *_, met in results)
    print(f"{len(results)} checks, {failed} failed")
    if options.write:
        times = [json.loads(line) for line in options.times.read_text().splitlines()] if options.times else []
        options.write.write_text(page(HEADINGS, results, times))
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
