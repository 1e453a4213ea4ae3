//! Friction of surfaces.
//!
//! Where two geoms meet, MuJoCo takes the larger friction of the two, and none at all if both have `condim` 1. Ours is the
//! geometric mean, or what is said of the pair. With F the friction of each pair of materials, a material gets
//!
//! ```text
//!   f_i = F_ii                                              where it is rough against itself
//!   f_i = the largest F_ij that is more than F_jj, or 0     and condim 1 where it is not
//! ```
//!
//! which says F exactly if any such numbers do. Pairs for which it does not are told.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::spec::{MaterialSpec, SceneSpec, ShapeSpec};
use burgess_simulation::combined;

use crate::export::Warnings;

/// Rounding that is no difference, relative.
const ROUNDING: f64 = 1e-12;

/// What a geom says of its surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Friction {
    pub coefficient: f64,
    /// None against others of its kind (`condim` 1).
    pub is_smooth: bool,
}

impl Friction {
    fn against(&self, other: &Self) -> f64 {
        if self.is_smooth && other.is_smooth { 0.0 } else { self.coefficient.max(other.coefficient) }
    }
}

/// Of all materials that are used, by name.
pub(super) struct Frictions<'a>(BTreeMap<&'a str, Friction>);

impl<'a> Frictions<'a> {
    pub fn new(scene: &'a SceneSpec, warnings: &mut Warnings) -> Self {
        let used: BTreeSet<&str> = scene.bodies.iter().flat_map(|body| &body.shapes).map(name_of).collect();
        let names: Vec<&str> = used.into_iter().collect();
        warn_of_restitution(scene, &names, warnings);
        // The last that is said of a pair holds.
        let mut said = BTreeMap::new();
        for surface in &scene.surfaces {
            let [a, b] = surface.between.each_ref().map(String::as_str);
            said.insert((a.min(b), a.max(b)), surface.friction);
        }
        let between = |a: &str, b: &str| match said.get(&(a.min(b), a.max(b))) {
            Some(friction) => *friction,
            // The mean of a number and itself is that number, without rounding.
            None if a == b => material(scene, a).friction,
            None => combined(&material(scene, a).material(), &material(scene, b).material()).friction,
        };
        let friction = |name: &str| {
            let own = between(name, name);
            let rougher = names.iter().map(|other| (between(name, other), between(other, other)));
            let with_others = rougher.filter(|(both, other)| both > other).map(|(both, _)| both).fold(0.0, f64::max);
            if own > 0.0 {
                Friction { coefficient: own, is_smooth: false }
            } else {
                Friction { coefficient: with_others, is_smooth: true }
            }
        };
        let all: BTreeMap<&str, Friction> = names.iter().map(|name| (*name, friction(name))).collect();
        for (place, a) in names.iter().enumerate() {
            for b in &names[..place] {
                let wanted = between(a, b);
                if (all[a].against(&all[b]) - wanted).abs() > ROUNDING * wanted {
                    let kind = "MuJoCo takes the larger friction of two where these materials meet";
                    warnings.add_named(kind, &format!("{b}' and '{a}"));
                }
            }
        }
        Self(all)
    }

    /// That of a shape.
    pub fn of(&self, shape: &ShapeSpec) -> Friction {
        self.0.get(name_of(shape)).copied().unwrap_or(Friction { coefficient: 0.0, is_smooth: true })
    }
}

fn name_of(shape: &ShapeSpec) -> &str {
    shape.material.as_deref().unwrap_or("default")
}

fn material(scene: &SceneSpec, name: &str) -> MaterialSpec {
    scene.materials.get(name).copied().unwrap_or_default()
}

fn warn_of_restitution(scene: &SceneSpec, names: &[&str], warnings: &mut Warnings) {
    let kind = "MuJoCo's contacts have no restitution";
    for name in names {
        let own = material(scene, name);
        if own.restitution != 0.0 || own.tangential_restitution != 0.0 {
            warnings.add_named(kind, name);
        }
    }
    for surface in &scene.surfaces {
        if surface.restitution != 0.0 || surface.tangential_restitution != 0.0 {
            warnings.add_named(kind, &surface.between.join("' and '"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burgess_scene::spec::{BodySpec, SurfaceSpec};
    use glam::DVec3;

    fn told(materials: &[(&str, f64)], surfaces: &[(&str, &str, f64)]) -> (Vec<(f64, bool)>, usize) {
        let mut scene = SceneSpec::default();
        for (name, friction) in materials {
            scene.materials.insert(name.to_string(), MaterialSpec::new(*friction, 0.0));
            scene.bodies.push(BodySpec::new(*name, DVec3::ZERO, [ShapeSpec::sphere(1.0).of(name)]));
        }
        for (a, b, friction) in surfaces {
            let between = [a.to_string(), b.to_string()];
            scene.surfaces.push(SurfaceSpec {
                between,
                friction: *friction,
                restitution: 0.0,
                tangential_restitution: 0.0,
            });
        }
        let mut warnings = Warnings::default();
        let made = Frictions::new(&scene, &mut warnings);
        let list = made.0.values().map(|own| (own.coefficient, own.is_smooth)).collect();
        (list, warnings.into_list().iter().map(|warning| warning.names.len()).sum())
    }

    #[test]
    fn what_the_larger_friction_says_is_said_exactly() {
        assert_eq!(told(&[("a", 0.5), ("b", 0.5)], &[]), (vec![(0.5, false), (0.5, false)], 0));
        // The mean is not the larger one.
        assert_eq!(told(&[("a", 0.5), ("b", 0.7)], &[]).1, 1);
        assert_eq!(told(&[("a", 0.5), ("b", 0.7)], &[("b", "a", 0.7)]).1, 0);
    }

    #[test]
    fn what_is_smooth_against_its_like_may_be_rough_against_others() {
        assert_eq!(told(&[("a", 0.5), ("b", 0.0)], &[("a", "b", 2.0)]), (vec![(0.5, false), (2.0, true)], 0));
        assert_eq!(told(&[("a", 0.5), ("b", 0.0)], &[("a", "b", 0.5)]), (vec![(0.5, false), (0.0, true)], 0));
        // Smooth against others too.
        assert_eq!(told(&[("a", 0.5), ("b", 0.0)], &[]).1, 1);
    }
}
