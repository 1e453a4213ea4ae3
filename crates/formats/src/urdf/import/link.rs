//! Links as a file has them. Collisions are what touches; visuals are for the eye. A link with visuals only gets shapes
//! that touch nothing, so that it can be seen.

use std::path::PathBuf;

use burgess_geometry::Pose;
use burgess_scene::spec::{Orientation, ShapeKind, ShapeSpec};
use glam::DVec3;

use super::Notes;
use super::geometry::{self, Form, Geometry};
use super::inertial::{self, Mass};
use super::looks::Palette;
use super::mesh::Meshes;
use crate::import::ImportError;
use crate::xml::Element;

/// A link.
pub(super) struct Link<'a> {
    pub name: &'a str,
    pub element: &'a Element,
    /// None: it weighs nothing.
    pub mass: Option<Mass>,
    /// In the link's coordinates.
    pub shapes: Vec<ShapeSpec>,
    pub color: Option<DVec3>,
    /// A file to show instead of the shapes.
    pub display_mesh: Option<PathBuf>,
}

impl Link<'_> {
    /// Can it be a body by itself?
    pub fn has_inertia(&self) -> bool {
        matches!(self.mass, Some(Mass::Given(_) | Mass::OfShapes(_)))
    }
}

/// A form with its colour.
struct Visual<'a> {
    geometry: Geometry<'a>,
    color: Option<DVec3>,
}

pub(super) fn read<'a>(
    element: &'a Element,
    palette: &Palette<'a>,
    meshes: &mut Meshes<'a>,
    notes: &mut Notes<'a>,
) -> Result<Link<'a>, ImportError> {
    element.required("name")?;
    let name = element.name("name")?.unwrap_or_default();
    notes.strangers_in(element, &["inertial", "visual", "collision"]);
    let mut visuals = Vec::new();
    for visual in element.children("visual") {
        notes.strangers_in(visual, &["origin", "geometry", "material"]);
        let color = palette.color(visual, notes)?;
        visuals.extend(geometry::read(visual, notes)?.map(|geometry| Visual { geometry, color }));
    }
    let mut collisions = Vec::new();
    for collision in element.children("collision") {
        // A material is of no use here, but not wrong enough to tell.
        notes.strangers_in(collision, &["origin", "geometry", "material"]);
        collisions.extend(geometry::read(collision, notes)?);
    }
    let display_mesh = display_mesh(&visuals, meshes, notes);
    let mut shapes = Vec::new();
    if collisions.is_empty() {
        for visual in &visuals {
            if let Some(kind) = seen(&visual.geometry, meshes, notes) {
                shapes.push(ShapeSpec { mask: 0, ..placed(kind, &visual.geometry.origin, visual.color) });
            }
        }
    } else {
        shapes = touching(&collisions, &visuals, meshes, notes)?;
    }
    let color = visuals.iter().find_map(|visual| visual.color);
    for shape in &mut shapes {
        shape.color = shape.color.filter(|&own| Some(own) != color);
    }
    let mass = inertial::read(element, !shapes.is_empty(), notes)?;
    Ok(Link { name, element, mass, shapes, color, display_mesh })
}

/// The shapes of collisions. Where files of a kind that is not read leave none, the visuals stand in.
fn touching<'a>(
    collisions: &[Geometry<'a>],
    visuals: &[Visual<'a>],
    meshes: &mut Meshes<'a>,
    notes: &mut Notes<'a>,
) -> Result<Vec<ShapeSpec>, ImportError> {
    let mut shapes = Vec::new();
    let mut unknown = None;
    for collision in collisions {
        let kind = match &collision.form {
            Form::Plain(kind) => kind.clone(),
            Form::Mesh(mesh) if !Meshes::is_known_kind(mesh) => {
                unknown = Some(mesh);
                continue;
            }
            Form::Mesh(mesh) => meshes.solid(mesh, notes)?,
        };
        // The visual at the same place says what it looks like.
        let visual = visuals.iter().find(|visual| visual.geometry.is_same(collision));
        shapes.push(placed(kind, &collision.origin, visual.and_then(|visual| visual.color)));
    }
    let Some(unknown) = unknown else { return Ok(shapes) };
    if !shapes.is_empty() {
        notes.add("meshes that are neither OBJ nor STL: the other collisions of the link remain", unknown.element);
        return Ok(shapes);
    }
    for visual in visuals {
        if let Some(kind) = seen(&visual.geometry, meshes, notes) {
            shapes.push(placed(kind, &visual.geometry.origin, visual.color));
        }
    }
    if shapes.is_empty() {
        return Err(Meshes::unknown_kind(unknown));
    }
    notes.add("meshes that are neither OBJ nor STL: the visuals of the link touch instead", unknown.element);
    Ok(shapes)
}

/// The form of a visual; nothing if it cannot be had.
fn seen<'a>(geometry: &Geometry<'a>, meshes: &mut Meshes<'a>, notes: &mut Notes<'a>) -> Option<ShapeKind> {
    match &geometry.form {
        Form::Plain(kind) => Some(kind.clone()),
        Form::Mesh(mesh) => {
            let hull = Meshes::is_known_kind(mesh).then(|| meshes.hull(mesh).ok()).flatten();
            if hull.is_none() {
                notes.add("visuals with meshes that cannot be read (OBJ and STL can)", mesh.element);
            }
            hull
        }
    }
}

/// A single mesh that lies as the link does can be shown as it is.
fn display_mesh<'a>(visuals: &[Visual<'a>], meshes: &Meshes<'a>, notes: &mut Notes<'a>) -> Option<PathBuf> {
    let [Visual { geometry: Geometry { form: Form::Mesh(mesh), origin }, .. }] = visuals else { return None };
    if !(Meshes::is_known_kind(mesh) && *origin == Pose::IDENTITY && mesh.scale == DVec3::ONE) {
        return None;
    }
    let found = meshes.path(mesh).ok();
    if found.is_none() {
        notes.add("visuals with meshes that cannot be read (OBJ and STL can)", mesh.element);
    }
    found
}

fn placed(kind: ShapeKind, origin: &Pose, color: Option<DVec3>) -> ShapeSpec {
    let shape = ShapeSpec { color, ..ShapeSpec::new(kind) };
    shape.at(origin.translation).turned(Orientation::from_quaternion(origin.rotation))
}
