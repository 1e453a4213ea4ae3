//! Sphere trees against each other and against convex shapes (002 IV.B.3).
//!
//! Each ball contains its children, so two balls bound all pairs below them: by the nearest pair of balls when they are
//! apart, and by the deepest when they are not. Points and normals are those of the balls, so they are as good as the
//! tree: the solids are no nearer than the balls, and farther apart by at most the sum of
//! [`SphereTree::protrusion`].

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use burgess_geometry::shape::Sphere;
use burgess_geometry::{RelativePose, Shape, SphereNode, SphereTree};
use glam::DVec3;

use super::closest_convex_pair::closest_convex_pair;
use super::{ConvexCache, NarrowScratch, Proximity};

/// Two balls: leaves of the trees, or the leaf of one and 0 for a shape without a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BallContact {
    /// In the frame of a.
    pub proximity: Proximity,
    /// Node of the first tree.
    pub node_a: u32,
    /// Node of the second tree.
    pub node_b: u32,
}

/// Reused memory.
#[derive(Debug, Clone, Default)]
pub struct SphereTreeScratch {
    queue: BinaryHeap<Waiting>,
    stack: Vec<(u32, u32)>,
}

/// Two nodes by their distance: the lowest first, then the smallest nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Waiting(BallContact);

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, Self(other): &Self) -> Ordering {
        let nodes = |c: &BallContact| (c.node_a, c.node_b);
        other.proximity.distance.total_cmp(&self.0.proximity.distance).then(nodes(other).cmp(&nodes(&self.0)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The nearest pair of leaves, or the deepest; of equals the one with the smallest nodes.
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
    // The lowest bound is opened first, so the first pair of leaves to come up is the answer.
    loop {
        match opened(&a.nodes()[here.node_a as usize], &b.nodes()[here.node_b as usize]) {
            Opened::Neither => return here,
            Opened::First(children) => queue.extend(children.map(|child| Waiting(contact(child, here.node_b)))),
            Opened::Second(children) => queue.extend(children.map(|child| Waiting(contact(here.node_a, child)))),
        }
        match queue.pop() {
            Some(Waiting(next)) => here = next,
            None => return here,
        }
    }
}

/// All pairs of leaves nearer than `margin` metres, by recursive descent, in the order of the trees. `contacts` is emptied
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
        match opened(&a.nodes()[node_a as usize], &b.nodes()[node_b as usize]) {
            Opened::Neither => contacts.push(contact),
            Opened::First(children) => stack.extend(children.rev().map(|child| (child, node_b))),
            Opened::Second(children) => stack.extend(children.rev().map(|child| (node_a, child))),
        }
    }
}

/// The leaf nearest to a convex shape or a half-space, or the deepest; nothing when the shape is neither.
pub fn closest_sphere_tree_convex(
    a: &SphereTree,
    b: &Shape,
    b_in_a: &RelativePose,
    scratch: &mut NarrowScratch,
) -> Option<BallContact> {
    let NarrowScratch { polytope, statistics, sphere_tree, .. } = scratch;
    let mut contact = |node_a: u32| {
        let node = &a.nodes()[node_a as usize];
        let ball = Shape::Sphere(Sphere { radius: node.radius });
        let translation = b_in_a.translation - node.center;
        let b_in_ball =
            RelativePose { translation, translation_inverse: -(b_in_a.rotation_inverse * translation), ..*b_in_a };
        let proximity = closest_convex_pair(&ball, b, &b_in_ball, &mut ConvexCache::Empty, polytope, statistics)?;
        let (point_a, point_b) = (proximity.point_a + node.center, proximity.point_b + node.center);
        Some(BallContact { proximity: Proximity { point_a, point_b, ..proximity }, node_a, node_b: 0 })
    };
    let queue = &mut sphere_tree.queue;
    queue.clear();
    let mut here = contact(0)?;
    loop {
        let children = a.nodes()[here.node_a as usize].children();
        if children.is_empty() {
            return Some(here);
        }
        for child in children {
            queue.push(Waiting(contact(child)?));
        }
        here = queue.pop()?.0;
    }
}

/// The balls of two nodes. Concentric ones are separated along a's z axis.
fn ball_ball(a: &SphereTree, node_a: u32, b: &SphereTree, node_b: u32, b_in_a: &RelativePose) -> BallContact {
    let (ball_a, ball_b) = (&a.nodes()[node_a as usize], &b.nodes()[node_b as usize]);
    let offset = b_in_a.b_to_a(ball_b.center) - ball_a.center;
    let normal = offset.try_normalize().unwrap_or(DVec3::Z);
    let point_a = ball_a.center + ball_a.radius * normal;
    let distance = offset.length() - ball_a.radius - ball_b.radius;
    BallContact { proximity: Proximity::from_point_a(point_a, normal, distance), node_a, node_b }
}

/// Which of two nodes is replaced by its children.
enum Opened {
    Neither,
    First(std::ops::Range<u32>),
    Second(std::ops::Range<u32>),
}

/// The larger of the two that can be opened; the first when they are equal.
fn opened(a: &SphereNode, b: &SphereNode) -> Opened {
    match (a.is_leaf(), b.is_leaf()) {
        (true, true) => Opened::Neither,
        (false, true) => Opened::First(a.children()),
        (true, false) => Opened::Second(b.children()),
        (false, false) if a.radius >= b.radius => Opened::First(a.children()),
        (false, false) => Opened::Second(b.children()),
    }
}
