//! A contest of two populations with real bodies.

use burgess_creature::task::Task;
use burgess_creature::{evaluation, legged};
use burgess_evolution::algorithm::GeneticSettings;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{AlgorithmConfig, Archive, RecordedResult, Run, RunConfig};

fn short_contest() -> Task {
    Task { duration: 1.0, ..Task::preset("contest").unwrap() }
}

#[test]
fn without_an_opponent_fitness_depends_on_the_distance_to_the_ball() {
    let genome = burgess_creature::AnyGenome::Legged(legged::handmade::quadruped());
    let alone = evaluation::evaluate(&genome, &short_contest(), 1);
    // Fitness above 1 means nearer than a motionless opponent; 2 is never reached.
    assert!(alone.outcome.is_scored() && (0.5..2.0).contains(&alone.fitness), "{:?}: {}", alone.outcome, alone.fitness);
    let [own, other] = evaluation::evaluate_contest(&genome, &genome, &short_contest(), 1, &Default::default());
    // The fitness values of both sides add up to 2.
    assert!((own.fitness + other.fitness - 2.0).abs() < 1e-9, "{} and {}", own.fitness, other.fitness);
}

#[test]
fn two_populations_compete() {
    let population = GeneticSettings { population: 4, ..Default::default() };
    let config = RunConfig {
        evaluations: 24,
        algorithm: AlgorithmConfig::Genetic(population),
        task: short_contest(),
        ..Default::default()
    };
    config.check().unwrap();
    let hash = |threads: usize| {
        let file = std::env::temp_dir().join(format!("burgess-contest-{threads}-{}.run", std::process::id()));
        let _ = std::fs::remove_file(&file);
        let mut run = Run::new(Archive::create(&file, &config, &[]).unwrap()).unwrap();
        run.advance(&mut Threads::new(threads), &mut |news: &RecordedResult| {
            assert_eq!(news.birth.opponent.is_some(), news.generation > 0, "{}", news.id);
        })
        .unwrap();
        let hash = run.archive().hash();
        drop(run);
        std::fs::remove_file(&file).unwrap();
        hash
    };
    assert_eq!(hash(1), hash(2));
}
