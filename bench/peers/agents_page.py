"""Writes docs/results/agents.md and its picture from measures: agents_page.py MEASURES.jsonl FOLDER PROFILE LOAD CORES."""

import json
import math
import pathlib
import sys


def weidmann(density):
    return 1.34 * (1.0 - math.exp(-1.913 * (1.0 / density - 1.0 / 5.4)))


def picture(points):
    """The fundamental diagram as SVG: the curve of Weidmann and the measured points."""
    left, bottom, wide, high = 60, 300, 480, 260

    def place(density, speed):
        return f"{left + wide * density / 5.5:.1f},{bottom - high * speed / 1.5:.1f}"

    curve = " ".join(place(0.02 * step, max(weidmann(0.02 * step), 0.0)) for step in range(5, 270))
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 360" font-family="sans-serif" font-size="13">',
        '<rect width="560" height="360" fill="white"/>',
        f'<path d="M{left},{bottom - high} V{bottom} H{left + wide}" fill="none" stroke="#444"/>',
    ]
    for density in range(6):
        x, y = place(density, 0.0).split(",")
        lines.append(f'<text x="{x}" y="{float(y) + 20}" text-anchor="middle">{density}</text>')
    for tenth in range(0, 16, 5):
        x, y = place(0.0, tenth / 10.0).split(",")
        lines.append(f'<text x="{float(x) - 8}" y="{float(y) + 4}" text-anchor="end">{tenth / 10.0}</text>')
    lines.append(f'<polyline points="{curve}" fill="none" stroke="#2a6fb0" stroke-width="2"/>')
    for point in points:
        x, y = place(point["density"], point["speed"]).split(",")
        lines.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#c8352b"/>')
    lines.append('<text x="300" y="345" text-anchor="middle">density (1/m²)</text>')
    lines.append('<text x="18" y="170" text-anchor="middle" transform="rotate(-90 18 170)">speed (m/s)</text>')
    lines.append('<text x="330" y="70" fill="#2a6fb0">Weidmann (1993)</text>')
    lines.append('<text x="330" y="90" fill="#c8352b">Burgess</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def main():
    rows = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text().splitlines()]
    folder = pathlib.Path(sys.argv[2])
    of = lambda name: [row for row in rows if row["measure"] == name]
    diagram, gaps, costs, flocks = of("diagram"), of("bottleneck"), of("cost"), of("flock_cost")
    error = sum(abs(row["speed"] / row["weidmann"] - 1.0) for row in diagram) / len(diagram)
    count = len(gaps)
    mean_width = sum(row["width"] for row in gaps) / count
    mean_flow = sum(row["flow"] for row in gaps) / count
    spread = sum((row["width"] - mean_width) ** 2 for row in gaps)
    slope = sum((row["width"] - mean_width) * (row["flow"] - mean_flow) for row in gaps) / spread
    left = sum((row["flow"] - mean_flow - slope * (row["width"] - mean_width)) ** 2 for row in gaps)
    linear = 1.0 - left / sum((row["flow"] - mean_flow) ** 2 for row in gaps)
    first, last = costs[0], costs[-1]
    exponent = math.log(last["median_us"] / first["median_us"]) / math.log(last["agents"] / first["agents"])
    text = ["# Crowds and flocks", "", f"Written by `bench/agents --write`, with the build profile `{sys.argv[3]}`. [agents.md](../agents.md) describes the model.",
        f"The load of the machine was {sys.argv[4]} on {sys.argv[5]} cores. Above 1, times are longer than on an idle machine.",
        ""]
    text += ["## Fundamental diagram", "", "Mean speed in a corridor of 4 m that is a ring, over one minute, against the curve of Weidmann (1993). The mean"]
    text += [f"relative error is {100 * error:.1f} %.", "", "![Speed by density](agents/fundamental_diagram.svg)", ""]
    text += ["| density (1/m²) | speed (m/s) | Weidmann (m/s) |", "|---|---|---|"]
    text += [f"| {row['density']} | {row['speed']:.2f} | {row['weidmann']:.2f} |" for row in diagram]
    text += ["", "## Bottlenecks", "", "Persons per second through a bottleneck while the middle half of 120 persons passes. The flow grows linearly with"]
    specific = sum(row["flow"] / row["width"] for row in gaps) / count
    text += [f"the width: {slope:.2f} per metre and second, R² = {linear:.3f}. Divided by the width it is {specific:.2f} in the mean.",
        "Seyfried et al. (2009) measured 1.9.", ""]
    text += ["| width (m) | flow (1/s) |", "|---|---|"] + [f"| {row['width']} | {row['flow']:.2f} |" for row in gaps]
    for row in of("pedpy"):
        text += ["", f"PedPy reads the trajectories of the bottleneck of 1.2 m ({row['people']} people) and finds a flow of {row['flow']} per second."]
    text += ["", "## A circle of 250 who swap places", "", "Bodies of 0.14 m on a circle of 25 m, 1.34 m/s, steps of 1/60 s. A collision is a pair of bodies that overlap after",
        "a step.", ""]
    text += ["| | time per step (µs) | collisions | all are there after (s) |", "|---|---|---|---|"]
    for name, key in [("Burgess", "circle"), ("RVO2 (pyrvo)", "circle_rvo2")]:
        text += [f"| {name} | {row['step_us']} | {row['collisions']} | {row['arrived_s']} |" for row in of(key)]
    text += ["", "## Cost", "", "Time of a step of a crowd, half of which walk against the others at one person per two square metres, on one core."]
    text += [f"It grows with the number of walkers to the power {exponent:.2f}. The times are the least of five repetitions.", ""]
    text += ["| walkers | median (µs) | slowest (µs) |", "|---|---|---|"]
    text += [f"| {row['agents']} | {row['median_us']} | {row['slowest_us']} |" for row in costs]
    first, last = flocks[0], flocks[-1]
    exponent = math.log(last["median_us"] / first["median_us"]) / math.log(last["agents"] / first["agents"])
    text += ["", "Time of a step of a simulation of birds in one flock, collisions included. It grows with the number of birds to the",
        f"power {exponent:.2f}.", ""]
    text += ["| birds | median (µs) | slowest (µs) |", "|---|---|---|"]
    text += [f"| {row['agents']} | {row['median_us']} | {row['slowest_us']} |" for row in flocks]
    (folder / "agents").mkdir(exist_ok=True)
    (folder / "agents.md").write_text("\n".join(text) + "\n")
    (folder / "agents" / "fundamental_diagram.svg").write_text(picture(diagram))


main()
