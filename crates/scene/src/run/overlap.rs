//! Bodies must not start inside each other: they would fly apart. Pairs that pass through each other anyway (a body and
//! the one that it hangs on if that moves, exclusions, masks) are not looked at.

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Workspace, update_kinematics};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{CollisionDetection, Lookahead};

use crate::build::BuiltScene;
use crate::error::{At, Fault, Misfit};
use crate::spec::SceneSpec;

/// Depths up to this share of the thinner shape's smallest extent are let be: files are rounded.
const TOLERANCE: f64 = 0.01;

pub(super) fn refuse_overlaps(scene: &SceneSpec, built: &BuiltScene) -> Result<(), Misfit> {
    let BuiltScene { world, state, .. } = built;
    let mut workspace = Workspace::new(world.model());
    world.run_scripts(state.time, &mut workspace);
    update_kinematics(world.model(), state, &mut workspace);
    let refuse = |error: burgess_simulation::WorldError| At::ROOT.fault(Fault::World(error));
    let mut detection = CollisionDetection::new(world).map_err(|error| refuse(error.into()))?;
    let touching = Lookahead { interval: 0.0, margin: 0.0 };
    detection.detect(world, &workspace, touching, &mut PairTable::default());
    let excess = |contact: &burgess_simulation::WorldContact| {
        let [a, b] = [contact.collider_a, contact.collider_b].map(|c| &*world.colliders()[c as usize].shape);
        -contact.distance - TOLERANCE * thinnest(a).min(thinnest(b))
    };
    let worst = detection.contacts().iter().max_by(|a, b| excess(a).total_cmp(&excess(b)));
    let Some(worst) = worst.filter(|contact| excess(contact) > 0.0) else { return Ok(()) };
    let body = |collider: u32| built.bodies.iter().position(|body| body.colliders.contains(&(collider as usize)));
    let (first, second) = (body(worst.collider_a), body(worst.collider_b));
    let name = |body: Option<usize>| body.map(|body| scene.bodies[body].name.clone()).unwrap_or_default();
    let list = At::ROOT.field("bodies");
    Err(list.index(second.max(first).unwrap_or(0)).fault(Fault::Overlap {
        a: name(first),
        b: name(second),
        depth: -worst.distance,
    }))
}

/// The smallest side of a shape's box, in m; infinite for half-spaces.
fn thinnest(shape: &Shape) -> f64 {
    let aabb = shape.aabb(&Pose::IDENTITY);
    (aabb.max - aabb.min).min_element()
}
