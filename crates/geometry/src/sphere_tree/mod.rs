//! Sphere trees: any solid as a hierarchy of balls (Timchenko 2007, section IV.B.3; Bradshaw and O'Sullivan 2004).
//!
//! The leaves are placed on the medial axis, because balls that touch the surface from inside in several places fill a
//! body best (`fit`). Unlike in Bradshaw and O'Sullivan, each ball of the tree contains its children. So if two balls
//! are separated, everything below them is separated as well.

mod cover;
mod fit;
mod medial;

use glam::DVec3;

use crate::{GeometryError, TriangleMesh, error::check_count};

/// Maximum number of leaves of a tree, whatever depth and branching allow.
pub const MAX_LEAVES: usize = 4096;

/// Parameters of a sphere tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereTreeParameters {
    /// Levels below the root, 1 to 12.
    pub depth: usize,
    /// Maximum number of children of a node, 2 to 64. The number of leaves is at most `branching^depth` and at most
    /// [`MAX_LEAVES`].
    pub branching: usize,
    /// Allowed protrusion of the leaves beyond the surface, in metres. No more leaves are made than this requires. If
    /// the maximum number of leaves does not suffice, the leaves protrude farther: see [`SphereTree::protrusion`].
    pub tolerance: f64,
}

/// A ball of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereNode {
    /// Centre, in metres.
    pub center: DVec3,
    /// Radius, in metres.
    pub radius: f64,
    first_child: u32,
    children: u32,
}

impl SphereNode {
    /// Returns the indices of the children among [`SphereTree::nodes`]; empty at leaves.
    pub fn children(&self) -> std::ops::Range<u32> {
        self.first_child..self.first_child + self.children
    }

    /// Returns whether the node has no children.
    pub fn is_leaf(&self) -> bool {
        self.children == 0
    }
}

/// A tree of balls around a solid.
///
/// - Each ball contains the balls of its children.
/// - Each piece of the surface is inside a leaf (the interior need not be).
/// - No leaf extends farther out of the solid than [`SphereTree::protrusion`].
#[derive(Debug, Clone, PartialEq)]
pub struct SphereTree {
    nodes: Vec<SphereNode>,
    protrusion: f64,
}

impl SphereTree {
    /// Fits a tree to the solid inside a mesh.
    pub fn new(mesh: &TriangleMesh, parameters: &SphereTreeParameters) -> Result<Self, GeometryError> {
        let SphereTreeParameters { depth, branching, tolerance } = *parameters;
        check_count("depth of the sphere tree", depth, 1, 12)?;
        check_count("branching of the sphere tree", branching, 2, 64)?;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(GeometryError::NotPositive { what: "tolerance of the sphere tree", value: tolerance });
        }
        let max_balls = branching.saturating_pow(depth as u32).min(MAX_LEAVES);
        let fit = fit::fit(mesh, max_balls, tolerance)?;
        Ok(Self { nodes: hierarchy(&fit.balls, branching), protrusion: fit.protrusion })
    }

    /// Returns the balls in breadth-first order, with the root at index 0.
    pub fn nodes(&self) -> &[SphereNode] {
        &self.nodes
    }

    /// Returns the leaves.
    pub fn leaves(&self) -> impl Iterator<Item = &SphereNode> {
        self.nodes.iter().filter(|node| node.is_leaf())
    }

    /// Returns an upper bound on the protrusion of the leaves beyond the solid, in metres.
    pub fn protrusion(&self) -> f64 {
        self.protrusion
    }
}

/// A ball that is not part of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ball {
    center: DVec3,
    radius: f64,
}

/// Groups the leaves by position, breadth first, then computes the enclosing balls bottom-up.
fn hierarchy(leaves: &[Ball], branching: usize) -> Vec<SphereNode> {
    let mut order: Vec<u32> = (0..leaves.len() as u32).collect();
    let mut ranges = Vec::with_capacity(2 * leaves.len());
    ranges.push(0..leaves.len());
    let mut nodes: Vec<SphereNode> = Vec::with_capacity(2 * leaves.len());
    while nodes.len() < ranges.len() {
        let range = ranges[nodes.len()].clone();
        let leaf = leaves[order[range.start] as usize];
        let mut node = SphereNode { center: leaf.center, radius: leaf.radius, first_child: 0, children: 0 };
        if range.len() > 1 {
            node.first_child = ranges.len() as u32;
            divide(leaves, &mut order, range.clone(), branching.min(range.len()), &mut ranges);
            node.children = ranges.len() as u32 - node.first_child;
        }
        nodes.push(node);
    }
    for index in (0..nodes.len()).rev() {
        let children = nodes[index].children();
        if !children.is_empty() {
            let ball = enclosing(&nodes[children.start as usize..children.end as usize]);
            (nodes[index].center, nodes[index].radius) = (ball.center, ball.radius);
        }
    }
    nodes
}

/// Divides a range of leaves into groups of equal size (up to one) by splitting along the longest axis of their
/// centres.
fn divide(
    leaves: &[Ball],
    order: &mut [u32],
    range: std::ops::Range<usize>,
    groups: usize,
    out: &mut Vec<std::ops::Range<usize>>,
) {
    if groups == 1 {
        out.push(range);
        return;
    }
    let members = &mut order[range.clone()];
    let center = |leaf: u32| leaves[leaf as usize].center;
    let spread = crate::Aabb::from_points(members.iter().map(|&leaf| center(leaf))).extents();
    let axis = (0..3).rfold(0, |best, i| if spread[i] >= spread[best] { i } else { best });
    members.sort_by(|&a, &b| center(a)[axis].total_cmp(&center(b)[axis]).then(a.cmp(&b)));
    let half = groups / 2;
    let cut = range.start + (range.len() * half).div_ceil(groups);
    divide(leaves, order, range.start..cut, half, out);
    divide(leaves, order, cut..range.end, groups - half, out);
}

/// Returns a small ball that encloses balls: the centre moves towards the farthest ball in ever smaller steps (Badoiu
/// and Clarkson 2003), then the radius is set to enclose all of them.
fn enclosing(children: &[SphereNode]) -> Ball {
    let reach = |center: DVec3, child: &SphereNode| center.distance(child.center) + child.radius;
    let farthest = |center: DVec3| {
        children
            .iter()
            .fold(&children[0], |best, child| if reach(center, child) > reach(center, best) { child } else { best })
    };
    let mut center = children.iter().map(|c| c.center).sum::<DVec3>() / children.len() as f64;
    let mut best = Ball { center, radius: reach(center, farthest(center)) };
    for step in 2..400 {
        let far = farthest(center);
        let radius = reach(center, far);
        if radius < best.radius {
            best = Ball { center, radius };
        }
        // The farthest point of the farthest ball.
        let away = (far.center - center).try_normalize().unwrap_or(DVec3::ZERO);
        center += (far.center + far.radius * away - center) / f64::from(step);
    }
    best.radius *= 1.0 + 1e-13;
    best
}
