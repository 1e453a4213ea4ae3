//! The forms of visuals and collisions as a file has them. Cylinders and capsules lie along z, as here.

use burgess_geometry::Pose;
use burgess_scene::spec::{BoxShape, RoundShape, ShapeKind, SphereShape};
use glam::DVec3;

use super::{Notes, is_positive, origin, positive};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// A form, and where it is on the link.
#[derive(Debug)]
pub(super) struct Geometry<'a> {
    pub form: Form<'a>,
    pub origin: Pose,
}

/// A form.
#[derive(Debug, PartialEq)]
pub(super) enum Form<'a> {
    Plain(ShapeKind),
    Mesh(MeshName<'a>),
}

/// A mesh in a file.
#[derive(Debug)]
pub(super) struct MeshName<'a> {
    /// As it is written.
    pub file: &'a str,
    /// Along x, y and z.
    pub scale: DVec3,
    pub element: &'a Element,
}

impl PartialEq for MeshName<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.file, self.scale) == (other.file, other.scale)
    }
}

impl Geometry<'_> {
    /// The same form at the same place?
    pub fn is_same(&self, other: &Self) -> bool {
        self.form == other.form && self.origin == other.origin
    }
}

/// Of a `<visual>` or `<collision>`; nothing if it is of a kind that is not known.
pub(super) fn read<'a>(element: &'a Element, notes: &mut Notes<'a>) -> Result<Option<Geometry<'a>>, ImportError> {
    let missing = || element.fault(ImportFault::Missing { what: "<geometry>".to_string() });
    let geometry = element.child("geometry").ok_or_else(missing)?;
    for form in &geometry.children {
        if is_nothing(form)? {
            notes.add("forms without size", form);
            return Ok(None);
        }
        let form = match &*form.name {
            "box" => {
                form.required("size")?;
                let size = form.vector("size")?.unwrap_or_default();
                if !is_positive(size) {
                    return Err(form.wrong("size", "three numbers above zero"));
                }
                Form::Plain(ShapeKind::Box(BoxShape { size }))
            }
            "sphere" => Form::Plain(ShapeKind::Sphere(SphereShape { radius: positive(form, "radius")? })),
            "cylinder" => Form::Plain(ShapeKind::Cylinder(round(form)?)),
            "capsule" => Form::Plain(ShapeKind::Capsule(round(form)?)),
            "mesh" => Form::Mesh(read_mesh(form)?),
            _ => {
                notes.stranger(form);
                continue;
            }
        };
        return Ok(Some(Geometry { form, origin: origin(element)? }));
    }
    Ok(None)
}

/// A size of zero, which some files have for a form that is not wanted.
fn is_nothing(form: &Element) -> Result<bool, ImportError> {
    let sizes = [form.number("radius")?, form.number("length")?];
    Ok(sizes.contains(&Some(0.0)) || form.numbers("size", 0..=usize::MAX)?.is_some_and(|size| size.contains(&0.0)))
}

fn round(form: &Element) -> Result<RoundShape, ImportError> {
    Ok(RoundShape { radius: positive(form, "radius")?, length: positive(form, "length")? })
}

fn read_mesh(form: &Element) -> Result<MeshName<'_>, ImportError> {
    let scale = match form.numbers("scale", 1..=3)?.as_deref() {
        None => DVec3::ONE,
        Some(&[all]) => DVec3::splat(all),
        Some(&[x, y, z]) => DVec3::new(x, y, z),
        Some(_) => return Err(form.wrong("scale", "three numbers")),
    };
    if scale.cmpeq(DVec3::ZERO).any() {
        return Err(form.wrong("scale", "three numbers that are not zero"));
    }
    Ok(MeshName { file: form.required("filename")?, scale, element: form })
}
