//! URDF becomes a scene, in five stages: [`robot`] reads the elements, [`tree`] orders the links, [`rigid`] finds what is
//! rigid and whose mass it is, [`assemble`] makes bodies, joints, sites and actuators, [`neighbours`] tells who does not touch.
//!
//! Left out with a warning: limits of velocity, safety controllers, calibration, textures, extensions of other programs.
//! Refused: mimic joints, and links without mass that would move alone.

mod assemble;
mod geometry;
mod inertial;
mod joint;
mod link;
mod looks;
mod mesh;
mod neighbours;
mod rigid;
mod robot;
mod tree;

use std::collections::BTreeSet;

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use super::rpy::rotation_of;
use crate::import::{ImportError, ImportFault, ImportOptions, Imported, ModelFolder, Warnings};
use crate::xml::{Document, Element};

/// So many kinds of unknown elements are told by name.
const NAMED_STRANGERS: usize = 32;

/// Imports a URDF model from a text, which is called `name` in messages. It can use no mesh files.
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

/// Makes a scene of a `<robot>`.
pub(crate) fn import(root: &Element, folder: &ModelFolder, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut notes = Notes::default();
    let robot = robot::read(root, folder, &mut notes)?;
    let tree = tree::order(root, &robot)?;
    let groups = rigid::groups(&robot, &tree, options.floating_base, &mut notes);
    let mut scene = assemble::assemble(root, &robot, &tree, &groups, &mut notes)?;
    neighbours::exclude_base(root, &robot, &groups, &mut scene)?;
    scene.check().map_err(|error| ImportError::file(&root.file, ImportFault::Scene(error)))?;
    neighbours::exclude_overlaps(&robot, &mut scene, &mut notes);
    Imported::new(scene, notes.warnings, &root.file, options)
}

/// What is left out, while a file is read.
#[derive(Default)]
struct Notes<'a> {
    warnings: Warnings,
    strangers: BTreeSet<&'a str>,
}

impl<'a> Notes<'a> {
    fn add(&mut self, kind: &str, element: &Element) {
        self.warnings.add(kind, element);
    }

    /// An element that URDF does not know.
    fn stranger(&mut self, element: &'a Element) {
        // A hostile file has a new name in every line.
        if self.strangers.len() < NAMED_STRANGERS {
            self.strangers.insert(&element.name);
        }
        if self.strangers.contains(&*element.name) {
            self.add(&format!("<{}>, which is no element of URDF", shown(&element.name)), element);
        } else {
            self.add("other elements that are not of URDF", element);
        }
    }

    /// Notes all children that are not among the known ones.
    fn strangers_in(&mut self, element: &'a Element, known: &[&str]) {
        for child in element.children.iter().filter(|child| !known.contains(&&*child.name)) {
            self.stranger(child);
        }
    }
}

/// A word from the file, not too long.
fn shown(word: &str) -> &str {
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}

/// The frame that the `<origin>` of an element says: `xyz` in m, `rpy` in rad or a quaternion.
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

/// A number that must be there.
fn required_number(element: &Element, attribute: &'static str) -> Result<f64, ImportError> {
    element.required(attribute)?;
    Ok(element.number(attribute)?.unwrap_or_default())
}

/// A number that is not negative, if it is there.
fn not_negative(element: &Element, attribute: &'static str) -> Result<Option<f64>, ImportError> {
    match element.number(attribute)? {
        Some(value) if value < 0.0 => Err(element.wrong(attribute, "zero or more")),
        found => Ok(found),
    }
}

/// A number that is positive and must be there.
fn positive(element: &Element, attribute: &'static str) -> Result<f64, ImportError> {
    let value = required_number(element, attribute)?;
    if value > 0.0 { Ok(value) } else { Err(element.wrong(attribute, "more than zero")) }
}

/// Are all parts of a vector positive?
fn is_positive(vector: DVec3) -> bool {
    vector.cmpgt(DVec3::ZERO).all()
}
