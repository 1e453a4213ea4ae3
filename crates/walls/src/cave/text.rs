//! The text of a cave file. Changes that are made on the page keep its comments and its order.

use burgess_files::FileError;
use toml_edit::{Array, DocumentMut, Value};

use super::Cave;

/// A cave and the text that it was read from.
#[derive(Debug, Clone)]
pub struct CaveText {
    /// The cave.
    pub cave: Cave,
    /// The text, in TOML.
    pub text: String,
    /// Name of the file, for messages.
    pub file: String,
}

impl CaveText {
    /// Reads and checks a cave file. `file` is its name for messages.
    pub fn read(text: String, file: &str) -> Result<Self, FileError> {
        Ok(Self { cave: Cave::read(&text, file)?, text, file: file.to_string() })
    }

    /// A built-in cave; none if the name is unknown.
    pub fn preset(name: &str) -> Option<Self> {
        Self::read(Cave::preset_text(name)?.to_string(), &format!("{name}.toml")).ok()
    }

    /// The same cave with other corners of a wall's picture.
    pub fn with_corners(&self, wall: &str, corners: [[f64; 2]; 4]) -> Result<Self, String> {
        let place = self.cave.walls.iter().position(|other| other.name == wall);
        let place = place.ok_or_else(|| format!("there is no wall '{wall}'"))?;
        self.edited(|document| {
            let rounded = |corner: [f64; 2]| corner.map(|number| (number * 1e4).round() / 1e4);
            let value: Array = corners.iter().map(|corner| Array::from_iter(rounded(*corner))).collect();
            match &mut document["walls"] {
                toml_edit::Item::ArrayOfTables(walls) => {
                    if let Some(table) = walls.get_mut(place) {
                        table["corners"] = value.into();
                    }
                }
                toml_edit::Item::Value(Value::Array(walls)) => {
                    if let Some(table) = walls.get_mut(place).and_then(Value::as_inline_table_mut) {
                        table.insert("corners", value.into());
                    }
                }
                _ => {}
            }
        })
    }

    /// The same cave with another map from the tracker to the room.
    pub fn with_tracker(&self, rows: [[f64; 4]; 3]) -> Result<Self, String> {
        self.edited(|document| {
            document["tracker"] = rows.iter().map(|row| Array::from_iter(*row)).collect::<Array>().into();
        })
    }

    fn edited(&self, edit: impl FnOnce(&mut DocumentMut)) -> Result<Self, String> {
        let mut document: DocumentMut = self.text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
        edit(&mut document);
        Self::read(document.to_string(), &self.file).map_err(|error| error.to_string())
    }
}
