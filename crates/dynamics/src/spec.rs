//! User-side description of links and joints.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DVec3};

/// Whether an axis rotates or slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisKind {
    /// Rotation about the axis; positions in rad.
    Hinge,
    /// Translation along the axis; positions in m.
    Slide,
}

/// The motor of an axis. Its effort is limited by [`AxisProperties::max_effort`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Motor {
    /// No motor.
    #[default]
    None,
    /// A constant force (N) or torque (N m).
    Effort(f64),
    /// A velocity servo: `gain (target - velocity)`.
    Velocity {
        /// Target velocity, in rad/s or m/s.
        target: f64,
        /// Gain, in N m s/rad or N s/m.
        gain: f64,
    },
    /// A position servo: `stiffness (target - position) - damping velocity`.
    Position {
        /// Target position, in rad or m.
        target: f64,
        /// Stiffness, in N m/rad or N/m.
        stiffness: f64,
        /// Damping, in N m s/rad or N s/m.
        damping: f64,
    },
}

/// A spring that pushes an axis back from beyond its limit: `-stiffness violation - damping velocity`, but never
/// outward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitSpring {
    /// Stiffness, in N m/rad or N/m.
    pub stiffness: f64,
    /// Damping, in N m s/rad or N s/m; it acts only beyond the limit.
    pub damping: f64,
}

/// Mechanical properties of one degree of freedom, besides its direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisProperties {
    /// Lowest and highest position, enforced by the simulator's constraint solver; any range, also beyond full turns.
    /// For a spherical joint the upper limit of its first axis bounds the angle from the reference orientation.
    pub limit: Option<(f64, f64)>,
    /// Makes the limit soft. Without it the limit is hard.
    pub limit_spring: Option<LimitSpring>,
    /// Stiffness of a spring towards `rest`, in N m/rad or N/m.
    pub stiffness: f64,
    /// Rest position of the spring, in rad or m.
    pub rest: f64,
    /// Viscous damping, in N m s/rad or N s/m.
    pub damping: f64,
    /// Dry friction: the largest holding effort, in N m or N. It is part of the simulator's constraint solve, because
    /// static friction is not a force law.
    pub friction: f64,
    /// Inertia of the drive, added to the joint only, in kg m^2 or kg.
    pub armature: f64,
    /// Motor of the axis.
    pub motor: Motor,
    /// Maximum effort of the motor, in N m or N.
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
    /// Direction in the joint's frame, at zero position of all axes; any non-zero length.
    pub direction: DVec3,
    /// A point of a hinge's axis in the joint's frame, at zero position of all axes, in m.
    pub anchor: DVec3,
    /// Mechanical properties.
    pub properties: AxisProperties,
}

/// Kinds of joints.
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

    /// Creates a joint without degrees of freedom.
    pub fn weld() -> Self {
        Self::new(JointKindSpec::Weld)
    }

    /// Creates a hinge about an axis through the joint's origin.
    pub fn revolute(axis: DVec3) -> Self {
        Self::compound([(AxisKind::Hinge, axis)])
    }

    /// Creates a slide along an axis.
    pub fn prismatic(axis: DVec3) -> Self {
        Self::compound([(AxisKind::Slide, axis)])
    }

    /// Creates two hinges through the joint's origin, the second carried by the first.
    pub fn universal(first: DVec3, second: DVec3) -> Self {
        Self::compound([(AxisKind::Hinge, first), (AxisKind::Hinge, second)])
    }

    /// Creates an ordered stack of one to six hinges and slides in any directions, through the joint's origin, each
    /// carried by the ones before it.
    pub fn compound(axes: impl IntoIterator<Item = (AxisKind, DVec3)>) -> Self {
        let axis =
            |(kind, direction)| Axis { kind, direction, anchor: DVec3::ZERO, properties: AxisProperties::default() };
        Self::stack(axes.into_iter().map(axis).collect())
    }

    /// Creates a stack with given anchors and properties.
    pub fn stack(axes: Vec<Axis>) -> Self {
        Self::new(JointKindSpec::Stack(axes))
    }

    /// Creates a ball joint: any rotation about the joint's origin. Velocities are the components of the relative
    /// angular velocity along the axes of the joint's frame on the link.
    pub fn spherical() -> Self {
        Self::new(JointKindSpec::Spherical(Default::default()))
    }

    /// Creates a joint with six degrees of freedom, for the root of a floating tree. Positions are those of the link's
    /// centre of mass (3), then the link's orientation (quaternion x, y, z, w); velocities are angular (3), then that
    /// of the centre of mass (3), along the axes of the world.
    pub fn free() -> Self {
        Self::new(JointKindSpec::Free(Default::default()))
    }

    /// Creates a root whose motion the caller prescribes (see [`Workspace::set_script`](crate::Workspace::set_script)).
    pub fn scripted() -> Self {
        Self::new(JointKindSpec::Scripted)
    }

    /// Sets the joint's frame in the coordinates of the parent link.
    pub fn in_parent(mut self, frame: Pose) -> Self {
        self.parent_frame = frame;
        self
    }

    /// Sets the joint's frame in the coordinates of the link that it carries.
    pub fn in_child(mut self, frame: Pose) -> Self {
        self.child_frame = frame;
        self
    }

    /// Sets the properties of every axis.
    pub fn with(mut self, properties: AxisProperties) -> Self {
        for slot in self.properties_mut() {
            *slot = properties;
        }
        self
    }

    /// Returns the properties of the axes, in order.
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
    /// Name, for messages and files.
    pub name: String,
    /// Mass, in kg.
    pub mass: f64,
    /// Centre of mass in the link's coordinates, in m.
    pub center_of_mass: DVec3,
    /// Inertia about the centre of mass along the link's axes, in kg m^2.
    pub inertia: DMat3,
}

impl LinkSpec {
    /// Creates a link from its mass properties.
    pub fn new(name: &str, mass: f64, center_of_mass: DVec3, inertia: DMat3) -> Self {
        Self { name: name.to_string(), mass, center_of_mass, inertia }
    }

    /// Creates a link with the mass properties of a shape.
    pub fn from_mass_properties(name: &str, properties: &MassProperties) -> Self {
        Self::new(name, properties.mass, properties.center_of_mass, properties.inertia)
    }
}
