//! Random scenes: bodies of every shape on every joint, connected by constraints and dropped on grounds of all kinds.
//! They test the simulator with combinations that no one would think of.
//!
//! The scenes are valid: nothing overlaps at the start (overlapping links of one tree are excluded from collisions),
//! joints start within their limits, and constraints hold at the start and do not conflict. Masses may differ by a
//! factor of ten thousand, speeds reach some 10 m/s.
//!
//! ```
//! use burgess_random_scenes::random_scene;
//! use burgess_scene::RunOptions;
//!
//! let mut run = random_scene(1, 8).run(".", &RunOptions::default()).unwrap();
//! run.simulation.run(0.1).unwrap();
//! ```

mod assembly;
mod ground;
mod joints;
mod placing;
mod random;
mod shapes;
mod ties;
mod watch;

pub use watch::{Violation, Watch, is_passive};

use burgess_scene::spec::{MaterialSpec, SceneSpec};
use placing::Place;
use random::Random;

/// Number of materials.
const MATERIALS: usize = 6;

/// Makes a scene of up to `size` moving bodies, besides the ground and scripted bodies. The same arguments make the
/// same scene. Half of all scenes are passive: they have neither motors nor scripts.
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
    let mut random = Random::new(seed);
    let is_driven = random.chance(0.5);
    let mut scene = SceneSpec::new(&format!("random-{seed}-{size}"), "Random bodies on a random ground.");
    scene.duration = 60.0;
    for index in 0..MATERIALS {
        let restitution = if random.chance(0.4) { 0.0 } else { random.between(0.0, 1.0) };
        let friction = if random.chance(0.15) { 0.0 } else { random.between(0.0, 1.2) };
        scene.materials.insert(material_name(index), MaterialSpec::new(friction, restitution));
    }
    // The extent grows with the number of bodies, so that they do not only pile up.
    let extent = 1.0 + 0.1 * (size as f64).sqrt();
    ground::lay(&mut random, &mut scene, extent, is_driven);
    let mut place = Place::new(&scene, extent);
    while place.bodies() < size {
        let most = size - place.bodies();
        let assembly = assembly::random(&mut random, place.bodies(), most, is_driven);
        place.put(&mut random, assembly);
    }
    place.finish(&mut random, &mut scene);
    scene
}

fn material_name(index: usize) -> String {
    format!("m{index}")
}
