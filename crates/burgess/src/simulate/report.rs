//! The report of a simulation.

use std::fmt::Write;

use burgess_simulation::{ModuleSeconds, Simulation};
use indicatif::HumanCount;
use serde::Serialize;

use super::recorder::Recorded;
use crate::output::{counted, quantity};

/// The report. Scripts rely on its fields.
#[derive(Serialize)]
pub(super) struct Report {
    pub scene: String,
    pub paradigm: &'static str,
    pub seconds: f64,
    pub steps: u64,
    pub wall_seconds: f64,
    pub real_time_factor: f64,
    pub contacts_mean: f64,
    pub impulses: u64,
    pub max_penetration: f64,
    pub energy_initial: f64,
    pub energy_final: f64,
    pub state_hash: String,
    pub outcome: &'static str,
}

/// Sums over the steps.
#[derive(Default)]
pub(super) struct Sums {
    pub contacts: u64,
    pub impulses: u64,
    pub max_penetration: f64,
    pub seconds: ModuleSeconds,
}

impl Sums {
    pub fn add(&mut self, simulation: &Simulation) {
        let statistics = simulation.statistics();
        let ModuleSeconds { controllers, collision_detection, collision_solver, motion_solver, constraint_solver } =
            statistics.seconds;
        self.seconds.controllers += controllers;
        self.seconds.collision_detection += collision_detection;
        self.seconds.collision_solver += collision_solver;
        self.seconds.motion_solver += motion_solver;
        self.seconds.constraint_solver += constraint_solver;
        self.contacts += statistics.contacts as u64;
        self.impulses += statistics.impulses as u64;
        self.max_penetration = self.max_penetration.max(statistics.penetration);
    }

    /// Formats the shares of computing time, the largest first. Returns `None` if they were not measured.
    fn shares(&self) -> Option<String> {
        let ModuleSeconds { controllers, collision_detection, collision_solver, motion_solver, constraint_solver } =
            self.seconds;
        let mut shares = [
            ("lasting contacts", constraint_solver),
            ("motion", motion_solver - constraint_solver),
            ("collision detection", collision_detection),
            ("collisions", collision_solver),
            ("controllers", controllers),
        ];
        let sum: f64 = shares.iter().map(|(_, seconds)| seconds).sum();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let percent = |seconds: f64| 100.0 * seconds / sum;
        let worth = shares.iter().filter(|(_, seconds)| percent(*seconds) >= 0.5);
        let words: Vec<_> = worth.map(|(name, seconds)| format!("{name} {:.0} %", percent(*seconds))).collect();
        (sum > 0.0).then(|| words.join(", "))
    }
}

impl Report {
    /// Formats the report for people.
    pub fn table(
        &self,
        simulation: &Simulation,
        sums: &Sums,
        recorded: Option<Recorded>,
    ) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        let model = simulation.world().model();
        writeln!(out, "{}, by {}: {}", self.scene, self.paradigm, self.outcome.replace('_', " "))?;
        writeln!(
            out,
            "  world       {} with {} degrees of freedom, {}",
            counted(model.links().len() as u64, "link", "links"),
            HumanCount(model.dofs() as u64),
            quantity(model.mass(), "kg")
        )?;
        let step = quantity(1e3 * simulation.step_length(), "ms");
        let steps = counted(self.steps, "step", "steps");
        writeln!(out, "  time        {} in {steps} of {step}", quantity(self.seconds, "s"))?;
        let factor = quantity(self.real_time_factor, "times");
        writeln!(out, "  it took     {}, {factor} as fast as real time", quantity(self.wall_seconds, "s"))?;
        if let Some(shares) = sums.shares() {
            writeln!(out, "  spent on    {shares}")?;
        }
        let depth = quantity(self.max_penetration, "m");
        writeln!(out, "  contacts    {:.1} on average, {depth} deep at most", self.contacts_mean)?;
        writeln!(out, "  collisions  {}", HumanCount(self.impulses))?;
        let (first, last) = (quantity(self.energy_initial, "J"), quantity(self.energy_final, "J"));
        writeln!(out, "  energy      {first} at the start, {last} at the end")?;
        writeln!(out, "  state       {}", self.state_hash)?;
        if let Some(recorded) = recorded {
            let frames = counted(recorded.frames, "frame", "frames");
            writeln!(out, "  recording   {frames} in {}", recorded.path.display())?;
        }
        Ok(out)
    }
}
