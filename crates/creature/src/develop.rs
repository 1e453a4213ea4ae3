//! Development of a phenotype into bodies of a scene (Fontijne (2000) section 4.4.2, second stage): every part becomes
//! a body, every joint gets its limits and muscles.

use burgess_geometry::Pose;
use burgess_scene::spec::{
    ActuatorSpec, AxisSpec, BodySpec, JointKind, JointSpec, Orientation, PoseSpec, SceneSpec, StackAxisSpec,
    StackJoint, UniversalJoint, WeldJoint,
};
use glam::DVec3;

use crate::phenotype::{Attachment, Body, Drive, Part};
use crate::physiology::Physiology;

/// How a creature is placed in a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// Prefix of the names of the parts, so that a scene can hold several creatures.
    pub prefix: String,
    /// Pose of the root in the world.
    pub root: Pose,
    /// Whether the root is fixed to the world.
    pub root_is_fixed: bool,
    /// Name of the scene's material for all parts; `None` for the default material of the scene.
    pub material: Option<String>,
}

impl Placement {
    /// Places a creature at a pose, free to move.
    pub fn new(root: Pose) -> Self {
        Self { prefix: String::new(), root, root_is_fixed: false, material: None }
    }
}

/// Indices of a developed creature in the lists of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Developed {
    /// Index of the root's body. The other bodies follow in the order of the parts.
    pub first_body: usize,
    /// Index of the first actuator. There is one for each axis, in the order of the parts and their axes.
    pub first_actuator: usize,
}

/// Adds a creature to a scene: bodies named `part0`, `part1` and so on with the prefix, and an actuator for each axis.
pub fn develop(body: &Body, physiology: &Physiology, placement: &Placement, scene: &mut SceneSpec) -> Developed {
    let developed = Developed { first_body: scene.bodies.len(), first_actuator: scene.actuators.len() };
    let name = |part: usize| format!("{}part{part}", placement.prefix);
    for (index, part) in body.parts.iter().enumerate() {
        let mut shape = part.shape.spec().with_density(physiology.density);
        if let Some(material) = &placement.material {
            shape = shape.of(material);
        }
        let mut spec = BodySpec::new(name(index), placement.root.translation, [shape]);
        spec.color = Some(color(part));
        match &part.attachment {
            Some(on) => {
                spec.position = DVec3::ZERO;
                spec.joint = Some(joint(on, part, physiology, &name(on.parent)));
                if placement.root_is_fixed && on.parent == 0 {
                    scene.exclusions.push([name(0), name(index)]);
                }
                for axis in 0..on.axes.len() {
                    scene.actuators.push(muscle(on, physiology, &name(index), axis));
                }
            }
            None => {
                spec.orientation = Orientation::from_quaternion(placement.root.rotation);
                spec.fixed = placement.root_is_fixed;
            }
        }
        scene.bodies.push(spec);
    }
    developed
}

fn joint(on: &Attachment, part: &Part, physiology: &Physiology, parent: &str) -> JointSpec {
    let effort = physiology.max_effort(on.area);
    let lever = on.in_child.translation.length();
    let armature = physiology.armature * physiology.density * part.shape.volume() * lever * lever;
    let axis = |index: usize| {
        let axis = &on.axes[index];
        let [limit_stiffness, limit_damping] = axis.limit_spring.unwrap_or_default();
        AxisSpec {
            limit: Some(axis.limit),
            limit_stiffness,
            limit_damping,
            damping: effort / physiology.speed,
            armature,
            ..AxisSpec::new(axis.direction)
        }
    };
    let kind = match on.axes.len() {
        0 => JointKind::Weld(WeldJoint {}),
        1 => JointKind::Revolute(axis(0)),
        2 => JointKind::Universal(UniversalJoint { first: axis(0), second: axis(1) }),
        _ => JointKind::Stack(StackJoint { axes: (0..3).map(|index| StackAxisSpec::Hinge(axis(index))).collect() }),
    };
    JointSpec::new(kind).on(parent, pose_spec(&on.in_parent)).in_child(pose_spec(&on.in_child))
}

/// Returns the actuator of an axis. All axes of a joint share its strength; the controller keeps their sum within it.
fn muscle(on: &Attachment, physiology: &Physiology, body: &str, axis: usize) -> ActuatorSpec {
    let effort = physiology.max_effort(on.area);
    let name = format!("{body}-{axis}");
    match on.drive {
        Drive::Effort => {
            ActuatorSpec { gear: effort, control_range: Some([-1.0, 1.0]), ..ActuatorSpec::motor(&name, body, axis) }
        }
        Drive::Spring { stiffness, damping } => ActuatorSpec {
            force_range: Some([-effort, effort]),
            ..ActuatorSpec::position(&name, body, axis, stiffness, damping)
        },
        Drive::Servo { stiffness, damping } => {
            let most = effort / max_sum(on);
            ActuatorSpec {
                force_range: Some([-most, most]),
                ..ActuatorSpec::position(&name, body, axis, stiffness, damping)
            }
        }
    }
}

/// Returns the largest sum of efforts of one on all axes of a joint: as a vector at rest, or as the root of the sum of
/// squares.
fn max_sum(on: &Attachment) -> f64 {
    let directions: Vec<DVec3> = on.axes.iter().map(|axis| axis.direction).collect();
    let signs = |bits: usize, axis: usize| if bits >> axis & 1 == 0 { 1.0 } else { -1.0 };
    let sums = (0..1 << directions.len()).map(|bits| -> DVec3 {
        directions.iter().enumerate().map(|(axis, direction)| signs(bits, axis) * *direction).sum()
    });
    sums.fold(libm::sqrt(directions.len() as f64), |most, sum| most.max(sum.length())).max(1.0)
}

fn pose_spec(pose: &Pose) -> PoseSpec {
    PoseSpec { position: pose.translation, orientation: Orientation::from_quaternion(pose.rotation) }
}

/// Returns the colour of a part. Parts from the same gene have the same colour.
pub(crate) fn color(part: &Part) -> DVec3 {
    const PALETTE: [[f64; 3]; 8] = [
        [0.85, 0.55, 0.30],
        [0.35, 0.60, 0.75],
        [0.55, 0.70, 0.35],
        [0.80, 0.45, 0.50],
        [0.90, 0.75, 0.35],
        [0.50, 0.45, 0.70],
        [0.40, 0.70, 0.65],
        [0.70, 0.60, 0.50],
    ];
    DVec3::from_array(PALETTE[part.origin % PALETTE.len()])
}
