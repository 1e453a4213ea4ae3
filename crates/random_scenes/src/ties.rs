//! Random ties between bodies. Those that hold bodies firmly form no loops, so that they can always be kept.

use burgess_geometry::Pose;
use burgess_scene::spec::{
    AnchorSpec, BodySpec, ConstraintSpec, LengthTie, NoNumbers, Orientation, SceneSpec, SpringTie, TieKind,
};
use glam::DVec3;

use super::dice::Dice;
use super::placing::{hangs, start};

/// A tie for so many bodies.
const BODIES_PER_TIE: usize = 8;
/// Bodies that are farther apart are not tied, in m.
const REACH: f64 = 1.2;
/// Bodies that start higher may be tied to the world, in m.
const HIGH: f64 = 1.8;

struct Body {
    name: String,
    assembly: usize,
    pose: Pose,
    /// In kg; infinite if it is welded to the world.
    mass: f64,
}

/// Ties bodies near each other as they are now, and takes the velocities of what is tied.
pub(super) fn add(dice: &mut Dice, scene: &mut SceneSpec, assemblies: &[Vec<BodySpec>]) {
    let bodies = bodies(scene, assemblies);
    if bodies.len() < 2 {
        return;
    }
    // What holds firmly to what; the last is the world.
    let world = assemblies.len();
    let mut cluster: Vec<usize> = (0..=world).collect();
    for (index, assembly) in assemblies.iter().enumerate() {
        if hangs(&assembly[0]) {
            cluster[index] = world;
        }
    }
    for _ in 0..bodies.len() / BODIES_PER_TIE {
        let a = &bodies[dice.below(bodies.len())];
        let to_world = a.pose.translation.z > HIGH && dice.chance(0.5);
        let near = |b: &&Body| b.assembly != a.assembly && (b.pose.translation - a.pose.translation).length() < REACH;
        let others: Vec<&Body> = bodies.iter().filter(near).collect();
        if others.is_empty() && !to_world {
            continue;
        }
        let b = (!to_world).then(|| others[dice.below(others.len())]);
        if a.mass.min(b.map_or(a.mass, |b| b.mass)).is_infinite() {
            continue;
        }
        let (first, second) = (cluster[a.assembly], b.map_or(world, |b| cluster[b.assembly]));
        let kind = tie(dice, scene, a, b, first != second);
        if !matches!(kind, TieKind::Spring(_)) {
            let most = first.max(second);
            cluster.iter_mut().filter(|own| **own == first || **own == second).for_each(|own| *own = most);
        }
        for tied in [Some(a), b].into_iter().flatten() {
            stop(scene, &assemblies[tied.assembly]);
        }
    }
}

/// Ties two bodies. Returns how.
fn tie(dice: &mut Dice, scene: &mut SceneSpec, a: &Body, b: Option<&Body>, firmly: bool) -> TieKind {
    let far = b.map_or_else(|| a.pose.translation + DVec3::Z * 0.4, |b| b.pose.translation);
    let distance = (far - a.pose.translation).length();
    let kind = match dice.below(7) {
        0 if firmly => TieKind::Pin(NoNumbers {}),
        1 if firmly => TieKind::Hinge(NoNumbers {}),
        2 if firmly => TieKind::Slide(NoNumbers {}),
        3 if firmly => TieKind::Weld(NoNumbers {}),
        4 if firmly => TieKind::Distance(LengthTie { length: distance }),
        5 if firmly => TieKind::Rope(LengthTie { length: distance * dice.between(1.0, 1.5) }),
        _ => {
            // As stiff as to carry the lighter body with a stretch of a few centimetres.
            let mass = b.map_or(a.mass, |b| b.mass.min(a.mass));
            let stiffness = mass * dice.magnitude(30.0, 3000.0);
            let damping = mass * dice.between(0.0, 10.0);
            TieKind::Spring(SpringTie { length: distance * dice.between(0.6, 1.2), stiffness, damping })
        }
    };
    let meets = matches!(kind, TieKind::Pin(_) | TieKind::Hinge(_) | TieKind::Slide(_) | TieKind::Weld(_));
    let (place_a, place_b) = if meets {
        let middle = Pose::new(dice.rotation(), 0.5 * (a.pose.translation + far));
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

/// A tied assembly starts at rest.
fn stop(scene: &mut SceneSpec, assembly: &[BodySpec]) {
    if let Some(root) = scene.body_index(&assembly[0].name) {
        let root = &mut scene.bodies[root];
        (root.velocity, root.angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
    }
}

/// All bodies besides the ground, where they start.
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
