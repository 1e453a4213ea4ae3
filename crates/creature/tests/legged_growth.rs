//! Growth of legged genomes: matching radii, mirrored limbs, a trunk of constant volume.

use burgess_creature::brain::Brain;
use burgess_creature::legged::{LeggedGenome, LeggedSettings, TRUNK_VOLUME};
use burgess_creature::{Body, Genome, Part, PartShape, Physiology, Random};
use glam::DVec3;

fn random(seed: u64) -> LeggedGenome {
    LeggedGenome::random(&LeggedSettings::default(), &mut Random::new(seed))
}

fn grown(genome: &LeggedGenome) -> Option<Body> {
    genome.grow(&Physiology::default()).ok().map(|phenotype| phenotype.body)
}

/// The axis of a part's joint in the frame of the root at rest.
fn axis(body: &Body, part: &Part) -> DVec3 {
    let on = part.attachment.as_ref().unwrap();
    body.parts[on.parent].pose.compose(&on.in_parent).transform_vector(on.axes[0].direction)
}

#[test]
fn most_random_genomes_are_viable() {
    let living = (0..1000).filter(|&seed| grown(&random(seed)).is_some()).count();
    assert!(living > 700, "only {living} of 1000 live");
}

#[test]
fn radii_match_at_the_knees_and_the_trunk_has_its_volume() {
    for body in (0..200).filter_map(|seed| grown(&random(seed))) {
        // Rounding of exponential and logarithm.
        assert!((body.parts[0].shape.volume() / TRUNK_VOLUME - 1.0).abs() < 1e-12);
        for part in &body.parts[1..] {
            let on = part.attachment.as_ref().unwrap();
            let PartShape::Frustum { bottom, .. } = part.shape else { panic!("{:?}", part.shape) };
            if let PartShape::Frustum { top, .. } = body.parts[on.parent].shape {
                assert_eq!(top, bottom);
            }
        }
    }
}

#[test]
fn left_limbs_mirror_right_ones() {
    let mirror = |vector: DVec3| DVec3::new(vector.x, -vector.y, vector.z);
    for body in (0..200).filter_map(|seed| grown(&random(seed))) {
        for limbs in body.parts[1..].chunks(4) {
            for (right, left) in [(&limbs[0], &limbs[2]), (&limbs[1], &limbs[3])] {
                assert!(!right.mirrored && left.mirrored);
                assert_eq!((right.shape, right.origin), (left.shape, left.origin));
                assert!((left.pose.translation - mirror(right.pose.translation)).length() < 1e-12);
                // Both ends of the segment.
                let end = |part: &Part| part.pose.transform_vector(DVec3::Z);
                assert!((end(left) - mirror(end(right))).length() < 1e-12);
                // A rotation about an axis mirrors into one about the opposite of the mirrored axis.
                assert!((axis(&body, left) + mirror(axis(&body, right))).length() < 1e-12);
            }
        }
    }
}

#[test]
fn every_axis_has_a_function() {
    for seed in 0..50 {
        let Ok(phenotype) = random(seed).grow(&Physiology::default()) else { continue };
        let Brain::Spectral(brain) = &phenotype.brain else { panic!("a legged creature has a spectral brain") };
        assert_eq!(brain.oscillators.len(), phenotype.body.axes());
    }
}
