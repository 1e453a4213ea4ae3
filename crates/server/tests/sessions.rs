//! Worlds on stage: what is shown again is the same to the last bit, whatever people did to it.

mod support;

use burgess_scene::{RunOptions, builtin};
use support::{Stage, exact};

#[test]
fn a_scene_that_is_only_watched_is_the_one_that_is_simulated() {
    for (name, paradigm) in [("stack", None), ("pendulum", Some("impulse")), ("bouncing-balls", Some("hybrid"))] {
        let stage = Stage::scene(name, paradigm);
        let frame = stage.seek(200);
        let options = RunOptions { paradigm: paradigm.and_then(burgess_simulation::Paradigm::from_name), ..Default::default() };
        let mut running = builtin::find(name).unwrap().spec().run("", &options).unwrap();
        for _ in 0..200 {
            running.simulation.step().unwrap();
        }
        assert_eq!(frame.hash, running.simulation.state_hash(), "{name}");
    }
}

#[test]
fn going_back_and_forth_shows_the_same() {
    let stage = Stage::scene("bouncing-balls", None);
    let there = stage.seek(240);
    let back = stage.seek(7);
    let again = stage.seek(240);
    assert_eq!((back.step, again.latest), (7, 240));
    assert_eq!(there.poses, again.poses);
    exact(&stage);
}
