//! Queries: lists, curves and maps, compared with plain loops over all individuals.

use std::collections::BTreeMap;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_evolution::{Archive, Individual, MAX_SUMMARIES, Operator, Order, OutcomeKind, Query, RecordedResult, Run};

/// Carries out a run, and returns its archive opened read-only, with all individuals.
fn finished_run(name: &str) -> (Archive, Vec<Individual>, Scratch) {
    let scratch = Scratch::new(name);
    let (_, algorithm) = kinds().pop().unwrap();
    let mut run = Run::new(Archive::create(&scratch.0, &config(algorithm), &[]).unwrap()).unwrap();
    run.advance(&mut Scrambler::new(8), &mut |_: &RecordedResult| ()).unwrap();
    drop(run);
    let archive = Archive::open_read_only(&scratch.0).unwrap();
    let all = (0..archive.count()).map(|id| archive.individual(id).unwrap()).collect();
    (archive, all, scratch)
}

fn is_scored(one: &Individual) -> bool {
    one.result.outcome == OutcomeKind::Scored
}

#[test]
fn diversity_is_the_root_mean_square_distance_of_two_individuals() {
    let (archive, all, _scratch) = finished_run("diversity");
    let scored: Vec<&Individual> = all.iter().filter(|one| is_scored(one)).collect();
    // The formula gives no values for the other five descriptors, so they are the same for all.
    let names = ["parts", "height"];
    let range = names.map(|name| {
        let values = scored.iter().map(|one| one.result.descriptors[name]);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    });
    for summary in archive.curve().unwrap() {
        let own: Vec<&&Individual> = scored.iter().filter(|one| one.generation == summary.generation).collect();
        assert_eq!(own.len(), summary.scored);
        let mut sum = 0.0;
        for a in &own {
            for b in &own {
                for (name, range) in names.iter().zip(range) {
                    let distance = (a.result.descriptors[*name] - b.result.descriptors[*name]) / range;
                    sum += distance * distance;
                }
            }
        }
        let expected = (sum / (own.len() * own.len()) as f64 / 7.0).sqrt();
        // Rounding of sums of a few hundred numbers near 1 is below 1e-12.
        assert!((summary.diversity - expected).abs() < 1e-12, "{} and {expected}", summary.diversity);
        assert!(summary.diversity > 0.0 && summary.diversity < 1.0);
    }
}

#[test]
fn each_cell_of_a_map_has_its_best_individual() {
    let (archive, all, _scratch) = finished_run("elites");
    let dimensions = archive.dimensions().unwrap();
    let mut best: BTreeMap<Vec<usize>, &Individual> = BTreeMap::new();
    for one in all.iter().filter(|one| is_scored(one)) {
        let cell = dimensions.iter().map(|dimension| dimension.cell(&one.result.descriptors)).collect();
        let elite = best.entry(cell).or_insert(one);
        if one.result.fitness > elite.result.fitness {
            *elite = one;
        }
    }
    let elites = archive.elites(&dimensions).unwrap();
    assert!(elites.len() > 5);
    assert_eq!(elites.len(), best.len());
    assert!(elites.iter().all(|elite| best[&elite.cell].id == elite.id));
    assert!(archive.dimension("beauty").unwrap().is_none());
    let height = archive.dimension("height").unwrap().unwrap();
    assert_eq!((height.cells, height.low), (8, 0.2), "the dimension of the run's own grid");
    let mass = archive.dimension("mass").unwrap().unwrap();
    assert_eq!((mass.cells, mass.low, mass.high), (12, 0.0, 1.0), "no individual has this descriptor");
}

#[test]
fn lists_are_sorted_and_filtered() {
    let (archive, all, _scratch) = finished_run("lists");
    let ids = |query: &Query| {
        let (total, found) = archive.select(query).unwrap();
        (total, found.iter().map(|summary| summary.id).collect::<Vec<_>>())
    };
    let all_individuals = Query { limit: MAX_SUMMARIES, ..Query::default() };
    let mut sorted: Vec<&Individual> = all.iter().collect();
    sorted.sort_by(|a, b| is_scored(b).cmp(&is_scored(a)).then(b.result.fitness.total_cmp(&a.result.fitness)));
    let expected: Vec<u64> = sorted.iter().map(|one| one.id).collect();
    assert_eq!(ids(&all_individuals), (240, expected.clone()));
    assert_eq!(ids(&Query { offset: 7, limit: 3, ..Query::default() }), (240, expected[7..10].to_vec()));
    let of_operator =
        Query { operator: Some(Operator::Mutation), order: Order::Id, ascending: true, ..all_individuals.clone() };
    let mutants: Vec<u64> = all.iter().filter(|one| one.operator == Operator::Mutation).map(|one| one.id).collect();
    assert_eq!(ids(&of_operator), (mutants.len() as u64, mutants));
    let by_height =
        archive.select(&Query { order: Order::Figure("height".into()), ascending: true, ..all_individuals.clone() });
    let heights: Vec<f64> =
        by_height.unwrap().1.iter().filter_map(|one| one.descriptors.get("height").copied()).collect();
    assert!(heights.len() == 240 && heights.is_sorted());
    let least = sorted[20].result.fitness;
    assert_eq!(ids(&Query { least: Some(least), ..all_individuals.clone() }).0, 21);
    assert_eq!(ids(&Query { favourites: Some(true), ..all_individuals.clone() }).0, 0);
    assert_eq!(ids(&Query { removed: Some(false), ..all_individuals }).0, 240);
    // An unknown name is ignored, whatever characters it contains.
    let strange = Query { order: Order::Figure("a\"]') --".into()), limit: 5, ..Query::default() };
    assert_eq!(ids(&strange), (240, vec![0, 1, 2, 3, 4]));
}
