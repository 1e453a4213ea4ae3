//! Reads links. Collisions become shapes with contacts. A link that has only visuals gets shapes without contacts, so
//! that it is visible.

use std::path::PathBuf;

use burgess_geometry::Pose;
use burgess_scene::spec::{Orientation, ShapeKind, ShapeSpec};
use glam::DVec3;

use super::UrdfWarnings;
use super::colors::Palette;
use super::geometry::{self, Form, Geometry};
use super::inertial::{self, Mass};
use super::mesh::Meshes;
use crate::import::ImportError;
use crate::xml::Element;

/// A link.
pub(super) struct Link<'a> {
    pub name: &'a str,
    pub element: &'a Element,
    /// `None` if the link is massless.
    pub mass: Option<Mass>,
    /// Shapes in link coordinates.
    pub shapes: Vec<ShapeSpec>,
    pub color: Option<DVec3>,
    /// A mesh file that is shown instead of the shapes.
    pub display_mesh: Option<PathBuf>,
}

impl Link<'_> {
    /// Returns whether the link can be a body on its own.
    pub fn has_inertia(&self) -> bool {
        matches!(self.mass, Some(Mass::Given(_) | Mass::OfShapes(_)))
    }
}

/// A visual geometry with its colour.
struct Visual<'a> {
    geometry: Geometry<'a>,
    color: Option<DVec3>,
}

pub(super) fn read<'a>(
    element: &'a Element,
    palette: &Palette<'a>,
    meshes: &mut Meshes<'a>,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<Link<'a>, ImportError> {
    element.required("name")?;
    let name = element.name("name")?.unwrap_or_default();
    warnings.check_children(element, &["inertial", "visual", "collision"]);
    let mut visuals = Vec::new();
    for visual in element.children("visual") {
        warnings.check_children(visual, &["origin", "geometry", "material"]);
        let color = palette.color(visual, warnings)?;
        visuals.extend(geometry::read(visual, warnings)?.map(|geometry| Visual { geometry, color }));
    }
    let mut collisions = Vec::new();
    for collision in element.children("collision") {
        // Some files have materials in collisions; they are ignored.
        warnings.check_children(collision, &["origin", "geometry", "material"]);
        collisions.extend(geometry::read(collision, warnings)?);
    }
    let display_mesh = display_mesh(&visuals, meshes, warnings);
    let mut shapes = Vec::new();
    if collisions.is_empty() {
        for visual in &visuals {
            if let Some(kind) = visual_shape(&visual.geometry, meshes, warnings) {
                shapes.push(ShapeSpec { mask: 0, ..shape_at(kind, &visual.geometry.origin, visual.color) });
            }
        }
    } else {
        shapes = collision_shapes(&collisions, &visuals, meshes, warnings)?;
    }
    let color = visuals.iter().find_map(|visual| visual.color);
    for shape in &mut shapes {
        shape.color = shape.color.filter(|&own| Some(own) != color);
    }
    let mass = inertial::read(element, !shapes.is_empty(), warnings)?;
    Ok(Link { name, element, mass, shapes, color, display_mesh })
}

/// Returns the shapes of collisions. If all of them are meshes in unsupported formats, the visuals are used.
fn collision_shapes<'a>(
    collisions: &[Geometry<'a>],
    visuals: &[Visual<'a>],
    meshes: &mut Meshes<'a>,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<Vec<ShapeSpec>, ImportError> {
    let mut shapes = Vec::new();
    let mut unsupported = None;
    for collision in collisions {
        let kind = match &collision.form {
            Form::Primitive(kind) => kind.clone(),
            Form::Mesh(mesh) if !Meshes::is_supported(mesh) => {
                unsupported = Some(mesh);
                continue;
            }
            Form::Mesh(mesh) => meshes.collision_shape(mesh, warnings)?,
        };
        // The visual with the same geometry gives the colour.
        let visual = visuals.iter().find(|visual| visual.geometry.is_same(collision));
        shapes.push(shape_at(kind, &collision.origin, visual.and_then(|visual| visual.color)));
    }
    let Some(unsupported) = unsupported else { return Ok(shapes) };
    if !shapes.is_empty() {
        warnings.add(
            "collision meshes that are neither OBJ nor STL; the other collisions of the link are used",
            unsupported.element,
        );
        return Ok(shapes);
    }
    for visual in visuals {
        if let Some(kind) = visual_shape(&visual.geometry, meshes, warnings) {
            shapes.push(shape_at(kind, &visual.geometry.origin, visual.color));
        }
    }
    if shapes.is_empty() {
        return Err(Meshes::unsupported_format(unsupported));
    }
    warnings.add(
        "collision meshes that are neither OBJ nor STL; the visuals of the link are used for contacts",
        unsupported.element,
    );
    Ok(shapes)
}

/// Returns the shape of a visual; `None` if its mesh cannot be read.
fn visual_shape<'a>(
    geometry: &Geometry<'a>,
    meshes: &mut Meshes<'a>,
    warnings: &mut UrdfWarnings<'a>,
) -> Option<ShapeKind> {
    match &geometry.form {
        Form::Primitive(kind) => Some(kind.clone()),
        Form::Mesh(mesh) => {
            let hull = Meshes::is_supported(mesh).then(|| meshes.hull(mesh).ok()).flatten();
            if hull.is_none() {
                warnings.add("visual meshes that cannot be read; expected OBJ or STL", mesh.element);
            }
            hull
        }
    }
}

/// Returns the file of a single visual mesh, if it needs no transformation.
fn display_mesh<'a>(visuals: &[Visual<'a>], meshes: &Meshes<'a>, warnings: &mut UrdfWarnings<'a>) -> Option<PathBuf> {
    let [Visual { geometry: Geometry { form: Form::Mesh(mesh), origin }, .. }] = visuals else { return None };
    if !(Meshes::is_supported(mesh) && *origin == Pose::IDENTITY && mesh.scale == DVec3::ONE) {
        return None;
    }
    let found = meshes.path(mesh).ok();
    if found.is_none() {
        warnings.add("visual meshes that cannot be read; expected OBJ or STL", mesh.element);
    }
    found
}

fn shape_at(kind: ShapeKind, origin: &Pose, color: Option<DVec3>) -> ShapeSpec {
    let shape = ShapeSpec { color, ..ShapeSpec::new(kind) };
    shape.at(origin.translation).turned(Orientation::from_quaternion(origin.rotation))
}
