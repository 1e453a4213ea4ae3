//! Contact filters as bits.
//!
//! In a scene, two shapes collide if each one's mask has a bit of the other's group; in MuJoCo, if `contype` of one has
//! a bit of `conaffinity` of the other. Shapes that collide with the same shapes form a class. Each class gets a bit of
//! its own as its contype, and the bits of the classes that it collides with as its conaffinity. This represents every
//! symmetric table of up to 31 classes.

use std::collections::BTreeMap;

use burgess_scene::spec::{SceneSpec, ShapeSpec};

use crate::export::Warnings;

/// Maximum number of classes: MuJoCo's masks are 32-bit integers, and the sign bit is not used.
const MAX_CLASSES: usize = 31;
/// Maximum number of distinct filters for which classes are computed; the table is quadratic in it.
const MAX_FILTERS: usize = 512;

/// `contype` and `conaffinity` by group and mask.
pub(super) struct ContactBits(BTreeMap<(u32, u32), (u32, u32)>);

/// MuJoCo's defaults of `contype` and `conaffinity`.
pub(super) const DEFAULT_BITS: (u32, u32) = (1, 1);

impl ContactBits {
    pub fn new(scene: &SceneSpec, warnings: &mut Warnings) -> Self {
        let mut filters: Vec<(u32, u32)> =
            scene.bodies.iter().flat_map(|body| &body.shapes).map(|shape| (shape.group, shape.mask)).collect();
        filters.sort_unstable();
        filters.dedup();
        let bits = (filters.len() <= MAX_FILTERS).then(|| bits(&filters)).flatten().unwrap_or_else(|| {
            warnings
                .add("there are too many different groups and masks for MuJoCo's contact bits; all shapes collide with each other");
            BTreeMap::new()
        });
        Self(bits)
    }

    /// Returns `contype` and `conaffinity` of a shape.
    pub fn bits(&self, shape: &ShapeSpec) -> (u32, u32) {
        self.0.get(&(shape.group, shape.mask)).copied().unwrap_or(DEFAULT_BITS)
    }
}

fn bits(filters: &[(u32, u32)]) -> Option<BTreeMap<(u32, u32), (u32, u32)>> {
    let collide = |a: &(u32, u32), b: &(u32, u32)| a.0 & b.1 != 0 && b.0 & a.1 != 0;
    let partners = |a: &(u32, u32)| filters.iter().map(|b| collide(a, b)).collect::<Vec<bool>>();
    // Shapes that collide with nothing need no bit.
    let mut classes: Vec<Vec<bool>> = Vec::new();
    for filter in filters {
        let row = partners(filter);
        if row.contains(&true) && !classes.contains(&row) {
            classes.push(row);
        }
    }
    if classes.len() > MAX_CLASSES {
        return None;
    }
    let class_of = |filter: &(u32, u32)| {
        let row = partners(filter);
        classes.iter().position(|class| *class == row)
    };
    let class_of_filter: Vec<Option<usize>> = filters.iter().map(class_of).collect();
    let mut all = BTreeMap::new();
    for (filter, class) in filters.iter().zip(&class_of_filter) {
        let own = class.map_or(0, |class| 1 << class);
        let affinity = (class_of_filter.iter().zip(partners(filter)))
            .filter_map(|(class, collides)| class.filter(|_| collides))
            .fold(0, |bits, class| bits | 1 << class);
        all.insert(*filter, (own, affinity));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn the_same_pairs_collide(filters in proptest::collection::vec((0u32..32, 0u32..32), 1..12)) {
            let mut filters = filters;
            filters.sort_unstable();
            filters.dedup();
            let bits = bits(&filters).unwrap();
            for a in &filters {
                for b in &filters {
                    let in_scene = a.0 & b.1 != 0 && b.0 & a.1 != 0;
                    let (a, b) = (bits[a], bits[b]);
                    prop_assert_eq!(a.0 & b.1 != 0 || b.0 & a.1 != 0, in_scene);
                }
            }
        }
    }

    #[test]
    fn one_filter_gets_the_default_bits() {
        assert_eq!(bits(&[(1, u32::MAX)]).unwrap()[&(1, u32::MAX)], DEFAULT_BITS);
    }
}
