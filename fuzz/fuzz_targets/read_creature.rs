//! Any text as a creature file: a valid creature or an error.
#![no_main]

use burgess_creature::Physiology;
use burgess_creature::store::CreatureFile;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(creature) = CreatureFile::from_json(text, "fuzz.json") {
        assert_eq!(CreatureFile::from_json(&creature.to_json(), "again.json").unwrap(), creature);
        let _ = creature.genome.grow(&creature.physiology.unwrap_or_else(Physiology::default));
    }
});
