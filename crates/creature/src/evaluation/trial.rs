//! A trial: the creature is placed, settles with slack muscles, is brought to rest, and is then measured.

use std::sync::Arc;

use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Failure;
use glam::DVec3;

use super::anatomy::Anatomy;
use super::audit::Auditor;
use super::conditions::Conditions;
use super::early_stop::EarlyStop;
use super::outcome::{Faulty, TrialFailure};
use super::probe::{Objects, Probe, SAMPLE_RATE};
use super::recorder::Recorder;
use super::trial_result::TrialResult;
use super::trial_scene::TrialScene;
use super::{EvaluationOptions, Prepare, Stopped};
use crate::controller::CreatureController;
use crate::phenotype::Phenotype;
use crate::task::{Measures, Task, steps_of};
use crate::viability::Unviable;

/// Runs a trial of one or two creatures. `steps` is the total number of steps of all trials.
pub(super) fn run_trial(
    creatures: &[&Phenotype],
    (task, seed, number): (&Task, u64, u32),
    options: &EvaluationOptions,
    prepare: &mut Prepare,
    steps: &mut u64,
) -> Result<TrialResult, TrialFailure> {
    let mut trial = Trial::new(creatures, (task, seed, number), options, &[], prepare)?;
    trial.steps = *steps;
    let performed = trial.settle_and_perform(options);
    *steps = trial.steps;
    Ok(trial.finish(performed?, options.audit))
}

/// Returns the maximum number of steps. Shorter steps may be more, up to a hundred times as many.
fn budget(task: &Task, step: f64) -> u64 {
    (task.limits.steps as f64 * (task.step / step).clamp(1.0, 100.0)) as u64
}

/// A trial in progress.
pub(super) struct Trial {
    pub task: Arc<Task>,
    pub number: u32,
    /// The scene, as it was built.
    pub spec: SceneSpec,
    pub scene: RunningScene,
    pub controllers: Vec<Arc<CreatureController>>,
    pub probes: Vec<Probe>,
    /// Starting lines of the creatures of a contest, except for limp twins.
    pub starting_lines: Vec<StartingLine>,
    /// Colliders of the ball and the cube.
    pub objects: Vec<usize>,
    recorder: Option<Recorder>,
    pub auditor: Option<Auditor>,
    step: f64,
    pub budget: u64,
    /// Number of steps so far, those of earlier trials included.
    pub steps: u64,
}

/// A line behind which a creature must be when a contest begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartingLine {
    /// Index of the creature.
    pub creature: usize,
    /// Direction from its side to the middle.
    pub to_middle: DVec3,
    /// Distance from the middle, in m.
    pub distance: f64,
}

/// Progress of a trial after settling.
#[derive(Debug)]
pub(super) struct Performance {
    /// Number of steps so far.
    step: u64,
    last: u64,
    /// Number of steps between two samples.
    interval_steps: u64,
    early_stop: EarlyStop,
    /// Reason for an early stop.
    pub stopped: Option<Stopped>,
}

impl Trial {
    /// Builds the scene of a trial. The muscles of the creatures in `driven` are driven from outside.
    pub fn new(
        creatures: &[&Phenotype],
        (task, seed, number): (&Task, u64, u32),
        options: &EvaluationOptions,
        driven: &[usize],
        prepare: &mut Prepare,
    ) -> Result<Self, TrialFailure> {
        let conditions = Conditions::draw(task, seed, number);
        let trial_scene = TrialScene::new(task, creatures, &conditions);
        let run = RunOptions { paradigm: options.paradigm, step: options.step, keyframe: None };
        let mut scene = trial_scene
            .scene
            .run(".", &run)
            .map_err(|error| TrialFailure::Unviable(0, Unviable::Unbuildable { reason: error.to_string() }))?;
        let mut controllers = Vec::with_capacity(creatures.len());
        let placed = creatures.iter().zip(&trial_scene.creatures).zip(&trial_scene.targets);
        for (index, ((one, developed), target)) in placed.enumerate() {
            let physiology = &task.physiology;
            let mut own = CreatureController::new(one, developed, physiology, task.settle, target.clone(), &scene);
            own.is_driven_from_outside = driven.contains(&index);
            controllers.push(own.add_to(&mut scene));
        }
        task.schedule_rest(&mut scene.simulation);
        prepare(&trial_scene.scene, &mut scene);
        let collider = |body: Option<usize>| body.and_then(|body| scene.bodies[body].colliders.clone().next());
        let objects = Objects { ball: collider(trial_scene.ball), cube: collider(trial_scene.cube), side: 0 };
        let placed = creatures.iter().zip(&trial_scene.creatures).zip(&trial_scene.targets).enumerate();
        let probes = placed.map(|(index, ((one, developed), target))| {
            let anatomy = Anatomy::new(one, developed, task.physiology.density, &scene);
            Probe::new(anatomy, task, target, Objects { side: index, ..objects }, one.body.length())
        });
        let probes = probes.collect();
        let sides = creatures.iter().zip([DVec3::X, DVec3::NEG_X]).enumerate();
        let starting_lines = task.contest.iter().flat_map(|contest| {
            let distance = contest.distance.value(&task.parameters);
            let line = move |(creature, (_, to_middle))| StartingLine { creature, to_middle, distance };
            sides.clone().filter(|(_, (one, _))| !one.is_limp()).map(line)
        });
        let starting_lines = starting_lines.collect();
        let recorder = options
            .record
            .filter(|record| record.trial == number)
            .map(|record| Recorder::new(&trial_scene.scene, &scene, record.rate));
        Ok(Self {
            task: Arc::new(task.clone()),
            number,
            spec: trial_scene.scene,
            step: scene.simulation.step_length(),
            budget: budget(task, scene.simulation.step_length()),
            scene,
            controllers,
            probes,
            starting_lines,
            objects: objects.ball.into_iter().chain(objects.cube).collect(),
            recorder,
            auditor: None,
            steps: 0,
        })
    }

    fn settle_and_perform(&mut self, options: &EvaluationOptions) -> Result<Option<Stopped>, TrialFailure> {
        self.settle()?;
        self.start_audit(options.audit);
        if options.motionless { Ok(self.stand_still()) } else { self.perform() }
    }

    /// Starts the balance of energy. Without `audits_contacts` it only detects energy that the simulation created.
    pub fn start_audit(&mut self, audits_contacts: bool) {
        let creatures = self.probes.iter().map(|probe| &probe.anatomy);
        self.auditor = Some(Auditor::new(&self.task, audits_contacts, &mut self.scene.simulation, creatures));
    }

    /// Lets the bodies settle with slack muscles. The simulation then brings them to rest, so that nothing is gained by
    /// falling or rolling on.
    pub fn settle(&mut self) -> Result<(), TrialFailure> {
        self.refuse_obstructed()?;
        for _ in 0..steps_of(self.task.settle, self.step) {
            self.step().map_err(|failure| self.entangled(&failure).unwrap_or_else(|| self.fault(&failure)))?;
            self.refuse_early_touch()?;
            self.refuse_over_budget()?;
        }
        if self.task.settle > 0.0 {
            self.refuse_entangled()?;
            self.refuse_crossed_line()?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Failure> {
        if let Some(recorder) = &mut self.recorder {
            recorder.frame(&mut self.scene);
        }
        let result = self.scene.simulation.step();
        self.steps += self.scene.simulation.statistics().sub_steps.max(1) as u64;
        result
    }

    fn fault(&self, failure: &Failure) -> TrialFailure {
        TrialFailure::Faulty(Faulty::of_simulation(failure, self.now(), self.number))
    }

    /// Returns the simulated time, in s.
    pub fn now(&self) -> f64 {
        self.scene.simulation.state().time
    }

    /// Measures the trial as if nothing moved until its end.
    fn stand_still(&mut self) -> Option<Stopped> {
        self.scene.simulation.data_mut().update_kinematics();
        self.probes.iter_mut().for_each(|probe| probe.begin(self.scene.simulation.data()));
        self.sample(0.0, 0.0);
        let samples = (SAMPLE_RATE * self.task.duration) as u64;
        self.probes.iter_mut().for_each(|probe| probe.skip_samples(samples));
        Some(Stopped::Still)
    }

    /// Runs the trial with active muscles and observes the creatures.
    fn perform(&mut self) -> Result<Option<Stopped>, TrialFailure> {
        let mut performance = self.begin();
        while !self.observe(&mut performance)? {
            self.advance(&mut performance)?;
        }
        Ok(performance.stopped)
    }

    /// Starts the measured part of a trial. [`observe`](Self::observe) follows, and then alternates with
    /// [`advance`](Self::advance).
    pub fn begin(&mut self) -> Performance {
        self.scene.simulation.data_mut().update_kinematics();
        self.probes.iter_mut().for_each(|probe| probe.begin(self.scene.simulation.data()));
        Performance {
            step: 0,
            last: steps_of(self.task.duration, self.step),
            interval_steps: (libm::round(1.0 / (SAMPLE_RATE * self.step)) as u64).max(1),
            early_stop: EarlyStop::new(&self.task, self.scene.simulation.state(), &self.probes),
            stopped: None,
        }
    }

    /// Takes a sample if one is due. Returns whether the trial is over.
    pub fn observe(&mut self, performance: &mut Performance) -> Result<bool, TrialFailure> {
        let Performance { step, last, interval_steps, early_stop, stopped } = performance;
        let (time, interval) = (*step as f64 * self.step, *interval_steps as f64 * self.step);
        let is_last = *step >= *last;
        if !step.is_multiple_of(*interval_steps) && !is_last {
            return Ok(false);
        }
        self.sample(time, if *step == 0 { 0.0 } else { interval });
        self.refuse_out_of_bounds(interval)?;
        let found = early_stop.stops(time, &self.task, self.scene.simulation.state(), &self.probes);
        if found.is_some() && !is_last {
            let missed = (*last - *step).div_ceil(*interval_steps);
            self.probes.iter_mut().for_each(|probe| probe.skip_samples(missed));
            *stopped = found;
        }
        Ok(is_last || stopped.is_some())
    }

    /// Makes a step.
    pub fn advance(&mut self, performance: &mut Performance) -> Result<(), TrialFailure> {
        self.step().map_err(|failure| self.fault(&failure))?;
        let data = self.scene.simulation.data();
        self.probes.iter_mut().for_each(|probe| probe.add_step(data, self.step));
        if let Some(auditor) = &mut self.auditor {
            auditor.step(&mut self.scene.simulation, self.step);
        }
        self.refuse_created_energy()?;
        if performance.step == 0 && self.task.settle == 0.0 {
            self.refuse_entangled()?;
        }
        performance.step += 1;
        self.refuse_over_budget()
    }

    fn sample(&mut self, time: f64, interval: f64) {
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        for probe in &mut self.probes {
            probe.sample(data, time, interval);
        }
        if let [first, second] = &mut self.probes[..] {
            let gap = first.measures_gaps().then(|| first.gap_to(second, data));
            [first, second].into_iter().for_each(|probe| probe.observe_opponent(gap, time));
        }
    }

    /// Ends the observation.
    pub fn end(&mut self) {
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        self.probes.iter_mut().for_each(|probe| probe.end(data));
    }

    /// Returns the measures of a creature at the last sample.
    pub fn measures(&self, creature: usize) -> Measures {
        // Only contests have a cube, and a contest has two creatures.
        let opponent = self.probes.get(1 - creature.min(1)).map_or(f64::INFINITY, |probe| probe.objects().cube_gap());
        self.probes[creature].measures(self.now() - self.task.settle, opponent)
    }

    fn finish(mut self, stopped: Option<Stopped>, with_audit: bool) -> TrialResult {
        self.end();
        let seconds = self.now();
        let creatures = self.probes.iter().enumerate();
        TrialResult {
            creatures: creatures.map(|(index, probe)| (self.measures(index), probe.descriptors())).collect(),
            stopped,
            seconds,
            state_hash: self.scene.simulation.state_hash(),
            audit: self.auditor.take().filter(|_| with_audit).map(|auditor| auditor.finish(&mut self.scene.simulation)),
            recording: self.recorder.and_then(|recorder| recorder.finish(&mut self.scene)),
        }
    }
}
