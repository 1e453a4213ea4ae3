//! `burgess verify` on the command line.

use crate::common::printed;

#[test]
fn verify_reports_falls_and_the_worst_of_new_draws() {
    let report = printed(&["verify", "walker", "--draws", "3", "--trials", "2", "--fine", "1", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    for field in ["creature", "fitness", "retained", "exploits", "verdict", "median_of_draws", "fall_share"] {
        assert!(!report[field].is_null(), "{field}");
    }
    assert_eq!(report["draws"], 3);
    assert!(report["worst_of_draws"].as_f64() <= report["median_of_draws"].as_f64());
    let checks: Vec<&str> =
        report["retained"].as_array().unwrap().iter().map(|one| one["check"].as_str().unwrap()).collect();
    for check in ["half step", "eighth step, mean", "new draws, worst"] {
        assert!(checks.contains(&check), "{checks:?}");
    }
    assert!(!checks.contains(&"impulse"), "the paradigms are part of --full");
}

#[test]
#[ignore = "minutes of computation"]
fn evolved_creatures_of_the_zoo_are_sound() {
    let evolved = burgess_creature::builtin::all().iter().filter(|creature| creature.is_evolved());
    assert_eq!(evolved.clone().count(), 12);
    for creature in evolved {
        let report: serde_json::Value = serde_json::from_str(&printed(&["verify", creature.name, "--json"])).unwrap();
        assert_eq!(report["verdict"], "sound", "{}", creature.name);
    }
}
