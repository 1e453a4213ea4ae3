"""Writes the page of the comparison of models."""

import textwrap
from datetime import date

import mujoco


def wrap(text):
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def page(headings, results, times):
    parts = [
        "# Results: models of MuJoCo",
        f"Gymnasium's models, read from their MJCF files by Burgess and by MuJoCo {mujoco.__version__}, "
        f"{date.today().isoformat()}. This page is written by\n\n    bench/compare_models --write",
    ]
    for check, (title, text) in headings.items():
        rows = [[name, found, "yes" if met else "**no**"] for name, of, found, met in results if of == check]
        if rows:
            parts += [f"## {title}", wrap(text), table(["model", "found", "met"], rows)]
    if times:
        rows = [
            [
                f"`{time['bench']}`",
                f"{time['ours']:.2f}",
                f"{time['theirs']:.2f}",
                f"{time['ratio']:.2f}",
                f"{time['ratio_q1']:.2f} to {time['ratio_q3']:.2f}",
                f"{time['ours_contacts']:.1f} / {time['theirs_contacts']:.1f}",
            ]
            for time in times
        ]
        parts += [
            "## Speed",
            wrap(
                "One step of 1/240 s from the same recorded states, sorted by the number of contacts in MuJoCo (`bench/run models`, "
                "see [benchmarks](../benchmarks.md#models)). MuJoCo uses semi-implicit Euler and its C library; both use one "
                "thread. A ratio above 1 means that Burgess is faster."
            ),
            table(["bench", "ours, us", "MuJoCo, us", "ratio", "quartiles", "contacts ours / theirs"], rows),
        ]
    return "\n\n".join(parts) + "\n"
