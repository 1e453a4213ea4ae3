//! Bodies made of convex parts, in a tree of bounding volumes (Fontijne 2000, sections 2.4 and 2.4.2).
//!
//! Two distant compounds are compared by the hulls at their roots, at the cost of one pair of polyhedra. Children are
//! visited only where hulls are near each other.

use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;

use super::Shape;
use crate::{Aabb, GeometryError, MassProperties, Polyhedron, Pose, error::check_count};

/// Maximum number of parts.
pub const MAX_PARTS: usize = 1 << 20;

/// Bounding volume of an inner node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NodeBounds {
    /// Convex hull of the parts: the tightest volume.
    #[default]
    Hull,
    /// Box along the compound's axes: fewer features.
    Box,
}

/// A convex part. Polyhedra and boxes are stored as polyhedra in the compound's frame, so that queries need no further
/// transform. Smooth shapes keep their own frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    shape: Shape,
    pose: Pose,
}

impl Part {
    /// Returns the shape, which is convex and bounded.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the pose of the shape in the compound: the identity for polyhedra.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    fn new(shape: &Shape, pose: &Pose) -> Result<Self, String> {
        if !(pose.translation.is_finite() && pose.rotation.is_normalized()) {
            return Err("its pose must have a finite position and a unit quaternion".to_string());
        }
        let polyhedron = match shape {
            Shape::Polyhedron(p) => p,
            Shape::Cuboid(b) => &b.polyhedron,
            _ if shape.as_convex().is_some() => return Ok(Self { shape: shape.clone(), pose: *pose }),
            _ => return Err(format!("a {} is not a convex body", shape.kind())),
        };
        let moved = if *pose == Pose::IDENTITY {
            polyhedron.clone()
        } else {
            Arc::new(polyhedron.transformed(pose).map_err(|e| e.to_string())?)
        };
        Ok(Self { shape: Shape::Polyhedron(moved), pose: Pose::IDENTITY })
    }

    /// Returns points whose hull contains the part: its vertices, or the corners of a box around it.
    fn enclosing_points(&self) -> Vec<DVec3> {
        match &self.shape {
            Shape::Polyhedron(p) => p.vertices().to_vec(),
            smooth => smooth.aabb(&Pose::IDENTITY).corners().map(|c| self.pose.transform_point(c)).to_vec(),
        }
    }
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    bounds: Aabb,
    volume: Option<Arc<Polyhedron>>,
    content: Content,
}

#[derive(Debug, Clone, PartialEq)]
enum Content {
    Inner(Range<u32>),
    Leaf(u32),
}

impl Node {
    /// Returns the box around the subtree, in the compound's frame.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Returns a polyhedron that contains the subtree, in the compound's frame: a hull or box at inner nodes, the part
    /// itself at leaves. It is `None` only at leaves with a smooth part.
    pub fn volume(&self) -> Option<&Arc<Polyhedron>> {
        self.volume.as_ref()
    }

    /// Returns the indices of the children among [`Compound::nodes`]; empty at leaves.
    pub fn children(&self) -> Range<u32> {
        match &self.content {
            Content::Inner(children) => children.clone(),
            Content::Leaf(_) => 0..0,
        }
    }

    /// Returns the index of the part among [`Compound::parts`], at leaves.
    pub fn part(&self) -> Option<u32> {
        match self.content {
            Content::Inner(_) => None,
            Content::Leaf(part) => Some(part),
        }
    }
}

/// Convex parts fixed to each other. The mass is the sum over the parts: overlaps count twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Compound {
    parts: Vec<Part>,
    nodes: Vec<Node>,
}

impl Compound {
    /// Combines convex shapes, each at its pose in the compound.
    ///
    /// ```
    /// use burgess_geometry::shape::{Compound, Cuboid, NodeBounds, Sphere};
    /// use burgess_geometry::{Pose, Shape};
    /// use glam::DVec3;
    ///
    /// let ball = Shape::Sphere(Sphere::new(0.2).unwrap());
    /// let bar = Shape::Cuboid(Cuboid::new(DVec3::new(1.0, 0.1, 0.1)).unwrap());
    /// let parts = [(bar, Pose::IDENTITY), (ball, Pose::from_translation(DVec3::X))];
    /// let hammer = Compound::new(&parts, NodeBounds::Hull).unwrap();
    /// assert_eq!(hammer.nodes()[0].bounds().max.x, 1.2);
    /// ```
    pub fn new(parts: &[(Shape, Pose)], bounds: NodeBounds) -> Result<Self, GeometryError> {
        check_count("number of parts", parts.len(), 1, MAX_PARTS)?;
        let part = |(index, (shape, pose)): (usize, &(Shape, Pose))| {
            Part::new(shape, pose).map_err(|why| GeometryError::BadPart { part: index, why })
        };
        let parts: Vec<Part> = parts.iter().enumerate().map(part).collect::<Result<_, _>>()?;
        let nodes = build(&parts, bounds)?;
        Ok(Self { parts, nodes })
    }

    /// Creates a compound of polyhedra given in its frame.
    pub fn from_polyhedra(polyhedra: Vec<Polyhedron>, bounds: NodeBounds) -> Result<Self, GeometryError> {
        let parts: Vec<_> = polyhedra.into_iter().map(|p| (Shape::Polyhedron(Arc::new(p)), Pose::IDENTITY)).collect();
        Self::new(&parts, bounds)
    }

    /// Returns the parts, in the order given.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the nodes of the tree: the root first, children after their parents, siblings next to each other.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the smallest box around the compound at a pose.
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let boxes = self.parts.iter().map(|part| part.shape.aabb(&pose.compose(&part.pose)));
        boxes.fold(Aabb::EMPTY, |all, one| all.union(&one))
    }

    /// Returns the largest distance of the compound from a point of its frame, in metres.
    pub fn bounding_radius(&self, about: DVec3) -> f64 {
        let radii = self.parts.iter().map(|p| p.shape.bounding_radius(p.pose.inverse_transform_point(about)));
        radii.fold(0.0, f64::max)
    }

    /// Returns the mass properties for a uniform density in kg/m^3.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let part = |p: &Part| Ok(p.shape.mass_properties(density)?.transformed(&p.pose));
        let masses = self.parts.iter().map(part).collect::<Result<Vec<_>, GeometryError>>()?;
        MassProperties::combined(masses.into_iter()).ok_or(GeometryError::NoMass { shape: "compound" })
    }
}

/// Recursively splits the parts at the median along the longest axis of their centres.
fn build(parts: &[Part], bounds: NodeBounds) -> Result<Vec<Node>, GeometryError> {
    let boxes: Vec<Aabb> = parts.iter().map(|p| p.shape.aabb(&p.pose)).collect();
    let mut order: Vec<u32> = (0..parts.len() as u32).collect();
    // Breadth first: the parts of node i are at ranges[i] of `order`.
    let mut ranges = Vec::with_capacity(2 * parts.len() - 1);
    ranges.push(0..parts.len());
    let mut nodes: Vec<Node> = Vec::with_capacity(2 * parts.len() - 1);
    while nodes.len() < ranges.len() {
        let range = ranges[nodes.len()].clone();
        let members = &mut order[range.clone()];
        let around = members.iter().fold(Aabb::EMPTY, |all, &p| all.union(&boxes[p as usize]));
        let content = if let [part] = *members {
            Content::Leaf(part)
        } else {
            let middle = |p: u32| boxes[p as usize].center();
            let spread = Aabb::from_points(members.iter().map(|&p| middle(p))).extents();
            let axis = (0..3).rfold(0, |best, i| if spread[i] >= spread[best] { i } else { best });
            members.sort_by(|&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b)));
            let half = range.start + range.len() / 2;
            let first = ranges.len() as u32;
            ranges.push(range.start..half);
            ranges.push(half..range.end);
            Content::Inner(first..first + 2)
        };
        nodes.push(Node { bounds: around, volume: None, content });
    }
    // Build the volumes bottom-up: a hull of hulls is the hull of all points.
    for index in (0..nodes.len()).rev() {
        let volume = match &nodes[index].content {
            Content::Leaf(part) => match &parts[*part as usize].shape {
                Shape::Polyhedron(p) => Some(p.clone()),
                _ => None,
            },
            Content::Inner(children) => {
                let points: Vec<DVec3> = match bounds {
                    NodeBounds::Box => nodes[index].bounds.corners().to_vec(),
                    NodeBounds::Hull => {
                        children.clone().flat_map(|c| enclosing_points(&nodes[c as usize], parts)).collect()
                    }
                };
                Some(Arc::new(Polyhedron::hull(&points)?))
            }
        };
        nodes[index].volume = volume;
    }
    Ok(nodes)
}

fn enclosing_points(node: &Node, parts: &[Part]) -> Vec<DVec3> {
    match (&node.volume, &node.content) {
        (Some(volume), _) => volume.vertices().to_vec(),
        (None, Content::Leaf(part)) => parts[*part as usize].enclosing_points(),
        (None, Content::Inner(_)) => Vec::new(),
    }
}
