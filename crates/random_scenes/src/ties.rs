//! Random constraints between bodies. Rigid ones form no loops, so that they can always be satisfied.

use burgess_geometry::Pose;
use burgess_scene::spec::{
    AnchorSpec, BodySpec, ConstraintSpec, LengthTie, NoNumbers, Orientation, SceneSpec, SpringTie, TieKind,
};
use glam::DVec3;

use super::placing::{hangs, start};
use super::random::Random;

/// Number of bodies per constraint.
const BODIES_PER_TIE: usize = 8;
/// Bodies farther apart are not constrained, in m.
const REACH: f64 = 1.2;
/// Bodies that start higher may be constrained to the world, in m.
const HIGH: f64 = 1.8;

struct Body {
    name: String,
    assembly: usize,
    pose: Pose,
    /// Mass, in kg; infinite if it is welded to the world.
    mass: f64,
}

/// Constrains bodies near each other at their present poses, and sets the velocities of constrained bodies to zero.
pub(super) fn add(random: &mut Random, scene: &mut SceneSpec, assemblies: &[Vec<BodySpec>]) {
    let bodies = bodies(scene, assemblies);
    if bodies.len() < 2 {
        return;
    }
    // Union-find of rigidly connected bodies; the last element is the world.
    let world = assemblies.len();
    let mut cluster: Vec<usize> = (0..=world).collect();
    for (index, assembly) in assemblies.iter().enumerate() {
        if hangs(&assembly[0]) {
            cluster[index] = world;
        }
    }
    for _ in 0..bodies.len() / BODIES_PER_TIE {
        let a = &bodies[random.below(bodies.len())];
        let to_world = a.pose.translation.z > HIGH && random.chance(0.5);
        let near = |b: &&Body| b.assembly != a.assembly && (b.pose.translation - a.pose.translation).length() < REACH;
        let others: Vec<&Body> = bodies.iter().filter(near).collect();
        if others.is_empty() && !to_world {
            continue;
        }
        let b = (!to_world).then(|| others[random.below(others.len())]);
        if a.mass.min(b.map_or(a.mass, |b| b.mass)).is_infinite() {
            continue;
        }
        let (first, second) = (cluster[a.assembly], b.map_or(world, |b| cluster[b.assembly]));
        let kind = tie(random, scene, a, b, first != second);
        if !matches!(kind, TieKind::Spring(_)) {
            let most = first.max(second);
            cluster.iter_mut().filter(|own| **own == first || **own == second).for_each(|own| *own = most);
        }
        for tied in [Some(a), b].into_iter().flatten() {
            stop(scene, &assemblies[tied.assembly]);
        }
    }
}

/// Adds a constraint between two bodies and returns its kind.
fn tie(random: &mut Random, scene: &mut SceneSpec, a: &Body, b: Option<&Body>, firmly: bool) -> TieKind {
    let far = b.map_or_else(|| a.pose.translation + DVec3::Z * 0.4, |b| b.pose.translation);
    let distance = (far - a.pose.translation).length();
    let kind = match random.below(7) {
        0 if firmly => TieKind::Pin(NoNumbers {}),
        1 if firmly => TieKind::Hinge(NoNumbers {}),
        2 if firmly => TieKind::Slide(NoNumbers {}),
        3 if firmly => TieKind::Weld(NoNumbers {}),
        4 if firmly => TieKind::Distance(LengthTie { length: distance }),
        5 if firmly => TieKind::Rope(LengthTie { length: distance * random.between(1.0, 1.5) }),
        _ => {
            // Stiff enough to carry the lighter body with a stretch of a few centimetres.
            let mass = b.map_or(a.mass, |b| b.mass.min(a.mass));
            let stiffness = mass * random.magnitude(30.0, 3000.0);
            let damping = mass * random.between(0.0, 10.0);
            TieKind::Spring(SpringTie { length: distance * random.between(0.6, 1.2), stiffness, damping })
        }
    };
    let meets = matches!(kind, TieKind::Pin(_) | TieKind::Hinge(_) | TieKind::Slide(_) | TieKind::Weld(_));
    let (place_a, place_b) = if meets {
        let middle = Pose::new(random.rotation(), 0.5 * (a.pose.translation + far));
        (middle, middle)
    } else {
        (Pose::from_translation(a.pose.translation), Pose::from_translation(far))
    };
    scene.constraints.push(ConstraintSpec { kind: kind.clone(), a: anchor(Some(a), &place_a), b: anchor(b, &place_b) });
    if let (true, Some(b)) = (meets, b) {
        scene.exclusions.push([a.name.clone(), b.name.clone()]);
    }
    kind
}

fn anchor(body: Option<&Body>, place: &Pose) -> AnchorSpec {
    let own = body.map_or(*place, |body| body.pose.inverse().compose(place));
    AnchorSpec {
        body: body.map(|body| body.name.clone()),
        position: own.translation,
        orientation: Orientation::from_quaternion(own.rotation),
    }
}

/// Sets the velocities of a constrained assembly to zero.
fn stop(scene: &mut SceneSpec, assembly: &[BodySpec]) {
    if let Some(root) = scene.body_index(&assembly[0].name) {
        let root = &mut scene.bodies[root];
        (root.velocity, root.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
    }
}

/// All bodies besides the ground, at their start.
fn bodies(scene: &SceneSpec, assemblies: &[Vec<BodySpec>]) -> Vec<Body> {
    let Ok(built) = scene.build(".") else { return Vec::new() };
    let workspace = start(&built);
    let mut found = Vec::new();
    for (assembly, own) in assemblies.iter().enumerate() {
        for spec in own {
            let Some(body) = scene.body_index(&spec.name).map(|body| &built.bodies[body]) else { continue };
            let mass = body.mass.map_or(f64::INFINITY, |mass| mass.mass);
            let pose = body.frame(&built.world, &workspace);
            found.push(Body { name: spec.name.clone(), assembly, pose, mass });
        }
    }
    found
}
