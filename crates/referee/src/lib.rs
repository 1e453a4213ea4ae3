//! The referee: creatures are evaluated while another simulator moves their bodies.
//!
//! The body is exported as MJCF and loaded by the other simulator, an [`Engine`]. Everything else is the code of
//! Burgess: in each step the controller reads its senses from the state that the engine computed and sets the controls
//! of the muscles, and the task's formula is applied to the measured motion. Forces that MJCF cannot describe, such as
//! drag on the faces of shapes, are computed by Burgess from the engine's state and passed to the engine.
//!
//! | file | subject |
//! |---|---|
//! | `engine` | what another simulator must do |
//! | `control` | the time control that lets an engine move the bodies of a simulation |
//! | `judge` | evaluation of a creature by an engine |
//! | `replay` | an engine that repeats a recorded motion, to check that the brain gets the same senses |
//!
//! ```
//! use burgess_creature::task::Task;
//! use burgess_creature::{Family, GenomeSettings, Random};
//! use burgess_referee::check_brain;
//!
//! let genome = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(1));
//! let task = Task { duration: 1.0, transient: 0.2, ..Task::preset("walk").unwrap() };
//! // The brain acts in the same way if the motion of Burgess takes the route through MJCF coordinates.
//! assert!(check_brain(&genome, &task, 7).unwrap().difference < 1e-6);
//! ```

mod control;
mod engine;
mod judge;
mod replay;

pub use engine::{Drive, Engine, EngineError, Moment, Push};
pub use judge::{Judgement, RefereeError, judge};
pub use replay::{BrainCheck, check_brain};
