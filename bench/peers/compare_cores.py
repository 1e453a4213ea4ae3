"""Compares vortex cores with those of vtkVortexCore on the same files: compare_cores.py FOLDER.

Reads what the example `core_errors` of crates/flow wrote. Prints one JSON object per field and method.
"""

import json
import pathlib
import subprocess
import sys
import time

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy


def vtk_cores(path, higher_order):
    """The same as `vtk_cores_here`, in another process; none if VTK crashes, as its higher order does with some files."""
    command = [sys.executable, __file__, "--one", str(path), str(int(higher_order))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, None
    points, seconds = json.loads(done.stdout.splitlines()[-1])
    return numpy.array(points).reshape(-1, 3), seconds


def vtk_cores_here(path, higher_order):
    """Points of the core lines, and the best time of three runs in seconds."""
    reader = vtk.vtkStructuredPointsReader()
    reader.SetFileName(str(path))
    reader.ReadAllVectorsOn()
    reader.Update()
    image = reader.GetOutput()
    image.GetPointData().SetActiveVectors("velocity")
    best, points = float("inf"), numpy.zeros((0, 3))
    for _ in range(3):
        cores = vtk.vtkVortexCore()
        cores.SetHigherOrderMethod(higher_order)
        cores.SetInputData(image)
        cores.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "velocity")
        start = time.perf_counter()
        cores.Update()
        best = min(best, time.perf_counter() - start)
        output = cores.GetOutput()
        if output.GetNumberOfPoints():
            points = vtk_to_numpy(output.GetPoints().GetData())
    return points, best


def distances(points, others, side, periodic):
    """Distance of each point from the nearest of the others."""
    found = numpy.full(len(points), numpy.inf)
    for number, point in enumerate(points):
        difference = others - point
        if periodic:
            difference -= side * numpy.rint(difference / side)
        if len(others):
            found[number] = numpy.sqrt((difference**2).sum(axis=1).min())
    return found


def main():
    if sys.argv[1] == "--one":
        points, seconds = vtk_cores_here(sys.argv[2], sys.argv[3] == "1")
        print(json.dumps([points.tolist(), seconds]))
        return
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(folder.glob("*.json")):
        case = json.loads(path.read_text())
        exact = numpy.array(case["exact"])
        cell, side, periodic = case["cell"], case["side"], case["periodic"]
        dense = refine(exact, side, periodic)
        sets = [("Burgess", numpy.array(case["found"]).reshape(-1, 3), case["seconds"])]
        for name, higher in [("VTK, first order", False), ("VTK, higher order", True)]:
            sets.append((name, *vtk_cores(path.with_suffix(".vtk"), higher)))
        for name, points, seconds in sets:
            if points is None:
                print(json.dumps({"field": case["name"], "method": name, "crashed": True}), flush=True)
                continue
            # Error: how far found points are from the exact core. Missed: exact places without a point within a cell.
            errors = distances(points, dense, side, periodic) / cell
            missed = distances(exact, points, side, periodic) / cell > 1.0
            near = errors[errors < 3.0]
            row = {
                "field": case["name"],
                "method": name,
                "mean": float(near.mean()) if len(near) else None,
                "max": float(errors.max()) if len(errors) else None,
                "false": float((errors >= 3.0).mean()) if len(errors) else None,
                "missed": float(missed.mean()),
                "seconds": seconds,
            }
            print(json.dumps(row), flush=True)


def refine(exact, side, periodic):
    """Places between the exact ones, so that their distance does not count as an error."""
    steps = numpy.linspace(0.0, 1.0, 16, endpoint=False)
    following = numpy.roll(exact, -1, axis=0)
    difference = following - exact
    if periodic:
        difference -= side * numpy.rint(difference / side)
    else:
        # A straight core goes on beyond the last places, to the walls.
        direction = exact[-1] - exact[0]
        direction /= numpy.linalg.norm(direction)
        difference[-1] = 0.0
        beyond = numpy.linspace(0.0, 0.3, 600)[:, None] * direction
        ends = numpy.concatenate([exact[0] - beyond, exact[-1] + beyond])
        between = (exact[:, None, :] + steps[None, :, None] * difference[:, None, :]).reshape(-1, 3)
        return numpy.concatenate([between, ends])
    return (exact[:, None, :] + steps[None, :, None] * difference[:, None, :]).reshape(-1, 3)


if __name__ == "__main__":
    main()
