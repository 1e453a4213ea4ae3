//! The JSON of a glTF file, with the field names of the glTF 2.0 specification (section 5). Only the fields that the
//! export uses are defined.
//!
//! Empty lists are omitted, as the specification requires. Numbers must be finite, because JSON has no others.

use serde::Serialize;

/// The whole JSON document.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    pub scene: usize,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Buffer>,
}

#[derive(Debug, Serialize)]
pub(super) struct Asset {
    pub version: &'static str,
    pub generator: String,
}

impl Default for Asset {
    fn default() -> Self {
        Self { version: "2.0", generator: format!("Burgess {}", env!("CARGO_PKG_VERSION")) }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Scene {
    pub name: String,
    pub nodes: Vec<usize>,
}

/// A node with translation (m), unit quaternion (x, y, z, w) and contents.
#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Camera {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub perspective: Perspective,
}

/// Vertical field of view in rad; near and far distances in m.
#[derive(Debug, Serialize)]
pub(super) struct Perspective {
    pub yfov: f32,
    pub znear: f32,
    pub zfar: f32,
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
}

/// Triangles with one material.
#[derive(Debug, Serialize)]
pub(super) struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    pub material: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Attributes {
    pub position: usize,
    pub normal: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub name: String,
    pub pbr_metallic_roughness: Pbr,
}

/// Material parameters. The colour is linear: red, green, blue and opacity.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pbr {
    pub base_color_factor: [f32; 4],
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

#[derive(Debug, Serialize)]
pub(super) struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Serialize)]
pub(super) struct Target {
    pub node: usize,
    pub path: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: &'static str,
}

/// A list of numbers or vectors in a buffer view.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: usize,
    pub byte_offset: usize,
    pub component_type: ComponentType,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Minimum in double precision, so that readers in single and in double precision get the same number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<f64>,
}

/// Codes of number types in the specification.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ComponentType {
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

impl Serialize for ComponentType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(*self as u32)
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}
