//! State hashes of scenes after a thousand steps, equal on every machine and in every build profile. Run both:
//!
//! ```text
//! cargo test -p burgess-scene --test golden
//! cargo test -p burgess-scene --test golden --release
//! ```
//!
//! After an intended change of the arithmetic, insert the hashes that the failing test prints.

use burgess_scene::RunOptions;
use burgess_scene::builtin;

const GOLDEN: [(&str, u64); 10] = [
    ("ball-off-table", 0x5f30874f07f71115),
    ("billiards", 0xecde553a2b2c057c),
    ("bouncing-balls", 0x09cf030d857ab5f5),
    ("bowling", 0xfb31f7b01ad0ee6e),
    ("brick-wall", 0xb5ea1454c12a2031),
    ("car-track", 0xd7f67899d217d0f5),
    ("marble-machine", 0xb147a1ae7fc0159f),
    ("pistons", 0xe863695bdb842173),
    ("quadruped-standing", 0x8ee112b1d83a559a),
    ("spinning-cube", 0x87cca227d120dc1d),
];

#[test]
fn scenes_have_their_golden_hashes_after_a_thousand_steps() {
    let mut wrong = String::new();
    for (name, golden) in GOLDEN {
        let mut running = builtin::find(name).unwrap().spec().run(".", &RunOptions::default()).unwrap();
        for _ in 0..1000 {
            running.simulation.step().unwrap();
        }
        let found = running.simulation.state_hash();
        if found != golden {
            wrong += &format!("    (\"{name}\", {found:#018x}),\n");
        }
    }
    assert!(wrong.is_empty(), "these hashes differ from the golden ones:\n{wrong}");
}
