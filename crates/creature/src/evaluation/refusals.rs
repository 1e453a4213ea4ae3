//! Reasons to refuse creatures before a trial, and to end a trial.

use burgess_simulation::Failure;

use super::audit::Auditor;
use super::outcome::{FaultReason, Faulty, TrialFailure};
use super::trial::{StartingLine, Trial};
use crate::task::Ground;
use crate::viability::Unviable;

/// Maximum initial overlap of the ball and a creature, as a fraction of its radius, for rounding of shapes.
const MAX_BALL_OVERLAP: f64 = 0.01;
/// Created energy is tolerated up to what lifts the creatures by this height, in m.
const TOLERATED_LIFT: f64 = 0.2;

impl Trial {
    /// Returns the failure of a creature whose parts overlap deeply before any muscle has moved.
    pub(super) fn entangled(&self, failure: &Failure) -> Option<TrialFailure> {
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
        (creature == other_creature).then_some(TrialFailure::Unviable(creature, unviable))
    }

    /// Refuses creatures whose parts are still deep in each other after settling.
    pub(super) fn refuse_entangled(&self) -> Result<(), TrialFailure> {
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
                return Err(TrialFailure::Unviable(creature, Unviable::Entangled { part, other, depth }));
            }
        }
        Ok(())
    }

    /// Refuses creatures that are beyond the starting line of their side when they have settled, for example because they
    /// rolled.
    pub(super) fn refuse_crossed_line(&mut self) -> Result<(), TrialFailure> {
        self.refuse_beyond_line(|_| true)
    }

    /// Refuses creatures that touch the ball or the cube of a contest while they settle. They may roll back after that.
    pub(super) fn refuse_early_touch(&mut self) -> Result<(), TrialFailure> {
        let touches = |line: &StartingLine| {
            let anatomy = &self.probes[line.creature].anatomy;
            self.objects.iter().any(|&object| anatomy.touches(self.scene.simulation.data(), object))
        };
        let touching: Vec<usize> =
            self.starting_lines.iter().filter(|line| touches(line)).map(|line| line.creature).collect();
        if touching.is_empty() { Ok(()) } else { self.refuse_beyond_line(|line| touching.contains(&line.creature)) }
    }

    /// Refuses those of the selected creatures that are beyond their starting lines. Two are a fault of the trial.
    fn refuse_beyond_line(&mut self, selected: impl Fn(&StartingLine) -> bool) -> Result<(), TrialFailure> {
        self.scene.simulation.data_mut().update_kinematics();
        let workspace = &self.scene.simulation.data().workspace;
        let mut crossed = self.starting_lines.iter().filter(|line| selected(line)).filter_map(|line| {
            let beyond = self.probes[line.creature].anatomy.farthest(workspace, line.to_middle) + line.distance;
            (beyond > 0.0).then_some((line.creature, Unviable::CrossedLine { beyond }))
        });
        match (crossed.next(), crossed.next()) {
            (None, _) => Ok(()),
            (Some((creature, why)), None) => Err(TrialFailure::Unviable(creature, why)),
            (Some((_, why)), Some(_)) => {
                Err(TrialFailure::Faulty(Faulty { trial: self.number, ..Faulty::of_unviable(&why, self.now()) }))
            }
        }
    }

    /// Refuses creatures that start inside the ball, because they would hit it without moving.
    pub(super) fn refuse_obstructed(&mut self) -> Result<(), TrialFailure> {
        self.scene.simulation.data_mut().update_kinematics();
        let data = self.scene.simulation.data();
        let Some(ball) = &self.task.ball else { return Ok(()) };
        for (creature, probe) in self.probes.iter_mut().enumerate() {
            probe.begin(data);
            let gap = probe.objects().ball_gap();
            if gap < -MAX_BALL_OVERLAP * ball.radius.value(&self.task.parameters) {
                return Err(TrialFailure::Unviable(
                    creature,
                    Unviable::Obstructed { by: "ball".to_string(), depth: -gap },
                ));
            }
        }
        Ok(())
    }

    /// Refuses creatures at impossible positions.
    pub(super) fn refuse_out_of_bounds(&self, interval: f64) -> Result<(), TrialFailure> {
        let limits = &self.task.limits;
        for (index, probe) in self.probes.iter().enumerate() {
            let (start, here) = (probe.trajectory().start(), probe.observation().center_of_mass);
            let is_finite = here.is_finite();
            let fell = self.task.arena.ground != Ground::None && here.z < -limits.depth;
            let flew = here.z > limits.height || (here - start).length() > limits.distance;
            let jumped = probe.trajectory().last_sample_distance() > limits.speed * interval;
            let (reason, what) = match (is_finite, fell, flew, jumped) {
                (false, ..) => (FaultReason::NotFinite, "is nowhere"),
                (_, true, ..) => (FaultReason::FellThrough, "fell through the ground"),
                (_, _, true, _) => (FaultReason::FlewAway, "flew away"),
                (.., true) => (FaultReason::TooFast, "was moved faster than anything can be"),
                _ => continue,
            };
            let (time, body) = (self.now(), if index == 0 { "part0" } else { "opponent-part0" }.to_string());
            let message = format!("at {time} s the creature of '{body}' {what}: its centre of mass is at {here} m");
            return Err(TrialFailure::Faulty(Faulty { reason, message, time, body, trial: self.number }));
        }
        Ok(())
    }

    /// Refuses trials in which the simulation created more energy than a correct step can.
    pub(super) fn refuse_created_energy(&self) -> Result<(), TrialFailure> {
        let Some([created, work]) = self.auditor.as_ref().map(Auditor::energies) else { return Ok(()) };
        // A small amount may be due to rounding.
        let tolerance: f64 = self.probes.iter().map(|probe| probe.anatomy.mass * 9.81 * TOLERATED_LIFT).sum();
        let bound = self.task.limits.energy * work + tolerance;
        if created <= bound {
            return Ok(());
        }
        let time = self.now();
        let message = format!("by {time} s {created} J came from nowhere, above the bound of {bound} J");
        let (reason, body) = (FaultReason::EnergyGrowth, String::new());
        Err(TrialFailure::Faulty(Faulty { reason, message, time, body, trial: self.number }))
    }

    /// Refuses trials that take too many steps.
    pub(super) fn refuse_over_budget(&self) -> Result<(), TrialFailure> {
        if self.steps <= self.budget {
            return Ok(());
        }
        let time = self.now();
        let message = format!("at {time} s the budget of {} steps was used up", self.budget);
        let (reason, body) = (FaultReason::StepBudget, String::new());
        Err(TrialFailure::Faulty(Faulty { reason, message, time, body, trial: self.number }))
    }
}
