//! The ball, the cube, the ring and the opponent.

use burgess_collision::narrow_phase::NarrowScratch;
use burgess_simulation::SimulationData;
use glam::DVec3;

use super::MeasureSheet;
use crate::evaluation::anatomy::{Anatomy, Observation, placed_shape};
use crate::task::{Measure, Task};

/// Creatures closer than this touch, in m.
const CATCH_DISTANCE: f64 = 1e-3;

/// Colliders of the objects in an arena, and the side of the creature that is observed.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::evaluation) struct Objects {
    pub ball: Option<usize>,
    pub cube: Option<usize>,
    /// Index of the side, 0 or 1.
    pub side: usize,
}

/// Displacements of objects and gaps to them.
#[derive(Debug)]
pub(in crate::evaluation) struct ObjectTracker {
    objects: Objects,
    is_contest: bool,
    duration: f64,
    ring_radius: Option<f64>,
    /// Time at which the centre of mass left the ring, in s.
    left_ring: Option<f64>,
    ball_start: DVec3,
    ball_end: DVec3,
    ball_gap: f64,
    cube_gap: f64,
    least_cube_gap: f64,
    cube_gaps: Mean,
    opponent_gap: f64,
    least_opponent_gap: f64,
    opponent_gaps: Mean,
    /// Time of the first touch of the opponent, in s.
    catch_time: Option<f64>,
    scratch: NarrowScratch,
}

/// A mean over samples.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

impl ObjectTracker {
    pub(super) fn new(objects: Objects, task: &Task) -> Self {
        Self {
            objects,
            is_contest: task.contest.is_some(),
            duration: task.duration,
            ring_radius: task.contest.as_ref().and_then(|contest| contest.ring_radius(&task.parameters)),
            left_ring: None,
            ball_start: DVec3::ZERO,
            ball_end: DVec3::ZERO,
            ball_gap: f64::INFINITY,
            cube_gap: f64::INFINITY,
            least_cube_gap: f64::INFINITY,
            cube_gaps: Mean::default(),
            opponent_gap: f64::INFINITY,
            least_opponent_gap: f64::INFINITY,
            opponent_gaps: Mean::default(),
            catch_time: None,
            scratch: NarrowScratch::default(),
        }
    }

    pub(super) fn begin(&mut self, anatomy: &Anatomy, data: &SimulationData) {
        self.ball_start = self.ball_position(data);
        (self.ball_gap, self.least_cube_gap) = (f64::INFINITY, f64::INFINITY);
        self.sample(anatomy, data);
    }

    pub(super) fn sample(&mut self, anatomy: &Anatomy, data: &SimulationData) {
        let scratch = &mut self.scratch;
        let mut gap = |collider: usize| {
            let (shape, pose) = placed_shape(&data.world, &data.workspace, collider);
            anatomy.gap(data, &shape, &pose, scratch)
        };
        if let Some(ball) = self.objects.ball {
            self.ball_gap = self.ball_gap.min(gap(ball));
        }
        if let Some(cube) = self.objects.cube {
            self.cube_gap = gap(cube);
            self.least_cube_gap = self.least_cube_gap.min(self.cube_gap);
        }
    }

    /// Notes when the centre of mass leaves the ring.
    pub(super) fn sample_ring(&mut self, center_of_mass: DVec3, time: f64) {
        let is_outside = self.ring_radius.is_some_and(|radius| ring_distance(center_of_mass) > radius);
        if is_outside && self.left_ring.is_none() {
            self.left_ring = Some(time);
        }
    }

    /// Adds a sample of the last gap to the cube to its mean.
    pub(super) fn accumulate(&mut self) {
        if self.objects.cube.is_some() {
            self.cube_gaps.add(self.cube_gap.max(0.0));
        }
    }

    /// Returns the gap between two creatures, in m.
    pub(super) fn gap_to(&mut self, anatomy: &Anatomy, other: &Anatomy, data: &SimulationData) -> f64 {
        anatomy.gap_to(other, data, &mut self.scratch)
    }

    /// Sets the gap to the opponent, in m, at a time in s.
    pub(super) fn set_opponent_gap(&mut self, gap: f64, time: f64) {
        self.opponent_gap = gap;
        self.least_opponent_gap = self.least_opponent_gap.min(gap);
        if gap <= CATCH_DISTANCE && self.catch_time.is_none() {
            self.catch_time = Some(time);
        }
    }

    /// Adds a sample of the last gap to the opponent to its mean.
    pub(super) fn accumulate_opponent(&mut self) {
        self.opponent_gaps.add(self.opponent_gap.max(0.0));
    }

    pub(super) fn end(&mut self, data: &SimulationData) {
        self.ball_end = self.ball_position(data);
    }

    fn ball_position(&self, data: &SimulationData) -> DVec3 {
        let ball = self.objects.ball.map(|ball| data.world.collider_pose(&data.workspace, ball));
        ball.map_or(DVec3::ZERO, |pose| pose.translation)
    }

    /// Returns the smallest gap to the ball since the start, in m; negative for a penetration.
    pub fn ball_gap(&self) -> f64 {
        self.ball_gap
    }

    /// Returns the gap to the cube at the last sample, in m.
    pub fn cube_gap(&self) -> f64 {
        self.cube_gap
    }

    pub(super) fn write_measures(&self, observation: &Observation, sheet: &mut MeasureSheet) {
        let displacement = self.ball_end - self.ball_start;
        sheet.set(Measure::BallX, displacement.x);
        sheet.set(Measure::BallY, displacement.y);
        sheet.set(Measure::BallZ, displacement.z);
        sheet.set(Measure::BallDistance, displacement.length());
        sheet.set(Measure::BallGap, self.ball_gap.max(0.0));
        sheet.set(Measure::CubeGap, self.cube_gap.max(0.0));
        sheet.set(Measure::LeastCubeGap, self.least_cube_gap.max(0.0));
        sheet.set(Measure::OpponentGap, self.least_opponent_gap.max(0.0));
        if !self.is_contest {
            return;
        }
        sheet.set(Measure::Side, self.objects.side as f64);
        sheet.set(Measure::MeanCubeGap, self.cube_gaps.value());
        sheet.set(Measure::MeanOpponentGap, self.opponent_gaps.value());
        sheet.set(Measure::CatchTime, self.catch_time.unwrap_or(self.duration));
        let forward = if self.objects.side == 0 { displacement.x } else { -displacement.x };
        sheet.set(Measure::BallAdvance, forward);
        if self.ring_radius.is_some() {
            sheet.set(Measure::RingTime, self.left_ring.unwrap_or(self.duration));
            sheet.set(Measure::RingDistance, ring_distance(observation.center_of_mass));
        }
    }
}

/// Returns the horizontal distance from the middle of the arena, in m.
fn ring_distance(place: DVec3) -> f64 {
    libm::hypot(place.x, place.y)
}
