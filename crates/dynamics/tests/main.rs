//! All integration tests of the crate in one program, because one program links faster than many.

mod allocation;
mod closed_forms;
mod conservation;
mod energy_audit;
mod environment;
mod forward_dynamics;
mod impulses;
mod inertia_box;
mod integrator_order;
mod joint_forces;
mod model;
mod motion_support;
mod no_allocation;
mod observables;
mod oracle;
