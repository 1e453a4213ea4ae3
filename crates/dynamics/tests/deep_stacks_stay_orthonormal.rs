//! A stack that turned its frame about an axis taken from that frame grew the frame's rounding errors by up to five a
//! hinge: thirty links of three hinges lost half of their digits.

use burgess_dynamics::{AxisKind, JointSpec, LinkSpec, ModelBuilder, State, Workspace, update_kinematics};
use glam::{DMat3, DQuat, DVec3};

/// Rotations of a chain of stacks of hinges are products of the hinges' own rotations.
#[test]
fn deep_stacks_stay_orthonormal() {
    const LINKS: usize = 30;
    let directions =
        [DVec3::new(1.0, 2.0, -0.5), DVec3::new(-0.3, 1.0, 2.0), DVec3::new(2.0, -0.7, 1.0)].map(DVec3::normalize);
    let mut builder = ModelBuilder::new();
    let mut parent = None;
    for link in 0..LINKS {
        let joint = JointSpec::compound(directions.map(|direction| (AxisKind::Hinge, direction)));
        let spec = LinkSpec::new(&format!("link {link}"), 1.0, DVec3::ZERO, DMat3::IDENTITY);
        parent = Some(builder.add_link(parent, joint, spec));
    }
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    let mut expected = DQuat::IDENTITY;
    for (k, angle) in state.q.iter_mut().enumerate() {
        // Near half a turn, where the growth was largest.
        *angle = 2.5 + 0.01 * k as f64;
        expected *= DQuat::from_axis_angle(directions[k % 3], *angle);
    }
    let mut workspace = Workspace::new(&model);
    update_kinematics(&model, &state, &mut workspace);
    let found = workspace.pose(&model, LINKS - 1).rotation;
    let difference = (found - expected).length().min((found + expected).length());
    // Rounding adds up over 90 hinges.
    assert!(difference < 90.0 * 1e-15, "{found} is {difference:e} off {expected}");
}
