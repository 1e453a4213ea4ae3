//! Fluid drag, and links with prescribed motion.

use crate::motion_support::{Joints, box_link, random_tree, run};
use burgess_dynamics::integrators::{Integrator, Rk4, SemiImplicitMidpoint};
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{
    Drag, DragLaw, Environment, JointSpec, LinkSpec, Model, ModelBuilder, ModelError, Motor, ScriptedMotion, State,
    Workspace, forward_dynamics, update_kinematics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

const SIZE: DVec3 = DVec3::new(0.4, 0.3, 0.2);

fn falling_box(law: DragLaw) -> (Model, State, Drag) {
    let mut builder = ModelBuilder::new();
    builder.add_link(None, JointSpec::free(), box_link("box", 3.0, DVec3::ZERO, SIZE));
    let model = builder.build().unwrap();
    let state = State::new(&model);
    let mut drag = Drag::new(law);
    drag.add_box(0, DVec3::ZERO, 0.5 * SIZE);
    (model, state, drag)
}

#[test]
fn a_falling_box_reaches_its_terminal_velocity() {
    let (weight, area) = (3.0_f64 * 9.81, 0.4 * 0.3);
    // Linear: top and bottom both count. Quadratic: only the bottom advances.
    let linear = (DragLaw::Linear { coefficient: 40.0 }, weight / (2.0 * area * 40.0));
    let quadratic = (DragLaw::Quadratic { density: 1000.0, coefficient: 1.2 }, (weight / (600.0 * area)).sqrt());
    for (law, terminal) in [linear, quadratic] {
        let (model, mut state, mut drag) = falling_box(law);
        run(&mut SemiImplicitMidpoint::new(&model), &model, &mut state, &mut drag, 1.0 / 240.0, 2400).unwrap();
        assert!((state.v[5] + terminal).abs() < 1e-9, "{law:?} {} {terminal}", state.v[5]);
    }
    // Until then the linear law gives an exponential.
    let (model, mut state, mut drag) = falling_box(linear.0);
    run(&mut Rk4::new(&model), &model, &mut state, &mut drag, 1e-3, 500).unwrap();
    let expected = -linear.1 * (1.0 - libm::exp(-0.5 * 9.81 / linear.1));
    assert!((state.v[5] - expected).abs() < 1e-9);
}

#[test]
fn drag_only_ever_takes_energy() {
    for law in [DragLaw::Linear { coefficient: 7.0 }, DragLaw::Quadratic { density: 900.0, coefficient: 1.1 }] {
        for seed in 0..50 {
            let (model, state) = random_tree(seed, 6, Joints::Mixed, true, DVec3::ZERO, 4.0);
            let mut drag = Drag::new(law);
            drag.current = DVec3::new(0.5, -0.2, 0.1);
            for link in 0..model.links().len() {
                drag.add_box(link, DVec3::new(0.1, 0.0, 0.05), 0.5 * SIZE);
            }
            let mut workspace = Workspace::new(&model);
            update_kinematics(&model, &state, &mut workspace);
            assert!(drag.apply(&model, &mut workspace) < 0.0);
        }
    }
}

/// Computes the law of [`Drag`] face by face, in world coordinates.
fn drag_in_the_world(drag: &Drag, model: &Model, workspace: &mut Workspace) {
    for panel in &drag.panels {
        let pose = workspace.pose(model, panel.link);
        let (point, normal) = (pose.transform_point(panel.center), pose.transform_vector(panel.normal));
        let speed = (workspace.velocity_at(panel.link, point).linear - drag.current).dot(normal);
        let pressure = match drag.law {
            DragLaw::Linear { coefficient } => coefficient * speed,
            DragLaw::Quadratic { density, coefficient } => 0.5 * density * coefficient * speed.max(0.0) * speed,
        };
        workspace.apply_force(panel.link, -pressure * panel.area * normal, DVec3::ZERO, point);
    }
}

#[test]
fn drag_is_the_sum_over_all_faces() {
    for law in [DragLaw::Linear { coefficient: 7.0 }, DragLaw::Quadratic { density: 900.0, coefficient: 1.1 }] {
        for seed in 0..50 {
            let (model, state) = random_tree(seed, 6, Joints::Mixed, true, DVec3::ZERO, 4.0);
            let mut drag = Drag::new(law);
            drag.current = DVec3::new(0.5, -0.2, 0.1);
            // Links out of order and twice, and one that does not exist.
            for link in [3, 0, 1, 2, 3, 99] {
                drag.add_box(link, DVec3::new(0.1, 0.0, 0.05), 0.5 * SIZE);
            }
            let accelerations = |load: &dyn Fn(&mut Workspace)| {
                let mut workspace = Workspace::new(&model);
                update_kinematics(&model, &state, &mut workspace);
                load(&mut workspace);
                forward_dynamics(&model, &state, &vec![0.0; state.v.len()], &mut workspace);
                workspace.joint_acceleration().to_vec()
            };
            let own = accelerations(&|workspace| _ = drag.apply(&model, workspace));
            drag.panels.retain(|panel| panel.link < model.links().len());
            let expected = accelerations(&|workspace| drag_in_the_world(&drag, &model, workspace));
            let scale = expected.iter().fold(1.0_f64, |most, a| most.max(a.abs()));
            for (own, expected) in own.iter().zip(&expected) {
                assert!((own - expected).abs() < 1e-10 * scale, "{law:?} {seed}: {own} {expected}");
            }
        }
    }
}

/// Returns how far a free body with a paddle, moved by a strong servo by `place(time)` along x, gets between the tenth
/// and the twentieth second, after the initial transient.
fn paddled(law: DragLaw, place: impl Fn(f64) -> f64) -> f64 {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let body = builder.add_link(None, JointSpec::free(), box_link("body", 5.0, DVec3::ZERO, SIZE));
    let paddle = box_link("paddle", 0.2, DVec3::new(0.0, 0.0, 0.0), DVec3::new(0.02, 0.3, 0.3));
    builder.add_link(Some(body), JointSpec::prismatic(DVec3::X), paddle);
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    let mut drag = Drag::new(law);
    drag.add_box(0, DVec3::ZERO, 0.5 * SIZE);
    drag.add_box(1, DVec3::ZERO, DVec3::new(0.01, 0.15, 0.15));
    let (mut workspace, mut step) = (Workspace::new(&model), SemiImplicitMidpoint::new(&model));
    let mut halfway = 0.0;
    for k in 0..20_000 {
        if k == 10_000 {
            halfway = state.q[0];
        }
        let target = place(k as f64 * 1e-3 + 1e-3);
        state.motors[6] = Motor::Position { target, stiffness: 1e6, damping: 1e4 };
        step.step(&model, &mut state, &mut drag, &mut workspace, 1e-3).unwrap();
    }
    state.q[0] - halfway
}

#[test]
fn a_viscous_fluid_gives_no_thrust_for_a_stroke_and_its_reverse() {
    // Out fast and back slowly, once per second.
    let stroke = |time: f64| {
        let phase = time - libm::floor(time);
        if phase < 0.2 { phase / 0.2 * 0.1 } else { (1.0 - phase) / 0.8 * 0.1 }
    };
    let symmetric = |time: f64| 0.05 * (1.0 - libm::cos(std::f64::consts::TAU * time));
    let viscous = DragLaw::Linear { coefficient: 100.0 };
    let thin = DragLaw::Quadratic { density: 1000.0, coefficient: 1.0 };
    // The body oscillates by centimetres; the displacement after whole strokes is the thrust.
    for (law, place, thrust) in [
        (viscous, &symmetric as &dyn Fn(f64) -> f64, false),
        (viscous, &stroke, false),
        (thin, &symmetric, false),
        (thin, &stroke, true),
    ] {
        let way = paddled(law, place).abs();
        assert!(if thrust { way > 0.02 } else { way < 1e-5 }, "{law:?}: {way}");
    }
}

/// A platform that oscillates along x and rotates about z.
struct Platform;

impl Environment for Platform {
    fn script(&mut self, model: &Model, time: f64, workspace: &mut Workspace) {
        let (sine, cosine) = libm::sincos(3.0 * time);
        let motion = ScriptedMotion {
            pose: Pose::new(DQuat::from_rotation_z(0.5 * time * time), DVec3::new(0.2 * sine, 0.0, 1.0)),
            velocity: Motion::new(DVec3::Z * time, DVec3::new(0.6 * cosine, 0.0, 0.0)),
            acceleration: Motion::new(DVec3::Z, DVec3::new(-1.8 * sine, 0.0, 0.0)),
        };
        assert!(workspace.set_script(model, 0, motion));
        assert!(!workspace.set_script(model, 1, motion));
    }
}

#[test]
fn a_scripted_base_moves_what_hangs_on_it() {
    // In the platform's frame the pendulum feels gravity, minus the platform's acceleration, and inertial forces.
    let mut builder = ModelBuilder::new();
    let base = builder.add_link(None, JointSpec::scripted(), box_link("base", 1.0, DVec3::ZERO, SIZE));
    let arm = DVec3::new(0.3, 0.1, 0.0);
    let bob = LinkSpec::new("bob", 1.0, DVec3::new(0.0, 0.0, -1.0), DMat3::IDENTITY * 1e-9);
    let joint = JointSpec::revolute(DVec3::Y).in_parent(Pose::from_translation(arm));
    builder.add_link(Some(base), joint, bob);
    let model = builder.build().unwrap();

    // The point-like bob in the rotating frame, by a scalar equation integrated here.
    let acceleration = |time: f64, angle: f64| {
        let (sine, cosine) = libm::sincos(angle);
        let turn = 0.5 * time * time;
        let pull = DQuat::from_rotation_z(-turn) * DVec3::new(-1.8 * libm::sin(3.0 * time), 0.0, 0.0);
        let spin = time;
        // A hinge about y: the bob is at arm + (-sin, 0, -cos) and only its motion along (-cos, 0, sin) is free.
        let place = arm + DVec3::new(-sine, 0.0, -cosine);
        let euler = DVec3::Z.cross(place);
        let centrifugal = DVec3::Z.cross(DVec3::Z.cross(place)) * spin * spin;
        let felt = DVec3::new(0.0, 0.0, -9.81) - pull - euler - centrifugal;
        felt.dot(DVec3::new(-cosine, 0.0, sine))
    };
    let (mut angle, mut speed, h) = (0.2, 0.0, 1e-3);
    for k in 0..3000 {
        let t = k as f64 * h;
        let f = |t: f64, x: f64, v: f64| (v, acceleration(t, x));
        let k1 = f(t, angle, speed);
        let k2 = f(t + 0.5 * h, angle + 0.5 * h * k1.0, speed + 0.5 * h * k1.1);
        let k3 = f(t + 0.5 * h, angle + 0.5 * h * k2.0, speed + 0.5 * h * k2.1);
        let k4 = f(t + h, angle + h * k3.0, speed + h * k3.1);
        angle += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        speed += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    let mut state = State::new(&model);
    state.q[0] = 0.2;
    let mut coarse = state.clone();
    let workspace = run(&mut Rk4::new(&model), &model, &mut state, &mut Platform, h, 3000).unwrap();
    assert!((state.q[0] - angle).abs() < 1e-7 && (state.v[0] - speed).abs() < 1e-7, "{} {angle}", state.q[0]);
    assert!((workspace.pose(&model, 0).translation.z - 1.0).abs() < 1e-15);
    run(&mut SemiImplicitMidpoint::new(&model), &model, &mut coarse, &mut Platform, 1.0 / 240.0, 720).unwrap();
    assert!((coarse.q[0] - angle).abs() < 1e-3, "{} {angle}", coarse.q[0]);
}

#[test]
fn only_roots_are_scripted() {
    let mut builder = ModelBuilder::new();
    let root = builder.add_link(None, JointSpec::free(), box_link("root", 1.0, DVec3::ZERO, SIZE));
    builder.add_link(Some(root), JointSpec::scripted(), box_link("hand", 1.0, DVec3::ZERO, SIZE));
    assert!(matches!(builder.build(), Err(ModelError::Joint { .. })));
}
