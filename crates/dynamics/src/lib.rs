//! Articulated-body dynamics: spatial algebra, joints, the three passes, impulses, integrators. The crate contains only
//! algorithms: no collisions, files or threads.
//!
//! A [`Model`] is constant during a step: links, joints, inertias, parents before children. A [`State`] changes:
//! positions `q`, velocities `v`, time. A [`Workspace`] is scratch memory that is allocated once.
//!
//! ```
//! use burgess_dynamics::{JointSpec, LinkSpec, ModelBuilder, State, Workspace, forward_dynamics};
//! use glam::{DMat3, DVec3};
//!
//! // A pendulum: a point-like bob one metre below a hinge along y.
//! let mut builder = ModelBuilder::new();
//! let bob = LinkSpec::new("bob", 1.0, DVec3::new(0.0, 0.0, -1.0), DMat3::IDENTITY * 1e-4);
//! builder.add_link(None, JointSpec::revolute(DVec3::Y), bob);
//! let model = builder.build().unwrap();
//!
//! let mut state = State::new(&model);
//! state.q[0] = 0.1;
//! let mut workspace = Workspace::new(&model);
//! forward_dynamics(&model, &state, &[0.0], &mut workspace);
//! assert!((workspace.joint_acceleration()[0] + 9.81 * 0.1).abs() < 0.01);
//! ```
//!
//! [`integrators`] turn accelerations into motion; the default step is [`integrators::SemiImplicitMidpoint`]:
//!
//! ```
//! # use burgess_dynamics::{JointSpec, LinkSpec, ModelBuilder, State, Workspace};
//! # use glam::{DMat3, DVec3};
//! use burgess_dynamics::integrators::{Integrator, SemiImplicitMidpoint};
//! # let mut builder = ModelBuilder::new();
//! # let bob = LinkSpec::new("bob", 1.0, DVec3::new(0.0, 0.0, -1.0), DMat3::IDENTITY * 1e-4);
//! # builder.add_link(None, JointSpec::revolute(DVec3::Y), bob);
//! # let model = builder.build().unwrap();
//! # let mut state = State::new(&model);
//! # state.q[0] = 0.1;
//! # let mut workspace = Workspace::new(&model);
//!
//! let mut integrator = SemiImplicitMidpoint::new(&model);
//! for _ in 0..240 {
//!     // Nothing but gravity acts: the environment is empty.
//!     integrator.step(&model, &mut state, &mut (), &mut workspace, 1.0 / 240.0).unwrap();
//! }
//! assert!((state.time - 1.0).abs() < 1e-12);
//! ```

mod bias_pass;
mod builder;
mod collision_matrix;
mod drag;
mod environment;
mod error;
mod forward_dynamics;
mod half_coordinates;
mod impulse;
mod inertia_box;
pub mod integrators;
mod inverse_dynamics;
mod jacobian;
pub mod joint;
mod joint_forces;
mod kinematics;
mod mass_matrix;
mod model;
mod momentum;
mod observables;
mod projection;
mod rotation_vector;
mod scripted;
mod sine;
pub mod spatial;
mod spec;
mod state;
mod step_share;
mod tendon;
mod workspace;

pub use bias_pass::accelerations_at_velocities;
pub use builder::ModelBuilder;
pub use collision_matrix::{ContactPoint, collision_matrix, coupling_matrix, inverse_inertia};
pub use drag::{Drag, DragLaw, DragPanel};
pub use environment::{Environment, Moment};
pub use error::ModelError;
pub use forward_dynamics::{articulated_inertias, forward_dynamics, joint_accelerations};
pub use impulse::ImpulseResponse;
pub use inertia_box::InertiaBoxDrag;
pub use inverse_dynamics::{bias_efforts, inverse_dynamics};
pub use joint_forces::{ImplicitJointForces, joint_efforts, limit_violation, spring_energy};
pub use kinematics::update_kinematics;
pub use mass_matrix::{MassMatrix, mass_matrix};
pub use model::{Link, LinkId, Model};
pub use observables::{Observables, observables, tree_observables};
pub use scripted::ScriptedMotion;
pub use spec::{Axis, AxisKind, AxisProperties, JointSpec, LimitSpring, LinkSpec, Motor};
pub use state::State;
pub use step_share::{inverse_inertias, share_of_step};
pub use tendon::{Tendon, TendonPart, Tendons};
pub use workspace::Workspace;
