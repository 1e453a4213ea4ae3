//! Many moving boxes for the broad phase: the bounding boxes of rotating cuboids.
//!
//! The sizes of the cuboids follow Fontijne (2000) section 2.6: three kinds, unit size on average. Velocities are
//! uniform in
//! [-1, 1] per axis, angular velocities in [-1, 1] rad per unit of time. The size of the world is chosen so that there
//! are about as many overlaps as objects.

use burgess_geometry::Aabb;
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::motion::{STEP, random_rotation, random_vector};

/// Input of the broad phases for one step.
#[derive(Clone, Default)]
pub struct Frame {
    /// The box of every object.
    pub boxes: Vec<Aabb>,
    /// The objects that moved since the last frame, ascending.
    pub moved: Vec<u32>,
}

struct Member {
    half_extents: DVec3,
    place: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
    /// Centre of the region in which it moves.
    home: DVec3,
    /// Half the side of that region.
    range: f64,
}

impl Member {
    fn bounds(&self) -> Aabb {
        Aabb::from_center(DVec3::ZERO, self.half_extents).transformed(&DMat3::from_quat(self.rotation), self.place)
    }

    fn step(&mut self) {
        self.place += STEP * self.velocity;
        self.rotation = (DQuat::from_scaled_axis(STEP * self.spin) * self.rotation).normalize();
        let offset = self.place - self.home;
        for axis in 0..3 {
            if offset[axis].abs() > self.range && offset[axis] * self.velocity[axis] > 0.0 {
                self.velocity[axis] = -self.velocity[axis];
            }
        }
    }
}

/// The objects of one scene.
pub struct Crowd {
    members: Vec<Member>,
    moving: Vec<u32>,
    boxes: Vec<Aabb>,
}

impl Crowd {
    /// Creates objects of three sizes in a cube, all moving.
    pub fn flying(count: usize, seed: u64) -> Self {
        Self::spread(count, seed, |random| [0.5, 1.0, 1.5][random.random_range(0..3)])
    }

    /// Creates objects with sizes from 1 to 1000, with equal numbers in every octave.
    pub fn of_all_sizes(count: usize, seed: u64) -> Self {
        Self::spread(count, seed, |random| libm::exp(random.random_range(0.0..libm::log(1000.0))))
    }

    fn spread(count: usize, seed: u64, size: impl Fn(&mut Pcg64Mcg) -> f64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut members: Vec<Member> = (0..count)
            .map(|_| Member {
                half_extents: DVec3::splat(0.5 * size(&mut random)),
                place: DVec3::ZERO,
                rotation: random_rotation(&mut random),
                velocity: random_vector(&mut random),
                spin: random_vector(&mut random),
                home: DVec3::ZERO,
                range: 0.0,
            })
            .collect();
        let range = 0.5 * libm::cbrt(volume_for_as_many_pairs(&members, &mut random));
        for member in &mut members {
            member.range = range;
            member.place = range * random_vector(&mut random);
        }
        Self::new(members, (0..count as u32).collect())
    }

    /// Creates a settled heap of bricks, each touching its neighbours; one in a hundred still moves slightly.
    pub fn pile(side: usize, seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut members = Vec::with_capacity(side * side * side);
        let mut moving = Vec::new();
        for index in 0..side * side * side {
            let place = DVec3::new((index % side) as f64, (index / side % side) as f64, (index / side / side) as f64)
                + 0.1 * random_vector(&mut random);
            if random.random_range(0..100) == 0 {
                moving.push(index as u32);
            }
            members.push(Member {
                half_extents: DVec3::from_array(core::array::from_fn(|_| random.random_range(0.4..0.5))),
                place,
                rotation: DQuat::from_scaled_axis(0.1 * random_vector(&mut random)),
                velocity: random_vector(&mut random),
                spin: random_vector(&mut random),
                home: place,
                range: 0.05,
            });
        }
        Self::new(members, moving)
    }

    fn new(members: Vec<Member>, moving: Vec<u32>) -> Self {
        let boxes = members.iter().map(Member::bounds).collect();
        Self { members, moving, boxes }
    }

    /// Advances by one step and writes the result to `frame`.
    pub fn step(&mut self, frame: &mut Frame) {
        for &index in &self.moving {
            let member = &mut self.members[index as usize];
            member.step();
            self.boxes[index as usize] = member.bounds();
        }
        frame.boxes.clone_from(&self.boxes);
        frame.moved.clone_from(&self.moving);
    }

    /// Returns the current boxes.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
}

/// Returns the volume in which `n` boxes have about `n` overlaps. Two boxes with sides s and r overlap with the
/// probability `prod(s + r) / volume`, which is averaged over random pairs.
fn volume_for_as_many_pairs(members: &[Member], random: &mut Pcg64Mcg) -> f64 {
    const DRAWS: usize = 200_000;
    let mut mean = 0.0;
    for _ in 0..DRAWS {
        let [a, b] = core::array::from_fn(|_| members[random.random_range(0..members.len())].bounds().extents());
        mean += (a + b).element_product() / DRAWS as f64;
    }
    0.5 * members.len() as f64 * mean
}
