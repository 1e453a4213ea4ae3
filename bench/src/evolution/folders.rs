//! Where runs and their results are: archives are large and stay on the machine, results are small and belong to the
//! page, so that it can be written again without repeating runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use burgess_creature::random::mix_seed;
use burgess_evolution::{RunConfig, Version};
use burgess_files::write_atomically;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Raise this number when exams, checks of champions or matches change: earlier results are then not used again.
const PROTOCOL: u64 = 0;

/// Folders of the experiments.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Archives of the runs, which can be continued.
    pub runs: PathBuf,
    /// Page, with its pictures and results in the folder `evolution`.
    pub page: PathBuf,
}

/// A result, and what it depends on.
#[derive(Serialize, Deserialize)]
struct Stored<T> {
    /// Hash of sample evaluations by the program that made the result.
    physics: String,
    /// Hash of the settings of the run.
    settings: String,
    result: T,
}

impl Folders {
    /// Returns the file of a run.
    pub fn run(&self, name: &str) -> PathBuf {
        self.runs.join(name).with_extension("burgess")
    }

    /// Returns the folder of the pictures and results.
    pub fn pictures(&self) -> PathBuf {
        self.page.join("evolution")
    }

    /// Returns the creature file of a champion.
    pub fn champion(&self, name: &str) -> PathBuf {
        self.pictures().join("champions").join(format!("{name}.json"))
    }

    /// Returns the task file of the champions of an experiment.
    pub fn task(&self, experiment: &str) -> PathBuf {
        self.pictures().join("champions").join(format!("{experiment}.toml"))
    }

    /// Returns the file of a result.
    fn result(&self, name: &str) -> PathBuf {
        self.pictures().join("runs").join(format!("{name}.json"))
    }

    /// Reads the result of a run. Returns `None` if there is none, or if it was made with other settings or by a version
    /// of the program that computes other motion.
    pub fn read<T: DeserializeOwned>(&self, name: &str, config: &RunConfig) -> Option<T> {
        let stored: Stored<T> = serde_json::from_str(&std::fs::read_to_string(self.result(name)).ok()?).ok()?;
        (stored.physics == own_physics() && stored.settings == settings_hash(config)).then_some(stored.result)
    }

    /// Writes the result of a run.
    pub fn write<T: Serialize>(&self, name: &str, config: &RunConfig, result: T) -> Result<()> {
        let stored = Stored { physics: own_physics(), settings: settings_hash(config), result };
        save(&self.result(name), &(serde_json::to_string_pretty(&stored)? + "\n"))
    }
}

fn own_physics() -> String {
    format!("{:016x}", Version::own().physics)
}

fn settings_hash(config: &RunConfig) -> String {
    let bytes: Vec<u64> = config.to_toml().bytes().map(u64::from).collect();
    format!("{:016x}", mix_seed(PROTOCOL, &bytes))
}

/// Writes a text file, and its folder if there is none.
pub fn save(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    write_atomically(file, text.as_bytes()).with_context(|| file.display().to_string())
}
