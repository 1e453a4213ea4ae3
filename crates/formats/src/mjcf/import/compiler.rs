//! `<compiler>`: settings for reading the model. If it occurs several times, the last value applies to the whole model.

use glam::DVec3;

use crate::import::{ImportError, Warnings};
use crate::xml::Element;

/// An axis of an Euler angle sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EulerAxis {
    pub direction: DVec3,
    /// The axis is fixed in the parent (extrinsic) instead of rotating with the body (intrinsic).
    pub fixed: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Compiler {
    pub autolimits: bool,
    pub min_mass: f64,
    pub min_inertia: f64,
    pub total_mass: Option<f64>,
    pub balance_inertia: bool,
    pub strip_path: bool,
    degrees: bool,
    pub euler_sequence: [EulerAxis; 3],
    mesh_folder: Option<String>,
    asset_folder: Option<String>,
    /// Always, never, or (`None`) only for bodies without `<inertial>`.
    pub inertia_from_geoms: Option<bool>,
    /// First and last group of geoms that contribute to the mass.
    pub inertia_groups: [i64; 2],
    pub align_free: bool,
}

impl Default for Compiler {
    fn default() -> Self {
        let axis = |direction| EulerAxis { direction, fixed: false };
        Self {
            autolimits: true,
            min_mass: 0.0,
            min_inertia: 0.0,
            total_mass: None,
            balance_inertia: false,
            strip_path: false,
            degrees: true,
            euler_sequence: DVec3::AXES.map(axis),
            mesh_folder: None,
            asset_folder: None,
            inertia_from_geoms: None,
            inertia_groups: [0, 5],
            align_free: false,
        }
    }
}

impl Compiler {
    /// Reads all `<compiler>` elements of a model.
    pub fn read(root: &Element, warnings: &mut Warnings) -> Result<Self, ImportError> {
        let mut compiler = Self::default();
        for element in root.children("compiler") {
            compiler.apply(element, warnings)?;
        }
        Ok(compiler)
    }

    fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        set(&mut self.autolimits, element.boolean("autolimits")?);
        set(&mut self.min_mass, not_negative(element, "boundmass")?);
        set(&mut self.min_inertia, not_negative(element, "boundinertia")?);
        if let Some(mass) = element.number("settotalmass")? {
            self.total_mass = (mass > 0.0).then_some(mass);
        }
        set(&mut self.balance_inertia, element.boolean("balanceinertia")?);
        set(&mut self.strip_path, element.boolean("strippath")?);
        if element.keyword("coordinate", &["local", "global"])? == Some("global") {
            return Err(element.conflict(
                "coordinate=\"global\" is not supported; save the model in local coordinates with MuJoCo 2.3.3 or older",
            ));
        }
        set(&mut self.degrees, element.keyword("angle", &["radian", "degree"])?.map(|word| word == "degree"));
        if let Some(sequence) = element.text("eulerseq") {
            self.euler_sequence = euler_sequence(sequence)
                .ok_or_else(|| element.wrong("eulerseq", "three of the letters x, y, z, X, Y and Z"))?;
        }
        let folder = |name| element.text(name).map(|folder| Some(folder.to_string()));
        set(&mut self.mesh_folder, folder("meshdir"));
        set(&mut self.asset_folder, folder("assetdir"));
        set(&mut self.inertia_from_geoms, element.boolean_or_auto("inertiafromgeom")?);
        if let Some([low, high]) = element.array("inertiagrouprange")? {
            self.inertia_groups = [low as i64, high as i64];
        }
        set(&mut self.align_free, element.boolean("alignfree")?);
        if element.boolean("fitaabb")? == Some(true) {
            warnings.add("shapes fitted to meshes (fitaabb); the convex hull of the mesh is used", element);
        }
        Ok(())
    }

    /// Converts an angle of the model to rad.
    pub fn radians(&self, angle: f64) -> f64 {
        if self.degrees { angle * (std::f64::consts::PI / 180.0) } else { angle }
    }

    /// Returns the folder of meshes and height fields, relative to the model.
    pub fn mesh_folder(&self) -> &str {
        self.mesh_folder.as_deref().or(self.asset_folder.as_deref()).unwrap_or("")
    }

    /// Returns whether a range is active, given the `limited` attribute and the range.
    pub fn is_limited(
        &self,
        element: &Element,
        limited: Option<bool>,
        range: [f64; 2],
        attribute: &'static str,
    ) -> Result<bool, ImportError> {
        if let Some(limited) = limited {
            return Ok(limited);
        }
        if !self.autolimits && range != [0.0, 0.0] {
            return Err(element
                .conflict(format!("has a {attribute}, but autolimits is false; set the 'limited' attribute, too")));
        }
        Ok(self.autolimits && range[0] < range[1])
    }
}

fn euler_sequence(letters: &str) -> Option<[EulerAxis; 3]> {
    let axis = |letter: char| {
        let direction = match letter.to_ascii_lowercase() {
            'x' => DVec3::X,
            'y' => DVec3::Y,
            'z' => DVec3::Z,
            _ => return None,
        };
        Some(EulerAxis { direction, fixed: letter.is_ascii_uppercase() })
    };
    letters.chars().map(axis).collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// Overwrites a setting if an element gives a value.
pub(super) fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

/// Overwrites the first numbers of a setting with those that an element gives.
pub(super) fn set_first(slot: &mut [f64], values: Option<Vec<f64>>) {
    for (slot, value) in slot.iter_mut().zip(values.unwrap_or_default()) {
        *slot = value;
    }
}

pub(super) fn not_negative(element: &Element, attribute: &'static str) -> Result<Option<f64>, ImportError> {
    match element.number(attribute)? {
        Some(value) if value < 0.0 => Err(element.wrong(attribute, "at least zero")),
        other => Ok(other),
    }
}
