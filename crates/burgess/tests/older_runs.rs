//! A run that release 0.1 wrote is shown and exported. The same file is a fixture of `burgess-evolution`.

use crate::common::{folder, path, printed};

const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../evolution/tests/fixtures/walk-0.1.burgess");

#[test]
fn a_run_of_release_0_1_is_shown_and_exported() {
    let folder = folder("older-runs");
    let before = std::fs::read(RUN).unwrap();
    let lineage: serde_json::Value = serde_json::from_str(&printed(&["lineage", RUN, "--json"])).unwrap();
    assert_eq!(lineage["creature"], 29);
    assert_eq!(lineage["ancestors"][2]["origin"], "quadruped");
    let manual = format!("{RUN}#25");
    assert!(printed(&["lineage", &manual]).contains("by hand"));
    printed(&["watch", RUN, "--still"]);
    for (what, file) in [(RUN, "champion.svg"), (&manual, "manual.svg")] {
        printed(&["picture", what, "-o", path(&folder.join(file))]);
    }
    for (format, file) in [("json", "champion.json"), ("mjcf", "champion.xml")] {
        printed(&["export", RUN, "--to", format, "-o", path(&folder.join(file))]);
    }
    printed(&["export", RUN, "--to", "gltf", "--seconds", "0.5", "-o", path(&folder.join("champion.glb"))]);
    assert!(std::fs::read(RUN).unwrap() == before, "the file was changed");
}
