//! Bodies must not overlap at the start: they would fly apart. Pairs that never collide (a body and its moving parent,
//! exclusions, masks) are not checked.

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Workspace, update_kinematics};
use burgess_files::At;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{CollisionDetection, Lookahead, WorldError};

use crate::build::BuiltScene;
use crate::error::{FieldError, SceneFault};
use crate::spec::SceneSpec;

/// Depths up to this share of the smaller extent of the two shapes are accepted, because numbers in files are rounded.
const TOLERANCE: f64 = 0.01;

pub(super) fn refuse_overlaps(scene: &SceneSpec, built: &BuiltScene) -> Result<(), FieldError> {
    let found = overlaps(built).map_err(|error| At::ROOT.fault(SceneFault::World(error)))?;
    let worst = found.into_iter().max_by(|a, b| a.excess.total_cmp(&b.excess));
    let Some(Overlap { bodies: [first, second], depth, .. }) = worst else { return Ok(()) };
    let name = |body: Option<usize>| body.map(|body| scene.bodies[body].name.clone()).unwrap_or_default();
    let list = At::ROOT.field("bodies");
    let fault = SceneFault::Overlap { a: name(first), b: name(second), depth };
    Err(list.index(second.max(first).unwrap_or(0)).fault(fault))
}

/// Two bodies that overlap at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// Indices of the bodies in the scene.
    pub bodies: [Option<usize>; 2],
    /// Penetration depth, in m.
    pub depth: f64,
    /// Depth beyond the tolerance, in m.
    excess: f64,
}

/// All contacts that are too deep at the start, so that [`SceneSpec::run`] would refuse the scene.
pub fn overlaps(built: &BuiltScene) -> Result<Vec<Overlap>, WorldError> {
    let BuiltScene { world, state, .. } = built;
    let mut workspace = Workspace::new(world.model());
    world.run_scripts(state.time, &mut workspace);
    update_kinematics(world.model(), state, &mut workspace);
    let mut detection = CollisionDetection::new(world)?;
    let touching = Lookahead { interval: 0.0, margin: 0.0 };
    detection.detect(world, &workspace, touching, &mut PairTable::default());
    let mut body_of = vec![None; world.colliders().len()];
    for (index, body) in built.bodies.iter().enumerate() {
        body_of[body.colliders.clone()].fill(Some(index));
    }
    let mut found = Vec::new();
    for contact in detection.contacts() {
        let colliders = [contact.collider_a, contact.collider_b];
        let [a, b] = colliders.map(|collider| thinnest(&world.colliders()[collider as usize].shape));
        // Shapes within the margins do not overlap.
        let [margin_a, margin_b] = colliders.map(|collider| world.colliders()[collider as usize].margin);
        let depth = -(contact.distance + (margin_a + margin_b));
        let excess = depth - TOLERANCE * a.min(b);
        if excess > 0.0 {
            found.push(Overlap { bodies: colliders.map(|collider| body_of[collider as usize]), depth, excess });
        }
    }
    Ok(found)
}

/// The smallest side of a shape's box, in m; infinite for half-spaces.
fn thinnest(shape: &Shape) -> f64 {
    let aabb = shape.aabb(&Pose::IDENTITY);
    (aabb.max - aabb.min).min_element()
}
