//! A handmade body, developed into a scene and driven: from a phenotype to a hash.

use arrayvec::ArrayVec;
use burgess_creature::brain::{Brain, Oscillator, Pace, SpectralBrain};
use burgess_creature::develop::{Placement, develop};
use burgess_creature::{
    Attachment, Body, CreatureController, Drive, JointAxis, Part, PartShape, Phenotype, Physiology, Target,
};
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::{DQuat, DVec3};

/// A flat trunk on four legs of one segment that swing.
fn quadruped() -> Phenotype {
    let part = |shape, attachment| Part { shape, attachment, pose: Pose::IDENTITY, mirrored: false, origin: 0 };
    let mut parts = vec![part(PartShape::Box(DVec3::new(0.3, 0.15, 0.05)), None)];
    for (x, y) in [(0.2, 0.2), (0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2)] {
        let leg = PartShape::Capsule { radius: 0.03, half_length: 0.1 };
        let on = Attachment {
            parent: 0,
            in_parent: Pose::new(DQuat::from_rotation_x(std::f64::consts::PI), DVec3::new(x, y, 0.0)),
            in_child: Pose::from_translation(DVec3::new(0.0, 0.0, -0.13)),
            axes: ArrayVec::from_iter([JointAxis::new(DVec3::Y, [-0.7, 0.7])]),
            area: 0.003,
            drive: Drive::Spring { stiffness: 20.0, damping: 0.5 },
        };
        parts.push(part(leg, Some(on)));
    }
    let mut body = Body { parts };
    body.update_rest_poses();
    let leg = |phase| Oscillator {
        samples: vec![0.0, 0.4, 0.0, -0.4],
        phase,
        pace: Pace::Own(2.0),
        range: [-0.8, 0.8],
        feedback: Vec::new(),
    };
    // Legs have different phases, because a symmetric gait would not move it.
    let brain = SpectralBrain { oscillators: vec![leg(0.0), leg(0.5), leg(0.7), leg(0.2)], clock: 0.0 };
    Phenotype { body, brain: Brain::Spectral(brain) }
}

fn run(seconds: f64) -> (u64, DVec3) {
    let (phenotype, physiology) = (quadruped(), Physiology::default());
    let mut scene = SceneSpec::new("quadruped", "Steps.");
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    let placement = Placement::new(Pose::from_translation(DVec3::new(0.0, 0.0, 0.27)));
    let developed = develop(&phenotype.body, &physiology, &placement, &mut scene);
    let mut running = scene.run(".", &RunOptions::default()).unwrap();
    CreatureController::new(&phenotype, &developed, &physiology, 0.5, Target::None, &running).add_to(&mut running);
    running.simulation.run(seconds).unwrap();
    running.simulation.data_mut().update_kinematics();
    (running.simulation.state_hash(), running.body_pose(developed.first_body).unwrap().translation)
}

#[test]
fn a_quadruped_moves_and_is_reproducible() {
    let (hash, place) = run(5.0);
    assert!(place.is_finite() && place.z > 0.1, "{place}");
    assert!(place.truncate().length() > 0.002, "it has not moved: {place}");
    assert_eq!(run(5.0).0, hash);
}
