//! Burgess: time stepping with default settings.

use anyhow::Result;
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

use super::{DENSITY, FRICTION, STEP, Scene, Standing};

/// A scene in Burgess.
#[derive(Debug)]
pub struct Burgess {
    simulation: Simulation,
    links: Vec<usize>,
}

impl Burgess {
    /// Builds a scene.
    pub fn new(scene: &Scene) -> Result<Self> {
        let mut builder = WorldBuilder::new();
        builder.default_material(Material { friction: FRICTION, ..Material::default() });
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
        let mut names = Vec::new();
        for block in &scene.blocks {
            let shape = ColliderSpec::new(Shape::Cuboid(Cuboid::new(block.half_extents)?)).with_density(DENSITY);
            names.push(builder.body("block", Pose::from_translation(block.center), [shape])?);
        }
        let (world, state) = builder.build()?;
        let links = names.into_iter().filter_map(|name| world.index(name)).collect();
        Ok(Self { simulation: Paradigm::TimeStepping.simulate(world, state, STEP)?, links })
    }

    /// Returns the simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }
}

impl Standing for Burgess {
    fn step(&mut self) -> Result<()> {
        Ok(self.simulation.step()?)
    }

    fn poses(&self) -> Vec<Pose> {
        // Compute from the state, because the workspace contains the poses of the last solve.
        let (q, model) = (&self.simulation.state().q, self.simulation.world().model());
        let pose = |&link: &usize| {
            let link = &model.links()[link];
            let inner = Pose::new(DQuat::from_slice(&q[link.q + 3..]), DVec3::from_slice(&q[link.q..]));
            inner.compose(&link.frame.inverse())
        };
        self.links.iter().map(pose).collect()
    }

    fn contacts(&self) -> usize {
        self.simulation.statistics().contacts
    }

    fn remarks(&self) -> String {
        let work = self.simulation.statistics().solver;
        format!(
            "{} groups direct, {} swept, {} sweeps, residual {:.1e} m/s",
            work.direct, work.swept, work.sweeps, work.residual
        )
    }
}
