//! Pairs of bodies that pass through each other.
//!
//! Here as in MuJoCo, bodies that are welded together are one, and such a piece and the one that it hangs on do not touch,
//! unless that is part of the world. Listed pairs, and those of one tree without self-collision, are excluded by name.

use std::collections::BTreeSet;

use burgess_scene::spec::SceneSpec;

use super::tree::Tree;
use crate::export::Warnings;
use crate::xml::XmlWriter;

/// Trees with more pairs of bodies than this are not told apart one by one.
const MAX_EXCLUDED: usize = 100_000;

/// What is excluded.
pub(super) struct Contacts {
    excluded: Vec<[String; 2]>,
}

pub(super) fn plan(scene: &SceneSpec, tree: &Tree, warnings: &mut Warnings) -> Contacts {
    let mut place = vec![0; tree.order.len()];
    tree.order.iter().enumerate().for_each(|(number, &body)| place[body] = number);
    // By their places in the file.
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut exclude = |a: usize, b: usize| {
        let has_shapes = |body: usize| !tree.bodies[body].spec.shapes.is_empty();
        if has_shapes(a) && has_shapes(b) && !passes_anyway(tree, a, b) {
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
    let name = |place: usize| tree.bodies[tree.order[place]].name.clone();
    Contacts { excluded: pairs.into_iter().map(|(a, b)| [name(a), name(b)]).collect() }
}

/// By MuJoCo's own rules.
fn passes_anyway(tree: &Tree, a: usize, b: usize) -> bool {
    let weld = |body: usize| tree.bodies[body].weld;
    if weld(a) == weld(b) {
        return true;
    }
    let (Some(a), Some(b)) = (weld(a), weld(b)) else { return false };
    let hangs_on = |piece: usize| tree.bodies[piece].parent.and_then(weld);
    hangs_on(a) == Some(b) || hangs_on(b) == Some(a)
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
