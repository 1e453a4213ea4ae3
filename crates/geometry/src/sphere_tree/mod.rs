//! Sphere trees: a solid of any form as a hierarchy of balls (002 IV.B.3; Bradshaw and O'Sullivan 2004).
//!
//! The leaves come from the medial axis, as balls that touch the surface from inside in several places fill a body best
//! (`fit`). The tree above them is built so that each ball contains its children, which theirs are not: then two trees
//! whose roots are apart are apart, and so at every level.

mod cover;
mod fit;
mod medial;

use glam::DVec3;

use crate::{GeometryError, TriangleMesh, error::counted};

/// The most leaves that a tree has, whatever depth and branching allow.
pub const MAX_LEAVES: usize = 4096;

/// How fine a sphere tree is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereTreeParameters {
    /// Levels below the root, 1 to 12.
    pub depth: usize,
    /// Children of a node at most, 2 to 64. With the depth this bounds the leaves: `branching^depth`, at most
    /// [`MAX_LEAVES`].
    pub branching: usize,
    /// How far leaves may stick out of the surface, in metres. No more leaves are made than this needs; if the bound on
    /// their number is reached, they stick out farther, as little as can be: [`SphereTree::protrusion`] says how far.
    pub tolerance: f64,
}

/// A ball of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereNode {
    /// Its middle, in metres.
    pub center: DVec3,
    /// Its radius, in metres.
    pub radius: f64,
    first_child: u32,
    children: u32,
}

impl SphereNode {
    /// Indices of the children among [`SphereTree::nodes`]; empty at leaves.
    pub fn children(&self) -> std::ops::Range<u32> {
        self.first_child..self.first_child + self.children
    }

    /// Has it no children?
    pub fn is_leaf(&self) -> bool {
        self.children == 0
    }
}

/// A tree of balls around a solid.
///
/// - Each ball contains the balls of its children.
/// - Each piece of the surface is inside a leaf (the inside need not be).
/// - No leaf reaches farther out of the solid than [`SphereTree::protrusion`].
#[derive(Debug, Clone, PartialEq)]
pub struct SphereTree {
    nodes: Vec<SphereNode>,
    protrusion: f64,
}

impl SphereTree {
    /// Fits a tree to the solid inside a mesh.
    pub fn new(mesh: &TriangleMesh, parameters: &SphereTreeParameters) -> Result<Self, GeometryError> {
        let SphereTreeParameters { depth, branching, tolerance } = *parameters;
        counted("depth of the sphere tree", depth, 1, 12)?;
        counted("branching of the sphere tree", branching, 2, 64)?;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Err(GeometryError::NotPositive { what: "tolerance of the sphere tree", value: tolerance });
        }
        let most = branching.saturating_pow(depth as u32).min(MAX_LEAVES);
        let fit = fit::fit(mesh, most, tolerance)?;
        Ok(Self { nodes: hierarchy(&fit.balls, branching), protrusion: fit.protrusion })
    }

    /// The balls, breadth first, the root at index 0.
    pub fn nodes(&self) -> &[SphereNode] {
        &self.nodes
    }

    /// The leaves.
    pub fn leaves(&self) -> impl Iterator<Item = &SphereNode> {
        self.nodes.iter().filter(|node| node.is_leaf())
    }

    /// How far leaves stick out of the solid at most, in metres: an upper bound.
    pub fn protrusion(&self) -> f64 {
        self.protrusion
    }
}

/// A ball without a place in a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ball {
    center: DVec3,
    radius: f64,
}

/// Groups the leaves by place, breadth first, then encloses them from the leaves up.
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

/// Cuts a range of leaves into groups of equal number (up to one) by halving across the longest axis of their middles.
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

/// A small ball around balls: the middle wanders ever less towards the farthest (Badoiu and Clarkson 2003), then the
/// radius takes in all of them.
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
