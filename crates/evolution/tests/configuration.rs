//! Configurations: defaults, errors, and that accepted configurations never cause a panic.

use crate::common::*;
use burgess_creature::task::Task;
use burgess_evolution::algorithm::{
    AgeFitnessSettings, DiffusionSettings, Dimension, GeneticSettings, IslandSettings, MapElitesSettings, Opponents,
    RivalSettings, StepControl, StrategySettings,
};
use burgess_evolution::{AlgorithmConfig, RunConfig, Selection, Shares};
use proptest::prelude::*;

const TASK: &str = "[task]\nname = 'far'\nfitness = 'distance'\n";

fn refused(text: &str) -> String {
    RunConfig::from_toml(&format!("{text}\n{TASK}"), "far.toml").unwrap_err().to_string()
}

#[test]
fn a_configuration_reads_back_as_written() {
    for (name, algorithm) in kinds() {
        let islands = IslandSettings { count: 3, ..Default::default() };
        let config =
            RunConfig { seed: u64::MAX / 2, islands, task: Task::preset("contest").unwrap(), ..config(algorithm) };
        let text = config.to_toml();
        assert_eq!(RunConfig::from_toml(&text, "out.toml").unwrap(), config, "{name}:\n{text}");
    }
    let many = RunConfig::from_toml(&format!("evaluations = 7000\n{TASK}"), "many.toml").unwrap();
    let RunConfig { evaluations, task, .. } = RunConfig::default();
    assert_eq!(RunConfig { evaluations, task, ..many }, RunConfig::default());
}

#[test]
fn invalid_values_are_refused_with_their_line() {
    let cases = [
        ("\nevaluations = 0", "far.toml:2: evaluations: must be from 1 to 1000000000000, found 0"),
        ("seed = -1", "far.toml:1: seed: "),
        ("attempts = 0", "far.toml:1: attempts: must be from 1 to 1000, found 0"),
        ("evaluation = 7", "far.toml:1: evaluation: unknown field; did you mean 'evaluations'?"),
        ("family = 'winged'", "far.toml:1: family: unknown 'winged'"),
        ("[operators]\nmutation = -0.5", "far.toml:2: operators.mutation: must be from 0 to 1000000, found -0.5"),
        ("[operators]\nmutation = nan", "far.toml:2: operators.mutation: must be from 0 to 1000000, found NaN"),
        (
            "[operators]\nmutation = 0\ncrossover = 0\ngrafting = 0\nexchange = 0",
            "far.toml:1: operators: must be more than 0 in all, found 0",
        ),
        ("[operators]\nthen_mutate = 1.5", "far.toml:2: operators.then_mutate: must be from 0 to 1, found 1.5"),
        (
            "[algorithm]\ntype = 'genetic'\npopulation = 0",
            "far.toml:3: algorithm.population: must be from 2 to 1000000, found 0",
        ),
        ("[algorithm]\ntype = 'genetic'\nelite = 300", "far.toml:3: algorithm.elite: must be from 0 to 299, found 300"),
        (
            "[algorithm]\ntype = 'genetic'\nselection = { type = 'tournament', size = 0 }",
            "far.toml:3: algorithm.selection.size: must be from 1 to 1000, found 0",
        ),
        (
            "[algorithm]\ntype = 'age_fitness'\nselection = { type = 'rank', pressure = 3 }",
            "far.toml:3: algorithm.selection.pressure: must be from 1 to 2, found 3",
        ),
        (
            "[algorithm]\ntype = 'age_fitness'\nselection = { type = 'truncation', share = 0 }",
            "far.toml:3: algorithm.selection.share: must be more than 0 and at most 1, found 0",
        ),
        (
            "[algorithm]\ntype = 'age_fitness'\noffspring = 10\nnewcomers = 11\nwindow = 0",
            "far.toml:4: algorithm.newcomers: must be from 0 to 10, found 11",
        ),
        (
            "[algorithm]\ntype = 'age_fitness'\nwindow = 1000001",
            "far.toml:3: algorithm.window: must be at most 1000000, found 1000001",
        ),
        (
            "[algorithm]\ntype = 'strategy'\nstep_control = { type = 'success_rule', factor = 1 }",
            "far.toml:3: algorithm.step_control.factor: must be more than 1 and at most 100, found 1",
        ),
        (
            "[algorithm]\ntype = 'strategy'\nparents = 1000000\nchildren_per_parent = 2",
            "far.toml:4: algorithm.children_per_parent: must be from 1 to 1, found 2",
        ),
        ("[algorithm]\ntype = 'diffusion'\nrows = 0", "far.toml:3: algorithm.rows: must be from 1 to 62500, found 0"),
        ("[algorithm]\ntype = 'map_elites'\ndimensions = []", "far.toml:3: algorithm.dimensions: missing"),
        (
            "[algorithm]\ntype = 'map_elites'\ndimensions = [{ descriptor = 'heigth', low = 0, high = 1, cells = 8 }]",
            "far.toml:3: algorithm.dimensions: there is no descriptor called 'heigth'; did you mean 'height'?",
        ),
        (
            "[algorithm]\ntype = 'map_elites'\ndimensions = [{ descriptor = 'height / lenth', low = 0, high = 1, cells = 8 }]",
            "far.toml:3: algorithm.dimensions: 'height / lenth': column 10: unknown name 'lenth'; did you mean 'length'?",
        ),
        (
            "[algorithm]\ntype = 'map_elites'\ndimensions = [{ descriptor = 'height', low = 1, high = 1, cells = 8 }]",
            "far.toml:3: algorithm.dimensions: 'height': low must be less than high, found 1 and 1",
        ),
        (
            "[algorithm]\ntype = 'map_elites'\ndimensions = [{ descriptor = 'height', low = 0, high = 1, cells = 0 }]",
            "far.toml:3: algorithm.dimensions: 'height': cells must be at least 1, found 0",
        ),
        (
            "[algorithm]\ntype = 'map_elites'\n[[algorithm.dimensions]]\ndescriptor = 'height'\nlow = 0\nhigh = 1\ncells = 5000\n\
             [[algorithm.dimensions]]\ndescriptor = 'mass'\nlow = 0\nhigh = 1\ncells = 5000",
            "far.toml:3: algorithm.dimensions: has 25000000 cells; at most 1000000 are allowed",
        ),
        ("[algorithm]\ntype = 'magic'", "far.toml:"),
        ("[islands]\ncount = 0", "far.toml:2: islands.count: must be from 1 to 1000000, found 0"),
        (
            "[algorithm]\ntype = 'genetic'\n[islands]\ncount = 100000",
            "far.toml:4: islands.count: 100000 islands of 300 are more than 1000000 individuals in all",
        ),
        ("[islands]\nevery = 0", "far.toml:2: islands.every: must be at least 1, found 0"),
        (
            "[algorithm]\ntype = 'age_fitness'\n[islands]\nmigrants = 101",
            "far.toml:4: islands.migrants: 101 migrants leave an island of 100",
        ),
        ("[rivals]\nmemory = 0", "far.toml:2: rivals.memory: must be from 1 to 1000, found 0"),
        ("[rivals]\ncount = 0", "far.toml:2: rivals.count: must be from 1 to 100, found 0"),
        ("[rivals]\nspecies = 3", "far.toml:2: rivals.species: must be from 1 to 2, found 3"),
        ("[rivals]\nopponents = 'bst'", "far.toml:2: rivals.opponents: unknown 'bst'; did you mean 'best'?"),
    ];
    for (text, expected) in cases {
        let found = refused(text);
        assert!(found.starts_with(expected), "{text}\n  found    {found}\n  expected {expected}");
    }
    // The same holds within the task.
    let text = "evaluations = 5\n[task]\nname = 'far'\nfitness = 'distance'\nduration = -1";
    let found = RunConfig::from_toml(text, "far.toml").unwrap_err().to_string();
    assert_eq!(found, "far.toml:5: task.duration: must be positive, found -1");
    // Without competition the opponent is the limp twin.
    let text = "[rivals]\ncompete = false\n[task]\nname = 'far'\nfitness = 'opponent_gap'\n[task.contest]";
    RunConfig::from_toml(text, "far.toml").unwrap();
    let found = RunConfig::default().check().unwrap_err().to_string();
    assert!(found.starts_with("configuration: task: missing; say task = \"walk\""), "{found}");
    let named = RunConfig::from_toml("evaluations = 5\ntask = 'swim'", "named.toml").unwrap();
    assert_eq!(named.task, Task::preset("swim").unwrap());
    let found = RunConfig::from_toml("task = 'swin'", "named.toml").unwrap_err().to_string();
    assert!(found.contains("named.toml:1") && found.contains("did you mean 'swim'"), "{found}");
}

#[test]
fn examples_of_the_guide_are_valid() {
    let guide = include_str!("../../../docs/evolution.md");
    let examples: Vec<&str> = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() > 5);
    for example in examples {
        let text = if example.contains("[task]") { example.to_string() } else { format!("{example}\n{TASK}") };
        if let Err(error) = RunConfig::from_toml(&text, "guide") {
            panic!("{error}\n{text}");
        }
    }
}

fn selections() -> impl Strategy<Value = Selection> {
    prop_oneof![
        (0.0..5.0).prop_map(|pressure| Selection::Proportional { pressure }),
        (1_usize..9).prop_map(|size| Selection::Tournament { size }),
        (0.001..1.0).prop_map(|share| Selection::Truncation { share }),
        (1.0..2.0).prop_map(|pressure| Selection::Rank { pressure }),
    ]
}

fn step_controls() -> impl Strategy<Value = StepControl> {
    prop_oneof![
        Just(StepControl::Fixed),
        (1.01..9.0).prop_map(|factor| StepControl::SuccessRule { factor }),
        (0.0..9.0).prop_map(|learning_rate| StepControl::SelfAdaptation { learning_rate }),
    ]
}

fn algorithms() -> impl Strategy<Value = AlgorithmConfig> {
    let genetic = (0_usize..30, 0_usize..30, selections(), 0_u64..9, 0_u64..20).prop_map(
        |(population, elite, selection, generations, window)| {
            AlgorithmConfig::Genetic(GeneticSettings { population, elite, selection, generations, window })
        },
    );
    let strategy = (0_usize..6, 0_usize..8, step_controls(), 0_u64..20).prop_map(
        |(parents, children_per_parent, step_control, window)| {
            AlgorithmConfig::Strategy(StrategySettings {
                parents,
                children_per_parent,
                step_control,
                sliding: window % 2 == 0,
                window,
            })
        },
    );
    let diffusion = (0_usize..6, 0_usize..6, 0_usize..8, 0_u64..20).prop_map(|(columns, rows, reach, window)| {
        AlgorithmConfig::Diffusion(DiffusionSettings { columns, rows, reach, window })
    });
    let age_fitness = (0_usize..20, 0_usize..20, 0_usize..20, selections(), any::<bool>(), 0_u64..20).prop_map(
        |(population, offspring, newcomers, selection, protect_bodies, window)| {
            let settings = AgeFitnessSettings { population, offspring, newcomers, selection, protect_bodies, window };
            AlgorithmConfig::AgeFitness(settings)
        },
    );
    let map_elites = (-1.0..2.0, -1.0..2.0, 0_usize..9, 0_usize..30, 0_u64..50, 0_u64..50).prop_map(
        |(low, high, cells, founders, window, generation)| {
            let dimensions = vec![Dimension { descriptor: "height".to_string(), low, high, cells }];
            AlgorithmConfig::MapElites(MapElitesSettings { dimensions, founders, window, generation })
        },
    );
    prop_oneof![genetic, strategy, diffusion, age_fitness, map_elites]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Also tries configurations that the check refuses, because a file may be edited. An accepted one reads back as
    /// written.
    #[test]
    fn no_settings_panic(
        algorithm in algorithms(),
        islands in (0_usize..4, 0_u64..4, 0_usize..5),
        rivals in (0_usize..3, 0_usize..4, 0_usize..4, 0_usize..4),
        contest in any::<bool>(),
        shares in prop::array::uniform5(prop_oneof![Just(0.0), -0.5..2.0, Just(f64::NAN)]),
        renewals in prop::collection::vec(1_u64..8, 0..3),
        seed in any::<u32>(),
    ) {
        let (count, every, migrants) = islands;
        let (memory, scheme, chosen, species) = rivals;
        let opponents = [Opponents::Best, Opponents::Several, Opponents::Ancestors, Opponents::All][scheme];
        let [mutation, crossover, grafting, exchange, intermediate] = shares;
        let operators = Shares { mutation, crossover, grafting, exchange, intermediate, then_mutate: 0.5 };
        let config = RunConfig {
            islands: IslandSettings { count, every, migrants },
            rivals: RivalSettings { compete: true, memory, opponents, count: chosen, species },
            operators,
            task: if contest { Task::preset("contest").unwrap() } else { task("") },
            ..config(algorithm)
        };
        if config.check().is_ok() {
            prop_assert_eq!(&RunConfig::from_toml(&config.to_toml(), "all.toml").unwrap(), &config);
        }
        let mut algorithm = config.algorithm(&[]);
        let (mut all, mut recorded, mut generation) = (Vec::new(), 0, 0);
        for number in 0..120 {
            let enters = algorithm.generation(number) > generation;
            generation = algorithm.generation(number);
            let renews = enters && renewals.contains(&generation);
            let needs = algorithm.needs(number);
            prop_assert!(needs <= number);
            record_results(&mut *algorithm, &all, &mut recorded, if renews { number } else { needs });
            if renews {
                algorithm.renew();
            }
            let dice = &mut burgess_creature::Random::for_purpose(seed.into(), &[number]);
            let birth = algorithm.breed(number, dice);
            let fitness = closeness(&birth.genome);
            all.push((birth, fitness));
        }
    }
}
