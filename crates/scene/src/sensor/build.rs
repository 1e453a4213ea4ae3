//! Builds sensors from their specs.

use std::collections::BTreeMap;

use burgess_dynamics::joint::Joint;
use burgess_files::{At, Fault};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::World;
use glam::DVec2;

use super::reading::{FrameOn, FrameQuantity, Gauge, MassPoint, PeopleIn, PeopleQuantity, Sensors};
use crate::actuator::Actuators;
use crate::build::BuiltBody;
use crate::error::FieldError;
use crate::spec::{ControllerSpec, Measured, OfJoint, OfSite, SceneSpec, SiteSpec};

/// Largest number of bodies over all centre-of-mass sensors; bounds the memory that a small file can ask for.
const MAX_POINTS: usize = 10_000_000;

/// Builds the sensors of a scene whose names have been checked.
pub(crate) fn build_sensors(
    scene: &SceneSpec,
    world: &World,
    bodies: &[BuiltBody],
    index_by_name: &BTreeMap<&str, usize>,
    actuators: &Actuators,
) -> Result<Sensors, FieldError> {
    if scene.sensors.is_empty() {
        return Ok(Sensors::default());
    }
    let sites = scene.sites.iter().map(|site| (site.name.as_str(), site)).collect();
    let children = children(scene, index_by_name);
    let people = people(scene, world, bodies, index_by_name);
    let builder = SensorBuilder { world, bodies, index_by_name, sites, children, people };
    let mut built = Vec::with_capacity(scene.sensors.len());
    let mut points = 0;
    for (index, sensor) in scene.sensors.iter().enumerate() {
        let list = At::ROOT.field("sensors");
        let at = list.index(index);
        let unknown = || at.fault(Fault::Conflict("measures something that does not exist".to_string()));
        let gauge = match &sensor.kind {
            Measured::ActuatorForce(of) => actuators.index(&of.actuator).map(Gauge::ActuatorForce),
            kind => builder.gauge(kind),
        };
        let gauge = gauge.ok_or_else(unknown)?;
        if let Gauge::Mean(all) = &gauge {
            points += all.len();
        }
        if points > MAX_POINTS {
            let what = "bodies whose centres of mass are measured";
            return Err(at.fault(Fault::TooMany { what, found: points, limit: MAX_POINTS }));
        }
        built.push((sensor.name.clone(), gauge));
    }
    Ok(Sensors::new(built.into_iter(), actuators.clone()))
}

struct SensorBuilder<'a> {
    world: &'a World,
    bodies: &'a [BuiltBody],
    index_by_name: &'a BTreeMap<&'a str, usize>,
    sites: BTreeMap<&'a str, &'a SiteSpec>,
    /// Children of each body.
    children: Vec<Vec<usize>>,
    /// Indices of the first positions and velocities of all people.
    people: Vec<(usize, usize)>,
}

impl SensorBuilder<'_> {
    fn gauge(&self, kind: &Measured) -> Option<Gauge> {
        let frame = |quantity, of: &OfSite| Some(Gauge::Frame(quantity, self.site(of)?));
        match kind {
            Measured::JointPosition(of) => {
                let (ball, first, _) = self.joint(of)?;
                Some(Gauge::Positions(if ball { first..first + 4 } else { first + of.axis..first + of.axis + 1 }))
            }
            Measured::JointVelocity(of) => {
                let (ball, _, first) = self.joint(of)?;
                Some(Gauge::Velocities(if ball { first..first + 3 } else { first + of.axis..first + of.axis + 1 }))
            }
            Measured::ActuatorForce(_) => None,
            Measured::SitePosition(of) => frame(FrameQuantity::Position, of),
            Measured::SiteOrientation(of) => frame(FrameQuantity::Orientation, of),
            Measured::SiteVelocity(of) => frame(FrameQuantity::Velocity, of),
            Measured::SiteAngularVelocity(of) => frame(FrameQuantity::AngularVelocity, of),
            Measured::Velocimeter(of) => frame(FrameQuantity::OwnVelocity, of),
            Measured::Gyro(of) => frame(FrameQuantity::OwnAngularVelocity, of),
            Measured::Touch(of) => Some(Gauge::Touch(self.bodies[self.index(&of.body)?].colliders.clone())),
            Measured::CenterOfMass(of) => Some(self.center_of_mass(self.index(&of.body)?)),
            Measured::CrowdDensity(of) => Some(self.people_in(PeopleQuantity::Density, of.min, of.max)),
            Measured::CrowdSpeed(of) => Some(self.people_in(PeopleQuantity::Speed, of.min, of.max)),
            Measured::CrowdFlow(of) => {
                let along = of.direction.normalize_or_zero();
                Some(self.people_in(PeopleQuantity::Flow(along), of.min, of.max))
            }
        }
    }

    fn people_in(&self, quantity: PeopleQuantity, min: DVec2, max: DVec2) -> Gauge {
        Gauge::People(PeopleIn { people: self.people.clone(), quantity, min, max })
    }

    fn index(&self, body: &str) -> Option<usize> {
        self.index_by_name.get(body).copied()
    }

    /// Whether the joint is a ball, and the indices of its first position and velocity.
    fn joint(&self, of: &OfJoint) -> Option<(bool, usize, usize)> {
        let link = self.bodies[self.index(&of.joint)?].link?;
        let link = &self.world.model().links()[self.world.index(link)?];
        Some((link.joint == Joint::Spherical, link.q, link.v))
    }

    fn site(&self, of: &OfSite) -> Option<FrameOn> {
        let site = self.sites.get(of.site.as_str())?;
        match &site.body {
            Some(body) => Some(self.frame_on(self.index(body)?, &site.pose())),
            None => Some(FrameOn { link: None, pose: site.pose() }),
        }
    }

    fn frame_on(&self, body: usize, pose: &Pose) -> FrameOn {
        let (link, frame) = self.bodies[body].place();
        FrameOn { link: link.and_then(|link| self.world.index(link)), pose: frame.compose(pose) }
    }

    /// The centre of mass of a body and its descendants; the origin of the body if they have no mass.
    fn center_of_mass(&self, root: usize) -> Gauge {
        let mut by_link: BTreeMap<usize, Vec<MassProperties>> = BTreeMap::new();
        let mut pending = vec![root];
        while let Some(body) = pending.pop() {
            pending.extend_from_slice(&self.children[body]);
            let BuiltBody { link, mass, .. } = &self.bodies[body];
            if let (Some(link), Some(mass)) = (link.and_then(|link| self.world.index(link)), mass) {
                by_link.entry(link).or_default().push(*mass);
            }
        }
        let parts = by_link.into_iter().filter_map(|(link, all)| {
            let all = MassProperties::combined(all.into_iter())?;
            Some(MassPoint { link, point: all.center_of_mass, share: all.mass })
        });
        let mut points: Vec<_> = parts.collect();
        let mass: f64 = points.iter().map(|point| point.share).sum();
        if points.is_empty() {
            return Gauge::Frame(FrameQuantity::Position, self.frame_on(root, &Pose::IDENTITY));
        }
        points.iter_mut().for_each(|point| point.share /= mass);
        Gauge::Mean(points)
    }
}

/// Indices of the first positions and velocities of the people of all crowds: they slide along x, then along y.
fn people(
    scene: &SceneSpec,
    world: &World,
    bodies: &[BuiltBody],
    index_by_name: &BTreeMap<&str, usize>,
) -> Vec<(usize, usize)> {
    let crowds = scene.controllers.iter().filter_map(|controller| match controller {
        ControllerSpec::Crowd(crowd) => Some(crowd),
        _ => None,
    });
    let names = crowds.flat_map(|crowd| &crowd.bodies);
    let links = names.filter_map(|name| world.index(bodies[*index_by_name.get(name.as_str())?].link?));
    links.map(|link| (world.model().links()[link].q, world.model().links()[link].v)).collect()
}

/// Children of each body.
fn children(scene: &SceneSpec, index_by_name: &BTreeMap<&str, usize>) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); scene.bodies.len()];
    for (index, body) in scene.bodies.iter().enumerate() {
        let parent = body.joint.as_ref().and_then(|joint| index_by_name.get(joint.parent.as_deref()?));
        if let Some(&parent) = parent {
            children[parent].push(index);
        }
    }
    children
}
