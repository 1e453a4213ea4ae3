//! Handmade creatures for tests.

#![allow(dead_code)]

use arrayvec::ArrayVec;
use burgess_creature::brain::{Brain, Oscillator, Pace, SpectralBrain};
use burgess_creature::{Attachment, Body, Drive, JointAxis, Part, PartShape, Phenotype};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

/// A part with its attachment.
pub fn part(shape: PartShape, attachment: Option<Attachment>) -> Part {
    Part { shape, attachment, pose: Pose::IDENTITY, mirrored: false, origin: 0 }
}

/// A hinge that is driven by a spring.
pub fn hinge(in_parent: Pose, in_child: Pose, axis: DVec3, limit: f64, area: f64) -> Attachment {
    Attachment {
        parent: 0,
        in_parent,
        in_child,
        axes: ArrayVec::from_iter([JointAxis::new(axis, [-limit, limit])]),
        area,
        drive: Drive::Spring { stiffness: 20.0, damping: 0.5 },
    }
}

/// Parts with one oscillator for each axis.
pub fn creature(parts: Vec<Part>, oscillators: Vec<Oscillator>) -> Phenotype {
    let mut body = Body { parts };
    body.update_rest_poses();
    Phenotype { body, brain: Brain::Spectral(SpectralBrain { oscillators, clock: 0.0 }) }
}

/// A triangle wave.
pub fn wave(amplitude: f64, frequency: f64, phase: f64) -> Oscillator {
    Oscillator {
        samples: vec![0.0, amplitude, 0.0, -amplitude],
        phase,
        pace: Pace::Own(frequency),
        range: [-3.0, 3.0],
        feedback: Vec::new(),
    }
}

/// A flat trunk on four legs of one segment that swing.
pub fn quadruped() -> Phenotype {
    let mut parts = vec![part(PartShape::Box(DVec3::new(0.3, 0.15, 0.05)), None)];
    for (x, y) in [(0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2)] {
        let in_parent = Pose::new(DQuat::from_rotation_x(std::f64::consts::PI), DVec3::new(x, y, 0.0));
        let in_child = Pose::from_translation(DVec3::new(0.0, 0.0, -0.13));
        let leg = PartShape::Capsule { radius: 0.03, half_length: 0.1 };
        parts.push(part(leg, Some(hinge(in_parent, in_child, DVec3::Y, 0.7, 0.003))));
    }
    creature(parts, [0.0, 0.5, 0.5, 0.0].map(|phase| wave(0.4, 2.0, phase)).to_vec())
}

/// A lighter and stronger quadruped whose legs slant backwards, so that it walks forward.
pub fn walker() -> Phenotype {
    walker_with(-0.4, 0.3, 3.0, [0.0, 0.0, 0.25, 0.25])
}

fn walker_with(slant: f64, amplitude: f64, frequency: f64, phases: [f64; 4]) -> Phenotype {
    let mut walker = quadruped();
    walker.body.parts[0].shape = PartShape::Box(DVec3::new(0.3, 0.15, 0.03));
    for part in &mut walker.body.parts[1..] {
        let on = part.attachment.as_mut().unwrap();
        on.in_parent.rotation = DQuat::from_rotation_y(slant) * on.in_parent.rotation;
        on.area = 0.006;
        on.drive = Drive::Spring { stiffness: 80.0, damping: 1.0 };
    }
    walker.body.update_rest_poses();
    let Brain::Spectral(brain) = &mut walker.brain else { unreachable!() };
    brain.oscillators = phases.map(|phase| wave(amplitude, frequency, phase)).to_vec();
    walker
}

/// A heavy box with three balls on massless rods of 0.2 m in front of it, which are lifted from the ground to the given
/// angles, in rad, and put down again every 2 s.
pub fn tapper(angles: [f64; 3]) -> Phenotype {
    const RADIUS: f64 = 0.03;
    let half = DVec3::new(0.2, 0.2, 0.1);
    let mut parts = vec![part(PartShape::Box(half), None)];
    for y in [-0.15, 0.0, 0.15] {
        let in_parent = Pose::from_translation(DVec3::new(half.x, y, RADIUS - half.z));
        let in_child = Pose::from_translation(DVec3::new(-0.2, 0.0, 0.0));
        let mut on = hinge(in_parent, in_child, DVec3::NEG_Y, 1.5, 0.003);
        on.drive = Drive::Spring { stiffness: 200.0, damping: 2.0 };
        parts.push(part(PartShape::Sphere(RADIUS), Some(on)));
    }
    // The target is a little below the ground, so that the balls are pressed down.
    let steps = |up: f64| Oscillator { samples: vec![-0.02, -0.02, up, up], ..wave(0.0, 0.5, 0.0) };
    creature(parts, angles.map(steps).to_vec())
}

/// A box with a small weight on a hinge that is not driven.
pub fn still_box(half: DVec3) -> Phenotype {
    let knob = PartShape::Sphere(0.03);
    let in_parent = Pose::from_translation(DVec3::new(0.0, 0.0, half.z));
    let in_child = Pose::from_translation(DVec3::new(0.0, 0.0, -0.03));
    let on = hinge(in_parent, in_child, DVec3::Y, 0.1, 0.001);
    creature(vec![part(PartShape::Box(half), None), part(knob, Some(on))], vec![wave(0.0, 1.0, 0.0)])
}
