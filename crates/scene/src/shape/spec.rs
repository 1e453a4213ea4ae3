//! Specs of shapes. All sizes are full sizes (not halves), in m; shapes of revolution have their axis along z and their
//! origin in the middle.

use std::path::PathBuf;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::spec::is_default;
use crate::spec::pose::Orientation;
use crate::spec::tagged::{read_with_kind, tagged};

tagged! {
    /// The kind of a shape.
    pub enum ShapeKind {
        /// A ball.
        "sphere" => Sphere(SphereShape),
        /// A box.
        "box" => Box(BoxShape),
        /// A cylinder with round ends; `length` is that between the centres of the ends.
        "capsule" => Capsule(RoundShape),
        /// A cylinder.
        "cylinder" => Cylinder(RoundShape),
        /// A cone with its tip up.
        "cone" => Cone(RoundShape),
        /// A cone without its tip.
        "frustum" => Frustum(FrustumShape),
        /// An ellipsoid.
        "ellipsoid" => Ellipsoid(EllipsoidShape),
        /// All space below the plane through the origin, with its normal along z; for fixed bodies only.
        "half_space" => HalfSpace(HalfSpaceShape),
        /// The convex hull of points.
        "hull" => Hull(HullShape),
        /// The inside of a closed triangle mesh, cut into convex parts for collisions.
        "mesh" => Mesh(MeshShape),
        /// Convex shapes fixed to each other.
        "compound" => Compound(CompoundShape),
        /// Terrain; for bodies that do not move by forces.
        "height_field" => HeightField(HeightFieldShape),
        /// A tube, as a ring of wedges.
        "tube" => Tube(TubeShape),
        /// A ring, as a ring of wedges.
        "torus" => Torus(TorusShape),
        /// A ball with flat faces.
        "faceted_sphere" => FacetedSphere(FacetedSphereShape),
        /// A cone with flat faces.
        "faceted_cone" => FacetedCone(FacetedConeShape),
        /// A pyramid on a square.
        "pyramid" => Pyramid(PyramidShape),
    }
}

/// The size of a ball.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereShape {
    /// Radius, in m.
    pub radius: f64,
}

/// The size of a box.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// Whole sides along x, y and z, in m.
    pub size: DVec3,
}

/// The size of a capsule, cylinder or cone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundShape {
    /// Radius, in m.
    pub radius: f64,
    /// Whole length along z, in m; of a capsule, that between the centres of its round ends.
    pub length: f64,
}

/// The size of a cone without its tip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrustumShape {
    /// Radius at the lower end, in m.
    pub bottom_radius: f64,
    /// Radius at the upper end, in m.
    pub top_radius: f64,
    /// Whole length along z, in m.
    pub length: f64,
}

/// The size of an ellipsoid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidShape {
    /// Half the axes along x, y and z, in m.
    pub semi_axes: DVec3,
}

/// A half-space; it has no parameters.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HalfSpaceShape {}

/// The corners of a convex polyhedron.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HullShape {
    /// At least four points that are not in a plane, in m.
    pub points: Vec<DVec3>,
}

/// A closed triangle mesh, in a file or inline, and how finely it is cut into convex parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeshShape {
    /// An OBJ or STL file, relative to the scene file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The corners of the triangles where there is no file, in m.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<DVec3>,
    /// Three indices into the vertices each, counter-clockwise seen from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<[u32; 3]>,
    /// Scale factor of all coordinates.
    pub scale: f64,
    /// Voxels along the longest side for cutting, 8 to 256.
    pub resolution: u32,
    /// Largest share of its hull that a part may leave empty before it is cut, 0 to 1.
    pub concavity: f64,
    /// Largest number of parts, 4 to 4096.
    pub max_parts: u32,
    /// Keep cavities inside the body empty.
    pub cavities: bool,
}

impl Default for MeshShape {
    fn default() -> Self {
        let options = burgess_geometry::shape::Decomposition::default();
        Self {
            file: None,
            vertices: Vec::new(),
            triangles: Vec::new(),
            scale: 1.0,
            resolution: options.resolution,
            concavity: options.concavity,
            max_parts: options.max_parts,
            cavities: options.cavities,
        }
    }
}

/// The parts of a compound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompoundShape {
    /// Convex shapes with their poses.
    pub parts: Vec<PartSpec>,
}

/// A convex part of a compound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartSpec {
    /// The kind of shape.
    #[serde(flatten)]
    pub kind: ShapeKind,
    /// Position in the compound, in m.
    #[serde(skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}

read_with_kind!(PartSpec: ShapeKind { position = DVec3::ZERO, orientation = Orientation::Straight });

/// Heights over a grid around the z axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeightFieldShape {
    /// Samples along x.
    pub columns: usize,
    /// Samples along y.
    pub rows: usize,
    /// Whole extent along x and y, in m.
    pub size: DVec2,
    /// Row by row, x running fastest, in m.
    pub heights: Vec<f64>,
    /// Depth of the ground below its lowest point, in m; the length of the field if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
}

/// The size of a tube.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TubeShape {
    /// Outer radius, in m.
    pub outer_radius: f64,
    /// Inner radius, in m.
    pub inner_radius: f64,
    /// Whole length along z, in m.
    pub length: f64,
    /// Number of wedges, at least 3.
    pub sides: usize,
}

/// The size of a ring around z.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorusShape {
    /// From the middle of the ring to the middle of its section, in m.
    pub major_radius: f64,
    /// Radius of the section, in m.
    pub minor_radius: f64,
    /// Number of wedges, at least 3.
    pub segments: usize,
    /// Sides of the section, at least 3.
    pub sides: usize,
}

/// The size of a ball with flat faces.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FacetedSphereShape {
    /// Distance of the corners, in m.
    pub radius: f64,
    /// How often the faces of an icosahedron are cut in four, 0 to 6.
    pub subdivisions: usize,
}

/// The size of a cone with flat faces.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FacetedConeShape {
    /// Distance of the base's corners, in m.
    pub radius: f64,
    /// Whole length along z, in m.
    pub length: f64,
    /// Sides of the base, at least 3.
    pub sides: usize,
}

/// The size of a pyramid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PyramidShape {
    /// Side of the square, in m.
    pub base: f64,
    /// Whole length along z, in m.
    pub length: f64,
}

/// Density of water, in kg/m^3.
pub(crate) const DENSITY: f64 = 1000.0;
pub(crate) const GROUP: u32 = 1;
pub(crate) const MASK: u32 = u32::MAX;

/// A shape with its pose on a body, its material and its colour.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShapeSpec {
    /// The kind of shape.
    #[serde(flatten)]
    pub kind: ShapeKind,
    /// Position in the body's coordinates, in m.
    #[serde(skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation in the body's coordinates.
    #[serde(skip_serializing_if = "is_default")]
    pub orientation: Orientation,
    /// Name of its material; the one called `default` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Density, in kg/m^3; 1000 if left out.
    #[serde(skip_serializing_if = "is_water")]
    pub density: f64,
    /// Groups that it belongs to, one bit each; the first if left out.
    #[serde(skip_serializing_if = "is_first_group")]
    pub group: u32,
    /// Groups that it collides with, one bit each; all if left out.
    #[serde(skip_serializing_if = "is_every_group")]
    pub mask: u32,
    /// Distance that contacts keep from the surface, in m; the margins of two shapes add up.
    #[serde(skip_serializing_if = "is_default")]
    pub margin: f64,
    /// Red, green and blue from 0 to 1; the body's if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<DVec3>,
}

read_with_kind!(ShapeSpec: ShapeKind {
    position = DVec3::ZERO,
    orientation = Orientation::Straight,
    material = None,
    density = DENSITY,
    group = GROUP,
    mask = MASK,
    margin = 0.0,
    color = None,
});

fn is_water(density: &f64) -> bool {
    *density == DENSITY
}

fn is_first_group(group: &u32) -> bool {
    *group == GROUP
}

fn is_every_group(mask: &u32) -> bool {
    *mask == MASK
}

impl ShapeSpec {
    /// A shape of water's density at the body's origin, with the default material.
    pub fn new(kind: ShapeKind) -> Self {
        Self {
            kind,
            position: DVec3::ZERO,
            orientation: Orientation::Straight,
            material: None,
            density: DENSITY,
            group: GROUP,
            mask: MASK,
            margin: 0.0,
            color: None,
        }
    }

    /// A box with whole sides, in m.
    pub fn cuboid(size: DVec3) -> Self {
        Self::new(ShapeKind::Box(BoxShape { size }))
    }

    /// A ball, radius in m.
    pub fn sphere(radius: f64) -> Self {
        Self::new(ShapeKind::Sphere(SphereShape { radius }))
    }

    /// A capsule along z: radius, and length between the centres of its ends, in m.
    pub fn capsule(radius: f64, length: f64) -> Self {
        Self::new(ShapeKind::Capsule(RoundShape { radius, length }))
    }

    /// A cylinder along z: radius and whole length, in m.
    pub fn cylinder(radius: f64, length: f64) -> Self {
        Self::new(ShapeKind::Cylinder(RoundShape { radius, length }))
    }

    /// Flat ground: all space below z = 0 of the body.
    pub fn half_space() -> Self {
        Self::new(ShapeKind::HalfSpace(HalfSpaceShape {}))
    }

    /// Sets the position in the body's coordinates, in m.
    pub fn at(mut self, position: DVec3) -> Self {
        self.position = position;
        self
    }

    /// Sets the orientation in the body's coordinates.
    pub fn turned(mut self, orientation: Orientation) -> Self {
        self.orientation = orientation;
        self
    }

    /// Sets the material, by name.
    pub fn of(mut self, material: &str) -> Self {
        self.material = Some(material.to_string());
        self
    }

    /// Sets the density, in kg/m^3.
    pub fn with_density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }

    /// Sets the colour: red, green and blue from 0 to 1.
    pub fn colored(mut self, color: DVec3) -> Self {
        self.color = Some(color);
        self
    }
}
