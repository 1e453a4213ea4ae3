//! Scenes and creatures on stage: a simulation that runs, and the worlds that people make of it.
//!
//! A deed that changes the world edits the scene, builds it anew and goes on from where the old one was
//! ([`Simulation::take_over`](burgess_simulation::Simulation::take_over)): bodies are only ever appended, so every body keeps its
//! place. To come back to a moment of an earlier world, that world is built again from the original scene and the deeds until
//! then.

use std::sync::Arc;

use burgess_dynamics::spring_energy;
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use glam::DVec3;

use super::appearance::{self, Appearance};
use super::brain::Wiring;
use super::edit::{edit, refuse_overlap};
use super::grab::{Grip, Hold, MAX_HANDS};
use super::interference::Deed;
use super::overlay::{COUNTERS, Onlooker};
use super::player::{Bill, Kept, Kind, Player};
use super::probe::Probe;
use super::section::SectionKind;
use super::staged::{Original, Staged};

/// A simulation on stage.
pub struct Live {
    original: Arc<Original>,
    first_options: RunOptions,
    staged: Staged,
    grip: Arc<Grip>,
    /// How many deeds have changed the world.
    changes: usize,
    onlooker: Onlooker,
    wiring: Option<Wiring>,
}

impl Live {
    /// At the start.
    pub fn new(original: Arc<Original>, options: RunOptions) -> Result<Self, String> {
        let grip = Arc::new(Grip::default());
        let staged = Staged::build(&original, original.scene().clone(), options.clone(), &grip)?;
        let wiring = match &*original {
            Original::Creature(showing) => Some(Wiring::of(showing.phenotype())),
            Original::Scene(_) => None,
        };
        let onlooker = Onlooker::default();
        Ok(Self { original, first_options: options, staged, grip, changes: 0, onlooker, wiring })
    }

    /// The scene with all changes so far.
    pub fn scene(&self) -> &SceneSpec {
        &self.staged.scene
    }

    /// The world as it is now.
    pub fn staged(&self) -> &Staged {
        &self.staged
    }

    /// Another one at the start.
    pub fn twin(&self) -> Result<Self, String> {
        Self::new(self.original.clone(), self.first_options.clone())
    }

    fn with_change(&self, deed: &Deed) -> Result<Staged, String> {
        let (mut scene, mut options) = (self.staged.scene.clone(), self.staged.options.clone());
        edit(&mut scene, &mut options, deed)?;
        Staged::build(&self.original, scene, options, &self.grip)
    }

    /// Builds another world, at its start.
    pub fn change_scene(&mut self, deed: &Deed) -> Result<(), String> {
        let staged = self.with_change(deed)?;
        (self.staged, self.changes) = (staged, self.changes + 1);
        Ok(())
    }

    /// Builds another world and goes on in it.
    fn change_world(&mut self, deed: &Deed) -> Result<(), String> {
        let mut staged = self.with_change(deed)?;
        let mut snapshot = self.staged.running.simulation.snapshot();
        if !matches!(deed, Deed::Throw { .. }) {
            // Whatever slept did so under other laws.
            snapshot.rest.seconds.fill(0.0);
        }
        if staged.running.paradigm != self.staged.running.paradigm {
            // Other modules remember other things.
            snapshot.pairs.clear();
            snapshot.row_impulses.clear();
        }
        staged.running.simulation.take_over(&snapshot);
        staged.running.simulation.data_mut().update_kinematics();
        if let Deed::Throw { radius, .. } = deed {
            refuse_overlap(&staged, *radius)?;
        }
        (self.staged, self.changes) = (staged, self.changes + 1);
        Ok(())
    }

    fn grab(&mut self, hand: u32, body: usize, point: DVec3, to: DVec3) -> Result<(), String> {
        let count = self.staged.shown.len();
        let shown = self.staged.shown.get(body).ok_or_else(|| format!("there is no body {body}: there are {count}"))?;
        let name = &self.staged.scene.bodies[shown.body].name;
        let world = self.staged.running.simulation.world();
        let moves = |link: &usize| !world.trees()[world.tree_of_link(*link)].is_fixed;
        let link = shown.link.filter(moves).ok_or_else(|| format!("'{name}' cannot be moved: nothing acts on it"))?;
        let point = shown.frame.transform_point(point);
        let tree = world.tree_of_link(link);
        let mut holds = self.grip.holds();
        holds.retain(|hold| hold.hand != hand);
        if holds.len() >= MAX_HANDS {
            return Err(format!("{MAX_HANDS} hands hold something already"));
        }
        let simulation = &mut self.staged.running.simulation;
        holds.push(Hold::new(hand, link, point, to, simulation));
        simulation.data_mut().rest.wake(tree);
        self.grip.set(&holds);
        Ok(())
    }

    /// Moves a hand, or lets go.
    fn hand(&mut self, hand: u32, to: Option<DVec3>) -> Result<(), String> {
        let mut holds = self.grip.holds();
        let place = holds.iter().position(|hold| hold.hand == hand);
        let place = place.ok_or_else(|| "nothing is held".to_string())?;
        let data = self.staged.running.simulation.data_mut();
        let tree = data.world.tree_of_link(holds[place].link);
        data.rest.wake(tree);
        match to {
            Some(to) => holds[place].to = to,
            None => {
                holds.remove(place);
            }
        }
        self.grip.set(&holds);
        Ok(())
    }
}

impl Player for Live {
    fn bill(&self) -> Bill {
        use SectionKind::{Activations, Boxes, Centre, Closest, Contacts, Counters, Groups, Joints, Tiles};
        let Staged { scene, running, .. } = &self.staged;
        let mut overlays = vec![Contacts, Closest, Boxes, Groups, Centre, Joints, Counters];
        if running.simulation.data().detection.tiles().is_some() {
            overlays.insert(3, Tiles);
        }
        let neurons = self.wiring.as_ref().map_or(0, Wiring::neurons);
        if neurons > 0 {
            overlays.push(Activations);
        }
        let kind = if matches!(*self.original, Original::Creature(_)) { Kind::Creature } else { Kind::Scene };
        Bill {
            title: scene.name.clone(),
            description: scene.description.clone(),
            kind,
            paradigm: Some(running.paradigm.name()),
            duration: Some(scene.duration),
            interfere: true,
            probe: true,
            end: false,
            overlays,
            counters: COUNTERS.map(str::to_string).to_vec(),
            neurons,
        }
    }

    fn appearance(&mut self, epoch: u32) -> Appearance {
        let followed = match &*self.original {
            Original::Creature(showing) => Some(showing.root()),
            Original::Scene(_) => None,
        };
        self.staged.running.simulation.data_mut().update_kinematics();
        appearance::of_scene(&self.staged.scene, &self.staged.running, followed, epoch)
    }

    fn steps(&self) -> u64 {
        self.staged.running.simulation.steps()
    }

    fn time(&self) -> f64 {
        self.staged.running.simulation.state().time
    }

    fn step_length(&self) -> f64 {
        self.staged.running.simulation.step_length()
    }

    fn advance(&mut self) -> Result<(), String> {
        let simulation = &mut self.staged.running.simulation;
        simulation.step().map_err(|failure| failure.to_string())?;
        self.staged.is_fresh = true;
        Ok(())
    }

    fn keep(&self) -> Kept {
        let snapshot = Box::new(self.staged.running.simulation.snapshot());
        Kept::Live { snapshot, holds: self.grip.holds(), changes: self.changes }
    }

    fn bring_back(&mut self, kept: &Kept, changes: &[Deed]) -> Result<(), String> {
        let Kept::Live { snapshot, holds, changes: count } = kept else {
            return Err("what was kept is of something else".to_string());
        };
        if *count != self.changes {
            let (mut scene, mut options) = (self.original.scene().clone(), self.first_options.clone());
            for deed in changes.iter().take(*count) {
                edit(&mut scene, &mut options, deed)?;
            }
            let staged = Staged::build(&self.original, scene, options, &self.grip)?;
            (self.staged, self.changes) = (staged, *count);
        }
        self.staged.running.simulation.restore(snapshot).map_err(|error| error.to_string())?;
        self.staged.is_fresh = false;
        self.grip.set(holds);
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.staged.running.simulation.state_hash()
    }

    fn poses(&mut self, poses: &mut Vec<f32>) {
        self.staged.running.simulation.data_mut().update_kinematics();
        for shown in &self.staged.shown {
            let Pose { rotation, translation } = self.staged.pose(shown);
            poses.extend_from_slice(&translation.as_vec3().to_array());
            poses.extend_from_slice(&rotation.as_quat().to_array());
        }
    }

    fn energies(&mut self) -> [f64; 2] {
        let totals = self.staged.running.simulation.observables();
        let data = self.staged.running.simulation.data();
        let tendons: f64 = data.world.tendons().iter().map(|tendon| tendon.energy(&data.state.q)).sum();
        let springs = spring_energy(data.world.model(), &data.state.q) + tendons;
        [totals.kinetic_energy, totals.potential_energy + springs]
    }

    fn section(&mut self, kind: SectionKind, numbers: &mut Vec<f32>) {
        if kind == SectionKind::Activations {
            if let Some(wiring) = &self.wiring {
                let memory = self.staged.running.simulation.data().controllers.memory();
                wiring.activations(&memory.high_level, numbers);
            }
            return;
        }
        self.staged.running.simulation.data_mut().update_kinematics();
        self.onlooker.section(&mut self.staged, kind, numbers);
    }

    fn probe(&mut self, body: usize) -> Option<Probe> {
        self.staged.running.simulation.data_mut().update_kinematics();
        self.onlooker.probe(&self.staged, body)
    }

    fn hands(&self) -> Vec<u32> {
        self.grip.holds().iter().map(|hold| hold.hand).collect()
    }

    fn interfere(&mut self, deed: &Deed) -> Result<(), String> {
        match deed {
            Deed::Grab { hand, body, point, to } => {
                self.grab(*hand, *body, DVec3::from_array(*point), DVec3::from_array(*to))
            }
            Deed::Drag { hand, to } => self.hand(*hand, Some(DVec3::from_array(*to))),
            Deed::Release { hand } => self.hand(*hand, None),
            Deed::Throw { .. } | Deed::Change { .. } | Deed::Simulate { .. } | Deed::Hashing { .. } => {
                self.change_world(deed)
            }
        }
    }
}
