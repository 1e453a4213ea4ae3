//! The properties of the class `Simulation`: its state and what can be computed from it.

use burgess_dynamics::spring_energy;
use glam::DVec3;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::finite_numbers;
use crate::simulation::Simulation;

#[pymethods]
impl Simulation {
    /// Hash of the state, as `burgess simulate --json` prints it.
    #[getter]
    fn state_hash(&self) -> PyResult<String> {
        self.cell.with(|world| Ok(format!("{:016x}", world.running.simulation.state_hash())))
    }

    /// Positions of all joints; the array follows the simulation.
    #[getter]
    fn positions(&self, py: Python) -> PyResult<Py<PyAny>> {
        self.refresh(py)?;
        Ok(self.positions.view(py))
    }

    /// Velocities of all joints; the array follows the simulation.
    #[getter]
    fn velocities(&self, py: Python) -> PyResult<Py<PyAny>> {
        self.refresh(py)?;
        Ok(self.velocities.view(py))
    }

    /// Controls of all actuators.
    #[getter]
    fn controls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.cell.with(|world| Ok(world.running.controls().to_vec().into_pyarray(py)))
    }

    #[setter]
    fn set_controls(&self, controls: &Bound<PyAny>) -> PyResult<()> {
        self.cell.with(|world| {
            let values = finite_numbers(controls, "controls", &[world.running.actuators.len()])?;
            world.running.set_controls(&values);
            Ok(())
        })
    }

    /// Values of all sensors, one after the other.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.cell.with(|world| {
            let mut values = vec![0.0; world.running.sensors.dimension()];
            world.running.read_sensors(&mut values);
            Ok(values.into_pyarray(py))
        })
    }

    /// Positions of all bodies, in m.
    #[getter]
    fn body_positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.cell.with(|world| {
            let poses = world.poses();
            let values: Vec<f64> = poses.iter().flat_map(|pose| pose.translation.to_array()).collect();
            values.into_pyarray(py).reshape([poses.len(), 3])
        })
    }

    /// Orientations of all bodies, as quaternions x, y, z, w.
    #[getter]
    fn body_orientations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.cell.with(|world| {
            let poses = world.poses();
            let values: Vec<f64> = poses.iter().flat_map(|pose| pose.rotation.to_array()).collect();
            values.into_pyarray(py).reshape([poses.len(), 4])
        })
    }

    /// Contacts of the last step as a dictionary of arrays.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.cell.with(|world| {
            let (contacts, bodies) = (world.contacts(), world.bodies_of_colliders());
            let vectors = |get: &dyn Fn(usize) -> DVec3| {
                let values: Vec<f64> = (0..contacts.len()).flat_map(|index| get(index).to_array()).collect();
                values.into_pyarray(py).reshape([contacts.len(), 3])
            };
            let body = |collider: u32| bodies.get(collider as usize).map_or(-1, |&body| body as i64);
            let pairs: Vec<i64> =
                contacts.iter().flat_map(|(one, _)| [body(one.collider_a), body(one.collider_b)]).collect();
            let distances: Vec<f64> = contacts.iter().map(|(contact, _)| contact.distance).collect();
            let dictionary = PyDict::new(py);
            dictionary.set_item("bodies", pairs.into_pyarray(py).reshape([contacts.len(), 2])?)?;
            dictionary.set_item("points", vectors(&|index| contacts[index].0.point)?)?;
            dictionary.set_item("normals", vectors(&|index| contacts[index].0.normal)?)?;
            dictionary.set_item("forces", vectors(&|index| contacts[index].1)?)?;
            dictionary.set_item("distances", distances.into_pyarray(py))?;
            Ok(dictionary)
        })
    }

    /// Kinetic, gravitational and spring energy and their sum, in J.
    #[getter]
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.cell.with(|world| {
            let simulation = &mut world.running.simulation;
            let (total, observed) = (simulation.energy(), simulation.observables());
            let (world, q) = (simulation.world(), &simulation.state().q);
            let tendons: f64 = world.tendons().iter().map(|tendon| tendon.energy(q)).sum();
            let dictionary = PyDict::new(py);
            dictionary.set_item("kinetic", observed.kinetic_energy)?;
            dictionary.set_item("gravitational", observed.potential_energy)?;
            dictionary.set_item("springs", spring_energy(world.model(), q) + tendons)?;
            dictionary.set_item("total", total)?;
            Ok(dictionary)
        })
    }

    /// Simulated time, in s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.cell.with(|world| Ok(world.running.simulation.state().time))
    }

    /// Number of steps.
    #[getter]
    fn steps(&self) -> PyResult<u64> {
        self.cell.with(|world| Ok(world.running.simulation.steps()))
    }

    /// Length of a step, in s.
    #[getter]
    fn step_length(&self) -> PyResult<f64> {
        self.cell.with(|world| Ok(world.running.simulation.step_length()))
    }

    /// Duration of the scene, in s.
    #[getter]
    fn duration(&self) -> PyResult<f64> {
        self.cell.with(|world| Ok(world.source.scene().duration))
    }

    /// Name of the scene, the model or the creature.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.cell.with(|world| Ok(world.source.scene().name.clone()))
    }

    /// Names of all bodies.
    #[getter]
    fn bodies(&self) -> PyResult<Vec<String>> {
        self.cell.with(|world| Ok(world.source.scene().bodies.iter().map(|body| body.name.clone()).collect()))
    }

    /// Names of all actuators.
    #[getter]
    fn actuators(&self) -> PyResult<Vec<String>> {
        self.cell.with(|world| Ok(world.running.actuators.names().to_vec()))
    }

    /// Ranges of all sensors in `sensors`, by name.
    #[getter]
    fn sensor_ranges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.cell.with(|world| {
            let sensors = &world.running.sensors;
            let dictionary = PyDict::new(py);
            for (name, range) in sensors.names().iter().zip(sensors.ranges()) {
                dictionary.set_item(name, (range.start, range.end))?;
            }
            Ok(dictionary)
        })
    }
}
