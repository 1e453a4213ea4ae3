//! One trial: the creature is put into its place, settles without effort, is brought to rest, and then shows what it can.

use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Failure;

use super::anatomy::Anatomy;
use super::audit::{Audit, Auditor};
use super::conditions::Conditions;
use super::descriptors::Descriptors;
use super::outcome::{Ended, FaultReason, Faulty};
use super::probe::{Probe, RATE, Things};
use super::recorder::Recorder;
use super::setting::Setting;
use super::vigil::Vigil;
use super::{EvaluationOptions, Stopped};
use crate::nerves::Nerves;
use crate::phenotype::Phenotype;
use crate::task::{Ground, Measures, Task, steps_of};
use crate::viability::Unviable;

/// A ball may start so deep in a creature, as a share of its radius: shapes are rounded.
const OVERLAP: f64 = 0.01;
/// Energy that lifts creatures by this is too little to look for where it came from, in m.
const GRACE_HEIGHT: f64 = 0.2;

/// What came of a trial.
#[derive(Debug, Clone)]
pub(super) struct Played {
    /// Of each creature.
    pub creatures: Vec<(Measures, Descriptors)>,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
    pub state_hash: u64,
    pub recording: Option<Vec<u8>>,
    pub audit: Option<Audit>,
}

/// Plays a trial of one or two creatures. `steps` counts those of all trials.
pub(super) fn play(
    cast: &[&Phenotype],
    task: &Task,
    seed: u64,
    number: u32,
    options: &EvaluationOptions,
    steps: &mut u64,
) -> Result<Played, Ended> {
    let conditions = Conditions::draw(task, seed, number);
    let setting = Setting::new(task, cast, &conditions);
    let run = RunOptions { paradigm: options.paradigm, step: options.step, keyframe: None };
    let mut scene = setting
        .scene
        .run(".", &run)
        .map_err(|error| Ended::Unviable(0, Unviable::Unbuildable { reason: error.to_string() }))?;
    for (one, developed) in cast.iter().zip(&setting.creatures) {
        Nerves::new(one, developed, &task.physiology, task.settle, setting.target.clone(), &scene).join(&mut scene);
    }
    task.schedule_rest(&mut scene.simulation);
    let collider = |body: Option<usize>| body.and_then(|body| scene.bodies[body].colliders.clone().next());
    let things = Things { ball: collider(setting.ball), cube: collider(setting.cube) };
    let probes = cast.iter().zip(&setting.creatures).map(|(one, developed)| {
        let anatomy = Anatomy::new(one, developed, task.physiology.density, &scene);
        Probe::new(anatomy, task, &setting.target, things, one.body.length())
    });
    let probes = probes.collect();
    let recorder = options
        .record
        .filter(|record| record.trial == number)
        .map(|record| Recorder::new(&setting, &scene, record.rate));
    let mut trial = Trial {
        task,
        number,
        step: scene.simulation.step_length(),
        budget: budget(task, scene.simulation.step_length()),
        scene,
        probes,
        recorder,
        auditor: None,
        steps,
    };
    trial.settle()?;
    let creatures = trial.probes.iter().map(|probe| &probe.anatomy);
    trial.auditor = Some(Auditor::new(task, options.audit, &mut trial.scene.simulation, creatures));
    let stopped = trial.perform()?;
    Ok(trial.finish(stopped, options.audit))
}

/// Shorter steps may be more, up to a hundred times as many.
fn budget(task: &Task, step: f64) -> u64 {
    (task.limits.steps as f64 * (task.step / step).clamp(1.0, 100.0)) as u64
}

struct Trial<'a> {
    task: &'a Task,
    number: u32,
    scene: RunningScene,
    probes: Vec<Probe>,
    recorder: Option<Recorder>,
    auditor: Option<Auditor>,
    step: f64,
    budget: u64,
    steps: &'a mut u64,
}

impl Trial<'_> {
    /// Lets the bodies settle with slack muscles. The simulation then brings them to rest, so that nothing is gained by
    /// falling or rolling on.
    fn settle(&mut self) -> Result<(), Ended> {
        self.refuse_things_inside()?;
        for _ in 0..steps_of(self.task.settle, self.step) {
            self.step().map_err(|failure| self.entangled(&failure).unwrap_or_else(|| self.fault(&failure)))?;
            self.refuse_spent()?;
        }
        if self.task.settle > 0.0 {
            self.refuse_entangled()?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Failure> {
        if let Some(recorder) = &mut self.recorder {
            recorder.frame(&mut self.scene);
        }
        let result = self.scene.simulation.step();
        *self.steps += self.scene.simulation.statistics().sub_steps.max(1) as u64;
        result
    }

    fn fault(&self, failure: &Failure) -> Ended {
        Ended::Faulty(Faulty::of_simulation(failure, self.now(), self.number))
    }

    fn now(&self) -> f64 {
        self.scene.simulation.state().time
    }

    /// Two parts of one creature so deep in each other before any muscle has moved were grown that way.
    fn entangled(&self, failure: &Failure) -> Option<Ended> {
        let Failure::DeepPenetration { body, other, depth, .. } = failure else { return None };
        let part = |name: &str| -> Option<(usize, usize)> {
            let (creature, own) = match name.strip_prefix("opponent-") {
                Some(own) => (1, own),
                None => (0, name),
            };
            Some((creature, own.strip_prefix("part")?.parse().ok()?))
        };
        let ((creature, part), (other_creature, other)) = (part(body)?, part(other)?);
        let unviable = Unviable::Entangled { part, other, depth: *depth };
        (creature == other_creature).then_some(Ended::Unviable(creature, unviable))
    }

    fn refuse_entangled(&self) -> Result<(), Ended> {
        let data = self.scene.simulation.data();
        for (creature, probe) in self.probes.iter().enumerate() {
            let mut worst: Option<(usize, usize, f64)> = None;
            probe.anatomy.contacts(data, |part, other, gap| {
                let Some(other) = other else { return };
                let anatomy = &probe.anatomy;
                let thickness = 2.0 * anatomy.half_thickness(part).min(anatomy.half_thickness(other));
                let is_deep = -gap > self.task.limits.entanglement * thickness;
                if is_deep && worst.is_none_or(|(.., depth)| -gap > depth) {
                    worst = Some((part, other, -gap));
                }
            });
            if let Some((part, other, depth)) = worst {
                return Err(Ended::Unviable(creature, Unviable::Entangled { part, other, depth }));
            }
        }
        Ok(())
    }

    /// A creature that is grown into the ball would have hit it without doing anything.
    fn refuse_things_inside(&mut self) -> Result<(), Ended> {
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        let Some(ball) = &self.task.ball else { return Ok(()) };
        for (creature, probe) in self.probes.iter_mut().enumerate() {
            probe.begin(data);
            let gap = probe.things().ball_gap();
            if gap < -OVERLAP * ball.radius.value(&self.task.parameters) {
                return Err(Ended::Unviable(creature, Unviable::Obstructed { by: "ball".to_string(), depth: -gap }));
            }
        }
        Ok(())
    }

    /// Muscles at work, and somebody who watches.
    fn perform(&mut self) -> Result<Option<Stopped>, Ended> {
        let last = steps_of(self.task.duration, self.step);
        let apart = (libm::round(1.0 / (RATE * self.step)) as u64).max(1);
        let interval = apart as f64 * self.step;
        self.scene.simulation.data_mut().update_kinematics();
        self.probes.iter_mut().for_each(|probe| probe.begin(self.scene.simulation.data()));
        let mut vigil = Vigil::new(self.task, self.scene.simulation.state(), &self.probes);
        for step in 0..=last {
            let time = step as f64 * self.step;
            if step.is_multiple_of(apart) || step == last {
                self.look(time, if step == 0 { 0.0 } else { interval });
                self.refuse_lost(interval)?;
                let stopped = vigil.stops(time, self.task, self.scene.simulation.state(), &self.probes);
                if stopped.is_some() && step < last {
                    let missed = (last - step).div_ceil(apart);
                    self.probes.iter_mut().for_each(|probe| probe.wait(missed));
                    return Ok(stopped);
                }
            }
            if step < last {
                self.step().map_err(|failure| self.fault(&failure))?;
                let data = self.scene.simulation.data();
                self.probes.iter_mut().for_each(|probe| probe.watch_step(data, self.step));
                if let Some(auditor) = &mut self.auditor {
                    auditor.step(&mut self.scene.simulation, self.step);
                }
                self.refuse_free_energy()?;
                if step == 0 && self.task.settle == 0.0 {
                    self.refuse_entangled()?;
                }
                self.refuse_spent()?;
            }
        }
        Ok(None)
    }

    fn look(&mut self, time: f64, interval: f64) {
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        for probe in &mut self.probes {
            probe.look(data, time, interval);
        }
        if let [first, second] = &mut self.probes[..] {
            first.meet(second, data);
            second.meet(first, data);
        }
    }

    /// What is not where anything can be.
    fn refuse_lost(&self, interval: f64) -> Result<(), Ended> {
        let limits = &self.task.limits;
        for (index, probe) in self.probes.iter().enumerate() {
            let (start, here) = (probe.way().start(), probe.sight().center_of_mass);
            let is_finite = here.is_finite();
            let fell = self.task.arena.ground != Ground::None && here.z < -limits.depth;
            let flew = here.z > limits.height || (here - start).length() > limits.distance;
            let jumped = probe.way().jump() > limits.speed * interval;
            let (reason, what) = match (is_finite, fell, flew, jumped) {
                (false, ..) => (FaultReason::NotFinite, "is nowhere"),
                (_, true, ..) => (FaultReason::FellThrough, "fell through the ground"),
                (_, _, true, _) => (FaultReason::FlewAway, "flew away"),
                (.., true) => (FaultReason::TooFast, "was moved faster than anything can be"),
                _ => continue,
            };
            let (time, body) = (self.now(), if index == 0 { "part0" } else { "opponent-part0" }.to_string());
            let message = format!("at {time} s the creature of '{body}' {what}: its centre of mass is at {here} m");
            return Err(Ended::Faulty(Faulty { reason, message, time, body, trial: self.number }));
        }
        Ok(())
    }

    /// No honest step makes so much from nothing: a bound on whatever evolution may find in the solver.
    fn refuse_free_energy(&self) -> Result<(), Ended> {
        let Some([created, work]) = self.auditor.as_ref().map(Auditor::energies) else { return Ok(()) };
        // As much as it takes to lift all creatures by a part of their length may be rounding.
        let grace: f64 = self.probes.iter().map(|probe| probe.anatomy.mass * 9.81 * GRACE_HEIGHT).sum();
        let bound = self.task.limits.energy * work + grace;
        if created <= bound {
            return Ok(());
        }
        let time = self.now();
        let message = format!("by {time} s {created} J came from nowhere, above the bound of {bound} J");
        let (reason, body) = (FaultReason::EnergyGrowth, String::new());
        Err(Ended::Faulty(Faulty { reason, message, time, body, trial: self.number }))
    }

    fn refuse_spent(&self) -> Result<(), Ended> {
        if *self.steps <= self.budget {
            return Ok(());
        }
        let time = self.now();
        let message = format!("at {time} s the budget of {} steps was used up", self.budget);
        let (reason, body) = (FaultReason::StepBudget, String::new());
        Err(Ended::Faulty(Faulty { reason, message, time, body, trial: self.number }))
    }

    fn finish(mut self, stopped: Option<Stopped>, with_audit: bool) -> Played {
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        self.probes.iter_mut().for_each(|probe| probe.end(data));
        let seconds = self.now();
        let time = seconds - self.task.settle;
        let gaps: Vec<[f64; 2]> = self.probes.iter().map(|probe| probe.things().cube_gaps()).collect();
        let creatures = self.probes.iter().enumerate().map(|(index, probe)| {
            // Alone, the opponent is thought to stay where it would start.
            let opponent = gaps.get(1 - index.min(1)).map_or(gaps[index][0], |other| other[1]);
            (probe.measures(time, opponent), probe.descriptors())
        });
        Played {
            creatures: creatures.collect(),
            stopped,
            seconds,
            state_hash: self.scene.simulation.state_hash(),
            audit: self.auditor.take().filter(|_| with_audit).map(|auditor| auditor.finish(&mut self.scene.simulation)),
            recording: self.recorder.and_then(|recorder| recorder.finish(&mut self.scene)),
        }
    }
}
