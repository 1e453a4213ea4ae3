#!/usr/bin/env python3
"""Computes accelerations of a small machine in MuJoCo with a fluid, tendons and actuators, for the tests of burgess-scene.

    target/peers/pinocchio/bin/python bench/peers/mujoco_forces.py > crates/scene/tests/reference/mujoco_forces.toml

The same machine is in crates/scene/tests/reference/machine.toml. Quaternions are written as x, y, z, w; velocity and
acceleration of the root are angular, then linear, in world coordinates, as in Burgess.
"""

import mujoco
import numpy as np

MACHINE = """
<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81" density="{density}" viscosity="{viscosity}" wind="0.3 -0.2 0.1"/>
  <worldbody>
    <body name="trunk">
      <freejoint/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.03 0.05 0.06"/>
      <body name="arm" pos="0.3 0 0.1">
        <joint name="arm" axis="0 1 0" armature="0.01" damping="0.2"/>
        <inertial pos="0.1 0.02 -0.2" mass="1" fullinertia="0.02 0.03 0.025 0.002 -0.003 0.004"/>
        <body name="slider" pos="0 0 -0.4">
          <joint name="slider" type="slide" axis="0.6 0 0.8" stiffness="30" springref="0.1"/>
          <inertial pos="0 0 0.05" mass="0.5" diaginertia="0.002 0.003 0.0025"/>
        </body>
      </body>
      <body name="ball" pos="-0.3 0.1 0">
        <joint name="ball" type="ball" damping="0.05"/>
        <inertial pos="-0.1 0 0" mass="0.7" diaginertia="0.004 0.006 0.005"/>
        <body name="finger" pos="-0.2 0 0">
          <joint name="finger_x" axis="1 0 0" damping="0.01"/>
          <joint name="finger_y" axis="0 1 0" damping="0.01"/>
          <inertial pos="0 0.03 -0.1" mass="0.3" diaginertia="0.001 0.0012 0.0008"/>
        </body>
      </body>
    </body>
  </worldbody>
  {tendon}
  {actuator}
</mujoco>
"""

TENDON = """
  <tendon>
    <fixed stiffness="200" damping="3" springlength="-0.1 0.2">
      <joint joint="arm" coef="1.5"/> <joint joint="slider" coef="-2"/> <joint joint="finger_y" coef="0.5"/>
    </fixed>
    <fixed stiffness="40" damping="0" springlength="0.3">
      <joint joint="finger_x" coef="1"/> <joint joint="finger_y" coef="-1"/>
    </fixed>
  </tendon>
"""

ACTUATOR = """
  <actuator>
    <motor joint="arm" gear="3" ctrllimited="true" ctrlrange="-1 1" forcelimited="true" forcerange="-0.4 0.7"/>
    <position joint="arm" kp="6" kv="0.3" gear="-2"/>
    <position joint="slider" kp="50" kv="2" gear="2" forcelimited="true" forcerange="-9 9"/>
    <velocity joint="finger_x" kv="0.5"/>
    <motor joint="ball" gear="0 2 0"/>
    <velocity joint="ball" gear="0 0 -1.5" kv="0.2"/>
  </actuator>
"""

CASES = {
    "viscous": dict(density=0, viscosity=0.9, tendon="", actuator=""),
    "dense": dict(density=1200, viscosity=0, tendon="", actuator=""),
    "tendons": dict(density=0, viscosity=0, tendon=TENDON, actuator=""),
    "actuators": dict(density=0, viscosity=0, tendon="", actuator=ACTUATOR),
    "all": dict(density=800, viscosity=0.3, tendon=TENDON, actuator=ACTUATOR),
}


def row(numbers):
    return "[" + ", ".join(repr(float(number)) for number in numbers) + "]"


def main():
    random = np.random.default_rng(1)
    print("# Made by bench/peers/mujoco_forces.py with MuJoCo", mujoco.__version__)
    for name, case in CASES.items():
        model = mujoco.MjModel.from_xml_string(MACHINE.format(**case))
        data = mujoco.MjData(model)
        for moment in range(6):
            # The first tendon is slack near zero.
            data.qpos[:] = random.normal(size=model.nq) * (0.4 if moment % 2 else 0.05)
            data.qvel[:] = random.normal(size=model.nv)
            data.ctrl[:] = random.normal(size=model.nu)
            for first in (3, 9):
                data.qpos[first : first + 4] = random.normal(size=4)
                data.qpos[first : first + 4] /= np.linalg.norm(data.qpos[first : first + 4])
            mujoco.mj_forward(model, data)
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, data.qpos[3:7])
            turn = turn.reshape(3, 3)

            def ours(of):
                return np.concatenate([turn @ of[3:6], of[:3], of[6:]])

            q = data.qpos.copy()
            for first in (3, 9):
                q[first : first + 4] = np.roll(q[first : first + 4], -1)
            print(f"\n[[{name}]]")
            print("q =", row(q))
            print("v =", row(ours(data.qvel)))
            print("controls =", row(data.ctrl))
            print("forces =", row(data.actuator_force))
            print("acceleration =", row(ours(data.qacc)))


main()
