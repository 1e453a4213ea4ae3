//! Physics checks of all paradigms: error, verdict, and reasons of failures.

use anyhow::Result;
use burgess_bench::checks::{CHECKS, Check, end_velocities, end_velocities_of_simultaneous_impulses};
use burgess_paradigms::Paradigm;

use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::{number, table};

/// Time steps in s, and their labels.
const STEPS: [(f64, &str); 2] = [(1e-3, "1 ms"), (1.0 / 240.0, "1/240 s")];

/// Reason why a paradigm fails.
struct Reason {
    paradigm: Paradigm,
    /// Prefixes of the names of checks.
    checks: &'static [&'static str],
    words: &'static str,
}

/// Investigated failures; a failure that is not listed is marked on the page.
const REASONS: &[Reason] = &[
    Reason {
        paradigm: Paradigm::Impulse,
        checks: &["stick", "no creep"],
        words: "Bodies never settle (Fontijne (2000) section 3.12): a block at rest is a train of micro-collisions at its corners. Each corner \
            sticks when it is hit, but the block turns and flies a little in between, so that friction as a whole is less than mu times \
            the weight. Near the cone the block slides; at half of it, it creeps by 2 mm/s (measured with envelopes from 10 % to 0.1 % \
            of its size: a thinner one does not help).",
    },
    Reason {
        paradigm: Paradigm::Impulse,
        checks: &["sliding", "rolling", "sphere on a turntable"],
        words: "The same trains of micro-collisions (Fontijne (2000) section 3.12) press unevenly: how much friction acts depends on which corner is \
            hit when, and a body in flight is neither pressed nor turned.",
    },
    Reason {
        paradigm: Paradigm::Impulse,
        checks: &["bounce"],
        words: "Bodies turn round in the collision envelope, up to 1 % of their size above the surface (Fontijne (2000) section 3.8.2): half a \
            millimetre here, which shows most in the lowest bounce (40 mm for e = 0.2).",
    },
    Reason {
        paradigm: Paradigm::Penalty,
        checks: &["stick"],
        words: "Friction is a spring, too (Erleben (2002) section 3.2), and has to be stretched before it holds: in the first steps the block gains \
            5 mm/s at 1 ms, and next to the cone's edge friction is hardly stronger than gravity, so that it comes to rest late. It rests then.",
    },
    Reason {
        paradigm: Paradigm::Penalty,
        checks: &["bounce", "Newton"],
        words: "Bodies have to penetrate before anything pushes them back (Erleben (2002) section 3.2), over a few steps, and restitution is only \
            what dampers leave: to about 0.1 of the coefficient. In a row of balls all springs act at once.",
    },
    Reason {
        paradigm: Paradigm::Penalty,
        checks: &["rolling", "sphere on a turntable"],
        words: "The spring of friction lags behind by some steps (Erleben (2002) section 3.2: such springs want very small steps), and the contact \
            sinks in.",
    },
    Reason {
        paradigm: Paradigm::Hybrid,
        checks: &["stick", "sliding in"],
        words: "A contact is transient, and so a train of impulses, until it has lasted five steps (Erleben (2002) section 3.4). In this time the \
            block gains 0.02 m/s at 1 ms, and next to the cone's edge friction is hardly stronger than gravity: it comes to rest late. \
            It rests then.",
    },
];

/// Number of progress units.
pub fn units() -> u64 {
    (STEPS.len() * CHECKS.len() * Paradigm::ALL.len()) as u64
}

/// Runs all checks with all paradigms and both time steps.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut chapter = Chapter { text: "## Physics\n".to_owned(), ..Default::default() };
    chapter.text += "\nScenes with a known outcome. A cell is the largest error found; those beyond the bound are bold, with the \
        number of a reason below. `cargo run --release -p burgess-bench --bin checks` prints the same.\n";
    let mut used: Vec<usize> = Vec::new();
    let mut unexplained = false;
    for (step, words) in STEPS {
        let mut rows = Vec::new();
        for check in &CHECKS {
            let bound = (check.bound)(step);
            let mut row = vec![check.name.to_owned(), check.expected.to_owned(), format!("{bound} {}", check.unit)];
            for paradigm in Paradigm::ALL {
                progress.say(format!("{}, {}, {words}", check.name, paradigm.name()));
                let found = (check.run)(paradigm, step);
                let error = found.as_ref().copied().unwrap_or(f64::INFINITY);
                let mut cell = found.map_or_else(|_| "failed".to_owned(), shown);
                if error > bound || error.is_nan() {
                    let mark = reason(check, paradigm).map(|index| footnote(&mut used, index));
                    unexplained |= mark.is_none();
                    cell = format!("**{cell}** ({})", mark.map_or("?".to_owned(), |mark| mark.to_string()));
                }
                if paradigm == Paradigm::TimeStepping {
                    let what = format!("time-stepping at {words}: {}, error in {}", check.name, check.unit);
                    chapter.verdicts.push(Verdict::at_most(what, bound, error));
                }
                row.push(cell);
                progress.advance();
            }
            rows.push(row);
        }
        let mut head = vec!["check", "expected", "bound"];
        head.extend(Paradigm::ALL.map(Paradigm::name));
        chapter.text += &format!("\n### Steps of {words}\n\n{}", table(&head, &rows));
    }
    chapter.text += "\nWhy some do not pass:\n\n";
    for (mark, &index) in used.iter().enumerate() {
        let Reason { paradigm, words, .. } = &REASONS[index];
        chapter.text += &format!("{}. `{}`: {words}\n", mark + 1, paradigm.name());
    }
    if unexplained {
        chapter.text += "\n(?): not understood yet.\n";
    }
    chapter.text += &cradle()?;
    Ok(chapter)
}

fn shown(error: f64) -> String {
    if error.is_finite() { number(error) } else { "none found".to_owned() }
}

fn reason(check: &Check, paradigm: Paradigm) -> Option<usize> {
    let fits = |reason: &Reason| {
        reason.paradigm == paradigm && reason.checks.iter().any(|beginning| check.name.starts_with(beginning))
    };
    REASONS.iter().position(fits)
}

/// Returns the number of a reason, in the order of first use.
fn footnote(used: &mut Vec<usize>, index: usize) -> usize {
    let place = used.iter().position(|&known| known == index).unwrap_or_else(|| {
        used.push(index);
        used.len() - 1
    });
    place + 1
}

/// Returns the velocities of the balls with all paradigms, and with simultaneous impulses.
fn cradle() -> Result<String> {
    let step = STEPS[0].0;
    let mut rows = Vec::new();
    let mut add = |name: String, velocities: Result<[f64; 5]>| {
        let cells: Vec<String> = match velocities {
            Ok(velocities) => {
                velocities.iter().map(|v| format!("{:.3}", if v.abs() < 5e-4 { 0.0 } else { *v })).collect()
            }
            Err(error) => vec![error.to_string(), String::new(), String::new(), String::new(), String::new()],
        };
        rows.push(std::iter::once(name).chain(cells).collect::<Vec<_>>());
    };
    for paradigm in Paradigm::ALL {
        add(format!("`{}`", paradigm.name()), end_velocities(paradigm, step));
    }
    add("`impulse` with `SimultaneousImpulses`".to_owned(), end_velocities_of_simultaneous_impulses(step));
    Ok(format!(
        "\n### Newton's cradle: one after the other, or all at once\n\n\
        A ball at 1 m/s meets four that touch each other; all are elastic. Velocities afterwards, in m/s:\n\n{}\n\
        In experiments the last ball leaves and the others (as good as) stay, since the blow travels from ball to ball: sequential \
        impulses are right. Solved at once, with Newton's restitution at each contact, momentum and energy are kept just as well, and \
        the answer is another one. `SimultaneousImpulses` is for bodies that are hit at several points at once, where it is symmetric.\n",
        table(&["", "ball 1", "ball 2", "ball 3", "ball 4", "ball 5"], &rows)
    ))
}
