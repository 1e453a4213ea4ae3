//! Meshes, materials and the bytes of their corners. What looks the same is stored once: a shape of the same kind, size
//! and place on its body, a material of the same colour, a mesh of the same shapes and materials.

use std::collections::BTreeMap;

use burgess_geometry::{Aabb, Pose};
use burgess_scene::spec::{BodySpec, PoseSpec, SceneSpec, ShapeKind, ShapeSpec};
use glam::DVec3;

use super::buffer::{Part, Parts};
use super::camera::Action;
use super::document::{Attributes, Material, Mesh, Pbr, Primitive};
use super::error::GltfError;
use super::motion::Key;
use super::shapes::{Middle, surface_of};
use super::surface::Surface;

/// Position and normal.
const CORNER_BYTES: usize = 24;
/// So many different shapes are remembered.
const REMEMBERED: usize = 256;
/// A half-space is shown so far around the action, in radii of it.
const SHOWN_AROUND: f64 = 10.0;
/// What nobody has given a colour.
const NO_COLOR: DVec3 = DVec3::splat(0.7);
/// Neither a mirror nor chalk.
const ROUGHNESS: f32 = 0.6;

/// The accessors of a surface, and the box around it in the body's coordinates.
#[derive(Debug, Clone, Copy)]
struct Stored {
    position: usize,
    normal: usize,
    indices: usize,
    bounds: Aabb,
}

/// What a body looks like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub mesh: Option<usize>,
    /// Around it in its own coordinates; empty (and not finite) if it has no shapes.
    pub bounds: Aabb,
}

impl Look {
    const NONE: Self = Self { mesh: None, bounds: Aabb::EMPTY };
}

/// All meshes and materials so far.
#[derive(Debug)]
pub(super) struct Geometry {
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub parts: Parts,
    /// More bytes are refused.
    limit: usize,
    surfaces: Vec<((ShapeKind, Pose), Stored)>,
    material_by_color: BTreeMap<[u8; 3], usize>,
    mesh_by_primitives: BTreeMap<Vec<(usize, usize)>, usize>,
}

impl Geometry {
    /// Nothing yet, and never more than so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            meshes: Vec::new(),
            materials: Vec::new(),
            parts: Parts::default(),
            limit,
            surfaces: Vec::new(),
            material_by_color: BTreeMap::new(),
            mesh_by_primitives: BTreeMap::new(),
        }
    }

    /// Makes all bodies that end. The others have to wait until it is known where something happens.
    pub fn add_bodies(&mut self, scene: &SceneSpec) -> Result<Vec<Look>, GltfError> {
        let look = |body| if is_endless(body) { Ok(Look::NONE) } else { self.look(body, Middle::default()) };
        scene.bodies.iter().map(look).collect()
    }

    /// Makes the bodies with half-spaces, as far around the action as is worth seeing.
    pub fn add_endless(
        &mut self,
        scene: &SceneSpec,
        looks: &mut [Look],
        keys: &[Key],
        action: &Action,
    ) -> Result<(), GltfError> {
        for ((body, look), key) in scene.bodies.iter().zip(looks).zip(keys).filter(|((body, _), _)| is_endless(body)) {
            let point = key.pose().inverse_transform_point(action.center);
            *look = self.look(body, Middle { point, half_side: SHOWN_AROUND * action.radius() })?;
        }
        Ok(())
    }

    /// Half-spaces are shown around a point of the body's coordinates.
    fn look(&mut self, body: &BodySpec, middle: Middle) -> Result<Look, GltfError> {
        let mut list = Vec::new();
        let mut bounds = Aabb::EMPTY;
        for (index, shape) in body.shapes.iter().enumerate() {
            let fail = |why| GltfError::Shape { body: body.name.clone(), shape: index + 1, why };
            let stored = self.surface(shape, middle).map_err(fail)?;
            bounds = bounds.union(&stored.bounds);
            list.push((stored, self.material(shape.color.or(body.color).unwrap_or(NO_COLOR))));
        }
        if list.is_empty() {
            return Ok(Look::NONE);
        }
        let key = list.iter().map(|(stored, material)| (stored.position, *material)).collect();
        let mesh = *self.mesh_by_primitives.entry(key).or_insert_with(|| {
            let primitives = list.iter().map(|&(Stored { position, normal, indices, .. }, material)| Primitive {
                attributes: Attributes { position, normal },
                indices,
                material,
            });
            self.meshes.push(Mesh { name: body.name.clone(), primitives: primitives.collect() });
            self.meshes.len() - 1
        });
        Ok(Look { mesh: Some(mesh), bounds })
    }

    fn surface(&mut self, shape: &ShapeSpec, middle: Middle) -> Result<Stored, String> {
        let pose = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
        let same = |((kind, place), _): &&((ShapeKind, Pose), Stored)| *place == pose && *kind == shape.kind;
        if let Some((_, stored)) = self.surfaces.iter().find(same) {
            return Ok(*stored);
        }
        let middle = Middle { point: pose.inverse_transform_point(middle.point), ..middle };
        let room = self.limit.saturating_sub(self.parts.bytes()) / CORNER_BYTES;
        let too_large = || format!("all shapes together need more than {} MiB", self.limit >> 20);
        let surface = surface_of(&shape.kind, middle, room)?.ok_or_else(too_large)?;
        let stored = store(&mut self.parts, &surface.moved(&pose))?;
        // What a half-space looks like depends on its body's place.
        if !matches!(shape.kind, ShapeKind::HalfSpace(_)) && self.surfaces.len() < REMEMBERED {
            self.surfaces.push(((shape.kind.clone(), pose), stored));
        }
        Ok(stored)
    }

    /// Colours of scenes are as screens have them (sRGB), those of glTF are linear.
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

/// Does it have a half-space?
fn is_endless(body: &BodySpec) -> bool {
    body.shapes.iter().any(|shape| matches!(shape.kind, ShapeKind::HalfSpace(_)))
}

/// From sRGB to linear light (IEC 61966-2-1), for a number from 0 to 1.
fn linear(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
}

/// Puts a surface into the buffer.
fn store(parts: &mut Parts, surface: &Surface) -> Result<Stored, String> {
    let count = surface.corners.len();
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for corner in &surface.corners {
        let corner = corner.as_vec3().to_array();
        if !corner.iter().all(|part| part.is_finite()) {
            return Err("it is too large for numbers of single precision".to_string());
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
    // The largest number of 16 bits means something else to some programs.
    let is_short = count <= usize::from(u16::MAX);
    let part = if is_short { Part::ShortIndices } else { Part::LongIndices };
    for &index in surface.triangles.iter().flatten() {
        if is_short { parts.push(part, &(index as u16).to_le_bytes()) } else { parts.push(part, &index.to_le_bytes()) }
    }
    let range = [low, high].map(|numbers| numbers.map(f64::from).to_vec());
    let position = parts.accessor(Part::Positions, count, Some(range));
    let normal = parts.accessor(Part::Normals, count, None);
    let indices = parts.accessor(part, 3 * surface.triangles.len(), None);
    Ok(Stored { position, normal, indices, bounds: surface.bounds() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use burgess_scene::spec::{CompoundShape, HeightFieldShape, PartSpec};

    #[test]
    fn shapes_that_need_too_much_room_are_refused() {
        let room_for_a_ball = 40_000;
        let refused = |shapes: Vec<ShapeSpec>| {
            let body = BodySpec::new("body", DVec3::ZERO, shapes);
            let looked = Geometry::new(room_for_a_ball).look(&body, Middle::default());
            looked.map_err(|error| error.to_string()).map(|look| look.mesh)
        };
        assert_eq!(refused(vec![ShapeSpec::sphere(1.0)]), Ok(Some(0)));
        assert_eq!(refused(vec![ShapeSpec::sphere(1.0); 100]), Ok(Some(0)), "they all look the same");
        let why = |shape| format!("body 'body', shape {shape}: all shapes together need more than 0 MiB");
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
