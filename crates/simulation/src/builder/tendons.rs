//! Tendons of a world.

use burgess_dynamics::{LinkId, Tendon, TendonPart};

use crate::world::World;
use crate::world_error::WorldError;

/// A damped spring on a sum of positions (see [`Tendon`]).
#[derive(Debug, Clone, PartialEq)]
pub struct TendonSpec {
    /// Axes of hinges and slides: the link, the axis from 0, and the coefficient of its position.
    pub axes: Vec<(LinkId, usize, f64)>,
    /// Stiffness, in N/m or N m/rad, depending on the coefficients.
    pub stiffness: f64,
    /// Damping, in the unit of the stiffness times s.
    pub damping: f64,
    /// Shortest and longest length at which the spring is slack.
    pub rest: [f64; 2],
}

/// Checks a tendon and resolves its joints.
pub(super) fn build_tendon(world: &World, spec: TendonSpec) -> Result<Tendon, WorldError> {
    let TendonSpec { axes, stiffness, damping, rest } = spec;
    WorldError::unless_not_negative("the stiffness of a tendon", stiffness)?;
    WorldError::unless_not_negative("the damping of a tendon", damping)?;
    WorldError::unless(rest[0].is_finite(), "the shortest rest of a tendon", "finite", rest[0])?;
    let is_longer = rest[1] >= rest[0] && rest[1].is_finite();
    WorldError::unless(is_longer, "the longest rest of a tendon", "finite and not below the shortest", rest[1])?;
    let unknown = |missing| WorldError::Unknown { what: "a tendon".to_string(), missing };
    let mut parts = Vec::with_capacity(axes.len());
    for (link, axis, coefficient) in axes {
        WorldError::unless(coefficient.is_finite(), "a coefficient of a tendon", "finite", coefficient)?;
        let link = world.index(link).ok_or_else(|| unknown("link"))?;
        let part = TendonPart::new(world.model(), link, axis, coefficient);
        parts.push(part.ok_or_else(|| unknown("hinge or slide"))?);
    }
    let tendon = Tendon { parts, stiffness, damping, rest };
    let [first, last] = world.trees_of_tendon(&tendon).map(|tree| tree.map(|tree| &world.trees()[tree].dofs));
    let is_there = |dof: usize| [&first, &last].into_iter().flatten().any(|dofs| dofs.contains(&dof));
    if !tendon.parts.iter().all(|part| is_there(part.dof)) {
        let why = "a tendon is over joints of more than two bodies that do not hang together; two is the most";
        return Err(WorldError::Impossible { why: why.to_string() });
    }
    Ok(tendon)
}
