//! Friction of surfaces.
//!
//! The friction of two geoms in MuJoCo is the larger of their frictions, or zero if both have `condim` 1. In a scene it
//! is the geometric mean, or the value given for the pair. With F the friction of each pair of materials, a material
//! gets
//!
//! ```text
//!   f_i = F_ii                                              if F_ii > 0
//!   f_i = the largest F_ij that is more than F_jj, or 0     and condim 1 otherwise
//! ```
//!
//! which reproduces F exactly if any such numbers do. The other pairs cause a warning.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::spec::{MaterialSpec, SceneSpec, ShapeSpec};
use burgess_simulation::combined;

use crate::export::Warnings;

/// Relative difference that counts as rounding.
const ROUNDING_TOLERANCE: f64 = 1e-12;

/// Friction of a geom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Friction {
    pub coefficient: f64,
    /// There is no friction against other geoms with this flag (`condim` 1).
    pub is_frictionless: bool,
}

impl Friction {
    fn against(&self, other: &Self) -> f64 {
        if self.is_frictionless && other.is_frictionless { 0.0 } else { self.coefficient.max(other.coefficient) }
    }
}

/// Friction of all materials that are used, by name.
pub(super) struct Frictions<'a>(BTreeMap<&'a str, Friction>);

impl<'a> Frictions<'a> {
    pub fn new(scene: &'a SceneSpec, warnings: &mut Warnings) -> Self {
        let used: BTreeSet<&str> = scene.bodies.iter().flat_map(|body| &body.shapes).map(material_name).collect();
        let names: Vec<&str> = used.into_iter().collect();
        warn_about_restitution(scene, &names, warnings);
        // The last surface of a pair applies.
        let mut given = BTreeMap::new();
        for surface in &scene.surfaces {
            let [a, b] = surface.between.each_ref().map(String::as_str);
            given.insert((a.min(b), a.max(b)), surface.friction);
        }
        let between = |a: &str, b: &str| match given.get(&(a.min(b), a.max(b))) {
            Some(friction) => *friction,
            // This avoids rounding in the geometric mean of equal numbers.
            None if a == b => material(scene, a).friction,
            None => combined(&material(scene, a).material(), &material(scene, b).material()).friction,
        };
        let friction = |name: &str| {
            let own = between(name, name);
            let pairs = names.iter().map(|other| (between(name, other), between(other, other)));
            let with_others = pairs.filter(|(both, other)| both > other).map(|(both, _)| both).fold(0.0, f64::max);
            if own > 0.0 {
                Friction { coefficient: own, is_frictionless: false }
            } else {
                Friction { coefficient: with_others, is_frictionless: true }
            }
        };
        let all: BTreeMap<&str, Friction> = names.iter().map(|name| (*name, friction(name))).collect();
        for (place, a) in names.iter().enumerate() {
            for b in &names[..place] {
                let expected = between(a, b);
                if (all[a].against(&all[b]) - expected).abs() > ROUNDING_TOLERANCE * expected {
                    let kind = "MuJoCo uses the larger friction of the two materials for these pairs";
                    warnings.add_named(kind, &format!("{b}' and '{a}"));
                }
            }
        }
        Self(all)
    }

    /// Returns the friction of a shape.
    pub fn of(&self, shape: &ShapeSpec) -> Friction {
        self.0.get(material_name(shape)).copied().unwrap_or(Friction { coefficient: 0.0, is_frictionless: true })
    }
}

fn material_name(shape: &ShapeSpec) -> &str {
    shape.material.as_deref().unwrap_or("default")
}

fn material(scene: &SceneSpec, name: &str) -> MaterialSpec {
    scene.materials.get(name).copied().unwrap_or_default()
}

fn warn_about_restitution(scene: &SceneSpec, names: &[&str], warnings: &mut Warnings) {
    let kind = "restitution is not supported by MuJoCo and is omitted";
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

    fn exported(materials: &[(&str, f64)], surfaces: &[(&str, &str, f64)]) -> (Vec<(f64, bool)>, usize) {
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
        let list = made.0.values().map(|own| (own.coefficient, own.is_frictionless)).collect();
        (list, warnings.into_list().iter().map(|warning| warning.names.len()).sum())
    }

    #[test]
    fn frictions_that_mujoco_can_represent() {
        assert_eq!(exported(&[("a", 0.5), ("b", 0.5)], &[]), (vec![(0.5, false), (0.5, false)], 0));
        // The geometric mean is not the maximum.
        assert_eq!(exported(&[("a", 0.5), ("b", 0.7)], &[]).1, 1);
        assert_eq!(exported(&[("a", 0.5), ("b", 0.7)], &[("b", "a", 0.7)]).1, 0);
    }

    #[test]
    fn frictionless_materials() {
        assert_eq!(exported(&[("a", 0.5), ("b", 0.0)], &[("a", "b", 2.0)]), (vec![(0.5, false), (2.0, true)], 0));
        assert_eq!(exported(&[("a", 0.5), ("b", 0.0)], &[("a", "b", 0.5)]), (vec![(0.5, false), (0.0, true)], 0));
        // Frictionless against the other material, too.
        assert_eq!(exported(&[("a", 0.5), ("b", 0.0)], &[]).1, 1);
    }
}
