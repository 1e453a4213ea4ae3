"""Loads scenes that were exported as MJCF into MuJoCo and compares their properties.

Reads the output of `exported_scenes`. Checks for every scene: no error and no warning while loading, the same masses,
centres of mass and inertias, the same pairs of bodies that may collide, no overlaps at the start, the same poses of all
bodies at the keyframe `start`, and the same accelerations there without constraints. Numbers must agree within 1e-9 of
the largest number of their kind on a body (for accelerations, on a tree).
"""

import json
import sys
import warnings

import mujoco
import numpy as np

TOLERANCE = 1e-9
# Vertices of meshes have single precision in MuJoCo; a scene has a size of about 10 m.
DEPTH = 1e-5


class CheckFailed(Exception):
    """A check of a scene failed."""


def load(text):
    """Loads a model; fails if MuJoCo reports an error or a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = mujoco.MjModel.from_xml_string(text)
        except ValueError as error:
            raise CheckFailed(f"MuJoCo cannot load the model: {' '.join(str(error).split())}") from error
    if caught:
        raise CheckFailed(f"MuJoCo warns: {'; '.join(str(warning.message) for warning in caught)}")
    return model


def matrix(quaternion):
    """Returns the matrix of a unit quaternion w, x, y, z."""
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, quaternion)
    return out.reshape(3, 3)


class Check:
    """Compares numbers, and keeps the largest difference of each kind relative to the largest number."""

    def __init__(self):
        self.worst = {}

    def compare(self, kind, name, ours, theirs, scale=None):
        ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
        if ours.shape != theirs.shape:
            raise CheckFailed(f"{kind} of '{name}': {ours.size} numbers are {theirs.size} in MuJoCo")
        if not ours.size:
            return
        scale = scale if scale else max(np.abs(ours).max(), np.abs(theirs).max(), 1e-300)
        error = np.abs(ours - theirs).max() / scale
        self.worst[kind] = max(self.worst.get(kind, 0.0), error)
        if not error <= TOLERANCE:
            raise CheckFailed(f"{kind} of '{name}' differ by {error:.1e}: {ours.tolist()}, in MuJoCo {theirs.tolist()}")


def check(line, total):
    model = load(line["xml"])
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    check_masses(line, model, total)
    for body in line["bodies"]:
        there = data.body(body["name"])
        total.compare("positions", body["name"], body["position"], there.xpos, 1 + np.abs(body["position"]).max())
        x, y, z, w = body["orientation"]
        total.compare("orientations", body["name"], matrix(np.array([w, x, y, z])), there.xmat.reshape(3, 3), 1)
    check_accelerations(line, model, data, total)
    check_touching(line, model)
    deepest = -data.contact.dist.min(initial=0.0)
    if deepest > DEPTH and not line["overlaps"]:
        raise CheckFailed(f"bodies start {deepest} m inside each other")
    return model


def check_touching(line, model):
    """Checks that the same pairs of bodies may collide. Pairs without relative motion are ignored."""
    ours = {tuple(sorted(line["bodies"][body]["name"] for body in pair)) for pair in line["touching"]}
    geoms = {}
    for geom in range(model.ngeom):
        geoms.setdefault(int(model.geom_bodyid[geom]), []).append((model.geom_contype[geom], model.geom_conaffinity[geom]))
    excluded = set(model.exclude_signature.tolist())
    filter_parents = not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
    weld = model.body_weldid
    moves = model.body_treeid >= 0
    for a in geoms:
        for b in geoms:
            if a >= b or weld[a] == weld[b] or not (moves[a] or moves[b]):
                continue
            parents = weld[model.body_parentid[weld[a]]] == weld[b] or weld[model.body_parentid[weld[b]]] == weld[a]
            bits = any(c & f or d & e for c, d in geoms[a] for e, f in geoms[b])
            passing = ((a << 16) + b) in excluded or (filter_parents and parents and weld[a] and weld[b])
            pair = tuple(sorted([model.body(a).name, model.body(b).name]))
            if (bits and not passing) != (pair in ours):
                raise CheckFailed(f"'{pair[0]}' and '{pair[1]}' touch {'here' if pair in ours else 'in MuJoCo'} only")


def check_masses(line, model, total):
    masses = [body["mass"]["mass"] for body in line["bodies"] if body["mass"]]
    total.compare("total mass", line["scene"], [sum(masses)], [model.body_mass.sum()])
    for body in line["bodies"]:
        if not body["mass"]:
            continue
        there = model.body(body["name"])
        total.compare("masses", body["name"], [body["mass"]["mass"]], there.mass)
        center = body["mass"]["center"]
        total.compare("centres of mass", body["name"], center, there.ipos, max(np.abs(center).max(), 1e-3))
        turn = matrix(there.iquat)
        inertia = turn @ np.diag(there.inertia) @ turn.T
        total.compare("inertias", body["name"], np.reshape(body["mass"]["inertia"], (3, 3)), inertia)


def check_accelerations(line, model, data, total):
    ours = np.full(model.nv, np.nan)
    tree = np.zeros(model.nv, int)
    for body in line["bodies"]:
        there = model.body(body["name"])
        first, count = there.dofadr[0], there.dofnum[0]
        if count != len(body["accelerations"]):
            raise CheckFailed(f"'{body['name']}' has {len(body['accelerations'])} degrees of freedom, {count} in MuJoCo")
        if count:
            ours[first : first + count] = body["accelerations"]
            tree[first : first + count] = there.rootid[0]
    for root in np.unique(tree):
        own = tree == root
        name = model.body(root).name
        scale = 1 + max(np.abs(ours[own]).max(), np.abs(data.qacc_smooth[own]).max())
        total.compare("accelerations", name, ours[own], data.qacc_smooth[own], scale)


def main():
    total = Check()
    failed = warned = count = 0
    with open(sys.argv[1]) as lines:
        for line in map(json.loads, lines):
            count += 1
            warned += bool(line["warnings"])
            try:
                model = check(line, total)
                print(f"{line['scene']}: passed, {model.nbody} bodies, {model.nv} degrees of freedom")
            except CheckFailed as failure:
                failed += 1
                print(f"{line['scene']}: {failure}")
    for kind, worst in total.worst.items():
        print(f"{kind}: largest difference {worst:.1e}")
    print(f"{count} scenes, {warned} of them exported with warnings, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
