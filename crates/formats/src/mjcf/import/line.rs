//! Tendons on a straight line between two sites: springs, ropes and rods between two places.
//!
//! | MuJoCo's | a scene's |
//! |---|---|
//! | `stiffness`, `damping` | a spring |
//! | `range` from zero on | a rope |
//! | `equality/tendon` that keeps the length | a distance |
//!
//! Tendons over more sites, around geoms or over pulleys have no counterpart.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::spec::{ConstraintSpec, LengthTie, SpringTie, TieKind};

use super::compiler::Compiler;
use super::defaults::Classes;
use super::equality::anchor;
use super::options::Options;
use super::tree::{Site, Tree};
use crate::import::{ImportError, Warnings};
use crate::xml::Element;

/// Is it a line between two sites?
pub(super) fn is_straight(element: &Element) -> bool {
    *element.name == *"spatial" && element.children.len() == 2 && element.children("site").count() == 2
}

/// Names of the tendons that are lines.
pub(super) struct Lines<'a>(BTreeSet<&'a str>);

impl<'a> Lines<'a> {
    pub fn new(root: &'a Element) -> Self {
        let straight = root.children("tendon").flat_map(|section| &section.children).filter(|own| is_straight(own));
        Self(straight.filter_map(|tendon| tendon.text("name")).collect())
    }

    /// Does an equality constraint of tendons keep the length of a line?
    pub fn are_kept_by(&self, element: &Element) -> bool {
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
    // By how much a line is longer than where the model is drawn, in m.
    let mut kept: BTreeMap<&str, f64> = BTreeMap::new();
    for element in root.children("equality").flat_map(|section| section.children("tendon")) {
        if lines.are_kept_by(element) && options.equality() && classes.of(element, None)?.equality.is_active(element)? {
            let coefficients = element.numbers("polycoef", 1..=5)?.unwrap_or_default();
            kept.insert(element.required("tendon1")?, coefficients.first().copied().unwrap_or(0.0));
        }
    }
    let mut ties = Vec::new();
    for element in root.children("tendon").flat_map(|section| &section.children).filter(|own| is_straight(own)) {
        let mut settings = classes.of(element, None)?.tendon.clone();
        settings.apply(element, warnings)?;
        let [a, b] = [tree.site(&element.children[0], "site")?, tree.site(&element.children[1], "site")?];
        let drawn = world_point(tree, a).distance(world_point(tree, b));
        let [a, b] = [a, b].map(|site| anchor(tree, site.body, &site.pose));
        if a.body == b.body {
            warnings.add("tendons between places that do not move against each other", element);
            continue;
        }
        let mut tie = |kind| ties.push(ConstraintSpec { kind, a: a.clone(), b: b.clone() });
        if let Some(longer) = element.text("name").and_then(|name| kept.get(name)) {
            tie(TieKind::Distance(LengthTie { length: (drawn + longer).max(0.0) }));
        }
        if let Some([low, high]) = settings.limits(element, compiler)?.filter(|_| options.limits()) {
            if low > 0.0 {
                warnings.add("lower limits of tendons through space", element);
            }
            tie(TieKind::Rope(LengthTie { length: high.max(0.0) }));
        }
        if let Some(mut spring) = settings.spring(drawn, element, warnings) {
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
    /// As a spring on a line that is `drawn` m long where the model is drawn.
    fn spring(&self, drawn: f64, element: &Element, warnings: &mut Warnings) -> Option<SpringTie> {
        let (stiffness, damping, [low, high]) = self.elasticity();
        if stiffness <= 0.0 && damping <= 0.0 {
            return None;
        }
        if stiffness > 0.0 && low != high {
            warnings.add("springs of tendons through space that are slack over a range", element);
        }
        let rest = if low == -1.0 && high == -1.0 { drawn } else { high };
        Some(SpringTie { length: if stiffness > 0.0 { rest.max(0.0) } else { 0.0 }, stiffness, damping })
    }
}
