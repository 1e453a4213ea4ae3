//! `<joint>` and `<freejoint>`: how a body moves relative to its parent.
//!
//! In the reference configuration a joint's position is `ref` in MuJoCo and zero in a scene, so limits and rest
//! positions of springs are shifted by `ref`. Limits act `margin` before the range ends, so the imported limits are
//! narrower by `margin`.

use burgess_geometry::Pose;
use burgess_scene::spec::AxisSpec;
use glam::DVec3;

use super::compiler::{Compiler, not_negative, set, set_first};
use super::softness;
use crate::import::{ImportError, Warnings};
use crate::xml::Element;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Free,
    Ball,
    Slide,
    Hinge,
}

/// Settings of a joint: the attributes of an element over those of its default class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JointSettings {
    pub kind: Kind,
    position: DVec3,
    axis: DVec3,
    limited: Option<bool>,
    range: [f64; 2],
    force_limited: Option<bool>,
    force_range: [f64; 2],
    stiffness: [f64; 3],
    damping: [f64; 3],
    margin: f64,
    reference: f64,
    spring_reference: f64,
    armature: f64,
    friction: f64,
}

impl Default for JointSettings {
    fn default() -> Self {
        Self {
            kind: Kind::Hinge,
            position: DVec3::ZERO,
            axis: DVec3::Z,
            limited: None,
            range: [0.0; 2],
            force_limited: None,
            force_range: [0.0; 2],
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            margin: 0.0,
            reference: 0.0,
            spring_reference: 0.0,
            armature: 0.0,
            friction: 0.0,
        }
    }
}

impl JointSettings {
    /// Returns a free joint without stiffness, damping, friction and armature.
    pub fn free() -> Self {
        Self { kind: Kind::Free, ..Self::default() }
    }

    pub fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        let kind = element.keyword("type", &["free", "ball", "slide", "hinge"])?.map(|word| match word {
            "free" => Kind::Free,
            "ball" => Kind::Ball,
            "slide" => Kind::Slide,
            _ => Kind::Hinge,
        });
        set(&mut self.kind, kind);
        set(&mut self.position, element.vector("pos")?);
        set(&mut self.axis, element.vector("axis")?);
        set(&mut self.limited, element.boolean_or_auto("limited")?);
        set(&mut self.range, element.array("range")?);
        set(&mut self.force_limited, element.boolean_or_auto("actuatorfrclimited")?);
        set(&mut self.force_range, element.array("actuatorfrcrange")?);
        set_first(&mut self.stiffness, element.numbers("stiffness", 1..=3)?);
        set_first(&mut self.damping, element.numbers("damping", 1..=3)?);
        set(&mut self.margin, element.number("margin")?);
        set(&mut self.reference, element.number("ref")?);
        set(&mut self.spring_reference, element.number("springref")?);
        set(&mut self.armature, not_negative(element, "armature")?);
        set(&mut self.friction, not_negative(element, "frictionloss")?);
        self.check_unsupported(element, warnings)
    }

    fn check_unsupported(&self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        for (attribute, values) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            if values[0] < 0.0 {
                return Err(element.wrong(attribute, "at least zero"));
            }
            if values[1..] != [0.0; 2] && element.text(attribute).is_some() {
                warnings.add("nonlinear springs and dampers of joints; the linear coefficient is used", element);
            }
        }
        if element.array::<2>("springdamper")?.is_some_and(|[time, ratio]| time > 0.0 && ratio > 0.0) {
            warnings.add("springs given by a time constant and a damping ratio (springdamper)", element);
        }
        if element.number("springyield")?.is_some_and(|threshold| threshold != 0.0) {
            warnings.add("yielding springs (springyield)", element);
        }
        element.boolean("actuatorgravcomp")?;
        let limit = "softness of joint limits (solreflimit, solimplimit)";
        softness::check(element, ["solreflimit", "solimplimit"], limit, warnings)?;
        let friction = "softness of dry friction in joints (solreffriction, solimpfriction)";
        softness::check(element, ["solreffriction", "solimpfriction"], friction, warnings)
    }
}

/// A joint of a body, in body coordinates in the reference configuration; in rad and m.
#[derive(Debug, Clone)]
pub(super) struct Joint<'a> {
    pub name: Option<String>,
    pub element: &'a Element,
    pub kind: Kind,
    pub anchor: DVec3,
    pub axis: DVec3,
    /// Minimum and maximum of MuJoCo's joint position.
    pub range: Option<[f64; 2]>,
    pub margin: f64,
    /// Range of the total force of its actuators.
    pub force_range: Option<[f64; 2]>,
    /// MuJoCo's joint position in the reference configuration.
    pub reference: f64,
    /// MuJoCo's joint position at which the spring is relaxed.
    pub spring_reference: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub armature: f64,
    pub friction: f64,
}

impl<'a> Joint<'a> {
    /// Creates a joint from its settings; `base` is the pose of the enclosing `<frame>` in the body.
    pub fn new(
        settings: &JointSettings,
        element: &'a Element,
        base: &Pose,
        compiler: &Compiler,
    ) -> Result<Self, ImportError> {
        let kind = settings.kind;
        let is_rotational = matches!(kind, Kind::Hinge | Kind::Ball);
        let position = |value: f64| if is_rotational { compiler.radians(value) } else { value };
        let limited = compiler.is_limited(element, settings.limited, settings.range, "range")?;
        let range = settings.range.map(position);
        if limited && kind == Kind::Free {
            return Err(element.conflict("a free joint cannot have limits"));
        }
        let empty = if kind == Kind::Ball { range[1] <= 0.0 } else { range[0] >= range[1] };
        if limited && empty {
            return Err(element.wrong("range", "two numbers in increasing order"));
        }
        let scalar = matches!(kind, Kind::Hinge | Kind::Slide);
        let force_limited =
            scalar && compiler.is_limited(element, settings.force_limited, settings.force_range, "actuatorfrcrange")?;
        if force_limited && settings.force_range[0] >= settings.force_range[1] {
            return Err(element.wrong("actuatorfrcrange", "two numbers in increasing order"));
        }
        if scalar && settings.axis.length() < 1e-14 {
            return Err(element.wrong("axis", "a vector that is not zero"));
        }
        Ok(Self {
            name: element.text("name").filter(|name| !name.is_empty()).map(str::to_string),
            element,
            kind,
            anchor: base.transform_point(settings.position),
            axis: base.transform_vector(settings.axis).normalize_or(DVec3::Z),
            range: limited.then_some(range),
            margin: settings.margin,
            force_range: force_limited.then_some(settings.force_range),
            reference: if scalar { position(settings.reference) } else { 0.0 },
            spring_reference: if scalar { position(settings.spring_reference) } else { 0.0 },
            stiffness: settings.stiffness[0],
            damping: settings.damping[0],
            armature: settings.armature,
            friction: settings.friction,
        })
    }

    /// Returns the limits in scene coordinates.
    pub fn limit(&self) -> Option<[f64; 2]> {
        let [low, high] = self.range?;
        let (low, high) = (low + self.margin - self.reference, high - self.margin - self.reference);
        Some(if low <= high { [low, high] } else { [0.5 * (low + high); 2] })
    }

    /// Returns the bound of the total actuator force if it is symmetric.
    pub fn max_effort(&self) -> Option<f64> {
        self.force_range.filter(|[low, high]| *low == -*high).map(|[_, high]| high)
    }

    /// Converts the joint to an axis of a scene joint.
    pub fn spec(&self) -> AxisSpec {
        AxisSpec {
            anchor: if self.kind == Kind::Slide { DVec3::ZERO } else { self.anchor },
            limit: self.limit(),
            stiffness: self.stiffness,
            rest: if self.stiffness > 0.0 { self.spring_reference - self.reference } else { 0.0 },
            damping: self.damping,
            friction: self.friction,
            armature: self.armature,
            max_effort: self.max_effort(),
            ..AxisSpec::new(self.axis)
        }
    }
}
