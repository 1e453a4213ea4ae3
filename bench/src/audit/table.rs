//! The table by family and the list of failures.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::watch::Findings;
use super::{Plan, Report};

/// Returns a chapter of the results page.
pub fn chapter(reports: &[Report], plan: &Plan, worlds: u64) -> String {
    let (seed, seconds) = (plan.seed, plan.seconds);
    let families = reports.iter().map(|report| report.family).collect::<BTreeSet<_>>().len();
    let failures = failures(reports, seed);
    let failures = if failures.is_empty() {
        "No world violates a law.\n".to_string()
    } else {
        failures.lines().fold(String::new(), |text, line| text + "    " + line + "\n")
    };
    format!(
        "## Random worlds\n\n\
        Random worlds of {families} families, whose laws are known, run for up to {seconds} s each. Required is that conservative\n\
        worlds keep their energy within 1 %, that the energy of the others grows only by the work of motors, that momentum\n\
        is constant where nothing holds a body, that what lies at rest does not move, and that nothing passes through\n\
        anything. Motion is compared with a reference for as long as four references agree that start with small\n\
        differences: errors are shares of the distance that a point has travelled, and may be 2 % at\n\
        1/240 s and 0.5 % at 1 ms. Where the motion is known in closed form, it is compared with that. Worlds that fail are listed below the table. Its columns have the worst value of\n\
        all worlds: the error of the energy, what the step itself corrected (both as shares of the energy that can\n\
        be exchanged), the number of parts that steps are divided into, the error of motion, and the depth or gap that\n\
        lasted for 0.1 s (as a share of the smallest body).\n\
        The chapter is written by\n\n    \
        bench/audit --seed {seed} --worlds {worlds} --seconds {seconds} --write docs/results/simulation/audit.md\n\n\
        {table}\n{failures}",
        table = by_family(reports, &plan.steps),
    )
}

/// Returns a table with one line per family, in the order of the reports: for each step the number of worlds that fail
/// and the worst values. `corrected` is the energy that the step itself put right, `parts` into how many parts it was
/// divided.
pub fn by_family(reports: &[Report], steps: &[f64]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for report in reports {
        if !names.contains(&report.family) {
            names.push(report.family);
        }
    }
    let mut text = String::from("| family | worlds | failures |");
    for step in steps {
        let step = step_name(*step);
        let _ = write!(text, " failures at {step} | energy error | corrected | parts | motion error | depth |");
    }
    text.push_str("\n|---|---|---|");
    text.push_str(&"---|---|---|---|---|---|".repeat(steps.len()));
    text.push('\n');
    for name in names {
        let own: Vec<&Report> = reports.iter().filter(|report| report.family == name).collect();
        let failures = own.iter().filter(|report| report.failed()).count();
        let refused = own.iter().filter(|report| report.runs.iter().any(|run| run.refused.is_some())).count();
        let refused = if refused > 0 { format!(" ({refused} refused)") } else { String::new() };
        let _ = write!(text, "| {name} | {}{refused} | {failures} |", own.len());
        for step in 0..steps.len() {
            let runs = || own.iter().filter_map(|report| report.runs.get(step));
            let failures = runs().filter(|run| !run.violations.is_empty()).count();
            let worst = |value: fn(&Findings) -> f64| {
                runs().map(value).fold(0.0, |a: f64, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) })
            };
            let motion =
                runs().filter_map(|run| run.motion).fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.max(b))));
            let (energy, depth) = (percent(worst(|run| run.energy)), percent(worst(|run| run.depth)));
            let (corrected, parts) = (percent(worst(|run| run.corrected)), worst(|run| run.parts));
            let motion = motion.map_or("-".to_string(), percent);
            let _ = write!(text, " {failures} | {energy} | {corrected} | {parts:.1} | {motion} | {depth} |");
        }
        text.push('\n');
    }
    text
}

fn percent(share: f64) -> String {
    if share.is_nan() { "NaN".to_string() } else { format!("{:.2} %", 100.0 * share) }
}

/// Returns the usual name of a step.
pub fn step_name(step: f64) -> String {
    let rate = 1.0 / step;
    if step < 1e-3 + 1e-12 { format!("{} ms", 1e3 * step) } else { format!("1/{} s", libm::round(rate)) }
}

/// Returns one line per violated law, with the command that runs only that world.
pub fn failures(reports: &[Report], seed: u64) -> String {
    let mut text = String::new();
    for report in reports.iter().filter(|report| report.failed()) {
        let command = match report.index {
            Some(index) => format!("bench/audit --seed {seed} --family {} --only {index}", report.family),
            None => format!("bench/audit --named {}", report.family),
        };
        for run in &report.runs {
            for violation in &run.violations {
                let message = violation.message.as_deref().map(|text| format!(" ({text})")).unwrap_or_default();
                let _ = writeln!(
                    text,
                    "{} at {}: {} {:.3e} > {:.1e} from {:.2} s{message} (energy {:+.1} %); {}; {command}",
                    report.family,
                    step_name(run.step),
                    violation.law,
                    violation.amount,
                    violation.bound,
                    violation.time,
                    100.0 * run.energy_change,
                    report.what,
                );
            }
        }
    }
    text
}
