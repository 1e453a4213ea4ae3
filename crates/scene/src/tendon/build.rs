//! Tendons for the simulator.

use burgess_dynamics::LinkId;
use burgess_simulation as simulation;

use crate::spec::TendonSpec;

/// Makes the simulator's tendon. `link` finds the link of a body's joint.
pub(crate) fn build_tendon(tendon: &TendonSpec, link: impl Fn(&str) -> Option<LinkId>) -> simulation::TendonSpec {
    let axes =
        tendon.joints.iter().filter_map(|part| Some((link(&part.joint)?, part.axis, part.coefficient))).collect();
    let TendonSpec { stiffness, damping, rest, .. } = *tendon;
    simulation::TendonSpec { axes, stiffness, damping, rest }
}
