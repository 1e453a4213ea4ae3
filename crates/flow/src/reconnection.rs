//! Reconnection of filaments: viscosity joins two filaments of opposite direction that touch.

use glam::DVec3;

use crate::filament::Filament;

/// Least cosine of the angle between one tangent and the reverse of the other at a reconnection.
const MIN_OPPOSITE_COSINE: f64 = 0.5;
/// Nodes between two places of one filament below which they are neighbours.
const MIN_NODES_BETWEEN: usize = 12;

/// Joins or cuts filaments at the closest pair of opposite nodes nearer than a distance. Returns whether one was found.
///
/// Two closed filaments become one; two places of one closed filament make two of it.
pub fn reconnect(filaments: &mut Vec<Filament>, distance: f64) -> bool {
    let Some([(a, i), (b, j)]) = closest_opposite(filaments, distance) else { return false };
    if a == b {
        let filament = filaments[a].clone();
        let (low, high) = (i.min(j), i.max(j));
        let inner = filament.nodes[low + 1..=high].to_vec();
        let outer = [&filament.nodes[high + 1..], &filament.nodes[..=low]].concat();
        filaments[a] = smoothed(&filament, outer);
        filaments.push(smoothed(&filament, inner));
    } else {
        let (first, second) = (filaments[a].clone(), filaments.remove(b.max(a)));
        let (first, second, i, j) = if b > a { (first, second, i, j) } else { (second, first, i, j) };
        let nodes = [&first.nodes[i + 1..], &first.nodes[..=i], &second.nodes[j + 1..], &second.nodes[..=j]].concat();
        let joined = smoothed(&first, nodes);
        let place = a.min(b);
        filaments[place] = joined;
    }
    true
}

/// A filament of the same strength through other nodes, whose corners are rounded and whose nodes are spread evenly.
fn smoothed(model: &Filament, nodes: Vec<DVec3>) -> Filament {
    let mut filament = Filament { nodes, ..model.clone() };
    for _ in 0..3 {
        let count = filament.nodes.len();
        let mean = |node: usize| {
            let (before, after) = (filament.nodes[(node + count - 1) % count], filament.nodes[(node + 1) % count]);
            0.25 * before + 0.5 * filament.nodes[node] + 0.25 * after
        };
        let rounded: Vec<DVec3> = (0..count).map(mean).collect();
        filament.nodes = rounded;
    }
    let count = filament.nodes.len();
    filament.redistribute(count);
    filament
}

fn closest_opposite(filaments: &[Filament], distance: f64) -> Option<[(usize, usize); 2]> {
    let elements: Vec<Vec<(DVec3, DVec3)>> = filaments.iter().map(|filament| filament.elements().collect()).collect();
    let mut best = None;
    let mut shortest = distance;
    for a in 0..filaments.len() {
        for b in a..filaments.len() {
            for (i, (place, element)) in elements[a].iter().enumerate() {
                for (j, (other, other_element)) in elements[b].iter().enumerate() {
                    let gap = (*place - *other).length();
                    let between = i.abs_diff(j).min(elements[a].len() - i.abs_diff(j).min(elements[a].len()));
                    if gap >= shortest || (a == b && (j <= i || between < MIN_NODES_BETWEEN)) {
                        continue;
                    }
                    let cosine = element.dot(*other_element) / (element.length() * other_element.length());
                    if cosine < -MIN_OPPOSITE_COSINE {
                        shortest = gap;
                        best = Some([(a, i), (b, j)]);
                    }
                }
            }
        }
    }
    best
}
