//! Python bindings: the module `burgess._burgess`, which the package `burgess` wraps.
//!
//! Worlds are in cells (`cell.rs`): they can be closed, and a second thread that uses one gets an exception. The interpreter's
//! lock is released while anything is simulated. Arrays that follow a world belong to NumPy; the numbers are copied
//! into them after each step.

mod arrays;
mod batch;
mod cell;
mod creature;
mod errors;
mod evaluation;
mod genome;
mod parallel;
mod recorder;
mod referee;
mod run;
mod scene_world;
mod simulation;
mod simulation_state;
mod slot;
mod task;
mod trial;
mod trial_world;
mod viewer;

use pyo3::prelude::*;

/// Names of all built-in scenes.
#[pyfunction]
fn scenes() -> Vec<&'static str> {
    burgess_catalog::builtin_scenes().into_iter().map(|(name, _)| name).collect()
}

/// Names of all built-in creatures.
#[pyfunction]
fn creatures() -> Vec<&'static str> {
    burgess_creature::builtin::all().iter().map(|creature| creature.name).collect()
}

/// The native part of the package `burgess`.
#[pymodule]
fn _burgess(module: &Bound<PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SimulationError", module.py().get_type::<errors::SimulationError>())?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<creature::Brain>()?;
    module.add_class::<creature::PyCreature>()?;
    module.add_class::<evaluation::PyEvaluation>()?;
    module.add_class::<genome::Genome>()?;
    module.add_class::<run::PyRun>()?;
    module.add_class::<simulation::PySnapshot>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<task::PyTask>()?;
    module.add_class::<trial::Trial>()?;
    module.add_class::<viewer::Viewer>()?;
    module.add_function(wrap_pyfunction!(creatures, module)?)?;
    module.add_function(wrap_pyfunction!(evaluation::evaluate_all, module)?)?;
    module.add_function(wrap_pyfunction!(referee::judge_by, module)?)?;
    module.add_function(wrap_pyfunction!(run::evolve_into, module)?)?;
    module.add_function(wrap_pyfunction!(scenes, module)?)?;
    module.add_function(wrap_pyfunction!(task::measures, module)?)?;
    module.add_function(wrap_pyfunction!(task::tasks, module)?)?;
    Ok(())
}
