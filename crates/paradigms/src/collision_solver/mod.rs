//! Collision solvers (Erleben 2002, section 2.1.4): laws for a single collision, and solvers that apply them to all
//! contacts, one after the other ([`SequentialImpulses`]) or at once ([`SimultaneousImpulses`]).
//! A law is a pure function from the collision matrix, the velocity at the contact, its normal and the materials to an
//! impulse. Algebraic laws ([`Newton`], [`ChatterjeeRuina`]) use only the states before and after; the [`Incremental`]
//! law integrates the velocity through the collision. [`MicroImpulse`] determines the restitution of contacts that are
//! nearly at rest.
//!
//! ```
//! use burgess_paradigms::collision_solver::{ChatterjeeRuina, CollisionLaw, ImpactParameters};
//! use glam::{DMat3, DVec3};
//!
//! // A point mass of 2 kg falls on the floor, which is body a: the normal points up, at the mass.
//! let k = DMat3::from_diagonal(DVec3::splat(0.5));
//! let parameters = ImpactParameters { restitution: 0.5, tangential_restitution: 0.0, friction: 1.0 };
//! let impulse = ChatterjeeRuina.impulse(&k, DVec3::new(0.0, 0.0, -3.0), DVec3::Z, &parameters);
//! assert_eq!(impulse, DVec3::new(0.0, 0.0, 9.0));
//! ```

mod chatterjee_ruina;
mod envelope;
mod impact;
mod incremental;
mod law;
mod micro_impulse;
mod newton;
mod progress;
mod rest_direction;
mod root;
mod sequential;
mod simultaneous;
mod single_arrivals;
mod sliding;
mod symmetric_matrix;
mod transient;

pub use chatterjee_ruina::ChatterjeeRuina;
pub use envelope::Envelope;
pub(crate) use envelope::limit_rate;
pub use incremental::Incremental;
pub use law::{CollisionLaw, ImpactParameters};
pub use micro_impulse::MicroImpulse;
pub use newton::Newton;
pub use progress::RestitutionHypothesis;
pub use sequential::SequentialImpulses;
pub use simultaneous::SimultaneousImpulses;
pub use single_arrivals::SingleArrivals;
pub use transient::TransientImpulses;
