//! What a user says of a link and its joint.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DVec3};

/// Does an axis turn or slide?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisKind {
    /// Rotation about the axis; positions in rad.
    Hinge,
    /// Translation along the axis; positions in m.
    Slide,
}

/// What drives an axis. The effort is limited by [`AxisProperties::max_effort`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Motor {
    /// None.
    #[default]
    None,
    /// A given force (N) or torque (N m).
    Effort(f64),
    /// `gain (target - velocity)`.
    Velocity {
        /// Wanted velocity, in rad/s or m/s.
        target: f64,
        /// In N m s/rad or N s/m.
        gain: f64,
    },
    /// `stiffness (target - position) - damping velocity`.
    Position {
        /// Wanted position, in rad or m.
        target: f64,
        /// In N m/rad or N/m.
        stiffness: f64,
        /// In N m s/rad or N s/m.
        damping: f64,
    },
}

/// What pushes an axis back that is beyond its limit: `-stiffness violation - damping velocity`, but never farther out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitSpring {
    /// In N m/rad or N/m.
    pub stiffness: f64,
    /// In N m s/rad or N s/m; acts beyond the limit only.
    pub damping: f64,
}

/// The mechanics of one degree of freedom besides its direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisProperties {
    /// Lowest and highest position, held by the simulator's constraint solver; any range, also past full turns. For a spherical joint the upper limit of its first
    /// axis bounds the angle from the reference orientation.
    pub limit: Option<(f64, f64)>,
    /// Makes the limit soft; hard without.
    pub limit_spring: Option<LimitSpring>,
    /// Spring towards `rest`, in N m/rad or N/m.
    pub stiffness: f64,
    /// Where the spring is at rest, in rad or m.
    pub rest: f64,
    /// Viscous damping, in N m s/rad or N s/m.
    pub damping: f64,
    /// Dry friction: the largest effort with which it holds, in N m or N; part of the simulator's constraint solve, as true
    /// stick is no force law.
    pub friction: f64,
    /// Inertia of the drive, added to the joint alone, in kg m^2 or kg.
    pub armature: f64,
    /// What drives it.
    pub motor: Motor,
    /// The largest effort of the motor, in N m or N.
    pub max_effort: f64,
}

impl Default for AxisProperties {
    fn default() -> Self {
        Self {
            limit: None,
            limit_spring: None,
            stiffness: 0.0,
            rest: 0.0,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            motor: Motor::None,
            max_effort: f64::INFINITY,
        }
    }
}

/// One axis of a stack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Hinge or slide.
    pub kind: AxisKind,
    /// Its direction in the joint's frame, at zero position of all axes; any length but zero.
    pub direction: DVec3,
    /// A point of a hinge's axis in the joint's frame, at zero position of all axes, in m.
    pub anchor: DVec3,
    /// Its mechanics.
    pub properties: AxisProperties,
}

/// How links can move against each other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JointKindSpec {
    Weld,
    /// One to six hinges and slides, each carried by the ones before it.
    Stack(Vec<Axis>),
    Spherical(Box<[AxisProperties; 3]>),
    Free(Box<[AxisProperties; 6]>),
    Scripted,
}

/// A joint between a link and its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSpec {
    pub(crate) kind: JointKindSpec,
    /// The joint's frame in the coordinates of the parent link (of the world for a root).
    pub(crate) parent_frame: Pose,
    /// The joint's frame in the coordinates of the link itself, when all positions are zero.
    pub(crate) child_frame: Pose,
}

impl JointSpec {
    fn new(kind: JointKindSpec) -> Self {
        Self { kind, parent_frame: Pose::IDENTITY, child_frame: Pose::IDENTITY }
    }

    /// No freedom at all.
    pub fn weld() -> Self {
        Self::new(JointKindSpec::Weld)
    }

    /// A hinge about an axis through the joint's origin.
    pub fn revolute(axis: DVec3) -> Self {
        Self::compound([(AxisKind::Hinge, axis)])
    }

    /// A slide along an axis.
    pub fn prismatic(axis: DVec3) -> Self {
        Self::compound([(AxisKind::Slide, axis)])
    }

    /// Two hinges through the joint's origin, the second carried by the first.
    pub fn universal(first: DVec3, second: DVec3) -> Self {
        Self::compound([(AxisKind::Hinge, first), (AxisKind::Hinge, second)])
    }

    /// An ordered stack of one to six hinges and slides in any directions, through the joint's origin, each carried by
    /// the ones before it.
    pub fn compound(axes: impl IntoIterator<Item = (AxisKind, DVec3)>) -> Self {
        let axis =
            |(kind, direction)| Axis { kind, direction, anchor: DVec3::ZERO, properties: AxisProperties::default() };
        Self::stack(axes.into_iter().map(axis).collect())
    }

    /// The same with anchors and mechanics given.
    pub fn stack(axes: Vec<Axis>) -> Self {
        Self::new(JointKindSpec::Stack(axes))
    }

    /// A ball joint: any rotation about the joint's origin. Velocities are the components of the relative angular
    /// velocity along the axes of the joint's frame on the link.
    pub fn spherical() -> Self {
        Self::new(JointKindSpec::Spherical(Default::default()))
    }

    /// Six degrees of freedom, for the root of a floating tree. Positions are those of the link's centre of mass (3), then
    /// the link's orientation (quaternion x, y, z, w); velocities are angular (3), then that of the centre of mass (3),
    /// along the axes of the world.
    pub fn free() -> Self {
        Self::new(JointKindSpec::Free(Default::default()))
    }

    /// A root that moves as the caller prescribes at every moment (see [`Workspace::set_script`](crate::Workspace::set_script)).
    pub fn scripted() -> Self {
        Self::new(JointKindSpec::Scripted)
    }

    /// Puts the joint somewhere in the coordinates of the parent link.
    pub fn in_parent(mut self, frame: Pose) -> Self {
        self.parent_frame = frame;
        self
    }

    /// Puts the joint somewhere in the coordinates of the link that it carries.
    pub fn in_child(mut self, frame: Pose) -> Self {
        self.child_frame = frame;
        self
    }

    /// Sets the mechanics of every axis.
    pub fn with(mut self, properties: AxisProperties) -> Self {
        for slot in self.properties_mut() {
            *slot = properties;
        }
        self
    }

    /// The mechanics of the axes, in order.
    pub fn properties_mut(&mut self) -> Vec<&mut AxisProperties> {
        match &mut self.kind {
            JointKindSpec::Weld | JointKindSpec::Scripted => Vec::new(),
            JointKindSpec::Stack(axes) => axes.iter_mut().map(|axis| &mut axis.properties).collect(),
            JointKindSpec::Spherical(properties) => properties.iter_mut().collect(),
            JointKindSpec::Free(properties) => properties.iter_mut().collect(),
        }
    }

    pub(crate) fn properties(&self) -> Vec<AxisProperties> {
        match &self.kind {
            JointKindSpec::Weld | JointKindSpec::Scripted => Vec::new(),
            JointKindSpec::Stack(axes) => axes.iter().map(|axis| axis.properties).collect(),
            JointKindSpec::Spherical(properties) => properties.to_vec(),
            JointKindSpec::Free(properties) => properties.to_vec(),
        }
    }
}

/// A rigid link.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkSpec {
    /// For messages and files.
    pub name: String,
    /// Mass, in kg.
    pub mass: f64,
    /// Centre of mass in the link's coordinates, in m.
    pub center_of_mass: DVec3,
    /// Inertia about the centre of mass along the link's axes, in kg m^2.
    pub inertia: DMat3,
}

impl LinkSpec {
    /// A link from its numbers.
    pub fn new(name: &str, mass: f64, center_of_mass: DVec3, inertia: DMat3) -> Self {
        Self { name: name.to_string(), mass, center_of_mass, inertia }
    }

    /// A link with the mass of a shape.
    pub fn from_mass_properties(name: &str, properties: &MassProperties) -> Self {
        Self::new(name, properties.mass, properties.center_of_mass, properties.inertia)
    }
}
