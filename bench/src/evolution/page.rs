//! Writes the results page: targets and results, fitness curves, and pictures of the champions.

use std::cmp::Ordering;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use burgess_bench::duel::median;
use burgess_bench::markdown::wrap;
use burgess_paradigms::Paradigm;
use burgess_pictures::{Axis, Plot, Series};

use crate::comparison;
use crate::contest;
use crate::experiment::Experiment;
use crate::experiment_run::{Outcome, outcome, run_name};
use crate::folders::{Folders, save};
use crate::referee;
use crate::throughput::{self, Evaluators};

/// Writes the page and its pictures from the results.
pub fn write(experiments: &[Experiment], folders: &Folders) -> Result<()> {
    let mut page = OPENING.to_string();
    page += &summary(experiments, folders);
    page += &referee::summary(folders)?;
    page += &since_first_release(experiments, folders);
    page += &paradigms(experiments, folders);
    page += &algorithms(folders)?;
    page += &rates(folders)?;
    for experiment in experiments {
        page += &chapter(experiment, experiments, folders)?;
    }
    page += &contest::chapter(folders)?;
    page += &referee::chapter(folders);
    let file = folders.page.join("evolution.md");
    save(&file, &wrap(&page))?;
    eprintln!("bench: wrote {}", file.display());
    Ok(())
}

const OPENING: &str = "# Results: evolution

The experiments of Fontijne (2000) and Arnold (1997) ([sources](../../ARCHITECTURE.md#sources)), repeated with \
realistic physics: gravity of 9.81 m/s^2 except where the task of the source has none, self-collision, strength \
proportional to the cross-section, and bounded body volume. A body length is the largest extent of the creature at \
any time in its trial, so that shrinking or folding does not increase the distance in body lengths. \
This page and its pictures are written by

    bench/evolution all

from the files in `bench/src/evolution/experiments` and the results of completed runs in `evolution/runs` beside this \
page; the table of MuJoCo is made by `bench/referee --why`. The same seeds give the same creatures, bit by bit, on \
every machine. Some of the champions are in `evolution/champions`, with the tasks that they were evolved for; \
`burgess watch graph-walk-5.json --task graph-walk.toml` shows one there. A run that is made again adds its own.

";

fn outcomes<'a>(experiment: &'a Experiment, folders: &'a Folders) -> impl Iterator<Item = Outcome> + 'a {
    experiment.all_seeds().filter_map(|seed| outcome(experiment, seed, folders))
}

fn summary(experiments: &[Experiment], folders: &Folders) -> String {
    let mut text =
        "## Summary\n\n| experiment | target | runs | champions | met | worst of 16 draws | kept under perturbation | verdicts |\n\
                    |---|---|---:|---|---|---|---|---|\n"
            .to_string();
    for experiment in experiments {
        let found: Vec<Outcome> = outcomes(experiment, folders).collect();
        let asked = match experiment.target.min {
            Some(least) => format!("at least {least} {}", experiment.target.unit),
            None => format!("{}, no minimum", experiment.target.unit),
        };
        let figures: Vec<String> = found.iter().map(|outcome| format!("{:.2}", outcome.figure)).collect();
        let shares = |share: fn(&Outcome) -> f64| {
            found.iter().map(|outcome| format!("{:.0} %", 100.0 * share(outcome))).collect::<Vec<_>>().join(", ")
        };
        let reached = found.iter().filter(|o| experiment.target.min.is_none_or(|least| o.figure >= least)).count();
        let met = match experiment.target.min {
            _ if found.is_empty() => "not carried out".to_string(),
            None => "-".to_string(),
            Some(_) => {
                format!("{reached} of {} (target {} of {})", found.len(), experiment.successes, experiment.seeds)
            }
        };
        let _ = writeln!(
            text,
            "| {} | {asked} | {} | {} | {met} | {} | {} | {} |",
            experiment.title,
            found.len(),
            figures.join(", "),
            shares(|outcome| outcome.worst),
            shares(|outcome| outcome.retained),
            found.iter().map(|outcome| outcome.verdict.as_str()).collect::<Vec<_>>().join(", ")
        );
    }
    text + "\nA champion is the individual of its run with the highest rank, the lowest fitness of nine draws of the \
    conditions, that `burgess verify` does not classify as an exploit; 'passed over' is the number of individuals of a \
    higher rank that are exploits or fail verification. 'Worst' is the lowest fitness of 16 new draws of the \
    conditions, divided by the fitness in the run; at least 70 % is needed. 'Falls' is the share of the trials of these \
    draws in which the creature keeps less than half of its fitness. 'Kept' is the median fitness of 16 trials with other friction, gravity and initial poses, \
    divided by the fitness in the run; at least 80 % is needed. 'Half step' is the fitness with half the step \
    length, divided by the fitness in the run; at least 80 % is needed. 'Eighth' is the mean fitness of some draws \
    with an eighth of the step, divided by that with the usual step; at least 75 % is needed. Champions that miss \
    one of these are 'fragile'. 'Reached' is in the unit of the target. The Froude number is v^2 / (g h) with the \
    mean height h of the centre of mass. 'Feet' is the median height to which parts that step are lifted ('-' for \
    creatures that take no steps). A creature-second is one second of simulated time of one creature.\n\n"
}

/// Compares what the champions reach with release 0.1.
fn since_first_release(experiments: &[Experiment], folders: &Folders) -> String {
    let mut text = "## Since release 0.1\n\n\
         The contact step of the simulator has changed since then. Runs have fewer evaluations, except those of \
         Locomotion, which also have other seeds. In release 0.1 the champion was the individual with the highest single \
         fitness, and the verdict 'sound' did not include the worst draw.\n\n\
         | experiment | unit | evaluations, 0.1 | now | champions, 0.1 | now | median | sound, 0.1 | now |\n\
         |---|---|---:|---:|---|---|---|---:|---:|\n"
        .to_string();
    for experiment in experiments {
        let found: Vec<Outcome> = outcomes(experiment, folders).collect();
        let Some(earlier) = experiment.earlier.as_ref().filter(|_| !found.is_empty()) else { continue };
        let now: Vec<f64> = found.iter().map(|outcome| outcome.figure).collect();
        let list = |figures: &[f64]| figures.iter().map(|one| format!("{one:.2}")).collect::<Vec<_>>().join(", ");
        let (before, after) = (median(earlier.figures.iter().copied()), median(now.iter().copied()));
        let change = match after.total_cmp(&before) {
            Ordering::Less => "lower",
            Ordering::Equal => "equal",
            Ordering::Greater => "higher",
        };
        let sound = found.iter().filter(|outcome| outcome.verdict == "sound").count();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {before:.2}, {after:.2}: {change} | {} of {} | {sound} of {} |",
            experiment.title,
            experiment.target.unit,
            earlier.evaluations,
            experiment.run.evaluations,
            list(&earlier.figures),
            list(&now),
            earlier.sound,
            earlier.figures.len(),
            found.len()
        );
    }
    text + "\n"
}

fn paradigms(experiments: &[Experiment], folders: &Folders) -> String {
    let wanted = experiments.iter().filter(|experiment| experiment.paradigms);
    let mut played: Vec<(&Experiment, Vec<Outcome>)> =
        wanted.map(|one| (one, outcomes(one, folders).collect())).collect();
    played.retain(|(_, found)| !found.is_empty());
    if played.is_empty() {
        return String::new();
    }
    let names: Vec<&str> =
        Paradigm::ALL.iter().filter(|one| **one != Paradigm::default()).map(|one| one.name()).collect();
    let mut text = "## With the other paradigms\n\n\
         Champions are evolved with time stepping. The table lists the share of the fitness, seed by seed, that the \
         same bodies and brains reach with the other four paradigms, which handle contacts and integrate motion \
         differently ([one step](../one-step.md)); '-' means that a trial failed. In water all paradigms agree, \
         unless parts overlap at the start: only time stepping moves them apart, and the trials of the others fail. \
         Motion with contacts has evolved with one contact model, and is often less successful with another, as with \
         other friction.\n\n"
        .to_string();
    let _ = writeln!(text, "| experiment | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    for (experiment, found) in &played {
        let share = |outcome: &Outcome, name: &str| {
            let kept = outcome.paradigms.iter().find(|(known, _)| known == name).and_then(|(_, kept)| *kept);
            kept.map_or("-".to_string(), |kept| format!("{:.0} %", 100.0 * kept))
        };
        let by = |name: &&str| found.iter().map(|outcome| share(outcome, name)).collect::<Vec<_>>().join(", ");
        let cells: Vec<String> = names.iter().map(by).collect();
        let _ = writeln!(text, "| {} | {} |", experiment.title, cells.join(" | "));
    }
    text + "\n"
}

fn chapter(experiment: &Experiment, experiments: &[Experiment], folders: &Folders) -> Result<String> {
    let found: Vec<Outcome> = outcomes(experiment, folders).collect();
    if found.is_empty() {
        return Ok(String::new());
    }
    let mut text = format!("## {}\n\n{}\n\n", experiment.title, experiment.about);
    let config = &experiment.run;
    let stage = |index: usize| {
        let evaluations = config.stage_start(index + 1).min(config.evaluations) - config.stage_start(index);
        let stage = config.stage(index);
        let task = if stage.task.name == config.task.name { String::new() } else { format!(" ({})", stage.task.name) };
        format!("{evaluations} evaluations by {}{task}", stage.algorithm.name())
    };
    let stages: Vec<String> = (0..config.stage_count()).map(stage).collect();
    let _ = writeln!(text, "{}. Budget: {:.0} creature-seconds a run.\n", stages.join(", then "), experiment.budget);
    text += "| seed | champion | fitness | reached | body lengths in 10 s | Froude | extent (m) | mass (kg) | parts | \
             feet (cm) | worst | falls | kept | half step | eighth | verdict | passed over | evaluations | creature-seconds |\n\
             |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|\n";
    for o in &found {
        let _ = writeln!(
            text,
            "| {} | {} | {:.3} | {:.2} | {:.1} | {:.2} | {:.2} | {:.1} | {:.0} | {} | {:.0} % | {:.0} % | {:.0} % | {:.0} % | {:.0} % | {} | {} | {} | {:.0} |",
            o.seed,
            o.champion,
            o.fitness,
            o.figure,
            o.body_lengths,
            o.froude,
            o.extent,
            o.mass,
            o.parts,
            o.foot_clearance
                .filter(|&height| height > 0.0)
                .map_or("-".to_string(), |height| format!("{:.1}", 100.0 * height)),
            100.0 * o.worst,
            100.0 * o.falls,
            100.0 * o.retained,
            100.0 * o.half_step,
            100.0 * o.eighth_step,
            o.verdict,
            o.passed_over,
            o.evaluations,
            o.creature_seconds
        );
    }
    text.push('\n');
    if let Some(other) = experiments.iter().find(|other| experiment.like.as_ref() == Some(&other.name)) {
        text += &beside(&found, other, folders);
    }
    let series = found.iter().map(|o| Series::new(&format!("seed {}", o.seed), o.curve.clone())).collect();
    let plot = Plot {
        title: format!("{}: best fitness so far", experiment.title),
        x: Axis::new("creatures", ""),
        y: Axis::new("fitness", ""),
        series,
        ..Plot::default()
    };
    let name = &experiment.name;
    save(&folders.pictures().join(format!("{name}.svg")), &plot.svg()?)?;
    let _ = writeln!(text, "![fitness curves](evolution/{name}.svg)\n");
    let rank = |o: &Outcome| (o.verdict == "sound", o.figure);
    let best = found.iter().max_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal));
    let champion = best.context("there is no champion")?;
    let picture = format!("{}.svg", run_name(experiment, champion.seed));
    draw(experiment, champion, &folders.pictures().join(&picture), folders)?;
    let _ = writeln!(text, "The champion of seed {}:\n\n![champion](evolution/{picture})\n", champion.seed);
    Ok(text)
}

/// Compares champions with those of the experiment whose task they have.
fn beside(found: &[Outcome], other: &Experiment, folders: &Folders) -> String {
    let figures: Vec<f64> = outcomes(other, folders).map(|outcome| outcome.figure).collect();
    if figures.is_empty() {
        return String::new();
    }
    let least = median(figures.iter().copied());
    let reached = found.iter().filter(|outcome| outcome.figure >= least).count();
    format!(
        "The median of the {} champions of '{}' is {least:.2}; {reached} of {} champions here reach it.\n\n",
        figures.len(),
        other.title,
        found.len()
    )
}

fn algorithms(folders: &Folders) -> Result<String> {
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for (name, config) in comparison::algorithms() {
        let found = comparison::results(name, &config, folders);
        let reached: Vec<f64> = found.iter().map(|one| one.fitness).collect();
        let curves: Vec<Vec<[f64; 2]>> = found.into_iter().map(|one| one.curve).collect();
        if reached.is_empty() {
            continue;
        }
        series.push(Series::new(name, mean_curve(&curves)));
        let all: Vec<String> = reached.iter().map(|best| format!("{best:.1}")).collect();
        let mean = reached.iter().sum::<f64>() / reached.len() as f64;
        rows.push((
            mean,
            format!("| {name} | {} | {:.1} | {mean:.1} |\n", all.join(", "), median(reached.iter().copied())),
        ));
    }
    let mut text = format!(
        "## Comparison of the algorithms\n\nThe task `walk` with legged genomes, {} evaluations in one stage, each \
        algorithm with its default settings. The fitness is the number of body lengths in 10 s. The default recipe of \
        `evolve` is map-elites, then strategy.\n\n",
        comparison::EVALUATIONS
    );
    if rows.is_empty() {
        return Ok(String::new());
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    text += &format!(
        "| algorithm | champions of seeds 1 to {} | median | mean |\n|---|---|---:|---:|\n",
        comparison::SEEDS
    );
    rows.iter().for_each(|(_, row)| text += row);
    let plot = Plot {
        title: "Best so far, mean of the seeds".to_string(),
        x: Axis::new("creatures", ""),
        y: Axis::new("body lengths in 10 s", ""),
        series,
        ..Plot::default()
    };
    save(&folders.pictures().join("algorithms.svg"), &plot.svg()?)?;
    Ok(text + "\n![algorithms](evolution/algorithms.svg)\n\n")
}

/// Returns the mean of curves with the same numbers of creatures.
fn mean_curve(curves: &[Vec<[f64; 2]>]) -> Vec<[f64; 2]> {
    let shortest = curves.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |place: usize| curves.iter().map(|curve| curve[place][1]).sum::<f64>() / curves.len() as f64;
    (0..shortest).map(|place| [curves[0][place][0], mean(place)]).collect()
}

fn rates(folders: &Folders) -> Result<String> {
    let mut found = throughput::measured(folders)?;
    found.sort_by_key(|line| line.by);
    let of = |by: Evaluators| found.iter().find(|line| line.by == by).map(|line| line.rate);
    let Some(alone) = of(Evaluators::Threads(1)) else { return Ok(String::new()) };
    let mut text =
        "## Throughput\n\n400 evaluations of the task `walk` by map-elites; median of three alternating rounds.\n\n\
                    | evaluated by | evaluations/s | |\n|---|---:|---|\n"
            .to_string();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for line in &found {
        let (who, note) = match line.by {
            Evaluators::Threads(1) => ("1 thread".to_string(), String::new()),
            Evaluators::Threads(threads) if threads <= cores => {
                let efficiency = 100.0 * line.rate / (alone * threads as f64);
                (format!("{threads} threads"), format!("efficiency {efficiency:.0} %"))
            }
            Evaluators::Threads(threads) => (format!("{threads} threads"), format!("on {cores} cores")),
            Evaluators::Workers(workers) => {
                let share = of(Evaluators::Threads(workers)).map_or(0.0, |threads| 100.0 * line.rate / threads);
                (format!("{workers} workers over NATS"), format!("{share:.0} % of {workers} threads"))
            }
        };
        let _ = writeln!(text, "| {who} | {:.2} | {note} |", line.rate);
    }
    Ok(text + "\n")
}

/// Draws moments of a champion's trial with the command line. Without its file, the picture must be there already.
fn draw(experiment: &Experiment, champion: &Outcome, picture: &Path, folders: &Folders) -> Result<()> {
    let creature = folders.champion(&run_name(experiment, champion.seed));
    if !creature.exists() {
        ensure!(picture.exists(), "there is neither {} nor {}", picture.display(), creature.display());
        return Ok(());
    }
    let program = std::env::current_exe()?.with_file_name("burgess");
    let arguments = ["--strobe", "5", "--at", "5", "--size", "900x360", "-o"];
    let task = folders.task(&experiment.name);
    let mut command = Command::new(program);
    command.arg("picture").arg(&creature).arg("--task").arg(task).args(arguments).arg(picture);
    let drawn = command.output()?;
    ensure!(drawn.status.success(), "{}: {}", creature.display(), String::from_utf8_lossy(&drawn.stderr));
    Ok(())
}
