//! Tile sizes: at which level a box is native, and which tiles it overlaps there (Fontijne 2000, section 2.3.2).

use burgess_geometry::Aabb;
use glam::DVec3;

/// The tiles that a box overlaps at one level, corners included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TileRange {
    pub min: [i64; 3],
    pub max: [i64; 3],
}

impl TileRange {
    /// The only tile of the everywhere level.
    pub const EVERYWHERE: Self = Self { min: [0; 3], max: [0; 3] };

    /// Creates the range between tile indices.
    #[inline]
    pub fn new(floors: &Floors) -> Self {
        let index = floors.map(|floor| floor as i64);
        Self { min: [index[0], index[1], index[2]], max: [index[3], index[4], index[5]] }
    }

    /// Returns the tiles `steps` levels coarser that cover these. Indices are rounded down, so they can be shifted.
    #[inline]
    pub fn coarser(&self, steps: u8) -> Self {
        Self { min: self.min.map(|index| index >> steps), max: self.max.map(|index| index >> steps) }
    }

    #[inline]
    pub fn contains(&self, [x, y, z]: [i64; 3]) -> bool {
        (self.min[0] <= x)
            & (x <= self.max[0])
            & (self.min[1] <= y)
            & (y <= self.max[1])
            & (self.min[2] <= z)
            & (z <= self.max[2])
    }

    /// Calls `visit` for every tile that is not in `except`.
    #[inline]
    pub fn for_each_outside(&self, except: Option<&Self>, mut visit: impl FnMut([i64; 3])) {
        for x in self.min[0]..=self.max[0] {
            for y in self.min[1]..=self.max[1] {
                for z in self.min[2]..=self.max[2] {
                    let tile = [x, y, z];
                    if !except.is_some_and(|range| range.contains(tile)) {
                        visit(tile);
                    }
                }
            }
        }
    }
}

/// Tile indices of the six faces of a box, as whole f64: minima, then maxima.
pub(super) type Floors = [f64; 6];

/// Largest index that is certain to be rounded correctly.
const MAX_INDEX: f64 = (1_u64 << 50) as f64;

/// Divides by the tile size and rounds down, for results below 2^51. The addition rounds to a whole number without a
/// conversion to integers and back, for which the oldest x86-64 processors have no vector instruction.
#[inline]
pub(super) fn floors(aabb: &Aabb, inverse_size: f64) -> Floors {
    const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
    let faces = [aabb.min.x, aabb.min.y, aabb.min.z, aabb.max.x, aabb.max.y, aabb.max.z];
    faces.map(|face| {
        let scaled = face * inverse_size;
        let rounded = (scaled + ROUND) - ROUND;
        // A negative number that underflows when scaled is still below 0.
        let too_high = (rounded > scaled) | ((scaled == 0.0) & (face < 0.0));
        rounded - if too_high { 1.0 } else { 0.0 }
    })
}

/// Returns the region of the tiles between these indices.
pub(super) fn region(floors: &Floors, inverse_size: f64) -> Aabb {
    let low = |axis: usize| floors[axis] / inverse_size;
    // A face on the upper boundary belongs to the next tile.
    let high = |axis: usize| ((floors[axis + 3] + 1.0) / inverse_size).next_down();
    Aabb::new(DVec3::new(low(0), low(1), low(2)), DVec3::new(high(0), high(1), high(2)))
}

/// Returns the number of tiles (Fontijne 2000, eq. 2.3, plus the tile of a face that lies on a boundary).
fn tile_count(floors: &Floors) -> f64 {
    (floors[3] - floors[0] + 1.0) * (floors[4] - floors[1] + 1.0) * (floors[5] - floors[2] + 1.0)
}

/// Returns the number of tiles that a box of this size overlaps, averaged over all positions.
fn mean_tile_count(aabb: &Aabb, inverse_size: f64) -> f64 {
    (aabb.extents() * inverse_size + 1.0).element_product()
}

/// The sizes of the tiles. Level 0 is the finest, each next level has tiles of twice the size, and the everywhere level
/// above the coarsest has one tile that covers all space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LevelSizes {
    finest_exponent: i32,
    /// Number of levels with tiles, which is also the index of the everywhere level.
    pub everywhere: u8,
}

/// The native level and tiles of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Native {
    pub level: u8,
    /// All NaN at the everywhere level, so that no later box seems to be in the same tiles.
    pub floors: Floors,
}

impl Native {
    fn everywhere(sizes: &LevelSizes) -> Self {
        Self { level: sizes.everywhere, floors: [f64::NAN; 6] }
    }
}

impl LevelSizes {
    pub const MAX_LEVELS: i32 = 62;

    /// Creates levels with tiles of 2^finest to 2^coarsest metres.
    pub fn new(finest: i32, coarsest: i32) -> Self {
        let finest_exponent = finest.clamp(-500, 500);
        let levels = coarsest.saturating_sub(finest_exponent).saturating_add(1).clamp(1, Self::MAX_LEVELS);
        Self { finest_exponent, everywhere: levels as u8 }
    }

    /// Returns one over the tile size of a level, in 1/m.
    pub fn inverse_size(&self, level: u8) -> f64 {
        let exponent = -(self.finest_exponent + i32::from(level));
        f64::from_bits(((1023 + exponent) as u64) << 52)
    }

    /// Returns the finest level at which the box overlaps at most `threshold` tiles. At the coarsest level it may
    /// overlap four times as many; a box that overlaps more is native to the everywhere level.
    pub fn native(&self, aabb: &Aabb, threshold: f64) -> Native {
        let coarsest = self.everywhere - 1;
        self.finest_fit(aabb, threshold, coarsest)
            .or_else(|| fit(self, aabb, 4.0 * threshold, coarsest))
            .unwrap_or(Native::everywhere(self))
    }

    /// Applies hysteresis: a box that is native to `current` stays there until it overlaps more than `hysteresis *
    /// threshold` tiles, or would overlap on average at most `threshold / hysteresis` at a finer level. No hysteresis
    /// applies to a box that is `much_smaller` than its tiles.
    pub fn native_with_hysteresis(
        &self,
        aabb: &Aabb,
        threshold: f64,
        hysteresis: f64,
        current: u8,
        much_smaller: bool,
    ) -> Native {
        let coarsest = self.everywhere - 1;
        let mean_of_finer = if much_smaller { threshold } else { threshold / hysteresis };
        let allowed = if current == coarsest { 4.0 } else { 1.0 } * threshold * hysteresis;
        let finer = (self.first_level_to_try(aabb, threshold)..current.min(coarsest))
            .filter(|&level| mean_tile_count(aabb, self.inverse_size(level)) <= mean_of_finer)
            .find_map(|level| fit(self, aabb, threshold, level));
        match finer {
            Some(finer) => finer,
            None if current < self.everywhere => {
                fit(self, aabb, allowed, current).unwrap_or_else(|| self.native(aabb, threshold))
            }
            None => fit(self, aabb, 4.0 * threshold / hysteresis, coarsest).unwrap_or(Native::everywhere(self)),
        }
    }

    /// Returns the finest of the levels below `end` at which the box overlaps at most `threshold` tiles.
    fn finest_fit(&self, aabb: &Aabb, threshold: f64, end: u8) -> Option<Native> {
        (self.first_level_to_try(aabb, threshold)..end).find_map(|level| fit(self, aabb, threshold, level))
    }

    /// Returns a level so fine that the box overlaps at least `threshold` tiles, or the finest.
    fn first_level_to_try(&self, aabb: &Aabb, threshold: f64) -> u8 {
        let exponent = exponent(aabb.extents().max_element() / (2.0 * threshold)) - self.finest_exponent;
        exponent.clamp(0, i32::from(self.everywhere) - 1) as u8
    }
}

/// Returns the box's tiles at this level, if it overlaps at most `allowed`.
fn fit(sizes: &LevelSizes, aabb: &Aabb, allowed: f64, level: u8) -> Option<Native> {
    let floors = floors(aabb, sizes.inverse_size(level));
    let in_reach = floors.iter().all(|floor| floor.abs() <= MAX_INDEX);
    (in_reach && tile_count(&floors) <= allowed).then_some(Native { level, floors })
}

/// Returns the binary exponent of a non-negative number.
fn exponent(number: f64) -> i32 {
    ((number.to_bits() >> 52) & 0x7FF) as i32 - 1023
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIZES: LevelSizes = LevelSizes { finest_exponent: -24, everywhere: 49 };

    fn native(min: [f64; 3], max: [f64; 3]) -> Native {
        SIZES.native(&Aabb::new(DVec3::from(min), DVec3::from(max)), 8.0)
    }

    #[test]
    fn a_flat_box_on_a_tile_boundary_has_a_tile() {
        let plate = native([-3.0, -3.0, 4.0], [3.0, 3.0, 4.0]);
        let range = TileRange::new(&plate.floors);
        assert_eq!(range.min[2], range.max[2]);
        assert!(range.contains(range.min));
    }

    #[test]
    fn a_box_of_unit_size_has_tiles_of_unit_size() {
        let unit = native([0.3; 3], [1.3; 3]);
        assert_eq!((unit.level, TileRange::new(&unit.floors)), (24, TileRange { min: [0; 3], max: [1; 3] }));
        let left = native([-1.7; 3], [-0.7; 3]);
        assert_eq!((left.level, TileRange::new(&left.floors)), (24, TileRange { min: [-2; 3], max: [-1; 3] }));
    }

    #[test]
    fn what_does_not_fit_the_coarsest_level_is_all_over() {
        let sizes = LevelSizes::new(0, 2);
        let cube = |side: f64| sizes.native(&Aabb::new(DVec3::splat(0.5), DVec3::splat(0.5 + side)), 8.0).level;
        // Tiles of 4 m: three per side are 27 of 32 allowed tiles, four per side are 64.
        assert_eq!([cube(1.0), cube(2.0), cube(4.0), cube(11.0), cube(12.0)], [0, 1, 2, 2, 3]);
        assert_eq!(sizes.native(&Aabb::EVERYWHERE, 8.0).level, 3);
        assert_eq!(SIZES.native(&Aabb::EVERYWHERE, 8.0).level, 49);
    }

    #[test]
    fn a_box_that_breathes_keeps_its_resolution() {
        let mut level = 24;
        for step in 0..1000 {
            let size = 0.95 + 0.2 * libm::sin(0.1 * f64::from(step));
            let corner = DVec3::splat(0.003 * f64::from(step));
            let again = SIZES.native_with_hysteresis(&Aabb::new(corner, corner + size), 8.0, 2.0, level, false);
            assert!(again.level >= level, "finer at step {step}");
            level = again.level;
        }
        assert!(level <= 25);
    }

    proptest! {
        #[test]
        fn floors_round_down(x in -1e6..1e6_f64, size in 0.0..10.0_f64, level in 0_u8..40) {
            let aabb = Aabb::new(DVec3::new(x, -x, x.trunc()), DVec3::new(x, -x, x.trunc()) + size);
            let inverse = SIZES.inverse_size(level);
            let found = floors(&aabb, inverse);
            let faces = [aabb.min.x, aabb.min.y, aabb.min.z, aabb.max.x, aabb.max.y, aabb.max.z];
            prop_assert_eq!(found, faces.map(|face| (face * inverse).floor()));
        }

        #[test]
        fn coarser_indices_are_shifted(x in -1e6..1e6_f64, size in 1e-6..1e3_f64, steps in 0_u8..10) {
            let aabb = Aabb::new(DVec3::splat(x), DVec3::splat(x + size));
            let native = SIZES.native(&aabb, 8.0);
            prop_assume!(native.level + steps < SIZES.everywhere);
            let coarse = TileRange::new(&floors(&aabb, SIZES.inverse_size(native.level + steps)));
            prop_assert_eq!(TileRange::new(&native.floors).coarser(steps), coarse);
        }

        #[test]
        fn the_native_level_is_the_finest_that_fits(
            min in prop::array::uniform3(-100.0..100.0_f64), exponent in -20..20_i32, shape in prop::array::uniform3(0.0..1.0_f64),
        ) {
            let min = DVec3::from(min);
            let size = DVec3::from(shape) * libm::exp2(f64::from(exponent));
            let aabb = Aabb::new(min, min + size);
            let native = SIZES.native(&aabb, 8.0);
            prop_assume!(native.level < SIZES.everywhere);
            let count = |level| tile_count(&floors(&aabb, SIZES.inverse_size(level)));
            prop_assert!(count(native.level) <= 8.0);
            for level in 0..native.level {
                prop_assert!(count(level) > 8.0);
            }
        }
    }
}
