//! A marble runs down six levels of sloped ridges, gearwheels and trapdoors (Fontijne (2000) section 3.11.2): 17
//! gearwheels driven by motors, 6 ridges, and 6 trapdoors on damped springs that give way under its weight.
//!
//! Everything is in a plane between two panes. On each level the marble rolls down a ridge, is lifted over two or three
//! gears that step down, and rolls onto a trapdoor; through it, it falls on the ridge of the next level, which runs the
//! other way.

use glam::DVec3;

use super::parts::{density, ground, looks, studio_scene, turned};
use crate::spec::{
    AxisSpec, BodySpec, JointSpec, MaterialSpec, MotorSpec, PoseSpec, SceneSpec, ShapeSpec, VelocityMotor,
};

const LEVELS: usize = 6;
/// Radius of the marble, in m.
const MARBLE: f64 = 0.02;
/// Gap between the panes, in m.
const GAP: f64 = 0.05;
/// Height difference between levels, in m.
const LEVEL: f64 = 0.36;
/// Height of the lowest level above the ground, in m.
const FOOT: f64 = 0.45;
/// Length (m), slope (degrees) and thickness (m) of a ridge.
const RIDGE: f64 = 0.22;
const SLOPE: f64 = 6.0;
const THICKNESS: f64 = 0.01;
/// Radius of a gearwheel without teeth, and size of a tooth, in m.
const GEAR: f64 = 0.06;
const TOOTH: DVec3 = DVec3::new(0.008, 0.04, 0.012);
const TEETH: usize = 8;
/// Horizontal and vertical distance from one gear to the next, in m.
const GEAR_STEP: (f64, f64) = (0.14, 0.045);
/// Speed of the gears, in rad/s.
const SPEED: f64 = 2.0;
/// Length of a trapdoor, in m.
const DOOR: f64 = 0.1;
/// Stiffness and damping of a trapdoor's spring, in N m/rad and N m s/rad.
const SPRING: f64 = 0.03;
const DAMPING: f64 = 0.002;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 24.0, DVec3::new(0.35, -3.6, 1.4), DVec3::new(0.35, 0.0, 1.25));
    for (name, friction, restitution) in [("glass", 0.3, 0.3), ("wood", 0.4, 0.2), ("brass", 0.3, 0.2)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, restitution));
    }
    scene.materials.insert("pane".to_string(), MaterialSpec::new(0.0, 0.2));
    scene.bodies.push(ground("wood"));
    scene.bodies.push(panes());
    let mut gears = 0;
    for level in 0..LEVELS {
        let row = if level == 0 { 2 } else { 3 };
        Level { number: level + 1, gears: row, scene: &mut scene }.build(&mut gears);
    }
    let start = Level { number: 1, gears: 2, scene: &mut scene }.place(0.02, MARBLE + 0.01);
    let shape = ShapeSpec::sphere(MARBLE).of("glass").with_density(density::GLASS);
    scene.bodies.push(BodySpec { color: Some(looks::RED), ..BodySpec::new("marble", start, [shape]) });
    scene
}

/// Front and back panes, and a stop on either side.
fn panes() -> BodySpec {
    let (wide, high, thick) = (1.2, FOOT + LEVEL * LEVELS as f64, 0.01);
    let pane = |y: f64| ShapeSpec::cuboid(DVec3::new(wide, thick, high)).of("pane").at(DVec3::new(0.0, y, 0.0));
    let stop = |x: f64| ShapeSpec::cuboid(DVec3::new(thick, GAP, high)).of("wood").at(DVec3::new(x, 0.0, 0.0));
    let (y, x) = (0.5 * (GAP + thick), 0.5 * wide);
    let shapes = [pane(-y), pane(y), stop(-x), stop(x)];
    let mut body = BodySpec::fixed("panes", DVec3::new(0.35, 0.0, 0.5 * high), shapes);
    body.color = Some(looks::IVORY);
    body
}

/// One level. Lengths are measured from its upper end, in either direction.
struct Level<'a> {
    number: usize,
    gears: usize,
    scene: &'a mut SceneSpec,
}

impl Level<'_> {
    /// Length of a level, in m, at which the next one reverses direction.
    const FAR: f64 = 0.7;

    fn rightward(&self) -> f64 {
        if self.number % 2 == 1 { 1.0 } else { -1.0 }
    }

    /// Returns the point at a distance along the level and a height above the start of its ridge, in m.
    fn place(&self, along: f64, above: f64) -> DVec3 {
        let x = if self.rightward() > 0.0 { along } else { Self::FAR - along };
        DVec3::new(x, 0.0, FOOT + LEVEL * (LEVELS - self.number) as f64 + above)
    }

    fn build(&mut self, gears: &mut usize) {
        let (sin, cos) = libm::sincos(SLOPE.to_radians());
        let direction = self.rightward();
        // The ridge of the level with two gears is longer by one gear.
        let ridge = RIDGE + (3 - self.gears) as f64 * GEAR_STEP.0 / cos;
        let plank = ShapeSpec::cuboid(DVec3::new(ridge, GAP, THICKNESS)).of("wood");
        let center = self.place(0.5 * ridge * cos, -0.5 * ridge * sin - 0.5 * THICKNESS);
        let mut body = BodySpec::fixed(format!("ridge {}", self.number), center, [plank]);
        (body.orientation, body.color) = (turned(DVec3::Y, SLOPE * direction), Some(looks::WOOD));
        self.scene.bodies.push(body);
        let reach = GEAR + TOOTH.z;
        let (mut along, mut above) = (ridge * cos + reach - 0.02, -ridge * sin - 0.09);
        for _ in 0..self.gears {
            *gears += 1;
            let gear = gear(*gears, self.place(along, above), SPEED * direction);
            self.scene.bodies.push(gear);
            along += GEAR_STEP.0;
            above -= GEAR_STEP.1;
        }
        // The door is beyond the last gear, slightly below the point where the gear releases the marble.
        let hinge = self.place(along - 0.04 + DOOR, above + 0.03);
        self.scene.bodies.push(door(self.number, hinge, direction));
    }
}

fn gear(number: usize, at: DVec3, speed: f64) -> BodySpec {
    let motor = Some(MotorSpec::Velocity(VelocityMotor { target: speed, gain: 1.0 }));
    let axis = AxisSpec { motor, velocity: speed, ..AxisSpec::new(DVec3::Y) };
    let joint = JointSpec { in_parent: PoseSpec::at(at), ..JointSpec::revolute(axis) };
    let hub = ShapeSpec::cylinder(GEAR, TOOTH.y).turned(turned(DVec3::X, 90.0));
    let mut shapes = vec![hub];
    for tooth in 0..TEETH {
        let angle = 360.0 * tooth as f64 / TEETH as f64;
        let turn = turned(DVec3::Y, angle);
        let out = turn.rotation().unwrap_or_default() * DVec3::Z;
        shapes.push(ShapeSpec::cuboid(TOOTH).turned(turn).at(out * (GEAR + 0.5 * TOOTH.z)));
    }
    let shapes = shapes.into_iter().map(|shape| shape.of("brass").with_density(8500.0));
    BodySpec { color: Some(looks::GOLD), ..BodySpec::jointed(format!("gearwheel {number}"), joint, shapes) }
}

/// A plate that extends back from its hinge, held level by a spring that also supports its weight.
fn door(number: usize, hinge: DVec3, direction: f64) -> BodySpec {
    let size = DVec3::new(DOOR, 0.9 * GAP, 0.004);
    let weight = 9.81 * density::WOOD * size.x * size.y * size.z;
    // Opens by rotating its free end down.
    let rest = -weight * 0.5 * DOOR / SPRING;
    let axis = AxisSpec {
        stiffness: SPRING,
        rest,
        damping: DAMPING,
        limit: Some([0.0, 1.4]),
        ..AxisSpec::new(DVec3::Y * -direction)
    };
    let joint = JointSpec { in_parent: PoseSpec::at(hinge), ..JointSpec::revolute(axis) };
    let plate = ShapeSpec::cuboid(size).of("wood").with_density(density::WOOD);
    let plate = plate.at(DVec3::new(-0.5 * direction * DOOR, 0.0, -0.5 * size.z));
    BodySpec { color: Some(looks::BLUE), ..BodySpec::jointed(format!("trapdoor {number}"), joint, [plate]) }
}
