//! Readings of sensors from the state of a simulation.
//!
//! All readings are functions of the state. Contact forces are the impulses that the solver of lasting contacts stores,
//! divided by the time they were solved for. Collision impulses are not included, so with the paradigm `impulse`, which
//! has collision impulses only, `touch` is always zero.

use std::ops::Range;

use burgess_dynamics::State;
use burgess_geometry::Pose;
use burgess_simulation::{PairRecord, Simulation, SimulationData};
use glam::{DQuat, DVec2, DVec3};

use crate::actuator::Actuators;

/// The sensors of a world, in the order of the scene.
///
/// ```
/// use burgess_scene::spec::SceneSpec;
/// use burgess_scene::RunOptions;
///
/// let text = "
/// [[bodies]]
/// name = 'ground'
/// fixed = true
/// shapes = [{ type = 'half_space' }]
///
/// [[bodies]]
/// name = 'box'
/// position = [0, 0, 0.5]
/// mass = 2
/// shapes = [{ type = 'box', size = [1, 1, 1] }]
///
/// [[sensors]]
/// type = 'center_of_mass'
/// name = 'middle'
/// body = 'box'
///
/// [[sensors]]
/// type = 'touch'
/// name = 'weight'
/// body = 'box'
/// ";
/// let scene = SceneSpec::from_toml(text, "box.toml").unwrap();
/// let mut run = scene.run(".", &RunOptions::default()).unwrap();
/// run.simulation.run(1.0).unwrap();
/// let mut values = vec![0.0; run.sensors.dimension()];
/// run.read_sensors(&mut values);
/// assert!((values[2] - 0.5).abs() < 1e-3);
/// assert!((values[run.sensors.range("weight").unwrap().start] - 19.62).abs() < 1e-3);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sensors {
    names: Vec<String>,
    ranges: Vec<Range<usize>>,
    gauges: Vec<Gauge>,
    /// The actuators whose forces are measured.
    actuators: Actuators,
}

/// What one sensor reads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Gauge {
    /// Positions in the state.
    Positions(Range<usize>),
    /// Velocities in the state.
    Velocities(Range<usize>),
    /// The force of an actuator, by its index.
    ActuatorForce(usize),
    /// A quantity of a frame.
    Frame(FrameQuantity, FrameOn),
    /// The normal forces on the colliders of a body.
    Touch(Range<usize>),
    /// The weighted mean of points; the weights add up to one.
    Mean(Vec<MassPoint>),
    /// A quantity of the people in a region.
    People(PeopleIn),
}

/// The people in a rectangle on the floor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PeopleIn {
    /// Indices of the first positions and velocities of everybody, wherever they are.
    pub people: Vec<(usize, usize)>,
    pub quantity: PeopleQuantity,
    /// Lowest and highest corner, in m.
    pub min: DVec2,
    pub max: DVec2,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PeopleQuantity {
    Density,
    Speed,
    /// Along a unit vector.
    Flow(DVec2),
}

/// A frame on a link, in the link's coordinates, or in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrameOn {
    pub link: Option<usize>,
    pub pose: Pose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameQuantity {
    Position,
    Orientation,
    Velocity,
    AngularVelocity,
    OwnVelocity,
    OwnAngularVelocity,
}

/// A point of a link, in the link's coordinates (m), with its share of the mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MassPoint {
    pub link: usize,
    pub point: DVec3,
    pub share: f64,
}

impl Sensors {
    pub(crate) fn new(sensors: impl Iterator<Item = (String, Gauge)>, actuators: Actuators) -> Self {
        let mut made = Self { actuators, ..Self::default() };
        for (name, gauge) in sensors {
            let start = made.dimension();
            made.ranges.push(start..start + gauge.dimension());
            made.names.push(name);
            made.gauges.push(gauge);
        }
        made
    }

    /// Number of sensors.
    pub fn len(&self) -> usize {
        self.gauges.len()
    }

    /// Returns whether there are no sensors.
    pub fn is_empty(&self) -> bool {
        self.gauges.is_empty()
    }

    /// Names of the sensors, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Total number of values of all sensors.
    pub fn dimension(&self) -> usize {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// The range of each sensor in the values of all sensors.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// The range of a sensor, by its name, in the values of all sensors.
    pub fn range(&self, name: &str) -> Option<Range<usize>> {
        let index = self.names.iter().position(|known| known == name)?;
        Some(self.ranges[index].clone())
    }

    /// Writes the values of all sensors, as many whole sensors as fit. The workspace of the simulation's data must be
    /// current: [`RunningScene::read_sensors`](crate::RunningScene::read_sensors) ensures that. Does not allocate.
    pub fn read(&self, simulation: &Simulation, values: &mut [f64]) {
        for (gauge, range) in self.gauges.iter().zip(&self.ranges) {
            let Some(values) = values.get_mut(range.clone()) else { return };
            self.read_one(gauge, simulation, values);
        }
    }

    fn read_one(&self, gauge: &Gauge, simulation: &Simulation, values: &mut [f64]) {
        let data = simulation.data();
        match gauge {
            Gauge::Positions(places) => values.copy_from_slice(&data.state.q[places.clone()]),
            Gauge::Velocities(places) => values.copy_from_slice(&data.state.v[places.clone()]),
            Gauge::ActuatorForce(actuator) => values[0] = self.actuators.force(data, *actuator),
            Gauge::Frame(FrameQuantity::Orientation, frame) => {
                values.copy_from_slice(&frame.pose(data).rotation.to_array());
            }
            Gauge::Frame(quantity, frame) => values.copy_from_slice(&frame.vector(*quantity, data).to_array()),
            Gauge::Touch(colliders) => values[0] = touch(simulation, colliders),
            Gauge::Mean(points) => {
                let place = |point: &MassPoint| point.share * link_pose(data, point.link).transform_point(point.point);
                values.copy_from_slice(&points.iter().map(place).sum::<DVec3>().to_array());
            }
            Gauge::People(people) => values[0] = people.measure(data),
        }
    }
}

impl Gauge {
    fn dimension(&self) -> usize {
        match self {
            Self::Positions(places) | Self::Velocities(places) => places.len(),
            Self::ActuatorForce(_) | Self::Touch(_) | Self::People(_) => 1,
            Self::Frame(FrameQuantity::Orientation, _) => 4,
            Self::Frame(..) | Self::Mean(_) => 3,
        }
    }
}

impl PeopleIn {
    fn measure(&self, data: &SimulationData) -> f64 {
        let State { q, v, .. } = &data.state;
        let size = self.max - self.min;
        let velocity = |&(place, velocity): &(usize, usize)| {
            let at = DVec2::new(q[place], q[place + 1]);
            let is_inside = at.cmpge(self.min).all() && at.cmple(self.max).all();
            is_inside.then(|| DVec2::new(v[velocity], v[velocity + 1]))
        };
        let velocities = self.people.iter().filter_map(velocity);
        let count = || self.people.iter().filter_map(velocity).count() as f64;
        match self.quantity {
            PeopleQuantity::Density => count() / (size.x * size.y),
            PeopleQuantity::Speed => velocities.map(DVec2::length).sum::<f64>() / count().max(1.0),
            PeopleQuantity::Flow(along) => velocities.map(|v| v.dot(along)).sum::<f64>() / size.dot(along.abs()),
        }
    }
}

impl FrameOn {
    fn pose(&self, data: &SimulationData) -> Pose {
        self.link.map_or(self.pose, |link| link_pose(data, link).compose(&self.pose))
    }

    fn vector(&self, quantity: FrameQuantity, data: &SimulationData) -> DVec3 {
        let pose = self.pose(data);
        let (angular, linear) = self.link.map_or((DVec3::ZERO, DVec3::ZERO), |link| {
            let motion = data.workspace.velocity_at(link, pose.translation);
            (motion.angular, motion.linear)
        });
        let own = |vector| turn_back(pose.rotation, vector);
        match quantity {
            FrameQuantity::Position | FrameQuantity::Orientation => pose.translation,
            FrameQuantity::Velocity => linear,
            FrameQuantity::AngularVelocity => angular,
            FrameQuantity::OwnVelocity => own(linear),
            FrameQuantity::OwnAngularVelocity => own(angular),
        }
    }
}

fn turn_back(rotation: DQuat, vector: DVec3) -> DVec3 {
    rotation.conjugate() * vector
}

fn link_pose(data: &SimulationData, link: usize) -> Pose {
    data.workspace.pose(data.world.model(), link)
}

/// The sum of the normal forces on some colliders, in N.
fn touch(simulation: &Simulation, colliders: &Range<usize>) -> f64 {
    let data = simulation.data();
    let mut impulse = 0.0;
    for (pair, record) in data.pairs.iter() {
        let (a, b) = (pair.a.index(), pair.b.index());
        if !record.impulses.is_empty() && (colliders.contains(&a) || colliders.contains(&b)) {
            impulse += normal_impulse(record, &data.world.collider_pose(&data.workspace, a));
        }
    }
    let solved_for = data.statistics.held_seconds;
    // The time is unknown at the start and after a jump to another state.
    impulse / if solved_for > 0.0 { solved_for } else { simulation.step_length() }
}

/// The normal impulse of a pair, in N s. Normals are in the frame of its first collider.
fn normal_impulse(record: &PairRecord, first: &Pose) -> f64 {
    let along =
        |kept: &burgess_simulation::KeptContact| record.impulse(&kept.id).dot(first.transform_vector(kept.normal));
    record.kept.contacts.iter().map(along).sum()
}
