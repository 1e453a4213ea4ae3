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
    ("ball-off-table", 0x259368eb063819a6),
    ("billiards", 0x033ee240176aba21),
    ("bouncing-balls", 0x879f8e3e3f952dc1),
    ("bowling", 0x190873511666edf6),
    ("brick-wall", 0xf540590cfc05b095),
    ("car-track", 0xcaf735ed2f0dca66),
    ("marble-machine", 0xb53e0cd4064b005d),
    ("pistons", 0x493f2d04aa793e37),
    ("quadruped-standing", 0x1dcf31fd4a0161fe),
    ("spinning-cube", 0x9ddddfe58ee3bf86),
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
