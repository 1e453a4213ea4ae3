//! Imports URDF in five stages: [`robot`] reads the elements, [`tree`] orders the links, [`rigid`] finds rigid groups
//! and assigns masses to bodies, [`assemble`] builds bodies, joints, sites and actuators, [`exclusions`] excludes pairs
//! of bodies from contacts.
//!
//! Omitted with a warning: velocity limits, safety controllers, calibration, textures, extensions of other programs.
//! Errors: mimic joints, and massless links that would move on their own.

mod assemble;
mod colors;
mod exclusions;
mod geometry;
mod inertial;
mod joint;
mod link;
mod mesh;
mod rigid;
mod robot;
mod tree;

use std::collections::BTreeSet;

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use super::rpy::rotation_of;
use crate::import::{ImportError, ImportFault, ImportOptions, Imported, ModelFolder, Warnings};
use crate::xml::{Document, Element};

/// Maximum number of names of unknown elements with a warning of their own.
const MAX_UNKNOWN_NAMES: usize = 32;

/// Imports a URDF model from a text; messages refer to it as `name`. Models that need mesh files are refused.
///
/// ```
/// use burgess_formats::import::ImportOptions;
/// use burgess_formats::urdf;
///
/// let text = "<robot name='cart'>
///   <link name='rail'/>
///   <link name='cart'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>
///   <joint name='slide' type='prismatic'>
///     <parent link='rail'/><child link='cart'/><limit lower='-1' upper='1' effort='10' velocity='1e9'/>
///   </joint>
/// </robot>";
/// let imported = urdf::import_text(text, "cart.urdf", &ImportOptions::default()).unwrap();
/// assert_eq!(imported.scene.bodies[1].mass, Some(1.0));
/// ```
pub fn import_text(text: &str, name: &str, options: &ImportOptions) -> Result<Imported, ImportError> {
    let root = Document::parse(text, name)?.root;
    if &*root.name != "robot" {
        return Err(root.fault(ImportFault::UnknownFormat { root: root.name.to_string() }));
    }
    import(&root, &ModelFolder::none(), options)
}

/// Imports a `<robot>` element.
pub(crate) fn import(root: &Element, folder: &ModelFolder, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut warnings = UrdfWarnings::default();
    let robot = robot::read(root, folder, &mut warnings)?;
    let tree = tree::order(root, &robot)?;
    let groups = rigid::groups(&robot, &tree, options.floating_base, &mut warnings);
    let mut scene = assemble::assemble(root, &robot, &tree, &groups, &mut warnings)?;
    exclusions::exclude_base(root, &robot, &groups, &mut scene)?;
    scene.check().map_err(|error| ImportError::file(&root.file, ImportFault::Scene(error)))?;
    exclusions::exclude_overlaps(&robot, &mut scene, &mut warnings);
    Imported::new(scene, warnings.list, &root.file, options)
}

/// Collects the warnings of an import.
#[derive(Default)]
struct UrdfWarnings<'a> {
    list: Warnings,
    unknown_names: BTreeSet<&'a str>,
}

impl<'a> UrdfWarnings<'a> {
    fn add(&mut self, kind: &str, element: &Element) {
        self.list.add(kind, element);
    }

    /// Adds a warning about an element that URDF does not define.
    fn add_unknown(&mut self, element: &'a Element) {
        // A malicious file could have a new name in every line.
        if self.unknown_names.len() < MAX_UNKNOWN_NAMES {
            self.unknown_names.insert(&element.name);
        }
        if self.unknown_names.contains(&*element.name) {
            self.add(&format!("<{}>, which is not an element of URDF", truncate(&element.name)), element);
        } else {
            self.add("other elements that are not part of URDF", element);
        }
    }

    /// Adds a warning for each child that is not in `known`.
    fn check_children(&mut self, element: &'a Element, known: &[&str]) {
        for child in element.children.iter().filter(|child| !known.contains(&&*child.name)) {
            self.add_unknown(child);
        }
    }
}

/// Truncates a word from the file.
fn truncate(word: &str) -> &str {
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}

/// Reads the `<origin>` of an element: `xyz` in m, `rpy` in rad or a quaternion.
fn origin(element: &Element) -> Result<Pose, ImportError> {
    let Some(origin) = element.child("origin") else { return Ok(Pose::IDENTITY) };
    let translation = origin.vector("xyz")?.unwrap_or_default();
    let rotation = match origin.array::<4>("quat_xyzw")? {
        Some(xyzw) => {
            let raw = DQuat::from_array(xyzw);
            let length = raw.length();
            if !(length > 1e-9 && length.is_finite()) {
                return Err(origin.wrong("quat_xyzw", "four numbers that are not all zero"));
            }
            raw / length
        }
        None => origin.vector("rpy")?.map_or(DQuat::IDENTITY, rotation_of),
    };
    Ok(Pose::new(rotation, translation))
}

/// Reads a required number.
fn required_number(element: &Element, attribute: &'static str) -> Result<f64, ImportError> {
    element.required(attribute)?;
    Ok(element.number(attribute)?.unwrap_or_default())
}

/// Reads an optional number that must not be negative.
fn not_negative(element: &Element, attribute: &'static str) -> Result<Option<f64>, ImportError> {
    match element.number(attribute)? {
        Some(value) if value < 0.0 => Err(element.wrong(attribute, "at least zero")),
        found => Ok(found),
    }
}

/// Reads a required positive number.
fn positive(element: &Element, attribute: &'static str) -> Result<f64, ImportError> {
    let value = required_number(element, attribute)?;
    if value > 0.0 { Ok(value) } else { Err(element.wrong(attribute, "a positive number")) }
}

/// Returns whether all components of a vector are positive.
fn is_positive(vector: DVec3) -> bool {
    vector.cmpgt(DVec3::ZERO).all()
}
