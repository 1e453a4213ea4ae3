//! Parry: its public function `query::closest_points`.

use anyhow::{Context, Result};
use burgess_geometry::Pose;
use glam::DVec3;
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::query::{self, ClosestPoints as ParryClosestPoints};
use parry3d_f64::shape::{ConvexPolyhedron, Cuboid, Shape};

use super::{Answer, Body, ClosestPoints};

/// Two Parry shapes and the poses to query.
pub struct Parry {
    shapes: [Box<dyn Shape>; 2],
    poses: Vec<[ParryPose; 2]>,
    found: Vec<ParryClosestPoints>,
}

impl Parry {
    /// Creates the query for two bodies.
    pub fn new(a: &Body, b: &Body) -> Result<Self> {
        Ok(Self { shapes: [shape(a)?, shape(b)?], poses: Vec::new(), found: Vec::new() })
    }

    /// Creates the query as a peer.
    pub fn boxed(a: &Body, b: &Body) -> Result<Box<dyn ClosestPoints>> {
        Ok(Box::new(Self::new(a, b)?))
    }

    /// Returns whether the bodies penetrate.
    pub fn penetrating(&self, poses: &[Pose; 2]) -> bool {
        let [a, b] = poses.map(|p| pose(&p));
        query::intersection_test(&a, &*self.shapes[0], &b, &*self.shapes[1]).is_ok_and(|found| found.intersecting)
    }
}

impl ClosestPoints for Parry {
    fn load(&mut self, poses: &[[Pose; 2]]) {
        self.poses.clear();
        self.poses.extend(poses.iter().map(|pair| pair.map(|p| pose(&p))));
    }

    fn run(&mut self) {
        self.found.clear();
        let [a, b] = &self.shapes;
        for [pose_a, pose_b] in &self.poses {
            let found = query::closest_points(pose_a, &**a, pose_b, &**b, f64::MAX);
            self.found.push(found.unwrap_or(ParryClosestPoints::Disjoint));
        }
    }

    fn answers(&self, answers: &mut Vec<Answer>) {
        answers.extend(self.found.iter().map(|found| match *found {
            ParryClosestPoints::WithinMargin(point_a, point_b) => Some([point_a, point_b]),
            ParryClosestPoints::Intersecting => None,
            // Not expected here; it agrees with no distance.
            ParryClosestPoints::Disjoint => Some([DVec3::NAN; 2]),
        }));
    }
}

fn shape(body: &Body) -> Result<Box<dyn Shape>> {
    Ok(match body {
        Body::Hull(points) => Box::new(hull(points)?),
        Body::Cuboid(half_extents) => Box::new(Cuboid::new(*half_extents)),
    })
}

fn hull(points: &[DVec3]) -> Result<ConvexPolyhedron> {
    ConvexPolyhedron::from_convex_hull(points).context("Parry cannot compute the hull of the points")
}

fn pose(pose: &Pose) -> ParryPose {
    ParryPose::from_parts(pose.translation, pose.rotation)
}
