//! Tracing of a core in both directions from a seed.

use glam::DVec3;

use super::Core;
use super::corrector::pressure_minimum;
use super::occupancy::Occupancy;
use super::parallel_vectors::vorticity_maximum;
use super::seeds::Thresholds;
use crate::spline::FieldSpline;

/// Length of a step of the predictor, in cells.
const STEP: f64 = 0.5;
/// How often a step is halved before the core ends.
const MAX_HALVINGS: usize = 2;
/// Largest number of points in one direction.
const MAX_POINTS: usize = 8192;
/// Least cosine of the angle by which a core turns in one step.
const MIN_TURN_COSINE: f64 = 0.8;
/// Points after which a core can meet its own start.
const MIN_LOOP_POINTS: usize = 8;
/// Most points in a row that are found by parallel vectors.
const MAX_SECOND_OPINIONS: usize = 6;

pub(super) struct Tracer<'a> {
    spline: &'a FieldSpline,
    occupancy: &'a Occupancy,
    thresholds: Thresholds,
    second_opinions: usize,
}

enum End {
    Open,
    Closed(DVec3),
}

impl<'a> Tracer<'a> {
    pub(super) fn new(spline: &'a FieldSpline, occupancy: &'a Occupancy, thresholds: Thresholds) -> Self {
        Self { spline, occupancy, thresholds, second_opinions: 0 }
    }

    /// Number of points that parallel vectors found.
    pub(super) fn second_opinions(&self) -> usize {
        self.second_opinions
    }

    /// The core through the minimum of pressure near a seed, in the direction of the vorticity.
    pub(super) fn trace(&mut self, seed: DVec3) -> Option<Core> {
        let mut start = seed;
        // The plane turns with the vorticity at the corrected place.
        for _ in 0..3 {
            let axis = self.spline.sample(start).vorticity().try_normalize()?;
            start = pressure_minimum(self.spline, start, axis)?;
        }
        if !self.spline.grid().contains(start) || self.occupancy.is_taken(start) || !self.is_vortex(start) {
            return None;
        }
        let mut forward = vec![start];
        if let End::Closed(closure) = self.follow(&mut forward, 1.0) {
            return Some(Core { positions: forward, closure: Some(closure) });
        }
        let mut backward = vec![start];
        // A loop that was not closed forward because a step missed its start is an open core.
        self.follow(&mut backward, -1.0);
        backward.reverse();
        backward.extend(forward.into_iter().skip(1));
        Some(Core { positions: backward, closure: None })
    }

    /// Whether the bounds of vorticity and pressure hold and the flow rotates more than it strains.
    fn is_vortex(&self, place: DVec3) -> bool {
        let sample = self.spline.sample(place);
        sample.vorticity().length() >= self.thresholds.least_vorticity
            && sample.pressure <= self.thresholds.most_pressure
            && sample.rotation_excess() > 0.0
    }

    /// Adds points until the core ends.
    fn follow(&mut self, points: &mut Vec<DVec3>, sign: f64) -> End {
        let start = points[0];
        let grid = *self.spline.grid();
        let step = STEP * grid.cell();
        let direction_at = |place: DVec3| sign * self.spline.sample(place).vorticity().normalize_or_zero();
        let start_direction = direction_at(start);
        let mut direction = start_direction;
        let mut opinions_in_row = 0;
        while points.len() < MAX_POINTS {
            let last = points[points.len() - 1];
            let mut next = None;
            for halving in 0..=MAX_HALVINGS {
                let length = step / (1_u32 << halving) as f64;
                // Predictor: the midpoint rule along the vorticity.
                let middle = direction_at(last + 0.5 * length * direction_at(last));
                let predicted = last + length * middle;
                let axis = direction_at(predicted);
                let found = pressure_minimum(self.spline, predicted, axis).map(|place| (place, false));
                let found = found.or_else(|| Some((vorticity_maximum(self.spline, predicted, axis)?, true)));
                next = found.filter(|(place, _)| {
                    let moved = *place - last;
                    let turn = moved.normalize_or_zero().dot(direction);
                    turn >= MIN_TURN_COSINE && moved.length() > 0.25 * length
                });
                if next.is_some() {
                    break;
                }
            }
            let Some((place, by_parallel_vectors)) = next else { return End::Open };
            opinions_in_row = if by_parallel_vectors { opinions_in_row + 1 } else { 0 };
            if opinions_in_row > MAX_SECOND_OPINIONS {
                points.truncate(points.len() - MAX_SECOND_OPINIONS);
                return End::Open;
            }
            let ends = !grid.contains(place) || self.occupancy.is_taken(place) || !self.is_vortex(place);
            if ends {
                return End::Open;
            }
            direction = (place - last).normalize_or(direction);
            if points.len() >= MIN_LOOP_POINTS {
                let to_start = grid.difference(place, start);
                if to_start.length() < 0.75 * step && direction.dot(start_direction) > 0.5 {
                    // A point just before the start would make a very short segment.
                    if to_start.length() > 0.25 * step && to_start.dot(direction) > 0.0 {
                        points.push(place);
                    }
                    return End::Closed(place + to_start - start);
                }
                // A core that comes back beside itself is a spiral, not a tube.
                let older = &points[..points.len() - MIN_LOOP_POINTS];
                let near = |point: &DVec3| grid.difference(*point, place).length() < 0.5 * step;
                if older.iter().skip(1).any(near) {
                    return End::Open;
                }
            }
            self.second_opinions += usize::from(by_parallel_vectors);
            points.push(place);
        }
        End::Open
    }
}
