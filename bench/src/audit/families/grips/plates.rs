//! Boxes that a plate of prescribed motion pushes. A plate that accelerates with a, or turns with r w^2 = a, presses with
//! m a, so friction mu m a carries the weight m g, or the box falls with g - mu a. A second plate on the other side
//! may press as well: then more friction is available, and how much is not known.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::ScriptedMotion;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Cuboid;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Script, SteadyMotion, WorldBuilder};
use glam::{DQuat, DVec3};

use super::{HOLDS, outcome};
use crate::case::{Case, GRAVITY};
use crate::law::{Bound, Law, largest, place};
use crate::random::Random;

/// Times for which boxes are held and for which they fall, in s.
const SECONDS: (f64, f64) = (2.0, 0.6);

/// Motion along a line with a constant acceleration from rest.
#[derive(Debug, Clone, Copy)]
struct Accelerated {
    start: Pose,
    /// Acceleration, in m/s^2.
    acceleration: DVec3,
}

impl Script for Accelerated {
    fn motion(&self, time: f64) -> ScriptedMotion {
        let moved = 0.5 * time * time * self.acceleration;
        ScriptedMotion {
            pose: Pose::new(self.start.rotation, self.start.translation + moved),
            velocity: Motion::new(DVec3::ZERO, self.acceleration * time),
            acceleration: Motion::new(DVec3::ZERO, self.acceleration),
        }
    }
}

/// A box in front of a plate: half its extents in m, its friction, and the acceleration of the plate in m/s^2.
struct Pushed {
    half: DVec3,
    friction: f64,
    acceleration: f64,
}

impl Pushed {
    fn draw(random: &mut Random, share: f64) -> Self {
        let friction = random.between(0.3, 1.2);
        let thick = random.magnitude(0.02, 0.1);
        // Friction acts on the face and turns the box; the pressure moves down by mu times half the thickness.
        let tall = thick * (1.5 * friction).max(random.between(0.7, 1.5));
        let half = DVec3::new(thick, thick * random.between(0.5, 1.5), tall);
        Self { half, friction, acceleration: share * GRAVITY / friction }
    }

    fn builder(&self) -> WorldBuilder {
        let mut builder = WorldBuilder::new();
        builder.default_material(Material { friction: self.friction, ..Material::default() });
        builder
    }

    fn plate(&self) -> Result<ColliderSpec> {
        Ok(ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(0.05, 2.0 * self.half.y, 1.0))?)))
    }

    fn collider(&self, density: f64) -> Result<ColliderSpec> {
        Ok(ColliderSpec::new(Shape::Cuboid(Cuboid::new(self.half)?)).with_density(density))
    }

    fn size(&self) -> f64 {
        2.0 * self.half.min_element()
    }
}

/// A plate that accelerates along a line, and sometimes a second one in front of the box.
pub fn accelerated(random: &mut Random, share: f64) -> Result<Case> {
    let pushed = Pushed::draw(random, share);
    let mut builder = pushed.builder();
    let acceleration = DVec3::X * pushed.acceleration;
    let script = |x: f64| Arc::new(Accelerated { start: Pose::from_translation(DVec3::X * x), acceleration });
    builder.scripted("plate", script(-0.05 - pushed.half.x), [pushed.plate()?]);
    let is_double = share > 1.0 && random.chance(0.5);
    if is_double {
        builder.scripted("plate", script(0.05 + pushed.half.x), [pushed.plate()?]);
    }
    let body =
        builder.link("box", None, burgess_dynamics::JointSpec::free(), None, [pushed.collider(random.density())?])?;
    builder.set_pose(body, Pose::IDENTITY);
    let plates = if is_double { "two plates accelerate" } else { "a plate accelerates" };
    let case = Case::driven(format!("{plates}, box {}", outcome(share)), builder, pushed.size())?;
    let pose = move |time: f64| Pose::from_translation(0.5 * time * time * acceleration);
    Ok(with_slip(case, body, pose, share))
}

/// A plate of a drum that turns about a vertical axis.
pub fn turning(random: &mut Random, share: f64) -> Result<Case> {
    let pushed = Pushed::draw(random, share);
    let mut builder = pushed.builder();
    let radius = pushed.half.x * random.magnitude(5.0, 30.0);
    let rate = (pushed.acceleration / radius).sqrt() * if random.chance(0.5) { 1.0 } else { -1.0 };
    let angular = DVec3::Z * rate;
    let drum = SteadyMotion { start: Pose::IDENTITY, linear: DVec3::ZERO, angular };
    let plate = pushed.plate()?.at(Pose::from_translation(DVec3::X * (radius + pushed.half.x + 0.05)));
    builder.scripted("drum", Arc::new(drum), [plate]);
    let body =
        builder.link("box", None, burgess_dynamics::JointSpec::free(), None, [pushed.collider(random.density())?])?;
    builder.set_pose(body, Pose::from_translation(DVec3::X * radius));
    builder.set_velocity(body, Motion::new(angular, angular.cross(DVec3::X * radius)));
    let what = format!("drum of {radius:.2} m turns with {rate:.1} rad/s, box {}", outcome(share));
    let case = Case::driven(what, builder, pushed.size())?;
    let pose = move |time: f64| {
        let turn = DQuat::from_scaled_axis(angular * time);
        Pose::new(turn, turn * DVec3::X * radius)
    };
    Ok(with_slip(case, body, pose, share))
}

/// Adds the law about slip: the distance along the plate (whose normal is the x axis of `pose`) from where the box should
/// be. The distance across the plate is a matter of gaps and depths.
fn with_slip(
    case: Case,
    body: burgess_dynamics::LinkId,
    pose: impl Fn(f64) -> Pose + Send + Sync + 'static,
    share: f64,
) -> Case {
    let (link, size) = (case.index(body), case.size);
    let fall = if share > 1.0 { 0.0 } else { GRAVITY * (1.0 - share) };
    let error = move |simulation: &burgess_simulation::Simulation| {
        let time = simulation.state().time;
        let (pose, fallen) = (pose(time), 0.5 * fall * time * time);
        let across = pose.rotation * DVec3::X;
        let points = [DVec3::ZERO, DVec3::Y * 0.5 * size, DVec3::Z * 0.5 * size];
        let errors = points.iter().map(|point| {
            let exact = pose.transform_point(*point) - DVec3::Z * fallen;
            (place(simulation, (link, *point)) - exact).reject_from(across).length() / (size + fallen)
        });
        Some(largest(errors))
    };
    if share > 1.0 {
        case.with_law(Law::of_state("holds", Bound::fixed(HOLDS), error)).until(SECONDS.0)
    } else {
        case.with_law(Law::of_state("motion", Bound::of_motion(), error)).until(SECONDS.1)
    }
}
