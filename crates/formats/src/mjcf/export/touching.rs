//! Who may touch whom, by bits.
//!
//! Ours: each one's mask has a bit of the other's group. MuJoCo's: `contype` of one has a bit of the `conaffinity` of the
//! other. Shapes with the same partners are a class; each class gets a bit of its own as its type, and the bits of the classes
//! that it touches as its affinity. That says every symmetric table of up to 31 classes.

use std::collections::BTreeMap;

use burgess_scene::spec::{SceneSpec, ShapeSpec};

use crate::export::Warnings;

/// The sign of MuJoCo's integers is left alone.
const MAX_CLASSES: usize = 31;
/// Tables of more different filters are not even tried.
const MAX_FILTERS: usize = 512;

/// `contype` and `conaffinity` of shapes.
pub(super) struct Touching(BTreeMap<(u32, u32), (u32, u32)>);

/// What a geom has that says nothing.
pub(super) const EVERYTHING: (u32, u32) = (1, 1);

impl Touching {
    pub fn new(scene: &SceneSpec, warnings: &mut Warnings) -> Self {
        let mut filters: Vec<(u32, u32)> =
            scene.bodies.iter().flat_map(|body| &body.shapes).map(|shape| (shape.group, shape.mask)).collect();
        filters.sort_unstable();
        filters.dedup();
        let bits = (filters.len() <= MAX_FILTERS).then(|| bits(&filters)).flatten().unwrap_or_else(|| {
            warnings
                .add("there are too many different groups and masks for MuJoCo's bits: everything touches everything");
            BTreeMap::new()
        });
        Self(bits)
    }

    /// `contype` and `conaffinity`.
    pub fn bits(&self, shape: &ShapeSpec) -> (u32, u32) {
        self.0.get(&(shape.group, shape.mask)).copied().unwrap_or(EVERYTHING)
    }
}

fn bits(filters: &[(u32, u32)]) -> Option<BTreeMap<(u32, u32), (u32, u32)>> {
    let touch = |a: &(u32, u32), b: &(u32, u32)| a.0 & b.1 != 0 && b.0 & a.1 != 0;
    let partners = |a: &(u32, u32)| filters.iter().map(|b| touch(a, b)).collect::<Vec<bool>>();
    // Classes by whom they touch; those that touch nobody need no bit.
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
            .filter_map(|(class, touches)| class.filter(|_| touches))
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
        fn the_same_pairs_touch(filters in proptest::collection::vec((0u32..32, 0u32..32), 1..12)) {
            let mut filters = filters;
            filters.sort_unstable();
            filters.dedup();
            let bits = bits(&filters).unwrap();
            for a in &filters {
                for b in &filters {
                    let ours = a.0 & b.1 != 0 && b.0 & a.1 != 0;
                    let (a, b) = (bits[a], bits[b]);
                    prop_assert_eq!(a.0 & b.1 != 0 || b.0 & a.1 != 0, ours);
                }
            }
        }
    }

    #[test]
    fn those_that_touch_everything_say_nothing() {
        assert_eq!(bits(&[(1, u32::MAX)]).unwrap()[&(1, u32::MAX)], EVERYTHING);
    }
}
