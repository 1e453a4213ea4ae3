//! The distance between bodies is zero for one body, symmetric, and larger the more different they look.

use burgess_creature::{AnyGenome, BodyFeatures, GenomeSettings, Physiology, Random, builtin};

fn features(genome: &AnyGenome) -> Option<BodyFeatures> {
    genome.grow(&Physiology::default()).ok().map(|phenotype| BodyFeatures::of(&phenotype.body))
}

fn builtin(name: &str) -> BodyFeatures {
    features(&builtin::find(name).unwrap().genome()).unwrap()
}

const DESIGNED: [&str; 7] = ["centipede", "hexapod", "jumper", "quadruped", "swimmer", "tree", "walker"];

#[test]
fn it_is_a_distance() {
    let bodies = DESIGNED.map(builtin);
    for a in &bodies {
        assert_eq!(a.distance(a), 0.0);
        for b in &bodies {
            let distance = a.distance(b);
            assert!((0.0..=1.0).contains(&distance), "{distance}");
            assert_eq!(distance, b.distance(a));
            // The tolerance is for rounding of sums.
            assert!(bodies.iter().all(|c| distance <= a.distance(c) + c.distance(b) + 1e-12));
        }
    }
}

#[test]
fn it_does_not_depend_on_size() {
    for name in DESIGNED {
        let mut phenotype = builtin::find(name).unwrap().genome().grow(&Physiology::default()).unwrap();
        let small = BodyFeatures::of(&phenotype.body);
        for part in &mut phenotype.body.parts {
            part.shape = part.shape.scaled(2.0);
            part.pose.translation *= 2.0;
        }
        let distance = small.distance(&BodyFeatures::of(&phenotype.body));
        assert!(distance < 1e-9, "{name}: {distance}");
    }
}

#[test]
fn unlike_bodies_are_farther_apart_than_a_body_and_its_mutants() {
    let unlike = [("centipede", "tree"), ("swimmer", "walker"), ("jumper", "centipede"), ("tree", "hexapod")];
    let nearest = unlike.map(|(a, b)| builtin(a).distance(&builtin(b))).into_iter().fold(1.0, f64::min);
    let mut dice = Random::new(3);
    for name in DESIGNED {
        let (genome, own) = (builtin::find(name).unwrap().genome(), builtin(name));
        let mutants = (0..40).filter_map(|_| features(&genome.mutate(&GenomeSettings::default(), &mut dice)));
        let mut distances: Vec<f64> = mutants.map(|mutant| own.distance(&mutant)).collect();
        distances.sort_by(f64::total_cmp);
        // A single mutation may change every part of a recursive body, so most mutants count, not all.
        let [half, most] = [distances[distances.len() / 2], distances[distances.len() * 3 / 4]];
        assert!(half < 0.5 * nearest && most < 0.6 * nearest, "{name}: {half}, {most}, unlike bodies {nearest}");
    }
    // Bodies with the same plan are alike.
    assert!(builtin("quadruped").distance(&builtin("hexapod")) < nearest);
}
