//! The ground of a trial: plane, stairs or hills.

use burgess_scene::spec::{BodySpec, HeightFieldShape, SceneSpec, ShapeKind, ShapeSpec};
use glam::{DVec2, DVec3};

use crate::random::Random;
use crate::task::{Amount, Ground, MAX_STAIRS, Rough, Stairs, Task};

/// Distance of the plane below hills, in m, so that no part touches both.
const BELOW_HILLS: f64 = 0.05;
/// Length of the last step of stairs, in m.
const LANDING: f64 = 20.0;
/// Radius around the start within which the ground is level, in m. Hills grow to their height over the same distance
/// again.
const CLEARING: f64 = 1.0;

/// The ground of a trial.
#[derive(Debug, Clone)]
pub(super) struct Terrain {
    hills: Option<Hills>,
}

#[derive(Debug, Clone)]
struct Hills {
    /// Number of points along a side.
    count: usize,
    /// Side of the square, in m.
    size: f64,
    heights: Vec<f64>,
}

impl Terrain {
    /// Creates the ground of a task, with random hills.
    pub fn new(task: &Task, random: &mut Random) -> Self {
        let is_rough = task.arena.ground == Ground::Rough;
        let height = task.arena.rough.height.value(&task.parameters).max(0.0);
        Self { hills: is_rough.then(|| Hills::new(&task.arena.rough, height, random)) }
    }

    /// Returns the highest ground below a rectangle, in m.
    pub fn highest(&self, low: DVec2, high: DVec2) -> f64 {
        self.hills.as_ref().map_or(0.0, |hills| hills.highest(low, high))
    }

    /// Adds the ground to a scene. Stairs begin beyond the creature's `front`, in m.
    pub fn build(self, task: &Task, front: f64, scene: &mut SceneSpec) {
        let level = if self.hills.is_some() { -BELOW_HILLS } else { 0.0 };
        if task.arena.ground != Ground::None {
            scene.bodies.push(BodySpec::fixed("ground", DVec3::Z * level, [ShapeSpec::half_space()]));
        }
        if task.arena.ground == Ground::Stairs {
            scene.bodies.push(stairs(&task.arena.stairs, task, front));
        }
        if let Some(hills) = self.hills {
            let field = HeightFieldShape {
                columns: hills.count,
                rows: hills.count,
                size: DVec2::splat(hills.size),
                heights: hills.heights,
                depth: Some(1.0),
            };
            let shape = ShapeSpec::new(ShapeKind::HeightField(field));
            scene.bodies.push(BodySpec::fixed("hills", DVec3::ZERO, [shape]));
        }
    }
}

fn stairs(stairs: &Stairs, task: &Task, front: f64) -> BodySpec {
    let value = |amount: &Amount| amount.value(&task.parameters);
    let (rise, depth) = (value(&stairs.rise), value(&stairs.depth));
    let foot = front + value(&stairs.distance);
    let count = stairs.count.min(MAX_STAIRS);
    let width = LANDING + depth * f64::from(count);
    let step = |index: u32| {
        let is_last = index + 1 == count;
        let length = if is_last { LANDING } else { depth };
        let height = rise * f64::from(index + 1);
        let middle = DVec3::new(foot + depth * f64::from(index) + 0.5 * length, 0.0, 0.5 * height);
        ShapeSpec::cuboid(DVec3::new(length, width, height)).at(middle)
    };
    BodySpec::fixed("stairs", DVec3::ZERO, (0..count).map(step))
}

impl Hills {
    fn new(rough: &Rough, height: f64, random: &mut Random) -> Self {
        let count = libm::round(rough.size / rough.cell).clamp(4.0, 256.0) as usize + 1;
        let half = 0.5 * rough.size;
        let mut heights = Vec::with_capacity(count * count);
        for row in 0..count {
            for column in 0..count {
                let [x, y] = [column, row].map(|index| rough.size * index as f64 / (count - 1) as f64 - half);
                let from_start = (libm::hypot(x, y) / CLEARING - 1.0).clamp(0.0, 1.0);
                let from_border = ((half - x.abs().max(y.abs())) / CLEARING).clamp(0.0, 1.0);
                heights.push(height * from_start * from_border * random.between(0.0, 1.0));
            }
        }
        Self { count, size: rough.size, heights }
    }

    fn highest(&self, low: DVec2, high: DVec2) -> f64 {
        let cell = self.size / (self.count - 1) as f64;
        let index = |place: f64| ((place + 0.5 * self.size) / cell).clamp(0.0, (self.count - 1) as f64);
        let range = |low: f64, high: f64| libm::floor(index(low)) as usize..=libm::ceil(index(high)) as usize;
        let mut highest = 0.0_f64;
        for row in range(low.y, high.y) {
            for column in range(low.x, high.x) {
                highest = highest.max(self.heights[row * self.count + column]);
            }
        }
        highest
    }
}
