//! Areas and lines of the picture with integer coordinates, written as SVG path data.
//!
//! A region is the sum of the borders of its pieces, as directed edges between dots. An edge and its reverse cancel
//! where two pieces touch; a hole is a piece with reversed border. The remaining edges are closed loops around the
//! region: a sphere of two hundred facets becomes one outline without seams between the facets. Where a hole ends in
//! the middle of an edge, the edge is split first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use glam::IVec2;

/// Maximum distance of an omitted corner from the straight line, in dots.
const STRAIGHT_TOLERANCE: f64 = 0.75;
/// Maximum distance of a corner that counts as being on an edge, in dots; both are rounded.
const ON_EDGE_TOLERANCE: f64 = 1.2;
/// Maximum number of edges for which seams are removed; the time is quadratic.
const MAX_EDGES: usize = 4000;

type Dot = [i32; 2];

/// An area of the picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Region {
    edges: BTreeMap<(Dot, Dot), u32>,
    has_holes: bool,
}

impl Region {
    /// Adds a piece given by its corners.
    pub fn add(&mut self, corners: impl IntoIterator<Item = IVec2>) {
        self.add_loop(corners.into_iter().map(|dot| dot.to_array()).collect());
    }

    /// Removes a piece that is part of the region.
    pub fn remove(&mut self, corners: impl IntoIterator<Item = IVec2>) {
        let mut corners: Vec<Dot> = corners.into_iter().map(|dot| dot.to_array()).collect();
        corners.reverse();
        self.add_loop(corners);
        self.has_holes = true;
    }

    fn add_edge(&mut self, from: Dot, to: Dot) {
        if from == to {
            return;
        }
        match self.edges.get_mut(&(to, from)) {
            Some(1) => {
                self.edges.remove(&(to, from));
            }
            Some(count) => *count -= 1,
            None => *self.edges.entry((from, to)).or_default() += 1,
        }
    }

    /// Splits edges at the corners that are on them, so that opposite edges cancel.
    fn split(&mut self) {
        if !self.has_holes || self.edges.len() > MAX_EDGES {
            return;
        }
        let corners: BTreeSet<Dot> = self.edges.keys().map(|(from, _)| *from).collect();
        for ((from, to), count) in std::mem::take(&mut self.edges) {
            let along = minus(to, from);
            let share = |corner: Dot| dot(minus(corner, from), along) / dot(along, along);
            let is_on = |corner: &Dot| {
                let within = share(*corner);
                within > 0.0 && within < 1.0 && distance(*corner, from, to) < ON_EDGE_TOLERANCE
            };
            let (low, high) = (from[0].min(to[0]), from[0].max(to[0]));
            let near = corners.range([low.saturating_sub(2), i32::MIN]..=[high.saturating_add(2), i32::MAX]);
            let mut on: Vec<Dot> =
                near.copied().filter(|corner| *corner != from && *corner != to).filter(is_on).collect();
            on.sort_by(|a, b| share(*a).total_cmp(&share(*b)));
            let stops: Vec<Dot> = [from].into_iter().chain(on).chain([to]).collect();
            for pair in stops.windows(2) {
                (0..count).for_each(|_| self.add_edge(pair[0], pair[1]));
            }
        }
    }

    fn add_loop(&mut self, corners: Vec<Dot>) {
        for (index, &from) in corners.iter().enumerate() {
            let to = corners[(index + 1) % corners.len()];
            self.add_edge(from, to);
        }
    }

    /// Returns whether the lines are exactly the border of the region.
    pub fn is_bordered_by(&self, lines: &Lines) -> bool {
        let drawn: usize = lines.neighbours.values().map(Vec::len).sum();
        let has = |(from, to): &(Dot, Dot)| lines.neighbours.get(from).is_some_and(|list| list.contains(to));
        drawn == 2 * self.edges.len() && self.edges.keys().all(has)
    }

    /// Returns the border as path data for the non-zero fill rule; empty if the region is empty.
    pub fn path(&mut self) -> String {
        self.split();
        let mut next: BTreeMap<Dot, Vec<Dot>> = BTreeMap::new();
        for (&(from, to), &count) in &self.edges {
            next.entry(from).or_default().extend(std::iter::repeat_n(to, count as usize));
        }
        let mut data = String::new();
        while let Some((&start, _)) = next.first_key_value() {
            let mut points = vec![start];
            let mut at = start;
            // Each dot has as many outgoing as incoming edges, so the walk returns to its start.
            while let Some(to) = step(&mut next, at) {
                if to == start {
                    break;
                }
                points.push(to);
                at = to;
            }
            let points = simplified(&without_spikes(points), true);
            if points.len() > 2 {
                write_path(&mut data, &points);
                data.push('z');
            }
        }
        data
    }
}

fn step(next: &mut BTreeMap<Dot, Vec<Dot>>, from: Dot) -> Option<Dot> {
    let list = next.get_mut(&from)?;
    let to = list.pop();
    if list.is_empty() {
        next.remove(&from);
    }
    to
}

/// Lines of the picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    neighbours: BTreeMap<Dot, Vec<Dot>>,
}

impl Lines {
    /// Adds a line, unless it has been added before.
    pub fn add(&mut self, from: IVec2, to: IVec2) {
        let (from, to) = (from.to_array(), to.to_array());
        if from == to || self.neighbours.get(&from).is_some_and(|list| list.contains(&to)) {
            return;
        }
        self.neighbours.entry(from).or_default().push(to);
        self.neighbours.entry(to).or_default().push(from);
    }

    /// Returns the lines as path data; lines that meet are joined.
    pub fn path(mut self) -> String {
        let mut data = String::new();
        loop {
            // Start at loose ends first, then at loops.
            let end = self.neighbours.iter().find(|(_, list)| list.len() % 2 == 1);
            let Some((&start, _)) = end.or_else(|| self.neighbours.first_key_value()) else { return data };
            let (mut points, mut at) = (vec![start], start);
            while let Some(to) = self.take_from(at) {
                points.push(to);
                at = to;
            }
            write_path(&mut data, &simplified(&points, false));
        }
    }

    fn take_from(&mut self, at: Dot) -> Option<Dot> {
        let to = step(&mut self.neighbours, at)?;
        if let Some(list) = self.neighbours.get_mut(&to) {
            if let Some(place) = list.iter().position(|&dot| dot == at) {
                list.remove(place);
            }
            if list.is_empty() {
                self.neighbours.remove(&to);
            }
        }
        Some(to)
    }
}

/// Removes points where the border reverses its direction.
fn without_spikes(points: Vec<Dot>) -> Vec<Dot> {
    let mut kept: Vec<Dot> = Vec::with_capacity(points.len());
    for point in points {
        kept.push(point);
        while let [.., a, _, b] = kept[..]
            && a == b
        {
            kept.truncate(kept.len() - 2);
        }
    }
    kept
}

/// Without corners that are on the straight line between the ones around them.
pub(super) fn simplified(points: &[Dot], closed: bool) -> Vec<Dot> {
    let mut kept: Vec<Dot> = Vec::new();
    let mut skipped: Vec<Dot> = Vec::new();
    let end = if closed { points.first() } else { None };
    for &point in points.iter().chain(end) {
        let (Some(&last), Some(&before)) = (kept.last(), skipped.last()) else {
            if kept.is_empty() {
                kept.push(point)
            } else {
                skipped.push(point)
            }
            continue;
        };
        // A straight continuation is merged, a reversal is not.
        let onward = dot(minus(before, last), minus(point, before)) > 0.0;
        if !onward || skipped.iter().any(|&corner| distance(corner, last, point) > STRAIGHT_TOLERANCE) {
            kept.push(before);
            skipped.clear();
        }
        skipped.push(point);
    }
    if !closed {
        kept.extend(skipped.last());
    }
    kept
}

fn minus(a: Dot, b: Dot) -> [f64; 2] {
    [f64::from(a[0]) - f64::from(b[0]), f64::from(a[1]) - f64::from(b[1])]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns the distance of a point from the line through two others.
fn distance(point: Dot, a: Dot, b: Dot) -> f64 {
    let (along, aside) = (minus(b, a), minus(point, a));
    let length = libm::hypot(along[0], along[1]);
    if length > 0.0 {
        (along[0] * aside[1] - along[1] * aside[0]).abs() / length
    } else {
        libm::hypot(aside[0], aside[1])
    }
}

/// Writes path data with the fewest characters: `M` to the first point, then relative steps.
pub(super) fn write_path(data: &mut String, points: &[Dot]) {
    let Some((&first, rest)) = points.split_first() else { return };
    // Writing to a string cannot fail.
    let _ = write!(data, "M{}", pair(first));
    let mut at = first;
    for (index, &point) in rest.iter().enumerate() {
        let step = pair([point[0] - at[0], point[1] - at[1]]);
        let separator = match index {
            0 => "l",
            _ if step.starts_with('-') => "",
            _ => " ",
        };
        data.push_str(separator);
        data.push_str(&step);
        at = point;
    }
}

fn pair([x, y]: Dot) -> String {
    if y < 0 { format!("{x}{y}") } else { format!("{x} {y}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: i32, y: i32, side: i32) -> [IVec2; 4] {
        [(0, 0), (side, 0), (side, side), (0, side)].map(|(i, j)| IVec2::new(x + i, y + j))
    }

    #[test]
    fn adjacent_pieces_are_merged() {
        let mut region = Region::default();
        for x in 0..3 {
            region.add(square(100 * x, 0, 100));
        }
        assert_eq!(region.path(), "M0 0l300 0 0 100-300 0z");
    }

    #[test]
    fn holes_are_loops_and_empty_regions_have_no_path() {
        let mut region = Region::default();
        region.add(square(0, 0, 100));
        region.remove(square(40, 40, 20));
        assert_eq!(region.path(), "M0 0l100 0 0 100-100 0zM40 40l0 20 20 0 0-20z");
        let mut nothing = Region::default();
        nothing.add(square(0, 0, 100));
        nothing.remove(square(0, 0, 100));
        assert_eq!(nothing.path(), "");
    }

    #[test]
    fn holes_at_the_border_leave_no_seam() {
        let mut region = Region::default();
        region.add(square(0, 0, 100));
        region.remove(square(40, 0, 20));
        assert_eq!(region.path(), "M0 0l40 0 0 20 20 0 0-20 40 0 0 100-100 0z");
    }

    #[test]
    fn lines_that_meet_are_joined() {
        let mut lines = Lines::default();
        let at = |x, y| IVec2::new(x, y);
        lines.add(at(0, 0), at(100, 0));
        lines.add(at(100, 0), at(0, 0));
        lines.add(at(200, 50), at(100, 0));
        assert_eq!(lines.path(), "M0 0l100 0 100 50");
        let mut square = Lines::default();
        for (a, b) in [(at(0, 0), at(9, 0)), (at(9, 9), at(9, 0)), (at(9, 9), at(0, 9)), (at(0, 9), at(0, 0))] {
            square.add(a, b);
        }
        assert_eq!(square.path(), "M0 0l0 9 9 0 0-9-9 0");
    }
}
