//! Checks of a configuration. Errors name the field.

use burgess_creature::Family;
use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::{Formula, Measure, Task};
use burgess_files::{Fault, FieldError, FieldPath as Path, FileError, NameFault, Step, closest, fault_at};

use crate::algorithm::{
    AgeFitnessSettings, CmaEsSettings, CmaMeSettings, DiffusionSettings, Dimension, GeneticSettings, MAX_OPPONENTS,
    MapElitesSettings, StepControl, StrategySettings,
};
use crate::config::{AlgorithmConfig, RunConfig};
use crate::selection::Selection;

/// Largest number of individuals in a population, of cells in a grid, and of islands.
const MAX_SIZE: usize = 1_000_000;
/// Largest number of evaluations of a run: beyond what can be computed, and far below the limits of 64-bit integers.
const MAX_EVALUATIONS: u64 = 1_000_000_000_000;
/// Largest number of attempts at a child that grows.
const MAX_ATTEMPTS: usize = 1000;
/// Largest size of a tournament, and largest number of remembered champions.
const MAX_DRAWN: usize = 1000;

/// Largest number of stages of a run.
const MAX_STAGES: usize = 100;

/// A fault and the path of the field.
struct InvalidField {
    path: Vec<&'static str>,
    fault: Fault,
}

type Checked = Result<(), InvalidField>;
type FieldPath<'a> = &'a [&'static str];

fn refuse(path: FieldPath, fault: Fault) -> Checked {
    Err(InvalidField { path: path.to_vec(), fault })
}

fn conflict(path: FieldPath, why: String) -> Checked {
    refuse(path, Fault::Conflict(why))
}

fn unless(fine: bool, path: FieldPath, expected: &'static str, found: f64) -> Checked {
    if fine { Ok(()) } else { refuse(path, Fault::OutOfRange { expected, found }) }
}

fn count(path: FieldPath, found: usize, [least, most]: [usize; 2]) -> Checked {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    conflict(path, format!("must be from {least} to {most}, found {found}"))
}

fn not_negative(path: FieldPath, value: f64) -> Checked {
    unless(value >= 0.0 && value.is_finite(), path, "at least 0", value)
}

/// Checks the whole configuration. `text` and `file` give the line of a fault.
pub(crate) fn check(config: &RunConfig, text: &str, file: &str) -> Result<(), FileError> {
    check_budgets(config).map_err(|invalid| fault_at(text, file, &invalid.path, invalid.fault))?;
    for index in 0..config.stage_count() {
        let stage = config.stage(index);
        let located = |path: Vec<Step>, fault| FieldError { path: Path(path), fault }.in_toml(text, file);
        check_own(&stage).map_err(|invalid| {
            let path = invalid.path.into_iter().map(|name| Step::Field(name.to_string())).collect();
            located(in_stage(config, index, path), Box::new(invalid.fault))
        })?;
        stage
            .task
            .check_within("", file, &["task"])
            .map_err(|error| located(in_stage(config, index, error.location.field.0), error.fault))?;
    }
    Ok(())
}

/// Path of a field of a stage: within the stage if it sets that field, otherwise that of the run.
fn in_stage(config: &RunConfig, index: usize, path: Vec<Step>) -> Vec<Step> {
    let Some(stage) = config.stages.get(index) else { return path };
    let is_set = match path.first() {
        Some(Step::Field(name)) => match name.as_str() {
            "algorithm" => stage.algorithm.is_some(),
            "operators" => stage.operators.is_some(),
            "islands" => stage.islands.is_some(),
            "task" => stage.task.is_some(),
            _ => false,
        },
        _ => false,
    };
    if is_set {
        [Step::Field("stages".to_string()), Step::Index(index)].into_iter().chain(path).collect()
    } else {
        path
    }
}

/// Checks the budgets of the stages, of which every one must begin before the run ends.
fn check_budgets(config: &RunConfig) -> Checked {
    let path = &["stages"];
    if config.stages.len() > MAX_STAGES {
        return refuse(path, Fault::TooMany { what: "stages", found: config.stages.len(), limit: MAX_STAGES });
    }
    for (number, stage) in config.stages.iter().enumerate() {
        let is_last = number + 1 == config.stages.len();
        match stage.evaluations {
            None if !is_last => {
                return conflict(
                    path,
                    format!("stage {}: evaluations is missing; only the last may do without", number + 1),
                );
            }
            Some(evaluations) if !(1..=MAX_EVALUATIONS).contains(&evaluations) => {
                let why = format!("must be from 1 to {MAX_EVALUATIONS}, found {evaluations}");
                return conflict(path, format!("stage {}: evaluations: {why}", number + 1));
            }
            _ => {}
        }
        if config.stage(number).has_rivals() && config.stages.len() > 1 {
            return conflict(path, "a contest of competing populations has one stage".to_string());
        }
    }
    if !(1..=MAX_EVALUATIONS).contains(&config.evaluations) {
        let why = format!("must be from 1 to {MAX_EVALUATIONS}, found {}", config.evaluations);
        return conflict(&["evaluations"], why);
    }
    let start = config.stage_start(config.stage_count() - 1);
    if config.evaluations > start || config.stages.is_empty() {
        return Ok(());
    }
    let why = format!("the last stage begins after {start}, found {}; raise it", config.evaluations);
    conflict(&["evaluations"], why)
}

fn check_own(config: &RunConfig) -> Checked {
    if config.task == Task::default() {
        return conflict(
            &["task"],
            "missing; say task = \"walk\", or another that `burgess tasks` lists, or add a [task] table".into(),
        );
    }
    unless(config.seed <= i64::MAX as u64, &["seed"], "at most 9223372036854775807", config.seed as f64)?;
    count(&["attempts"], config.attempts, [1, MAX_ATTEMPTS])?;
    unless((0.0..=1.0).contains(&config.favour), &["favour"], "from 0 to 1", config.favour)?;
    unless((0.0..=1.0).contains(&config.racing), &["racing"], "from 0 to 1", config.racing)?;
    check_operators(config)?;
    check_family(config)?;
    let size = match &config.algorithm {
        AlgorithmConfig::Genetic(settings) => check_genetic(settings)?,
        AlgorithmConfig::Strategy(settings) => check_strategy(settings)?,
        AlgorithmConfig::Diffusion(settings) => check_diffusion(settings)?,
        AlgorithmConfig::AgeFitness(settings) => check_age_fitness(settings)?,
        AlgorithmConfig::MapElites(settings) => check_map_elites(settings)?,
        AlgorithmConfig::CmaEs(settings) => check_cma_es(settings)?,
        AlgorithmConfig::CmaMe(settings) => check_cma_me(settings)?,
    };
    let islands = &config.islands;
    count(&["islands", "count"], islands.count, [1, MAX_SIZE])?;
    unless(islands.every >= 1, &["islands", "every"], "at least 1", islands.every as f64)?;
    let sides = config.population_count();
    if islands.count.saturating_mul(size).saturating_mul(sides) > MAX_SIZE {
        let why = format!("{} islands of {size} are more than {MAX_SIZE} individuals in all", islands.count);
        return conflict(&["islands", "count"], why);
    }
    if islands.migrants > size {
        let why = format!("{} migrants leave an island of {size}", islands.migrants);
        return conflict(&["islands", "migrants"], why);
    }
    count(&["rivals", "memory"], config.rivals.memory, [1, MAX_DRAWN])?;
    count(&["rivals", "count"], config.rivals.count, [1, MAX_OPPONENTS])?;
    count(&["rivals", "species"], config.rivals.species, [1, 2])?;
    let champions = &config.champions;
    count(&["champions", "draws"], champions.draws, [0, MAX_DRAWN])?;
    let within = |value: f64| (0.0..=1.0).contains(&value);
    unless(within(champions.quantile), &["champions", "quantile"], "from 0 to 1", champions.quantile)?;
    unless(within(champions.last), &["champions", "last"], "from 0 to 1", champions.last)?;
    let window = champions.window;
    unless(window <= MAX_SIZE as u64, &["champions", "window"], "at most 1000000", window as f64)
}

/// Checks that the genomes fit the task: a crowd is tuned, and a creature has a body.
fn check_family(config: &RunConfig) -> Checked {
    let tuned = config.task.crowd.as_ref().map(|crowd| crowd.tune.len());
    match (tuned, config.family) {
        (None, Family::Tuning) => {
            conflict(&["family"], "the task has no crowd that 'tuning' genomes could tune".into())
        }
        (Some(_), Family::Graph | Family::Legged) => {
            conflict(&["family"], "the task tunes a crowd; say family = \"tuning\"".into())
        }
        (Some(tuned), Family::Tuning) if config.genomes.tuning.numbers != tuned => {
            let found = config.genomes.tuning.numbers;
            let why = format!("the task tunes {tuned} numbers, found {found}");
            conflict(&["genomes", "tuning", "numbers"], why)
        }
        (Some(_), Family::Tuning) => {
            let deviation = config.genomes.tuning.deviation;
            let path = ["genomes", "tuning", "deviation"];
            unless(deviation > 0.0 && deviation <= 10.0, &path, "more than 0 and at most 10", deviation)
        }
        (None, _) => Ok(()),
    }
}

fn check_operators(config: &RunConfig) -> Checked {
    let shares = &config.operators;
    let all = [
        ("mutation", shares.mutation),
        ("crossover", shares.crossover),
        ("grafting", shares.grafting),
        ("exchange", shares.exchange),
        ("intermediate", shares.intermediate),
    ];
    for (name, share) in all {
        unless((0.0..=1e6).contains(&share), &["operators", name], "from 0 to 1000000", share)?;
    }
    let sum: f64 = all.iter().map(|(_, share)| share).sum();
    unless(sum > 0.0, &["operators"], "more than 0 in all", sum)?;
    unless((0.0..=1.0).contains(&shares.then_mutate), &["operators", "then_mutate"], "from 0 to 1", shares.then_mutate)
}

fn check_selection(selection: &Selection) -> Checked {
    let at = |name| ["algorithm", "selection", name];
    match *selection {
        Selection::Proportional { pressure } => not_negative(&at("pressure"), pressure),
        Selection::Tournament { size } => count(&at("size"), size, [1, MAX_DRAWN]),
        Selection::Truncation { share } => {
            unless(share > 0.0 && share <= 1.0, &at("share"), "more than 0 and at most 1", share)
        }
        Selection::Rank { pressure } => {
            unless((1.0..=2.0).contains(&pressure), &at("pressure"), "from 1 to 2", pressure)
        }
    }
}

/// Checks a window. One that is larger than a generation counts as large as the generation.
fn check_window(window: u64) -> Checked {
    unless(window <= MAX_SIZE as u64, &["algorithm", "window"], "at most 1000000", window as f64)
}

/// Result of a check of an algorithm's settings: the size of its population.
type Size = Result<usize, InvalidField>;

fn check_genetic(settings: &GeneticSettings) -> Size {
    let size = settings.population;
    count(&["algorithm", "population"], size, [2, MAX_SIZE])?;
    count(&["algorithm", "elite"], settings.elite, [0, size - 1])?;
    check_selection(&settings.selection)?;
    unless(settings.generations >= 1, &["algorithm", "generations"], "at least 1", settings.generations as f64)?;
    check_window(settings.window)?;
    Ok(size)
}

fn check_strategy(settings: &StrategySettings) -> Size {
    count(&["algorithm", "parents"], settings.parents, [1, MAX_SIZE])?;
    count(&["algorithm", "children_per_parent"], settings.children_per_parent, [1, MAX_SIZE / settings.parents])?;
    match settings.step_control {
        StepControl::Fixed => {}
        StepControl::SuccessRule { factor } => {
            let path = ["algorithm", "step_control", "factor"];
            unless(factor > 1.0 && factor <= 100.0, &path, "more than 1 and at most 100", factor)?;
        }
        StepControl::SelfAdaptation { learning_rate } => {
            let path = ["algorithm", "step_control", "learning_rate"];
            unless((0.0..=10.0).contains(&learning_rate), &path, "from 0 to 10", learning_rate)?;
        }
    }
    check_window(settings.window)?;
    Ok(settings.parents)
}

fn check_diffusion(settings: &DiffusionSettings) -> Size {
    count(&["algorithm", "columns"], settings.columns, [1, MAX_SIZE])?;
    count(&["algorithm", "rows"], settings.rows, [1, MAX_SIZE / settings.columns])?;
    count(&["algorithm", "reach"], settings.reach, [0, MAX_SIZE])?;
    let size = settings.columns * settings.rows;
    check_window(settings.window)?;
    Ok(size)
}

fn check_age_fitness(settings: &AgeFitnessSettings) -> Size {
    count(&["algorithm", "population"], settings.population, [1, MAX_SIZE])?;
    count(&["algorithm", "offspring"], settings.offspring, [1, MAX_SIZE])?;
    count(&["algorithm", "newcomers"], settings.newcomers, [0, settings.offspring])?;
    check_selection(&settings.selection)?;
    check_window(settings.window)?;
    Ok(settings.population)
}

fn check_map_elites(settings: &MapElitesSettings) -> Size {
    let cells = check_dimensions(&settings.dimensions)?;
    count(&["algorithm", "founders"], settings.founders, [0, MAX_SIZE])?;
    check_window(settings.window)?;
    unless(settings.generation >= 1, &["algorithm", "generation"], "at least 1", settings.generation as f64)?;
    Ok(cells)
}

fn check_cma_es(settings: &CmaEsSettings) -> Size {
    count(&["algorithm", "population"], settings.population, [2, MAX_SIZE])?;
    check_sigma(settings.sigma)?;
    check_window(settings.window)?;
    Ok(settings.population)
}

fn check_cma_me(settings: &CmaMeSettings) -> Size {
    let cells = check_dimensions(&settings.dimensions)?;
    count(&["algorithm", "founders"], settings.founders, [0, MAX_SIZE])?;
    count(&["algorithm", "emitters"], settings.emitters, [1, MAX_DRAWN])?;
    count(&["algorithm", "population"], settings.population, [2, MAX_SIZE / settings.emitters])?;
    check_sigma(settings.sigma)?;
    check_window(settings.window)?;
    unless(settings.generation >= 1, &["algorithm", "generation"], "at least 1", settings.generation as f64)?;
    Ok(cells)
}

fn check_sigma(sigma: f64) -> Checked {
    let fine = sigma > 0.0 && sigma <= 100.0;
    unless(fine, &["algorithm", "sigma"], "more than 0 and at most 100", sigma)
}

/// Checks a grid, and returns the number of its cells.
fn check_dimensions(dimensions: &[Dimension]) -> Size {
    let path = ["algorithm", "dimensions"];
    if dimensions.is_empty() {
        return refuse(&path, Fault::Missing).map(|()| 0);
    }
    let mut cells: usize = 1;
    for dimension in dimensions {
        check_dimension(&path, dimension)?;
        cells = cells.saturating_mul(dimension.cells);
    }
    if cells > MAX_SIZE {
        return refuse(&path, Fault::TooMany { what: "cells", found: cells, limit: MAX_SIZE }).map(|()| 0);
    }
    Ok(cells)
}

fn check_dimension(path: FieldPath, dimension: &Dimension) -> Checked {
    let Dimension { descriptor, low, high, cells } = dimension;
    let measures = Measure::ALL.iter().map(|measure| measure.name());
    let known: Vec<&str> = Descriptors::NAMES.into_iter().chain(measures).collect();
    let is_name = descriptor.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_name && !known.contains(&descriptor.as_str()) {
        let suggestion = closest(descriptor, known);
        return refuse(
            path,
            Fault::Name(NameFault::Unknown { what: "descriptor", name: descriptor.clone(), suggestion }),
        );
    }
    if let Err(error) = Formula::parse(descriptor).and_then(|formula| formula.check_names(&known)) {
        return conflict(path, format!("'{descriptor}': {error}"));
    }
    if !(low < high && low.is_finite() && high.is_finite()) {
        return conflict(path, format!("'{descriptor}': low must be less than high, found {low} and {high}"));
    }
    if *cells == 0 {
        return conflict(path, format!("'{descriptor}': cells must be at least 1, found 0"));
    }
    Ok(())
}
