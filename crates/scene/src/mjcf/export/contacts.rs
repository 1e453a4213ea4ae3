//! Pairs of bodies that pass through each other.
//!
//! Ours: a body and the one that it hangs on, bodies of one tree without self-collision, and listed pairs. MuJoCo's: bodies
//! that are welded together count as one, and such a group and the one that it hangs on do not touch, unless that is
//! the world's. What is missing there is excluded by name. Where MuJoCo's rule for parents goes too far (something hangs
//! on a body with another one welded to it), the rule is switched off, and parents are excluded by name too.

use std::collections::BTreeSet;

use super::tree::{Body, Tree};
use crate::export::Warnings;
use crate::spec::SceneSpec;
use crate::xml::XmlWriter;

/// Trees with more pairs of bodies than this are not told apart one by one.
const MAX_EXCLUDED: usize = 100_000;

/// What is excluded.
pub(super) struct Contacts {
    /// Does MuJoCo's own rule for parents hold?
    pub filter_parents: bool,
    excluded: Vec<[String; 2]>,
}

pub(super) fn plan(scene: &SceneSpec, tree: &Tree, warnings: &mut Warnings) -> Contacts {
    let filter_parents = !scene.self_collision || !rule_goes_too_far(tree);
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut exclude = |a: usize, b: usize| {
        let has_shapes = |body: usize| !tree.bodies[body].spec.shapes.is_empty();
        if has_shapes(a) && has_shapes(b) && !passes_anyway(tree, a, b, filter_parents) {
            pairs.insert((a.min(b), a.max(b)));
        }
    };
    for (index, body) in tree.bodies.iter().enumerate() {
        if let Some(parent) = body.parent {
            exclude(parent, index);
        }
    }
    for [a, b] in &scene.exclusions {
        if let (Some(a), Some(b)) = (tree.index(a), tree.index(b)) {
            exclude(a, b);
        }
    }
    if !scene.self_collision {
        let mut count = 0;
        for family in families(tree) {
            count += family.len() * family.len() / 2;
            if count > MAX_EXCLUDED {
                warnings
                    .add("there are too many bodies in one tree to exclude each pair of them: some touch each other");
                break;
            }
            for (place, &a) in family.iter().enumerate() {
                family[..place].iter().for_each(|&b| exclude(a, b));
            }
        }
    }
    let name = |body: usize| tree.bodies[body].name.clone();
    Contacts { filter_parents, excluded: pairs.into_iter().map(|(a, b)| [name(a), name(b)]).collect() }
}

/// The groups of welded bodies that two bodies are in, if both can move against the world.
fn passes_anyway(tree: &Tree, a: usize, b: usize, filter_parents: bool) -> bool {
    let weld = |body: usize| tree.bodies[body].weld;
    if weld(a) == weld(b) {
        return true;
    }
    let (Some(a), Some(b)) = (weld(a), weld(b)) else { return false };
    let hangs_on = |group: usize| tree.bodies[group].parent.and_then(weld);
    filter_parents && (hangs_on(a) == Some(b) || hangs_on(b) == Some(a))
}

/// Do bodies hang on groups of several, or in groups of several? Those that are no neighbours touch each other.
fn rule_goes_too_far(tree: &Tree) -> bool {
    let mut members = vec![0usize; tree.bodies.len()];
    for body in tree.bodies.iter().filter(|body| !body.spec.shapes.is_empty()) {
        if let Some(group) = body.weld {
            members[group] += 1;
        }
    }
    let too_far = |(index, body): (usize, &Body)| {
        let outer = body.parent.and_then(|parent| tree.bodies[parent].weld);
        let inner = (body.weld == Some(index)).then_some(index);
        matches!((inner, outer), (Some(a), Some(b)) if members[a].min(members[b]) > 0 && members[a] + members[b] > 2)
    };
    tree.bodies.iter().enumerate().any(too_far)
}

/// Bodies that hang together, by tree; the world is not part of any.
fn families(tree: &Tree) -> Vec<Vec<usize>> {
    let mut families: Vec<Vec<usize>> = Vec::new();
    for &index in &tree.order {
        match families.last_mut() {
            Some(family) if tree.bodies[index].parent.is_some() => family.push(index),
            _ => families.push(vec![index]),
        }
    }
    families
}

impl Contacts {
    pub fn write(&self, xml: &mut XmlWriter) {
        if self.excluded.is_empty() {
            return;
        }
        xml.open("contact");
        for [a, b] in &self.excluded {
            xml.open("exclude").attribute("body1", a).attribute("body2", b).close();
        }
        xml.close();
    }
}
