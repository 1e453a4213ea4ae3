//! Which program this is. Runs and workers of different programs must not meet: the same creature could fare differently.

use std::sync::OnceLock;

use burgess_creature::builtin;
use burgess_creature::task::Task;

use crate::evaluator::{Job, evaluate};

/// Of the messages between run and workers.
const PROTOCOL: u32 = 1;

/// A program, as far as results depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Release of the program.
    pub release: String,
    /// Hash of how a creature fares here.
    pub physics: u64,
}

impl Version {
    /// This program. A creature that comes with it is evaluated for half a second of its life, once.
    pub fn own() -> Self {
        static PHYSICS: OnceLock<u64> = OnceLock::new();
        let physics = *PHYSICS.get_or_init(|| {
            let Some(creature) = builtin::all().first() else { return 0 };
            let task = Task { settle: 0.1, duration: 0.4, ..Task::preset("walk").unwrap_or_default() };
            let job = Job { id: 0, genome: creature.genome(), opponent: None, task: task.into(), seed: 1 };
            evaluate(&job).hash
        });
        Self { release: env!("CARGO_PKG_VERSION").to_string(), physics }
    }

    /// As part of a name on the server.
    pub(super) fn token(&self) -> String {
        format!("{}-{PROTOCOL}-{:016x}", self.release.replace(|c: char| !c.is_ascii_alphanumeric(), "_"), self.physics)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "burgess {} (physics {:016x})", self.release, self.physics)
    }
}
