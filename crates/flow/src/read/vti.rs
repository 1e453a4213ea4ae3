//! The XML format of VTK for image data.

use glam::DVec3;
use roxmltree::{Document, Node, ParsingOptions};

use super::vti_data::{Encoding, Reader};
use super::{Place, RawField, ReadFault, components, is_pressure, is_velocity, unexpected};
use crate::grid::Grid;

/// Most elements of a document.
const MAX_NODES: u32 = 10_000;

/// Reads a file.
pub(super) fn parse(bytes: &[u8], periodic: [bool; 3]) -> Result<RawField, Place> {
    let (text, appended) = split_appended(bytes)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options)
        .map_err(|error| Place::line(error.pos().row as usize, unexpected(error.to_string(), "XML")))?;
    let root = document.root_element();
    if root.tag_name().name() != "VTKFile" || root.attribute("type") != Some("ImageData") {
        return Err(Place::whole(ReadFault::OtherKind));
    }
    let at = |node: Node| document.text_pos_at(node.range().start).row as usize;
    let image = child(root, "ImageData").ok_or_else(|| Place::whole(ReadFault::OtherKind))?;
    let numbers = |node: Node, name: &str, count: usize, default: &str| -> Result<Vec<f64>, Place> {
        let text = node.attribute(name).unwrap_or(default);
        let values: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let values = values.filter(|values| values.len() == count);
        values.ok_or_else(|| Place::line(at(node), unexpected(text, format!("{count} numbers in {name}"))))
    };
    let extent = numbers(image, "WholeExtent", 6, "")?;
    let (first, spacing) = (numbers(image, "Origin", 3, "0 0 0")?, numbers(image, "Spacing", 3, "1 1 1")?);
    let direction = numbers(image, "Direction", 9, "1 0 0 0 1 0 0 0 1")?;
    if direction != [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] {
        return Err(Place::line(at(image), unexpected(format!("{direction:?}"), "an image that is not turned")));
    }
    let pieces: Vec<Node> = image.children().filter(|node| node.has_tag_name("Piece")).collect();
    let [piece] = pieces[..] else {
        return Err(Place::line(at(image), unexpected(format!("{} pieces", pieces.len()), "one piece")));
    };
    if numbers(piece, "Extent", 6, "")? != extent {
        return Err(Place::line(at(piece), unexpected("another extent", "that of the whole image")));
    }
    let mut size = [0; 3];
    for axis in 0..3 {
        let count = extent[2 * axis + 1] - extent[2 * axis] + 1.0;
        if !((1.0..=1e9).contains(&count) && libm::rint(count) == count) {
            return Err(Place::line(at(image), unexpected(count.to_string(), "a number of points per axis")));
        }
        size[axis] = count as usize;
    }
    let spacing = DVec3::new(spacing[0], spacing[1], spacing[2]);
    let origin = DVec3::new(first[0], first[1], first[2]) + spacing * DVec3::new(extent[0], extent[2], extent[4]);
    let grid = Grid::new(size, origin, spacing, periodic).map_err(|error| Place::line(at(image), error))?;

    let reader = Reader::new(root, appended).map_err(|fault| Place::line(at(root), fault))?;
    let values = |node: Node, count: usize| {
        reader.values(node, count).map_err(|fault| {
            let name = node.attribute("Name").unwrap_or("without a name");
            Place { text: format!("line {}: array {}: ", at(node), super::shortened(name)), fault }
        })
    };
    let data = child(piece, "PointData").ok_or_else(|| Place::whole(ReadFault::NoVelocity))?;
    let arrays: Vec<Node> = data.children().filter(|node| node.has_tag_name("DataArray")).collect();
    let parts = |node: &Node| node.attribute("NumberOfComponents").unwrap_or("1").trim() == "3";
    let named = |node: &&Node| is_velocity(node.attribute("Name").unwrap_or_default()) && parts(node);
    let vectors = data.attribute("Vectors");
    let active = |node: &&Node| vectors.is_some() && node.attribute("Name") == vectors && parts(node);
    let velocity = arrays.iter().find(named).or_else(|| arrays.iter().find(active));
    let velocity = velocity.or_else(|| arrays.iter().find(|node| parts(node)));
    let velocity = *velocity.ok_or_else(|| Place::whole(ReadFault::NoVelocity))?;
    let velocity = components(&values(velocity, 3 * grid.points())?);
    let is_scalar = |node: &&Node| is_pressure(node.attribute("Name").unwrap_or_default()) && !parts(node);
    let pressure = arrays.iter().find(is_scalar).map(|node| values(*node, grid.points())).transpose()?;
    let time = child(image, "FieldData").and_then(|data| {
        let node = data.children().find(|node| node.attribute("Name") == Some("TimeValue"))?;
        reader.values(node, 1).ok()?.first().map(|time| f64::from(*time)).filter(|time| time.is_finite())
    });
    Ok(RawField { grid, time, velocity, pressure })
}

fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Option<Node<'a, 'input>> {
    node.children().find(|child| child.has_tag_name(name))
}

/// Bytes after the mark `_` of the appended data, and their encoding.
pub(super) struct Appended<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) encoding: Encoding,
}

/// The XML without its appended data, which need not be text, and that data.
fn split_appended(bytes: &[u8]) -> Result<(String, Option<Appended<'_>>), Place> {
    const TAG: &[u8] = b"<AppendedData";
    let text = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).map(str::to_string);
        text.map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            Place::line(line, unexpected("bytes that are no text", "UTF-8"))
        })
    };
    let Some(start) = bytes.windows(TAG.len()).position(|window| window == TAG) else {
        return Ok((text(bytes)?, None));
    };
    let line = 1 + bytes[..start].iter().filter(|byte| **byte == b'\n').count();
    let truncated = || Place::line(line, ReadFault::Truncated("appended data".to_string()));
    let tag_end = bytes[start..].iter().position(|byte| *byte == b'>').ok_or_else(truncated)? + start;
    let tag = String::from_utf8_lossy(&bytes[start..tag_end]).to_string();
    let encoding = if tag.contains("base64") { Encoding::Base64 } else { Encoding::Raw };
    let mark = bytes[tag_end..].iter().position(|byte| *byte == b'_').ok_or_else(truncated)? + tag_end;
    let text = format!("{}</VTKFile>", text(&bytes[..start])?);
    Ok((text, Some(Appended { bytes: &bytes[mark + 1..], encoding })))
}
