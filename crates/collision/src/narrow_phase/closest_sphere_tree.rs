//! Sphere trees against each other and against convex shapes (Timchenko 2007, section IV.B.3).
//!
//! Each ball contains its children, so two balls bound all pairs below them: the nearest pair when they are separated,
//! and the deepest when they overlap. Points and normals are those of the balls, so their accuracy is that of the tree:
//! the solids are no nearer than the balls, and farther apart by at most the sum of [`SphereTree::protrusion`].

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use burgess_geometry::shape::Sphere;
use burgess_geometry::{RelativePose, Shape, SphereNode, SphereTree};
use glam::DVec3;

use super::closest_convex_pair::closest_convex_pair;
use super::{ConvexCache, NarrowScratch, Proximity};

/// Two balls: leaves of the trees, or a leaf and 0 for a shape without a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BallContact {
    /// Closest points, in the frame of a.
    pub proximity: Proximity,
    /// Node of the first tree.
    pub node_a: u32,
    /// Node of the second tree.
    pub node_b: u32,
}

/// Reused memory.
#[derive(Debug, Clone, Default)]
pub struct SphereTreeScratch {
    queue: BinaryHeap<Queued>,
    stack: Vec<(u32, u32)>,
}

/// Two nodes ordered by distance: the nearest first, then the smallest node indices.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Queued(BallContact);

impl Eq for Queued {}

impl Ord for Queued {
    fn cmp(&self, Self(other): &Self) -> Ordering {
        let nodes = |c: &BallContact| (c.node_a, c.node_b);
        other.proximity.distance.total_cmp(&self.0.proximity.distance).then(nodes(other).cmp(&nodes(&self.0)))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the nearest or deepest pair of leaves; of equal ones the pair with the smallest node indices.
pub fn closest_sphere_tree_sphere_tree(
    a: &SphereTree,
    b: &SphereTree,
    b_in_a: &RelativePose,
    scratch: &mut SphereTreeScratch,
) -> BallContact {
    let contact = |node_a: u32, node_b: u32| ball_ball(a, node_a, b, node_b, b_in_a);
    let queue = &mut scratch.queue;
    queue.clear();
    let mut here = contact(0, 0);
    // Pairs are expanded by ascending bound, so the first pair of leaves is the nearest.
    loop {
        match expanded(&a.nodes()[here.node_a as usize], &b.nodes()[here.node_b as usize]) {
            Expanded::Neither => return here,
            Expanded::First(children) => queue.extend(children.map(|child| Queued(contact(child, here.node_b)))),
            Expanded::Second(children) => queue.extend(children.map(|child| Queued(contact(here.node_a, child)))),
        }
        match queue.pop() {
            Some(Queued(next)) => here = next,
            None => return here,
        }
    }
}

/// Finds all pairs of leaves nearer than `margin` metres by recursive descent, in tree order. `contacts` is cleared
/// first.
pub fn contacts_sphere_tree_sphere_tree(
    a: &SphereTree,
    b: &SphereTree,
    b_in_a: &RelativePose,
    margin: f64,
    scratch: &mut SphereTreeScratch,
    contacts: &mut Vec<BallContact>,
) {
    contacts.clear();
    let stack = &mut scratch.stack;
    stack.clear();
    stack.push((0, 0));
    while let Some((node_a, node_b)) = stack.pop() {
        let contact = ball_ball(a, node_a, b, node_b, b_in_a);
        if contact.proximity.distance > margin {
            continue;
        }
        match expanded(&a.nodes()[node_a as usize], &b.nodes()[node_b as usize]) {
            Expanded::Neither => contacts.push(contact),
            Expanded::First(children) => stack.extend(children.rev().map(|child| (child, node_b))),
            Expanded::Second(children) => stack.extend(children.rev().map(|child| (node_a, child))),
        }
    }
}

/// Returns the leaf nearest to (or deepest in) a convex shape or a half-space; `None` when the shape is neither.
pub fn closest_sphere_tree_convex(
    a: &SphereTree,
    b: &Shape,
    b_in_a: &RelativePose,
    scratch: &mut NarrowScratch,
) -> Option<BallContact> {
    // Taken out during the search, because the queries below borrow the rest.
    let mut queue = std::mem::take(&mut scratch.sphere_tree.queue);
    let found = nearest_leaf(a, b, b_in_a, &mut queue, scratch);
    scratch.sphere_tree.queue = queue;
    found
}

fn nearest_leaf(
    a: &SphereTree,
    b: &Shape,
    b_in_a: &RelativePose,
    queue: &mut BinaryHeap<Queued>,
    scratch: &mut NarrowScratch,
) -> Option<BallContact> {
    let mut contact = |node_a: u32| {
        let node = &a.nodes()[node_a as usize];
        let ball = Shape::Sphere(Sphere { radius: node.radius });
        let translation = b_in_a.translation - node.center;
        let b_in_ball =
            RelativePose { translation, translation_inverse: -(b_in_a.rotation_inverse * translation), ..*b_in_a };
        let proximity = closest_convex_pair(&ball, b, &b_in_ball, &mut ConvexCache::Empty, scratch)?;
        let (point_a, point_b) = (proximity.point_a + node.center, proximity.point_b + node.center);
        Some(BallContact { proximity: Proximity { point_a, point_b, ..proximity }, node_a, node_b: 0 })
    };
    queue.clear();
    let mut here = contact(0)?;
    loop {
        let children = a.nodes()[here.node_a as usize].children();
        if children.is_empty() {
            return Some(here);
        }
        for child in children {
            queue.push(Queued(contact(child)?));
        }
        here = queue.pop()?.0;
    }
}

/// Returns the closest points of the balls of two nodes. Concentric ones are separated along a's z axis.
fn ball_ball(a: &SphereTree, node_a: u32, b: &SphereTree, node_b: u32, b_in_a: &RelativePose) -> BallContact {
    let (ball_a, ball_b) = (&a.nodes()[node_a as usize], &b.nodes()[node_b as usize]);
    let offset = b_in_a.b_to_a(ball_b.center) - ball_a.center;
    let normal = offset.try_normalize().unwrap_or(DVec3::Z);
    let point_a = ball_a.center + ball_a.radius * normal;
    let distance = offset.length() - ball_a.radius - ball_b.radius;
    BallContact { proximity: Proximity::from_point_a(point_a, normal, distance), node_a, node_b }
}

/// Which of two nodes is replaced by its children.
enum Expanded {
    Neither,
    First(std::ops::Range<u32>),
    Second(std::ops::Range<u32>),
}

/// Returns the larger of the nodes that have children; the first when they are equal.
fn expanded(a: &SphereNode, b: &SphereNode) -> Expanded {
    match (a.is_leaf(), b.is_leaf()) {
        (true, true) => Expanded::Neither,
        (false, true) => Expanded::First(a.children()),
        (true, false) => Expanded::Second(b.children()),
        (false, false) if a.radius >= b.radius => Expanded::First(a.children()),
        (false, false) => Expanded::Second(b.children()),
    }
}
