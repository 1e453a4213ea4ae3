//! Evaluation of a tuning: the crowd of the task's scene walks with the numbers of the genome, and is measured sixty times
//! per second.

use burgess_agents::crowd::{Activity, FREE_SPEED, Line, Region};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use glam::DVec2;

use super::descriptors::Descriptors;
use super::outcome::{Faulty, TrialFailure};
use super::probe::SAMPLE_RATE;
use super::recorder::Recorder;
use super::trial_result::TrialResult;
use super::{Evaluation, EvaluationOptions, Outcome};
use crate::random::Random;
use crate::task::{CrowdTask, Measure, Measures, Task, crowd_of, steps_of};
use crate::tuning::TuningGenome;
use crate::viability::Unviable;

/// Separates these random numbers from other uses of the same seed.
const PURPOSE: u64 = 0x0063_726f_7764;

/// Evaluates a tuning.
pub(super) fn evaluate_crowd(
    genome: &TuningGenome,
    crowd: &CrowdTask,
    (task, seed): (&Task, u64),
    options: &EvaluationOptions,
) -> Evaluation {
    let Some(scene) = crowd.tuned_scene(genome) else {
        let expected = crowd.tune.len();
        return Evaluation::without_score(Outcome::Unviable(Unviable::NotThatTuning { expected }), 0);
    };
    let (mut results, mut steps) = (Vec::new(), 0);
    for number in 0..task.trials.count {
        match run_trial(scene.clone(), crowd, (task, seed, number), options, &mut steps) {
            Ok(result) => results.push(result),
            Err(TrialFailure::Unviable(_, why)) => return Evaluation::without_score(Outcome::Unviable(why), steps),
            Err(TrialFailure::Faulty(why)) => return Evaluation::without_score(Outcome::Faulty(why), steps),
        }
        if results.last().is_some_and(|result| result.score(0, task) < task.trials.pass) {
            break;
        }
    }
    Evaluation::of_trials(results, 0, task, steps)
}

fn run_trial(
    mut scene: SceneSpec,
    crowd: &CrowdTask,
    (task, seed, number): (&Task, u64, u32),
    options: &EvaluationOptions,
    steps: &mut u64,
) -> Result<TrialResult, TrialFailure> {
    vary_speeds(&mut scene, crowd.speed_variation, &mut Random::for_purpose(seed, &[PURPOSE, u64::from(number)]));
    let run = RunOptions { paradigm: options.paradigm, step: options.step, keyframe: None };
    let unbuildable = |error: &dyn std::fmt::Display| Unviable::Unbuildable { reason: error.to_string() };
    let mut running = scene.run(".", &run).map_err(|error| TrialFailure::Unviable(0, unbuildable(&error)))?;
    let step = options.step.unwrap_or(scene.simulation.step);
    let mut recorder = options
        .record
        .filter(|record| record.trial == number)
        .map(|record| Recorder::new(&scene, &running, record.rate));
    let mut probe = CrowdProbe::new(crowd, task.transient, &running);
    let interval = steps_of(1.0 / SAMPLE_RATE, step).max(1);
    let last = steps_of(task.duration, step);
    for done in 1..=last {
        if options.motionless {
            break;
        }
        if let Some(recorder) = &mut recorder {
            recorder.frame(&mut running);
        }
        let stepped = running.simulation.step();
        *steps += 1;
        if let Err(failure) = stepped {
            let now = running.simulation.state().time;
            return Err(TrialFailure::Faulty(Faulty::of_simulation(&failure, now, number)));
        }
        if done % interval == 0 && probe.sample(&running, done as f64 * step) {
            break;
        }
    }
    let seconds = running.simulation.state().time;
    Ok(TrialResult {
        creatures: vec![(probe.measures(task.duration, seconds), Descriptors::default())],
        stopped: None,
        seconds,
        state_hash: running.simulation.state_hash(),
        recording: recorder.and_then(|recorder| recorder.finish(&mut running)),
        audit: None,
    })
}

/// Changes the speed of everybody by a random fraction.
fn vary_speeds(scene: &mut SceneSpec, most: f64, random: &mut Random) {
    let Some(crowd) = crowd_of(scene) else { return };
    let people = crowd.bodies.len();
    crowd.speeds = match crowd.speeds.as_slice() {
        [] => vec![FREE_SPEED; people],
        [one] => vec![*one; people],
        _ => std::mem::take(&mut crowd.speeds),
    };
    for speed in &mut crowd.speeds {
        *speed *= 1.0 + most * random.between(-1.0, 1.0);
    }
}

/// Measures a crowd.
struct CrowdProbe {
    region: Option<Region>,
    line: Option<Line>,
    transient: f64,
    /// Positions at the last sample, in m.
    places: Vec<DVec2>,
    has_arrived: Vec<bool>,
    leave_time: Option<f64>,
    /// Time after the transient, in s.
    time: f64,
    samples: f64,
    density: f64,
    max_density: f64,
    speeds: f64,
    speed_samples: f64,
    crossings: f64,
}

impl CrowdProbe {
    fn new(crowd: &CrowdTask, transient: f64, running: &RunningScene) -> Self {
        let mut places = Vec::new();
        running.visit_walkers(|_, walker| places.push(walker.gait.root()));
        Self {
            region: crowd.region.map(|region| Region { min: region.min, max: region.max }),
            line: crowd.line.map(|line| Line { a: line.a, b: line.b }),
            transient,
            has_arrived: vec![false; places.len()],
            places,
            leave_time: None,
            time: 0.0,
            samples: 0.0,
            density: 0.0,
            max_density: 0.0,
            speeds: 0.0,
            speed_samples: 0.0,
            crossings: 0.0,
        }
    }

    /// Takes a sample at a time (s). Returns whether everybody is at their goal.
    fn sample(&mut self, running: &RunningScene, now: f64) -> bool {
        let is_steady = now > self.transient;
        let (mut index, mut all_there, mut inside) = (0, true, 0.0);
        let (mut speeds, mut walking, mut crossings) = (0.0, 0.0, 0.0);
        running.visit_walkers(|_, walker| {
            let place = walker.gait.root();
            let is_there = matches!(walker.activity, Activity::Arrived | Activity::Gone);
            all_there &= is_there;
            if let (Some(arrived), Some(before)) = (self.has_arrived.get_mut(index), self.places.get_mut(index)) {
                *arrived |= is_there;
                crossings += f64::from(self.line.map_or(0, |line| line.crossing(*before, place)).abs());
                *before = place;
            }
            if !is_there {
                speeds += walker.gait.pace().length();
                walking += 1.0;
            }
            inside += f64::from(self.region.is_some_and(|region| region.contains(place)));
            index += 1;
        });
        if is_steady {
            self.time = now - self.transient;
            self.samples += 1.0;
            self.speeds += speeds;
            self.speed_samples += walking;
            self.crossings += crossings;
            if let Some(region) = &self.region {
                let size = region.max - region.min;
                let density = inside / (size.x * size.y);
                self.density += density;
                self.max_density = self.max_density.max(density);
            }
        }
        if all_there {
            self.leave_time.get_or_insert(now);
        }
        all_there
    }

    fn measures(&self, duration: f64, time: f64) -> Measures {
        let mut measures = Measures::default();
        let share = |sum: f64, count: f64| if count > 0.0 { sum / count } else { 0.0 };
        let arrived = self.has_arrived.iter().filter(|arrived| **arrived).count();
        measures[Measure::Time] = time;
        measures[Measure::Duration] = duration;
        measures[Measure::LeaveTime] = self.leave_time.unwrap_or(duration);
        measures[Measure::ArrivedShare] = share(arrived as f64, self.has_arrived.len() as f64);
        measures[Measure::CrowdSpeed] = share(self.speeds, self.speed_samples);
        measures[Measure::CrowdDensity] = share(self.density, self.samples);
        measures[Measure::MaxCrowdDensity] = self.max_density;
        measures[Measure::CrowdFlow] = share(self.crossings, self.time);
        measures
    }
}
