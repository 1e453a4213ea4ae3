//! Sums over the steps of simulations.

use burgess_scene::RunningScene;
use burgess_simulation::constraint_solver::{FACTORIZATION_RANGES, SolverWork};

use crate::duel::processor_seconds;

/// Velocity residuals (m/s) whose shares of the steps are printed.
const RESIDUALS: [f64; 4] = [1e-6, 1e-4, 1e-3, 1e-2];

/// Sums over the steps of simulations.
#[derive(Debug, Default)]
pub struct Tally {
    simulated: f64,
    contacts: usize,
    sub_steps: usize,
    /// Number of steps that were divided, and their time, in s.
    divided: usize,
    divided_seconds: f64,
    corrected_predictions: usize,
    detection: f64,
    collision_solver: f64,
    constraint_solver: f64,
    work: SolverWork,
    /// Time of each step, in s.
    steps: Vec<f64>,
    /// Largest residual of each step in the laws of Signorini and of maximal dissipation, in m/s.
    signorini: Vec<f64>,
    dissipation: Vec<f64>,
    /// Friction beyond the cone, in N s.
    coulomb: f64,
    failures: Vec<String>,
}

impl Tally {
    /// Simulates a scene and adds its steps.
    pub fn simulate(&mut self, mut run: RunningScene, seconds: f64) {
        run.simulation.data_mut().set_clock(processor_seconds);
        while run.simulation.state().time < seconds {
            let start = processor_seconds();
            if let Err(error) = run.simulation.step() {
                self.failures.push(error.to_string());
                return;
            }
            self.steps.push(processor_seconds() - start);
            let statistics = run.simulation.statistics();
            self.simulated += run.simulation.step_length();
            self.contacts += statistics.contacts;
            let took = *self.steps.last().unwrap_or(&0.0);
            if statistics.sub_steps > 1 {
                self.divided_seconds += took;
                self.divided += 1;
            }
            self.sub_steps += statistics.sub_steps.max(1);
            self.corrected_predictions += statistics.corrected_predictions;
            self.detection += statistics.seconds.collision_detection;
            self.collision_solver += statistics.seconds.collision_solver;
            self.constraint_solver += statistics.seconds.constraint_solver;
            self.work.add(&statistics.solver);
            if let Some(residuals) = run.simulation.residuals() {
                self.signorini.push(residuals.signorini);
                self.dissipation.push(residuals.dissipation);
                self.coulomb = self.coulomb.max(residuals.coulomb);
            }
        }
    }

    /// Prints all of it.
    pub fn print(mut self, name: &str) {
        let steps = self.steps.len().max(1) as f64;
        let total: f64 = self.steps.iter().sum();
        let micro = |seconds: f64| 1e6 * seconds / steps;
        println!(
            "{name}: {:.1} us a step (detection {:.1}, collisions {:.1}, constraints {:.1}), {:.2} contacts, {:.2} x real time",
            micro(total),
            micro(self.detection),
            micro(self.collision_solver),
            micro(self.constraint_solver),
            self.contacts as f64 / steps,
            self.simulated / total
        );
        println!(
            "  {:.3} sub-steps a step ({:.1} % of the steps are divided and take {:.1} % of the time), {:.1} % of them predicted again",
            self.sub_steps as f64 / steps,
            100.0 * self.divided as f64 / steps,
            100.0 * self.divided_seconds / total,
            100.0 * self.corrected_predictions as f64 / self.sub_steps.max(1) as f64
        );
        self.steps.sort_by(f64::total_cmp);
        let at = |share: f64| 1e3 * self.steps[((steps - 1.0) * share) as usize];
        println!("  steps in ms: median {:.3}, 99 % {:.3}, longest {:.3}", at(0.5), at(0.99), at(1.0));
        let SolverWork { direct, swept, sweeps, factorizations, unconverged, interior, restrained, .. } = self.work;
        let share = |count: u32| 100.0 * f64::from(count) / f64::from(direct.max(1));
        println!(
            "  {direct} direct solves, {:.2} factorizations each, {:.2} % not converged, {:.2} % by the interior point",
            f64::from(factorizations) / f64::from(direct.max(1)),
            share(unconverged),
            share(interior),
        );
        let ranges = FACTORIZATION_RANGES.iter().map(|end| format!("<={end}")).chain(["more".to_owned()]);
        let histogram =
            ranges.zip(self.work.by_factorizations).map(|(range, count)| format!("{range} {:.1} %", share(count)));
        println!("  factorizations: {}", histogram.collect::<Vec<_>>().join(", "));
        println!("  {swept} groups swept, {:.1} sweeps a step, {restrained} restrained", f64::from(sweeps) / steps);
        for (law, values) in [("Signorini", &mut self.signorini), ("dissipation", &mut self.dissipation)] {
            values.sort_by(f64::total_cmp);
            let above = |bound: f64| values.len() - values.partition_point(|value| *value <= bound);
            let shares = RESIDUALS.map(|bound| format!(">{bound:e} {:.3} %", 100.0 * above(bound) as f64 / steps));
            let at = |share: f64| values.get((values.len().saturating_sub(1) as f64 * share) as usize).copied();
            let (most, usual) = (at(0.999).unwrap_or(0.0), at(0.5).unwrap_or(0.0));
            println!("  {law} in m/s: median {usual:.1e}, 99.9 % {most:.1e}; {}", shares.join(", "));
        }
        println!("  Coulomb at most {:.1e} N s", self.coulomb);
        self.failures.iter().for_each(|failure| println!("  {failure}"));
    }
}
