//! `<asset>`: meshes and height fields, which are read on first use by a geom, and the colours of materials. Textures
//! are ignored.

use std::collections::BTreeMap;
use std::rc::Rc;

use burgess_files::{NameFault, closest};
use glam::{DQuat, DVec3};

use super::compiler::{Compiler, set};
use super::defaults::Classes;
use super::mesh::{Mesh, MeshInertia};
use super::placement::quaternion;
use crate::import::{
    ImportError, ImportFault, MAX_ASSET_BYTES, MAX_TRIANGLES, ModelFolder, Triangles, Warnings, read_bytes,
};
use crate::xml::Element;

/// Maximum number of rows or columns of a height field.
const MAX_SAMPLES_PER_SIDE: i64 = burgess_geometry::shape::MAX_SAMPLES_PER_SIDE as i64;

/// Maximum total number of hull vertices and heights of all shapes of a model.
const MAX_TOTAL_VALUES: usize = 10_000_000;

/// Settings of a mesh: the attributes of an element over those of its default class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MeshSettings {
    scale: DVec3,
    inertia: MeshInertia,
}

impl Default for MeshSettings {
    fn default() -> Self {
        Self { scale: DVec3::ONE, inertia: MeshInertia::Legacy }
    }
}

impl MeshSettings {
    pub fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        set(&mut self.scale, element.vector("scale")?);
        let inertia = element.keyword("inertia", &["convex", "exact", "legacy", "shell"])?.map(|word| match word {
            "convex" => MeshInertia::Convex,
            "exact" => MeshInertia::Exact,
            "shell" => MeshInertia::Shell,
            _ => MeshInertia::Legacy,
        });
        set(&mut self.inertia, inertia);
        if element.whole("maxhullvert", -1..=i64::from(i32::MAX))?.is_some_and(|most| most > 0) {
            warnings.add("hulls with a limited number of vertices (maxhullvert); the exact hull is used", element);
        }
        Ok(())
    }
}

/// A height field.
#[derive(Debug, Clone)]
pub(super) struct HeightField {
    pub columns: usize,
    pub rows: usize,
    /// Half extents along x and y, maximum height and depth, in m.
    pub size: [f64; 4],
    /// Heights in m, row by row in the direction of increasing y.
    pub heights: Vec<f64>,
}

pub(super) struct Assets<'a> {
    folder: &'a ModelFolder,
    meshes: BTreeMap<String, (&'a Element, MeshSettings)>,
    read_meshes: BTreeMap<String, Rc<Mesh>>,
    height_fields: BTreeMap<String, &'a Element>,
    read_height_fields: BTreeMap<String, Rc<HeightField>>,
    colors: BTreeMap<String, [f64; 4]>,
    /// Number of hull vertices and heights in all shapes so far.
    value_count: usize,
}

impl<'a> Assets<'a> {
    pub fn read(
        root: &'a Element,
        classes: &Classes,
        folder: &'a ModelFolder,
        warnings: &mut Warnings,
    ) -> Result<Self, ImportError> {
        let mut assets = Self {
            folder,
            meshes: BTreeMap::new(),
            read_meshes: BTreeMap::new(),
            height_fields: BTreeMap::new(),
            read_height_fields: BTreeMap::new(),
            colors: BTreeMap::new(),
            value_count: 0,
        };
        for element in root.children("asset").flat_map(|section| &section.children) {
            let class = classes.of(element, None)?;
            match &*element.name {
                "mesh" => {
                    let mut settings = class.mesh.clone();
                    settings.apply(element, warnings)?;
                    for plugin in element.children("plugin") {
                        warnings.add("plugins", plugin);
                    }
                    insert(&mut assets.meshes, asset_name(element), (element, settings), element, "mesh")?;
                }
                "hfield" => insert(&mut assets.height_fields, asset_name(element), element, element, "height field")?,
                "material" => {
                    let mut color = class.material_color;
                    set(&mut color, element.array("rgba")?);
                    let name = element.text("name").map(str::to_string);
                    insert(&mut assets.colors, name, color, element, "material")?;
                }
                "skin" => warnings.add("skins", element),
                "model" => warnings.add("attached models (attach)", element),
                _ => {}
            }
        }
        Ok(assets)
    }

    pub fn material_color(&self, name: &str, element: &Element) -> Result<[f64; 4], ImportError> {
        self.colors.get(name).copied().ok_or_else(|| unknown_name(element, "material", name, self.colors.keys()))
    }

    pub fn mesh(&mut self, name: &str, user: &Element, compiler: &Compiler) -> Result<Rc<Mesh>, ImportError> {
        if let Some(known) = self.read_meshes.get(name) {
            return Ok(known.clone());
        }
        let known = self.meshes.get(name).cloned();
        let (element, settings) = known.ok_or_else(|| unknown_name(user, "mesh", name, self.meshes.keys()))?;
        if element.text("builtin").is_some_and(|kind| kind != "none") {
            return Err(element.conflict(
                "procedural meshes (builtin) are not supported; save the model with MuJoCo to export them as vertices",
            ));
        }
        let mut triangles = match element.text("file") {
            Some(file) => {
                let bytes = self.bytes(file, element, compiler)?;
                let kind = element.text("content_type").and_then(|kind| kind.rsplit(['/', '.']).next());
                let name = kind.map_or(file.to_string(), |kind| format!("{file}.{kind}"));
                Triangles::parse(&bytes, &name).map_err(|fault| element.fault(fault))?
            }
            None => inline_triangles(element)?,
        };
        let refpos = element.vector("refpos")?.unwrap_or_default();
        let refquat = element.array("refquat")?.map_or(Some(DQuat::IDENTITY), quaternion);
        let inverse = refquat.ok_or_else(|| element.wrong("refquat", "a quaternion that is not zero"))?.conjugate();
        for vertex in &mut triangles.vertices {
            *vertex = (inverse * (*vertex - refpos)) * settings.scale;
        }
        if settings.scale.element_product() < 0.0 {
            triangles.faces.iter_mut().for_each(|face| face.swap(1, 2));
        }
        let mesh = Rc::new(Mesh::new(triangles, settings.inertia));
        self.read_meshes.insert(name.to_string(), mesh.clone());
        Ok(mesh)
    }

    pub fn height_field(
        &mut self,
        name: &str,
        user: &Element,
        compiler: &Compiler,
    ) -> Result<Rc<HeightField>, ImportError> {
        if let Some(known) = self.read_height_fields.get(name) {
            return Ok(known.clone());
        }
        let known = self.height_fields.get(name).copied();
        let element = known.ok_or_else(|| unknown_name(user, "height field", name, self.height_fields.keys()))?;
        element.required("size")?;
        let size: [f64; 4] = element.array("size")?.unwrap_or_default();
        if size.iter().any(|&length| length <= 0.0) {
            return Err(element.wrong("size", "four positive numbers"));
        }
        let (rows, columns, mut heights) = match element.text("file") {
            Some(file) => {
                let png = element
                    .text("content_type")
                    .map_or(file.to_ascii_lowercase().ends_with(".png"), |kind| kind == "image/png");
                if png {
                    let why = "is an image; expected the attribute `elevation` or a binary file of MuJoCo";
                    let fault = ImportFault::File { path: file.to_string(), why: why.to_string() };
                    return Err(element.fault(fault));
                }
                let bytes = self.bytes(file, element, compiler)?;
                binary_heights(&bytes)
                    .map_err(|why| element.fault(ImportFault::File { path: file.to_string(), why }))?
            }
            None => inline_heights(element)?,
        };
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let range = if high > low { high - low } else { 1.0 };
        for height in &mut heights {
            *height = (*height - low) / range * size[2];
        }
        let field = Rc::new(HeightField { columns, rows, size, heights });
        self.read_height_fields.insert(name.to_string(), field.clone());
        Ok(field)
    }

    /// Counts the vertices or heights of a shape: a small file could refer to a large asset many times.
    pub fn count(&mut self, values: usize, element: &Element) -> Result<(), ImportError> {
        self.value_count += values;
        if self.value_count > MAX_TOTAL_VALUES {
            let what = "vertices and heights in all shapes";
            return Err(element.fault(ImportFault::TooMany { what, limit: MAX_TOTAL_VALUES }));
        }
        Ok(())
    }

    fn bytes(&self, file: &str, element: &Element, compiler: &Compiler) -> Result<Vec<u8>, ImportError> {
        let name = if compiler.strip_path { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
        let path = self.folder.find(compiler.mesh_folder(), name).map_err(|fault| element.fault(fault))?;
        read_bytes(&path, MAX_ASSET_BYTES).map_err(|fault| element.fault(fault))
    }
}

fn insert<T>(
    map: &mut BTreeMap<String, T>,
    name: Option<String>,
    value: T,
    element: &Element,
    what: &'static str,
) -> Result<(), ImportError> {
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Err(element.fault(ImportFault::Missing { what: "name".to_string() }));
    };
    match map.insert(name.clone(), value) {
        Some(_) => Err(element.fault(ImportFault::Name(NameFault::Duplicate { what, name }))),
        None => Ok(()),
    }
}

/// Returns the name of an asset, or else the stem of its file name.
fn asset_name(element: &Element) -> Option<String> {
    let given = element.text("name").filter(|name| !name.is_empty()).map(str::to_string);
    given.or_else(|| {
        let file = element.text("file")?.rsplit(['/', '\\']).next()?;
        Some(file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string())
    })
}

pub(super) fn unknown_name<'a>(
    element: &Element,
    what: &'static str,
    name: &str,
    known: impl IntoIterator<Item = &'a String>,
) -> ImportError {
    let suggestion = closest(name, known.into_iter().map(String::as_str));
    element.fault(ImportFault::Name(NameFault::Unknown { what, name: name.to_string(), suggestion }))
}

fn inline_triangles(element: &Element) -> Result<Triangles, ImportError> {
    element.required("vertex")?;
    let numbers = element.numbers("vertex", 12..=9 * MAX_TRIANGLES)?.unwrap_or_default();
    if numbers.len() % 3 != 0 {
        return Err(element.conflict("vertex must have three numbers for each vertex"));
    }
    let vertices = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
    let indices = element.numbers("face", 0..=3 * MAX_TRIANGLES)?.unwrap_or_default();
    let is_index = |value: &f64| value.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(value);
    if indices.len() % 3 != 0 || !indices.iter().all(is_index) {
        return Err(element.conflict("face must have three non-negative integers for each face"));
    }
    let faces = indices.chunks_exact(3).map(|face| [face[0] as u32, face[1] as u32, face[2] as u32]).collect();
    Triangles { vertices, faces }.checked().map_err(|why| element.conflict(format!("the mesh {why}")))
}

/// Reads rows, columns and heights from attributes. The first row is the one with the largest y.
fn inline_heights(element: &Element) -> Result<(usize, usize, Vec<f64>), ImportError> {
    let count = |attribute| {
        let found = element.whole(attribute, 2..=MAX_SAMPLES_PER_SIDE)?;
        found
            .map(|count| count as usize)
            .ok_or_else(|| element.fault(ImportFault::Missing { what: format!("file and no {attribute}") }))
    };
    let (rows, columns) = (count("nrow")?, count("ncol")?);
    if rows * columns > MAX_TRIANGLES {
        return Err(element.fault(ImportFault::TooMany { what: "heights", limit: MAX_TRIANGLES }));
    }
    let given = element.numbers("elevation", rows * columns..=rows * columns)?;
    let heights =
        given.map_or(vec![0.0; rows * columns], |given| given.chunks_exact(columns).rev().flatten().copied().collect());
    Ok((rows, columns, heights))
}

/// Parses two counts, then the heights. The first row is the one with the smallest y.
fn binary_heights(bytes: &[u8]) -> Result<(usize, usize, Vec<f64>), String> {
    let word = |place: usize| bytes.get(place..place + 4).and_then(|four| four.try_into().ok()).unwrap_or([0; 4]);
    let (rows, columns) = (i64::from(i32::from_le_bytes(word(0))), i64::from(i32::from_le_bytes(word(4))));
    let valid = (2..=MAX_SAMPLES_PER_SIDE).contains(&rows) && (2..=MAX_SAMPLES_PER_SIDE).contains(&columns);
    if !valid || rows * columns > MAX_TRIANGLES as i64 || bytes.len() as i64 != 4 * (2 + rows * columns) {
        return Err(format!(
            "is not a height field: its header has {rows} rows and {columns} columns, but it has {} bytes",
            bytes.len()
        ));
    }
    let heights: Vec<f64> = (2..bytes.len() / 4).map(|place| f64::from(f32::from_le_bytes(word(4 * place)))).collect();
    if heights.iter().all(|height| height.is_finite()) {
        Ok((rows as usize, columns as usize, heights))
    } else {
        Err("has a height that is not finite".to_string())
    }
}
