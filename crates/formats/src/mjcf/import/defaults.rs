//! `<default>`: default classes. A class starts as a copy of its parent class, then applies its own elements. An
//! element starts as a copy of its class's settings, then applies its own attributes.

use burgess_files::NameFault;
use std::collections::BTreeMap;

use super::actuator::ActuatorSettings;
use super::assets::{MeshSettings, unknown_name};
use super::compiler::set;
use super::equality::EqualitySettings;
use super::geom::GeomSettings;
use super::joint::JointSettings;
use super::placement::Placement;
use super::tendon::TendonSettings;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// Maximum number of classes in one model.
const MAX_CLASSES: usize = 10_000;

#[derive(Debug, Clone)]
pub(super) struct Class {
    pub geom: GeomSettings,
    pub joint: JointSettings,
    pub site: Placement,
    pub camera: Placement,
    pub mesh: MeshSettings,
    pub material_color: [f64; 4],
    pub tendon: TendonSettings,
    pub equality: EqualitySettings,
    pub actuator: ActuatorSettings,
}

impl Default for Class {
    fn default() -> Self {
        Self {
            geom: GeomSettings::default(),
            joint: JointSettings::default(),
            site: Placement::default(),
            camera: Placement::default(),
            mesh: MeshSettings::default(),
            material_color: [1.0; 4],
            tendon: TendonSettings::default(),
            equality: EqualitySettings::default(),
            actuator: ActuatorSettings::default(),
        }
    }
}

impl Class {
    fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        match &*element.name {
            "geom" => self.geom.apply(element, warnings),
            "joint" => self.joint.apply(element, warnings),
            "site" => self.site.apply(element),
            "camera" => self.camera.apply(element),
            "mesh" => self.mesh.apply(element, warnings),
            "material" => element.array("rgba").map(|rgba| set(&mut self.material_color, rgba)),
            "tendon" => self.tendon.apply(element, warnings),
            "equality" => self.equality.apply(element, warnings),
            "texture" | "light" | "pair" => Ok(()),
            _ => self.actuator.apply(element),
        }
    }
}

#[derive(Debug)]
pub(super) struct Classes {
    /// All classes; the first is the root class.
    list: Vec<Class>,
    by_name: BTreeMap<String, usize>,
}

impl Classes {
    pub fn read(root: &Element, warnings: &mut Warnings) -> Result<Self, ImportError> {
        let main = BTreeMap::from([("main".to_string(), 0)]);
        let mut classes = Self { list: vec![Class::default()], by_name: main };
        for element in root.children("default") {
            if element.text("class").is_some_and(|name| name != "main") {
                return Err(element.conflict("the root class must be called 'main'; nest this class inside it"));
            }
            classes.fill(0, element, warnings)?;
        }
        Ok(classes)
    }

    fn fill(&mut self, index: usize, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        for child in element.children.iter().filter(|child| *child.name != *"default") {
            self.list[index].apply(child, warnings)?;
        }
        for child in element.children("default") {
            let name = child.text("class").filter(|name| !name.is_empty());
            let Some(name) = name else {
                return Err(child.fault(ImportFault::Missing { what: "attribute 'class'".to_string() }));
            };
            if self.list.len() >= MAX_CLASSES {
                return Err(child.fault(ImportFault::TooMany { what: "classes", limit: MAX_CLASSES }));
            }
            let inner = self.list.len();
            self.list.push(self.list[index].clone());
            if self.by_name.insert(name.to_string(), inner).is_some() {
                return Err(
                    child.fault(ImportFault::Name(NameFault::Duplicate { what: "class", name: name.to_string() }))
                );
            }
            self.fill(inner, child, warnings)?;
        }
        Ok(())
    }

    /// Returns the index of the class that an attribute names.
    pub fn named(&self, element: &Element, attribute: &str) -> Result<Option<usize>, ImportError> {
        let Some(name) = element.text(attribute) else { return Ok(None) };
        match self.by_name.get(name) {
            Some(&index) => Ok(Some(index)),
            None => Err(unknown_name(element, "class", name, self.by_name.keys())),
        }
    }

    /// Returns the class of an element: its own, or else that inherited from the enclosing bodies, or else the root
    /// class.
    pub fn of(&self, element: &Element, inherited: Option<usize>) -> Result<&Class, ImportError> {
        let own = self.named(element, "class")?;
        Ok(&self.list[own.or(inherited).unwrap_or(0)])
    }
}
