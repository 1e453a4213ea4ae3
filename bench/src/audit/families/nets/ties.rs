//! Ties between bodies, and velocities that they allow.

use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use burgess_simulation::ConstraintKind;
use glam::DVec3;

/// Sweeps of the method of conjugate gradients: several times the number of rows of the largest net.
const MAX_SWEEPS: usize = 1000;
/// Largest velocity against a tie, in m/s: rounding errors of the sweeps.
const CONSISTENT: f64 = 1e-12;

/// A constraint between two bodies, or between a body and the world.
#[derive(Debug, Clone)]
pub struct Tie {
    /// Kind of the constraint.
    pub kind: ConstraintKind,
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body; none for the world.
    pub b: Option<usize>,
    /// Place on the first body, in the world.
    pub at_a: Pose,
    /// Place on the second body, in the world.
    pub at_b: Pose,
}

impl Tie {
    /// Returns the same tie at another place, `shift` m along its axis: two hinges of one door. A distance remains where
    /// it is, because one beside it would be another constraint.
    pub fn doubled(&self, shift: f64) -> Self {
        let is_shifted = matches!(self.kind, ConstraintKind::Hinge | ConstraintKind::Weld);
        let moved = |pose: &Pose| {
            let along = if is_shifted { pose.rotation * DVec3::Z * shift } else { DVec3::ZERO };
            Pose::new(pose.rotation, pose.translation + along)
        };
        Self { at_a: moved(&self.at_a), at_b: moved(&self.at_b), ..self.clone() }
    }

    /// Adds the rows of the tie: pairs of a body and the coefficients of its velocity, whose sum is zero.
    fn add_rows(&self, centers: &[DVec3], rows: &mut Vec<Row>) {
        let (pa, pb) = (self.at_a.translation, self.at_b.translation);
        let mut point = |along: DVec3| {
            let mut row = vec![(self.a, Motion::new((pa - centers[self.a]).cross(along), along))];
            row.extend(self.b.map(|b| (b, Motion::new(-(pb - centers[b]).cross(along), -along))));
            rows.push(row);
        };
        match self.kind {
            ConstraintKind::Distance { .. } => point((pb - pa).normalize()),
            _ => [DVec3::X, DVec3::Y, DVec3::Z].into_iter().for_each(&mut point),
        }
        let turning = match self.kind {
            ConstraintKind::Hinge => 2,
            ConstraintKind::Weld => 3,
            _ => 0,
        };
        for axis in &[DVec3::X, DVec3::Y, DVec3::Z][..turning] {
            let along = self.at_a.rotation * *axis;
            let mut row = vec![(self.a, Motion::new(along, DVec3::ZERO))];
            row.extend(self.b.map(|b| (b, Motion::new(-along, DVec3::ZERO))));
            rows.push(row);
        }
    }
}

type Row = Vec<(usize, Motion)>;

/// Returns the velocities that are nearest to the wanted ones among those that the ties allow: `v - J^T x` with
/// `J J^T x = J v`, by conjugate gradients, which solve redundant equations, too.
pub fn consistent_velocities(centers: &[DVec3], ties: &[Tie], wanted: &[Motion]) -> Vec<Motion> {
    let mut rows = Vec::new();
    for tie in ties {
        tie.add_rows(centers, &mut rows);
    }
    let mut velocities = wanted.to_vec();
    let mut residual = against(&rows, &velocities);
    let mut direction = residual.clone();
    for _ in 0..MAX_SWEEPS {
        let squared = dot(&residual, &residual);
        if squared.sqrt() < CONSISTENT {
            break;
        }
        let mut change = vec![Motion::ZERO; wanted.len()];
        for (row, factor) in rows.iter().zip(&direction) {
            for (body, own) in row {
                change[*body].angular += *factor * own.angular;
                change[*body].linear += *factor * own.linear;
            }
        }
        let image = against(&rows, &change);
        let length = squared / dot(&direction, &image);
        for (velocity, change) in velocities.iter_mut().zip(&change) {
            velocity.angular -= length * change.angular;
            velocity.linear -= length * change.linear;
        }
        residual = against(&rows, &velocities);
        let factor = dot(&residual, &residual) / squared;
        for (direction, residual) in direction.iter_mut().zip(&residual) {
            *direction = residual + factor * *direction;
        }
    }
    velocities
}

/// Returns the velocities against the rows.
fn against(rows: &[Row], velocities: &[Motion]) -> Vec<f64> {
    let rate = |row: &Row| {
        let parts = row
            .iter()
            .map(|(body, own)| own.angular.dot(velocities[*body].angular) + own.linear.dot(velocities[*body].linear));
        parts.sum()
    };
    rows.iter().map(rate).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
