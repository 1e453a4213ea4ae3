//! Sensors, compared with closed forms of positions, velocities and forces.

use burgess_paradigms::Paradigm;
use burgess_scene::RunningScene;
use glam::{DQuat, DVec3};

use crate::support::{refusal, run, run_in, scene};

fn values(running: &mut RunningScene) -> Vec<f64> {
    let mut values = vec![f64::NAN; running.sensors.dimension()];
    running.read_sensors(&mut values);
    values
}

/// Values of a sensor.
fn value(running: &mut RunningScene, name: &str) -> Vec<f64> {
    let range = running.sensors.range(name).unwrap_or_else(|| panic!("no sensor '{name}'"));
    values(running)[range].to_vec()
}

fn vector(running: &mut RunningScene, name: &str) -> DVec3 {
    DVec3::from_slice(&value(running, name))
}

fn sensors(of: &str, kinds: &[&str]) -> String {
    kinds.iter().map(|kind| format!("[[sensors]]\ntype = '{kind}'\nname = '{kind}'\n{of}\n")).collect()
}

const OF_SITES: [&str; 6] =
    ["site_position", "site_orientation", "site_velocity", "site_angular_velocity", "velocimeter", "gyro"];

fn close(found: DVec3, expected: DVec3) {
    assert!((found - expected).length() < 1e-12, "{found} instead of {expected}");
}

#[test]
fn sensors_measure_the_angle_of_a_pendulum_and_the_motion_of_its_bob() {
    let (angle, speed, length) = (0.7, -1.5, 2.0);
    let rod = format!(
        "[[bodies]]\nname = 'rod'\nmass = 1\ninertia = [1, 1, 1]\n\
         joint = {{ type = 'revolute', axis = [0, 1, 0], in_parent = {{ position = [1, 0, 3] }}, position = {angle}, velocity = {speed} }}\n\
         [[sites]]\nname = 'bob'\nbody = 'rod'\nposition = [0, 0, {}]\norientation = {{ euler_degrees = [0, 90, 0] }}\n",
        -length
    );
    let joint = sensors("joint = 'rod'", &["joint_position", "joint_velocity"]);
    let mut running = run(&format!("{rod}{joint}{}", sensors("site = 'bob'", &OF_SITES)));
    assert_eq!(value(&mut running, "joint_position"), [angle]);
    assert_eq!(value(&mut running, "joint_velocity"), [speed]);
    let (sin, cos) = libm::sincos(angle);
    let arm = DVec3::new(-sin, 0.0, -cos) * length;
    close(vector(&mut running, "site_position"), DVec3::new(1.0, 0.0, 3.0) + arm);
    close(vector(&mut running, "site_velocity"), DVec3::Y.cross(arm) * speed);
    close(vector(&mut running, "site_angular_velocity"), DVec3::Y * speed);
    // The site's z axis is the rod's x axis, along which it moves; its x axis points up or down the rod.
    close(vector(&mut running, "velocimeter"), DVec3::new(0.0, 0.0, -length * speed));
    close(vector(&mut running, "gyro"), DVec3::Y * speed);
    let turn = DQuat::from_slice(&value(&mut running, "site_orientation"));
    let expected = DQuat::from_rotation_y(angle + std::f64::consts::FRAC_PI_2);
    assert!((turn.dot(expected).abs() - 1.0).abs() < 1e-14, "{turn}");
    assert!((turn.length() - 1.0).abs() < 1e-14);
}

#[test]
fn sensors_of_a_ball_joint_measure_its_quaternion_and_angular_velocity() {
    let text = "[[bodies]]\nname = 'ball'\nmass = 1\ninertia = [1, 1, 1]\n\
                joint = { type = 'spherical', orientation = { quaternion = [0, 0.6, 0, 0.8] }, velocity = [1, 2, 3] }\n";
    let joint = sensors("joint = 'ball'", &["joint_position", "joint_velocity"]);
    let mut running = run(&format!("{text}{joint}"));
    assert_eq!(values(&mut running), [0.0, 0.6, 0.0, 0.8, 1.0, 2.0, 3.0]);
    assert_eq!(running.sensors.ranges(), [0..4, 4..7]);
    assert_eq!(running.sensors.names(), ["joint_position", "joint_velocity"]);
}

#[test]
fn a_free_body_rotates_about_its_centre_of_mass() {
    let text = "gravity = [0, 0, 0]\n[[bodies]]\nname = 'top'\nposition = [1, 2, 3]\norientation = { euler_degrees = [90, 0, 0] }\n\
                mass = 2\ninertia = [1, 1, 1]\ncenter_of_mass = [0, 0, 0.5]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 0, 4]\n\
                [[sites]]\nname = 'origin'\nbody = 'top'\n";
    let middle = sensors("body = 'top'", &["center_of_mass"]);
    let mut running = run(&format!("{text}{middle}{}", sensors("site = 'origin'", &OF_SITES)));
    // 90 degrees about x take z to -y: the centre of mass is half a metre along -y.
    let center = DVec3::new(1.0, 1.5, 3.0);
    close(vector(&mut running, "center_of_mass"), center);
    let velocity = DVec3::X + (DVec3::Z * 4.0).cross(DVec3::Y * 0.5);
    close(vector(&mut running, "site_velocity"), velocity);
    // Along the body's axes: x stays, y is the body's -z.
    close(vector(&mut running, "velocimeter"), DVec3::new(velocity.x, velocity.z, -velocity.y));
    close(vector(&mut running, "gyro"), DVec3::Y * 4.0);
    // Spherical inertia: the spin is constant and the centre moves in a straight line.
    running.simulation.run(1.0).unwrap();
    let moved = vector(&mut running, "center_of_mass");
    assert!((moved - center - DVec3::X).length() < 1e-9, "{moved}");
    let around = vector(&mut running, "site_position") - moved;
    let expected = DQuat::from_rotation_z(4.0) * (DVec3::Y * 0.5);
    // The midpoint rule rotates slightly less in each step: (4/240)^2 / 12 of the angle.
    assert!((around - expected).length() < 1e-4, "{around} {expected}");
}

const BOXES: &str = "[[bodies]]\nname = 'ground'\nfixed = true\nshapes = [{ type = 'half_space' }]\n\
    [[bodies]]\nname = 'lower'\nposition = [0, 0, 0.5]\nmass = 3\nshapes = [{ type = 'box', size = [1, 1, 1] }]\n\
    [[bodies]]\nname = 'upper'\nposition = [0.2, 0.1, 1.25]\nmass = 2\nshapes = [{ type = 'box', size = [0.5, 0.5, 0.5] }]\n\
    [[sensors]]\nname = 'upper'\ntype = 'touch'\nbody = 'upper'\n\
    [[sensors]]\nname = 'lower'\ntype = 'touch'\nbody = 'lower'\n\
    [[sensors]]\nname = 'ground'\ntype = 'touch'\nbody = 'ground'\n";

#[test]
fn touch_measures_the_weight_of_resting_bodies() {
    for paradigm in [Paradigm::TimeStepping, Paradigm::Analytical, Paradigm::Penalty] {
        let mut running = run_in(&scene(BOXES), paradigm);
        assert_eq!(values(&mut running), [0.0; 3]);
        running.simulation.run(2.0).unwrap();
        let (upper, lower) = (2.0 * 9.81, 5.0 * 9.81);
        // The lower box is pushed from above and from below.
        for (found, expected) in values(&mut running).into_iter().zip([upper, lower + upper, lower]) {
            assert!((found / expected - 1.0).abs() < 1e-3, "{}: {found} {expected}", paradigm.name());
        }
    }
}

#[test]
fn touch_is_part_of_the_state() {
    let mut running = run(BOXES);
    running.simulation.run(0.5).unwrap();
    let (snapshot, before) = (running.simulation.snapshot(), values(&mut running));
    assert!(before[0] > 0.0);
    running.simulation.data_mut().state.v[2] = 9.0;
    running.simulation.run(0.7).unwrap();
    assert_ne!(values(&mut running), before);
    running.simulation.restore(&snapshot).unwrap();
    assert_eq!(values(&mut running), before);
    let mut fresh = run(BOXES);
    fresh.simulation.restore(&snapshot).unwrap();
    assert_eq!(values(&mut fresh), before);
}

#[test]
fn touch_measures_the_weight_of_sleeping_bodies() {
    let mut running = run(&format!("simulation = {{ sleeping = true }}\n{BOXES}"));
    running.simulation.run(5.0).unwrap();
    let rest = &running.simulation.data().rest;
    assert!((0..2).all(|tree| rest.sleeps(tree)));
    assert!((values(&mut running)[2] / (5.0 * 9.81) - 1.0).abs() < 1e-3);
}

#[test]
fn the_centre_of_mass_includes_all_descendants() {
    let link = |name: &str, joint: &str, mass: f64| {
        format!(
            "[[bodies]]\nname = '{name}'\nmass = {mass}\ninertia = [1, 1, 1]\ncenter_of_mass = [0.5, 0, 0]\njoint = {{ {joint} }}\n"
        )
    };
    let text = [
        link("a", "type = 'revolute', axis = [0, 0, 1]", 1.0),
        link("b", "type = 'revolute', axis = [0, 0, 1], parent = 'a', in_parent = { position = [1, 0, 0] }, position = 1.5707963267948966", 2.0),
        // A welded body has its own mass.
        link("c", "type = 'weld', parent = 'b', in_parent = { position = [1, 0, 0] }", 3.0),
        link("d", "type = 'prismatic', axis = [0, 0, 1], parent = 'c', position = 2", 4.0),
    ]
    .concat();
    let of = |body: &str| format!("[[sensors]]\nname = '{body}'\ntype = 'center_of_mass'\nbody = '{body}'\n");
    let all: String = ["a", "b", "c", "d", "post"].map(of).concat();
    let post = "[[bodies]]\nname = 'post'\nfixed = true\nposition = [7, 8, 9]\n";
    let mut running = run(&format!("{post}{text}{all}"));
    // Centre of each body's own mass: a along x, the others along y starting at (1, 0, 0).
    let own = [(1.0, [0.5, 0.0, 0.0]), (2.0, [1.0, 0.5, 0.0]), (3.0, [1.0, 1.5, 0.0]), (4.0, [1.0, 1.5, 2.0])];
    for (first, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let mass: f64 = own[first..].iter().map(|part| part.0).sum();
        let sum: DVec3 = own[first..].iter().map(|part| part.0 * DVec3::from_array(part.1)).sum();
        close(vector(&mut running, name), sum / mass);
    }
    // For a body without mass the sensor gives its origin.
    close(vector(&mut running, "post"), DVec3::new(7.0, 8.0, 9.0));
}

#[test]
fn sites_on_welded_bodies_and_in_the_world_have_the_right_pose() {
    let text = "[[bodies]]\nname = 'post'\nfixed = true\nposition = [0, 0, 1]\n\
                [[bodies]]\nname = 'wheel'\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = 'revolute', parent = 'post', axis = [0, 0, 1], velocity = 2 }\n\
                [[bodies]]\nname = 'rim'\njoint = { type = 'weld', parent = 'wheel', in_parent = { position = [1, 0, 0], orientation = { euler_degrees = [0, 0, 90] } } }\n\
                [[sites]]\nname = 'mark'\nbody = 'rim'\nposition = [1, 0, 0]\n\
                [[sites]]\nname = 'sign'\nbody = 'post'\nposition = [0, 0, 1]\n\
                [[sites]]\nname = 'star'\nposition = [0, 9, 0]\n";
    let of = |site: &str| {
        let both = ["site_position", "velocimeter"];
        both.map(|kind| format!("[[sensors]]\nname = '{site} {kind}'\ntype = '{kind}'\nsite = '{site}'\n")).concat()
    };
    let mut running = run(&format!("{text}{}", ["mark", "sign", "star"].map(of).concat()));
    close(vector(&mut running, "mark site_position"), DVec3::new(1.0, 1.0, 1.0));
    // Along the rim's axes: the velocity is (-2, 2, 0), the rim's x axis is y.
    close(vector(&mut running, "mark velocimeter"), DVec3::new(2.0, 2.0, 0.0));
    close(vector(&mut running, "sign site_position"), DVec3::new(0.0, 0.0, 2.0));
    close(vector(&mut running, "star site_position"), DVec3::new(0.0, 9.0, 0.0));
    close(vector(&mut running, "star velocimeter"), DVec3::ZERO);
}

#[test]
fn actuator_force_is_measured_before_the_gear() {
    let text = "actuators = [{ name = 'servo', joint = 'wheel', gear = 3, gain = 10, bias = [1, 0, -2], control = 0.5, force_range = [-5, 5] }]\n\
                [[bodies]]\nname = 'wheel'\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = 'revolute', axis = [0, 0, 1], velocity = 0.25 }\n\
                [[sensors]]\nname = 'force'\ntype = 'actuator_force'\nactuator = 'servo'\n";
    let mut running = run(text);
    // 10 x 0.5 + 1 - 2 x 3 x 0.25.
    assert_eq!(values(&mut running), [4.5]);
    running.set_control(0, 2.0);
    assert_eq!(values(&mut running), [5.0]);
}

#[test]
fn reading_allocates_nothing_and_never_writes_part_of_a_sensor() {
    let mut running = run(BOXES);
    running.simulation.run(0.5).unwrap();
    let mut values = [0.0; 3];
    let info = allocation_counter::measure(|| running.read_sensors(&mut values));
    assert_eq!(info.count_total, 0);
    let all = values;
    let mut few = [-1.0; 2];
    running.read_sensors(&mut few);
    assert_eq!(few[..], all[..2]);
    let mut many = [-1.0; 5];
    running.read_sensors(&mut many);
    assert_eq!(many, [all[0], all[1], all[2], -1.0, -1.0]);
}

#[test]
fn invalid_names_are_refused_with_a_clear_message() {
    let body = "[[bodies]]\nname = 'top'\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = 'free' }\n\
                [[sites]]\nname = 'tip'\nbody = 'top'\n";
    let cases = [
        ("[[sensors]]\nname = 'x'\ntype = 'gyro'\nsite = 'tips'\n", "sensors[0].site: there is no site called 'tips'"),
        ("[[sensors]]\nname = 'x'\ntype = 'touch'\nbody = 'tip'\n", "sensors[0].body: there is no body called 'tip'"),
        ("[[sensors]]\nname = 'x'\ntype = 'joint_position'\njoint = 'top'\n", "is a free one; measure a site"),
        ("[[sensors]]\nname = 'x'\ntype = 'actuator_force'\nactuator = 'a'\n", "there is no actuator called 'a'"),
        ("[[sensors]]\ntype = 'gyro'\nsite = 'tip'\n", "sensors[0].name: must be at least one letter"),
        ("[[sites]]\nname = 'tip'\n", "sites[1].name"),
        ("[[sites]]\nname = 'a'\nbody = 'b'\n", "sites[1].body: there is no body called 'b'"),
        ("[[sites]]\nname = 'a'\nposition = [0, nan, 0]\n", "sites[1].position[1]: must be finite"),
        (
            "[[sensors]]\nname = 'x'\ntype = 'gyro'\nsite = 'tip'\n[[sensors]]\nname = 'x'\ntype = 'gyro'\nsite = 'tip'\n",
            "sensors[1].name",
        ),
    ];
    for (text, expected) in cases {
        let refused = refusal(&format!("{body}{text}"));
        assert!(refused.contains(expected), "{refused}");
    }
}
