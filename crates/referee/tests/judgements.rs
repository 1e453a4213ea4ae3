//! Judgement by an engine that is Burgess again: it imports the exported model and simulates it.

use burgess_creature::builtin;
use burgess_creature::evaluation::evaluate;
use burgess_creature::task::{Task, Variation};
use burgess_dynamics::Motor;
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf::{self, StateMap};
use burgess_referee::{Drive, Engine, EngineError, Moment, RefereeError, judge};
use burgess_scene::{RunOptions, RunningScene};
use glam::DVec3;

#[derive(Debug)]
struct Burgess {
    run: RunningScene,
    map: StateMap,
    names: Vec<String>,
}

impl Burgess {
    fn load(xml: &str) -> Self {
        let model = mjcf::import_text(xml, "creature.xml", &ImportOptions::default()).unwrap();
        let mut run = model.scene.run(".", &RunOptions::default()).unwrap();
        run.simulation.set_bounds(Default::default());
        let mut names = vec![String::new(); run.simulation.world().colliders().len()];
        for (spec, built) in model.scene.bodies.iter().zip(&run.bodies) {
            names[built.colliders.clone()].fill(spec.name.clone());
        }
        Self { run, map: model.states, names }
    }
}

impl Engine for Burgess {
    fn advance(&mut self, moment: &mut Moment, drive: &Drive, step: f64) -> Result<(), EngineError> {
        assert!((step - self.run.simulation.step_length()).abs() < 1e-12);
        assert!(drive.pushes.is_empty());
        let model = self.run.simulation.world().model();
        let (q, v) = self.map.to_state(model, &moment.qpos, &moment.qvel).unwrap();
        let state = &mut self.run.simulation.data_mut().state;
        state.q.copy_from_slice(&q);
        state.v.copy_from_slice(&v);
        self.run.set_controls(&drive.controls);
        if !drive.is_active {
            self.run.simulation.data_mut().state.motors.fill(Motor::None);
        }
        self.run.simulation.step().map_err(|failure| EngineError(failure.to_string()))?;
        let (model, state) = (self.run.simulation.world().model(), self.run.simulation.state());
        (moment.qpos, moment.qvel) = self.map.from_state(model, &state.q, &state.v).unwrap();
        Ok(())
    }

    fn touches(&self, visit: &mut dyn FnMut(&str, &str)) {
        for (pair, record) in self.run.simulation.data().pairs.iter() {
            if record.impulses.iter().any(|stored| stored.impulse != DVec3::ZERO) {
                visit(&self.names[pair.a.index()], &self.names[pair.b.index()]);
            }
        }
    }
}

fn short_walk() -> Task {
    // MJCF has no restitution.
    let mut task = Task { variation: Variation::NONE, ..Task::preset("walk").unwrap() };
    (task.settle, task.duration, task.transient, task.arena.restitution) = (0.5, 0.8, 0.2, 0.0.into());
    task
}

/// The export, the controls, the senses and the measures together: the same simulator gives the same fitness, up to
/// differences between the exported and the original model (contacts of welded parts, speed of recovery). Single walks
/// are chaotic, so means are compared.
#[test]
fn the_exported_body_moves_like_the_original() {
    const SEEDS: u64 = 96;
    for name in ["walker", "quadruped"] {
        let genome = builtin::find(name).unwrap().file().genome;
        let task = Task { variation: Task::preset("walk").unwrap().variation, ..short_walk() };
        let (mut own, mut other) = (0.0, 0.0);
        for seed in 0..SEEDS {
            let judged = judge(&genome, &task, seed, &mut |xml| Ok(Box::new(Burgess::load(xml)))).unwrap();
            own += evaluate(&genome, &task, seed).fitness / SEEDS as f64;
            other += judged.evaluation.fitness / SEEDS as f64;
        }
        assert!(own > 0.1 && (other / own - 1.0).abs() < 0.05, "{name}: {own} and {other}");
    }
}

/// An engine that fails.
#[derive(Debug)]
struct Broken;

impl Engine for Broken {
    fn advance(&mut self, moment: &mut Moment, _: &Drive, _: f64) -> Result<(), EngineError> {
        moment.qpos.fill(f64::NAN);
        Ok(())
    }

    fn touches(&self, _: &mut dyn FnMut(&str, &str)) {}
}

#[test]
fn failures_of_the_engine_are_not_the_creatures() {
    let (genome, task) = (builtin::find("walker").unwrap().file().genome, short_walk());
    let found = judge(&genome, &task, 5, &mut |_| Ok(Box::new(Broken)));
    assert!(matches!(found, Err(RefereeError::Engine(_))), "{found:?}");
    let found = judge(&genome, &task, 5, &mut |_| Err(EngineError("it is not installed".to_string())));
    assert_eq!(found.unwrap_err().to_string(), "the other simulator failed: it is not installed");
}
