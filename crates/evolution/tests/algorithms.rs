//! Properties of each algorithm, with a fitness that is a formula of the genome.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::*;
use burgess_creature::{AnyGenome, ControlNumber, Family, GenomeSettings, Random};
use burgess_evolution::algorithm::*;
use burgess_evolution::{
    AlgorithmConfig, Birth, Breeder, Child, EvaluatedIndividual, Operator, RunConfig, Selection, Shares,
};

#[test]
fn every_algorithm_beats_random_search() {
    const COUNT: u64 = 1600;
    for seed in 1..=5 {
        let random = breeder();
        let fitness_of_random =
            (0..COUNT).map(|number| closeness(&random.random(&mut Random::for_purpose(seed, &[number])).genome));
        let to_beat = fitness_of_random.fold(0.0, f64::max);
        // CMA changes the control alone, and this fitness is mostly one of the body.
        for (name, algorithm) in kinds().into_iter().filter(|(name, _)| !name.starts_with("CMA")) {
            let mut algorithm = config(algorithm).algorithm(&[]);
            let reached = best(&drive(&mut *algorithm, COUNT, seed, |_, birth| closeness(&birth.genome)));
            assert!(reached > 1.2 * to_beat, "{name}, seed {seed}: {reached}, random search {to_beat}");
        }
    }
}

#[test]
fn needs_never_decrease_and_never_include_the_birth_itself() {
    for (name, algorithm) in kinds() {
        let islands = IslandSettings { count: 3, ..Default::default() };
        for settings in [config(algorithm.clone()), RunConfig { islands, ..config(algorithm.clone()) }] {
            let algorithm = settings.algorithm(&[]);
            let mut before = 0;
            for number in 0..2000 {
                let needs = algorithm.needs(number);
                assert!(before <= needs && needs <= number, "{name}: {number} needs {needs} after {before}");
                before = needs;
            }
        }
    }
}

#[test]
fn a_birth_needs_the_last_generation_except_its_window() {
    let settings = GeneticSettings { population: 10, window: 0, ..Default::default() };
    let barrier = Genetic::new(settings, breeder(), Vec::new());
    assert_eq!([0, 9, 10, 19, 20].map(|number| barrier.needs(number)), [0, 0, 10, 10, 20]);
    let window = Genetic::new(GeneticSettings { window: 4, ..settings }, breeder(), Vec::new());
    assert_eq!([0, 9, 10, 11, 13, 14, 19, 20].map(|number| window.needs(number)), [0, 0, 6, 7, 9, 10, 10, 16]);
}

#[test]
fn results_of_generations_may_be_recorded_before_they_are_needed() {
    for (name, algorithm) in kinds().into_iter().filter(|(name, _)| ["genetic", "strategy"].contains(name)) {
        let lazily = drive(&mut *config(algorithm.clone()).algorithm(&[]), 200, 3, |_, birth| closeness(&birth.genome));
        let mut eager = config(algorithm).algorithm(&[]);
        for (number, (birth, fitness)) in (0..).zip(&lazily) {
            let dice = &mut Random::new(burgess_creature::random::mix_seed(3, &[number]));
            assert_eq!(&eager.breed(number, dice), birth, "{name}, {number}");
            eager.record_result(number, evaluated(number, birth, *fitness));
        }
    }
}

#[test]
fn shares_of_operators_are_normalised() {
    // The shares of Fontijne (2000) add up to 110 %.
    let shares = Shares { mutation: 30.0, crossover: 40.0, grafting: 40.0, exchange: 0.0, ..Default::default() };
    let (breeder, mut dice) = (Breeder { shares, ..breeder() }, Random::new(3));
    let mut counts = BTreeMap::<Option<Operator>, usize>::new();
    for _ in 0..11_000 {
        *counts.entry(breeder.operator(&mut dice).map(Into::into)).or_default() += 1;
    }
    // Five standard deviations of a binomial count of 3000 or 4000 in 11,000 are less than 260.
    let near = |operator: Option<Operator>, expected: usize| counts[&operator].abs_diff(expected) < 260;
    assert!(near(None, 3000), "{counts:?}");
    assert!(near(Some(Operator::Crossover), 4000) && near(Some(Operator::Grafting), 4000), "{counts:?}");
    assert_eq!(counts.len(), 3);
}

#[test]
fn the_elite_is_never_lost() {
    // Only the best becomes a parent, so the parents show which individual is the best.
    let selection = Selection::Truncation { share: 1e-3 };
    let shares = Shares { mutation: 1.0, crossover: 0.0, grafting: 0.0, exchange: 0.0, ..Default::default() };
    let settings = GeneticSettings { window: 0, population: 20, elite: 1, selection, ..Default::default() };
    let mut genetic = Genetic::new(settings, Breeder { shares, ..breeder() }, Vec::new());
    let all = drive(&mut genetic, 600, 4, |_, birth| closeness(&birth.genome));
    for (number, (birth, _)) in all.iter().enumerate().skip(20) {
        let parent = birth.parents[0] as usize;
        assert_eq!(all[parent].1, best(&all[..number / 20 * 20]), "{number}");
    }
    // Without an elite the best of the last generation is the parent, even if an earlier one was better.
    let mut genetic =
        Genetic::new(GeneticSettings { elite: 0, ..settings }, Breeder { shares, ..breeder() }, Vec::new());
    let all = drive(&mut genetic, 600, 4, |_, birth| closeness(&birth.genome));
    for (number, (birth, _)) in all.iter().enumerate().skip(20) {
        assert_eq!(birth.parents[0] as usize / 20, number / 20 - 1);
    }
}

/// Returns the step size of a (2, 10) strategy with the success rule after each generation. `successes` is the number
/// of children in each generation that are better than their parents.
fn step_sizes(successes: &[u64]) -> Vec<f64> {
    let step_control = StepControl::SuccessRule { factor: 1.5 };
    let settings = StrategySettings { parents: 2, children_per_parent: 5, step_control, sliding: false, window: 0 };
    let mut strategy = Strategy::new(settings, breeder(), Vec::new());
    let mut sizes = Vec::new();
    for generation in 0..=successes.len() as u64 {
        let births: Vec<Birth> =
            (0..10).map(|index| strategy.breed(10 * generation + index, &mut Random::new(index))).collect();
        for (index, birth) in (0..10).zip(&births) {
            let better = generation > 0 && index < successes[generation as usize - 1];
            let fitness = if better { generation as f64 } else { -(generation as f64) };
            let number = 10 * generation + index;
            strategy.record_result(number, evaluated(number, birth, fitness));
        }
        sizes.push(strategy.step_size());
    }
    sizes
}

#[test]
fn the_success_rule_keeps_the_step_size_at_a_fifth() {
    // The first generation has no parents and changes nothing. 3 of 10 are more than a fifth, 2 are a fifth, 1 and 0
    // are fewer.
    let sizes = step_sizes(&[3, 2, 2, 1, 0]);
    let expected = [1.0, 1.5, 1.5, 1.5, 1.0, 1.0 / 1.5];
    for (size, expected) in sizes.iter().zip(expected) {
        assert!((size - expected).abs() < 1e-12, "{sizes:?}");
    }
    assert_eq!(step_sizes(&[9; 20])[20], 5.0);
    assert_eq!(step_sizes(&[0; 20])[20], 0.05);
}

#[test]
fn step_sizes_are_inherited_with_log_normal_noise() {
    let step_control = StepControl::SelfAdaptation { learning_rate: 0.3 };
    let settings = StrategySettings { parents: 100, children_per_parent: 20, step_control, sliding: false, window: 0 };
    let mut strategy = Strategy::new(settings, breeder(), Vec::new());
    // All individuals of the first generation have size 1.
    let all = drive(&mut strategy, 2000, 5, |_, _| 1.0);
    assert_eq!(all.len(), 2000);
    let births: Vec<Birth> = (2000..4000).map(|number| strategy.breed(number, &mut Random::new(number))).collect();
    for (number, birth) in (2000..3999).zip(&births) {
        strategy.record_result(number, evaluated(number, birth, 1.0));
    }
    let logs: Vec<f64> = strategy.own_step_sizes().values().map(|size| libm::log(*size)).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let variance = logs.iter().map(|log| (log - mean) * (log - mean)).sum::<f64>() / logs.len() as f64;
    assert_eq!(logs.len(), 1999);
    // Five standard errors of the mean and of the standard deviation of 2000 normal numbers.
    assert!(mean.abs() < 5.0 * 0.3 / 2000_f64.sqrt(), "{mean}");
    assert!((variance.sqrt() - 0.3).abs() < 5.0 * 0.3 / 4000_f64.sqrt(), "{variance}");
}

#[test]
fn all_children_of_a_strategy_are_mutated() {
    let shares = Shares { mutation: 0.0, crossover: 1.0, then_mutate: 0.0, ..Default::default() };
    let settings = StrategySettings { parents: 1, children_per_parent: 6, ..Default::default() };
    let mut strategy = Strategy::new(settings, Breeder { shares, ..breeder() }, Vec::new());
    let all = drive(&mut strategy, 12, 5, |number, _| -(number as f64));
    assert!(all[6..].iter().all(|(birth, _)| birth.genome != all[0].0.genome), "a child of the only parent is a copy");
}

#[test]
fn genes_diffuse_at_most_the_reach_per_generation() {
    for (columns, rows, reach) in [(12, 9, 1), (16, 16, 2), (2, 7, 1), (1, 30, 3)] {
        let settings = DiffusionSettings { columns, rows, reach, window: 0 };
        let size = (columns * rows) as u64;
        let mut diffusion = Diffusion::new(settings, breeder(), Vec::new());
        // The first individual is the best possible, and its descendants are as good.
        let mut descendants = BTreeSet::from([0_u64]);
        let apart = |a: usize, b: usize, count: usize| a.abs_diff(b).min(count - a.abs_diff(b));
        let mut farthest = 0;
        drive(&mut diffusion, 8 * size, 6, |number, birth| {
            if birth.parents.iter().any(|parent| descendants.contains(parent)) {
                descendants.insert(number);
                let (place, generation) = ((number % size) as usize, (number / size) as usize);
                let away = apart(place % columns, 0, columns).max(apart(place / columns, 0, rows));
                assert!(away <= reach * generation, "{away} away after {generation}");
                farthest = farthest.max(away);
            }
            if descendants.contains(&number) { 100.0 } else { 1.0 }
        });
        // They also spread quickly, so there is selection pressure.
        assert!(2 * farthest >= (8 * reach).min(columns.max(rows) / 2), "{farthest}");
    }
}

#[test]
fn all_places_of_a_small_torus_are_neighbours() {
    // On a ring of two or three places all are neighbours, so the best has children in every place at once.
    for columns in [2, 3] {
        let settings = DiffusionSettings { columns, rows: 1, reach: 1, window: 0 };
        let mut diffusion = Diffusion::new(settings, breeder(), Vec::new());
        let all = drive(&mut diffusion, 200, 7, |number, _| if number == 0 { 9.0 } else { 1.0 });
        let from_first =
            |place: usize| all.iter().skip(place).step_by(columns).any(|(birth, _)| birth.parents.contains(&0));
        assert!((0..columns).all(from_first));
    }
}

#[test]
fn the_grid_keeps_the_best_of_every_cell() {
    let dimension =
        |descriptor: &str, low, high, cells| Dimension { descriptor: descriptor.to_string(), low, high, cells };
    let dimensions = vec![dimension("parts", 8.0, 14.0, 2), dimension("height", 0.3, 0.8, 10)];
    let settings = MapElitesSettings { dimensions, founders: 50, window: 16, generation: 50 };
    let mut grid = MapElites::new(settings, breeder(), Vec::new());
    let all = drive(&mut grid, 1000, 8, |_, birth| closeness(&birth.genome));
    let mut expected = BTreeMap::<Vec<usize>, (u64, f64)>::new();
    for (number, (birth, fitness)) in (0..).zip(&all) {
        let found = descriptors(&birth.genome);
        let height = ((found["height"] - 0.3) / 0.5 * 10.0).floor().clamp(0.0, 9.0) as usize;
        let cell = vec![usize::from(found["parts"] > 11.0), height];
        let kept = expected.entry(cell).or_insert((number, *fitness));
        if *fitness > kept.1 {
            *kept = (number, *fitness);
        }
    }
    let kept: BTreeMap<Vec<usize>, (u64, f64)> =
        grid.cells().map(|(cell, elite)| (cell.to_vec(), (elite.id, elite.fitness))).collect();
    assert_eq!(kept, expected);
    assert!(kept.len() > 10, "{} cells", kept.len());
    // Births before the end of the window have parents that are known by then.
    for (number, (birth, _)) in (0..).zip(&all) {
        assert!(birth.parents.iter().all(|parent| parent + 16 < number));
    }
}

#[test]
fn young_lines_survive_next_to_fitter_old_ones() {
    // Two of the same age have fitness 10 and 9; all later ones are worse. Two may survive.
    let parents = |protect_bodies: bool, freeze: fn(&mut Breeder)| {
        let mut breeder = breeder();
        breeder.shares = Shares { mutation: 1.0, crossover: 0.0, grafting: 0.0, exchange: 0.0, ..Default::default() };
        freeze(&mut breeder);
        let selection = Selection::Tournament { size: 1 };
        let settings =
            AgeFitnessSettings { population: 2, offspring: 2, newcomers: 0, selection, protect_bodies, window: 0 };
        let mut population = AgeFitness::new(settings, breeder, Vec::new());
        let all = drive(&mut population, 40, 11, |number, _| match number {
            0 => 10.0,
            1 => 9.0,
            2 => 1.0,
            _ => 0.1,
        });
        all[4..].iter().flat_map(|(birth, _)| birth.parents.clone()).collect::<BTreeSet<u64>>()
    };
    let more_limbs: fn(&mut Breeder) = |breeder| breeder.genomes.legged.mutation.limb_number = 1.0;
    let frozen: fn(&mut Breeder) = |breeder| breeder.genomes.legged.freeze_body = true;
    let a_little: fn(&mut Breeder) = |breeder| {
        breeder.genomes = breeder.genomes.scaled(0.01);
        breeder.genomes.legged.mutation.limb_number = 0.0;
    };
    // A child with a new body is the best of its age.
    assert_eq!(parents(true, more_limbs), BTreeSet::from([0, 2]));
    // A child with its parent's body or nearly so, or without protection, is as old as its parent.
    assert_eq!(parents(true, frozen), BTreeSet::from([0, 1]));
    assert_eq!(parents(true, a_little), BTreeSet::from([0, 1]));
    assert_eq!(parents(false, more_limbs), BTreeSet::from([0, 1]));
}

#[test]
fn founders_come_first_and_all_others_are_random() {
    let founders: Vec<Child> = (0..7)
        .map(|seed| Child { operator: Operator::Immigrant, ..breeder().random(&mut Random::new(1000 + seed)) })
        .collect();
    for (name, algorithm) in kinds() {
        for count in [1, 2] {
            let islands = IslandSettings { count, ..Default::default() };
            let mut algorithm = RunConfig { islands, ..config(algorithm.clone()) }.algorithm(&founders);
            let all = drive(&mut *algorithm, 12, 12, |_, _| 1.0);
            let genomes: Vec<_> = all[..7].iter().map(|(birth, _)| birth.genome.clone()).collect();
            assert!(founders.iter().map(|founder| &founder.genome).eq(&genomes), "{name}");
            assert!(all[7..].iter().all(|(birth, _)| birth.operator == Operator::Random), "{name}");
        }
    }
}

/// Drives an algorithm through a change of the task that lowers every fitness.
#[test]
fn after_renewal_all_parents_were_evaluated_with_the_new_task() {
    for (name, algorithm) in kinds() {
        let mut algorithm = config(algorithm).algorithm(&[]);
        let (mut all, mut recorded): (Vec<(Birth, f64)>, u64) = (Vec::new(), 0);
        // A generation has 40 or 48 births; at this number both begin one.
        let renewed = if algorithm.generation(47) == 0 { 480 } else { 400 };
        for number in 0..1200 {
            let needs = if number == renewed { number } else { algorithm.needs(number) };
            record_results(&mut *algorithm, &all, &mut recorded, needs);
            if number == renewed {
                algorithm.renew();
            }
            let birth = algorithm.breed(number, &mut Random::new(number));
            let fitness = closeness(&birth.genome) * if number < renewed { 1.0 } else { 0.01 };
            all.push((birth, fitness));
        }
        let copies: Vec<usize> = (0..all.len()).filter(|number| all[*number].0.operator == Operator::Copy).collect();
        assert!(copies.iter().all(|copy| (renewed..renewed + 60).contains(&(*copy as u64))), "{name}: {copies:?}");
        for copy in &copies {
            assert_eq!(all[*copy].0.genome, all[all[*copy].0.parents[0] as usize].0.genome, "{name}");
        }
        // The best of all survives as a copy, unless the algorithm has no survivors.
        let best_before = (0..renewed as usize).max_by(|a, b| all[*a].1.total_cmp(&all[*b].1).then(b.cmp(a))).unwrap();
        let is_kept = copies.iter().any(|copy| all[*copy].0.parents[0] as usize == best_before);
        let has_survivors = !name.starts_with("strategy") && name != "CMA-ES";
        assert_eq!(is_kept, has_survivors, "{name}: {best_before}, {copies:?}");
        // After a generation and its window all parents were evaluated with the new task.
        for (number, (birth, _)) in (0..).zip(&all).skip(renewed as usize + 120) {
            assert!(birth.parents.iter().all(|parent| *parent >= renewed), "{name}: {number} of {:?}", birth.parents);
        }
    }
}

/// Unscored individuals never become parents, even if there are no others.
#[test]
fn unscored_individuals_have_no_children() {
    for (name, algorithm) in kinds() {
        let mut algorithm = config(algorithm).algorithm(&[]);
        let (mut births, mut recorded): (Vec<Birth>, u64) = (Vec::new(), 0);
        let scored = |number: u64| number.is_multiple_of(3) && !(160..320).contains(&number);
        for number in 0..600 {
            while recorded < algorithm.needs(number) {
                let one = evaluated(recorded, &births[recorded as usize], 1.0 + recorded as f64);
                algorithm.record_result(recorded, EvaluatedIndividual { scored: scored(recorded), ..one });
                recorded += 1;
            }
            let birth = algorithm.breed(number, &mut Random::new(number));
            assert!(birth.parents.iter().all(|parent| scored(*parent)), "{name}: {number} of {:?}", birth.parents);
            births.push(birth);
        }
        // The algorithm recovers after generations without a scored individual.
        assert!(births[400..].iter().filter(|birth| !birth.parents.is_empty()).count() > 100, "{name}");
    }
}

#[test]
fn a_configuration_creates_its_algorithm() {
    let settings = AgeFitnessSettings::default();
    let config = RunConfig { algorithm: AlgorithmConfig::AgeFitness(settings), ..RunConfig::default() };
    assert_eq!(config.algorithm(&[]).generation(settings.offspring as u64), 1);
}

/// Fitness of the control alone: the numbers should be at 0.3 of their scale from those of the start.
fn control_error(genome: &AnyGenome, start: &AnyGenome) -> f64 {
    let settings = GenomeSettings::default();
    let numbers = |genome: &AnyGenome| genome.control_numbers(&settings);
    let miss = |(now, then): (&ControlNumber, &ControlNumber)| {
        let moved = (now.value - then.value) / then.scale - 0.3;
        moved * moved
    };
    numbers(genome).iter().zip(&numbers(start)).map(miss).sum()
}

#[test]
fn cma_es_tunes_the_control_and_keeps_the_body() {
    let start = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(5));
    let founder = Child { genome: start.clone(), parents: Vec::new(), operator: Operator::Immigrant };
    let settings = CmaEsSettings { population: 24, window: 0, ..Default::default() };
    let mut search = CmaEs::new(settings, breeder(), vec![founder.clone(); 24]);
    let all = drive(&mut search, 4800, 3, |_, birth| -control_error(&birth.genome, &start));
    let body = |genome: &AnyGenome| genome.grow(&Default::default()).map(|grown| grown.body);
    assert!(all.iter().all(|(birth, _)| body(&birth.genome) == body(&start)));
    let (first, last) = (-best(&all[..24]), -best(&all));
    assert!(last < 0.05 * first, "{first} {last}");
    // A window costs little.
    let mut windowed = CmaEs::new(CmaEsSettings { window: 12, ..settings }, breeder(), vec![founder; 24]);
    let all = drive(&mut windowed, 4800, 3, |_, birth| -control_error(&birth.genome, &start));
    assert!(-best(&all) < 0.1 * first, "{first} {}", -best(&all));
}

#[test]
fn cma_me_fills_the_map() {
    let AlgorithmConfig::CmaMe(settings) = kinds().into_iter().find(|(name, _)| *name == "CMA-ME").unwrap().1 else {
        panic!("not CMA-ME")
    };
    let mut search = CmaMe::new(settings, breeder(), Vec::new());
    let all = drive(&mut search, 400, 3, |_, birth| closeness(&birth.genome));
    assert!(all[..40].iter().all(|(birth, _)| birth.operator == Operator::Random));
    assert!(all[40..].iter().all(|(birth, _)| birth.operator == Operator::Mutation && birth.parents.len() == 1));
    // Each cell has its best.
    for (cell, elite) in search.map().cells() {
        let best = all.iter().map(|(_, fitness)| *fitness).fold(0.0, f64::max);
        assert!(elite.fitness <= best, "{cell:?}");
    }
    assert!(search.map().cells().count() >= 4);
}

#[test]
fn a_dimension_may_be_a_formula() {
    let dimension = |descriptor: &str| Dimension { descriptor: descriptor.to_string(), low: 0.0, high: 1.0, cells: 10 };
    let values: BTreeMap<String, f64> = [("height".to_string(), 0.6), ("length".to_string(), 2.0)].into();
    assert_eq!(dimension("height").cell(&values), 6);
    assert_eq!(dimension("height / length").cell(&values), 3);
    assert_eq!(dimension("min(height, 2 * length)").cell(&values), 6);
    // Values that do not exist belong to the first cell.
    assert_eq!(dimension("mass / length").cell(&values), 0);
    assert_eq!(dimension("height /").cell(&values), 0);
}
