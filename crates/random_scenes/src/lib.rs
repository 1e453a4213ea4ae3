//! Random scenes: bodies of every shape on every joint, tied together and thrown on grounds of all kinds. They try the
//! simulator where nobody looks.
//!
//! What a scene holds is possible: nothing starts inside anything else (links of one tree that would are let pass through
//! each other), joints start within their limits, and ties between bodies hold at the start and pull against nothing but
//! each other. Masses may differ by a factor of ten thousand, speeds reach some 10 m/s.

mod assembly;
mod dice;
mod ground;
mod joints;
mod placing;
mod shapes;
mod ties;
mod watch;

pub use watch::{Mishap, Watch, is_passive};

use burgess_scene::spec::{MaterialSpec, SceneSpec};
use dice::Dice;
use placing::Place;

/// Materials to choose from.
const MATERIALS: usize = 6;

/// A scene of up to `size` bodies that move, besides the ground and bodies that are moved. The same numbers make the same
/// scene. Half of all scenes are passive: they have neither motors nor scripts.
///
/// ```
/// use burgess_random_scenes::random_scene;
/// use burgess_scene::RunOptions;
///
/// let scene = random_scene(1, 8);
/// assert_eq!(scene, random_scene(1, 8));
/// let mut run = scene.run(".", &RunOptions::default()).unwrap();
/// run.simulation.run(0.1).unwrap();
/// ```
pub fn random_scene(seed: u64, size: usize) -> SceneSpec {
    let mut dice = Dice::new(seed);
    let is_driven = dice.chance(0.5);
    let mut scene = SceneSpec::new(&format!("random-{seed}-{size}"), "Random bodies on a random ground.");
    scene.duration = 60.0;
    for index in 0..MATERIALS {
        let restitution = if dice.chance(0.4) { 0.0 } else { dice.between(0.0, 1.0) };
        let friction = if dice.chance(0.15) { 0.0 } else { dice.between(0.0, 1.2) };
        scene.materials.insert(material_name(index), MaterialSpec::new(friction, restitution));
    }
    // A wide world for many bodies, so that they do not only lie on each other.
    let extent = 1.0 + 0.1 * (size as f64).sqrt();
    ground::lay(&mut dice, &mut scene, extent, is_driven);
    let mut place = Place::new(&scene, extent);
    while place.bodies() < size {
        let most = size - place.bodies();
        let assembly = assembly::random(&mut dice, place.bodies(), most, is_driven);
        place.put(&mut dice, assembly);
    }
    place.finish(&mut dice, &mut scene);
    scene
}

fn material_name(index: usize) -> String {
    format!("m{index}")
}
