//! The referee of `burgess verify`: MuJoCo, by the Python package of Burgess.

use std::process::Command;

use anyhow::{Context, Result, bail};
use burgess_catalog::Arena;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::Failed;

/// Environment variable with the interpreter for which the package is installed.
const INTERPRETER: &str = "BURGESS_PYTHON";

/// Simulators that can move the body of a creature instead of Burgess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Referee {
    /// MuJoCo, by the Python packages burgess and mujoco
    Mujoco,
}

/// The fitness while another simulator moves the body. Scripts rely on its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefereeReport {
    /// Name of the other simulator.
    pub referee: String,
    /// Fitness there.
    pub fitness: f64,
    /// Fitness in Burgess, by the Python package.
    pub own_fitness: f64,
    /// Share of the fitness that remains.
    pub fraction: f64,
    /// Outcome there.
    pub outcome: String,
    /// Reason for an outcome without a fitness.
    pub reason: Option<String>,
}

impl Referee {
    /// Evaluates a creature, as the user named it, while the other simulator moves its body.
    pub fn judge(self, creature: &str, arena: &Arena) -> Result<RefereeReport> {
        let Self::Mujoco = self;
        let interpreter = std::env::var(INTERPRETER).unwrap_or_else(|_| "python3".to_string());
        let mut command = Command::new(&interpreter);
        command.args(["-m", "burgess.referee", creature]);
        command.args(arena.task.iter().flat_map(|task| ["--task", task]));
        command.args(arena.seed.iter().flat_map(|seed| ["--seed".to_string(), seed.to_string()]));
        let missing =
            || format!("--referee: {interpreter} cannot be started; set {INTERPRETER} to a Python interpreter");
        let output = command.output().with_context(missing)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let message = message.trim().trim_start_matches("burgess: ");
            if message.contains("No module named 'burgess'") || message.contains("No module named burgess") {
                bail!(
                    "--referee: {interpreter} has no package burgess; install it (docs/python.md), or set {INTERPRETER} \
                     to the interpreter that has it"
                );
            }
            bail!("--referee: {message}");
        }
        let report = serde_json::from_slice(&output.stdout).context("--referee: the answer is not a report");
        report.map_err(|error| Failed(error).into())
    }
}
