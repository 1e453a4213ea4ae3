//! Pairs of bodies without contacts.
//!
//! In both programs, bodies that are welded together count as one, and a body and its parent do not collide unless the
//! parent is part of the world. Exclusions of the scene, and all pairs of one tree without self-collision, are
//! written as `exclude`.

use std::collections::BTreeSet;

use burgess_scene::spec::SceneSpec;

use super::tree::Tree;
use crate::export::Warnings;
use crate::xml::XmlWriter;

/// Maximum number of pairs that are excluded because of missing self-collision.
const MAX_EXCLUDED_PAIRS: usize = 100_000;

/// The excluded pairs, by body name.
pub(super) struct Contacts {
    excluded: Vec<[String; 2]>,
}

pub(super) fn plan(scene: &SceneSpec, tree: &Tree, warnings: &mut Warnings) -> Contacts {
    let mut place = vec![0; tree.order.len()];
    tree.order.iter().enumerate().for_each(|(number, &body)| place[body] = number);
    // Pairs of positions in the file.
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut exclude = |a: usize, b: usize| {
        let has_shapes = |body: usize| !tree.bodies[body].spec.shapes.is_empty();
        if has_shapes(a) && has_shapes(b) && !is_excluded_by_default(tree, a, b) {
            let (a, b) = (place[a], place[b]);
            pairs.insert((a.min(b), a.max(b)));
        }
    };
    for [a, b] in &scene.exclusions {
        if let (Some(a), Some(b)) = (tree.index(a), tree.index(b)) {
            exclude(a, b);
        }
    }
    if !scene.self_collision {
        let mut count = 0;
        for members in kinematic_trees(tree) {
            count += members.len() * members.len() / 2;
            if count > MAX_EXCLUDED_PAIRS {
                warnings
                    .add("there are too many bodies to exclude all pairs without self-collision: some bodies of one tree collide");
                break;
            }
            for (place, &a) in members.iter().enumerate() {
                members[..place].iter().for_each(|&b| exclude(a, b));
            }
        }
    }
    let name = |place: usize| tree.bodies[tree.order[place]].name.clone();
    Contacts { excluded: pairs.into_iter().map(|(a, b)| [name(a), name(b)]).collect() }
}

/// Returns whether MuJoCo excludes the pair by its own rules.
fn is_excluded_by_default(tree: &Tree, a: usize, b: usize) -> bool {
    let weld = |body: usize| tree.bodies[body].weld;
    if weld(a) == weld(b) {
        return true;
    }
    let (Some(a), Some(b)) = (weld(a), weld(b)) else { return false };
    let parent_weld = |piece: usize| tree.bodies[piece].parent.and_then(weld);
    parent_weld(a) == Some(b) || parent_weld(b) == Some(a)
}

/// Returns the bodies of each kinematic tree; the world is not part of any tree.
fn kinematic_trees(tree: &Tree) -> Vec<Vec<usize>> {
    let mut kinematic_trees: Vec<Vec<usize>> = Vec::new();
    for &index in &tree.order {
        match kinematic_trees.last_mut() {
            Some(members) if tree.bodies[index].parent.is_some() => members.push(index),
            _ => kinematic_trees.push(vec![index]),
        }
    }
    kinematic_trees
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
