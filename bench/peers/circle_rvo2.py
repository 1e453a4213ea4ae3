"""RVO2 on a circle of agents that swap places: time per step, collisions, time until all are there. Prints JSON."""

import json
import math
import sys
import time

import pyrvo

COUNT = 250
RADIUS = 25.0
BODY = 0.14
SPEED = 1.34
STEP = 1.0 / 60.0
ARRIVAL = 0.4
MAX_STEPS = 60_000


def main():
    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(STEP)
    simulator.set_agent_defaults(5.0, 10, 5.0, 5.0, BODY, SPEED)
    places = []
    for index in range(COUNT):
        angle = 2.0 * math.pi * index / COUNT
        places.append((RADIUS * math.cos(angle), RADIUS * math.sin(angle)))
        simulator.add_agent(places[-1])
    seconds, collisions, steps = 0.0, 0, 0
    while steps < MAX_STEPS:
        positions = [simulator.get_agent_position(index) for index in range(COUNT)]
        points = [(position.x, position.y) for position in positions]
        away = [math.dist(point, (-place[0], -place[1])) for point, place in zip(points, places)]
        if max(away) < ARRIVAL:
            break
        for index, (x, y) in enumerate(points):
            dx, dy = -places[index][0] - x, -places[index][1] - y
            distance = math.hypot(dx, dy)
            speed = min(SPEED, distance / STEP)
            # A slight turn breaks the symmetry, as RVO2's own example does.
            turn = 1e-3 * math.sin(index + steps)
            scale = speed / max(distance, 1e-9)
            wanted = (scale * (dx - turn * dy), scale * (dy + turn * dx))
            simulator.set_agent_pref_velocity(index, wanted)
        start = time.perf_counter()
        simulator.do_step()
        seconds += time.perf_counter() - start
        steps += 1
        points.sort()
        for index, (x, y) in enumerate(points):
            for other in points[index + 1 :]:
                if other[0] - x > 2.0 * BODY:
                    break
                collisions += math.dist((x, y), other) < 2.0 * BODY - 1e-3
    result = {
        "measure": "circle_rvo2",
        "agents": COUNT,
        "step_us": round(1e6 * seconds / max(steps, 1), 2),
        "collisions": collisions,
        "arrived_s": round(steps * STEP, 2) if steps < MAX_STEPS else None,
    }
    json.dump(result, sys.stdout)
    print()


main()
