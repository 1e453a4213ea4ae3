//! A new kind of body in a page: one that cannot spin (Timchenko 2007, section V.B.5).
//!
//! A body is a link with a joint to the world. A free joint lets it move and turn; a stack of three slides lets it
//! move only. Everything else (mass, contact, friction, collisions, all paradigms) works with it as with any other
//! body, since solvers ask the joints how a body gives way.
//!
//! Two crates slide side by side over a floor and each hits a post with its corner. The ordinary one is thrown round.
//!
//! Run it with `cargo run -p burgess-paradigms --example own_body_behaviour`.

use std::error::Error;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisKind, JointSpec, LinkId};
use burgess_geometry::shape::{Cuboid, Cylinder, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder, WorldError};
use glam::DVec3;

/// Adds bodies of the new kind to a world.
trait UprightBodies {
    /// Adds a body that can move but not rotate.
    fn upright_body(&mut self, name: &str, at: DVec3, collider: ColliderSpec) -> Result<LinkId, WorldError>;
}

impl UprightBodies for WorldBuilder {
    fn upright_body(&mut self, name: &str, at: DVec3, collider: ColliderSpec) -> Result<LinkId, WorldError> {
        let slides = JointSpec::compound(DVec3::AXES.map(|axis| (AxisKind::Slide, axis)));
        self.link(name, None, slides.in_parent(Pose::from_translation(at)), None, [collider])
    }
}

fn scene() -> Result<WorldBuilder, Box<dyn Error>> {
    let mut builder = WorldBuilder::new();
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let crate_shape = ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.25))?)).with_density(200.0);
    let post = ColliderSpec::new(Shape::Cylinder(Cylinder::new(0.1, 0.5)?));

    let ordinary =
        builder.body("ordinary", Pose::from_translation(DVec3::new(0.0, 1.0, 0.25)), [crate_shape.clone()])?;
    builder.set_velocity(ordinary, Motion::new(DVec3::ZERO, DVec3::X * 4.0));
    let upright = builder.upright_body("upright", DVec3::new(0.0, -1.0, 0.25), crate_shape)?;
    builder.set_joint_velocities(upright, &[4.0, 0.0, 0.0]);
    for y in [1.0, -1.0] {
        builder.fixed(post.clone().at(Pose::from_translation(DVec3::new(0.8, y + 0.3, 0.5))));
    }
    Ok(builder)
}

/// By how many degrees the two crates have turned after a second, and how far along they are.
pub fn turned(paradigm: Paradigm) -> Result<[(f64, f64); 2], Box<dyn Error>> {
    let (world, state) = scene()?.build()?;
    let mut simulation = paradigm.simulate(world, state, 1.0 / 240.0)?;
    simulation.run(1.0)?;
    simulation.observables();
    Ok([0, 1].map(|link| look(&simulation, link)))
}

fn look(simulation: &Simulation, link: usize) -> (f64, f64) {
    let pose = simulation.data().workspace.pose(simulation.world().model(), link);
    (pose.rotation.to_scaled_axis().length().to_degrees(), pose.translation.x)
}

#[allow(dead_code, reason = "the tests run what main prints")]
fn main() -> Result<(), Box<dyn Error>> {
    for paradigm in [Paradigm::TimeStepping, Paradigm::Analytical] {
        let [ordinary, upright] = turned(paradigm)?;
        println!("{}:", paradigm.name());
        println!("  the ordinary crate turned by {:.0} degrees and came to x = {:.2} m", ordinary.0, ordinary.1);
        println!("  the upright crate turned by {:.0} degrees and came to x = {:.2} m", upright.0, upright.1);
    }
    Ok(())
}
