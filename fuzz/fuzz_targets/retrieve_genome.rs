//! Any bytes as a stored genome: a valid genome or an error. The checksum is made right, so that the decoder is
//! reached.
#![no_main]

use burgess_creature::Physiology;
use burgess_creature::store::{retrieve, store};

libfuzzer_sys::fuzz_target!(|payload: &[u8]| {
    let family = payload.first().copied().unwrap_or(0) & 1;
    let mut bytes = [b"BCRE", &[1, family][..], payload.get(1..).unwrap_or_default()].concat();
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    if let Ok(genome) = retrieve(&bytes) {
        assert_eq!(retrieve(&store(&genome)).unwrap(), genome);
        if let Ok(phenotype) = genome.grow(&Physiology::default()) {
            assert!(phenotype.body.length().is_finite());
        }
    }
});
