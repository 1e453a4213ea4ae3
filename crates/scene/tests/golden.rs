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
    ("ball-off-table", 0x3e09a13fa82a67be),
    ("billiards", 0x71677cd2005d9e56),
    ("bouncing-balls", 0xb1d8b5005c6a929b),
    ("bowling", 0x9b1052d3947274a1),
    ("brick-wall", 0xfd5783c1135b8309),
    ("car-track", 0xb39d5d6bf924a35b),
    ("marble-machine", 0x91ebd8b3d1ec50e5),
    ("pistons", 0x8947cce8d7ceb399),
    ("quadruped-standing", 0xd7a59d79d2eea5ea),
    ("spinning-cube", 0x396e197a1c1ad525),
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
