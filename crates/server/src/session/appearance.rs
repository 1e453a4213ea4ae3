//! Appearance: the bodies and shapes of a session, sent once for each epoch (`docs/protocol.md`, section Appearance).
//! Boxes, spheres, ellipsoids, cylinders, capsules and half-spaces are sent as a kind with sizes. Every other shape is
//! sent as a mesh, tessellated as for glTF; identical meshes are sent once.

use burgess_formats::gltf::{Surface, surface_of_shape};
use burgess_geometry::{Aabb, Pose};
use burgess_pictures::default_color;
use burgess_scene::spec::{BodySpec, PoseSpec, SceneSpec, ShapeKind, ShapeSpec};
use burgess_scene::{BuiltBody, RunningScene};
use glam::DVec3;
use serde::Serialize;

/// Maximum number of meshes that a new one is compared with.
const MAX_COMPARED_MESHES: usize = 256;

/// The appearance of a world.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Appearance {
    /// Number of the appearance. Each change of the world increases it.
    pub epoch: u32,
    /// Whether there is an infinite ground plane.
    pub ground: bool,
    /// Gravity, in m/s^2.
    pub gravity: [f64; 3],
    /// Whether the world is filled with a fluid.
    pub fluid: bool,
    /// Moving bodies, in the order of the poses of a frame.
    pub bodies: Vec<BodyAppearance>,
    /// Shapes of all bodies and of the world.
    pub shapes: Vec<ShapeAppearance>,
    /// Meshes of the shapes of kind `mesh`.
    pub meshes: Vec<MeshAppearance>,
    /// Index of the body that the camera follows.
    pub followed: Option<usize>,
    /// Bounding box of the initial scene.
    #[serde(rename = "box")]
    pub bounds: Bounds,
}

/// A moving body.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Body"))]
pub struct BodyAppearance {
    /// Name of the body.
    pub name: String,
    /// Mass, in kg. It is 0 if forces do not move the body.
    pub mass: f64,
    /// Index of the parent body.
    pub parent: Option<usize>,
    /// Type of the joint to the parent.
    pub joint: Option<&'static str>,
    /// Whether the body has colliding shapes.
    pub collides: bool,
}

/// The kind of a drawn shape, which decides the meaning of its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ShapeKind"))]
pub enum DrawnShape {
    /// Three half lengths.
    Box,
    /// One radius.
    Sphere,
    /// Three radii.
    Ellipsoid,
    /// Radius and half length, along z.
    Cylinder,
    /// Radius and half length without the caps, along z.
    Capsule,
    /// No sizes: the surface is at z = 0, solid below.
    HalfSpace,
    /// No sizes: the shape has a mesh.
    Mesh,
}

/// A shape of a body or of the world.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Shape"))]
pub struct ShapeAppearance {
    /// Index of the body, or null for a shape fixed in the world.
    pub body: Option<usize>,
    /// Kind of the shape.
    pub kind: DrawnShape,
    /// Sizes, in m; the kind decides their meaning.
    pub size: Vec<f64>,
    /// Pose in the body or in the world: position in m, quaternion x, y, z, w.
    pub pose: [f64; 7],
    /// sRGB color, each component from 0 to 1.
    pub color: [f64; 3],
    /// Index of the mesh, for the kind `mesh`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
}

/// A triangle mesh with normals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Mesh"))]
pub struct MeshAppearance {
    /// Positions of the vertices, three numbers each, in m.
    pub positions: Vec<f32>,
    /// Normals of the vertices, three numbers each.
    pub normals: Vec<f32>,
    /// Vertex indices of the triangles, three each.
    pub triangles: Vec<u32>,
}

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Bounds"))]
pub struct Bounds {
    /// Lowest corner, in m.
    pub min: [f64; 3],
    /// Highest corner, in m.
    pub max: [f64; 3],
}

impl From<Aabb> for Bounds {
    /// Converts a box, which may be empty.
    fn from(aabb: Aabb) -> Self {
        if aabb.min.is_finite() && aabb.max.is_finite() && aabb.min.cmple(aabb.max).all() {
            Self { min: aabb.min.to_array(), max: aabb.max.to_array() }
        } else {
            Self { min: [-1.0; 3], max: [1.0; 3] }
        }
    }
}

impl From<&Surface> for MeshAppearance {
    fn from(surface: &Surface) -> Self {
        let flat = |vectors: &[DVec3]| vectors.iter().flat_map(|vector| vector.as_vec3().to_array()).collect();
        Self {
            positions: flat(&surface.corners),
            normals: flat(&surface.normals),
            triangles: surface.triangles.iter().flatten().copied().collect(),
        }
    }
}

/// Position and quaternion of a pose, in one array.
pub fn seven_numbers(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [a, b, c, w]) = (pose.translation.to_array(), pose.rotation.to_array());
    [x, y, z, a, b, c, w]
}

/// The indices in the scene of the bodies that are in frames: all but fixed bodies without a link.
pub fn shown_bodies(scene: &SceneSpec, built: &[BuiltBody]) -> Vec<usize> {
    let all = scene.bodies.iter().zip(built).enumerate();
    all.filter(|(_, (body, built))| !body.fixed || built.link.is_some()).map(|(index, _)| index).collect()
}

/// The appearance of a running scene. `followed` is the index of a body in the scene.
pub fn of_scene(scene: &SceneSpec, running: &RunningScene, followed: Option<usize>, epoch: u32) -> Appearance {
    let shown = shown_bodies(scene, &running.bodies);
    let mut place = vec![None; scene.bodies.len()];
    shown.iter().enumerate().for_each(|(at, &body)| place[body] = Some(at));
    let mut list = ShapeList::default();
    for (index, (body, built)) in scene.bodies.iter().zip(&running.bodies).enumerate() {
        let stands = place[index].is_none() || body.fixed;
        let color = body.color.unwrap_or_else(|| default_color(place[index].unwrap_or(0), stands));
        for shape in &body.shapes {
            let own = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
            let pose = if place[index].is_some() { own } else { built.pose.compose(&own) };
            list.add(shape, place[index], &pose, shape.color.unwrap_or(color));
        }
    }
    let by_name = |name: &str| scene.body_index(name).and_then(|body| place[body]);
    let camera = scene.display.cameras.iter().find_map(|camera| camera.follow.as_deref());
    let look = |&index: &usize| {
        let body: &BodySpec = &scene.bodies[index];
        BodyAppearance {
            name: body.name.clone(),
            mass: running.bodies[index].mass.map_or(0.0, |mass| mass.mass),
            parent: body.joint.as_ref().and_then(|joint| joint.parent.as_deref()).and_then(by_name),
            joint: body.joint.as_ref().map(|joint| joint.kind.type_name()),
            collides: body.shapes.iter().any(|shape| shape.mask != 0 && shape.group != 0),
        }
    };
    Appearance {
        epoch,
        ground: has_ground(scene),
        gravity: scene.gravity.to_array(),
        fluid: scene.fluid.is_some(),
        bodies: shown.iter().map(look).collect(),
        shapes: list.shapes,
        meshes: list.meshes,
        followed: followed.and_then(|body| place[body]).or_else(|| camera.and_then(by_name)),
        bounds: around(running, followed.is_some()).into(),
    }
}

/// Whether there is a half-space whose normal points up.
fn has_ground(scene: &SceneSpec) -> bool {
    let is_ground = |body: &BodySpec, shape: &ShapeSpec| {
        let own = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
        let up = body.pose().compose(&own).transform_vector(DVec3::Z);
        matches!(shape.kind, ShapeKind::HalfSpace(_)) && up.z > 0.9
    };
    scene.bodies.iter().any(|body| body.shapes.iter().any(|shape| is_ground(body, shape)))
}

/// The current bounding box of all bounded shapes, or only of those that move.
fn around(running: &RunningScene, moving_only: bool) -> Aabb {
    let data = running.simulation.data();
    let colliders = data.world.colliders().iter().enumerate();
    let counted = colliders.filter(|(_, collider)| collider.link.is_some() || !moving_only);
    let boxes = counted.map(|(index, own)| own.shape.aabb(&data.world.collider_pose(&data.workspace, index)));
    let ends = boxes.filter(|aabb| aabb.min.is_finite() && aabb.max.is_finite());
    ends.fold(Aabb::EMPTY, |all, own| all.union(&own))
}

/// Collects shapes and meshes.
#[derive(Debug, Default)]
pub struct ShapeList {
    /// Shapes, in the order in which they were added.
    pub shapes: Vec<ShapeAppearance>,
    /// Meshes without repetitions.
    pub meshes: Vec<MeshAppearance>,
    known: Vec<(ShapeKind, usize)>,
}

impl ShapeList {
    /// Adds a shape of a scene, unless it cannot be drawn.
    pub fn add(&mut self, shape: &ShapeSpec, body: Option<usize>, pose: &Pose, color: DVec3) {
        let (kind, size, mesh) = match &shape.kind {
            ShapeKind::Box(own) => (DrawnShape::Box, (0.5 * own.size).to_array().to_vec(), None),
            ShapeKind::Sphere(own) => (DrawnShape::Sphere, vec![own.radius], None),
            ShapeKind::Ellipsoid(own) => (DrawnShape::Ellipsoid, own.semi_axes.to_array().to_vec(), None),
            ShapeKind::Cylinder(own) => (DrawnShape::Cylinder, vec![own.radius, 0.5 * own.length], None),
            ShapeKind::Capsule(own) => (DrawnShape::Capsule, vec![own.radius, 0.5 * own.length], None),
            ShapeKind::HalfSpace(_) => (DrawnShape::HalfSpace, Vec::new(), None),
            other => match self.mesh(other) {
                Some(mesh) => (DrawnShape::Mesh, Vec::new(), Some(mesh)),
                None => return,
            },
        };
        let (pose, color) = (seven_numbers(pose), color.to_array());
        self.shapes.push(ShapeAppearance { body, kind, size, pose, color, mesh });
    }

    /// Adds a mesh, and a shape of it.
    pub fn add_mesh(&mut self, mesh: usize, body: Option<usize>, pose: &Pose, color: DVec3) {
        let (pose, color) = (seven_numbers(pose), color.to_array());
        self.shapes.push(ShapeAppearance {
            body,
            kind: DrawnShape::Mesh,
            size: Vec::new(),
            pose,
            color,
            mesh: Some(mesh),
        });
    }

    fn mesh(&mut self, kind: &ShapeKind) -> Option<usize> {
        if let Some((_, mesh)) = self.known.iter().find(|(known, _)| known == kind) {
            return Some(*mesh);
        }
        let surface = surface_of_shape(kind).ok()?;
        self.meshes.push(MeshAppearance::from(&surface));
        let mesh = self.meshes.len() - 1;
        if self.known.len() < MAX_COMPARED_MESHES {
            self.known.push((kind.clone(), mesh));
        }
        Some(mesh)
    }
}
