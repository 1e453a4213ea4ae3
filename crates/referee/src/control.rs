//! The time control that lets an engine move the bodies of a simulation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use burgess_collision::contact_determination::{ContactId, PartContactId};
use burgess_dynamics::Motor;
use burgess_formats::mjcf::StateMap;
use burgess_geometry::Feature;
use burgess_scene::RunningScene;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::modules::{Modules, TimeControl};
use burgess_simulation::{Failure, Lookahead, SimulationData, StoredImpulse};
use glam::DVec3;

use crate::engine::{Drive, Engine, EngineError, Moment, Push};

/// Distance up to which pairs are listed, in m. It is larger than the distance that a body covers in a step, because
/// bodies that touched during a step may have separated at its end.
const PAIR_MARGIN: f64 = 0.1;

/// Memory of the controllers at each step, shared with the code that compares it.
pub(crate) type Trace = Arc<Mutex<Vec<Vec<f64>>>>;

/// The reason why an engine failed, shared with the judge.
pub(crate) type EngineFailure = Arc<Mutex<Option<EngineError>>>;

/// Adds the present memory of the controllers to a trace.
pub(crate) fn record_memory(trace: &Trace, data: &SimulationData) {
    trace.lock().unwrap_or_else(PoisonError::into_inner).push(data.controllers.memory().high_level);
}

/// Lets an engine move the bodies.
#[derive(Debug)]
pub(crate) struct EngineControl {
    engine: Box<dyn Engine>,
    map: StateMap,
    bodies: Bodies,
    trace: Option<Trace>,
    failure: EngineFailure,
}

impl EngineControl {
    pub fn new(
        engine: Box<dyn Engine>,
        map: StateMap,
        scene: &SceneSpec,
        running: &RunningScene,
        failure: EngineFailure,
    ) -> Self {
        Self { engine, map, bodies: Bodies::new(scene, running), trace: None, failure }
    }

    pub fn with_trace(self, trace: Trace) -> Self {
        Self { trace: Some(trace), ..self }
    }

    fn move_bodies(&mut self, data: &mut SimulationData, step: f64) -> Result<(), EngineError> {
        let failed = |error: &dyn std::fmt::Display| EngineError(error.to_string());
        let substeps = self.engine.substeps().max(1);
        let model = |data: &SimulationData| Arc::clone(&data.world);
        let world = model(data);
        let is_active = data.state.motors.iter().any(|motor| *motor != Motor::None);
        let mut drive = Drive { controls: data.controls.clone(), is_active, pushes: Vec::new() };
        let (qpos, qvel) =
            self.map.from_state(world.model(), &data.state.q, &data.state.v).map_err(|error| failed(&error))?;
        let mut moment = Moment { qpos, qvel };
        for _ in 0..substeps {
            self.bodies.collect_pushes(data, &mut drive.pushes);
            self.engine.advance(&mut moment, &drive, step / f64::from(substeps))?;
            let found = self.map.to_state(world.model(), &moment.qpos, &moment.qvel);
            let (q, v) = found.map_err(|error| failed(&error))?;
            if !q.iter().chain(&v).all(|number| number.is_finite()) {
                return Err(EngineError("its state is not finite".to_string()));
            }
            data.state.q.copy_from_slice(&q);
            data.state.v.copy_from_slice(&v);
            data.update_kinematics();
        }
        data.detect_contacts(Lookahead { interval: 0.0, margin: PAIR_MARGIN });
        self.bodies.mark_touches(&*self.engine, data);
        Ok(())
    }
}

impl TimeControl for EngineControl {
    fn advance(&mut self, data: &mut SimulationData, _: &mut Modules, step: f64) -> Result<(), Failure> {
        self.trace.iter().for_each(|trace| record_memory(trace, data));
        data.update_kinematics();
        self.move_bodies(data, step).map_err(|error| {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Failure::NotFinite { time: data.state.time, body: "the other simulator".to_string() }
        })
    }
}

/// The bodies of a scene by name, collider and link.
#[derive(Debug)]
struct Bodies {
    /// Index of the moving bodies by name; all others are the world.
    moving: BTreeMap<String, usize>,
    /// Index of the moving body of each collider.
    of_colliders: Vec<Option<usize>>,
    /// Name and link of each moving body that is not welded to another one.
    links: Vec<(String, usize)>,
}

impl Bodies {
    fn new(scene: &SceneSpec, running: &RunningScene) -> Self {
        let world = running.simulation.world();
        let mut of_colliders = vec![None; world.colliders().len()];
        let (mut moving, mut links) = (BTreeMap::new(), Vec::new());
        for (index, (spec, built)) in scene.bodies.iter().zip(&running.bodies).enumerate() {
            let Some(link) = built.link.and_then(|link| world.index(link)) else { continue };
            moving.insert(spec.name.clone(), index);
            of_colliders[built.colliders.clone()].fill(Some(index));
            if world.model().name(link) == spec.name {
                links.push((spec.name.clone(), link));
            }
        }
        Self { moving, of_colliders, links }
    }

    /// Collects the forces of low-level controllers, such as drag.
    fn collect_pushes(&self, data: &mut SimulationData, pushes: &mut Vec<Push>) {
        pushes.clear();
        if !data.controllers.has_low_level() {
            return;
        }
        let SimulationData { world, state, controllers, workspace, .. } = data;
        workspace.clear_forces();
        controllers.load(world, state.time, workspace);
        for (body, link) in &self.links {
            let (force, moment) = workspace.external_force(*link);
            let point = workspace.anchor(*link);
            pushes.push(Push { body: body.clone(), force, moment, point });
        }
        workspace.clear_forces();
    }

    /// Marks the pairs that touch, where senses look for contacts.
    fn mark_touches(&self, engine: &dyn Engine, data: &mut SimulationData) {
        let mut touching = BTreeSet::new();
        engine.touches(&mut |a, b| {
            let [a, b] = [a, b].map(|name| self.moving.get(name).copied());
            touching.insert([a.min(b), a.max(b)]);
        });
        for (pair, record) in data.pairs.iter_mut() {
            let [a, b] = [pair.a, pair.b].map(|proxy| self.of_colliders.get(proxy.index()).copied().flatten());
            record.impulses.clear();
            if touching.contains(&[a.min(b), a.max(b)]) {
                let contact = ContactId::new(Feature::Face(0), Feature::Face(0));
                let id = PartContactId { part_a: 0, part_b: 0, contact };
                record.impulses.push(StoredImpulse { id, impulse: DVec3::Z });
            }
        }
    }
}
