//! The collision demonstration (Fontijne (2000) section 2.6): bodies that move in a cube, with the closest features,
//! bounding boxes, tiles of the spatial hash and counters of collision detection.

use std::collections::BTreeMap;

use burgess_bounce::{BodyKind, BounceConfig, BounceWorld, BroadPhaseKind};
use burgess_formats::gltf::Surface;
use burgess_geometry::{Aabb, Pose, Shape};
use burgess_pictures::default_color;
use glam::{DQuat, DVec3};

use super::appearance::{Appearance, BodyAppearance, Bounds, MeshAppearance, ShapeList, seven_numbers};
use super::contents::Contents;
use super::edit::{Edit, check_number, short};
use super::overlay::{features, push};
use super::player::{Kind, Player, SavedState, SessionInfo};
use super::probe::Probe;
use super::sample::sample_poses;
use super::section::SectionKind;
use super::signal::{BodyQuantity, Layout};
use super::source::BounceSource;

/// Length of a step for display if the step size is 0, in s.
const DISPLAY_STEP: f64 = 0.01;
/// Maximum number of items of a section.
const MAX_ITEMS: usize = 20_000;

/// Maximum number of bodies: more are too slow to watch.
const MAX_OBJECTS: usize = 20_000;
/// Up to this number, bodies may be packed into a world of any size.
const MAX_CROWDED_OBJECTS: usize = 500;
/// Smallest edge of the world for more bodies, as a fraction of that of a roomy world.
const MIN_WORLD_FRACTION: f64 = 0.5;
/// Maximum number of vertices of a hull.
const MAX_VERTICES: usize = 2000;
/// Length of a step for a step size of 1.
const TIME_STEP: f64 = 0.01;

/// Names of the counters.
const COUNTERS: [&str; 8] = [
    "pairs",
    "pairs created",
    "penetrating so far",
    "broad-phase operations",
    "tiles",
    "candidates",
    "V-Clip queries",
    "features visited",
];

/// The player of the collision demonstration.
pub struct BouncePlayer {
    world: Box<BounceWorld>,
    /// The broad phase that is used with hashing.
    hashing: BroadPhaseKind,
}

impl BouncePlayer {
    /// Creates the world at its start.
    pub fn new(config: BounceConfig) -> Result<Self, String> {
        let hashing = match config.broad_phase {
            BroadPhaseKind::Hashing { .. } => config.broad_phase,
            _ => BroadPhaseKind::Hashing { coherence: true },
        };
        Ok(Self { world: Box::new(BounceWorld::new(config).map_err(|error| error.to_string())?), hashing })
    }

    /// The world.
    pub fn world(&self) -> &BounceWorld {
        &self.world
    }
}

impl Player for BouncePlayer {
    fn info(&self) -> SessionInfo {
        let mut overlays = vec![SectionKind::Closest, SectionKind::Boxes, SectionKind::Counters];
        if self.world.broad_phase().tiles().is_some() {
            overlays.insert(2, SectionKind::Tiles);
        }
        SessionInfo {
            title: "bounce".to_string(),
            description: format!("{} bodies bounce about a cube.", self.world.config().objects),
            kind: Kind::Bounce,
            paradigm: None,
            duration: None,
            interfere: false,
            probe: true,
            end: false,
            overlays,
            counters: COUNTERS.map(str::to_string).to_vec(),
            neurons: 0,
        }
    }

    fn appearance(&mut self, epoch: u32) -> Appearance {
        let mut list = ShapeList::default();
        // Bodies share shapes.
        let mut known: BTreeMap<*const Shape, Option<usize>> = BTreeMap::new();
        for (index, (shape, _)) in self.world.bodies().enumerate() {
            let mesh = *known.entry(std::ptr::from_ref(shape)).or_insert_with(|| {
                let surface = surface(shape)?;
                list.meshes.push(MeshAppearance::from(&surface));
                Some(list.meshes.len() - 1)
            });
            if let Some(mesh) = mesh {
                list.add_mesh(mesh, Some(index), &Pose::IDENTITY, default_color(index, false));
            }
        }
        let look = |index: usize| BodyAppearance {
            name: format!("body-{index}"),
            mass: 0.0,
            parent: None,
            joint: None,
            collides: true,
        };
        let half = DVec3::splat(0.5 * self.world.config().world);
        Appearance {
            epoch,
            ground: false,
            gravity: [0.0; 3],
            fluid: false,
            bodies: (0..self.world.config().objects).map(look).collect(),
            shapes: list.shapes,
            meshes: list.meshes,
            followed: None,
            bounds: Bounds::from(Aabb::new(-half, half)),
        }
    }

    fn steps(&self) -> u64 {
        self.world.statistics().steps
    }

    fn time(&self) -> f64 {
        self.steps() as f64 * self.world.config().step_size
    }

    fn step_length(&self) -> f64 {
        let step = self.world.config().step_size;
        if step > 1e-5 { step } else { DISPLAY_STEP }
    }

    fn advance(&mut self) -> Result<(), String> {
        self.world.step().map_err(|error| error.to_string())
    }

    fn save(&self) -> SavedState {
        SavedState::Bounce(self.world.clone())
    }

    fn restore_state(&mut self, state: &SavedState, _changes: &[Edit]) -> Result<(), String> {
        let SavedState::Bounce(world) = state else {
            return Err("the saved state belongs to another kind of session".to_string());
        };
        self.world.clone_from(world);
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn poses(&mut self, poses: &mut Vec<f32>) {
        for (_, pose) in self.world.bodies() {
            poses.extend(seven_numbers(pose).map(|number| number as f32));
        }
    }

    /// Bodies have no mass.
    fn energies(&mut self) -> [f64; 2] {
        [0.0; 2]
    }

    fn section(&mut self, kind: SectionKind, numbers: &mut Vec<f32>) {
        match kind {
            SectionKind::Closest => {
                let mut left = MAX_ITEMS;
                self.world.for_each_closest(|[a, b], proximity, cache| {
                    if left > 0 {
                        left -= 1;
                        numbers.extend([a as f32, b as f32]);
                        push(numbers, proximity.point_a);
                        push(numbers, proximity.point_b);
                        numbers.extend(features(cache));
                    }
                });
            }
            SectionKind::Boxes => {
                for (index, aabb) in self.world.boxes().enumerate().take(MAX_ITEMS) {
                    numbers.push(index as f32);
                    push(numbers, aabb.min);
                    push(numbers, aabb.max);
                }
            }
            SectionKind::Tiles => {
                for tile in self.world.broad_phase().tiles().unwrap_or_default().iter().take(MAX_ITEMS) {
                    push(numbers, tile.corner);
                    numbers.extend([tile.edge as f32, tile.boxes as f32]);
                }
            }
            SectionKind::Counters => {
                let (own, broad) = (self.world.statistics(), self.world.broad_phase().statistics());
                let vclip = self.world.vclip_statistics();
                numbers.extend([
                    self.world.pairs() as f32,
                    own.pairs_created as f32,
                    own.penetrating as f32,
                    broad.operations as f32,
                    broad.tiles as f32,
                    broad.candidates as f32,
                    vclip.queries as f32,
                    vclip.features_visited as f32,
                ]);
            }
            _ => {}
        }
    }

    fn probe(&mut self, body: usize) -> Option<Probe> {
        let (_, pose) = self.world.bodies().nth(body)?;
        let step = self.world.config().step_size;
        let turn: DVec3 = self.world.turns().nth(body).map(DQuat::to_scaled_axis).unwrap_or_default();
        Some(Probe {
            body,
            name: format!("body-{body}"),
            position: pose.translation.to_array(),
            orientation: pose.rotation.to_array(),
            velocity: self.world.velocities().nth(body).unwrap_or_default().to_array(),
            angular_velocity: if step > 0.0 { (turn / step).to_array() } else { [0.0; 3] },
            mass: 0.0,
            joint: None,
            contacts: Vec::new(),
            force: [0.0; 3],
        })
    }

    fn contents(&self) -> Contents {
        Contents { body_quantities: BodyQuantity::POSE.to_vec(), ..Contents::default() }
    }

    fn layout(&self) -> Layout {
        Layout { axes: vec![0; self.world.config().objects], ..Layout::default() }
    }

    fn sample(&mut self, row: &mut Vec<f32>) {
        sample_poses(self.world.bodies().map(|(_, pose)| (*pose, None)), row);
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), String> {
        let Edit::Hashing { on } = edit else {
            return Err("only hashing can be changed in bounce".to_string());
        };
        let kind = if *on { self.hashing } else { BroadPhaseKind::Exhaustive };
        self.world.set_broad_phase(kind).map_err(|error| error.to_string())
    }
}

/// The configuration that a client asks for; or a sentence that says what is wrong.
pub fn bounce_config(source: &BounceSource) -> Result<BounceConfig, String> {
    let objects = source.objects.unwrap_or(50);
    if !(1..=MAX_OBJECTS).contains(&objects) {
        return Err(format!("objects must be from 1 to {MAX_OBJECTS}, found {objects}"));
    }
    let world = source.world.unwrap_or_else(|| BounceConfig::roomy_world(objects));
    check_number("world", world, [0.1, 1e5], "")?;
    // If all bodies overlap, the number of pairs grows with the square of the number of bodies.
    let least = MIN_WORLD_FRACTION * BounceConfig::roomy_world(objects);
    if objects > MAX_CROWDED_OBJECTS && world < least {
        return Err(format!("{objects} objects need a world of at least {least:.1}, found {world}"));
    }
    let step_size = source.step_size.unwrap_or(1.0);
    check_number("step_size", step_size, [0.0, 100.0], "")?;
    if let Some(vertices) = source.vertices.filter(|vertices| !(4..=MAX_VERTICES).contains(vertices)) {
        return Err(format!("vertices must be from 4 to {MAX_VERTICES}, found {vertices}"));
    }
    let coherence = source.coherence.unwrap_or(true);
    let broad_phase = match source.broad_phase.as_deref().unwrap_or("hash") {
        "hash" => BroadPhaseKind::Hashing { coherence },
        "sweep" => BroadPhaseKind::SweepAndPrune,
        "exhaustive" => BroadPhaseKind::Exhaustive,
        "off" => BroadPhaseKind::Off,
        other => return Err(format!("broad_phase must be hash, sweep, exhaustive or off, found '{}'", short(other))),
    };
    let bodies = source.vertices.map_or(BodyKind::Primitives, BodyKind::Hulls);
    let step_size = TIME_STEP * step_size;
    Ok(BounceConfig { objects, world, step_size, broad_phase, bodies, ..BounceConfig::default() })
}

/// The surface of a polyhedron or of a compound of polyhedra.
fn surface(shape: &Shape) -> Option<Surface> {
    match shape {
        Shape::Polyhedron(polyhedron) => Some(Surface::polyhedron(polyhedron)),
        Shape::Compound(compound) => {
            let mut all = Surface::default();
            for part in compound.parts() {
                all.append(surface(part.shape())?.moved(part.pose()));
            }
            Some(all)
        }
        _ => None,
    }
}
