"""Compares Dirichlet domains of closed hyperbolic manifolds in Burgess and in SnapPy.

For each manifold SnapPy computes the domain about a point of largest injectivity radius and writes its face pairings to a
generator file. Burgess reads the file and computes the domain anew, from all pairings and from a few that generate the
group. Compared are the numbers of faces, edges and vertices, the volume, and the distances from the base point to the
nearest face and to the farthest vertex. SnapPy's files have 15 digits.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import snappy

MANIFOLDS = 20
# The volume is an integral over the whole domain; radii are those of single vertices.
SAME_VOLUME, SAME_RADIUS = 1e-9, 1e-9


def burgess_domain(program, file):
    """Returns the description of a generator file by `burgess spaces`."""
    answer = subprocess.run([program, "spaces", str(file), "--json"], capture_output=True, text=True, timeout=120)
    if answer.returncode != 0:
        return {"error": answer.stderr.strip()}
    return json.loads(answer.stdout)


def with_first_pairs(file, pairs):
    """Returns the text of a generator file reduced to the first pairs of its matrices."""
    blocks = file.read_text().split("\n\n")
    head, first = blocks[0].split("\n", 2)[0], "\n".join(blocks[0].split("\n")[2:])
    matrices = [first, *[block for block in blocks[1:] if block.strip()]]
    # A matrix and its inverse follow each other.
    kept = matrices[0 : 2 * pairs : 2]
    return f"{head}\n{len(kept)}\n" + "\n\n".join(kept) + "\n"


def compare(program, manifold, folder):
    """Prints a line, and returns whether both programs agree."""
    exact = manifold.high_precision()
    peer = exact.dirichlet_domain()
    whole, part = folder / "whole.gens", folder / "part.gens"
    peer.save(str(whole))
    ours = burgess_domain(program, whole)
    name = f"{str(manifold):<14}"
    if "error" in ours:
        print(f"{name} FAILS  {ours['error']}")
        return False
    counts = (peer.num_faces(), peer.num_edges(), peer.num_vertices())
    volume = abs(ours["volume"] - float(exact.volume()))
    radii = max(abs(ours["in_radius"] - float(peer.in_radius())), abs(ours["out_radius"] - float(peer.out_radius())))
    same = counts == (ours["faces"], ours["edges"], ours["vertices"]) and volume < SAME_VOLUME and radii < SAME_RADIUS
    fewest = None
    for pairs in range(1, counts[0] // 2 + 1):
        part.write_text(with_first_pairs(whole, pairs))
        few = burgess_domain(program, part)
        if "error" not in few and (few["faces"], few["edges"], few["vertices"]) == counts:
            same = same and abs(few["volume"] - ours["volume"]) < SAME_VOLUME
            fewest = pairs
            break
    same = same and fewest is not None
    print(
        f"{name} {'agrees' if same else 'DIFFERS'}  faces {counts[0]} ({ours['faces']}), edges {counts[1]} "
        f"({ours['edges']}), vertices {counts[2]} ({ours['vertices']}), volume {float(exact.volume()):.12f} off by "
        f"{volume:.1e}, radii off by {radii:.1e}, the same from {fewest} of {counts[0] // 2} generators"
    )
    return same


def main():
    program, *names = sys.argv[1:]
    manifolds = [snappy.Manifold(name) for name in names] or list(snappy.OrientableClosedCensus[:MANIFOLDS])
    agree = 0
    for manifold in manifolds:
        with tempfile.TemporaryDirectory() as folder:
            agree += compare(program, manifold, Path(folder))
    print(f"{agree} of {len(manifolds)} agree")
    sys.exit(agree != len(manifolds))


main()
