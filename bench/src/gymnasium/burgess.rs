//! Burgess: a model imported from MJCF, simulated by time stepping, with states in MuJoCo's coordinates.

use std::path::Path;

use anyhow::{Context, Result};
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf::{self, MappedKind, StateMap};
use burgess_paradigms::Paradigm;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Snapshot;
use glam::DVec3;

use super::corpus::{Moment, Sample};

/// An independent simulation of a model.
pub struct Burgess {
    /// The running scene.
    pub run: RunningScene,
    /// Conversion between MuJoCo's coordinates and those of Burgess.
    pub map: StateMap,
    /// Warnings of the importer.
    pub warnings: Vec<String>,
    start: Snapshot,
}

impl Burgess {
    /// Imports a model with a time step in s.
    pub fn load(file: &Path, step: f64) -> Result<Self> {
        let model = mjcf::import_file(file, &ImportOptions::default())?;
        let folder = file.parent().context("the path of the model has no folder")?;
        let warnings = model.warnings.iter().map(ToString::to_string).collect();
        Ok(Self { warnings, ..Self::of_scene(&model.scene, folder, model.states, step)? })
    }

    /// Starts a scene, whose files are in a folder, with a time step in s.
    pub fn of_scene(scene: &SceneSpec, folder: &Path, map: StateMap, step: f64) -> Result<Self> {
        let options = RunOptions { paradigm: Some(Paradigm::TimeStepping), step: Some(step), ..RunOptions::default() };
        let run = scene.run(folder, &options)?;
        let start = run.simulation.snapshot();
        Ok(Self { run, map, warnings: Vec::new(), start })
    }

    /// Moves to a state, without contact caches.
    pub fn start_from(&mut self, moment: &Moment) -> Result<()> {
        self.run.simulation.restore(&self.start)?;
        self.set(moment)
    }

    /// Sets positions, velocities and controls; the contact caches are kept.
    pub fn set(&mut self, moment: &Moment) -> Result<()> {
        let model = self.run.simulation.world().model();
        let (q, v) = self.map.to_state(model, &moment.qpos, &moment.qvel)?;
        let state = &mut self.run.simulation.data_mut().state;
        state.q.copy_from_slice(&q);
        state.v.copy_from_slice(&v);
        self.run.set_controls(&moment.ctrl);
        Ok(())
    }

    /// Moves to the start of a recorded step, with contact caches from a step from the previous state.
    pub fn move_to(&mut self, sample: &Sample) -> Result<()> {
        self.run.simulation.restore(&self.start)?;
        self.set(&sample.before)?;
        self.step()?;
        self.set(&sample.now)
    }

    /// Performs one step. Timed.
    pub fn step(&mut self) -> Result<()> {
        Ok(self.run.simulation.step()?)
    }

    /// Returns positions and velocities in MuJoCo's coordinates.
    pub fn moment(&self) -> Result<(Vec<f64>, Vec<f64>)> {
        let simulation = &self.run.simulation;
        let state = simulation.state();
        Ok(self.map.from_state(simulation.world().model(), &state.q, &state.v)?)
    }

    /// Returns the number of contacts of the last step.
    pub fn contacts(&self) -> usize {
        self.run.simulation.statistics().contacts
    }

    /// Returns the accelerations in MuJoCo's coordinates, without contacts and limits.
    pub fn accelerations(&mut self, moment: &Moment) -> Result<Vec<f64>> {
        self.set(moment)?;
        self.run.simulation.data_mut().accelerate();
        let data = self.run.simulation.data();
        let (model, state) = (data.world.model(), &data.state);
        let accelerations = data.workspace.joint_acceleration();
        let (_, mut qacc) = self.map.from_state(model, &state.q, accelerations)?;
        // MuJoCo uses the acceleration of the origin, Burgess that of the centre of mass.
        for joint in self.map.joints().iter().filter(|joint| joint.kind == MappedKind::Free) {
            let index = self.link(&joint.body)?;
            let v = &state.v[model.links()[index].v..];
            let (spin, center) = (DVec3::from_slice(v), DVec3::from_slice(&v[3..]));
            let origin = DVec3::from_slice(&moment.qvel[joint.qvel..]);
            let around = spin.cross(origin - center);
            for (acceleration, more) in qacc[joint.qvel..].iter_mut().zip(around.to_array()) {
                *acceleration += more;
            }
        }
        Ok(qacc)
    }

    /// Returns the link index of a body of the model.
    pub fn link(&self, body: &str) -> Result<usize> {
        let model = self.run.simulation.world().model();
        let mut links = 0..model.links().len();
        links.find(|&index| model.name(index) == body).with_context(|| format!("there is no link '{body}'"))
    }
}
