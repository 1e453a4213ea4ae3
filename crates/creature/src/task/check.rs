//! Checks of tasks.

use burgess_files::{Fault, FileError, NameFault, fault_at};

use super::amount::Amount;
use super::measure::{Availability, Measure, OPPONENT_PREFIX};
use super::{TargetKind, Task};
use burgess_formula::Formula;

/// Maximum duration of a trial with settling, in s.
pub(crate) const MAX_TRIAL_TIME: f64 = 3600.0;
/// Maximum number of steps of stairs.
pub(crate) const MAX_STAIRS: u32 = 100;
/// Maximum number of positions of a target.
pub(crate) const MAX_PLACES: usize = 1000;
const MAX_TRIALS: u32 = 100;
/// Maximum number of parameters in a syllabus.
const MAX_LESSONS: usize = 100;
/// Maximum number of cells along a side of rough ground.
const MAX_CELLS: f64 = 256.0;

/// An error, with the path to the field.
pub(super) struct TaskFault {
    pub path: Vec<&'static str>,
    pub fault: Fault,
}

impl TaskFault {
    pub fn located(self, text: &str, file: &str) -> FileError {
        self.located_within(text, file, &[])
    }

    pub fn located_within(self, text: &str, file: &str, path: &[&str]) -> FileError {
        fault_at(text, file, &[path, &self.path].concat(), self.fault)
    }
}

pub(super) type Checked = Result<(), TaskFault>;

pub(super) fn refuse(path: &[&'static str], fault: Fault) -> Checked {
    Err(TaskFault { path: path.to_vec(), fault })
}

fn require(fine: bool, path: &[&'static str], expected: &'static str, found: f64) -> Checked {
    if fine { Ok(()) } else { refuse(path, Fault::OutOfRange { expected, found }) }
}

fn positive(path: &[&'static str], value: f64) -> Checked {
    require(value > 0.0 && value.is_finite(), path, "positive", value)
}

fn not_negative(path: &[&'static str], value: f64) -> Checked {
    require(value >= 0.0 && value.is_finite(), path, "at least 0", value)
}

fn finite(path: &[&'static str], value: f64) -> Checked {
    require(value.is_finite(), path, "finite", value)
}

fn fraction(path: &[&'static str], value: f64) -> Checked {
    require((0.0..=1.0).contains(&value), path, "from 0 to 1", value)
}

pub(super) fn check(task: &Task) -> Checked {
    if task.name.is_empty() {
        return refuse(&["name"], Fault::Missing);
    }
    if task.fitness.is_empty() {
        return refuse(&["fitness"], Fault::Missing);
    }
    check_times(task)?;
    check_parameters(task)?;
    check_rules(task)?;
    check_surroundings(task)?;
    check_objects(task)?;
    check_physiology(task)?;
    if let Some(crowd) = &task.crowd {
        crowd.check(task)?;
    }
    check_syllabus_ends(task)
}

/// Checks the task at the end of the syllabus: with each lesson alone at its end, and with all lessons at their ends.
fn check_syllabus_ends(task: &Task) -> Checked {
    let fine = |end: &Task, who: &str| {
        check_surroundings(end).and_then(|()| check_objects(end)).map_err(|TaskFault { path, fault }| {
            let why = format!("{fault}, at the end of the syllabus of {who}");
            TaskFault { path, fault: Fault::Conflict(why) }
        })
    };
    for own in task.syllabus.keys() {
        fine(&task.after_steps(|name| if name == own { u64::MAX } else { 0 }), &format!("'{own}'"))?;
    }
    if task.syllabus.len() < 2 { Ok(()) } else { fine(&task.after_steps(|_| u64::MAX), "all parameters") }
}

fn check_times(task: &Task) -> Checked {
    not_negative(&["settle"], task.settle)?;
    positive(&["duration"], task.duration)?;
    require(
        task.settle + task.duration <= MAX_TRIAL_TIME,
        &["duration"],
        "with settling at most 3600 s",
        task.duration,
    )?;
    not_negative(&["transient"], task.transient)?;
    require(task.transient < task.duration, &["transient"], "less than the duration", task.transient)?;
    require((1e-5..=0.05).contains(&task.step), &["step"], "from 0.00001 to 0.05", task.step)
}

fn check_parameters(task: &Task) -> Checked {
    for (name, value) in &task.parameters {
        let is_word = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_word {
            let why = format!("the name '{name}' is not made of letters, digits and '_', a letter first");
            return refuse(&["parameters"], Fault::Conflict(why));
        }
        if Measure::from_name(name).is_some() {
            return refuse(&["parameters"], Fault::Name(NameFault::Duplicate { what: "measure", name: name.clone() }));
        }
        if !value.is_finite() {
            return refuse(&["parameters"], Fault::Conflict(format!("'{name}' must be finite, found {value}")));
        }
    }
    let own = || task.parameters.keys().map(String::as_str);
    let of_opponent: Vec<String> = match task.contest {
        Some(_) => Measure::ALL.iter().map(|measure| format!("{OPPONENT_PREFIX}{}", measure.name())).collect(),
        None => Vec::new(),
    };
    let others = of_opponent.iter().map(String::as_str);
    let known: Vec<&str> = own().chain(Measure::ALL.map(Measure::name)).chain(others).collect();
    check_names(&["fitness"], &task.fitness, &known)?;
    check_measures(task)?;
    for name in &task.extra_measures {
        if !Measure::from_name(name).is_some_and(|measure| measure.availability().includes(task)) {
            let available = Measure::ALL.into_iter().filter(|measure| measure.availability().includes(task));
            let suggestion = burgess_files::closest(name, available.map(Measure::name));
            let fault = NameFault::Unknown { what: "measure", name: name.clone(), suggestion };
            return refuse(&["extra_measures"], Fault::Name(fault));
        }
    }
    if task.syllabus.len() > MAX_LESSONS {
        let fault = Fault::TooMany { what: "parameters", found: task.syllabus.len(), limit: MAX_LESSONS };
        return refuse(&["syllabus"], fault);
    }
    for (name, lesson) in &task.syllabus {
        let Some(&start) = task.parameters.get(name) else {
            let suggestion = burgess_files::closest(name, own());
            return refuse(
                &["syllabus"],
                Fault::Name(NameFault::Unknown { what: "parameter", name: name.clone(), suggestion }),
            );
        };
        finite(&["syllabus"], lesson.per_generation)?;
        amount(task, &["syllabus"], &lesson.until, finite)?;
        lesson.mastery.map_or(Ok(()), |fitness| finite(&["syllabus"], fitness))?;
        let (step, until) = (lesson.per_generation, lesson.until.value(&task.parameters));
        if step > 0.0 && until < start || step < 0.0 && until > start {
            let why = format!("'{name}' begins at {start} and never comes to {until} in steps of {step}");
            return refuse(&["syllabus"], Fault::Conflict(why));
        }
    }
    Ok(())
}

fn check_names(path: &[&'static str], formula: &Formula, known: &[&str]) -> Checked {
    formula.check_names(known).or_else(|error| refuse(path, Fault::Conflict(error.to_string())))
}

/// Refuses a fitness that uses measures of things that the task does not have.
fn check_measures(task: &Task) -> Checked {
    let used = task.fitness.names().filter_map(|name| Measure::in_formula(name).map(|(measure, _)| measure));
    let Some(measure) = used.into_iter().find(|measure| !measure.availability().includes(task)) else { return Ok(()) };
    let (name, where_measured) = match measure.availability() {
        Availability::WithCreature => (measure.name(), "tasks of creatures"),
        other => (measure.name(), other.description()),
    };
    let why = format!("'{name}' is measured only in {where_measured}, and this task is not one of them");
    refuse(&["fitness"], Fault::Conflict(why))
}

/// Checks the present value of a number or a formula over parameters.
fn amount(task: &Task, path: &[&'static str], amount: &Amount, check: fn(&[&'static str], f64) -> Checked) -> Checked {
    if let Amount::Formula(formula) = amount {
        let known: Vec<&str> = task.parameters.keys().map(String::as_str).collect();
        check_names(path, formula, &known)?;
    }
    check(path, amount.value(&task.parameters))
}

fn vector(task: &Task, path: &[&'static str], amounts: &[Amount; 3]) -> Checked {
    amounts.iter().try_for_each(|component| amount(task, path, component, finite))
}

fn check_rules(task: &Task) -> Checked {
    not_negative(&["start", "gap"], task.start.gap)?;
    let trials = f64::from(task.trials.count);
    require((1..=MAX_TRIALS).contains(&task.trials.count), &["trials", "count"], "from 1 to 100", trials)?;
    require(task.trials.pass.is_finite(), &["trials", "pass"], "finite", task.trials.pass)?;
    let variation = &task.variation;
    fraction(&["variation", "friction"], variation.friction)?;
    fraction(&["variation", "restitution"], variation.restitution)?;
    fraction(&["variation", "gravity"], variation.gravity)?;
    not_negative(&["variation", "tilt"], variation.tilt)?;
    not_negative(&["variation", "turn"], variation.turn)?;
    not_negative(&["variation", "gap"], variation.gap)?;
    not_negative(&["stop", "still"], task.stop.still)?;
    not_negative(&["stop", "progress"], task.stop.progress)?;
    positive(&["stop", "progress_distance"], task.stop.progress_distance)?;
    let limits = &task.limits;
    positive(&["limits", "speed"], limits.speed)?;
    positive(&["limits", "height"], limits.height)?;
    positive(&["limits", "distance"], limits.distance)?;
    positive(&["limits", "depth"], limits.depth)?;
    positive(&["limits", "penetration"], limits.penetration)?;
    positive(&["limits", "energy"], limits.energy)?;
    positive(&["limits", "entanglement"], limits.entanglement)?;
    let needed = u64::from(task.trials.count) * task.steps(task.step);
    if needed > limits.steps {
        let why = format!("the trials take {needed} steps, and there may be {}", limits.steps);
        return refuse(&["limits", "steps"], Fault::Conflict(why));
    }
    Ok(())
}

fn check_surroundings(task: &Task) -> Checked {
    let arena = &task.arena;
    vector(task, &["arena", "gravity"], &arena.gravity)?;
    amount(task, &["arena", "friction"], &arena.friction, not_negative)?;
    amount(task, &["arena", "restitution"], &arena.restitution, fraction)?;
    let stairs = &arena.stairs;
    let count = f64::from(stairs.count);
    require((1..=MAX_STAIRS).contains(&stairs.count), &["arena", "stairs", "count"], "from 1 to 100", count)?;
    amount(task, &["arena", "stairs", "rise"], &stairs.rise, positive)?;
    amount(task, &["arena", "stairs", "depth"], &stairs.depth, positive)?;
    amount(task, &["arena", "stairs", "distance"], &stairs.distance, not_negative)?;
    let rough = &arena.rough;
    amount(task, &["arena", "rough", "height"], &rough.height, not_negative)?;
    positive(&["arena", "rough", "cell"], rough.cell)?;
    positive(&["arena", "rough", "size"], rough.size)?;
    let cells = rough.size / rough.cell;
    require((4.0..=MAX_CELLS).contains(&cells), &["arena", "rough", "size"], "from 4 to 256 cells", cells)?;
    if let Some(water) = &arena.water {
        amount(task, &["arena", "water", "density"], &water.density, positive)?;
        amount(task, &["arena", "water", "drag"], &water.drag, positive)?;
    }
    Ok(())
}

fn check_objects(task: &Task) -> Checked {
    if let Some(ball) = &task.ball {
        vector(task, &["ball", "position"], &ball.position)?;
        amount(task, &["ball", "spread"], &ball.spread, not_negative)?;
        amount(task, &["ball", "radius"], &ball.radius, positive)?;
        amount(task, &["ball", "density"], &ball.density, positive)?;
    }
    if let Some(contest) = &task.contest {
        amount(task, &["contest", "cube"], &contest.cube, not_negative)?;
        amount(task, &["contest", "density"], &contest.density, positive)?;
        amount(task, &["contest", "distance"], &contest.distance, not_negative)?;
        amount(task, &["contest", "ring"], &contest.ring, not_negative)?;
        amount(task, &["contest", "goals"], &contest.goals, not_negative)?;
    }
    let Some(aim) = &task.target else { return Ok(()) };
    positive(&["target", "radius"], aim.radius)?;
    amount(task, &["target", "distance"], &aim.distance, positive)?;
    let conflict = |why: &str| refuse(&["target", "at"], Fault::Conflict(why.to_string()));
    match aim.at {
        TargetKind::Ball if task.ball.is_none() => conflict("there is no ball in this task"),
        TargetKind::Cube if task.contest.is_none() => conflict("there is no cube in this task: it has no contest"),
        TargetKind::Cube if !Availability::WithCube.includes(task) => conflict("the contest of this task has no cube"),
        TargetKind::Opponent if task.contest.is_none() => {
            conflict("there is no opponent in this task: it has no contest")
        }
        TargetKind::Places if aim.places.is_empty() => refuse(&["target", "places"], Fault::Missing),
        TargetKind::Places if aim.places.len() > MAX_PLACES => {
            let fault = Fault::TooMany { what: "places", found: aim.places.len(), limit: MAX_PLACES };
            refuse(&["target", "places"], fault)
        }
        TargetKind::Places => aim.places.iter().try_for_each(|place| vector(task, &["target", "places"], place)),
        TargetKind::RandomPlaces => {
            let fine = (1..=MAX_PLACES as u32).contains(&aim.count);
            require(fine, &["target", "count"], "from 1 to 1000", f64::from(aim.count))
        }
        TargetKind::Ball | TargetKind::Cube | TargetKind::Opponent => Ok(()),
    }
}

fn check_physiology(task: &Task) -> Checked {
    task.physiology.validate().or_else(|why| refuse(&["physiology"], Fault::Conflict(why)))
}
