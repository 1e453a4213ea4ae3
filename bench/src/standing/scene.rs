//! Scenes of stacked boxes, from the lowest to the highest.

use glam::DVec3;

/// Density of all boxes, in kg/m^3.
pub const DENSITY: f64 = 1000.0;
/// Friction between all surfaces.
pub const FRICTION: f64 = 0.5;

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Half extents, in m.
    pub half_extents: DVec3,
    /// Centre, in m.
    pub center: DVec3,
}

/// Boxes on the ground z = 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// All boxes, the lowest first.
    pub blocks: Vec<Block>,
}

impl Scene {
    /// Smallest side of a box, in m; a box that moves farther has fallen.
    pub fn size(&self) -> f64 {
        self.blocks.iter().fold(f64::INFINITY, |size, block| size.min(2.0 * block.half_extents.min_element()))
    }

    /// The brick wall of 34 bodies of Fontijne (2000) section 3.11.1, which does not give the layout. Here it has eight
    /// courses in running bond of bricks of 0.8 x 0.4 x 0.4 m: four whole bricks, then three whole bricks between two
    /// halves, and so on; the top course has no halves (4 + 5 + 4 + 5 + 4 + 5 + 4 + 3). Bricks of a course are 30 mm
    /// apart, so that no simulator predicts contacts between them.
    pub fn wall() -> Self {
        const COURSES: usize = 8;
        const JOINT: f64 = 0.03;
        let whole = DVec3::new(0.4, 0.2, 0.2);
        let pitch = 2.0 * whole.x + JOINT;
        let half = DVec3::new(0.25 * (pitch - 2.0 * JOINT), whole.y, whole.z);
        let mut blocks = Vec::new();
        for course in 0..COURSES {
            let z = whole.z * (2 * course + 1) as f64;
            let mut add = |half_extents: DVec3, x: f64| {
                blocks.push(Block { half_extents, center: DVec3::new(x, 0.0, z) });
            };
            if course % 2 == 0 {
                (0..4).for_each(|k| add(whole, k as f64 * pitch));
            } else {
                (0..3).for_each(|k| add(whole, (k as f64 + 0.5) * pitch));
                if course + 1 < COURSES {
                    // Aligned with the ends of the adjacent courses.
                    add(half, half.x - whole.x);
                    add(half, 3.0 * pitch + whole.x - half.x);
                }
            }
        }
        Self { blocks }
    }

    /// A pyramid of 1240 cubes: fifteen square layers, 15 x 15 to 1 x 1, of cubes with sides of 0.95 m on a grid of 1
    /// m, each on four cubes of the layer below. Cubes of a layer are 50 mm apart, for the same reason as in the wall.
    pub fn pyramid() -> Self {
        const LAYERS: usize = 15;
        let half = 0.475;
        let mut blocks = Vec::new();
        for layer in 0..LAYERS {
            let side = LAYERS - layer;
            let first = -0.5 * (side - 1) as f64;
            let z = half * (2 * layer + 1) as f64;
            for index in 0..side * side {
                let (x, y) = ((index % side) as f64 + first, (index / side) as f64 + first);
                blocks.push(Block { half_extents: DVec3::splat(half), center: DVec3::new(x, y, z) });
            }
        }
        Self { blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scenes_have_as_many_bodies_as_they_should() {
        assert_eq!(Scene::wall().blocks.len(), 34);
        assert_eq!(Scene::pyramid().blocks.len(), 1240);
    }

    #[test]
    fn bricks_of_a_course_are_a_joint_apart() {
        let blocks = Scene::wall().blocks;
        for (index, a) in blocks.iter().enumerate() {
            for b in &blocks[index + 1..] {
                let gap = (a.center - b.center).abs() - a.half_extents - b.half_extents;
                let same_course = (a.center.z - b.center.z).abs() < 0.1;
                assert!(!same_course || gap.x > 0.0299, "{gap}");
            }
        }
    }
}
