//! Checks of the settings. Tables of all paradigms are checked, chosen or not.

use burgess_files::At;

use crate::rules::{Checked, check_step, conflict, finite, not_negative, positive, refuse, share};
use crate::spec::{AnalyticalTable, ImpulseTable, OrderSpec, Paradigm, PenaltyTable, SceneSettings, TimeSteppingTable};

pub(super) fn check_settings(at: At, settings: &SceneSettings) -> Checked {
    check_step(at.field("step"), settings.step)?;
    let bounds = [
        ("max_speed", settings.max_speed),
        ("max_penetration_share", settings.max_penetration_share),
        ("tolerance", settings.tolerance),
    ];
    for (name, bound) in bounds {
        bound.map_or(Ok(()), |bound| positive(at.field(name), bound))?;
    }
    settings.max_energy.map_or(Ok(()), |bound| finite(at.field("max_energy"), bound))?;
    at_least_one(at.field("iterations"), settings.iterations)?;
    let tuned = [
        ("sleeping", settings.sleeping),
        ("iterations", settings.iterations.is_some()),
        ("tolerance", settings.tolerance.is_some()),
    ];
    let astray = tuned.into_iter().find(|&(_, given)| given && settings.paradigm != Paradigm::TimeStepping);
    if let Some((name, _)) = astray {
        return conflict(at.field(name), "goes with the paradigm time-stepping only");
    }
    check_time_stepping(at.field("time_stepping"), &settings.time_stepping)?;
    check_impulse(at.field("impulse"), &settings.impulse)?;
    check_analytical(at.field("analytical"), &settings.analytical)?;
    check_penalty(at.field("penalty"), &settings.penalty)?;
    check_analytical(at.field("hybrid").field("forces"), &settings.hybrid.forces)
}

fn check_time_stepping(at: At, table: &TimeSteppingTable) -> Checked {
    given(at.field("recovery_speed"), table.recovery_speed, not_negative)?;
    given(at.field("recovery_share"), table.recovery_share, share)?;
    given(at.field("bounce_threshold"), table.bounce_threshold, not_negative)?;
    given(at.field("absolute_tolerance"), table.absolute_tolerance, positive)
}

fn check_impulse(at: At, table: &ImpulseTable) -> Checked {
    if table.order == Some(OrderSpec::Simultaneous) && table.law.is_some() {
        return conflict(
            at.field("law"),
            "goes with sequential impulses only; simultaneous ones have Newton's restitution",
        );
    }
    given(at.field("epsilon_share"), table.epsilon_share, positive)?;
    given(at.field("max_restitution"), table.max_restitution, not_negative)?;
    at_least_one(at.field("budget"), table.budget)
}

fn check_analytical(at: At, table: &AnalyticalTable) -> Checked {
    given(at.field("contact_tolerance"), table.contact_tolerance, positive)?;
    given(at.field("penetration_tolerance"), table.penetration_tolerance, positive)?;
    given(at.field("feedback"), table.feedback, share)?;
    given(at.field("rest_share"), table.rest_share, not_negative)
}

fn check_penalty(at: At, table: &PenaltyTable) -> Checked {
    if table.damping.is_some() && table.stiffness.is_none() {
        return conflict(at.field("damping"), "goes with a stiffness only; otherwise it follows from the restitution");
    }
    given(at.field("stiffness"), table.stiffness, positive)?;
    given(at.field("damping"), table.damping, not_negative)?;
    at_least_one(at.field("sweeps"), table.sweeps)?;
    given(at.field("tolerance"), table.tolerance, not_negative)?;
    given(at.field("recovery_speed"), table.recovery_speed, not_negative)
}

fn given(at: At, value: Option<f64>, check: fn(At, f64) -> Checked) -> Checked {
    value.map_or(Ok(()), |value| check(at, value))
}

fn at_least_one(at: At, count: Option<u32>) -> Checked {
    if count == Some(0) { refuse(at, "at least 1", 0.0) } else { Ok(()) }
}
