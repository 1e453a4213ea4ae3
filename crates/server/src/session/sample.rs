//! The row of signals of a simulation at the present state (see [`signal`](super::signal)).

use burgess_dynamics::{joint_efforts, tree_observables};
use burgess_geometry::Pose;
use burgess_scene::axis_position;
use glam::DVec3;

use super::brain::NodeOutputs;
use super::current_world::CurrentWorld;
use super::overlay::forces;
use super::signal::{Layout, WorldQuantity};

/// The layout of the rows of a world.
pub fn layout_of(current: &CurrentWorld, outputs: Option<&NodeOutputs>) -> Layout {
    let CurrentWorld { scene, running, shown, .. } = current;
    Layout {
        axes: shown.iter().map(|shown| axes_of(current, shown.body, shown.link)).collect(),
        actuators: running.actuators.len(),
        sensors: scene.sensors.iter().zip(running.sensors.ranges()).map(|(_, range)| range.len()).collect(),
        neurons: outputs.map_or(0, NodeOutputs::neurons),
    }
}

/// Number of axes of the joint of a body. A body that is welded to its parent has none.
pub fn axes_of(current: &CurrentWorld, body: usize, link: Option<usize>) -> usize {
    let Some(joint) = &current.scene.bodies[body].joint else { return 0 };
    let dofs = link.map_or(0, |link| current.running.simulation.world().model().links()[link].dofs as usize);
    joint.axes().min(dofs)
}

/// Computes rows; contains scratch memory.
#[derive(Debug, Default)]
pub struct RowSampler {
    contact_forces: Vec<DVec3>,
    efforts: Vec<f64>,
    sensors: Vec<f64>,
}

impl RowSampler {
    /// Appends the row of the present state.
    pub fn sample(
        &mut self,
        current: &mut CurrentWorld,
        outputs: Option<&NodeOutputs>,
        energies: [f64; 2],
        row: &mut Vec<f32>,
    ) {
        current.running.simulation.data_mut().update_kinematics();
        let force = self.sum_contact_forces(current);
        self.world(current, energies, force, row);
        self.bodies(current, row);
        self.joints(current, row);
        for actuator in 0..current.running.actuators.len() {
            let running = &current.running;
            row.extend([running.control(actuator) as f32, running.actuator_force(actuator) as f32]);
        }
        self.sensors.clear();
        self.sensors.resize(current.running.sensors.dimension(), 0.0);
        current.running.sensors.read(&current.running.simulation, &mut self.sensors);
        row.extend(self.sensors.iter().map(|&number| number as f32));
        if let Some(outputs) = outputs {
            outputs.activations(&current.running.simulation.data().controllers.memory().high_level, row);
        }
    }

    /// Sums the contact forces on each body. Returns the sum of the magnitudes, in N.
    fn sum_contact_forces(&mut self, current: &CurrentWorld) -> f64 {
        self.contact_forces.clear();
        self.contact_forces.resize(current.shown.len(), DVec3::ZERO);
        let mut total = 0.0;
        for (contact, force) in forces(current) {
            total += force.length();
            for (collider, force) in [(contact.collider_a, -force), (contact.collider_b, force)] {
                if let Some(place) = current.place_of_collider[collider as usize] {
                    self.contact_forces[place as usize] += force;
                }
            }
        }
        total
    }

    fn world(&self, current: &mut CurrentWorld, [kinetic, potential]: [f64; 2], force: f64, row: &mut Vec<f32>) {
        let centre = current.running.simulation.observables().center_of_mass;
        let known = current.running.simulation.statistics();
        let (contacts, penetration) = if current.is_fresh { (known.contacts, known.penetration) } else { (0, 0.0) };
        row.extend([kinetic, potential, kinetic + potential].map(|number| number as f32));
        row.extend(centre.as_vec3().to_array());
        row.extend([contacts as f32, force as f32, penetration as f32]);
    }

    fn bodies(&self, current: &CurrentWorld, row: &mut Vec<f32>) {
        let data = current.running.simulation.data();
        for (shown, force) in current.shown.iter().zip(&self.contact_forces) {
            let pose = current.pose(shown);
            let motion = shown.link.map(|link| data.workspace.velocity_at(link, pose.translation)).unwrap_or_default();
            row.extend(pose.translation.as_vec3().to_array());
            for vector in [motion.linear, motion.angular, *force] {
                row.extend(vector.as_vec3().to_array());
                row.push(vector.length() as f32);
            }
            row.push(tilt(&pose));
        }
    }

    fn joints(&mut self, current: &CurrentWorld, row: &mut Vec<f32>) {
        let data = current.running.simulation.data();
        let model = data.world.model();
        self.efforts.clear();
        self.efforts.resize(model.dofs(), 0.0);
        joint_efforts(model, &data.state.motors, &data.state.q, &data.state.v, &mut self.efforts);
        for shown in &current.shown {
            for axis in 0..axes_of(current, shown.body, shown.link) {
                // A body with axes has a link.
                let Some(link) = shown.link else { continue };
                let dof = model.links()[link].v + axis;
                let position = axis_position(model, &data.state.q, link, axis);
                row.extend([position, data.state.v[dof], self.efforts[dof]].map(|number| number as f32));
            }
        }
    }
}

/// Height of the centre of mass of all bodies that are connected to a body, in m. None if it is fixed.
pub fn height_of(current: &mut CurrentWorld, body: usize) -> Option<f64> {
    let link = current.running.link_index(body)?;
    let data = current.running.simulation.data_mut();
    data.update_kinematics();
    Some(tree_observables(data.world.model(), &data.state, &data.workspace, link).center_of_mass.z)
}

/// Appends the row of a world of which only the poses of bodies are known, and perhaps their velocities (m/s, rad/s).
pub fn sample_poses(bodies: impl Iterator<Item = (Pose, Option<[DVec3; 2]>)>, row: &mut Vec<f32>) {
    row.extend([f32::NAN; WorldQuantity::ALL.len()]);
    for (pose, motion) in bodies {
        row.extend(pose.translation.as_vec3().to_array());
        for vector in motion.map_or([DVec3::NAN; 2], |motion| motion) {
            row.extend(vector.as_vec3().to_array());
            row.push(vector.length() as f32);
        }
        row.extend([f32::NAN; 4]);
        row.push(tilt(&pose));
    }
}

/// Angle between the z axis of a frame and the vertical, in rad.
fn tilt(pose: &Pose) -> f32 {
    libm::acos(pose.transform_vector(DVec3::Z).z.clamp(-1.0, 1.0)) as f32
}
