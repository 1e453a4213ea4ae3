//! Runs that are shorter than the default window and the default first generation still breed.

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_evolution::algorithm::{IslandSettings, MapElitesSettings};
use burgess_evolution::{AlgorithmConfig, Archive, Operator, RecordedResult, Run, RunConfig};

/// Number of births that are children of earlier ones.
fn children(config: &RunConfig) -> usize {
    config.check().unwrap();
    let scratch = Scratch::new("short");
    scratch.clear();
    let mut run = Run::new(Archive::create(&scratch.0, config, &[]).unwrap()).unwrap();
    let mut children = 0;
    run.advance(&mut Scrambler::new(16), &mut |recorded: &RecordedResult| {
        let is_repeated = matches!(recorded.birth.operator, Operator::Copy | Operator::Retest);
        children += usize::from(!recorded.birth.parents.is_empty() && !is_repeated);
    })
    .unwrap();
    children
}

fn with_defaults(name: &str, evaluations: u64) -> RunConfig {
    let algorithm = AlgorithmConfig::with_defaults(name).unwrap();
    RunConfig { algorithm, evaluations, attempts: 1, ..RunConfig::for_task(task("")) }
}

#[test]
fn short_runs_breed_with_every_algorithm() {
    for name in AlgorithmConfig::NAMES {
        let mut config = with_defaults(name, 60);
        assert_eq!(children(&config), 0, "{name}");
        config.shrink_defaults();
        assert!(children(&config) >= 20, "{name}: {}", children(&config));
        let islands = IslandSettings { count: 2, ..Default::default() };
        let mut config = RunConfig { islands, ..with_defaults(name, 200) };
        config.shrink_defaults();
        assert!(children(&config) >= 60, "{name} on islands: {}", children(&config));
    }
    let mut recipe = RunConfig { attempts: 1, ..RunConfig::recipe(task("")) };
    recipe.scale_to(60);
    recipe.shrink_defaults();
    assert!(children(&recipe) >= 20, "{}", children(&recipe));
}

#[test]
fn long_runs_keep_the_defaults() {
    let recipe = RunConfig::recipe(task(""));
    let mut shrunk = recipe.clone();
    shrunk.shrink_defaults();
    assert_eq!(shrunk, recipe);
    for name in AlgorithmConfig::NAMES {
        let config = with_defaults(name, 1000);
        let mut shrunk = config.clone();
        shrunk.shrink_defaults();
        assert_eq!(shrunk, config, "{name}");
    }
}

#[test]
fn settings_of_a_file_stay_as_they_are() {
    let read = |text: &str, evaluations| {
        RunConfig::from_toml_scaled(&format!("task = 'walk'\n{text}"), "short.toml", evaluations).unwrap()
    };
    let of = |config: &AlgorithmConfig| match config {
        AlgorithmConfig::MapElites(MapElitesSettings { founders, window, .. }) => (*founders, *window),
        other => panic!("{other:?}"),
    };
    let map_elites = "type = 'map_elites'";
    assert_eq!(of(&read("evaluations = 60", None).algorithm), (20, 6));
    assert_eq!(of(&read("", Some(60)).algorithm), (20, 6));
    assert_eq!(
        of(&read(&format!("evaluations = 60\n[algorithm]\n{map_elites}\nwindow = 96"), None).algorithm),
        (20, 96)
    );
    let founders = format!("evaluations = 6000\n[algorithm]\n{map_elites}\nfounders = 300");
    assert_eq!(of(&read(&founders, Some(60)).algorithm), (300, 6));
    assert_eq!(of(&read(&founders, None).algorithm), (300, 96));
    let staged = format!(
        "[[stages]]\nevaluations = 30\nalgorithm = {{ {map_elites}, window = 50 }}\n\
         [[stages]]\nevaluations = 90\nalgorithm = {{ {map_elites}, founders = 70 }}\n"
    );
    let stages = read(&staged, None).stages;
    let found: Vec<_> = stages.iter().map(|stage| of(stage.algorithm.as_ref().unwrap())).collect();
    assert_eq!(found, [(10, 50), (70, 9)]);
}
