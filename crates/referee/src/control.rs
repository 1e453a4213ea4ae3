//! The time control that lets an engine move the bodies of a simulation.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use burgess_dynamics::Motor;
use burgess_formats::mjcf::StateMap;
use burgess_scene::RunningScene;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::modules::{Modules, TimeControl};
use burgess_simulation::{Failure, Lookahead, SimulationData};

use crate::engine::{Drive, Engine, EngineError, Moment, Push};

/// Distance up to which contacts are listed, in m. Measures of contacts use smaller gaps.
const CONTACT_MARGIN: f64 = 0.01;

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
            self.bodies.mark_touches(&*self.engine, data, step);
        }
        data.detect_contacts(Lookahead { interval: 0.0, margin: CONTACT_MARGIN });
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

/// The bodies of a scene by name.
#[derive(Debug)]
struct Bodies {
    /// Colliders of each body.
    colliders: BTreeMap<String, Range<usize>>,
    /// Name and link of each moving body that is not welded to another one.
    links: Vec<(String, usize)>,
}

impl Bodies {
    fn new(scene: &SceneSpec, running: &RunningScene) -> Self {
        let world = running.simulation.world();
        let (mut colliders, mut links) = (BTreeMap::new(), Vec::new());
        for (spec, built) in scene.bodies.iter().zip(&running.bodies) {
            colliders.insert(spec.name.clone(), built.colliders.clone());
            let link = built.link.and_then(|link| world.index(link));
            links.extend(
                link.filter(|&link| world.model().name(link) == spec.name).map(|link| (spec.name.clone(), link)),
            );
        }
        Self { colliders, links }
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

    /// Records which bodies have touched in the present step, for senses.
    fn mark_touches(&self, engine: &dyn Engine, data: &mut SimulationData, step: f64) {
        let end = data.state.time + step;
        engine.touches(&mut |a, b| {
            for colliders in [a, b].into_iter().filter_map(|name| self.colliders.get(name)) {
                data.pressed_at[colliders.clone()].fill(end);
            }
        });
    }
}
