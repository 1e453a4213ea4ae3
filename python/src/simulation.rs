//! The class `Simulation`.

use std::path::PathBuf;
use std::sync::Arc;

use burgess_catalog::{Arena, Creature, Subject};
use burgess_formats::import::ImportOptions;
use burgess_formats::{mjcf, urdf};
use burgess_paradigms::Paradigm;
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::Snapshot;
use glam::DVec3;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

use crate::arrays::{LiveArray, finite_numbers};
use crate::cell::Cell;
use crate::creature::{creature_of, creature_or_text};
use crate::errors::{runtime_error, simulation_error, value_error};
use crate::recorder::Recorder;
use crate::scene_world::{SceneWorld, Source};
use crate::task::task_of;
use crate::viewer::{Viewer, show};

/// Number of steps between two looks for Ctrl-C.
const PART: u64 = 1000;

/// A scene, a model or a creature in motion.
///
/// `what` is the name of a built-in scene or creature, a file (scene, creature, MJCF, URDF), RUN#NUMBER, a `Creature`
/// or a `Genome`. `task` and `seed` choose the arena of a creature. `paradigm`, `step` (s) and `keyframe` replace those
/// of the scene.
///
/// >>> import burgess
/// >>> simulation = burgess.Simulation("pendulum")
/// >>> positions = simulation.positions
/// >>> simulation.step(10)
/// >>> bool(positions.any()), simulation.steps
/// (True, 10)
/// >>> simulation.reset()
/// >>> simulation.time
/// 0.0
#[pyclass(frozen, module = "burgess")]
pub struct Simulation {
    pub cell: Arc<Cell<SceneWorld>>,
    pub positions: LiveArray,
    pub velocities: LiveArray,
}

/// A copy of everything that determines the following steps of a simulation.
#[pyclass(frozen, module = "burgess", name = "Snapshot")]
pub struct PySnapshot(Snapshot);

#[pymethods]
impl PySnapshot {
    /// Simulated time, in s.
    #[getter]
    fn time(&self) -> f64 {
        self.0.state.time
    }

    fn __repr__(&self) -> String {
        format!("<Snapshot at {} s>", self.0.state.time)
    }
}

fn run_options(paradigm: Option<&str>, step: Option<f64>, keyframe: Option<String>) -> PyResult<RunOptions> {
    let named = |name: &str| {
        let known = Paradigm::ALL.map(Paradigm::name).join("', '");
        Paradigm::from_name(name).ok_or_else(|| value_error(format!("paradigm '{name}': expected one of '{known}'")))
    };
    if let Some(step) = step.filter(|&step| !(step > 0.0 && step <= 1.0)) {
        return Err(value_error(format!("step must be more than 0 s and at most 1 s, found {step}")));
    }
    Ok(RunOptions { paradigm: paradigm.map(named).transpose()?, step, keyframe })
}

/// Issues a Python warning for everything that was left out of a model.
fn warn(py: Python, warnings: &[impl ToString]) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    let warn = py.import("warnings")?.getattr("warn")?;
    warnings.iter().try_for_each(|warning| warn.call1((warning.to_string(), &category)).map(|_| ()))
}

impl Simulation {
    fn start(py: Python, world: SceneWorld) -> PyResult<Self> {
        let state = world.running.simulation.state();
        let positions = LiveArray::new(py, &[state.q.len()])?;
        let velocities = LiveArray::new(py, &[state.v.len()])?;
        let simulation = Self { cell: Arc::new(Cell::new("simulation", world)), positions, velocities };
        simulation.refresh(py)?;
        Ok(simulation)
    }

    /// Copies the present state to the arrays that Python sees.
    pub fn refresh(&self, py: Python) -> PyResult<()> {
        self.cell.with(|world| {
            let state = world.running.simulation.state();
            self.positions.fill(py, &state.q)?;
            self.velocities.fill(py, &state.v)
        })
    }

    fn of_creature(py: Python, creature: &Creature, arena: &Arena, options: RunOptions) -> PyResult<Self> {
        let preview = arena.show(creature).map_err(value_error)?;
        let running = preview.run(&options).map_err(value_error)?;
        Self::start(py, SceneWorld::new(Source::Creature(Box::new(preview)), options, running))
    }

    fn of_spec(py: Python, spec: SceneSpec, folder: &str, options: RunOptions) -> PyResult<Self> {
        let running = spec.run(folder, &options).map_err(value_error)?;
        Self::start(py, SceneWorld::new(Source::Scene(Box::new(spec)), options, running))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (what, *, task=None, seed=None, paradigm=None, step=None, keyframe=None))]
    fn new(
        py: Python,
        what: &Bound<PyAny>,
        task: Option<&Bound<PyAny>>,
        seed: Option<u64>,
        paradigm: Option<&str>,
        step: Option<f64>,
        keyframe: Option<String>,
    ) -> PyResult<Self> {
        let options = run_options(paradigm, step, keyframe)?;
        let task = task.map(task_of).transpose()?;
        let of_creature = |mut creature: Creature| {
            creature.task = task.clone().or(creature.task);
            Self::of_creature(py, &creature, &Arena { task: None, seed }, options.clone())
        };
        let Some(name) = creature_or_text(what)? else { return of_creature(creature_of(what)?) };
        let subject = Subject::resolve(&name).map_err(value_error)?;
        if subject.is_creature() {
            return of_creature(subject.creature().map_err(value_error)?);
        }
        if task.is_some() || seed.is_some() {
            let kind = subject.kind();
            return Err(value_error(format!("task and seed are for creatures, and '{subject}' is {kind}")));
        }
        let scene = subject.scene().map_err(value_error)?;
        warn(py, &scene.warnings)?;
        let running = scene.run(&options).map_err(value_error)?;
        if let Some(inhabited) = scene.inhabited() {
            let source = Source::Inhabited(Box::new(inhabited.clone()));
            return Self::start(py, SceneWorld::new(source, options, running));
        }
        let mut spec = scene.spec().clone();
        if spec.name.is_empty() {
            spec.name = scene.name().to_string();
        }
        Self::start(py, SceneWorld::new(Source::Scene(Box::new(spec)), options, running))
    }

    /// Build a scene from the text of a scene file (TOML).
    #[staticmethod]
    #[pyo3(signature = (text, *, paradigm=None, step=None, keyframe=None))]
    fn from_toml(
        py: Python,
        text: &str,
        paradigm: Option<&str>,
        step: Option<f64>,
        keyframe: Option<String>,
    ) -> PyResult<Self> {
        let spec = SceneSpec::from_toml(text, "scene").map_err(value_error)?;
        Self::of_spec(py, spec, ".", run_options(paradigm, step, keyframe)?)
    }

    /// Build a scene from a model as text, in the format 'mjcf' or 'urdf'.
    #[staticmethod]
    #[pyo3(signature = (text, format="mjcf", *, paradigm=None, step=None, keyframe=None))]
    fn from_model(
        py: Python,
        text: &str,
        format: &str,
        paradigm: Option<&str>,
        step: Option<f64>,
        keyframe: Option<String>,
    ) -> PyResult<Self> {
        let options = ImportOptions::default();
        let (spec, warnings) = match format {
            "mjcf" => {
                let model = mjcf::import_text(text, "model.xml", &options).map_err(value_error)?;
                (model.scene, model.warnings)
            }
            "urdf" => {
                let model = urdf::import_text(text, "model.urdf", &options).map_err(value_error)?;
                (model.scene, model.warnings)
            }
            other => return Err(value_error(format!("format '{other}': expected 'mjcf' or 'urdf'"))),
        };
        warn(py, &warnings)?;
        Self::of_spec(py, spec, ".", run_options(paradigm, step, keyframe)?)
    }

    /// Make steps.
    #[pyo3(signature = (count=1))]
    fn step(&self, py: Python, count: u64) -> PyResult<()> {
        let stepped = py.detach(|| {
            self.cell.try_with(|world| {
                let mut left = count;
                while left > 0 {
                    let part = left.min(PART);
                    world.step(part).map_err(simulation_error)?;
                    left -= part;
                    Python::attach(|py| py.check_signals())?;
                }
                Ok(())
            })
        });
        let stepped: PyResult<()> = stepped.map_err(|why| self.cell.unusable(why))?;
        self.refresh(py)?;
        stepped
    }

    /// Step until the time is `seconds`.
    fn run(&self, py: Python, seconds: f64) -> PyResult<()> {
        if !seconds.is_finite() || seconds < 0.0 {
            return Err(value_error(format!("seconds must be finite and not negative, found {seconds}")));
        }
        let left = self.cell.with(|world| {
            let simulation = &world.running.simulation;
            Ok(((seconds - simulation.state().time) / simulation.step_length()).round().max(0.0) as u64)
        })?;
        self.step(py, left)
    }

    /// Return to the start.
    fn reset(&self, py: Python) -> PyResult<()> {
        self.cell.with(|world| world.reset().map_err(runtime_error))?;
        self.refresh(py)
    }

    /// Return a copy of everything that determines the following steps.
    fn snapshot(&self) -> PyResult<PySnapshot> {
        self.cell.with(|world| Ok(PySnapshot(world.running.simulation.snapshot())))
    }

    /// Restore a snapshot of this simulation.
    fn restore(&self, py: Python, snapshot: &PySnapshot) -> PyResult<()> {
        self.cell.with(|world| world.restore(&snapshot.0).map_err(value_error))?;
        self.refresh(py)
    }

    /// Set positions and velocities.
    fn set_state(&self, py: Python, positions: &Bound<PyAny>, velocities: &Bound<PyAny>) -> PyResult<()> {
        self.cell.with(|world| {
            let state = world.running.simulation.state();
            let q = finite_numbers(positions, "positions", &[state.q.len()])?;
            let v = finite_numbers(velocities, "velocities", &[state.v.len()])?;
            world.set_state(&q, &v);
            Ok(())
        })?;
        self.refresh(py)
    }

    /// Apply an impulse (N s) to a body, by default at its origin.
    #[pyo3(signature = (body, impulse, point=None))]
    fn push(&self, py: Python, body: &str, impulse: &Bound<PyAny>, point: Option<&Bound<PyAny>>) -> PyResult<()> {
        let impulse = DVec3::from_slice(&finite_numbers(impulse, "impulse", &[3])?);
        let point = point.map(|point| finite_numbers(point, "point", &[3])).transpose()?;
        self.cell.with(|world| {
            let unknown = || value_error(format!("there is no body '{body}'; `bodies` lists all"));
            let index = world.source.scene().body_index(body).ok_or_else(unknown)?;
            let fixed = || value_error(format!("the body '{body}' is fixed to the world"));
            let link = world.running.link_index(index).ok_or_else(fixed)?;
            let origin = world.poses().get(index).map_or(DVec3::ZERO, |pose| pose.translation);
            let point = point.map_or(origin, |point| DVec3::from_slice(&point));
            world.running.simulation.push(link, impulse, DVec3::ZERO, point);
            Ok(())
        })?;
        self.refresh(py)
    }

    /// Start a recording of the following steps.
    #[pyo3(signature = (path, rate=60.0))]
    fn record(&self, path: PathBuf, rate: f64) -> PyResult<()> {
        self.cell.with(|world| {
            if world.recorder.is_some() {
                return Err(value_error("a recording is in progress; call stop_recording() first"));
            }
            let made = Recorder::create(&path, rate, world.source.scene(), &world.running);
            world.recorder = Some(made.map_err(value_error)?);
            Ok(())
        })
    }

    /// End the recording and return its number of frames.
    fn stop_recording(&self) -> PyResult<u64> {
        self.cell.with(|world| {
            let recorder = world.recorder.take();
            let recorder = recorder.ok_or_else(|| value_error("there is no recording; call record(path) first"))?;
            recorder.finish(&mut world.running).map_err(runtime_error)
        })
    }

    /// Draw the present state as SVG.
    #[pyo3(signature = (width=640, height=420))]
    fn picture(&self, width: u32, height: u32) -> PyResult<String> {
        self.cell.with(|world| world.picture(width, height).map_err(value_error))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.picture(640, 420)
    }

    /// Open the viewer on this world.
    #[pyo3(signature = (*, port=None, browser=true))]
    fn show(&self, py: Python, port: Option<u16>, browser: bool) -> PyResult<Viewer> {
        let (source, options, snapshot) = self
            .cell
            .with(|world| Ok((world.source.clone(), world.options.clone(), world.running.simulation.snapshot())))?;
        py.detach(|| show(source, options, snapshot, port, browser)).map_err(runtime_error)
    }

    /// Return the scene as TOML.
    fn to_toml(&self) -> PyResult<String> {
        self.cell.with(|world| world.source.scene().to_toml().map_err(value_error))
    }

    /// Return the scene as MJCF.
    fn to_mjcf(&self, py: Python) -> PyResult<String> {
        let scene = self.cell.with(|world| Ok(world.source.scene().clone()))?;
        let exported = mjcf::export(&scene, std::path::Path::new(".")).map_err(value_error)?;
        warn(py, &exported.warnings)?;
        Ok(exported.xml)
    }

    /// Free the world. Later calls raise `ValueError`.
    fn close(&self) -> PyResult<()> {
        self.cell.close()
    }

    /// Whether the world was freed.
    #[getter]
    fn closed(&self) -> bool {
        self.cell.is_closed()
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<pyo3::types::PyTuple>) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> String {
        let described = self.cell.with(|world| {
            let (name, time) = (&world.source.scene().name, world.running.simulation.state().time);
            Ok(format!("<Simulation of '{name}' at {time:.3} s>"))
        });
        described.unwrap_or_else(|_| "<Simulation, closed or in use>".to_string())
    }
}
