//! Meshes and terrain, each written once however often it is used, in the file itself.

use std::collections::BTreeMap;

use burgess_geometry::shape::HeightField;
use glam::DVec3;

use crate::export::Names;
use crate::xml::XmlWriter;

/// Height of a field whose samples are all alike: MuJoCo wants one, and multiplies it by zero.
const FLAT: f64 = 1.0;

/// What shapes refer to.
#[derive(Default)]
pub(super) struct Assets {
    mesh_names: Names,
    meshes: Vec<(String, Vec<DVec3>)>,
    mesh_by_points: BTreeMap<Vec<[u64; 3]>, usize>,
    fields: Vec<(String, HeightField)>,
    field_names: Names,
}

impl Assets {
    /// The name of a convex mesh with these corners.
    pub fn mesh(&mut self, points: &[DVec3]) -> String {
        let key = points.iter().map(|point| point.to_array().map(f64::to_bits)).collect();
        let place = *self.mesh_by_points.entry(key).or_insert_with(|| {
            self.meshes.push((self.mesh_names.give("hull"), points.to_vec()));
            self.meshes.len() - 1
        });
        self.meshes[place].0.clone()
    }

    /// The name of a height field.
    pub fn field(&mut self, field: &HeightField) -> String {
        if let Some((name, _)) = self.fields.iter().find(|(_, known)| known == field) {
            return name.clone();
        }
        let name = self.field_names.give("height_field");
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
            let [low, high] = extremes(field);
            let rise = if high > low { high - low } else { FLAT };
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

/// Lowest and highest sample, in m. MuJoCo's field has its lowest sample at zero.
pub(super) fn extremes(field: &HeightField) -> [f64; 2] {
    let low = field.heights().iter().copied().fold(f64::INFINITY, f64::min);
    [low, field.heights().iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}
