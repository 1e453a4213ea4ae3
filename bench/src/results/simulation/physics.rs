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
        words: "Bodies never come to rest (Fontijne (2000) section 3.12): a resting block has a sequence of \
        micro-collisions at its corners. Each collision sticks, but the block turns and flies a little between \
        collisions, so that the total friction is less than mu times the weight. What it has crept is returned as far \
        as friction allows: up to 80 % of the limit of the friction cone the block moves by less than 0.4 mm in 4 s, \
        nearer to the limit it slides.",
    },
    Reason {
        paradigm: Paradigm::Impulse,
        checks: &["sliding", "rolling", "sphere on a turntable"],
        words: "The contact force of the same micro-collisions (Fontijne (2000) section 3.12) is uneven: the \
        friction depends on the order in which corners collide, and between collisions there is no contact force.",
    },
    Reason {
        paradigm: Paradigm::Impulse,
        checks: &["bounce"],
        words: "Bodies bounce in the collision envelope, up to 1 % of their size above the surface (Fontijne (2000) \
        section 3.8.2). This is half a millimetre here, and has most effect on the lowest bounce (40 mm for e = \
        0.2).",
    },
    Reason {
        paradigm: Paradigm::Penalty,
        checks: &["stick"],
        words: "Friction is a spring (Erleben (2002) section 3.2), which must be stretched before it holds. In the \
        first steps of 1 ms the block reaches 5 mm/s. Near the limit of the friction cone, friction is hardly \
        stronger than gravity, so the block stops late. Then it stays at rest.",
    },
    Reason {
        paradigm: Paradigm::Penalty,
        checks: &["bounce", "Newton"],
        words: "Bodies penetrate for a few steps before the springs push them apart (Erleben (2002) section 3.2). \
        Restitution results from the dampers and is accurate to about 0.1 of the coefficient. In a row of balls all \
        springs act at once.",
    },
    Reason {
        paradigm: Paradigm::Penalty,
        checks: &["rolling", "sphere on a turntable"],
        words: "The friction spring reacts some steps late (Erleben (2002) section 3.2: such springs need very small \
        steps), and bodies penetrate the ground.",
    },
    Reason {
        paradigm: Paradigm::Hybrid,
        checks: &["stick", "sliding in"],
        words: "A contact is handled by impulses until it has lasted five steps (Erleben (2002) section 3.4). In \
        this time the block reaches 0.02 m/s with steps of 1 ms. Near the limit of the friction cone, friction is \
        hardly stronger than gravity, so the block stops late. Then it stays at rest.",
    },
];

/// Number of progress units.
pub fn units() -> u64 {
    (STEPS.len() * CHECKS.len() * Paradigm::ALL.len()) as u64
}

/// Runs all checks with all paradigms and both time steps.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut chapter = Chapter { text: "## Physics\n".to_owned(), ..Default::default() };
    chapter.text += "\nScenes with a closed-form result. A cell is the largest error; errors above the bound are \
    bold, with the number of the reason below. `cargo run --release -p burgess-bench --bin checks` prints the same \
    numbers.\n";
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
    chapter.text += "\nReasons of the failed checks:\n\n";
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
        "\n### Newton's cradle: sequential and simultaneous impulses\n\n\
        A ball at 1 m/s hits four balls that touch each other; all are elastic. Velocities afterwards, in m/s:\n\n{}\n\
        In experiments the last ball leaves and the others nearly stop, because the shock travels from ball to ball: \
        sequential impulses give this result. Simultaneous impulses with Newton's restitution at each contact \
        conserve momentum and energy, too, but give other velocities. `SimultaneousImpulses` is for bodies that are \
        hit at several points at once, where its result is symmetric.\n",
        table(&["", "ball 1", "ball 2", "ball 3", "ball 4", "ball 5"], &rows)
    ))
}
