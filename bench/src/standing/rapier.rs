//! Rapier with default parameters, on one thread.

use anyhow::Result;
use burgess_geometry::Pose;
use glam::DVec3;
use rapier3d_f64::geometry::SharedShape;
use rapier3d_f64::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle};

use super::{DENSITY, FRICTION, STEP, Scene, Standing};

/// A scene in Rapier.
pub struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// Builds a scene.
    pub fn new(scene: &Scene) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = -9.81 * DVec3::Z;
        world.integration_parameters.dt = STEP;
        let ground = ColliderBuilder::new(SharedShape::halfspace(DVec3::Z)).friction(FRICTION);
        world.insert(RigidBodyBuilder::fixed(), ground);
        let mut bodies = Vec::new();
        for block in &scene.blocks {
            let half = block.half_extents;
            let body = RigidBodyBuilder::dynamic().translation(block.center).can_sleep(false);
            let shape = ColliderBuilder::cuboid(half.x, half.y, half.z).density(DENSITY).friction(FRICTION);
            bodies.push(world.insert(body, shape).0);
        }
        Self { world, bodies }
    }
}

impl Standing for Rapier {
    fn step(&mut self) -> Result<()> {
        self.world.step();
        Ok(())
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |&body: &RigidBodyHandle| {
            let position = self.world.bodies[body].position();
            Pose::new(position.rotation, position.translation)
        };
        self.bodies.iter().map(pose).collect()
    }

    fn contacts(&self) -> usize {
        let manifolds = self.world.contact_pairs().flat_map(|pair| pair.manifolds().iter());
        manifolds.map(|manifold| manifold.data.solver_contacts.len()).sum()
    }
}
