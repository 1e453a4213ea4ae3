"""Writes reference data of MuJoCo for the models in crates/formats/tests/mjcf_import/models: masses, shapes, actuators,
colliding pairs, and moving bodies. The tests of the MJCF import compare with the .toml file beside every model.

    target/peers/pinocchio/bin/python bench/peers/mjcf_reference.py
"""

import sys
from pathlib import Path

import mujoco
import numpy as np

MODELS = Path(__file__).parents[2] / "crates/formats/tests/mjcf_import/models"
STATES = 3


def matrix(quaternion):
    """Returns the matrix of a quaternion w, x, y, z."""
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, np.asarray(quaternion, float))
    return out.reshape(3, 3)


def text(value):
    """Formats a value as TOML."""
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(text(item) for item in value) + "]"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value) + 0.0)


def table(kind, **fields):
    return f"\n[[{kind}]]\n" + "".join(f"{key} = {text(value)}\n" for key, value in fields.items() if value is not None)


def bodies(model):
    for body in range(1, model.nbody):
        turn = matrix(model.body_iquat[body])
        inertia = turn @ np.diag(model.body_inertia[body]) @ turn.T
        moments = [inertia[i, j] for i, j in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]]
        yield table("bodies", name=model.body(body).name, mass=model.body_mass[body], center=model.body_ipos[body],
                    inertia=moments)  # fmt: skip


def shown(model):
    """Returns the geoms that become shapes of a scene: all except meshes without contacts."""
    for geom in range(model.ngeom):
        touches = model.geom_contype[geom] or model.geom_conaffinity[geom]
        if touches or model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
            yield geom


def shapes(model):
    for geom in shown(model):
        turn, position = matrix(model.geom_quat[geom]), model.geom_pos[geom]
        fields = dict(body=model.geom_bodyid[geom], form=model.geom_type[geom], margin=model.geom_margin[geom])
        if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
            # The frame of a mesh is specific to MuJoCo, but its box on the body is not.
            mesh = model.geom_dataid[geom]
            first = model.mesh_vertadr[mesh]
            points = model.mesh_vert[first : first + model.mesh_vertnum[mesh]].astype(float) @ turn.T + position
            yield table("shapes", **fields, low=points.min(0), high=points.max(0))
        elif model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_HFIELD:
            field = model.geom_dataid[geom]
            first, count = model.hfield_adr[field], model.hfield_nrow[field] * model.hfield_ncol[field]
            heights = model.hfield_data[first : first + count].astype(float) * model.hfield_size[field, 2]
            size = [*model.hfield_size[field, :2], model.hfield_size[field, 3], *heights]
            yield table("shapes", **fields, position=position, rotation=turn.ravel(), size=size)
        else:
            yield table("shapes", **fields, position=position, rotation=turn.ravel(), size=model.geom_size[geom])


def contacts(model):
    """Returns the pairs of shapes that may collide, and their friction."""
    geoms = list(shown(model))
    for place, a in enumerate(geoms):
        for other, b in enumerate(geoms[: place + 1]):
            fits = (model.geom_contype[a] & model.geom_conaffinity[b]) or (model.geom_contype[b] & model.geom_conaffinity[a])
            pair = sorted([model.geom_bodyid[a], model.geom_bodyid[b]])
            excluded = any(sorted([s >> 16, s & 0xFFFF]) == pair for s in model.exclude_signature)
            if not fits or excluded:
                continue
            ranks = model.geom_priority[a], model.geom_priority[b]
            deciding = [a, b] if ranks[0] == ranks[1] else [a if ranks[0] > ranks[1] else b]
            smooth = max(model.geom_condim[geom] for geom in deciding) == 1
            friction = 0.0 if smooth else max(model.geom_friction[geom, 0] for geom in deciding)
            yield table("contacts", shapes=[other, place], friction=friction)


def drives(model):
    for drive in range(model.nu):
        if model.actuator_dyntype[drive] != mujoco.mjtDyn.mjDYN_NONE:
            continue
        limited = lambda flag, values: values[drive] if flag[drive] else None
        biased = model.actuator_biastype[drive] == mujoco.mjtBias.mjBIAS_AFFINE
        yield table("drives", index=drive, gear=model.actuator_gear[drive, :3], gain=model.actuator_gainprm[drive, 0],
                    bias=model.actuator_biasprm[drive, :3] * biased,
                    control_range=limited(model.actuator_ctrllimited, model.actuator_ctrlrange),
                    force_range=limited(model.actuator_forcelimited, model.actuator_forcerange))  # fmt: skip


def moments(model):
    """Returns moving bodies at random states and at keyframes."""
    random = np.random.default_rng(7)
    data = mujoco.MjData(model)
    for state in range(STATES + model.nkey):
        if state < STATES:
            data.qpos[:] = model.qpos0 + random.uniform(-0.3, 0.3, model.nq)
            data.qvel[:] = random.uniform(-1, 1, model.nv)
            data.ctrl[:] = random.uniform(-0.4, 0.4, model.nu)
            mujoco.mj_normalizeQuat(model, data.qpos)
        else:
            mujoco.mj_resetDataKeyframe(model, data, state - STATES)
        mujoco.mj_forward(model, data)
        positions, rotations, centers, velocities = [], [], [], []
        for body in range(1, model.nbody):
            velocity = np.zeros(6)
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
            positions.append(data.xpos[body])
            rotations.append(data.xmat[body])
            centers.append(data.xipos[body])
            velocities.append(velocity)
        name = model.key(state - STATES).name if state >= STATES else None
        yield table("moments", keyframe=name, qpos=data.qpos, qvel=data.qvel, ctrl=data.ctrl, positions=positions,
                    rotations=rotations, centers=centers, velocities=velocities, acceleration=data.qacc_smooth)  # fmt: skip


def main():
    for path in sorted(MODELS.glob("*.xml")):
        model = mujoco.MjModel.from_xml_path(str(path))
        parts = [part for section in (bodies, shapes, contacts, drives, moments) for part in section(model)]
        head = f"# MuJoCo {mujoco.__version__} on {path.name}, by bench/peers/mjcf_reference.py.\n"
        path.with_suffix(".toml").write_text(head + "".join(parts))
        print(f"{path.name}: {len(parts)} tables", file=sys.stderr)


main()
