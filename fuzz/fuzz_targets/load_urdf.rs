//! Any text as a URDF model: a scene in order or an error. No files are read.
#![no_main]

use burgess_formats::import::ImportOptions;
use burgess_formats::urdf::import_text;

libfuzzer_sys::fuzz_target!(|input: (bool, &str)| {
    let (floating_base, text) = input;
    let options = ImportOptions { floating_base, ..ImportOptions::default() };
    if let Ok(model) = import_text(text, "fuzz.urdf", &options) {
        model.scene.to_toml().unwrap();
    }
});
