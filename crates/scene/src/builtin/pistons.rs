//! Two machines with closed loops (Timchenko (2007) figure 23): a crank that drives a piston, and a four-bar linkage
//! whose crank rotates fully while its rocker swings. The trees are cranks with their rods, pistons and rockers; a pin
//! closes each loop.
//!
//! With the crank r at the angle t and the rod l, the piston is at `r cos t + sqrt(l^2 - r^2 sin^2 t)`.

use glam::DVec3;

use super::parts::{density, looks, turned};
use crate::spec::{
    AnchorSpec, AxisSpec, BodySpec, ConstraintSpec, JointSpec, MaterialSpec, MotorSpec, NoNumbers, PoseSpec, SceneSpec,
    ShapeSpec, TieKind, VelocityMotor,
};

/// Lengths of the crank and the connecting rod, in m.
const CRANK: f64 = 0.1;
const ROD: f64 = 0.35;
/// Lengths of crank, coupler, rocker and frame of the linkage, in m. The shortest and the longest together are shorter
/// than the others, so that the crank can rotate fully (Grashof's condition).
const BARS: [f64; 4] = [0.1, 0.3, 0.25, 0.3];
/// Speed of the cranks, in rad/s.
const SPEED: f64 = 4.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.display = looks::studio(DVec3::new(0.2, -1.6, 0.5), DVec3::new(0.2, 0.0, 0.0));
    scene.materials.insert("steel".to_string(), MaterialSpec::new(0.2, 0.0));
    // The parts lie in layers beside each other; only their joints matter.
    scene.self_collision = false;
    add_piston(&mut scene, DVec3::ZERO);
    add_linkage(&mut scene, DVec3::Z * -0.4);
    let names: Vec<String> = scene.bodies.iter().map(|body| body.name.clone()).collect();
    for (index, a) in names.iter().enumerate() {
        scene.exclusions.extend(names[..index].iter().map(|b| [a.clone(), b.clone()]));
    }
    scene
}

fn add_piston(scene: &mut SceneSpec, at: DVec3) {
    scene.bodies.push(bar("crank", driven(at), CRANK, looks::RED));
    let big_end = JointSpec::revolute(AxisSpec::new(-DVec3::Y)).on("crank", PoseSpec::at(DVec3::X * CRANK));
    scene.bodies.push(bar("connecting rod", big_end, ROD, looks::STEEL));
    let mut bore = JointSpec::prismatic(AxisSpec { position: CRANK + ROD, ..AxisSpec::new(DVec3::X) });
    bore.in_parent = PoseSpec::at(at);
    let head =
        ShapeSpec::cylinder(0.04, 0.08).of("steel").turned(turned(DVec3::Y, 90.0)).with_density(density::ALUMINIUM);
    scene.bodies.push(BodySpec { color: Some(looks::IVORY), ..BodySpec::jointed("piston", bore, [head]) });
    scene
        .constraints
        .push(pin(AnchorSpec::on("connecting rod", DVec3::X * ROD), AnchorSpec::on("piston", DVec3::ZERO)));
}

fn add_linkage(scene: &mut SceneSpec, at: DVec3) {
    let [crank, coupler, rocker, frame] = BARS;
    scene.bodies.push(bar("linkage crank", driven(at), crank, looks::RED));
    // The crank starts along the frame; coupler and rocker then make a triangle with what is left of it.
    let base = frame - crank;
    let at_coupler = angle_between(base, coupler, rocker);
    let at_rocker = std::f64::consts::PI - angle_between(base, rocker, coupler);
    let hinge = |angle: f64| JointSpec::revolute(AxisSpec { position: angle, ..AxisSpec::new(-DVec3::Y) });
    let knee = hinge(at_coupler).on("linkage crank", PoseSpec::at(DVec3::X * crank));
    scene.bodies.push(bar("coupler", knee, coupler, looks::STEEL));
    let foot = JointSpec { in_parent: PoseSpec::at(at + DVec3::X * frame), ..hinge(at_rocker) };
    scene.bodies.push(bar("rocker", foot, rocker, looks::BLUE));
    scene
        .constraints
        .push(pin(AnchorSpec::on("coupler", DVec3::X * coupler), AnchorSpec::on("rocker", DVec3::X * rocker)));
}

/// Returns the angle between the sides a and b of a triangle with the sides a, b and c, in rad.
fn angle_between(a: f64, b: f64, c: f64) -> f64 {
    libm::acos((a * a + b * b - c * c) / (2.0 * a * b))
}

fn driven(at: DVec3) -> JointSpec {
    let motor = Some(MotorSpec::Velocity(VelocityMotor { target: SPEED, gain: 50.0 }));
    let axis = AxisSpec { motor, velocity: SPEED, ..AxisSpec::new(-DVec3::Y) };
    JointSpec { in_parent: PoseSpec::at(at), ..JointSpec::revolute(axis) }
}

/// A bar along x from its joint.
fn bar(name: &str, joint: JointSpec, length: f64, color: DVec3) -> BodySpec {
    let shape = ShapeSpec::cuboid(DVec3::new(length + 0.02, 0.015, 0.025)).of("steel").with_density(density::STEEL);
    BodySpec { color: Some(color), ..BodySpec::jointed(name, joint, [shape.at(DVec3::X * (0.5 * length))]) }
}

fn pin(a: AnchorSpec, b: AnchorSpec) -> ConstraintSpec {
    ConstraintSpec { kind: TieKind::Pin(NoNumbers {}), a, b }
}
