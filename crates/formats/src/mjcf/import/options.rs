//! `<option>` and its flags: gravity, time step, fluid, and disabled features.
//!
//! Settings of MuJoCo's solver and integrator are ignored because they are not part of the model.

use burgess_scene::spec::{FluidSpec, InertiaBoxFluid, TendonSpec};
use glam::DVec3;

use super::actuator::Actuators;
use super::compiler::{not_negative, set};
use crate::import::{ImportError, Warnings};
use crate::xml::Element;

#[derive(Debug, Clone)]
pub(super) struct Options {
    pub step: f64,
    gravity: DVec3,
    density: f64,
    viscosity: f64,
    wind: DVec3,
    constraints: bool,
    equality: bool,
    friction_loss: bool,
    limits: bool,
    contacts: bool,
    springs: bool,
    dampers: bool,
    gravity_on: bool,
    clamp_controls: bool,
    actuation: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            step: 0.002,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            density: 0.0,
            viscosity: 0.0,
            wind: DVec3::ZERO,
            constraints: true,
            equality: true,
            friction_loss: true,
            limits: true,
            contacts: true,
            springs: true,
            dampers: true,
            gravity_on: true,
            clamp_controls: true,
            actuation: true,
        }
    }
}

impl Options {
    pub fn read(root: &Element, warnings: &mut Warnings) -> Result<Self, ImportError> {
        let mut options = Self::default();
        for element in root.children("option") {
            options.apply(element, warnings)?;
        }
        Ok(options)
    }

    fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        if let Some(step) = element.number("timestep")? {
            if step <= 0.0 || step > burgess_scene::MAX_STEP {
                return Err(element.wrong("timestep", "more than 0 and at most 1 s"));
            }
            self.step = step;
        }
        set(&mut self.gravity, element.vector("gravity")?);
        set(&mut self.density, not_negative(element, "density")?);
        set(&mut self.viscosity, not_negative(element, "viscosity")?);
        set(&mut self.wind, element.vector("wind")?);
        if element.text("actuatorgroupdisable").is_some() {
            warnings.add("disabled groups of actuators (actuatorgroupdisable); all actuators are enabled", element);
        }
        for flags in element.children("flag") {
            self.apply_flags(flags, warnings)?;
        }
        Ok(())
    }

    fn apply_flags(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        let flag = |name| Ok(element.keyword(name, &["enable", "disable"])?.map(|word| word == "enable"));
        set(&mut self.constraints, flag("constraint")?);
        set(&mut self.equality, flag("equality")?);
        set(&mut self.friction_loss, flag("frictionloss")?);
        set(&mut self.limits, flag("limit")?);
        set(&mut self.contacts, flag("contact")?);
        set(&mut self.springs, flag("spring")?);
        set(&mut self.dampers, flag("damper")?);
        set(&mut self.gravity_on, flag("gravity")?);
        set(&mut self.clamp_controls, flag("clampctrl")?);
        set(&mut self.actuation, flag("actuation")?);
        if flag("filterparent")? == Some(false) {
            warnings.add("contacts between bodies and their parents (filterparent)", element);
        }
        if flag("override")? == Some(true) {
            warnings.add("global overrides of contact parameters (override)", element);
        }
        Ok(())
    }

    pub fn gravity(&self) -> DVec3 {
        if self.gravity_on { self.gravity } else { DVec3::ZERO }
    }

    /// Returns the fluid. In MuJoCo, disabling both springs and dampers disables all passive forces.
    pub fn fluid(&self) -> Option<FluidSpec> {
        let passive = self.springs || self.dampers;
        let fluid = InertiaBoxFluid { density: self.density, viscosity: self.viscosity, current: self.wind };
        (passive && (self.density > 0.0 || self.viscosity > 0.0)).then_some(FluidSpec::InertiaBox(fluid))
    }

    pub fn equality(&self) -> bool {
        self.constraints && self.equality
    }

    pub fn friction_loss(&self) -> bool {
        self.constraints && self.friction_loss
    }

    pub fn limits(&self) -> bool {
        self.constraints && self.limits
    }

    pub fn contacts(&self) -> bool {
        self.constraints && self.contacts
    }

    pub fn springs(&self) -> bool {
        self.springs
    }

    pub fn dampers(&self) -> bool {
        self.dampers
    }

    /// Applies the flags for actuators.
    pub fn apply_to_actuators(&self, actuators: &mut Actuators) {
        for actuator in &mut actuators.list {
            if !self.clamp_controls {
                actuator.control_range = None;
            }
            if !self.actuation {
                (actuator.gain, actuator.bias) = (0.0, [0.0; 3]);
            }
        }
    }

    /// Applies the flags for tendons.
    pub fn apply_to_tendons(&self, tendons: &mut [TendonSpec]) {
        for tendon in tendons {
            if !self.springs {
                (tendon.stiffness, tendon.rest) = (0.0, [0.0; 2]);
            }
            if !self.dampers {
                tendon.damping = 0.0;
            }
        }
    }
}
