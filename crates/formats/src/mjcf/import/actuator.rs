//! `<actuator>`: actuators. Every kind is a general actuator with gain, bias and dynamics that depend on the kind:
//!
//! ```text
//!   motor      gain 1    bias 0
//!   position   gain kp   bias -kp length - kv velocity
//!   velocity   gain kv   bias -kv velocity
//!   general    gain gainprm[0]   bias biasprm[0] + biasprm[1] length + biasprm[2] velocity
//! ```
//!
//! A default class has one set of actuator settings. The gains of a kind come from the nearest class that sets them for
//! the same kind or for `general`; the other settings (ranges, gear) come from the element's own class. Actuators with
//! dynamics or nonlinear laws are not supported.

use burgess_files::NameFault;
use std::collections::BTreeMap;

use burgess_scene::spec::ActuatorSpec;

use super::compiler::{Compiler, not_negative, set, set_first};
use super::joint::{Joint, Kind};
use super::tree::Tree;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// Force law of an actuator.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Law {
    /// Whether the law is linear and has no internal state.
    linear: bool,
    gain: f64,
    bias: [f64; 3],
    /// Whether the bias type is `affine`.
    biased: bool,
    damping_ratio: f64,
}

impl Default for Law {
    fn default() -> Self {
        Self { linear: true, gain: 1.0, bias: [0.0; 3], biased: false, damping_ratio: 0.0 }
    }
}

/// Settings of an actuator: the attributes of an element over those of its default class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ActuatorSettings {
    control_limited: Option<bool>,
    control_range: [f64; 2],
    force_limited: Option<bool>,
    force_range: [f64; 2],
    inherit_range: f64,
    gear: [f64; 6],
    damping: [f64; 3],
    armature: f64,
    delay: f64,
    law: Law,
    /// Initial law of each kind, as set by the nearest class.
    laws: BTreeMap<String, Law>,
}

impl Default for ActuatorSettings {
    fn default() -> Self {
        Self {
            control_limited: None,
            control_range: [0.0; 2],
            force_limited: None,
            force_range: [0.0; 2],
            inherit_range: 0.0,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            damping: [0.0; 3],
            armature: 0.0,
            delay: 0.0,
            law: Law::default(),
            laws: BTreeMap::new(),
        }
    }
}

impl ActuatorSettings {
    pub fn apply(&mut self, element: &Element) -> Result<(), ImportError> {
        set(&mut self.control_limited, element.boolean_or_auto("ctrllimited")?);
        set(&mut self.control_range, element.array("ctrlrange")?);
        set(&mut self.force_limited, element.boolean_or_auto("forcelimited")?);
        set(&mut self.force_range, element.array("forcerange")?);
        set(&mut self.inherit_range, not_negative(element, "inheritrange")?);
        set_first(&mut self.gear, element.numbers("gear", 1..=6)?);
        set_first(&mut self.damping, element.numbers("damping", 1..=3)?);
        set(&mut self.armature, not_negative(element, "armature")?);
        set(&mut self.delay, not_negative(element, "delay")?);
        let kind = &*element.name;
        let before = self.laws.get(kind).copied();
        self.law = match kind {
            "general" => self.law.general(element)?,
            "motor" => Law::default(),
            "position" => Law::position(before, element)?,
            "velocity" => {
                let kv = not_negative(element, "kv")?.unwrap_or(before.map_or(1.0, |law| law.gain));
                Law { gain: kv, bias: [0.0, 0.0, -kv], biased: true, ..Law::default() }
            }
            _ => Law { linear: false, ..Law::default() },
        };
        if kind == "general" {
            for inheriting in ["position", "velocity"] {
                self.laws.insert(inheriting.to_string(), self.law);
            }
        } else {
            self.laws.insert(kind.to_string(), self.law);
        }
        Ok(())
    }
}

impl Law {
    fn general(mut self, element: &Element) -> Result<Self, ImportError> {
        let dynamics = ["none", "integrator", "filter", "filterexact", "pid", "dcmotor", "muscle", "user"];
        let gains = ["fixed", "affine", "muscle", "dcmotor", "pid", "so3", "user"];
        let biases = ["none", "affine", "muscle", "dcmotor", "so3", "user"];
        if element.keyword("dyntype", &dynamics)?.is_some_and(|kind| kind != "none") {
            self.linear = false;
        }
        let gain_kind = element.keyword("gaintype", &gains)?;
        let gain = element.numbers("gainprm", 1..=10)?.unwrap_or_default();
        match gain_kind {
            Some("affine") if gain.iter().skip(1).any(|&value| value != 0.0) => self.linear = false,
            None | Some("fixed" | "affine") => {}
            Some(_) => self.linear = false,
        }
        set(&mut self.gain, gain.first().copied());
        match element.keyword("biastype", &biases)? {
            None => {}
            Some("none") => self.biased = false,
            Some("affine") => self.biased = true,
            Some(_) => self.linear = false,
        }
        set_first(&mut self.bias, element.numbers("biasprm", 1..=10)?);
        Ok(self)
    }

    fn position(before: Option<Self>, element: &Element) -> Result<Self, ImportError> {
        let before = before.unwrap_or_default();
        let kp = not_negative(element, "kp")?.unwrap_or(before.gain);
        let kv_before = if before.biased { -before.bias[2] } else { 0.0 };
        let kv = not_negative(element, "kv")?.unwrap_or(kv_before);
        let damping_ratio = not_negative(element, "dampratio")?.unwrap_or(before.damping_ratio);
        let linear = not_negative(element, "timeconst")?.map_or(before.linear, |time| time == 0.0);
        Ok(Self { linear, gain: kp, bias: [0.0, -kp, -kv], biased: true, damping_ratio })
    }
}

/// An actuator with the body index and joint index of its joint.
type JointActuator = (ActuatorSpec, (usize, usize));

/// The actuators of a model, and the damping and armature that they add to joints.
#[derive(Debug, Default)]
pub(super) struct Actuators {
    pub list: Vec<ActuatorSpec>,
    /// Names in MuJoCo's order; `None` for actuators that are not supported.
    pub order: Vec<Option<String>>,
    /// Added damping and armature, by body index and joint index.
    pub added: BTreeMap<(usize, usize), (f64, f64)>,
}

impl Actuators {
    pub fn read(
        root: &Element,
        tree: &Tree,
        classes: &super::defaults::Classes,
        compiler: &Compiler,
        warnings: &mut Warnings,
    ) -> Result<Self, ImportError> {
        let mut actuators = Self::default();
        let mut names = std::collections::BTreeSet::new();
        let mut targets = Vec::new();
        for element in root.children("actuator").flat_map(|section| &section.children) {
            let mut settings = classes.of(element, None)?.actuator.clone();
            settings.apply(element)?;
            let place = actuators.order.len();
            let given = element.text("name").filter(|name| !name.is_empty());
            let name = given.map_or_else(|| format!("actuator{place}"), str::to_string);
            if !names.insert(name.clone()) {
                return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "actuator", name })));
            }
            let made = settings.spec(name, element, tree, compiler, warnings)?;
            actuators.order.push(made.as_ref().map(|(spec, _)| spec.name.clone()));
            if let Some((spec, (body, joint))) = made {
                let gear = spec.gear * spec.gear;
                if settings.damping[1..] != [0.0; 2] {
                    warnings.add("nonlinear dampers of actuators; the linear coefficient is used", element);
                }
                let added = actuators.added.entry((body, joint)).or_default();
                added.0 += settings.damping[0] * gear;
                added.1 += settings.armature * gear;
                targets.push((body, joint, element));
                actuators.list.push(spec);
            }
        }
        actuators.limit_joint_forces(&targets, tree, warnings);
        Ok(actuators)
    }

    /// Applies asymmetric bounds of a joint's total actuator force. They are supported only for joints with one
    /// actuator, where they become the force range of that actuator.
    fn limit_joint_forces(&mut self, targets: &[(usize, usize, &Element)], tree: &Tree, warnings: &mut Warnings) {
        let mut actuator_counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for &(body, joint, _) in targets {
            *actuator_counts.entry((body, joint)).or_default() += 1;
        }
        for (spec, &(body, joint, _)) in self.list.iter_mut().zip(targets) {
            let joint_spec = &tree.bodies[body].joints[joint];
            let limited = joint_spec.force_range.filter(|_| joint_spec.max_effort().is_none());
            let Some([low, high]) = limited else { continue };
            if actuator_counts[&(body, joint)] > 1 {
                warnings.add(
                    "asymmetric limits of the total force of several actuators (actuatorfrcrange)",
                    joint_spec.element,
                );
                continue;
            }
            let (a, b) = (low / spec.gear, high / spec.gear);
            let (low, high) = (a.min(b), a.max(b));
            let [own_low, own_high] = spec.force_range.unwrap_or([low, high]);
            spec.force_range = Some([own_low.max(low).min(high), own_high.min(high).max(low)]);
        }
        for (spec, &(body, joint, element)) in self.list.iter_mut().zip(targets).filter(|(spec, _)| spec.feels_motion())
        {
            let Some([low, high]) = spec.force_range else { continue };
            if actuator_counts[&(body, joint)] > 1 {
                warnings.add("force limits of a servo on a joint with several actuators (forcerange)", element);
                spec.force_range = None;
            } else if low != -high {
                warnings.add(
                    "asymmetric force limits of a servo (forcerange); the larger limit is used in both directions",
                    element,
                );
                let bound = low.abs().max(high.abs());
                spec.force_range = Some([-bound, bound]);
            }
        }
    }
}

impl ActuatorSettings {
    /// Converts the settings to an actuator of a scene; returns `None` if they are not supported.
    fn spec(
        &self,
        name: String,
        element: &Element,
        tree: &Tree,
        compiler: &Compiler,
        warnings: &mut Warnings,
    ) -> Result<Option<JointActuator>, ImportError> {
        let mut leave_out = |what: &str| {
            warnings.add(what, element);
            Ok(None)
        };
        if !self.law.linear {
            let what = match &*element.name {
                "general" | "position" => "actuators with dynamics or a nonlinear law".to_string(),
                other => format!("actuators of kind '{other}'"),
            };
            return leave_out(&what);
        }
        if self.delay > 0.0 {
            return leave_out("actuators with a delay (delay)");
        }
        let attribute = if element.text("joint").is_some() { "joint" } else { "jointinparent" };
        if element.text(attribute).is_none() {
            return leave_out("actuators on tendons, sites, bodies and slider-cranks");
        }
        let (body, place) = tree.joint(element, attribute)?;
        let joint = &tree.bodies[body].joints[place];
        let Some((axis, gear)) = self.axis_and_gear(joint, place, attribute) else {
            return leave_out(
                "actuators on free joints, and on ball joints unless they are motors about one body axis",
            );
        };
        // An actuator with zero gear has no effect.
        if gear == 0.0 {
            return Ok(None);
        }
        if self.law.damping_ratio > 0.0 {
            warnings.add("damping ratios of actuators (dampratio); kv is used", element);
        }
        let mut bias = if self.law.biased { self.law.bias } else { [0.0; 3] };
        if bias[1] > 0.0 || bias[2] > 0.0 {
            warnings.add("actuators with positive feedback (positive biasprm)", element);
            return Ok(None);
        }
        let control_range = self.control_range(joint, element, compiler)?;
        let force_limited = compiler.is_limited(element, self.force_limited, self.force_range, "forcerange")?;
        if force_limited && self.force_range[0] > self.force_range[1] {
            return Err(element.wrong("forcerange", "two numbers in increasing order"));
        }
        // The scene's joint position is zero where MuJoCo's is `ref`.
        bias[0] += bias[1] * gear * joint.reference;
        let spec = ActuatorSpec {
            gear,
            gain: self.law.gain,
            bias,
            control_range,
            force_range: force_limited.then_some(self.force_range),
            ..ActuatorSpec::motor(&name, &tree.bodies[body].name, axis)
        };
        Ok(Some((spec, (body, place))))
    }

    /// Returns the driven axis of the scene joint and the gear.
    fn axis_and_gear(&self, joint: &Joint, place: usize, attribute: &str) -> Option<(usize, f64)> {
        match joint.kind {
            Kind::Hinge | Kind::Slide => Some((place, self.gear[0])),
            Kind::Ball => {
                let about = &self.gear[..3];
                let axis = (0..3).find(|&axis| about[axis] != 0.0)?;
                let single_axis = about.iter().filter(|&&part| part != 0.0).count() == 1;
                let motor = !self.law.biased || self.law.bias[1] == 0.0;
                (single_axis && motor && attribute == "joint").then_some((axis, about[axis]))
            }
            Kind::Free => None,
        }
    }

    fn control_range(
        &self,
        joint: &Joint,
        element: &Element,
        compiler: &Compiler,
    ) -> Result<Option<[f64; 2]>, ImportError> {
        let is_position_servo = self.law.biased && self.law.gain == -self.law.bias[1] && self.law.gain != 0.0;
        let mut range = self.control_range;
        if self.inherit_range > 0.0 && is_position_servo {
            if element.text("ctrlrange").is_some() {
                return Err(element.conflict("has both ctrlrange and inheritrange; expected one of them"));
            }
            let Some([low, high]) = joint.range else {
                return Err(element.conflict("inheritrange requires a joint with a range"));
            };
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * self.inherit_range);
            range = [middle - half, middle + half];
        }
        let limited = compiler.is_limited(element, self.control_limited, range, "ctrlrange")?;
        if limited && range[0] >= range[1] {
            return Err(element.wrong("ctrlrange", "two numbers in increasing order"));
        }
        Ok(limited.then_some(range))
    }
}
