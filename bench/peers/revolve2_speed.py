"""Measures how much simulated time Revolve2 reaches per processor second, and prints one JSON object per robot.

Called by bench/revolve2. The robots are Revolve2's own, with random brains, headless, on flat ground.
"""

import json
import logging
import time

from revolve2.modular_robot import ModularRobot
from revolve2.modular_robot.body.base import ActiveHinge
from revolve2.modular_robot.brain.cpg import (
    BrainCpgNetworkStatic,
    active_hinges_to_cpg_network_structure_neighbor,
)
from revolve2.modular_robot_simulation import ModularRobotScene, simulate_scenes
from revolve2.simulation.simulator import BatchParameters
from revolve2.simulators.mujoco_simulator import LocalSimulator
from revolve2.standards import terrains
from revolve2.standards.modular_robots_v2 import gecko_v2, spider_v2

import numpy as np

SECONDS = 30
STEP = 0.001

logging.disable(logging.CRITICAL)


def robot(body, seed: int) -> ModularRobot:
    """Gives a body a random network of oscillators."""
    structure, mapping = active_hinges_to_cpg_network_structure_neighbor(body.find_modules_of_type(ActiveHinge))
    weights = np.random.default_rng(seed).uniform(-1, 1, structure.num_connections)
    brain = BrainCpgNetworkStatic.uniform_from_params(
        params=weights, cpg_network_structure=structure, initial_state_uniform=0.7, output_mapping=mapping
    )
    return ModularRobot(body=body, brain=brain)


def main() -> None:
    for name, make in (("gecko", gecko_v2), ("spider", spider_v2)):
        scene = ModularRobotScene(terrain=terrains.flat())
        scene.add_robot(robot(make(), 1))
        batch = BatchParameters(
            simulation_time=SECONDS, simulation_timestep=STEP, sampling_frequency=5, control_frequency=20
        )
        simulator = LocalSimulator(headless=True, num_simulators=1)
        start = time.process_time()
        simulate_scenes(simulator=simulator, batch_parameters=batch, scenes=scene)
        used = time.process_time() - start
        print(json.dumps({"program": "revolve2 1.2.4", "body": name, "per_core_second": round(SECONDS / used, 1)}))


main()
