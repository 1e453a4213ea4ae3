//! Ten worlds in which something happens within a quarter of a second: footfalls, landings, collisions, and bodies that
//! begin to roll or come to rest.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use burgess_bench::gymnasium::corpus::Moment;

/// A world: its name, its bodies in MJCF, and its state: positions, and velocities.
struct Event {
    name: &'static str,
    bodies: String,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
}

/// A free body: its shape, its position and its orientation (w, x, y, z), its velocity and its angular velocity.
struct Free<'a> {
    shape: &'a str,
    at: [f64; 3],
    turn: [f64; 4],
    velocity: [f64; 3],
    spin: [f64; 3],
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const GROUND: &str = r#"<geom type="plane" size="5 5 1"/>"#;

/// Returns the quaternion of a rotation about the y axis, in rad.
fn about_y(angle: f64) -> [f64; 4] {
    let (sin, cos) = libm::sincos(0.5 * angle);
    [cos, 0.0, sin, 0.0]
}

/// Creates a world of free bodies and fixed shapes.
fn free(name: &'static str, fixed: &str, parts: &[Free]) -> Event {
    let mut event = Event { name, bodies: fixed.to_string(), qpos: Vec::new(), qvel: Vec::new() };
    for (index, part) in parts.iter().enumerate() {
        event.bodies += &format!("<body name=\"body{index}\"><freejoint/>{}</body>", part.shape);
        event.qpos.extend(part.at.iter().chain(&part.turn));
        event.qvel.extend(part.velocity.iter().chain(&part.spin));
    }
    event
}

/// Returns the events.
fn events() -> Vec<Event> {
    let ball = r#"<geom type="sphere" size="0.1"/>"#;
    let cube = r#"<geom type="box" size="0.1 0.1 0.1"/>"#;
    let still = [0.0; 3];
    // A block of 0.1 m by 0.4 m that stands on an edge: its centre is above the ground by R cos(a - t).
    let (half, tall, tilt) = (0.05_f64, 0.2_f64, 0.06);
    let (sin, cos) = libm::sincos(libm::atan2(half, tall) - tilt);
    let diagonal = libm::hypot(half, tall);
    let block = Free {
        shape: r#"<geom type="box" size="0.05 0.06 0.2"/>"#,
        at: [half - diagonal * sin, 0.0, diagonal * cos],
        turn: about_y(tilt),
        velocity: still,
        spin: still,
    };
    let wheel = wheel();
    let rolling =
        Free { shape: &wheel, at: [0.0, 0.0, 0.22], turn: UPRIGHT, velocity: [1.32, 0.0, 0.0], spin: [0.0, 6.0, 0.0] };
    // A ball of 0.1 m at 5 cm before the kink of two slopes of 0.2 rad.
    let (sin, cos) = libm::sincos(0.2);
    let kink = format!(
        r#"<geom type="plane" size="5 5 1" zaxis="{sin} 0 {cos}"/><geom type="plane" size="5 5 1" zaxis="-{sin} 0 {cos}"/>"#
    );
    let downhill = Free {
        shape: ball,
        at: [-0.05 * cos, 0.0, 0.1 / cos + 0.05 * sin],
        turn: UPRIGHT,
        velocity: [cos, 0.0, -sin],
        spin: [0.0, 10.0, 0.0],
    };
    let dropped = Free {
        shape: cube,
        at: [0.0, 0.0, 0.25],
        turn: about_y(0.4),
        velocity: [0.5, 0.2, -0.5],
        spin: [1.0, 2.0, 0.5],
    };
    let capsule = Free {
        shape: r#"<geom type="capsule" size="0.05 0.15"/>"#,
        at: [0.0, 0.0, 0.25],
        turn: about_y(0.5),
        velocity: [0.0, 0.0, -1.0],
        spin: [0.0, 1.0, 0.0],
    };
    let table = format!(r#"{GROUND}<geom type="box" size="0.5 0.5 0.1" pos="-0.5 0 0.1"/>"#);
    let edge =
        Free { shape: ball, at: [-0.05, 0.0, 0.3], turn: UPRIGHT, velocity: [0.8, 0.0, 0.0], spin: [0.0, 8.0, 0.0] };
    let sliding =
        Free { shape: cube, at: [0.0, 0.0, 0.1], turn: UPRIGHT, velocity: [0.8, 0.3, 0.0], spin: [0.0, 0.0, 1.0] };
    let hitting =
        Free { shape: ball, at: [-0.35, 0.02, 0.1], turn: UPRIGHT, velocity: [2.0, 0.0, 0.0], spin: [0.0, 20.0, 0.0] };
    let hit = Free { shape: ball, at: [0.0, 0.0, 0.1], turn: UPRIGHT, velocity: still, spin: still };
    let backspin =
        Free { shape: ball, at: [0.0, 0.0, 0.1], turn: UPRIGHT, velocity: [0.8, 0.0, 0.0], spin: [1.0, -5.0, 2.0] };
    vec![
        free("rocking-block", GROUND, &[block]),
        free("rimless-wheel", GROUND, &[rolling]),
        free("kink", &kink, &[downhill]),
        free("dropped-cube", GROUND, &[dropped]),
        free("landing-capsule", GROUND, &[capsule]),
        free("table-edge", &table, &[edge]),
        free("sliding-cube", GROUND, &[sliding]),
        free("two-balls", GROUND, &[hitting, hit]),
        free("backspin", GROUND, &[backspin]),
        falling_chain(),
    ]
}

/// Returns the hub and the feet of a wheel of six spokes of 0.2 m.
fn wheel() -> String {
    let mut shapes = r#"<geom type="sphere" size="0.05" mass="1"/>"#.to_string();
    for spoke in 0..6 {
        let (sin, cos) = libm::sincos(core::f64::consts::FRAC_PI_3 * f64::from(spoke));
        for aside in [-0.06, 0.06] {
            let (x, z) = (0.2 * sin, -0.2 * cos);
            shapes += &format!(r#"<geom type="sphere" size="0.02" pos="{x} {aside} {z}" mass="0.05"/>"#);
        }
    }
    shapes
}

/// Three rods on hinges that fall on the ground.
fn falling_chain() -> Event {
    let rod = r#"<geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 0"/>"#;
    let hinge = r#"<joint type="hinge" axis="0 1 0"/>"#;
    let bodies = format!(
        r#"{GROUND}<body name="first"><freejoint/>{rod}<body name="second" pos="0.2 0 0">{hinge}{rod}<body name="third" pos="0.2 0 0">{hinge}{rod}</body></body></body>"#
    );
    let mut qpos = vec![0.0, 0.0, 0.12];
    qpos.extend(about_y(-0.3));
    qpos.extend([0.8, -0.6]);
    Event { name: "falling-chain", bodies, qpos, qvel: vec![0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 1.0, -1.0] }
}

/// Writes the worlds to files, and returns these with the states.
pub fn files() -> Result<Vec<(PathBuf, Moment)>> {
    let folder = std::env::temp_dir().join("burgess-events");
    fs::create_dir_all(&folder)?;
    let mut files = Vec::new();
    for event in events() {
        let file = folder.join(format!("{}.xml", event.name));
        let text = format!(
            "<mujoco><compiler angle=\"radian\"/><option cone=\"elliptic\"/>\
             <default><geom density=\"1000\" friction=\"0.8\"/></default>\
             <worldbody>{}</worldbody></mujoco>",
            event.bodies
        );
        fs::write(&file, text)?;
        files.push((file, Moment { qpos: event.qpos, qvel: event.qvel, ctrl: Vec::new() }));
    }
    Ok(files)
}
