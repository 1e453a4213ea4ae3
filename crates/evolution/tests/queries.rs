//! Queries: lists, curves and maps, compared with plain loops over all individuals.

use std::collections::BTreeMap;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_evolution::{
    Archive, ArchiveError, Figure, FigureRange, Individual, MAX_SUMMARIES, MAX_TABLE_ROWS, Operator, Order,
    OutcomeKind, Point, Query, RecordedResult, Run,
};

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
fn rows_that_were_written_after_a_run_was_opened_do_not_count() {
    let scratch = Scratch::new("rows-since");
    let (_, algorithm) = kinds().pop().unwrap();
    let mut run = Run::new(Archive::create(&scratch.0, &config(algorithm), &[]).unwrap()).unwrap();
    let mut evaluator = Scrambler::new(8);
    let empty = Archive::open_read_only(&scratch.0).unwrap();
    run.advance(&mut evaluator, &mut StopAfter { last: 4, recorded: 0 }).unwrap();
    let partial = Archive::open_read_only(&scratch.0).unwrap();
    run.advance(&mut evaluator, &mut |_: &RecordedResult| ()).unwrap();
    assert!(matches!(empty.champion(), Err(ArchiveError::NoneScored(_))));
    assert!(empty.fittest(10).unwrap().is_empty() && empty.elites(&empty.dimensions().unwrap()).unwrap().is_empty());
    let fittest = partial.fittest(1000).unwrap();
    assert!(!fittest.is_empty() && fittest.iter().all(|id| *id < partial.count()), "{fittest:?}");
    assert_eq!(partial.champion().unwrap().id, fittest[0]);
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

#[test]
fn figures_in_intervals_select_individuals() {
    let (archive, all, _scratch) = finished_run("intervals");
    let height = |one: &Individual| one.result.descriptors["height"];
    let mut heights: Vec<f64> = all.iter().map(height).collect();
    heights.sort_by(f64::total_cmp);
    // Both ends belong to the interval.
    let (low, high) = (heights[60], heights[180]);
    let named = |name: &str, low, high| FigureRange { figure: Figure::Named(name.into()), low, high };
    let ids = |ranges: Vec<FigureRange>| {
        let query = Query { order: Order::Id, ascending: true, limit: MAX_SUMMARIES, ranges, ..Query::default() };
        archive.select(&query).unwrap().1.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    let expected = |accept: &dyn Fn(&Individual) -> bool| {
        all.iter().filter(|one| accept(one)).map(|one| one.id).collect::<Vec<_>>()
    };
    let within = |one: &Individual| (low..=high).contains(&height(one));
    assert_eq!(ids(vec![named("height", low, high)]), expected(&within));
    let young = FigureRange { figure: Figure::Generation, low: 2.0, high: f64::INFINITY };
    let both = |one: &Individual| within(one) && one.generation >= 2;
    assert_eq!(ids(vec![named("height", low, high), young]), expected(&both));
    let fitness = FigureRange { figure: Figure::Fitness, low: 0.1, high: 0.5 };
    let medium = |one: &Individual| is_scored(one) && (0.1..=0.5).contains(&one.result.fitness);
    assert_eq!(ids(vec![fitness]), expected(&medium));
    assert_eq!(ids(vec![FigureRange { figure: Figure::Id, low: 3.0, high: 5.0 }]), [3, 4, 5]);
    assert_eq!(ids(vec![named("beauty", f64::NEG_INFINITY, f64::INFINITY)]), [] as [u64; 0]);
    assert_eq!(ids(vec![named("height", high, low)]), [] as [u64; 0]);
}

#[test]
fn points_are_all_individuals_or_a_sample_with_the_fittest() {
    let (archive, all, _scratch) = finished_run("points");
    let (x, y) = (Figure::Named("height".into()), Figure::Id);
    let point = |one: &Individual| Point {
        id: one.id,
        x: one.result.descriptors["height"],
        y: one.id as f64,
        fitness: is_scored(one).then_some(one.result.fitness),
    };
    let whole = archive.points(&x, &y, 240).unwrap();
    assert_eq!((whole.total, whole.sampled), (240, 240));
    assert_eq!(whole.points, all.iter().map(point).collect::<Vec<_>>());
    // 240 individuals in steps of 24, and the 100 fittest.
    let sample = archive.points(&x, &y, 10).unwrap();
    let mut fittest: Vec<&Individual> = all.iter().filter(|one| is_scored(one)).collect();
    fittest.sort_by(|a, b| b.result.fitness.total_cmp(&a.result.fitness).then(a.id.cmp(&b.id)));
    fittest.truncate(100);
    let is_sampled = |one: &&Individual| one.id.is_multiple_of(24) || fittest.iter().any(|fit| fit.id == one.id);
    let expected: Vec<Point> = all.iter().filter(is_sampled).map(point).collect();
    assert_eq!((sample.total, sample.sampled), (240, expected.len() as u64));
    assert_eq!(sample.points, expected);
    // No individual has this figure.
    let none = archive.points(&Figure::Named("beauty".into()), &y, 240).unwrap();
    assert_eq!((none.sampled, none.points.len()), (240, 0));
}

#[test]
fn progress_is_the_running_maximum_and_the_median_of_each_interval() {
    let (archive, all, _scratch) = finished_run("progress");
    // 240 evaluations at no more than 30 points: steps of 10, the next round number after 8.
    let progress = archive.progress(30).unwrap();
    let expected: Vec<u64> = (1..=24).map(|number| 10 * number).collect();
    assert_eq!(progress.iter().map(|point| point.evaluations).collect::<Vec<_>>(), expected);
    for point in &progress {
        let until = |one: &&Individual| is_scored(one) && one.id < point.evaluations;
        let fitness: Vec<f64> = all.iter().filter(until).map(|one| one.result.fitness).collect();
        assert_eq!(point.best, fitness.iter().copied().reduce(f64::max));
        let recent = |one: &&Individual| until(one) && one.id + 10 >= point.evaluations;
        let mut recent: Vec<f64> = all.iter().filter(recent).map(|one| one.result.fitness).collect();
        recent.sort_by(f64::total_cmp);
        assert_eq!(point.median, recent.get(recent.len() / 2).copied());
    }
    assert_eq!(archive.progress(0).unwrap().last().unwrap().evaluations, 240);
    assert_eq!(archive.progress(1000).unwrap().len(), 240);
}

#[test]
fn a_table_has_all_individuals_in_parts() {
    let (archive, _, _scratch) = finished_run("table");
    let ids = |offset, limit| {
        let (total, rows) = archive.table(offset, limit).unwrap();
        assert_eq!(total, 240);
        rows.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(0, MAX_TABLE_ROWS), (0..240).collect::<Vec<_>>());
    assert_eq!(ids(235, 10), [235, 236, 237, 238, 239]);
    assert_eq!(ids(u64::MAX, u64::MAX), [] as [u64; 0]);
}
