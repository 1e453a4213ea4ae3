//! Meshes and height fields. Each is written once, inline.

use std::collections::BTreeMap;

use burgess_geometry::shape::HeightField;
use glam::DVec3;

use crate::export::Names;
use crate::xml::XmlWriter;

/// Height scale of a flat height field: MuJoCo requires a positive number, which it multiplies by zero.
const FLAT_HEIGHT_SCALE: f64 = 1.0;

/// Assets that geoms refer to.
#[derive(Default)]
pub(super) struct Assets {
    mesh_names: Names,
    meshes: Vec<(String, Vec<DVec3>)>,
    mesh_by_points: BTreeMap<Vec<[u64; 3]>, usize>,
    fields: Vec<(String, HeightField)>,
    field_names: Names,
}

impl Assets {
    /// Returns the name of the convex mesh with the given vertices, and adds the mesh if it is new.
    pub fn mesh(&mut self, points: &[DVec3]) -> String {
        let key = points.iter().map(|point| point.to_array().map(f64::to_bits)).collect();
        let index = *self.mesh_by_points.entry(key).or_insert_with(|| {
            self.meshes.push((self.mesh_names.unique("hull"), points.to_vec()));
            self.meshes.len() - 1
        });
        self.meshes[index].0.clone()
    }

    /// Returns the name of a height field, and adds the field if it is new.
    pub fn field(&mut self, field: &HeightField) -> String {
        if let Some((name, _)) = self.fields.iter().find(|(_, known)| known == field) {
            return name.clone();
        }
        let name = self.field_names.unique("height_field");
        self.fields.push((name.clone(), field.clone()));
        name
    }

    pub fn write(&self, xml: &mut XmlWriter) {
        if self.meshes.is_empty() && self.fields.is_empty() {
            return;
        }
        xml.open("asset");
        for (name, points) in &self.meshes {
            xml.open("mesh").attribute("name", name).attribute("inertia", "convex");
            xml.numbers("vertex", points.iter().flat_map(DVec3::to_array)).close();
        }
        for (name, field) in &self.fields {
            let [low, high] = height_range(field);
            let rise = if high > low { high - low } else { FLAT_HEIGHT_SCALE };
            let (rows, columns) = (field.rows(), field.columns());
            xml.open("hfield").attribute("name", name);
            xml.attribute("nrow", &rows.to_string()).attribute("ncol", &columns.to_string());
            xml.numbers("size", [0.5 * field.size().x, 0.5 * field.size().y, rise, low - field.bottom()]);
            // The first row of the text is the one with the largest y.
            let samples = (0..rows).rev().flat_map(|row| &field.heights()[row * columns..(row + 1) * columns]);
            xml.numbers("elevation", samples.map(|height| height - low)).close();
        }
        xml.close();
    }
}

/// Returns the minimum and maximum height, in m. In MuJoCo the minimum is always zero.
pub(super) fn height_range(field: &HeightField) -> [f64; 2] {
    let low = field.heights().iter().copied().fold(f64::INFINITY, f64::min);
    [low, field.heights().iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}
