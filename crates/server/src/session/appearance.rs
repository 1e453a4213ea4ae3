//! Appearance: what a world looks like, once for each epoch (`docs/protocol.md`, section Appearance). Boxes, balls, ellipsoids,
//! cylinders, capsules and half-spaces are named with their sizes; every other shape is a mesh, tessellated as for glTF, and
//! meshes that are the same are there once.

use burgess_formats::gltf::{Surface, surface_of_shape};
use burgess_geometry::{Aabb, Pose};
use burgess_pictures::default_color;
use burgess_scene::spec::{BodySpec, JointKind, PoseSpec, SceneSpec, ShapeKind, ShapeSpec};
use burgess_scene::{BuiltBody, RunningScene};
use glam::DVec3;
use serde::Serialize;

/// So many different meshes are compared with a new one.
const REMEMBERED: usize = 256;

/// What a world looks like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Appearance {
    /// Of the world that it is of.
    pub epoch: u32,
    /// Is there ground without end?
    pub ground: bool,
    /// In m/s^2.
    pub gravity: [f64; 3],
    /// Is there water everywhere?
    pub fluid: bool,
    /// Those that move, in the order of a frame.
    pub bodies: Vec<BodyLook>,
    /// Of all bodies and of the world.
    pub shapes: Vec<ShapeLook>,
    /// What shapes are made of that have no kind of their own.
    pub meshes: Vec<MeshLook>,
    /// The body that a camera follows.
    pub followed: Option<usize>,
    /// Around what is to be seen at the start.
    #[serde(rename = "box")]
    pub bounds: BoxLook,
}

/// A body that moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodyLook {
    /// What others call it.
    pub name: String,
    /// In kg; 0 if forces do not move it.
    pub mass: f64,
    /// The body that it hangs on, by its place among those that move.
    pub parent: Option<usize>,
    /// What it hangs by.
    pub joint: Option<&'static str>,
    /// Does it have shapes that touch others?
    pub collides: bool,
}

/// A shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShapeLook {
    /// None: it stands in the world.
    pub body: Option<usize>,
    /// See the protocol.
    pub kind: &'static str,
    /// In m.
    pub size: Vec<f64>,
    /// In its body or in the world: position in m, quaternion x, y, z, w.
    pub pose: [f64; 7],
    /// sRGB from 0 to 1.
    pub color: [f64; 3],
    /// Index of its mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
}

/// Triangles with normals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshLook {
    /// Three numbers a corner, in m.
    pub positions: Vec<f32>,
    /// Three numbers a corner.
    pub normals: Vec<f32>,
    /// Three corners each.
    pub triangles: Vec<u32>,
}

/// A box.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BoxLook {
    /// In m.
    pub min: [f64; 3],
    /// In m.
    pub max: [f64; 3],
}

impl From<Aabb> for BoxLook {
    /// Of a box that may be empty.
    fn from(aabb: Aabb) -> Self {
        if aabb.min.is_finite() && aabb.max.is_finite() && aabb.min.cmple(aabb.max).all() {
            Self { min: aabb.min.to_array(), max: aabb.max.to_array() }
        } else {
            Self { min: [-1.0; 3], max: [1.0; 3] }
        }
    }
}

impl From<&Surface> for MeshLook {
    fn from(surface: &Surface) -> Self {
        let flat = |vectors: &[DVec3]| vectors.iter().flat_map(|vector| vector.as_vec3().to_array()).collect();
        Self {
            positions: flat(&surface.corners),
            normals: flat(&surface.normals),
            triangles: surface.triangles.iter().flatten().copied().collect(),
        }
    }
}

/// Position and quaternion of a pose.
pub fn seven_numbers(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [a, b, c, w]) = (pose.translation.to_array(), pose.rotation.to_array());
    [x, y, z, a, b, c, w]
}

/// The places in the scene of those bodies that are in a frame: all but those that are fixed and carry nothing.
pub fn shown_bodies(scene: &SceneSpec, built: &[BuiltBody]) -> Vec<usize> {
    let all = scene.bodies.iter().zip(built).enumerate();
    all.filter(|(_, (body, built))| !body.fixed || built.link.is_some()).map(|(index, _)| index).collect()
}

/// The appearance of a scene that runs; `followed` is a body's place in the scene.
pub fn of_scene(scene: &SceneSpec, running: &RunningScene, followed: Option<usize>, epoch: u32) -> Appearance {
    let shown = shown_bodies(scene, &running.bodies);
    let mut place = vec![None; scene.bodies.len()];
    shown.iter().enumerate().for_each(|(at, &body)| place[body] = Some(at));
    let mut gallery = Gallery::default();
    for (index, (body, built)) in scene.bodies.iter().zip(&running.bodies).enumerate() {
        let stands = place[index].is_none() || body.fixed;
        let color = body.color.unwrap_or_else(|| default_color(place[index].unwrap_or(0), stands));
        for shape in &body.shapes {
            let own = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
            let pose = if place[index].is_some() { own } else { built.pose.compose(&own) };
            gallery.add(shape, place[index], &pose, shape.color.unwrap_or(color));
        }
    }
    let by_name = |name: &str| scene.body_index(name).and_then(|body| place[body]);
    let camera = scene.display.cameras.iter().find_map(|camera| camera.follow.as_deref());
    let look = |&index: &usize| {
        let body: &BodySpec = &scene.bodies[index];
        BodyLook {
            name: body.name.clone(),
            mass: running.bodies[index].mass.map_or(0.0, |mass| mass.mass),
            parent: body.joint.as_ref().and_then(|joint| joint.parent.as_deref()).and_then(by_name),
            joint: body.joint.as_ref().map(|joint| joint_name(&joint.kind)),
            collides: body.shapes.iter().any(|shape| shape.mask != 0 && shape.group != 0),
        }
    };
    Appearance {
        epoch,
        ground: has_ground(scene),
        gravity: scene.gravity.to_array(),
        fluid: scene.fluid.is_some(),
        bodies: shown.iter().map(look).collect(),
        shapes: gallery.shapes,
        meshes: gallery.meshes,
        followed: followed.and_then(|body| place[body]).or_else(|| camera.and_then(by_name)),
        bounds: around(running, followed.is_some()).into(),
    }
}

/// A half-space that stands and looks up.
fn has_ground(scene: &SceneSpec) -> bool {
    let is_ground = |body: &BodySpec, shape: &ShapeSpec| {
        let own = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
        let up = body.pose().compose(&own).transform_vector(DVec3::Z);
        matches!(shape.kind, ShapeKind::HalfSpace(_)) && up.z > 0.9
    };
    scene.bodies.iter().any(|body| body.shapes.iter().any(|shape| is_ground(body, shape)))
}

/// The box around all shapes that end, at present; or only around those that move.
fn around(running: &RunningScene, moving_only: bool) -> Aabb {
    let data = running.simulation.data();
    let colliders = data.world.colliders().iter().enumerate();
    let counted = colliders.filter(|(_, collider)| collider.link.is_some() || !moving_only);
    let boxes = counted.map(|(index, own)| own.shape.aabb(&data.world.collider_pose(&data.workspace, index)));
    let ends = boxes.filter(|aabb| aabb.min.is_finite() && aabb.max.is_finite());
    ends.fold(Aabb::EMPTY, |all, own| all.union(&own))
}

/// As the protocol names it.
pub fn joint_name(kind: &JointKind) -> &'static str {
    kind.type_name()
}

/// Shapes and meshes so far.
#[derive(Debug, Default)]
pub struct Gallery {
    /// In the order in which they were added.
    pub shapes: Vec<ShapeLook>,
    /// Each once.
    pub meshes: Vec<MeshLook>,
    known: Vec<(ShapeKind, usize)>,
}

impl Gallery {
    /// Adds a shape of a scene. One that cannot be shown is left out.
    pub fn add(&mut self, shape: &ShapeSpec, body: Option<usize>, pose: &Pose, color: DVec3) {
        let (kind, size, mesh) = match &shape.kind {
            ShapeKind::Box(own) => ("box", (0.5 * own.size).to_array().to_vec(), None),
            ShapeKind::Sphere(own) => ("sphere", vec![own.radius], None),
            ShapeKind::Ellipsoid(own) => ("ellipsoid", own.semi_axes.to_array().to_vec(), None),
            ShapeKind::Cylinder(own) => ("cylinder", vec![own.radius, 0.5 * own.length], None),
            ShapeKind::Capsule(own) => ("capsule", vec![own.radius, 0.5 * own.length], None),
            ShapeKind::HalfSpace(_) => ("half-space", Vec::new(), None),
            other => match self.mesh(other) {
                Some(mesh) => ("mesh", Vec::new(), Some(mesh)),
                None => return,
            },
        };
        let (pose, color) = (seven_numbers(pose), color.to_array());
        self.shapes.push(ShapeLook { body, kind, size, pose, color, mesh });
    }

    /// Adds a mesh, and a shape of it.
    pub fn add_mesh(&mut self, mesh: usize, body: Option<usize>, pose: &Pose, color: DVec3) {
        let (pose, color) = (seven_numbers(pose), color.to_array());
        self.shapes.push(ShapeLook { body, kind: "mesh", size: Vec::new(), pose, color, mesh: Some(mesh) });
    }

    fn mesh(&mut self, kind: &ShapeKind) -> Option<usize> {
        if let Some((_, mesh)) = self.known.iter().find(|(known, _)| known == kind) {
            return Some(*mesh);
        }
        let surface = surface_of_shape(kind).ok()?;
        self.meshes.push(MeshLook::from(&surface));
        let mesh = self.meshes.len() - 1;
        if self.known.len() < REMEMBERED {
            self.known.push((kind.clone(), mesh));
        }
        Some(mesh)
    }
}
