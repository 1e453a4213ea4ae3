//! Files of every version are still read as the same creature. A format that changes gets a new
//! version and new files here; the existing files must not change.

use std::path::{Path, PathBuf};

use burgess_creature::Family;
use burgess_creature::store::{BINARY_VERSION, CreatureFile, JSON_VERSION, retrieve, store};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn both_formats_of_version_1_give_the_same_creatures_and_bytes() {
    for family in Family::ALL {
        let file = golden(&format!("{}-1.json", family.name()));
        let creature = CreatureFile::read(&file).unwrap();
        assert_eq!((creature.genome.family(), JSON_VERSION), (family, 1));
        assert_eq!(creature.to_json(), std::fs::read_to_string(&file).unwrap(), "{}", file.display());

        let bytes = std::fs::read(golden(&format!("{}-1.genome", family.name()))).unwrap();
        assert_eq!(retrieve(&bytes).unwrap(), creature.genome, "{family:?}");
        assert_eq!((store(&creature.genome), BINARY_VERSION), (bytes, 1), "{family:?}");
    }
}

#[test]
fn the_files_contain_the_expected_creatures() {
    let creature = CreatureFile::read(golden("graph-1.json")).unwrap();
    assert_eq!((creature.name.as_str(), creature.task.as_deref()), ("golden-graph", Some("walk")));
    assert_eq!((creature.seed, creature.fitness), (Some(u64::MAX), Some(0.1)));
    let creature = CreatureFile::read(golden("legged-1.json")).unwrap();
    assert_eq!(creature, CreatureFile::new("golden-legged", creature.genome.clone()));
}

#[test]
#[ignore = "makes the files of a new version: cargo test -p burgess-creature golden_files -- --ignored"]
fn write_missing_golden_files() {
    for family in Family::ALL {
        let path = golden(&format!("{}-{BINARY_VERSION}.genome", family.name()));
        if !path.exists() {
            let creature = CreatureFile::read(golden(&format!("{}-{JSON_VERSION}.json", family.name()))).unwrap();
            std::fs::write(path, store(&creature.genome)).unwrap();
        }
    }
}
