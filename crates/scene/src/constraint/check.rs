//! Checks of constraints.

use burgess_files::At;

use crate::rules::{Checked, check_anchor, not_negative, positive};
use crate::spec::{ConstraintSpec, TieKind};

/// Checks the numbers of a constraint.
pub(crate) fn check_constraint(at: At, tie: &ConstraintSpec) -> Checked {
    for (name, anchor) in [("a", &tie.a), ("b", &tie.b)] {
        check_anchor(at.field(name), anchor)?;
    }
    match &tie.kind {
        TieKind::Pin(_) | TieKind::Hinge(_) | TieKind::Slide(_) | TieKind::Weld(_) => Ok(()),
        TieKind::Distance(length) | TieKind::Rope(length) => positive(at.field("length"), length.length),
        TieKind::Spring(spring) => {
            not_negative(at.field("length"), spring.length)?;
            not_negative(at.field("stiffness"), spring.stiffness)?;
            not_negative(at.field("damping"), spring.damping)
        }
    }
}
