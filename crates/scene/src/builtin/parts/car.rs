//! A car of the size of a kart (Fontijne (2000) section 3.11.2): a chassis and four wheels, each on a damped spring
//! along the chassis' vertical and free to spin. A controller drives the wheels with a torque that decreases to zero at
//! a maximum speed.

use glam::DVec3;

use super::{looks, turned};
use crate::spec::{
    AxisSpec, BodySpec, ControllerSpec, Interval, JointKind, JointSpec, PoseSpec, ShapeSpec, SpeedLimiterSpec,
    StackAxisSpec, StackJoint,
};

/// Radius and width of a wheel, in m.
pub const WHEEL_RADIUS: f64 = 0.2;
const WHEEL_WIDTH: f64 = 0.15;
/// Masses of a wheel and of the chassis, in kg.
const WHEEL_MASS: f64 = 8.0;
const CHASSIS_MASS: f64 = 150.0;
/// Half the distance between the axles, and between the wheels of an axle, in m.
const HALF_BASE: f64 = 0.6;
const HALF_TRACK: f64 = 0.4;
/// Height of the chassis' middle above that of the wheels with slack springs, in m.
const RIDE: f64 = 0.2;
/// Stiffness and damping of a spring, in N/m and N s/m.
const STIFFNESS: f64 = 80_000.0;
const DAMPING: f64 = 4_000.0;
/// Travel of a spring in either direction, in m.
const TRAVEL: f64 = 0.1;

const WHEELS: [(&str, f64, f64); 4] = [
    ("wheel front left", HALF_BASE, HALF_TRACK),
    ("wheel front right", HALF_BASE, -HALF_TRACK),
    ("wheel rear left", -HALF_BASE, HALF_TRACK),
    ("wheel rear right", -HALF_BASE, -HALF_TRACK),
];

/// Returns the bodies of a car with its wheels on the ground below a point, rotated about the y axis by a pitch in
/// degrees. The chassis comes first. Needs materials called `body` and `tyre`.
pub fn bodies(contact: DVec3, pitch: f64) -> Vec<BodySpec> {
    let tilt = turned(DVec3::Y, pitch);
    let up = tilt.rotation().unwrap_or_default() * DVec3::Z;
    let floor = ShapeSpec::cuboid(DVec3::new(1.5, 0.55, 0.16)).of("body");
    let cabin = ShapeSpec::cuboid(DVec3::new(0.7, 0.5, 0.2)).of("body").at(DVec3::new(-0.1, 0.0, 0.18));
    let mut chassis = BodySpec::new("chassis", contact + up * (WHEEL_RADIUS + RIDE), [floor, cabin]);
    (chassis.orientation, chassis.mass, chassis.color) = (tilt, Some(CHASSIS_MASS), Some(looks::RED));
    let mut bodies = vec![chassis];
    for (name, x, y) in WHEELS {
        let spring = AxisSpec {
            stiffness: STIFFNESS,
            damping: DAMPING,
            limit: Some([-TRAVEL, TRAVEL]),
            ..AxisSpec::new(DVec3::Z)
        };
        let axes = vec![StackAxisSpec::Slide(spring), StackAxisSpec::Hinge(AxisSpec::new(DVec3::Y))];
        let joint = JointSpec::new(JointKind::Stack(StackJoint { axes }));
        let joint = joint.on("chassis", PoseSpec::at(DVec3::new(x, y, -RIDE)));
        let tyre = ShapeSpec::cylinder(WHEEL_RADIUS, WHEEL_WIDTH).of("tyre").turned(turned(DVec3::X, 90.0));
        let mut wheel = BodySpec::jointed(name, joint, [tyre]);
        (wheel.mass, wheel.color) = (Some(WHEEL_MASS), Some(looks::BLACK));
        bodies.push(wheel);
    }
    bodies
}

/// Returns a controller that drives all wheels: torque of each in N m, and the speed (m/s) at which it becomes zero.
pub fn drive(torque: f64, max_speed: f64, when: Interval) -> ControllerSpec {
    let joints = WHEELS.iter().map(|wheel| wheel.0.to_string()).collect();
    ControllerSpec::SpeedLimiter(SpeedLimiterSpec {
        joints,
        axis: 1,
        torque,
        max_speed: max_speed / WHEEL_RADIUS,
        when,
    })
}
