//! `<default>`: classes of settings. A class begins as a copy of the one around it and takes what its own elements say; an
//! element begins as a copy of its class's and takes what it says itself.

use std::collections::BTreeMap;

use super::actuator::ActuatorSettings;
use super::assets::{MeshSettings, unknown};
use super::compiler::set;
use super::equality::EqualitySettings;
use super::geom::GeomSettings;
use super::joint::JointSettings;
use super::placement::Placement;
use super::tendon::TendonSettings;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// More classes in one model are refused.
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
    /// The one around all others comes first.
    list: Vec<Class>,
    by_name: BTreeMap<String, usize>,
}

impl Classes {
    pub fn read(root: &Element, warnings: &mut Warnings) -> Result<Self, ImportError> {
        let main = BTreeMap::from([("main".to_string(), 0)]);
        let mut classes = Self { list: vec![Class::default()], by_name: main };
        for element in root.children("default") {
            if element.text("class").is_some_and(|name| name != "main") {
                return Err(element.conflict("the outermost class is called main; put this one inside it"));
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
                return Err(child.fault(ImportFault::Missing { what: "class, which names it".to_string() }));
            };
            if self.list.len() >= MAX_CLASSES {
                return Err(child.fault(ImportFault::TooMany { what: "classes", limit: MAX_CLASSES }));
            }
            let inner = self.list.len();
            self.list.push(self.list[index].clone());
            if self.by_name.insert(name.to_string(), inner).is_some() {
                return Err(child.fault(ImportFault::Duplicate { what: "class", name: name.to_string() }));
            }
            self.fill(inner, child, warnings)?;
        }
        Ok(())
    }

    /// The index of the class that an attribute of an element names.
    pub fn named(&self, element: &Element, attribute: &str) -> Result<Option<usize>, ImportError> {
        let Some(name) = element.text(attribute) else { return Ok(None) };
        match self.by_name.get(name) {
            Some(&index) => Ok(Some(index)),
            None => Err(unknown(element, "class", name, self.by_name.keys())),
        }
    }

    /// The class of an element: its own, or else that of the bodies around it, or else the outermost.
    pub fn of(&self, element: &Element, around: Option<usize>) -> Result<&Class, ImportError> {
        let own = self.named(element, "class")?;
        Ok(&self.list[own.or(around).unwrap_or(0)])
    }
}
