//! Agents that perceive and steer.
//!
//! A [`flock`] is a group of bodies that fly together. Its rules are pure functions of what a member sees
//! ([`flock::Steering`]); two controllers of the simulation apply them: [`flock::FlockPilot`] decides and
//! [`flock::FlockFlight`] exerts the forces. The bodies are ordinary rigid bodies, so they collide, and everything that
//! holds for other bodies (snapshots, recordings, replay) holds for them.
//!
//! A [`crowd`] is a group of people who walk by steps to their goals, round obstacles and each other. A
//! behaviour [`net`] adds to their decisions, and a transition [`network`] watches and changes it.
//!
//! ```
//! use burgess_agents::flock::{FlockSettings, Neighbour, Steering};
//! use glam::DVec3;
//!
//! // A member that flies along x sees another one 1 m ahead, which is slower.
//! let settings = FlockSettings { matching: 0.5, avoidance: 0.0, centring: 0.0, ..FlockSettings::default() };
//! let mut steering = Steering::new(DVec3::X * settings.speed, DVec3::X);
//! steering.see(&settings, &Neighbour { offset: DVec3::X, velocity: DVec3::X * (settings.speed - 2.0) });
//! assert!((steering.acceleration(&settings) - DVec3::new(-1.0, 0.0, 0.0)).length() < 1e-12);
//! ```

pub mod crowd;
pub mod flock;
pub mod net;
pub mod network;
pub mod pedestrians;
