//! stats
use burgess_creature::graph::{GraphGenome, GraphSettings};
use burgess_creature::{Dice, Genome, Physiology};
use std::collections::BTreeMap;

#[test]
fn stats() {
    let (settings, physiology) = (GraphSettings::default(), Physiology::default());
    let mut dice = Dice::new(1);
    let mut why: BTreeMap<&str, usize> = BTreeMap::new();
    let mut parts: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut lengths, mut volumes, mut mirrored) = (vec![], vec![], 0);
    for _ in 0..2000 {
        let genome = GraphGenome::random(&settings, &mut dice);
        genome.validate().unwrap();
        match genome.grow(&physiology) {
            Ok(p) => {
                *why.entry("ok").or_default() += 1;
                *parts.entry(p.body.parts.len()).or_default() += 1;
                lengths.push(p.body.length());
                volumes.push(p.body.volume());
                mirrored += usize::from(p.body.parts.iter().any(|p| p.mirrored));
            }
            Err(e) => *why.entry(e.name()).or_default() += 1,
        }
    }
    lengths.sort_by(f64::total_cmp);
    volumes.sort_by(f64::total_cmp);
    let q = |v: &[f64]| [0.1, 0.5, 0.9].map(|s| v[(s * v.len() as f64) as usize]);
    println!("{why:?}\n{parts:?}\n{:?} {:?} {mirrored}", q(&lengths), q(&volumes));
    println!("{}", GraphGenome::random(&settings, &mut dice).describe());
}
