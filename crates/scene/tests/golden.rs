//! The same bits on every machine and in every build profile: state hashes of scenes after a thousand steps. Run both:
//!
//! ```text
//! cargo test -p burgess-scene --test golden
//! cargo test -p burgess-scene --test golden --release
//! ```
//!
//! When a change of the arithmetic is meant, put in the hashes that the failing test prints.

use burgess_scene::RunOptions;
use burgess_scene::builtin;

const GOLDEN: [(&str, u64); 10] = [
    ("ball-off-table", 0x4df0269325b1e092),
    ("billiards", 0xbfbc5d5df35ac1f3),
    ("bouncing-balls", 0x3381477c48cf8023),
    ("bowling", 0x932754da64cf2273),
    ("brick-wall", 0xfd5783c1135b8309),
    ("car-track", 0x589c22e0ff590c84),
    ("marble-machine", 0xccc57e3fe79a3629),
    ("pistons", 0x3a118c3228620755),
    ("quadruped-standing", 0x191bf4c5408438e5),
    ("spinning-cube", 0x70fb5e18cdbb442b),
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
    assert!(wrong.is_empty(), "other bits than the golden ones:\n{wrong}");
}
