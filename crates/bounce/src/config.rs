//! The configuration of a world.

use burgess_collision::broad_phase::{
    BroadPhase, BroadPhaseError, Exhaustive, HashingOptions, HierarchicalHashing, Proxy, ProxyId, SweepAndPrune,
};
use burgess_geometry::{Aabb, GeometryError};
use glam::DVec3;
use thiserror::Error;

use crate::body::{Body, BodyKind};

/// How pairs are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BroadPhaseKind {
    /// Every pair goes to the narrow phase.
    Off,
    /// Every pair of boxes is tested.
    Exhaustive,
    /// Sweep and prune.
    SweepAndPrune,
    /// Hierarchical hashing.
    Hashing {
        /// Update the table instead of rebuilding it on every step.
        coherence: bool,
    },
}

/// The configuration of a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BounceConfig {
    /// Number of bodies.
    pub objects: usize,
    /// Side of the world.
    pub world: f64,
    /// Duration of a step.
    pub step_size: f64,
    /// How pairs are found.
    pub broad_phase: BroadPhaseKind,
    /// What the bodies are.
    pub bodies: BodyKind,
    /// Compute the penetration depth, not only whether bodies penetrate. May be off for hulls only, to measure V-Clip
    /// alone.
    pub depths: bool,
    /// Compare the pairs with an exhaustive search on every step.
    pub check: bool,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for BounceConfig {
    fn default() -> Self {
        let objects = 25;
        Self {
            objects,
            world: Self::roomy_world(objects),
            step_size: 0.01,
            broad_phase: BroadPhaseKind::Hashing { coherence: true },
            bodies: BodyKind::Primitives,
            depths: true,
            check: false,
            seed: 1,
        }
    }
}

impl BounceConfig {
    /// The side of a world with a cube of side 4 for each body.
    pub fn roomy_world(objects: usize) -> f64 {
        4.0 * libm::cbrt(objects as f64)
    }
}

/// Why a world could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BounceError {
    /// A number is out of range.
    #[error("{what} must be {expected}, found {found}")]
    OutOfRange {
        /// The quantity.
        what: &'static str,
        /// The range, in words.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// A body could not be made.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The broad phase refused a box.
    #[error(transparent)]
    BroadPhase(#[from] BroadPhaseError),
}

impl BounceConfig {
    pub(crate) fn validate(&self) -> Result<(), BounceError> {
        let out_of_range = |what, expected, found: String| Err(BounceError::OutOfRange { what, expected, found });
        if !(1..=1 << 24).contains(&self.objects) {
            return out_of_range("the number of objects", "from 1 to 16777216", self.objects.to_string());
        }
        if !(self.world > 0.0 && self.world <= 1e6) {
            return out_of_range("the side of the world", "above 0 and at most 1000000", self.world.to_string());
        }
        if !(self.step_size >= 0.0 && self.step_size <= 1e3) {
            return out_of_range("the step size", "from 0 to 1000", self.step_size.to_string());
        }
        match self.bodies {
            BodyKind::Hulls(n) if !(4..=1_000_000).contains(&n) => {
                out_of_range("the number of vertices", "from 4 to 1000000", n.to_string())
            }
            BodyKind::Primitives if !self.depths => {
                out_of_range("the kind of bodies without depths", "hulls", "primitives".to_string())
            }
            _ if self.broad_phase == BroadPhaseKind::Off && self.objects > 4096 => {
                out_of_range("the number of objects without a broad phase", "at most 4096", self.objects.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Makes a broad phase with all bodies in it, and their proxies.
    pub(crate) fn make_broad_phase(&self, bodies: &[Body]) -> Result<(Box<dyn BroadPhase>, Vec<ProxyId>), BounceError> {
        let mut broad_phase: Box<dyn BroadPhase> = match self.broad_phase {
            BroadPhaseKind::Off | BroadPhaseKind::Exhaustive => Box::new(Exhaustive::default()),
            BroadPhaseKind::SweepAndPrune => Box::new(SweepAndPrune::default()),
            BroadPhaseKind::Hashing { coherence } => {
                Box::new(HierarchicalHashing::new(HashingOptions { coherence, ..HashingOptions::default() }))
            }
        };
        let mut proxies = Vec::with_capacity(bodies.len());
        for body in bodies {
            proxies.push(broad_phase.insert(Proxy::moving(self.box_over_step(body)))?);
        }
        Ok((broad_phase, proxies))
    }

    /// The box of the bounding sphere of a body, swept over the coming step.
    pub(crate) fn box_over_step(&self, body: &Body) -> Aabb {
        let now = Aabb::from_center(body.pose.translation, DVec3::splat(body.radius));
        now.swept(body.velocity, DVec3::ZERO, self.step_size)
    }
}
