//! Verification: sound creatures pass, and known exploits are refused or named.

use crate::common;
use crate::common::{creature, hinge, part, wave};
use burgess_creature::evaluation::{EvaluationOptions, Outcome, evaluate_phenotype};
use burgess_creature::task::Task;
use burgess_creature::verify::{Exploit, Verdict, Verification, VerifySettings, verify_phenotype};
use burgess_creature::{Drive, Family, GenomeSettings, PartShape, Phenotype, Random};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

fn walk() -> Task {
    Task::preset("walk").unwrap()
}

/// A naive task that rewards any motion, including falling over.
fn naive() -> Task {
    Task::from_toml("name = 'naive'\nfitness = 'distance'\nsettle = 0\ntransient = 0\nduration = 4", "naive.toml")
        .unwrap()
}

fn verified(phenotype: &Phenotype, task: &Task) -> Verification {
    let settings = VerifySettings { draws: 3, perturbed: 3, fine: 1, paradigms: false };
    verify_phenotype(phenotype, task, 1, &settings, |_| ())
}

#[test]
fn a_sound_walker_has_no_exploits() {
    let found = verified(&common::walker(), &walk());
    assert_eq!(found.exploits, []);
    assert!(found.fitness > 1.0);
    let checks: Vec<&str> = found.retained.iter().map(|one| one.check.as_str()).collect();
    let expected = ["half step", "friction -20 %", "friction +20 %", "new draws, median", "new draws, worst"];
    assert_eq!(checks, [&expected[..], &["eighth step, mean", "perturbed, median", "perturbed, worst"]].concat());
    assert_eq!((found.draws.fitness.len(), found.draws.trials), (3, 9));
}

/// Random creatures of both families create no energy and no momentum. Recovery from penetration creates some
/// energy: up to 3 % of the muscles' work in creatures whose limbs hit each other hardest, next to nothing in
/// others.
#[test]
fn audits_of_random_creatures_are_balanced() {
    let task = Task { duration: 4.0, ..walk() };
    let options = EvaluationOptions { audit: true, ..EvaluationOptions::default() };
    let mut audited = 0;
    for family in Family::ALL {
        for seed in 0..12 {
            let genome = family.random(&GenomeSettings::default(), &mut Random::new(seed));
            let Ok(grown) = genome.grow(&task.physiology) else { continue };
            let Some(audit) = evaluate_phenotype(&grown, &task, 1, &options).audit else { continue };
            assert!(audit.energy_created <= 0.03 * audit.muscle_work + 0.01, "{} {seed}: {audit:?}", family.name());
            assert!(audit.excess_fraction() < 0.03, "{} {seed}: {audit:?}", family.name());
            audited += 1;
        }
    }
    assert!(audited > 10);
}

/// A creature that walks well from some starts and not at all from others must not be sound, however good the median.
#[test]
fn a_median_does_not_hide_falls() {
    // The ball is within reach of the limb in about three quarters of all draws.
    let task = Task::from_toml(
        "name = 'lucky'
fitness = 'ball_distance'
settle = 0
transient = 0
duration = 2
ball = { position = [0.75, 0, 0], from = 'root', spread = 0.18, radius = 0.05 }
[variation]
friction = 0
gravity = 0
tilt = 0
turn = 0
gap = 0
restitution = 0",
        "lucky.toml",
    )
    .unwrap();
    let settings = VerifySettings { draws: 16, perturbed: 0, fine: 0, paradigms: false };
    // The first seed with which the ball is hit.
    let phenotype = common::walker();
    let seed =
        (0..50).find(|seed| evaluate_phenotype(&phenotype, &task, *seed, &EvaluationOptions::default()).fitness > 0.1);
    let found = verify_phenotype(&phenotype, &task, seed.unwrap(), &settings, |_| ());
    println!("{found:?}");
    assert!(found.draws.falls > 0 && found.draws.worst < 0.5 * found.fitness, "{:?}", found.draws);
    assert!(found.draws.fall_share() > 0.0 && found.draws.fall_share() < 1.0);
    assert!(found.verdict != Verdict::Sound);
}

/// A tower of one metre on a small base.
fn tower() -> Phenotype {
    let foot = part(PartShape::Box(DVec3::new(0.06, 0.06, 0.06)), None);
    let on = hinge(
        Pose::new(DQuat::from_rotation_y(0.15), DVec3::new(0.0, 0.0, 0.06)),
        Pose::from_translation(DVec3::new(0.0, 0.0, -0.5)),
        DVec3::Y,
        0.1,
        0.01,
    );
    creature(vec![foot, part(PartShape::Box(DVec3::new(0.05, 0.05, 0.5)), Some(on))], vec![wave(0.0, 1.0, 0.0)])
}

#[test]
fn a_tower_that_falls_is_named_and_scores_nothing_where_bodies_settle_first() {
    let found = verified(&tower(), &naive());
    assert!(found.fitness > 0.2 && found.exploits.contains(&Exploit::Falling));
    assert_eq!(found.verdict, Verdict::Exploit);
    let settled = evaluate_phenotype(&tower(), &walk(), 1, &EvaluationOptions::default());
    assert!(settled.fitness < 0.05, "{}", settled.fitness);
}

/// Two limbs from nearly the same place of the trunk that beat against each other.
fn overlapping_limbs() -> Phenotype {
    let mut parts = vec![part(PartShape::Box(DVec3::new(0.2, 0.1, 0.05)), None)];
    for y in [-0.02, 0.02] {
        let on = hinge(
            Pose::new(DQuat::from_rotation_y(1.57), DVec3::new(0.2, y, 0.0)),
            Pose::from_translation(DVec3::new(0.0, 0.0, -0.15)),
            DVec3::X,
            0.8,
            0.01,
        );
        parts.push(part(PartShape::Capsule { radius: 0.05, half_length: 0.1 }, Some(on)));
    }
    creature(parts, vec![wave(0.8, 20.0, 0.0), wave(0.8, 20.0, 0.5)])
}

#[test]
fn overlapping_limbs_that_vibrate_are_refused_or_named() {
    for task in [walk(), naive()] {
        let found = verified(&overlapping_limbs(), &task);
        assert!(matches!(found.verdict, Verdict::Refused | Verdict::Exploit), "{found:?}");
    }
}

/// A light limb on a spring that is far stiffer than the step can follow, shaken at 20 Hz.
#[test]
fn a_stiff_joint_gains_no_energy_and_vibration_is_named() {
    let mut stiff = common::quadruped();
    for part in &mut stiff.body.parts {
        if let Some(on) = &mut part.attachment {
            on.drive = Drive::Spring { stiffness: 1e5, damping: 0.0 };
            on.area = 1.0;
        }
    }
    let oscillators = (0..4).map(|leg| wave(0.3, 20.0, 0.25 * f64::from(leg))).collect();
    let stiff = creature(stiff.body.parts, oscillators);
    let found = verified(&stiff, &naive());
    assert!(found.exploits.contains(&Exploit::Vibration), "{found:?}");
    let options = EvaluationOptions { audit: true, ..EvaluationOptions::default() };
    let audit = evaluate_phenotype(&stiff, &naive(), 1, &options).audit.unwrap();
    assert!(audit.muscle_work > 1.0 && audit.created_fraction() < 0.1, "{audit:?}");
}

#[test]
fn a_coincident_part_is_refused() {
    let mut doubled = common::quadruped();
    let double = doubled.body.parts[1].clone();
    doubled.body.parts.push(double);
    let oscillators = vec![wave(0.4, 2.0, 0.0); 5];
    let found = verified(&creature(doubled.body.parts, oscillators), &walk());
    assert_eq!(found.verdict, Verdict::Refused);
    assert_eq!(found.exploits, [Exploit::BuriedParts]);
    assert!(matches!(found.outcome, Outcome::Unviable(_)));
}

/// The same task with an offset: standing still scores 3.
fn walk_with_offset() -> Task {
    let fitness = burgess_creature::task::Formula::parse("3 + steady_distance").unwrap();
    Task { fitness, trials: Default::default(), ..walk() }
}

#[test]
fn an_offset_of_the_formula_is_no_exploit() {
    let fitness = burgess_creature::task::Formula::parse("steady_distance").unwrap();
    let plain = Task { fitness, ..walk_with_offset() };
    let (plain, offset) = (verified(&common::walker(), &plain), verified(&common::walker(), &walk_with_offset()));
    assert_eq!((plain.baseline, offset.baseline), (0.0, 3.0));
    assert_eq!(offset.exploits, plain.exploits);
    assert_eq!(offset.verdict, plain.verdict);
    for (one, other) in plain.retained.iter().zip(&offset.retained) {
        assert!((one.fraction - other.fraction).abs() < 1e-9, "{}: {} {}", one.check, one.fraction, other.fraction);
    }
    assert_eq!(plain.draws.falls, offset.draws.falls);
}

#[test]
fn a_creature_that_stands_still_is_refused_whatever_the_offset() {
    let still = common::still_box(DVec3::new(0.3, 0.15, 0.1));
    let found = verified(&still, &walk_with_offset());
    // It settles, is brought to rest and stays: no gain beyond rounding of positions.
    assert!((found.fitness - found.baseline).abs() < 1e-6, "{} {}", found.fitness, found.baseline);
    assert!(found.verdict == Verdict::Refused || found.exploits.contains(&Exploit::Falling), "{found:?}");
}

#[test]
fn a_contest_is_judged_against_the_limp_twin() {
    let task = Task { duration: 4.0, ..Task::preset("contest").unwrap() };
    let found = verified(&common::walker(), &task);
    // The limp twin of the walker does not move, and its opponent is another limp twin.
    assert!((found.baseline - 1.0).abs() < 0.05, "{}", found.baseline);
    assert!(found.fitness > 1.1, "{}", found.fitness);
    assert_eq!(found.exploits, [], "{found:?}");
    let still = common::still_box(DVec3::new(0.3, 0.15, 0.1));
    let refused = verified(&still, &task);
    assert!(refused.verdict != Verdict::Sound, "{refused:?}");
}
