//! The ground. Below everything is a half-space, so that nothing falls for ever.

use burgess_scene::spec::{
    BodySpec, HeightFieldShape, Orientation, OscillationScript, PoseSpec, SceneSpec, ScriptSpec, ShapeKind, ShapeSpec,
    SteadyScript,
};
use glam::{DQuat, DVec2, DVec3};

use super::random::Random;

/// Largest height of the ground, in m.
pub(super) const TOP: f64 = 0.4;
/// Depth of the half-space below another ground, in m.
const PIT: f64 = 0.8;

/// Lays ground around the origin, `extent` (m) to all sides, and more than that where it is not a place to fall from.
pub(super) fn lay(random: &mut Random, scene: &mut SceneSpec, extent: f64, is_driven: bool) {
    let plain = random.below(4);
    let below = if matches!(plain, 1 | 2) { -PIT } else { 0.0 };
    let floor = ShapeSpec::half_space().of(&random.material());
    scene.bodies.push(BodySpec::fixed("below", DVec3::Z * below, [floor]));
    match plain {
        0 => {}
        1 => {
            let slab = ShapeSpec::cuboid(DVec3::new(3.0 * extent, 3.0 * extent, 0.4)).of(&random.material());
            scene.bodies.push(BodySpec::fixed("floor", DVec3::Z * -0.2, [slab]));
        }
        2 => hills(random, scene, extent),
        _ => stairs(random, scene, extent),
    }
    if random.chance(0.4) {
        walls(random, scene, extent);
    }
    if is_driven && plain < 2 && random.chance(0.6) {
        platform(random, scene, extent);
    }
}

fn hills(random: &mut Random, scene: &mut SceneSpec, extent: f64) {
    let side = 20;
    let (waves, turn) = (random.between(0.2, 0.8), random.between(0.0, 3.0));
    let height = random.between(0.02, 0.15);
    let mut heights = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let (x, y) = (f64::from(column) * waves, f64::from(row) * waves);
            heights.push(height * (libm::sin(x + turn) + libm::cos(y - 0.3 * x)) + random.between(0.0, 0.03));
        }
    }
    let size = DVec2::splat(4.0 * extent);
    let (columns, rows) = (side as usize, side as usize);
    let field = ShapeKind::HeightField(HeightFieldShape { columns, rows, size, heights, depth: Some(0.3) });
    let field = ShapeSpec::new(field).of(&random.material());
    scene.bodies.push(BodySpec::fixed("hills", DVec3::ZERO, [field]));
}

fn stairs(random: &mut Random, scene: &mut SceneSpec, extent: f64) {
    let steps = 3 + random.below(4);
    let (width, material) = (2.0 * extent / steps as f64, random.material());
    let steps = (0..steps).map(|step| {
        let height = TOP * (step + 1) as f64 / steps as f64;
        let middle = DVec3::new(-extent + (step as f64 + 0.5) * width, 0.0, 0.5 * height);
        ShapeSpec::cuboid(DVec3::new(width, 2.0 * extent, height)).at(middle).of(&material)
    });
    scene.bodies.push(BodySpec::fixed("stairs", DVec3::ZERO, steps));
}

fn walls(random: &mut Random, scene: &mut SceneSpec, extent: f64) {
    let material = random.material();
    for (index, out) in [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y].into_iter().enumerate() {
        let wall = BodySpec::fixed(format!("wall{index}"), out * 1.4 * extent, [ShapeSpec::half_space().of(&material)]);
        let orientation = Orientation::from_quaternion(DQuat::from_rotation_arc(DVec3::Z, -out));
        scene.bodies.push(BodySpec { orientation, ..wall });
    }
}

/// A turntable or a shaker in the middle. It reaches down into the ground, so that nothing comes under it.
fn platform(random: &mut Random, scene: &mut SceneSpec, extent: f64) {
    let (name, script, shape) = if random.chance(0.5) {
        let angular_velocity = DVec3::Z * random.between(-2.0, 2.0);
        let script = ScriptSpec::Steady(SteadyScript { velocity: DVec3::ZERO, angular_velocity });
        ("turntable", script, ShapeSpec::cylinder(0.8 * extent, 0.8))
    } else {
        let amplitude = DVec3::new(random.between(0.0, 0.05), random.between(0.0, 0.05), random.between(0.0, 0.05));
        let script = ScriptSpec::Oscillation(OscillationScript {
            amplitude,
            angle_degrees: random.vector(2.0),
            frequency: random.between(0.3, 2.0),
            phase_degrees: 0.0,
        });
        ("shaker", script, ShapeSpec::cuboid(DVec3::new(1.4 * extent, 1.4 * extent, 0.8)))
    };
    let start = PoseSpec::at(DVec3::Z * -0.2);
    scene.bodies.push(BodySpec::scripted(name, start, script, [shape.of(&random.material())]));
}
