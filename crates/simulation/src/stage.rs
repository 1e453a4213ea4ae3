//! What the modules of a simulator work on: the world, its state, and memory.

use burgess_collision::broad_phase::BroadPhaseError;
use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Environment, Model, State, Workspace, articulated_inertias, update_kinematics};

use crate::constraint_solver::RowSlots;
use crate::contact::PairRecord;
use crate::controllers::Controllers;
use crate::detection::{CollisionDetection, Lookahead};
use crate::statistics::StepStatistics;
use crate::world::World;

/// A world in motion, without the rules by which it moves: those are the modules.
#[derive(Debug)]
pub struct Stage {
    /// What is given.
    pub world: World,
    /// Positions, velocities, time.
    pub state: State,
    /// What pairs of colliders remember.
    pub pairs: PairTable<PairRecord>,
    /// What joint limits, dry friction and constraints remember, by [`RowSlots`].
    pub row_impulses: Vec<f64>,
    /// Springs, motors, fields, timers, and their memory.
    pub controllers: Controllers,
    /// Scratch of the dynamics.
    pub workspace: Workspace,
    /// The collision detection component.
    pub detection: CollisionDetection,
    /// What the present step did.
    pub statistics: StepStatistics,
    no_efforts: Vec<f64>,
}

impl Stage {
    /// A stage with the usual collision detection and no controllers.
    pub fn new(world: World, state: State) -> Result<Self, BroadPhaseError> {
        let detection = CollisionDetection::new(&world)?;
        let workspace = Workspace::new(world.model());
        let (slots, dofs) = (RowSlots::new(&world).count(), world.model().dofs());
        Ok(Self {
            world,
            state,
            pairs: PairTable::default(),
            row_impulses: vec![0.0; slots],
            controllers: Controllers::default(),
            workspace,
            detection,
            statistics: StepStatistics::default(),
            no_efforts: vec![0.0; dofs],
        })
    }

    /// Brings the workspace to the present state, scripted bodies included.
    pub fn update_kinematics(&mut self) {
        self.world.run_scripts(self.state.time, &mut self.workspace);
        update_kinematics(self.world.model(), &self.state, &mut self.workspace);
    }

    /// Finds contacts at the present state; the workspace must have been brought to it.
    pub fn detect_contacts(&mut self, lookahead: Lookahead) {
        self.detection.detect(&self.world, &self.workspace, lookahead, &mut self.pairs);
    }

    /// Articulated inertias at the present positions, for impulses.
    pub fn factor_inertias(&mut self) {
        self.update_kinematics();
        articulated_inertias(self.world.model(), &self.no_efforts, &mut self.workspace);
    }

    /// The model, the state, what acts on it, and scratch: what a motion solver needs, apart from each other.
    pub fn for_motion(&mut self) -> (&Model, &mut State, Acting<'_>, &mut Workspace) {
        let Self { world, state, controllers, workspace, .. } = self;
        (&world.model, state, Acting { world, controllers }, workspace)
    }
}

/// Scripts and low-level controllers, as the integrators see them.
#[derive(Debug)]
pub struct Acting<'a> {
    world: &'a World,
    controllers: &'a Controllers,
}

impl Environment for Acting<'_> {
    fn script(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.world.run_scripts(time, workspace);
    }

    fn load(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.controllers.load(self.world, time, workspace);
    }
}
