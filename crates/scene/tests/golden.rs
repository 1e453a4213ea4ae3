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
    ("ball-off-table", 0x53538bd0aa48abbf),
    ("billiards", 0x8bf690cd5239e78a),
    ("bouncing-balls", 0x2cac85554c937697),
    ("bowling", 0x854cda78a976df2e),
    ("brick-wall", 0x641e31428a8c5ff7),
    ("car-track", 0xc840f9feea039816),
    ("marble-machine", 0xcea794d21e458fb3),
    ("pistons", 0xd630ac3a3aeb4a0b),
    ("quadruped-standing", 0xee3afbe5da9cd72a),
    ("spinning-cube", 0x025f5c88e9098af6),
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
