//! The ball, the cube and the opponent.

use burgess_collision::narrow_phase::NarrowScratch;
use burgess_simulation::SimulationData;
use glam::DVec3;

use super::MeasureSheet;
use crate::evaluation::anatomy::{Anatomy, placed_shape};
use crate::task::Measure;

/// Colliders of the objects in an arena.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::evaluation) struct Objects {
    pub ball: Option<usize>,
    pub cube: Option<usize>,
}

/// Displacements of objects and gaps to them.
#[derive(Debug)]
pub(in crate::evaluation) struct ObjectTracker {
    objects: Objects,
    ball_start: DVec3,
    ball_end: DVec3,
    ball_gap: f64,
    start_cube_gap: f64,
    cube_gap: f64,
    least_cube_gap: f64,
    opponent_gap: f64,
    scratch: NarrowScratch,
}

impl ObjectTracker {
    pub(super) fn new(objects: Objects) -> Self {
        Self {
            objects,
            ball_start: DVec3::ZERO,
            ball_end: DVec3::ZERO,
            ball_gap: f64::INFINITY,
            start_cube_gap: f64::INFINITY,
            cube_gap: f64::INFINITY,
            least_cube_gap: f64::INFINITY,
            opponent_gap: f64::INFINITY,
            scratch: NarrowScratch::default(),
        }
    }

    pub(super) fn begin(&mut self, anatomy: &Anatomy, data: &SimulationData) {
        self.ball_start = self.ball_position(data);
        (self.ball_gap, self.least_cube_gap) = (f64::INFINITY, f64::INFINITY);
        self.sample(anatomy, data);
        self.start_cube_gap = self.cube_gap;
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

    pub(super) fn observe_opponent(&mut self, anatomy: &Anatomy, other: &Anatomy, data: &SimulationData) {
        self.opponent_gap = self.opponent_gap.min(anatomy.gap_to(other, data, &mut self.scratch));
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

    /// Returns the gap to the cube at the start and at the last sample, in m.
    pub fn cube_gaps(&self) -> [f64; 2] {
        [self.start_cube_gap, self.cube_gap]
    }

    pub(super) fn write_measures(&self, sheet: &mut MeasureSheet) {
        let displacement = self.ball_end - self.ball_start;
        sheet.set(Measure::BallX, displacement.x);
        sheet.set(Measure::BallY, displacement.y);
        sheet.set(Measure::BallZ, displacement.z);
        sheet.set(Measure::BallDistance, displacement.length());
        sheet.set(Measure::BallGap, self.ball_gap.max(0.0));
        sheet.set(Measure::CubeGap, self.cube_gap.max(0.0));
        sheet.set(Measure::LeastCubeGap, self.least_cube_gap.max(0.0));
        sheet.set(Measure::OpponentGap, self.opponent_gap.max(0.0));
    }
}
