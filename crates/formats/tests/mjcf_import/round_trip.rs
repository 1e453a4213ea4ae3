//! A scene that is exported and imported again has the same masses and motion.

use std::path::Path;

use burgess_dynamics::{Workspace, update_kinematics};
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf;
use burgess_random_scenes::random_scene;
use burgess_scene::builtin;
use burgess_scene::spec::SceneSpec;
use glam::DVec3;

/// Returns total mass and mass-weighted position, kinetic energy and momentum of all moving links at the start.
fn totals(scene: &SceneSpec) -> [(f64, DVec3); 2] {
    let built = scene.build(".").unwrap_or_else(|error| panic!("{error}"));
    let model = built.world.model();
    let mut workspace = Workspace::new(model);
    update_kinematics(model, &built.state, &mut workspace);
    let (mut mass, mut place, mut energy, mut momentum) = (0.0, DVec3::ZERO, 0.0, DVec3::ZERO);
    // The mass of a link that cannot move has no effect.
    for link in (0..model.links().len()).filter(|&link| model.links()[link].dofs > 0) {
        let (inertia, anchor) = (workspace.rigid_inertia(model, link), workspace.anchor(link));
        let velocity = workspace.velocity_at(link, anchor);
        let own = inertia.times(&velocity);
        mass += inertia.mass;
        place += inertia.mass * (anchor + inertia.center);
        energy += 0.5 * (own.moment.dot(velocity.angular) + own.force.dot(velocity.linear));
        momentum += own.force;
    }
    [(mass, place), (energy, momentum)]
}

#[test]
fn exported_scenes_can_be_imported() {
    let builtin = builtin::all().iter().map(|scene| scene.spec());
    let mut moving_scenes = 0;
    for scene in builtin.chain((0..30).map(|seed| random_scene(seed, 12))) {
        let exported = mjcf::export(&scene, Path::new("")).unwrap();
        let model = mjcf::import_text(&exported.xml, "m.xml", &ImportOptions::default());
        let model = model.unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        let (before, after) = (totals(&scene), totals(&model.scene));
        for ((a, b), (c, d)) in before.into_iter().zip(after) {
            let scale = 1e-9 * a.abs().max(b.length()).max(1.0);
            assert!((a - c).abs() <= scale && (b - d).length() <= scale, "{}: {before:?} {after:?}", scene.name);
        }
        assert_eq!(scene.gravity, model.scene.gravity);
        // Motors of joints become actuators.
        assert!(scene.actuators.len() <= model.scene.actuators.len(), "{}", scene.name);
        moving_scenes += usize::from(before[0].0 > 0.0);
    }
    assert!(moving_scenes > 20);
}
