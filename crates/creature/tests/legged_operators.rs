//! Operators of legged genomes return valid genomes made of their arguments.

use burgess_creature::legged::{Change, Clocks, LeggedGenome, LeggedSettings, LimbPair, TRUNK_VOLUME, handmade};
use burgess_creature::{Genome, Phenotype, Physiology, Random, Recombination};

fn random(seed: u64) -> LeggedGenome {
    LeggedGenome::random(&LeggedSettings::default(), &mut Random::new(seed))
}

fn check(genome: &LeggedGenome) {
    genome.validate().unwrap();
    // Rounding of exponential and logarithm.
    assert!((genome.trunk.volume() / TRUNK_VOLUME - 1.0).abs() < 1e-12, "{}", genome.trunk.volume());
}

/// Checks that outputs are finite and within the limits of the joints, even for senses that are NaN.
fn think(phenotype: &Phenotype, random: &mut Random) {
    let (mut memory, mut outputs) = (vec![0.0; phenotype.brain.memory()], vec![0.0; phenotype.body.axes()]);
    phenotype.brain.initial(&mut memory);
    let mut senses: Vec<f64> = (0..18 * phenotype.body.parts.len()).map(|_| random.between(-1.0, 1.0)).collect();
    senses[random.below(18)] = f64::NAN;
    for _ in 0..10 {
        phenotype.brain.update(&mut memory, &senses, 1.0 / 60.0, &mut outputs);
        let axes = phenotype.body.parts.iter().filter_map(|part| part.attachment.as_ref()).flat_map(|on| &on.axes);
        for (output, axis) in outputs.iter().zip(axes) {
            assert!((axis.limit[0]..=axis.limit[1]).contains(output), "{output} is not within {:?}", axis.limit);
        }
    }
}

/// Grows a genome and ten descendants and returns how many are viable. All others are refused with a reason.
fn line_of_descent(seed: u64, settings: &LeggedSettings) -> usize {
    let mut random = Random::new(seed);
    let mut genome = LeggedGenome::random(settings, &mut random);
    let mut living = 0;
    for _ in 0..11 {
        check(&genome);
        match genome.grow(&Physiology::default()) {
            Ok(phenotype) => {
                think(&phenotype, &mut random);
                living += 1;
            }
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
        assert_eq!(LeggedGenome::retrieve(&genome.store()).as_ref(), Ok(&genome));
        let other = LeggedGenome::random(settings, &mut random);
        let how = *random.choice(&Recombination::ALL).unwrap();
        genome = genome.recombine(&other, how, settings, &mut random).mutate(settings, &mut random);
    }
    living
}

#[test]
fn children_of_children_are_valid() {
    let living: usize = (0..500).map(|seed| line_of_descent(seed, &LeggedSettings::default())).sum();
    assert!(living > 4000, "only {living} of 5500 grow");
    for seed in 0..100 {
        line_of_descent(seed, &LeggedSettings::arnold_1997());
    }
}

/// `cargo test --release -p burgess-creature legged_operators -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn a_hundred_thousand_lineages_are_valid() {
    let living: usize = (0..100_000).map(|seed| line_of_descent(seed, &LeggedSettings::default())).sum();
    println!("{living} of 1100000 grow");
}

#[test]
fn extreme_settings_make_no_invalid_genomes() {
    for absurd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1.0, 1e300] {
        let change = Change { rate: 1.0, deviation: absurd };
        let mut settings = LeggedSettings {
            six_legged: absurd,
            trunk_spread: absurd,
            lengths: [absurd, -absurd],
            radii: [-absurd, absurd],
            orientation_spread: absurd,
            axis_spread: absurd,
            limits: [absurd; 2],
            samples: usize::MAX,
            amplitude: absurd,
            decay: absurd,
            periods: [absurd, 1.0],
            max_feedbacks: usize::MAX,
            ..LeggedSettings::default()
        };
        let mutation = &mut settings.mutation;
        for member in [&mut mutation.trunk, &mut mutation.lengths, &mut mutation.radii, &mut mutation.turn_angles] {
            *member = change;
        }
        for member in [&mut mutation.turn_axes, &mut mutation.limits, &mut mutation.spectra, &mut mutation.shifts] {
            *member = change;
        }
        (mutation.time_scales, mutation.feedback_weights) = (change, change);
        for seed in 0..20 {
            line_of_descent(seed, &settings);
        }
    }
}

#[test]
fn crossover_takes_a_mean_trunk_and_whole_pairs_of_limbs() {
    let mut from_second = 0;
    for seed in 0..200 {
        let (first, second) = (random(2 * seed), random(2 * seed + 1));
        let how = Recombination::Crossover;
        let child = first.recombine(&second, how, &LeggedSettings::default(), &mut Random::new(seed));
        let mean = 0.5 * (first.trunk.semi_axes + second.trunk.semi_axes);
        let share = child.trunk.semi_axes / mean;
        // Only its scale is changed, to keep the volume.
        assert!((share.max_element() / share.min_element() - 1.0).abs() < 1e-12, "{share}");
        assert!(child.six_legged == first.six_legged || child.six_legged == second.six_legged);
        for slot in 0..3 {
            let is = |parent: &LeggedGenome| child.limb_pairs[slot] == parent.limb_pairs[slot];
            assert!(is(&first) || is(&second));
            from_second += usize::from(is(&second));
        }
    }
    assert!((200..400).contains(&from_second), "{from_second} of 600 pairs come from the second");
}

#[test]
fn grafting_takes_one_pair_of_limbs_and_may_add_a_third() {
    let (mut third, mut replaced) = (0, 0);
    for seed in 0..200 {
        let (first, second) = (random(2 * seed), random(2 * seed + 1));
        let child =
            first.recombine(&second, Recombination::Grafting, &LeggedSettings::default(), &mut Random::new(seed));
        let changed: Vec<usize> = (0..3).filter(|&slot| child.limb_pairs[slot] != first.limb_pairs[slot]).collect();
        assert_eq!(changed.len(), 1);
        let grafted = &child.limb_pairs[changed[0]];
        assert!(second.grown_pairs().any(|(_, pair)| pair == grafted), "it must be one that grows");
        assert!(child.grown_slots().contains(&changed[0]), "and it must grow again");
        if child.six_legged == first.six_legged {
            replaced += 1
        } else {
            third += 1
        }
        assert_eq!((child.trunk, child.rhythm), (first.trunk, first.rhythm));
    }
    assert!(third > 20 && replaced > 80, "{third} added, {replaced} replaced");
}

#[test]
fn exchange_takes_drives_or_a_hinge_of_a_limb_and_no_more() {
    let without = |pair: &LimbPair, like: &LimbPair| {
        let mut pair = pair.clone();
        (pair.hip.drive, pair.knee.drive, pair.gait) = (like.hip.drive.clone(), like.knee.drive.clone(), like.gait);
        pair
    };
    let (mut drives, mut hinges) = (0, 0);
    for seed in 0..200 {
        let (first, second) = (random(2 * seed), random(2 * seed + 1));
        let child =
            first.recombine(&second, Recombination::Exchange, &LeggedSettings::default(), &mut Random::new(seed));
        assert_eq!((child.trunk, child.six_legged), (first.trunk, first.six_legged));
        let changed: Vec<usize> = (0..3).filter(|&slot| child.limb_pairs[slot] != first.limb_pairs[slot]).collect();
        assert_eq!(changed.len(), 1);
        let (new, old) = (&child.limb_pairs[changed[0]], &first.limb_pairs[changed[0]]);
        assert_eq!(new.shape, old.shape);
        if without(new, old) == *old {
            drives += 1;
            assert!(second.grown_pairs().any(|(_, pair)| pair.hip.drive == new.hip.drive && pair.gait == new.gait));
        } else {
            hinges += 1;
            assert!((new.hip.hinge == old.hip.hinge) != (new.knee.hinge == old.knee.hinge));
            assert_eq!((&new.hip.drive, &new.knee.drive), (&old.hip.drive, &old.knee.drive));
        }
    }
    assert!(drives > 50 && hinges > 50, "{drives} drives, {hinges} hinges");
}

/// Dimensions; the rest of the body; the brain.
fn aspects(genome: &LeggedGenome) -> [String; 3] {
    let pairs = || genome.limb_pairs.iter();
    let joints = || pairs().flat_map(|pair| [&pair.hip, &pair.knee]);
    let shapes: Vec<_> = pairs().map(|pair| pair.shape).collect();
    let hinges: Vec<_> = joints().map(|joint| joint.hinge).collect();
    let (drives, gaits) = (joints().map(|joint| &joint.drive).collect::<Vec<_>>(), pairs().map(|pair| pair.gait));
    [
        format!("{:?} {shapes:?}", genome.trunk),
        format!("{} {hinges:?}", genome.six_legged),
        format!("{:?} {drives:?} {:?}", genome.rhythm, gaits.collect::<Vec<_>>()),
    ]
}

#[test]
fn frozen_members_stay() {
    let set = |shapes, body, brain| LeggedSettings {
        freeze_shapes: shapes,
        freeze_body: body,
        freeze_brain: brain,
        ..LeggedSettings::default()
    };
    let cases = [
        (set(false, false, false), [false, false, false]),
        (set(true, false, false), [true, false, false]),
        (set(false, true, false), [true, true, false]),
        (set(false, false, true), [false, false, true]),
        (set(true, true, true), [true, true, true]),
    ];
    for (settings, frozen) in cases {
        let mut stayed = [true; 3];
        for seed in 0..60 {
            let (first, second, mut random) = (random(2 * seed), random(2 * seed + 1), Random::new(seed));
            for how in Recombination::ALL {
                let child = first.recombine(&second, how, &settings, &mut random).mutate(&settings, &mut random);
                check(&child);
                for ((stayed, new), old) in stayed.iter_mut().zip(aspects(&child)).zip(aspects(&first)) {
                    *stayed &= new == old;
                }
            }
        }
        assert_eq!(stayed, frozen);
    }
}

#[test]
fn clocks_and_senses_can_be_switched_off() {
    let own = LeggedSettings { clocks: Clocks::Own, max_feedbacks: 0, ..LeggedSettings::default() };
    let shared = LeggedSettings { clocks: Clocks::Shared, ..own.clone() };
    for seed in 0..100 {
        let (first, second, mut random) = (random(2 * seed), random(2 * seed + 1), Random::new(seed));
        for (settings, expected) in [(&own, false), (&shared, true)] {
            let mutant = first.mutate(settings, &mut random);
            let child = first.recombine(&second, Recombination::Crossover, settings, &mut random);
            for genome in [mutant, child, LeggedGenome::random(settings, &mut random)] {
                assert_eq!(genome.rhythm.shared, expected);
                let joints = genome.limb_pairs.iter().flat_map(|pair| [&pair.hip, &pair.knee]);
                assert!(joints.into_iter().all(|joint| joint.drive.reflexes.is_empty()));
            }
        }
    }
}

#[test]
fn clocks_and_senses_evolve() {
    let settings = LeggedSettings::default();
    let (mut random, mut genome) = (Random::new(5), handmade::quadruped());
    let (mut shared, mut reflexes) = ([0, 0], 0);
    for _ in 0..1000 {
        genome = genome.mutate(&settings, &mut random);
        shared[usize::from(genome.rhythm.shared)] += 1;
        reflexes = reflexes.max(genome.limb_pairs[0].hip.drive.reflexes.len());
    }
    assert!(shared[0] > 100 && shared[1] > 100, "{shared:?}");
    assert_eq!(reflexes, settings.max_feedbacks);
}

#[test]
fn without_rates_mutation_returns_a_copy() {
    let never = serde_json::json!({ "rate": 0.0, "deviation": 0.1 });
    let (rates, changes) = (
        ["limb_number", "gaits", "clocks", "harmonics", "feedback_number", "feedback_senses"],
        ["trunk", "lengths", "radii", "turn_angles", "turn_axes", "limits", "spectra", "shifts", "time_scales"],
    );
    let mut mutation = serde_json::json!({ "feedback_weights": never });
    rates.iter().for_each(|rate| mutation[rate] = 0.0.into());
    changes.iter().for_each(|change| mutation[change] = never.clone());
    let settings = serde_json::from_value(serde_json::json!({ "mutation": mutation })).unwrap();
    for seed in 0..50 {
        let genome = random(seed);
        let mutant = genome.mutate(&settings, &mut Random::new(seed));
        assert_eq!(mutant, genome);
    }
}

#[test]
fn intermediate_recombination_is_the_mean_of_the_numbers() {
    let settings = LeggedSettings::default();
    let mean = |a: f64, b: f64| 0.5 * (a + b);
    let mut means = 0;
    for seed in 0..200 {
        let (first, second) = (random(2 * seed), random(2 * seed + 1));
        let child = first.recombine(&second, Recombination::Intermediate, &settings, &mut Random::new(seed));
        check(&child);
        assert_eq!(child.rhythm.frequency, mean(first.rhythm.frequency, second.rhythm.frequency));
        assert!([first.six_legged, second.six_legged].contains(&child.six_legged));
        for (slot, pair) in child.limb_pairs.iter().enumerate() {
            let (a, b) = (&first.limb_pairs[slot], &second.limb_pairs[slot]);
            assert_eq!(pair.shape.upper_length, mean(a.shape.upper_length, b.shape.upper_length));
            assert_eq!(pair.knee.hinge.limit[1], mean(a.knee.hinge.limit[1], b.knee.hinge.limit[1]));
            // Equally far from both.
            let apart =
                |other: &burgess_creature::legged::LimbPair| pair.hip.hinge.rest.dot(other.hip.hinge.rest).abs();
            assert!((apart(a) - apart(b)).abs() < 1e-9);
            let (own, a, b) = (&pair.hip.drive.spectrum, &a.hip.drive.spectrum, &b.hip.drive.spectrum);
            if a.harmonic == b.harmonic {
                assert_eq!(own.constant, mean(a.constant, b.constant));
                means += 1;
            } else {
                assert!(own == a || own == b);
            }
        }
        // The mean of equal genomes.
        let same = first.recombine(&first, Recombination::Intermediate, &settings, &mut Random::new(seed));
        assert_eq!(same.limb_pairs[0].shape, first.limb_pairs[0].shape);
        assert_eq!(same.limb_pairs[2].knee.drive, first.limb_pairs[2].knee.drive);
    }
    assert!(means > 200, "{means} of 600 pairs of drives have a mean");
}

#[test]
fn operators_are_reproducible() {
    let settings = LeggedSettings::default();
    for how in Recombination::ALL {
        let child = || {
            random(1).recombine(&random(2), how, &settings, &mut Random::new(3)).mutate(&settings, &mut Random::new(4))
        };
        assert_eq!(child(), child());
    }
}

#[test]
fn invalid_genomes_are_refused_with_a_reason() {
    type Spoil = fn(&mut LeggedGenome);
    let cases: [(&str, Spoil); 8] = [
        ("the volume of the trunk", |genome| genome.trunk.semi_axes.x *= 2.0),
        ("the volume of the trunk", |genome| genome.trunk.semi_axes.y = f64::NAN),
        ("the frequency of the shared clock", |genome| genome.rhythm.frequency = 0.0),
        ("middle limbs: the length of a lower segment", |genome| genome.limb_pairs[1].shape.lower_length = 9.0),
        ("rear limbs: the length of the quaternion", |genome| genome.limb_pairs[2].hip.hinge.rest.w += 1.0),
        ("front limbs: the upper limit", |genome| genome.limb_pairs[0].knee.hinge.limit = [-0.5, -0.1]),
        ("coefficients", |genome| genome.limb_pairs[0].knee.drive.spectrum.coefficients = vec![[0.0; 2]; 5000]),
        ("a coefficient", |genome| genome.limb_pairs[0].hip.drive.spectrum.constant = f64::NAN),
    ];
    for (expected, spoil) in cases {
        let mut genome = random(3);
        spoil(&mut genome);
        let message = genome.validate().unwrap_err();
        assert!(message.contains(expected), "{message}");
        assert_eq!(genome.grow(&Physiology::default()).unwrap_err().name(), "unbuildable");
    }
}
