//! Constraints for the simulator.

use burgess_simulation::ConstraintKind;

use crate::spec::TieKind;

/// Makes the simulator's kind of constraint.
pub(crate) fn build_constraint(kind: &TieKind) -> ConstraintKind {
    match kind {
        TieKind::Pin(_) => ConstraintKind::Pin,
        TieKind::Hinge(_) => ConstraintKind::Hinge,
        TieKind::Slide(_) => ConstraintKind::Slide,
        TieKind::Weld(_) => ConstraintKind::Weld,
        TieKind::Distance(tie) => ConstraintKind::Distance { length: tie.length },
        TieKind::Rope(tie) => ConstraintKind::Rope { length: tie.length },
        TieKind::Spring(tie) => {
            ConstraintKind::Spring { length: tie.length, stiffness: tie.stiffness, damping: tie.damping }
        }
    }
}
