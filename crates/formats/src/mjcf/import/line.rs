//! Straight tendons between two sites, which become springs, ropes and distance constraints.
//!
//! | MJCF | scene |
//! |---|---|
//! | `stiffness`, `damping` | spring |
//! | `range` with a lower bound of zero | rope |
//! | `equality/tendon` that fixes the length | distance |
//!
//! Tendons with more sites, wrapping geoms or pulleys are not supported.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::spec::{ConstraintSpec, LengthTie, SpringTie, TieKind};

use super::compiler::Compiler;
use super::defaults::Classes;
use super::equality::anchor;
use super::options::Options;
use super::tree::{Site, Tree};
use crate::import::{ImportError, Warnings};
use crate::xml::Element;

/// Returns whether a tendon is a straight line between two sites.
pub(super) fn is_straight(element: &Element) -> bool {
    *element.name == *"spatial" && element.children.len() == 2 && element.children("site").count() == 2
}

/// Names of the straight tendons.
pub(super) struct Lines<'a>(BTreeSet<&'a str>);

impl<'a> Lines<'a> {
    pub fn new(root: &'a Element) -> Self {
        let straight = root.children("tendon").flat_map(|section| &section.children).filter(|own| is_straight(own));
        Self(straight.filter_map(|tendon| tendon.text("name")).collect())
    }

    /// Returns whether an equality constraint fixes the length of a straight tendon.
    pub fn fix_length_by(&self, element: &Element) -> bool {
        element.text("tendon2").is_none() && element.text("tendon1").is_some_and(|name| self.0.contains(name))
    }
}

pub(super) fn read(
    root: &Element,
    tree: &Tree,
    classes: &Classes,
    compiler: &Compiler,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<Vec<ConstraintSpec>, ImportError> {
    let lines = Lines::new(root);
    // Fixed length of a tendon minus its length in the reference configuration, in m.
    let mut fixed_lengths: BTreeMap<&str, f64> = BTreeMap::new();
    for element in root.children("equality").flat_map(|section| section.children("tendon")) {
        if lines.fix_length_by(element)
            && options.equality()
            && classes.of(element, None)?.equality.is_active(element)?
        {
            let coefficients = element.numbers("polycoef", 1..=5)?.unwrap_or_default();
            fixed_lengths.insert(element.required("tendon1")?, coefficients.first().copied().unwrap_or(0.0));
        }
    }
    let mut ties = Vec::new();
    for element in root.children("tendon").flat_map(|section| &section.children).filter(|own| is_straight(own)) {
        let mut settings = classes.of(element, None)?.tendon.clone();
        settings.apply(element, warnings)?;
        let [a, b] = [tree.site(&element.children[0], "site")?, tree.site(&element.children[1], "site")?];
        let reference_length = world_point(tree, a).distance(world_point(tree, b));
        let [a, b] = [a, b].map(|site| anchor(tree, site.body, &site.pose));
        if a.body == b.body {
            warnings.add("tendons between two points of the same rigid body", element);
            continue;
        }
        let mut tie = |kind| ties.push(ConstraintSpec { kind, a: a.clone(), b: b.clone() });
        if let Some(offset) = element.text("name").and_then(|name| fixed_lengths.get(name)) {
            tie(TieKind::Distance(LengthTie { length: (reference_length + offset).max(0.0) }));
        }
        if let Some([low, high]) = settings.limits(element, compiler)?.filter(|_| options.limits()) {
            if low > 0.0 {
                warnings.add("lower limits of spatial tendons (range)", element);
            }
            tie(TieKind::Rope(LengthTie { length: high.max(0.0) }));
        }
        if let Some(mut spring) = settings.spring(reference_length, element, warnings) {
            spring.stiffness *= if options.springs() { 1.0 } else { 0.0 };
            spring.damping *= if options.dampers() { 1.0 } else { 0.0 };
            if spring.stiffness > 0.0 || spring.damping > 0.0 {
                tie(TieKind::Spring(spring));
            }
        }
    }
    Ok(ties)
}

fn world_point(tree: &Tree, site: &Site) -> glam::DVec3 {
    tree.bodies[site.body].world_pose.transform_point(site.pose.translation)
}

impl super::tendon::TendonSettings {
    /// Returns the spring of a straight tendon; `reference_length` is its length in the reference configuration, in m.
    fn spring(&self, reference_length: f64, element: &Element, warnings: &mut Warnings) -> Option<SpringTie> {
        let (stiffness, damping, [low, high]) = self.elasticity();
        if stiffness <= 0.0 && damping <= 0.0 {
            return None;
        }
        if stiffness > 0.0 && low != high {
            warnings
                .add("spatial tendons that are slack over a range (springlength); the upper length is used", element);
        }
        let rest = if low == -1.0 && high == -1.0 { reference_length } else { high };
        Some(SpringTie { length: if stiffness > 0.0 { rest.max(0.0) } else { 0.0 }, stiffness, damping })
    }
}
