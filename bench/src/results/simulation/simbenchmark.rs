//! The accuracy tests of SimBenchmark with all paradigms, compared with published results.

use anyhow::Result;
use burgess_bench::simbenchmark::{TESTS, Test, with};
use burgess_paradigms::Paradigm;

use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::{number, table};

const STEP: f64 = 1e-3;
/// Published results at 1 ms: a test, and the errors of RaiSim, MuJoCo, ODE, DART and Bullet.
#[expect(clippy::approx_constant, reason = "3.14 was measured")]
const PUBLISHED: [(&str, [Option<f64>; 5]); 4] = [
    ("rolling", [Some(4.1e-7), Some(2.5e-3), Some(3.14), Some(3.14), None]),
    ("bouncing", [Some(0.0186), None, Some(185.0), None, Some(7.5e4)]),
    ("666", [Some(1.35e-4), Some(0.095), Some(1.55e-4), Some(2.8e-4), Some(0.38)]),
    ("elastic 666", [Some(8.4), None, Some(112.0), None, Some(4.1e4)]),
];
/// Tests with many bodies in one contact group, for which computing all forces together takes minutes.
const MANY_BODIES: [&str; 5] = ["rolling, y", "rolling, xy", "666", "666, hovering", "elastic 666"];
const FORCES_TOGETHER: [Paradigm; 2] = [Paradigm::Analytical, Paradigm::Hybrid];

/// Number of progress units.
pub fn units() -> u64 {
    (TESTS.len() * Paradigm::ALL.len()) as u64
}

/// Runs all tests with all paradigms.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut chapter = Chapter::default();
    let mut rows = Vec::new();
    for test in &TESTS {
        let mut row = vec![test.name.to_owned(), test.unit.to_owned()];
        for paradigm in Paradigm::ALL {
            progress.say(format!("SimBenchmark: {}, {}", test.name, paradigm.name()));
            row.push(cell(test, paradigm, &mut chapter));
            progress.advance();
        }
        row.extend(published(test.name).map(|figure| figure.map_or("-".to_owned(), number)));
        rows.push(row);
    }
    let mut head = vec!["test", "error in"];
    head.extend(Paradigm::ALL.map(Paradigm::name));
    head.extend(["RaiSim", "MuJoCo", "ODE", "DART", "Bullet"]);
    chapter.text = format!(
        "## SimBenchmark at 1 ms\n\n\
        The scenes of [SimBenchmark](https://leggedrobotics.github.io/SimBenchmark) (`bench/src/simbenchmark`), with \
        its measure: the mean over time of a squared error. The figures of the peers are the published ones; the \
        target of `time-stepping` is the best of them. A dash means that the figure was not published, or not \
        measured because the test takes minutes.\n\n{}\n\
        'Hovering' is not part of SimBenchmark: the largest gap below balls that should rest. `elastic 666` is the \
        median over five random offsets of the start. In `impulse`, resting contact is a sequence of \
        micro-collisions (Fontijne (2000) section 3.12), which disturbs rolling and resting bodies. In `penalty`, \
        bodies penetrate (Erleben (2002) section 3.2), which is the error that `666` measures, and restitution \
        results from dampers only.\n",
        table(&head, &rows)
    );
    Ok(chapter)
}

fn cell(test: &Test, paradigm: Paradigm, chapter: &mut Chapter) -> String {
    if MANY_BODIES.contains(&test.name) && FORCES_TOGETHER.contains(&paradigm) {
        return "-".to_owned();
    }
    let outcome = (test.run)(&with(paradigm, STEP));
    if paradigm == Paradigm::TimeStepping && test.goal.is_finite() {
        let error = outcome.as_ref().copied().unwrap_or(f64::INFINITY);
        let what = format!("SimBenchmark at 1 ms, {}, {}", test.name, test.unit);
        chapter.verdicts.push(Verdict::at_most(what, test.goal, error));
    }
    outcome.map_or_else(|_| "failed".to_owned(), number)
}

fn published(name: &str) -> [Option<f64>; 5] {
    // The two rolling directions were published as one result; hovering was not published.
    let name = if name.starts_with("rolling") { "rolling" } else { name };
    PUBLISHED.iter().find(|entry| entry.0 == name).map_or([None; 5], |entry| entry.1)
}
