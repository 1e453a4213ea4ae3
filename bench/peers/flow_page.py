"""Writes docs/results/flow.md from what bench/flow measured: flow_page.py FOLDER FILE."""

import json
import pathlib
import sys


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}f}"


def core_table(rows):
    text = "| field | method | mean error | largest error | false | missed | time |\n|---|---|---|---|---|---|---|\n"
    for row in rows:
        if row.get("crashed"):
            text += f"| {row['field']} | {row['method']} | crashes | | | | |\n"
            continue
        share = "–" if row["false"] is None else f"{100 * row['false']:.0f} %"
        text += (
            f"| {row['field']} | {row['method']} | {number(row['mean'])} | {number(row['max'])} | {share} "
            f"| {100 * row['missed']:.0f} % | {row['seconds']:.2f} s |\n"
        )
    return text


def flow_table(rows):
    text = "| flow | steps | tubes | points by parallel vectors | bytes | smaller | core error | radius error | time per step |\n"
    text += "|---|---|---|---|---|---|---|---|---|\n"
    for row in rows:
        text += (
            f"| {row['flow']} | {row['steps']} | {row['tubes_mean']:.1f}, at most {row['tubes_max']} "
            f"| {row['second_opinions']} | {row['bytes']} | {row['compression']:.0f} times "
            f"| {row['core_error_cells']:.3f} | {100 * row['radius_error']:.1f} % "
            f"| {row['wall_seconds'] / row['steps']:.2f} s |\n"
        )
    return text


def events(folder, name):
    path = folder / f"{name}.txt"
    if not path.exists():
        return ""
    listed = path.read_text().partition("\n\n")[2].strip()
    return f"\n{name}:\n\n" + "\n".join("    " + line for line in listed.splitlines()) + "\n"


def main():
    folder, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    flows = lines(folder / "flows.jsonl")
    threads = lines(folder / "threads.jsonl")
    text = f"""# Results: flows

Vortex tubes of the built-in flows. This page is written by

    bench/flow --write

## Vortex cores beside VTK

Distance of core points from the exact core, in cells, for straight vortices of random position, direction and radius
(64 cubed), rings of ratio 5 and helices (48 cubed). Exact is the axis of a straight vortex; for the others the minimum
of pressure of the same filament on a finer grid. *False* are points farther than 3 cells from any core, which the mean
leaves out; *missed* is the share of the exact core without a found point within a cell. VTK is `vtkVortexCore` on the
same files, with its defaults; where it *crashes*, its process ended with a segmentation fault. Times are the best of
three runs, each with the threads that the program takes by default.

{core_table(lines(folder / 'cores.jsonl'))}
## Tubes

*Smaller* compares the file of tubes with the velocity in single precision. The core error is the largest distance of
an extracted core from the curve through its stored points, in cells; the radius error is relative.

{flow_table(flows)}
## Events

Tubes that go on from one step to the next are not listed.
{events(folder, 'leapfrog')}{events(folder, 'collision')}"""
    if threads:
        text += "\n## Threads\n\n| threads | time per step | hash |\n|---|---|---|\n"
        for row in threads:
            text += f"| {row['threads']} | {row['wall_seconds'] / row['steps']:.3f} s | `{row['tubes_hash']}` |\n"
    extra = folder / "tests.md"
    if extra.exists():
        text += "\n" + extra.read_text()
    page.write_text(text)


if __name__ == "__main__":
    main()
