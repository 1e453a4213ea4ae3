//! Routes of a run that is a contest.

use crate::client::{get, options, start};
use burgess_creature::task::Task;
use burgess_evolution::algorithm::GeneticSettings;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{AlgorithmConfig, Archive, RecordedResult, Run, RunConfig};
use serde_json::Value;

#[test]
fn a_contest_shows_both_creatures_and_says_who_wins() {
    let options = options();
    std::fs::create_dir_all(&options.runs).unwrap();
    let task = Task { settle: 0.1, duration: 0.4, transient: 0.1, ..Task::preset("contest").unwrap() };
    let population = GeneticSettings { population: 4, ..Default::default() };
    let algorithm = AlgorithmConfig::Genetic(population);
    let config = RunConfig { evaluations: 24, algorithm, ..RunConfig::for_task(task) };
    let archive = Archive::create(&options.runs.join("two.burgess"), &config, &[]).unwrap();
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Threads::new(2), &mut |_: &RecordedResult| ()).unwrap();
    drop(run);
    let server = start(options);
    let ask = |path: &str| {
        let answer = get(server.address(), path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer
    };
    let contest = ask("/api/runs/two/contest").json();
    let sides = contest["sides"].as_array().unwrap();
    assert_eq!(sides.len(), 6, "three generations of two sides: {contest}");
    assert!(sides[0]["score"].is_null() && sides[5]["meetings"].as_u64().unwrap() > 0, "{contest}");
    let played = ask("/api/runs/two/tournament?generations=2").json();
    assert_eq!((played["players"].as_array().unwrap().len(), played["trials"].as_u64()), (4, Some(12)), "{played}");
    let leader = sides[5]["leader"].as_u64().unwrap();
    let clip = ask(&format!("/api/runs/two/individuals/{leader}/clip?rate=10")).body;
    let length = u32::from_le_bytes(clip[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&clip[4..4 + length]).unwrap();
    let names: Vec<&str> =
        head["appearance"]["bodies"].as_array().unwrap().iter().map(|body| body["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"part0") && names.contains(&"opponent-part0"), "{names:?}");
}
