//! Meshes, materials and vertex data. Duplicates are stored once: shapes of the same kind, size and pose on the body,
//! materials of the same colour, and meshes of the same shapes and materials.

use std::collections::BTreeMap;

use burgess_geometry::{Aabb, Pose};
use burgess_scene::spec::{BodySpec, PoseSpec, SceneSpec, ShapeKind, ShapeSpec};
use glam::DVec3;

use super::buffer::{BufferBuilder, Part};
use super::camera::ViewBounds;
use super::document::{Attributes, Material, Mesh, Pbr, Primitive};
use super::error::GltfError;
use super::motion::Key;
use super::shapes::{GroundSquare, surface_of};
use super::surface::Surface;

/// Bytes of the position and normal of a vertex.
const VERTEX_BYTES: usize = 24;
/// Maximum number of distinct shapes that are compared for duplicates.
const MAX_CACHED_SURFACES: usize = 256;
/// Half side of the square that represents a half-space, in radii of the view bounds.
const GROUND_RADII: f64 = 10.0;
/// Colour of shapes and bodies without a colour.
const DEFAULT_COLOR: DVec3 = DVec3::splat(0.7);
/// Roughness of all materials: slightly glossy.
const ROUGHNESS: f32 = 0.6;

/// The accessors of a surface and its bounds in body coordinates.
#[derive(Debug, Clone, Copy)]
struct StoredSurface {
    position: usize,
    normal: usize,
    indices: usize,
    bounds: Aabb,
}

/// The mesh of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyMesh {
    pub mesh: Option<usize>,
    /// Bounds in body coordinates; empty (and not finite) if the body has no shapes.
    pub bounds: Aabb,
}

impl BodyMesh {
    const NONE: Self = Self { mesh: None, bounds: Aabb::EMPTY };
}

/// All meshes and materials so far.
#[derive(Debug)]
pub(super) struct Geometry {
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub parts: BufferBuilder,
    /// Maximum number of bytes.
    limit: usize,
    surfaces: Vec<((ShapeKind, Pose), StoredSurface)>,
    material_by_color: BTreeMap<[u8; 3], usize>,
    mesh_by_primitives: BTreeMap<Vec<(usize, usize)>, usize>,
}

impl Geometry {
    /// Creates an empty geometry with a maximum number of bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            meshes: Vec::new(),
            materials: Vec::new(),
            parts: BufferBuilder::default(),
            limit,
            surfaces: Vec::new(),
            material_by_color: BTreeMap::new(),
            mesh_by_primitives: BTreeMap::new(),
        }
    }

    /// Adds all bounded bodies. Unbounded bodies are added when the bounds of the motion are known.
    pub fn add_bodies(&mut self, scene: &SceneSpec) -> Result<Vec<BodyMesh>, GltfError> {
        let look =
            |body| if is_unbounded(body) { Ok(BodyMesh::NONE) } else { self.add_body(body, GroundSquare::default()) };
        scene.bodies.iter().map(look).collect()
    }

    /// Adds the bodies with half-spaces, as squares around the view bounds.
    pub fn add_unbounded(
        &mut self,
        scene: &SceneSpec,
        body_meshes: &mut [BodyMesh],
        keys: &[Key],
        view: &ViewBounds,
    ) -> Result<(), GltfError> {
        for ((body, look), key) in
            scene.bodies.iter().zip(body_meshes).zip(keys).filter(|((body, _), _)| is_unbounded(body))
        {
            let center = key.pose().inverse_transform_point(view.center);
            *look = self.add_body(body, GroundSquare { center, half_side: GROUND_RADII * view.radius() })?;
        }
        Ok(())
    }

    /// Adds a body. `ground` is the square that represents half-spaces, in body coordinates.
    fn add_body(&mut self, body: &BodySpec, ground: GroundSquare) -> Result<BodyMesh, GltfError> {
        let mut list = Vec::new();
        let mut bounds = Aabb::EMPTY;
        for (index, shape) in body.shapes.iter().enumerate() {
            let fail = |why| GltfError::Shape { body: body.name.clone(), shape: index + 1, why };
            let stored = self.surface(shape, ground).map_err(fail)?;
            bounds = bounds.union(&stored.bounds);
            list.push((stored, self.material(shape.color.or(body.color).unwrap_or(DEFAULT_COLOR))));
        }
        if list.is_empty() {
            return Ok(BodyMesh::NONE);
        }
        let key = list.iter().map(|(stored, material)| (stored.position, *material)).collect();
        let mesh = *self.mesh_by_primitives.entry(key).or_insert_with(|| {
            let primitives = list.iter().map(|&(StoredSurface { position, normal, indices, .. }, material)| {
                Primitive { attributes: Attributes { position, normal }, indices, material }
            });
            self.meshes.push(Mesh { name: body.name.clone(), primitives: primitives.collect() });
            self.meshes.len() - 1
        });
        Ok(BodyMesh { mesh: Some(mesh), bounds })
    }

    fn surface(&mut self, shape: &ShapeSpec, ground: GroundSquare) -> Result<StoredSurface, String> {
        let pose = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
        let same = |((kind, place), _): &&((ShapeKind, Pose), StoredSurface)| *place == pose && *kind == shape.kind;
        if let Some((_, stored)) = self.surfaces.iter().find(same) {
            return Ok(*stored);
        }
        let ground = GroundSquare { center: pose.inverse_transform_point(ground.center), ..ground };
        let max_vertices = self.limit.saturating_sub(self.parts.bytes()) / VERTEX_BYTES;
        let too_large = || format!("the shapes of the scene need more than {} MiB", self.limit >> 20);
        let surface = surface_of(&shape.kind, ground, max_vertices)?.ok_or_else(too_large)?;
        let stored = store(&mut self.parts, &surface.moved(&pose))?;
        // The square of a half-space depends on the pose of its body.
        if !matches!(shape.kind, ShapeKind::HalfSpace(_)) && self.surfaces.len() < MAX_CACHED_SURFACES {
            self.surfaces.push(((shape.kind.clone(), pose), stored));
        }
        Ok(stored)
    }

    /// Returns the material of a colour. Colours are sRGB in scenes and linear in glTF.
    fn material(&mut self, color: DVec3) -> usize {
        let code = color.to_array().map(|part| (255.0 * part).round() as u8);
        *self.material_by_color.entry(code).or_insert_with(|| {
            let [red, green, blue] = color.to_array().map(|part| linear(part) as f32);
            let [r, g, b] = code;
            self.materials.push(Material {
                name: format!("#{r:02x}{g:02x}{b:02x}"),
                pbr_metallic_roughness: Pbr {
                    base_color_factor: [red, green, blue, 1.0],
                    metallic_factor: 0.0,
                    roughness_factor: ROUGHNESS,
                },
            });
            self.materials.len() - 1
        })
    }
}

/// Returns whether a body has a half-space.
fn is_unbounded(body: &BodySpec) -> bool {
    body.shapes.iter().any(|shape| matches!(shape.kind, ShapeKind::HalfSpace(_)))
}

/// Converts a component from sRGB to linear (IEC 61966-2-1), from 0 to 1.
fn linear(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
}

/// Writes a surface to the buffer.
fn store(parts: &mut BufferBuilder, surface: &Surface) -> Result<StoredSurface, String> {
    let count = surface.corners.len();
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for corner in &surface.corners {
        let corner = corner.as_vec3().to_array();
        if !corner.iter().all(|part| part.is_finite()) {
            return Err("it is too large for single precision".to_string());
        }
        for axis in 0..3 {
            low[axis] = low[axis].min(corner[axis]);
            high[axis] = high[axis].max(corner[axis]);
        }
        parts.push_floats(Part::Positions, &corner);
    }
    for normal in &surface.normals {
        parts.push_floats(Part::Normals, &normal.as_vec3().to_array());
    }
    // The largest 16-bit index is reserved for primitive restart.
    let is_short = count <= usize::from(u16::MAX);
    let part = if is_short { Part::ShortIndices } else { Part::LongIndices };
    for &index in surface.triangles.iter().flatten() {
        if is_short { parts.push(part, &(index as u16).to_le_bytes()) } else { parts.push(part, &index.to_le_bytes()) }
    }
    let range = [low, high].map(|numbers| numbers.map(f64::from).to_vec());
    let position = parts.accessor(Part::Positions, count, Some(range));
    let normal = parts.accessor(Part::Normals, count, None);
    let indices = parts.accessor(part, 3 * surface.triangles.len(), None);
    Ok(StoredSurface { position, normal, indices, bounds: surface.bounds() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use burgess_scene::spec::{CompoundShape, HeightFieldShape, PartSpec};

    #[test]
    fn shapes_that_need_too_much_memory_are_refused() {
        let bytes_for_a_sphere = 40_000;
        let refused = |shapes: Vec<ShapeSpec>| {
            let body = BodySpec::new("body", DVec3::ZERO, shapes);
            let added = Geometry::new(bytes_for_a_sphere).add_body(&body, GroundSquare::default());
            added.map_err(|error| error.to_string()).map(|look| look.mesh)
        };
        assert_eq!(refused(vec![ShapeSpec::sphere(1.0)]), Ok(Some(0)));
        assert_eq!(refused(vec![ShapeSpec::sphere(1.0); 100]), Ok(Some(0)), "duplicates are stored once");
        let why = |shape| format!("body 'body', shape {shape}: the shapes of the scene need more than 0 MiB");
        let different = (1..9).map(|radius| ShapeSpec::sphere(radius.into())).collect();
        assert_eq!(refused(different), Err(why(3)));
        let heights = vec![0.0; 10_000];
        let field = HeightFieldShape { columns: 100, rows: 100, size: glam::DVec2::ONE, heights, depth: None };
        assert_eq!(refused(vec![ShapeSpec::new(ShapeKind::HeightField(field))]), Err(why(1)));
        let orientation = Default::default();
        let part = PartSpec { kind: ShapeSpec::sphere(1.0).kind, position: DVec3::ZERO, orientation };
        let compound = CompoundShape { parts: vec![part; 9] };
        assert_eq!(refused(vec![ShapeSpec::new(ShapeKind::Compound(compound))]), Err(why(1)));
    }
}
