//! Any text as an MJCF model: a scene in order or an error. No files are read.
#![no_main]

use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf::import_text;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(model) = import_text(text, "fuzz.xml", &ImportOptions::default()) {
        model.scene.to_toml().unwrap();
        assert_eq!(model.states.joints().iter().filter(|joint| joint.qpos >= model.states.positions()).count(), 0);
    }
});
