//! Evolution without physics: a fitness that is a formula of the genome, and algorithms that are called directly.
#![allow(dead_code, reason = "each test file uses some of it")]

pub mod formula_runs;

use std::collections::BTreeMap;

use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, Random};
use burgess_evolution::algorithm::*;
use burgess_evolution::{AlgorithmConfig, Birth, Breeder, ChampionSettings, EvaluatedIndividual, RunConfig, Selection};

/// Fitness: how close the limbs are to given lengths and the shared clock to 2 Hz; 1 at best.
pub fn closeness(genome: &AnyGenome) -> f64 {
    let AnyGenome::Legged(genome) = genome else { return 0.0 };
    let wanted = [0.1, 0.2, 0.3, 0.4, 0.45, 0.15];
    let lengths = genome.limb_pairs.iter().flat_map(|pair| [pair.shape.upper_length, pair.shape.lower_length]);
    let miss = lengths.zip(wanted).map(|(length, wanted)| 100.0 * (length - wanted) * (length - wanted)).sum::<f64>();
    let beat = genome.rhythm.frequency - 2.0;
    1.0 / (1.0 + miss + beat * beat)
}

/// Two descriptors of the body.
pub fn descriptors(genome: &AnyGenome) -> BTreeMap<String, f64> {
    let AnyGenome::Legged(genome) = genome else { return BTreeMap::new() };
    let height = genome.trunk.semi_axes.z * 4.0;
    let parts = if genome.six_legged { 13.0 } else { 9.0 };
    [("parts".to_string(), parts), ("height".to_string(), height)].into()
}

pub fn evaluated(id: u64, birth: &Birth, fitness: f64) -> EvaluatedIndividual {
    let genome = birth.genome.clone();
    EvaluatedIndividual { id, scored: true, fitness, descriptors: descriptors(&genome), genome }
}

/// Drives an algorithm as a run does: breeds one by one and records each result as late as possible. Returns births
/// and fitness.
pub fn drive(
    algorithm: &mut dyn Algorithm,
    count: u64,
    seed: u64,
    mut fitness: impl FnMut(u64, &Birth) -> f64,
) -> Vec<(Birth, f64)> {
    let mut all: Vec<(Birth, f64)> = Vec::new();
    let mut recorded = 0;
    for number in 0..count {
        let needs = algorithm.needs(number);
        record_results(algorithm, &all, &mut recorded, needs);
        let birth = algorithm.breed(number, &mut Random::new(mix_seed(seed, &[number])));
        let value = fitness(number, &birth);
        all.push((birth, value));
    }
    record_results(algorithm, &all, &mut recorded, count);
    all
}

/// Records the results up to a number.
pub fn record_results(algorithm: &mut dyn Algorithm, all: &[(Birth, f64)], recorded: &mut u64, up_to: u64) {
    assert!(up_to <= all.len() as u64, "a birth needs results of later ones");
    while *recorded < up_to {
        let (birth, fitness) = &all[*recorded as usize];
        algorithm.record_result(*recorded, evaluated(*recorded, birth, *fitness));
        *recorded += 1;
    }
}

pub fn best(all: &[(Birth, f64)]) -> f64 {
    all.iter().map(|(_, fitness)| *fitness).fold(f64::NEG_INFINITY, f64::max)
}

pub fn breeder() -> Breeder {
    Breeder { attempts: 1, ..RunConfig::default().breeder() }
}

/// Small settings of every algorithm, by name.
pub fn kinds() -> Vec<(&'static str, AlgorithmConfig)> {
    let genetic = GeneticSettings { population: 40, generations: 20, window: 0, ..Default::default() };
    let strategy = StrategySettings { parents: 8, window: 0, sliding: false, ..Default::default() };
    let success = StepControl::SuccessRule { factor: 1.22 };
    let age_fitness =
        AgeFitnessSettings { population: 40, offspring: 40, newcomers: 2, window: 16, ..Default::default() };
    let dimension =
        |descriptor: &str, low, high, cells| Dimension { descriptor: descriptor.to_string(), low, high, cells };
    let dimensions = vec![dimension("parts", 8.0, 14.0, 2), dimension("height", 0.2, 1.0, 8)];
    let cma_me = CmaMeSettings {
        dimensions: dimensions.clone(),
        founders: 40,
        emitters: 3,
        population: 8,
        window: 6,
        generation: 40,
        ..Default::default()
    };
    let map_elites = MapElitesSettings { dimensions, founders: 40, window: 8, generation: 40 };
    let tournament = Selection::Tournament { size: 3 };
    vec![
        ("genetic", AlgorithmConfig::Genetic(genetic)),
        ("genetic, window", AlgorithmConfig::Genetic(GeneticSettings { selection: tournament, window: 7, ..genetic })),
        ("strategy", AlgorithmConfig::Strategy(strategy)),
        (
            "strategy, success",
            AlgorithmConfig::Strategy(StrategySettings { step_control: success, window: 5, ..strategy }),
        ),
        ("strategy, sliding", AlgorithmConfig::Strategy(StrategySettings { sliding: true, window: 12, ..strategy })),
        ("diffusion", AlgorithmConfig::Diffusion(DiffusionSettings { columns: 8, rows: 5, reach: 1, window: 3 })),
        ("age-fitness", AlgorithmConfig::AgeFitness(age_fitness)),
        ("CMA-ES", AlgorithmConfig::CmaEs(CmaEsSettings { population: 12, window: 5, ..Default::default() })),
        ("CMA-ME", AlgorithmConfig::CmaMe(cma_me)),
        ("MAP-Elites", AlgorithmConfig::MapElites(map_elites)),
    ]
}

/// A task that is never simulated.
pub fn task(extra: &str) -> Task {
    Task::from_toml(&format!("name = 'formula'\nfitness = 'distance'\n{extra}"), "formula.toml").unwrap()
}

pub fn config(algorithm: AlgorithmConfig) -> RunConfig {
    let champions = ChampionSettings::NONE;
    RunConfig { attempts: 1, evaluations: 240, algorithm, champions, task: task(""), ..Default::default() }
}
