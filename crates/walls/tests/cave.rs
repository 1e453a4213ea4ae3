//! Cave files: presets, and the sentences that refuse bad ones.

use burgess_walls::{Cave, CaveText, PRESETS};
use proptest::prelude::*;

const GOOD: &str = "name = \"test\"
eye = [0, 0, 1.6]

# the front
[[walls]]
name = \"front\"
lower_left = [-1, 1, 0]
lower_right = [1, 1, 0]
upper_left = [-1, 1, 2]
";

#[track_caller]
fn refused(text: &str, expected: &str) {
    let error = Cave::read(text, "test.toml").expect_err("refused").to_string();
    assert!(error.contains(expected), "found '{error}', expected '{expected}'");
}

#[test]
fn presets_are_valid_and_show_their_own_file() {
    for name in PRESETS {
        let cave = Cave::read(Cave::preset_text(name).expect("a text"), name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cave.name, name);
        assert!(!cave.description.is_empty());
    }
    assert_eq!(Cave::preset("cube").expect("a preset").walls.len(), 4);
    assert_eq!(Cave::preset("cylinder").expect("a preset").walls.len(), 5);
    assert!(Cave::preset("dome").expect("a preset").walls.iter().all(|wall| wall.mask.len() == 4));
    assert!(Cave::preset("nothing").is_none());
}

#[test]
fn adjacent_walls_of_presets_share_an_edge() {
    for name in ["two", "cylinder", "dome"] {
        let cave = Cave::preset(name).expect("a preset");
        for pair in cave.walls.windows(2) {
            let [right, left] = [pair[0].lower_right, pair[1].lower_left];
            assert!((0..3).all(|axis| (right[axis] - left[axis]).abs() < 1e-3), "{name}: {right:?} {left:?}");
        }
    }
}

#[test]
fn bad_files_are_refused_in_words() {
    assert!(Cave::read(GOOD, "test.toml").is_ok());
    refused("", "test.toml:1: name: missing");
    refused(&GOOD.replace("eye = [0, 0, 1.6]", "eye = [0, nan, 1.6]"), "test.toml:2: eye: must be within 1000 m");
    refused(
        &GOOD.replace("eye = [0, 0, 1.6]", "eye = [0, 3, 1.6]"),
        "the eyes are -2.000 m in front of the wall 'front'",
    );
    refused(&GOOD.replace("[1, 1, 0]", "[-1, 1, 0]"), "the wall 'front' has no area");
    refused(&GOOD.replace("[-1, 1, 2]", "[-0.5, 1, 0]"), "has no area");
    refused(&GOOD.replace("[-1, 1, 2]", "[-0.5, 1, 2]"), "meet at 75.96 degrees, expected 90");
    refused(&format!("{GOOD}{}", &GOOD[GOOD.find("[[walls]]").expect("walls")..]), "another wall called 'front'");
    refused(&GOOD.replace("\"front\"", "\"../etc\""), "test.toml:6: walls[0].name: must be a name of 1 to 40 letters");
    refused(&GOOD.replace("lower_left", "lower_lef"), "unknown field; did you mean 'lower_left'?");
    refused("name = \"none\"\neye = [0, 0, 1]\nwalls = []\n", "expected at least one [[walls]]");
    refused(&format!("period = 0\n{GOOD}"), "period: must be from 0.004 to 2 s, found 0");
    refused(&format!("tracker = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0]]\n{GOOD}"), "three rows of a rotation");
    refused(&format!("{GOOD}corners = [[0, 0], [0, 1], [1, 1], [1, 0]]\n"), "corners: must be a convex quadrilateral");
    refused(&format!("{GOOD}mask = [[0, 0], [1, 1]]\n"), "a polygon of three corners or more");
    refused(&format!("{GOOD}stereo = \"sidebyside\"\n"), "side-by-side");
}

#[test]
fn changed_corners_keep_the_rest_of_the_file() {
    let text = CaveText::read(GOOD.to_string(), "test.toml").expect("a cave");
    let corners = [[0.1, 0.0], [1.0, 0.05], [0.95, 1.0], [0.0, 0.9]];
    let changed = text.with_corners("front", corners).expect("changed");
    assert_eq!(changed.cave.walls[0].corners, corners);
    assert!(changed.text.starts_with(GOOD.trim_end()), "{}", changed.text);
    let again = changed.with_corners("front", [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]).expect("changed");
    assert_eq!(again.text.matches("corners").count(), 1);
    assert!(changed.with_corners("back", corners).is_err());
    assert!(changed.with_corners("front", [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]).is_err());
    let tracker = [[0.0, -1.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.25]];
    assert_eq!(changed.with_tracker(tracker).expect("changed").cave.tracker, Some(tracker));
}

proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC{0,200}", number in any::<f64>()) {
        let _ = Cave::read(&text, "garbage");
        let _ = Cave::read(&GOOD.replace("1.6", &format!("{number:?}")), "garbage");
        let _ = Cave::read(&format!("{GOOD}{text}"), "garbage");
    }
}
