//! Speed of the built-in scenes, compared with the published speeds.

use anyhow::Result;
use burgess_bench::duel::processor_seconds;
use burgess_paradigms::Paradigm;
use burgess_scene::builtin::{self, Builtin};
use burgess_scene::{RunOptions, RunningScene};

use crate::chapter::{Chapter, Progress};
use crate::document::{number, table};

/// Maximum CPU time of a run, in s.
const MAX_PROCESSOR_TIME: f64 = 4.0;
const PARADIGMS: [Paradigm; 2] = [Paradigm::TimeStepping, Paradigm::Impulse];
/// Scenes with published speeds.
const KNOWN: [(&str, &str); 9] = [
    ("coin-toss", "2.1 (Fontijne (2000), 18 bodies)"),
    ("car-track", "1.1 (Fontijne (2000))"),
    ("car-into-wall", "0.1 (Fontijne (2000), 94 s for 10 s)"),
    ("dominoes", "0.25 (Fontijne (2000), 150 dominoes)"),
    ("marble-machine", "0.14 (Fontijne (2000))"),
    ("quadruped-standing", "1.6 (Arnold (1997) section 2.5, creatures of up to 18 degrees of freedom)"),
    ("billiards", "60 frames a second (Timchenko (2007) V.C, simple scenes)"),
    ("bowling", "10 to 60 frames a second (Timchenko (2007) V.C, many contacts)"),
    ("stacks", "10 to 60 frames a second (Timchenko (2007) V.C, many contacts)"),
];

/// Number of progress units.
pub fn units() -> u64 {
    (PARADIGMS.len() * builtin::all().len()) as u64
}

/// Runs all scenes with both paradigms.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut rows = Vec::new();
    for scene in builtin::all() {
        let known = KNOWN.iter().find(|(name, _)| *name == scene.name).map_or("", |(_, figure)| figure);
        let mut row = vec![format!("`{}`", scene.name), known.to_owned()];
        for paradigm in PARADIGMS {
            progress.say(format!("{}, {}", scene.name, paradigm.name()));
            row.extend(run(scene, paradigm));
            progress.advance();
        }
        rows.push(row);
    }
    let text = format!(
        "## Speed of the built-in scenes\n\n\
        Simulated time divided by processor time; above 1 is faster than real time on a quiet machine. A run ends \
        after the duration of the scene or after {MAX_PROCESSOR_TIME} s of processor time; in the latter case the \
        outcome is the simulated time. Every scene has its own step and the default settings of the paradigm. \
        Contacts are means over the steps. The figures of the sources (Fontijne (2000) section 3.11.2, Arnold (1997) \
        section 2.5, Timchenko (2007) section V.C) were measured on computers of 1997 to 2007, with scenes that are \
        similar to ours but not the same.\n\n{}",
        table(
            &[
                "scene",
                "sources",
                "time-stepping: times real time",
                "contacts",
                "outcome",
                "impulse: times real time",
                "contacts",
                "outcome"
            ],
            &rows
        )
    );
    Ok(Chapter { text, ..Default::default() })
}

/// Returns speed, contacts and outcome; a paradigm may reject a scene.
fn run(scene: &Builtin, paradigm: Paradigm) -> [String; 3] {
    let spec = scene.spec();
    match spec.run(".", &RunOptions { paradigm: Some(paradigm), ..RunOptions::default() }) {
        Ok(running) => steps(running, spec.duration),
        Err(_) => ["-".to_owned(), "-".to_owned(), "refused".to_owned()],
    }
}

fn steps(running: RunningScene, seconds: f64) -> [String; 3] {
    let mut simulation = running.simulation;
    let start = processor_seconds();
    let (mut contacts, mut outcome) = (0, "completed".to_owned());
    while simulation.state().time < seconds - 0.5 * simulation.step_length() {
        if let Err(failure) = simulation.step() {
            outcome = format!("{} at {:.2} s", failure.name(), simulation.state().time);
            break;
        }
        contacts += simulation.statistics().contacts;
        if processor_seconds() - start > MAX_PROCESSOR_TIME {
            outcome = format!("{:.1} of {seconds} s", simulation.state().time);
            break;
        }
    }
    let factor = simulation.state().time / (processor_seconds() - start);
    let mean = contacts as f64 / simulation.steps().max(1) as f64;
    [number(factor), number(mean), outcome]
}
