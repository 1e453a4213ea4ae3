//! Reads the geometry of visuals and collisions. Cylinders and capsules are along z, as in a scene.

use burgess_geometry::Pose;
use burgess_scene::spec::{BoxShape, RoundShape, ShapeKind, SphereShape};
use glam::DVec3;

use super::{UrdfWarnings, is_positive, origin, positive};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// A form and its pose on the link.
#[derive(Debug)]
pub(super) struct Geometry<'a> {
    pub form: Form<'a>,
    pub origin: Pose,
}

/// A geometric form.
#[derive(Debug, PartialEq)]
pub(super) enum Form<'a> {
    Primitive(ShapeKind),
    Mesh(MeshReference<'a>),
}

/// A reference to a mesh file.
#[derive(Debug)]
pub(super) struct MeshReference<'a> {
    /// File name as written in the model.
    pub file: &'a str,
    /// Scale factors along x, y and z.
    pub scale: DVec3,
    pub element: &'a Element,
}

impl PartialEq for MeshReference<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.file, self.scale) == (other.file, other.scale)
    }
}

impl Geometry<'_> {
    /// Returns whether form and pose are the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.form == other.form && self.origin == other.origin
    }
}

/// Reads the geometry of a `<visual>` or `<collision>`; returns `None` if its kind is unknown.
pub(super) fn read<'a>(
    element: &'a Element,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<Option<Geometry<'a>>, ImportError> {
    let missing = || element.fault(ImportFault::Missing { what: "<geometry>".to_string() });
    let geometry = element.child("geometry").ok_or_else(missing)?;
    for form in &geometry.children {
        if has_zero_size(form)? {
            warnings.add("shapes of size zero; they are omitted", form);
            return Ok(None);
        }
        let form = match &*form.name {
            "box" => {
                form.required("size")?;
                let size = form.vector("size")?.unwrap_or_default();
                if !is_positive(size) {
                    return Err(form.wrong("size", "three positive numbers"));
                }
                Form::Primitive(ShapeKind::Box(BoxShape { size }))
            }
            "sphere" => Form::Primitive(ShapeKind::Sphere(SphereShape { radius: positive(form, "radius")? })),
            "cylinder" => Form::Primitive(ShapeKind::Cylinder(round(form)?)),
            "capsule" => Form::Primitive(ShapeKind::Capsule(round(form)?)),
            "mesh" => Form::Mesh(read_mesh(form)?),
            _ => {
                warnings.add_unknown(form);
                continue;
            }
        };
        return Ok(Some(Geometry { form, origin: origin(element)? }));
    }
    Ok(None)
}

/// Returns whether a size is zero. Some files use this to disable a shape.
fn has_zero_size(form: &Element) -> Result<bool, ImportError> {
    let sizes = [form.number("radius")?, form.number("length")?];
    Ok(sizes.contains(&Some(0.0)) || form.numbers("size", 0..=usize::MAX)?.is_some_and(|size| size.contains(&0.0)))
}

fn round(form: &Element) -> Result<RoundShape, ImportError> {
    Ok(RoundShape { radius: positive(form, "radius")?, length: positive(form, "length")? })
}

fn read_mesh(form: &Element) -> Result<MeshReference<'_>, ImportError> {
    let scale = match form.numbers("scale", 1..=3)?.as_deref() {
        None => DVec3::ONE,
        Some(&[all]) => DVec3::splat(all),
        Some(&[x, y, z]) => DVec3::new(x, y, z),
        Some(_) => return Err(form.wrong("scale", "three numbers")),
    };
    if scale.cmpeq(DVec3::ZERO).any() {
        return Err(form.wrong("scale", "numbers other than zero"));
    }
    Ok(MeshReference { file: form.required("filename")?, scale, element: form })
}
