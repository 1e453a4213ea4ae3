//! Creatures of 8 to 10 parts by seed: a trunk with pairs of limbs of one to three parts, driven by oscillators.

use burgess_creature::brain::{Brain, Oscillator, Pace, SpectralBrain};
use burgess_creature::{Attachment, Body, Dice, Drive, JointAxis, Part, PartShape, Phenotype};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

/// The creature of a seed; it may well be unviable.
pub fn creature(seed: u64) -> Phenotype {
    let mut dice = Dice::for_purpose(0x62, &[seed]);
    let wanted = 8 + dice.below(3);
    let mut parts = vec![Part {
        shape: PartShape::Box(DVec3::new(dice.between(0.15, 0.3), dice.between(0.1, 0.2), dice.between(0.05, 0.12))),
        attachment: None,
        pose: Pose::IDENTITY,
        mirrored: false,
        origin: 0,
    }];
    let mut origin = 0;
    while parts.len() < wanted {
        let room = wanted - parts.len();
        origin += 1;
        if room == 1 || dice.chance(0.15) {
            // A tail or a head in the plane of symmetry.
            let direction = DVec3::new(if dice.chance(0.5) { 1.0 } else { -1.0 }, 0.0, dice.between(-0.3, 0.3));
            let part = segment(&mut dice, &parts, 0, direction, origin);
            parts.push(part);
            continue;
        }
        let segments = (1 + dice.below(3)).min(room / 2);
        let start = parts.len();
        let mut parent = 0;
        for k in 0..segments {
            let direction = if k == 0 {
                DVec3::new(dice.between(-1.0, 1.0), 1.0, dice.between(-0.8, 0.2))
            } else {
                DVec3::new(dice.between(-0.3, 0.3), dice.between(-0.3, 0.3), 1.0)
            };
            let part = segment(&mut dice, &parts, parent, direction, origin + k);
            parent = parts.len();
            parts.push(part);
        }
        for k in 0..segments {
            let mut part = parts[start + k].clone();
            mirror(&mut part, segments);
            parts.push(part);
        }
        origin += segments;
    }
    let mut body = Body { parts };
    body.settle_poses();
    let oscillators = (0..body.axes()).map(|_| oscillator(&mut dice)).collect();
    Phenotype { body, brain: Brain::Spectral(SpectralBrain { oscillators, clock: 0.0 }) }
}

fn segment(dice: &mut Dice, parts: &[Part], parent: usize, direction: DVec3, origin: usize) -> Part {
    let (radius, half_length) = (dice.between(0.03, 0.08), dice.between(0.06, 0.2));
    let shape = match dice.below(5) {
        0 | 1 => PartShape::Box(DVec3::new(radius, dice.between(0.03, 0.08), half_length)),
        2 => PartShape::Capsule { radius, half_length },
        3 => PartShape::Ellipsoid(DVec3::new(radius, dice.between(0.03, 0.08), half_length)),
        _ if dice.chance(0.5) => PartShape::Sphere(radius),
        _ => PartShape::Cone { radius, half_length },
    };
    let (point, normal) = parts[parent].shape.surface(direction);
    let rotation = DQuat::from_rotation_arc(DVec3::Z, normal) * DQuat::from_rotation_y(dice.normal(0.3));
    let area = shape.section(DVec3::Z).min(parts[parent].shape.section(normal));
    let mut axes = arrayvec(dice);
    if dice.chance(0.05) {
        axes.clear();
    }
    let attachment = Attachment {
        parent,
        in_parent: Pose::new(rotation, point),
        in_child: Pose::from_translation(DVec3::NEG_Z * shape.half_length()),
        axes: axes.into_iter().collect(),
        area,
        drive: Drive::Effort,
    };
    Part { shape, attachment: Some(attachment), pose: Pose::IDENTITY, mirrored: false, origin }
}

fn arrayvec(dice: &mut Dice) -> Vec<JointAxis> {
    let mut axis = |direction| JointAxis {
        direction,
        limit: [-dice.between(0.3, 1.2), dice.between(0.3, 1.2)],
        limit_spring: None,
    };
    let (x, y) = (axis(DVec3::X), axis(DVec3::Y));
    match dice.below(3) {
        0 => vec![x],
        1 => vec![y],
        _ => vec![x, y],
    }
}

/// To the other side of the plane y = 0, `offset` parts later.
fn mirror(part: &mut Part, offset: usize) {
    part.mirrored = true;
    let Some(on) = &mut part.attachment else { return };
    if on.parent != 0 {
        on.parent += offset;
    }
    for pose in [&mut on.in_parent, &mut on.in_child] {
        let q = pose.rotation;
        pose.rotation = DQuat::from_xyzw(-q.x, q.y, -q.z, q.w);
        pose.translation.y = -pose.translation.y;
    }
    for axis in &mut on.axes {
        axis.direction *= DVec3::new(-1.0, 1.0, -1.0);
    }
}

fn oscillator(dice: &mut Dice) -> Oscillator {
    let gain = dice.between(0.2, 1.0);
    let samples = (0..16).map(|k| gain * libm::sin(k as f64 * std::f64::consts::TAU / 16.0)).collect();
    Oscillator {
        samples,
        phase: dice.between(0.0, 1.0),
        pace: Pace::Own(dice.between(0.3, 2.0)),
        range: [-3.0, 3.0],
        feedback: Vec::new(),
    }
}
