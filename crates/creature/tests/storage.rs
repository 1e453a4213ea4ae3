//! Storage preserves all bits. Damaged files, other formats and newer versions are refused with a
//! reason.

use burgess_creature::evaluation::Side;
use burgess_creature::store::{CreatureFault, CreatureFile, JSON_VERSION, StoreError, retrieve, store};
use burgess_creature::{AnyGenome, Family, GenomeSettings, Physiology, Random, Recombination};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A genome after several mutations.
fn evolved(family: Family, seed: u64) -> AnyGenome {
    let (settings, mut random) = (GenomeSettings::default(), Random::new(seed));
    let mut genome = family.random(&settings, &mut random);
    for _ in 0..random.below(6) {
        let other = family.random(&settings, &mut random);
        let how = *random.choice(&Recombination::ALL).unwrap();
        genome = genome.recombine(&other, how, &settings, &mut random).mutate(&settings, &mut random);
    }
    genome
}

/// Returns the bytes with a corrected checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn creature(genome: AnyGenome, random: &mut Random) -> CreatureFile {
    let physiology = Physiology { density: random.between(500.0, 2000.0), ..Physiology::default() };
    CreatureFile {
        name: "tester \"quoted\" \\ é \u{1}".to_string(),
        description: random.chance(0.5).then(|| "Does nothing.\n".to_string()),
        task: random.chance(0.5).then(|| "walk".to_string()),
        seed: random.chance(0.5).then(|| random.word()),
        fitness: random.chance(0.5).then(|| random.normal(1e-3)),
        physiology: random.chance(0.5).then_some(physiology),
        side: random.chance(0.5).then_some(Side::Second),
        opponent: random
            .chance(0.5)
            .then(|| evolved(if random.chance(0.5) { Family::Graph } else { Family::Legged }, 7)),
        genome,
    }
}

/// Compares also the signs of zeros, which `==` ignores.
fn same_bits(a: &AnyGenome, b: &AnyGenome) -> bool {
    a == b && format!("{a:?}") == format!("{b:?}")
}

#[test]
fn stored_genomes_keep_all_bits() {
    for family in Family::ALL {
        for seed in 0..300 {
            let genome = evolved(family, seed);
            let bytes = store(&genome);
            let found = retrieve(&bytes).unwrap();
            assert!(same_bits(&found, &genome), "{family:?} {seed}");
            assert_eq!(store(&found), bytes);

            let file = creature(genome, &mut Random::new(seed));
            let text = file.to_json();
            let found = CreatureFile::from_json(&text, "test").unwrap();
            assert_eq!(found, file);
            assert!(same_bits(&found.genome, &file.genome), "{family:?} {seed}");
            assert_eq!(found.to_json(), text);
        }
    }
}

#[test]
fn every_flipped_bit_and_every_missing_or_extra_byte_is_detected() {
    for family in Family::ALL {
        let bytes = store(&evolved(family, 1));
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(retrieve(&damaged).is_err(), "byte {place}, bit {bit}");
            }
            assert!(retrieve(&bytes[..place]).is_err());
        }
        assert!(retrieve(&[&bytes[..], &[0]].concat()).is_err());
        let end = bytes.len() - 4;
        let longer = sealed([&bytes[..end], &[0, 0, 0], &bytes[end..]].concat());
        assert_eq!(retrieve(&longer), Err(StoreError::Trailing { extra: 3 }));
    }
}

#[test]
fn other_bytes_are_refused_with_a_reason() {
    let bytes = store(&evolved(Family::Graph, 1));
    let with = |place: usize, value: u8| {
        let mut changed = bytes.clone();
        changed[place] = value;
        retrieve(&sealed(changed)).unwrap_err().to_string()
    };
    assert_eq!(retrieve(&[]).unwrap_err().to_string(), "a stored genome has at least 10 bytes, found 0");
    assert_eq!(with(4, 9), "the genome is stored in version 9; this program reads versions 1 to 2");
    assert_eq!(with(4, 0), "the genome is stored in version 0; this program reads versions 1 to 2");
    assert_eq!(with(5, 7), "the stored genome is of family 7; this program knows 0 (graph) and 1 (legged)");
    assert!(with(0, b'X').starts_with("not a stored genome: the bytes begin with [58, 43, 52, 45]"));
    let long = vec![0; burgess_creature::store::MAX_BYTES + 1];
    assert_eq!(retrieve(&long), Err(StoreError::TooLong { found: long.len() }));
}

#[test]
fn creature_files_are_refused_with_position_and_reason() {
    let text = CreatureFile::new("one", evolved(Family::Graph, 1)).to_json();
    let refused = |text: &str| CreatureFile::from_json(text, "one.json").unwrap_err().to_string();
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        refused(&text.replacen(from, to, 1))
    };
    assert_eq!(
        changed("\"version\": 2", "\"version\": 3"),
        format!("one.json: is written in version 3 of creature files; this program reads versions 1 to {JSON_VERSION}")
    );
    assert_eq!(changed("\"version\": 2,", ""), "one.json: version: missing, expected a number");
    assert_eq!(
        changed("burgess-creature", "gltf"),
        "one.json: not a creature file: its \"format\" is \"gltf\", expected \"burgess-creature\""
    );
    assert_eq!(
        refused("{}"),
        "one.json: not a creature file: its \"format\" is missing, expected \"burgess-creature\""
    );
    assert_eq!(
        changed("\"graph\"", "\"tree\""),
        "one.json: genome.family: found \"tree\", expected \"graph\" or \"legged\""
    );
    assert_eq!(changed("\"one\"", "1"), "one.json:4:11: name: invalid type: integer `1`, expected a string");
    assert!(changed("\"name\"", "\"nam\"").starts_with("one.json:4:7: nam: unknown field `nam`"));
    assert!(changed("{\n", "{\n\n,").starts_with("one.json:3:1: key must be a string"));
    assert_eq!(refused(&(text.clone() + "x")), format!("one.json:{}:1: trailing characters", text.lines().count() + 1));
    assert!(refused("").starts_with("one.json:1:0: EOF while parsing"));
    // Errors inside a genome have their own line, too.
    let wrong = changed("\"genome\": {", "\"genome\": {\n\"stray\": 1,");
    assert!(wrong.contains(": genome: unknown field `stray`"), "{wrong}");
    let line = text.lines().position(|line| line.contains("\"genome\"")).unwrap() + 2;
    assert!(wrong.starts_with(&format!("one.json:{line}:")), "{wrong}");
}

#[test]
fn errors_in_an_opponent_have_position_and_reason() {
    let opponent = Some(evolved(Family::Graph, 2));
    let file = CreatureFile { opponent, ..CreatureFile::new("one", evolved(Family::Legged, 1)) };
    let text = file.to_json();
    assert!(text.contains("\"version\": 2"), "a program that knows no opponents refuses the file by its version");
    let refused = |from: &str, to: &str| {
        let (genome, opponent) = text.split_once("\"opponent\"").unwrap();
        assert!(opponent.contains(from), "{opponent}");
        let text = format!("{genome}\"opponent\"{}", opponent.replacen(from, to, 1));
        (CreatureFile::from_json(&text, "one.json").unwrap_err().to_string(), genome.lines().count())
    };
    assert_eq!(
        refused("\"graph\"", "\"tuning\"").0,
        "one.json: opponent.family: found \"tuning\", expected \"graph\" or \"legged\""
    );
    let (stray, line) = refused("{", "{ \"stray\": 1,");
    assert!(stray.contains(": opponent: unknown field `stray`"), "{stray}");
    assert!(stray.starts_with(&format!("one.json:{line}:")), "{stray}");
    let (invalid, _) = refused("\"rhythm\": ", "\"rhythm\": 1");
    assert!(invalid.starts_with("one.json: opponent: "), "{invalid}");
}

#[test]
fn numbers_that_are_not_finite_are_neither_written_nor_read() {
    let mut file = CreatureFile::new("one", evolved(Family::Legged, 1));
    file.fitness = Some(f64::NAN);
    let path = std::env::temp_dir().join(format!("burgess-storage-{}.json", std::process::id()));
    let refused = file.write(&path).unwrap_err();
    assert!(matches!(refused.fault, CreatureFault::Invalid { field: "fitness", .. }), "{refused}");
    assert!(!path.exists());
    file.fitness = Some(1.5);
    for number in ["NaN", "1e999", "Infinity", "\"1\""] {
        let text = file.to_json().replacen("1.5", number, 1);
        assert!(CreatureFile::from_json(&text, "one.json").is_err(), "{number}");
    }
    file.fitness = None;
    file.physiology = Some(Physiology { brain_rate: 0.0, ..Physiology::default() });
    let refused = CreatureFile::from_json(&file.to_json(), "one.json").unwrap_err().to_string();
    assert_eq!(refused, "one.json: physiology: brain_rate is 0, expected 1 to 1000");
}

#[test]
fn missing_members_of_a_physiology_have_defaults() {
    let mut file = CreatureFile::new("one", evolved(Family::Legged, 1));
    let text = file.to_json().replacen("\"genome\"", "\"physiology\": {\"brain_rate\": 25},\n\"genome\"", 1);
    file.physiology = Some(Physiology { brain_rate: 25.0, ..Physiology::default() });
    assert_eq!(CreatureFile::from_json(&text, "one.json").unwrap(), file);
}

#[test]
fn files_are_written_and_read() {
    let path = std::env::temp_dir().join(format!("burgess-storage-{}-whole.json", std::process::id()));
    let file = CreatureFile::new("one", evolved(Family::Legged, 2));
    file.write(&path).unwrap();
    assert_eq!(CreatureFile::read(&path).unwrap(), file);
    std::fs::remove_file(&path).unwrap();
    let missing = CreatureFile::read(&path).unwrap_err();
    assert!(matches!(missing.fault, CreatureFault::Unreadable(_)), "{missing}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    /// Bytes with a valid header and checksum reach the decoder.
    #[test]
    fn garbage_bytes_are_refused_or_valid(family in 0u8..3, payload in prop::collection::vec(any::<u8>(), 0..600)) {
        let bytes = sealed([b"BCRE", &[1, family][..], &payload, &[0; 4]].concat());
        if let Ok(genome) = retrieve(&bytes) {
            prop_assert!(genome.validate().is_ok());
        }
        prop_assert!(retrieve(&payload).is_err());
    }

    /// Genomes with some changed bytes are nearly valid.
    #[test]
    fn changed_bytes_are_refused_or_valid(
        seed in 0u64..50,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        for family in Family::ALL {
            let mut bytes = store(&evolved(family, seed));
            let end = bytes.len() - 4;
            for (place, value) in &changes {
                bytes[6 + place.index(end - 5)] = *value;
            }
            if let Ok(genome) = retrieve(&sealed(bytes)) {
                prop_assert!(genome.validate().is_ok());
                // Valid genomes grow or are refused.
                let _ = genome.grow(&Physiology::default());
            }
        }
    }

    /// The same for text.
    #[test]
    fn changed_text_is_refused_or_valid(
        seed in 0u64..50,
        at in any::<prop::sample::Index>(),
        put in "[0-9a-z{}\\[\\],:\"e.\\-]{0,3}",
    ) {
        for family in Family::ALL {
            let text = CreatureFile::new("one", evolved(family, seed)).to_json();
            let at = at.index(text.len());
            let changed = format!("{}{put}{}", &text[..at], &text[(at + 1).min(text.len())..]);
            if let Ok(file) = CreatureFile::from_json(&changed, "one.json") {
                prop_assert!(file.genome.validate().is_ok());
            }
        }
    }
}
