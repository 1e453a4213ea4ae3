//! Overlays of a simulation: contacts and forces, closest points and features, boxes, tiles, groups, the centre of
//! mass, joint axes. They are computed on request from the data of the last step, and do not change the simulation.

use burgess_collision::narrow_phase::{ConvexCache, NarrowScratch, PairCache, closest};
use burgess_dynamics::joint::Joint;
use burgess_dynamics::joint_efforts;
use burgess_geometry::Feature;
use burgess_simulation::WorldContact;
use glam::DVec3;

use super::crowd::crowd_values;
use super::current_world::CurrentWorld;
use super::probe::{ContactProbe, JointProbe, Probe};
use super::section::SectionKind;

/// Maximum number of items of a section, to limit the size of frames.
const MAX_ITEMS: usize = 20_000;
/// Maximum number of pairs whose closest points are computed.
const MAX_CLOSEST: usize = 2000;

/// Names of the counters of a simulation.
pub const COUNTERS: [&str; 8] = [
    "contacts",
    "pairs",
    "groups",
    "collisions",
    "sub-steps",
    "deepest penetration (m)",
    "bodies asleep",
    "solver sweeps",
];

/// Computes overlays; contains scratch memory.
#[derive(Debug, Default)]
pub struct OverlaySampler {
    scratch: NarrowScratch,
}

impl OverlaySampler {
    /// Appends the numbers of a section. The workspace must be current.
    pub fn section(&mut self, current: &mut CurrentWorld, kind: SectionKind, numbers: &mut Vec<f32>) {
        match kind {
            SectionKind::Contacts => contacts(current, numbers),
            SectionKind::Closest => self.closest(current, numbers),
            SectionKind::Boxes => boxes(current, numbers),
            SectionKind::Tiles => tiles(current, numbers),
            SectionKind::Groups => groups(current, numbers),
            SectionKind::Centre => {
                let totals = current.running.simulation.observables();
                push(numbers, totals.center_of_mass);
                numbers.push(totals.mass as f32);
            }
            SectionKind::Joints => joints(current, numbers),
            SectionKind::Counters => counters(current, numbers),
            SectionKind::Figures => figures(current, numbers),
            SectionKind::Crowd => crowd_values(current, numbers),
            SectionKind::Activations | SectionKind::Controls => {}
        }
    }

    /// Closest points of all pairs of the broad phase.
    fn closest(&mut self, current: &CurrentWorld, numbers: &mut Vec<f32>) {
        let data = current.running.simulation.data();
        for (pair, record) in data.pairs.iter().take(MAX_CLOSEST) {
            let [a, b] = [pair.a.index(), pair.b.index()];
            let (Some(one), Some(other)) = (data.world.colliders().get(a), data.world.colliders().get(b)) else {
                continue;
            };
            let [pose_a, pose_b] = [a, b].map(|collider| data.world.collider_pose(&data.workspace, collider));
            let mut cache: PairCache = record.cache.clone();
            let found = closest(&one.shape, &pose_a, &other.shape, &pose_b, &mut cache, &mut self.scratch);
            let Some(found) = found.filter(|found| found.proximity.distance.is_finite()) else { continue };
            numbers.extend([place(current, a), place(current, b)]);
            push(numbers, found.proximity.point_a);
            push(numbers, found.proximity.point_b);
            numbers.extend(features(&cache.convex));
        }
    }

    /// The state of a body of a frame. The workspace must be current.
    pub fn probe(&self, current: &CurrentWorld, body: usize) -> Option<Probe> {
        let shown = current.shown.get(body)?;
        let spec = &current.scene.bodies[shown.body];
        let data = current.running.simulation.data();
        let pose = current.pose(shown);
        let motion = shown.link.map(|link| data.workspace.velocity_at(link, pose.translation)).unwrap_or_default();
        let contacts = touching(current, body);
        let force: DVec3 = contacts.iter().map(|touching| DVec3::from_array(touching.force)).sum();
        Some(Probe {
            body,
            name: spec.name.clone(),
            position: pose.translation.to_array(),
            orientation: pose.rotation.to_array(),
            velocity: motion.linear.to_array(),
            angular_velocity: motion.angular.to_array(),
            mass: current.running.bodies[shown.body].mass.map_or(0.0, |mass| mass.mass),
            joint: joint_probe(current, shown.body, shown.link),
            contacts,
            force: force.to_array(),
        })
    }
}

fn joint_probe(current: &CurrentWorld, body: usize, link: Option<usize>) -> Option<JointProbe> {
    let joint = current.scene.bodies[body].joint.as_ref()?;
    let data = current.running.simulation.data();
    let model = data.world.model();
    let link_index = link?;
    let link = &model.links()[link_index];
    let dofs = link.v..link.v + link.dofs as usize;
    let end = model.links().get(link_index + 1).map_or(model.positions(), |next| next.q);
    let mut efforts = vec![0.0; model.dofs()];
    joint_efforts(model, &data.state.motors, &data.state.q, &data.state.v, &mut efforts);
    Some(JointProbe {
        kind: joint.kind.type_name(),
        positions: data.state.q[link.q..end].to_vec(),
        velocities: data.state.v[dofs.clone()].to_vec(),
        efforts: efforts[dofs].to_vec(),
    })
}

/// Contact forces on a body of a frame, one entry for each other body.
fn touching(current: &CurrentWorld, body: usize) -> Vec<ContactProbe> {
    let mut found: Vec<(usize, DVec3)> = Vec::new();
    for (contact, force) in forces(current) {
        let places = [contact.collider_a, contact.collider_b].map(|index| current.place_of_collider[index as usize]);
        let is_own = |place: Option<u32>| place == Some(body as u32);
        let (other, force) = match places {
            [_, b] if is_own(b) => (contact.collider_a, force),
            [a, _] if is_own(a) => (contact.collider_b, -force),
            _ => continue,
        };
        let other = current.body_of_collider[other as usize];
        match found.iter_mut().find(|(known, _)| *known == other) {
            Some((_, sum)) => *sum += force,
            None => found.push((other, force)),
        }
    }
    let name = |body: usize| current.scene.bodies[body].name.clone();
    found.into_iter().map(|(other, force)| ContactProbe { with: name(other), force: force.to_array() }).collect()
}

/// The feet of everybody who walks.
fn figures(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    let mut places = vec![None; current.running.simulation.world().model().links().len()];
    for (place, shown) in current.shown.iter().enumerate() {
        if let Some(link) = shown.link {
            places[link].get_or_insert(place);
        }
    }
    current.running.visit_walkers(|link, walker| {
        let Some(place) = places.get(link).copied().flatten() else { return };
        numbers.push(place as f32);
        for foot in 0..2 {
            let (foot, height) = walker.gait.foot(foot);
            numbers.extend([foot.position.x, foot.position.y, height, foot.heading].map(|value| value as f32));
        }
    });
}

/// The contacts of the last step with the forces on b, in N; none if no step was made.
pub fn forces(current: &CurrentWorld) -> impl Iterator<Item = (&WorldContact, DVec3)> {
    let data = current.running.simulation.data();
    let contacts = if current.is_fresh { data.detection.contacts() } else { &[] };
    let held = data.statistics.held_seconds;
    contacts.iter().filter(|contact| (contact.pair as usize) < data.pairs.len()).map(move |contact| {
        let impulse = data.pairs.record(contact.pair as usize).impulse(&contact.id);
        (contact, if held > 0.0 { impulse / held } else { DVec3::ZERO })
    })
}

fn contacts(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    for (contact, force) in forces(current).take(MAX_ITEMS) {
        numbers.extend([contact.collider_a, contact.collider_b].map(|collider| place(current, collider as usize)));
        push(numbers, contact.point);
        push(numbers, contact.normal);
        push(numbers, force);
        numbers.push(contact.distance as f32);
    }
}

fn boxes(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    let data = current.running.simulation.data();
    for (index, collider) in data.world.colliders().iter().enumerate().take(MAX_ITEMS) {
        let aabb = collider.shape.aabb(&data.world.collider_pose(&data.workspace, index));
        if aabb.min.is_finite() && aabb.max.is_finite() {
            numbers.push(place(current, index));
            push(numbers, aabb.min);
            push(numbers, aabb.max);
        }
    }
}

fn tiles(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    if !current.is_fresh {
        return;
    }
    for tile in current.running.simulation.data().detection.tiles().unwrap_or_default().iter().take(MAX_ITEMS) {
        push(numbers, tile.corner);
        numbers.extend([tile.edge as f32, tile.boxes as f32]);
    }
}

fn groups(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    if !current.is_fresh {
        return;
    }
    let data = current.running.simulation.data();
    for (index, shown) in current.shown.iter().enumerate().take(MAX_ITEMS) {
        let tree = shown.link.map(|link| data.world.tree_of_link(link) as u32);
        if let Some(group) = tree.and_then(|tree| data.detection.groups().group_of_body(tree)) {
            numbers.extend([index as f32, group as f32]);
        }
    }
}

/// Axes of revolute and prismatic joints; spherical joints have none.
fn joints(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    let data = current.running.simulation.data();
    let model = data.world.model();
    for (index, shown) in current.shown.iter().enumerate().take(MAX_ITEMS) {
        let Some(link) = shown.link else { continue };
        if !matches!(model.links()[link].joint, Joint::Revolute | Joint::Prismatic | Joint::Stack { .. }) {
            continue;
        }
        let anchor = data.workspace.anchor(link);
        let own = model.links()[link].v..model.links()[link].v + model.links()[link].dofs as usize;
        data.workspace.for_each_column(model, link, anchor, |dof, motion| {
            if own.contains(&dof) {
                let turns = motion.angular != DVec3::ZERO;
                numbers.extend([index as f32, if turns { 1.0 } else { 2.0 }]);
                push(numbers, anchor);
                push(numbers, if turns { motion.angular } else { motion.linear });
            }
        });
    }
}

fn counters(current: &CurrentWorld, numbers: &mut Vec<f32>) {
    let data = current.running.simulation.data();
    let known = if current.is_fresh { data.statistics } else { Default::default() };
    let asleep = (0..data.world.trees().len()).filter(|&tree| current.is_fresh && data.rest.sleeps(tree)).count();
    numbers.extend([
        known.contacts as f32,
        data.pairs.len() as f32,
        if current.is_fresh { data.detection.groups().len() as f32 } else { 0.0 },
        known.impulses as f32,
        known.sub_steps as f32,
        known.penetration as f32,
        asleep as f32,
        known.solver.sweeps as f32,
    ]);
}

/// The index of the body of a collider in frames, or -1 if it is fixed in the world.
fn place(current: &CurrentWorld, collider: usize) -> f32 {
    current.place_of_collider.get(collider).copied().flatten().map_or(-1.0, |place| place as f32)
}

/// Appends a vector.
pub fn push(numbers: &mut Vec<f32>, vector: DVec3) {
    numbers.extend_from_slice(&vector.as_vec3().to_array());
}

/// The closest features that a query found: 0 vertex, 1 edge, 2 face, 3 smooth.
pub fn features(cache: &ConvexCache) -> [f32; 2] {
    let number = |feature: Feature| match feature {
        Feature::Vertex(_) => 0.0,
        Feature::Edge(_) => 1.0,
        Feature::Face(_) => 2.0,
    };
    match cache {
        ConvexCache::Features(pair) => [number(pair.a), number(pair.b)],
        _ => [3.0, 3.0],
    }
}
