"""Reads a trajectory file with PedPy: its frames, and the flow over the line of the bottleneck. Prints JSON."""

import json
import pathlib
import sys

import pedpy


def main():
    trajectory = pedpy.load_trajectory(trajectory_file=pathlib.Path(sys.argv[1]))
    line = pedpy.MeasurementLine([(8, 3), (8, 5)])
    crossings, _ = pedpy.compute_n_t(traj_data=trajectory, measurement_line=line)
    passed = crossings["cumulative_pedestrians"]
    times = crossings["time"]
    first, last = times[passed >= 30].min(), times[passed >= 90].min()
    result = {
        "measure": "pedpy",
        "people": int(trajectory.data["id"].nunique()),
        "frame_rate": trajectory.frame_rate,
        "flow": round(60.0 / float(last - first), 3),
    }
    print(json.dumps(result))


main()
