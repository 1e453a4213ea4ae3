//! Colours: of materials by name, or right where they are used. A name that is given a colour anywhere has it everywhere.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Notes;
use crate::import::ImportError;
use crate::xml::Element;

/// Colours by name.
pub(super) struct Palette<'a>(BTreeMap<&'a str, DVec3>);

impl<'a> Palette<'a> {
    /// The materials at the top of a file, then those within its visuals.
    pub fn read(root: &'a Element, notes: &mut Notes<'a>) -> Result<Self, ImportError> {
        let top = root.children("material");
        let within =
            root.children("link").flat_map(|link| link.children("visual")).flat_map(|v| v.children("material"));
        let mut colors = BTreeMap::new();
        for material in top.chain(within) {
            notes.strangers_in(material, &["color", "texture"]);
            for texture in material.children("texture") {
                notes.add("textures", texture);
            }
            if let (Some(name), Some(color)) = (material.text("name"), color_of(material, notes)?) {
                colors.entry(name).or_insert(color);
            }
        }
        Ok(Self(colors))
    }

    /// The colour of a visual.
    pub fn color(&self, visual: &'a Element, notes: &mut Notes<'a>) -> Result<Option<DVec3>, ImportError> {
        let Some(material) = visual.child("material") else { return Ok(None) };
        let own = color_of(material, notes)?;
        Ok(own.or_else(|| self.0.get(material.text("name")?).copied()))
    }
}

/// Red, green and blue. How transparent it is does not matter.
fn color_of(material: &Element, notes: &mut Notes) -> Result<Option<DVec3>, ImportError> {
    let Some(color) = material.child("color") else { return Ok(None) };
    let Some(rgba) = color.numbers("rgba", 3..=4)? else { return Ok(None) };
    let found = DVec3::from_slice(&rgba);
    let kept = found.clamp(DVec3::ZERO, DVec3::ONE);
    if kept != found {
        notes.add("colours beyond 0 to 1", color);
    }
    Ok(Some(kept))
}
