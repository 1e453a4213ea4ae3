//! Colours of materials, defined by name or inline. A colour that is defined anywhere applies to the name everywhere.

use std::collections::BTreeMap;

use glam::DVec3;

use super::UrdfWarnings;
use crate::import::ImportError;
use crate::xml::Element;

/// Colours by name.
pub(super) struct Palette<'a>(BTreeMap<&'a str, DVec3>);

impl<'a> Palette<'a> {
    /// Reads the global materials, then those of visuals.
    pub fn read(root: &'a Element, warnings: &mut UrdfWarnings<'a>) -> Result<Self, ImportError> {
        let global = root.children("material");
        let inline =
            root.children("link").flat_map(|link| link.children("visual")).flat_map(|v| v.children("material"));
        let mut colors = BTreeMap::new();
        for material in global.chain(inline) {
            warnings.check_children(material, &["color", "texture"]);
            for texture in material.children("texture") {
                warnings.add("textures", texture);
            }
            if let (Some(name), Some(color)) = (material.text("name"), color_of(material, warnings)?) {
                colors.entry(name).or_insert(color);
            }
        }
        Ok(Self(colors))
    }

    /// Returns the colour of a visual.
    pub fn color(&self, visual: &'a Element, warnings: &mut UrdfWarnings<'a>) -> Result<Option<DVec3>, ImportError> {
        let Some(material) = visual.child("material") else { return Ok(None) };
        let own = color_of(material, warnings)?;
        Ok(own.or_else(|| self.0.get(material.text("name")?).copied()))
    }
}

/// Reads red, green and blue; the opacity is ignored.
fn color_of(material: &Element, warnings: &mut UrdfWarnings) -> Result<Option<DVec3>, ImportError> {
    let Some(color) = material.child("color") else { return Ok(None) };
    let Some(rgba) = color.numbers("rgba", 3..=4)? else { return Ok(None) };
    let found = DVec3::from_slice(&rgba);
    let clamped = found.clamp(DVec3::ZERO, DVec3::ONE);
    if clamped != found {
        warnings.add("colour components outside of 0 to 1; they are clamped", color);
    }
    Ok(Some(clamped))
}
