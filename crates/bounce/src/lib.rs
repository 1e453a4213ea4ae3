//! `bounce`: bodies that fly, turn and bounce in a cubic world, to demonstrate, test and measure collision detection
//! (Fontijne (2000) section 2.6).
//!
//! # Conventions
//! Step sizes are comparable between implementations only if sizes and speeds are the same:
//! - bodies come in sizes 0.5, 1 and 1.5 (side of a cube, diameter of a ball), 1 on average; hulls of random unit
//!   vectors have a radius of 1;
//! - each component of a velocity is uniform in [-1, 1] lengths per unit of time;
//! - each component of a spin is uniform in [-1, 1] radians per unit of time and stays constant;
//! - gravity differs from body to body and is uniform in [-0.1, 0.1] along z;
//! - the world is a cube around the origin.
//!
//! # Rules, on each step
//! 1. The box of each body over the step is computed.
//! 2. The broad phase finds the pairs of boxes that overlap.
//! 3. All bodies move and turn; gravity changes their velocities.
//! 4. The narrow phase finds the distance of every pair, and the depth of those that penetrate.
//! 5. A body whose centre is outside the world gets a new random velocity that leads back inside.
//! 6. Two bodies that penetrate get new random velocities that lead their centres apart.
//!
//! Bodies may penetrate for some steps, so that this part of the narrow phase is exercised as well.
//!
//! ```
//! use burgess_bounce::{BounceConfig, BounceWorld};
//!
//! let mut world = BounceWorld::new(BounceConfig { objects: 20, ..BounceConfig::default() })?;
//! for _ in 0..100 {
//!     world.step()?;
//! }
//! assert_eq!(world.statistics().steps, 100);
//! # Ok::<(), burgess_bounce::BounceError>(())
//! ```

mod body;
mod config;
mod proportional_world;
mod statistics;
mod world;

pub use body::BodyKind;
pub use config::{BounceConfig, BounceError, BroadPhaseKind};
pub use proportional_world::proportional_world;
pub use statistics::BounceStatistics;
pub use world::{BounceWorld, Stage};
