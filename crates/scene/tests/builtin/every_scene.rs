//! Properties of all built-in scenes.

use burgess_scene::builtin;
use burgess_scene::spec::SceneSpec;

#[test]
fn names_are_sorted_and_in_kebab_case() {
    let names: Vec<_> = builtin::all().iter().map(|scene| scene.name).collect();
    assert!(names.is_sorted());
    for scene in builtin::all() {
        assert!(scene.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{}", scene.name);
        assert!(scene.description.ends_with('.'), "{}", scene.description);
    }
}

#[test]
fn every_scene_builds_and_survives_a_toml_round_trip() {
    for scene in builtin::all() {
        let spec = scene.spec();
        assert_eq!((spec.name.as_str(), spec.description.as_str()), (scene.name, scene.description));
        spec.build(".").unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        let text = spec.to_toml().unwrap();
        assert_eq!(SceneSpec::from_toml(&text, scene.name).unwrap(), spec, "{}", scene.name);
    }
}
