//! Burgess: V-Clip, warm-started from the last closest features.

use anyhow::Result;
use burgess_collision::narrow_phase::FeaturePair;
use burgess_collision::narrow_phase::vclip::{VclipOutcome, VclipStatistics, closest_polyhedron_polyhedron};
use burgess_geometry::{Polyhedron, Pose, RelativePose};

use super::{Answer, Body, ClosestPoints};

/// Two polyhedra, their last closest features, and the poses to query.
pub struct Burgess {
    bodies: [Polyhedron; 2],
    features: FeaturePair,
    statistics: VclipStatistics,
    poses: Vec<[Pose; 2]>,
    found: Vec<Answer>,
}

impl Burgess {
    /// Creates the query for two bodies.
    pub fn boxed(a: &Body, b: &Body) -> Result<Box<dyn ClosestPoints>> {
        Ok(Box::new(Self {
            bodies: [polyhedron(a)?, polyhedron(b)?],
            features: FeaturePair::default(),
            statistics: VclipStatistics::default(),
            poses: Vec::new(),
            found: Vec::new(),
        }))
    }
}

impl ClosestPoints for Burgess {
    fn load(&mut self, poses: &[[Pose; 2]]) {
        self.poses.clear();
        self.poses.extend_from_slice(poses);
    }

    fn run(&mut self) {
        self.found.clear();
        let [a, b] = &self.bodies;
        for [pose_a, pose_b] in &self.poses {
            let b_in_a = RelativePose::new(pose_a, pose_b);
            let outcome = closest_polyhedron_polyhedron(a, b, &b_in_a, &mut self.features, &mut self.statistics);
            self.found.push(match outcome {
                // The peers return world coordinates, so convert to them, too.
                VclipOutcome::Separated(found) => {
                    Some([pose_a.transform_point(found.point_a), pose_a.transform_point(found.point_b)])
                }
                VclipOutcome::Penetrating => None,
            });
        }
    }

    fn answers(&self, answers: &mut Vec<Answer>) {
        answers.extend_from_slice(&self.found);
    }
}

fn polyhedron(body: &Body) -> Result<Polyhedron> {
    Ok(match body {
        Body::Hull(points) => Polyhedron::hull(points)?,
        Body::Cuboid(half_extents) => Polyhedron::cuboid(*half_extents)?,
    })
}
