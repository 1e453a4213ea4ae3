//! Where assemblies start: as low as they fit without the box of any shape in that of another.

use std::collections::BTreeSet;

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Workspace, update_kinematics};
use burgess_geometry::{Aabb, Pose};
use burgess_scene::BuiltScene;
use burgess_scene::spec::{BodySpec, JointKind, SceneSpec};
use burgess_simulation::{CollisionDetection, Lookahead};
use glam::DVec3;

use super::random::Random;
use super::{ground, ties};

/// Places that are tried for an assembly; the lowest is taken.
const TRIES: usize = 8;
/// Left free between boxes, in m.
const GAP: f64 = 0.01;
/// What hangs from the world begins above this, in m: nothing can be crushed under it.
const HANGING: f64 = 1.5;

/// The assemblies of a scene that is being made.
#[derive(Debug)]
pub(super) struct Place {
    /// The ground and the materials, without bodies that move.
    ground: SceneSpec,
    extent: f64,
    assemblies: Vec<Vec<BodySpec>>,
    boxes: Vec<Aabb>,
    bodies: usize,
}

impl Place {
    pub(super) fn new(ground: &SceneSpec, extent: f64) -> Self {
        Self { ground: ground.clone(), extent, assemblies: Vec::new(), boxes: Vec::new(), bodies: 0 }
    }

    /// How many bodies have been placed.
    pub(super) fn bodies(&self) -> usize {
        self.bodies
    }

    /// Finds a place for an assembly around the origin.
    pub(super) fn put(&mut self, random: &mut Random, mut assembly: Vec<BodySpec>) {
        let mut alone = SceneSpec { bodies: Vec::new(), ..self.ground.clone() };
        alone.bodies.clone_from(&assembly);
        // What cannot be built is left out: a body with a hull of points in a plane.
        let Ok(built) = alone.build(".") else { return };
        let boxes = boxes(&built);
        let floor = if hangs(&assembly[0]) { HANGING } else { ground::TOP } + random.between(0.02, 0.3);
        let lowest = boxes.iter().fold(f64::INFINITY, |lowest, own| lowest.min(own.min.z));
        let mut best: Option<DVec3> = None;
        for _ in 0..TRIES {
            let across = DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0) * self.extent;
            let found = self.raise(&boxes, across + DVec3::Z * (floor - lowest));
            if best.is_none_or(|best| found.z < best.z) {
                best = Some(found);
            }
        }
        let offset = best.unwrap_or(DVec3::ZERO);
        match &mut assembly[0].joint {
            Some(joint) if !matches!(joint.kind, JointKind::Free(_)) => joint.in_parent.position += offset,
            _ => assembly[0].position += offset,
        }
        self.boxes.extend(boxes.iter().map(|own| moved(own, offset)));
        self.bodies += assembly.len();
        self.assemblies.push(assembly);
    }

    /// Raises boxes until none of them is in another.
    fn raise(&self, boxes: &[Aabb], mut offset: DVec3) -> DVec3 {
        loop {
            let pairs = boxes.iter().flat_map(|own| self.boxes.iter().map(move |other| (own, other)));
            let above = pairs
                .filter(|(own, other)| meet(&moved(own, offset).inflated(GAP), other))
                .fold(offset.z, |z, (own, other)| z.max(other.max.z + 2.0 * GAP - own.min.z));
            if above == offset.z {
                return offset;
            }
            offset.z = above;
        }
    }

    /// Adds the bodies and what ties them to the scene.
    pub(super) fn finish(self, random: &mut Random, scene: &mut SceneSpec) {
        scene.bodies.extend(self.assemblies.iter().flatten().cloned());
        exclude_overlaps(scene);
        ties::add(random, scene, &self.assemblies);
    }
}

pub(super) fn hangs(root: &BodySpec) -> bool {
    root.joint.as_ref().is_some_and(|joint| !matches!(joint.kind, JointKind::Free(_)))
}

fn moved(own: &Aabb, by: DVec3) -> Aabb {
    Aabb::new(own.min + by, own.max + by)
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

/// A workspace at the start of a scene.
pub(super) fn start(built: &BuiltScene) -> Workspace {
    let mut workspace = Workspace::new(built.world.model());
    built.world.run_scripts(0.0, &mut workspace);
    update_kinematics(built.world.model(), &built.state, &mut workspace);
    workspace
}

fn boxes(built: &BuiltScene) -> Vec<Aabb> {
    let workspace = start(built);
    let pose = |collider: usize| -> Pose { built.world.collider_pose(&workspace, collider) };
    let colliders = built.world.colliders().iter().enumerate();
    colliders.map(|(index, collider)| collider.shape.aabb(&pose(index))).collect()
}

/// Links of one tree that start in each other pass through each other.
fn exclude_overlaps(scene: &mut SceneSpec) {
    let Ok(built) = scene.build(".") else { return };
    let Ok(mut detection) = CollisionDetection::new(&built.world) else { return };
    let near = Lookahead { interval: 0.0, margin: GAP };
    detection.detect(&built.world, &start(&built), near, &mut PairTable::default());
    let owner = |collider: u32| built.bodies.iter().position(|body| body.colliders.contains(&(collider as usize)));
    let moves = |&body: &usize| built.bodies[body].link.is_some();
    let name = |collider: u32| owner(collider).filter(moves).map(|body| scene.bodies[body].name.clone());
    let pairs: BTreeSet<[String; 2]> = detection
        .contacts()
        .iter()
        .filter_map(|contact| Some([name(contact.collider_a)?, name(contact.collider_b)?]))
        .collect();
    scene.exclusions.extend(pairs);
}
