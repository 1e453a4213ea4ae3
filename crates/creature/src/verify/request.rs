//! The evaluations of a verification. They do not depend on each other, so the caller may carry them out in any order and
//! on several threads.

use burgess_paradigms::Paradigm;

use super::VerifySettings;
use super::draws::draw_seed;
use super::fine_step::fine_step_requests;
use crate::evaluation::{Evaluation, EvaluationOptions, Side, evaluate_phenotype, meet};
use crate::phenotype::Phenotype;
use crate::random::mix_seed;
use crate::task::{Amount, Task, Variation};

/// Factor on the step limit of a task for other paradigms, which divide steps where muscles are strong and feet hit the
/// ground.
const PARADIGM_STEP_FACTOR: u64 = 5;

/// One evaluation of a verification.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// Check that it belongs to.
    pub what: &'static str,
    pub(super) phenotype: &'a Phenotype,
    /// In a contest, the opponent (the limp twin if there is none) and the side of the creature.
    pub(super) opponent: Option<(Option<&'a Phenotype>, Side)>,
    pub(super) task: Task,
    pub(super) seed: u64,
    pub(super) options: EvaluationOptions,
}

impl Request<'_> {
    /// Carries out the evaluation.
    pub fn evaluate(&self) -> Evaluation {
        let Some((opponent, side)) = self.opponent else {
            return evaluate_phenotype(self.phenotype, &self.task, self.seed, &self.options);
        };
        let [own, _] = meet(self.phenotype, opponent, side, &self.task, self.seed, &self.options);
        own
    }
}

/// What is verified.
pub(super) struct Subject<'a> {
    pub phenotype: &'a Phenotype,
    /// The limp twin.
    pub passive: &'a Phenotype,
    /// In a contest, the opponent (the limp twin if there is none) and the side of the creature.
    pub opponent: Option<(Option<&'a Phenotype>, Side)>,
    pub task: &'a Task,
    pub seed: u64,
}

/// All requests but the first evaluation. The fields are consecutive parts of the list.
pub(super) struct Requests<'a> {
    /// The same trials in other circumstances, each a check of its own.
    pub single: Vec<Request<'a>>,
    pub draws: Vec<Request<'a>>,
    pub fine: Vec<Request<'a>>,
    pub perturbed: Vec<Request<'a>>,
    /// Without self-collision; limp, without an active opponent.
    pub exploits: Vec<Request<'a>>,
}

impl<'a> Subject<'a> {
    /// The evaluation as the task defines it, with this name.
    pub fn request(&self, what: &'static str) -> Request<'a> {
        let (phenotype, opponent, task, seed) = (self.phenotype, self.opponent, self.task.clone(), self.seed);
        Request { what, phenotype, opponent, task, seed, options: EvaluationOptions::default() }
    }

    /// The evaluations before all others: the creature as it is, the limp twin against the same opponent, and a
    /// creature and an opponent that stand still.
    pub fn first_requests(&self) -> [Request<'a>; 3] {
        let mut audited = self.request("as it is");
        audited.options.audit = true;
        let limp = Request { phenotype: self.passive, ..self.request("without muscles") };
        let mut motionless = Request { opponent: self.without_opponent(), ..self.request("motionless") };
        motionless.options.motionless = true;
        [audited, limp, motionless]
    }

    /// The side of the creature, with its limp twin as the opponent.
    fn without_opponent(&self) -> Option<(Option<&'a Phenotype>, Side)> {
        self.opponent.map(|(_, side)| (None, side))
    }

    pub fn requests(&self, settings: &VerifySettings) -> Requests<'a> {
        let mut single = vec![Request {
            options: EvaluationOptions { step: Some(0.5 * self.task.step), ..EvaluationOptions::default() },
            ..self.request(super::HALF_STEP)
        }];
        for (name, factor) in [("friction -20 %", 0.8), ("friction +20 %", 1.2)] {
            single.push(Request { task: with_friction(self.task, factor), ..self.request(name) });
        }
        if settings.paradigms {
            let others = Paradigm::ALL.into_iter().filter(|paradigm| *paradigm != Paradigm::default());
            single.extend(others.map(|paradigm| self.with_paradigm(paradigm)));
        }
        let draw = |number| Request { seed: draw_seed(self.seed, number), ..self.request("new draws") };
        let mut without_collision = self.task.clone();
        without_collision.physiology.self_collision = false;
        Requests {
            single,
            draws: (0..settings.draws).map(draw).collect(),
            fine: fine_step_requests(self, settings.fine),
            perturbed: self.perturbed(settings.perturbed),
            exploits: vec![
                Request { task: without_collision, ..self.request("without self-collision") },
                Request {
                    phenotype: self.passive,
                    opponent: self.without_opponent(),
                    ..self.request("without muscles")
                },
            ],
        }
    }

    fn with_paradigm(&self, paradigm: Paradigm) -> Request<'a> {
        let mut request = self.request(paradigm.name());
        request.task.limits.steps = self.task.limits.steps.saturating_mul(PARADIGM_STEP_FACTOR);
        request.options.paradigm = Some(paradigm);
        request
    }

    /// Single trials with other seeds and twice the variation of the task.
    fn perturbed(&self, count: u32) -> Vec<Request<'a>> {
        let mut varied = self.task.clone();
        let Variation { friction, restitution, gravity, tilt, turn, gap } = self.task.variation;
        let twice = |most: f64, least: f64| (2.0 * most).max(least);
        varied.variation = Variation {
            friction: twice(friction, 0.2).min(1.0),
            restitution: twice(restitution, 0.05).min(1.0),
            gravity: twice(gravity, 0.02).min(0.5),
            tilt: twice(tilt, 0.05),
            turn,
            gap: twice(gap, 0.005),
        };
        varied.trials.count = 1;
        let trial = |number: u32| {
            let seed = mix_seed(self.seed, &[0x7e57, u64::from(number)]);
            Request { task: varied.clone(), seed, ..self.request("perturbed") }
        };
        (0..count).map(trial).collect()
    }
}

impl<'a> Requests<'a> {
    /// Carries out all requests and returns the evaluations of each part.
    pub fn run(self, mut run: impl FnMut(&[Request<'a>]) -> Vec<Evaluation>) -> Evaluations {
        let parts = [self.single, self.draws, self.fine, self.perturbed, self.exploits];
        let lengths = parts.each_ref().map(Vec::len);
        let mut all = run(&parts.concat()).into_iter();
        let [single, draws, fine, perturbed, exploits] = lengths.map(|length| all.by_ref().take(length).collect());
        Evaluations { single, draws, fine, perturbed, exploits }
    }
}

/// Results of [`Requests`].
pub(super) struct Evaluations {
    pub single: Vec<Evaluation>,
    pub draws: Vec<Evaluation>,
    pub fine: Vec<Evaluation>,
    pub perturbed: Vec<Evaluation>,
    pub exploits: Vec<Evaluation>,
}

fn with_friction(task: &Task, factor: f64) -> Task {
    let mut changed = task.clone();
    changed.arena.friction = Amount::Number(factor * task.arena.friction.value(&task.parameters));
    changed
}
