//! A track of 150 dominoes: through a tunnel, up stairs and down, round a bend, up a tower, off a diving board, down a
//! slide and onto others (Fontijne (2000) section 3.11.2). The first is pushed; all must fall.

use glam::DVec3;

use super::parts::stairs::Stairs;
use super::parts::{block, density, ground, looks, studio_scene, turned};
use crate::spec::{BodySpec, HullShape, MaterialSpec, SceneSpec, ShapeKind, ShapeSpec};

/// Thickness, width and height of a domino, in m.
const SIZE: DVec3 = DVec3::new(0.04, 0.12, 0.24);
/// Distance from one domino to the next, in m.
const PITCH: f64 = 0.12;
/// Height, depth and width of a stair step, in m; two dominoes stand on each.
const RISE: f64 = 0.04;
const DEPTH: f64 = 2.0 * PITCH;
const WIDTH: f64 = 0.4;
/// Radius of the bend, in m.
const BEND: f64 = 0.7;
/// Initial angular speed of the first domino, in rad/s.
const PUSH: f64 = 2.0;
/// Height and length of the slide below the diving board, in m.
const SLIDE: f64 = 0.44;

/// Places dominoes along a path.
struct Track {
    scene: SceneSpec,
    count: usize,
    /// Position of the next domino, in m.
    at: DVec3,
    /// Heading from x towards y, in degrees.
    heading: f64,
}

impl Track {
    fn ahead(&self) -> DVec3 {
        let (sin, cos) = libm::sincos(self.heading.to_radians());
        DVec3::new(cos, sin, 0.0)
    }

    fn place(&mut self) {
        self.count += 1;
        let shape = ShapeSpec::cuboid(SIZE).of("domino").with_density(density::WOOD);
        let mut domino = BodySpec::new(format!("domino {}", self.count), self.at + DVec3::Z * (0.5 * SIZE.z), [shape]);
        domino.orientation = turned(DVec3::Z, self.heading);
        domino.color =
            Some(if self.count % 10 == 1 { looks::RED } else { looks::scale((self.count % 10) as f64 / 20.0) });
        if self.count == 1 {
            // Rotates about its lower front edge.
            domino.angular_velocity = DVec3::Y * PUSH;
            domino.velocity = DVec3::new(0.5 * SIZE.z, 0.0, 0.5 * SIZE.x) * PUSH;
        }
        self.scene.bodies.push(domino);
    }

    fn straight(&mut self, count: usize) {
        for _ in 0..count {
            self.place();
            self.at += self.ahead() * PITCH;
        }
    }

    /// Returns the edge of the floor, half a pitch before the next domino.
    fn edge(&self) -> DVec3 {
        self.at - self.ahead() * (0.5 * PITCH)
    }

    fn stairs_up(&mut self, name: &str, steps: usize) {
        let (foot, heading) = (self.edge(), self.heading);
        let stairs = Stairs { name, foot, heading, steps, rise: RISE, depth: DEPTH, width: WIDTH, material: "floor" };
        self.scene.bodies.push(stairs.body());
        for _ in 0..steps {
            self.at.z += RISE;
            self.straight(2);
        }
    }

    fn stairs_down(&mut self, name: &str, steps: usize) {
        let foot = self.edge() + self.ahead() * (DEPTH * steps as f64);
        let foot = DVec3::new(foot.x, foot.y, 0.0);
        let heading = self.heading + 180.0;
        let stairs = Stairs { name, foot, heading, steps, rise: RISE, depth: DEPTH, width: WIDTH, material: "floor" };
        self.scene.bodies.push(stairs.body());
        for _ in 0..steps {
            self.straight(2);
            self.at.z -= RISE;
        }
    }

    /// Adds a floor under the next dominoes that reaches to the ground.
    fn plateau(&mut self, name: &str, count: usize) {
        let length = count as f64 * PITCH;
        let center = self.edge() + self.ahead() * (0.5 * length);
        let size = DVec3::new(length, WIDTH, self.at.z);
        let mut body = block(name, DVec3::new(center.x, center.y, 0.5 * self.at.z), size, "floor");
        body.orientation = turned(DVec3::Z, self.heading);
        self.scene.bodies.push(body);
        self.straight(count);
    }

    /// Adds a board with nothing below it.
    fn diving_board(&mut self, name: &str, count: usize) {
        let (length, thick) = (count as f64 * PITCH, 0.03);
        let center = self.edge() + self.ahead() * (0.5 * length) - DVec3::Z * (0.5 * thick);
        let mut body = block(name, center, DVec3::new(length, WIDTH, thick), "floor");
        (body.orientation, body.color) = (turned(DVec3::Z, self.heading), Some(looks::WOOD));
        self.scene.bodies.push(body);
        self.straight(count);
    }

    /// Adds a slide from below the edge of the last floor to the ground, too steep for a domino to stay on.
    fn slide(&mut self, name: &str) {
        let mut foot = self.edge();
        foot.z = 0.0;
        let mut points = Vec::new();
        for y in [-0.5 * WIDTH, 0.5 * WIDTH] {
            points.extend([(0.0, 0.0), (0.0, SLIDE), (SLIDE, 0.0)].map(|(x, z)| DVec3::new(x, y, z)));
        }
        let wedge = ShapeSpec::new(ShapeKind::Hull(HullShape { points })).of("floor");
        let mut body = BodySpec::fixed(name, foot, [wedge]);
        (body.orientation, body.color) = (turned(DVec3::Z, self.heading), Some(looks::BLUE));
        self.scene.bodies.push(body);
        self.at = foot + self.ahead() * (SLIDE + SIZE.x);
    }

    /// Places dominoes on half a circle to the left.
    fn bend(&mut self, count: usize) {
        let start = self.heading;
        let center = self.at + DVec3::new(-self.ahead().y, self.ahead().x, 0.0) * BEND;
        for index in 0..count {
            let turn = 180.0 * index as f64 / count as f64;
            self.heading = start + turn;
            let ahead = self.ahead();
            self.at = center + DVec3::new(ahead.y, -ahead.x, 0.0) * BEND;
            self.place();
        }
        self.heading = start + 180.0;
        self.at = center + DVec3::new(self.ahead().y, -self.ahead().x, 0.0) * BEND;
    }
}

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 14.0, DVec3::new(3.5, -7.0, 4.0), DVec3::new(3.5, 0.6, 0.2));
    scene.materials.insert("domino".to_string(), MaterialSpec::new(0.4, 0.1));
    scene.materials.insert("floor".to_string(), MaterialSpec::new(0.6, 0.1));
    scene.bodies.push(ground("floor"));
    scene.bodies.push(tunnel());
    let mut track = Track { scene, count: 0, at: DVec3::ZERO, heading: 0.0 };
    track.straight(20);
    track.stairs_up("stairs up", 8);
    track.plateau("landing", 6);
    track.stairs_down("stairs down", 8);
    track.bend(18);
    track.straight(12);
    track.stairs_up("tower stairs", 15);
    track.plateau("tower", 3);
    track.diving_board("diving board", 5);
    track.slide("slide");
    track.straight(24);
    track.scene
}

/// Two walls and a roof over the first dominoes.
fn tunnel() -> BodySpec {
    let (length, high, thick) = (1.4, 0.3, 0.03);
    let wall =
        |y: f64| ShapeSpec::cuboid(DVec3::new(length, thick, high)).of("floor").at(DVec3::new(0.0, y, 0.5 * high));
    let roof = ShapeSpec::cuboid(DVec3::new(length, WIDTH, thick)).of("floor").at(DVec3::Z * (high + 0.5 * thick));
    let mut body = BodySpec::fixed("tunnel", DVec3::X * 1.2, [wall(-0.5 * WIDTH), wall(0.5 * WIDTH), roof]);
    body.color = Some(looks::STONE);
    body
}
