//! Impacts whose outcome symmetry or closed forms determine: balls that hit another from both sides, bodies that fall
//! flat, a ball between walls, two bodies and a wall, and pairs of mirrored worlds.

mod counted;
mod flat;
mod mirrored;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::DVec3;

use crate::case::{Case, Energy};
use crate::law::Law;
use crate::random::Random;

/// Draws a world.
pub fn draw(random: &mut Random) -> Result<Case> {
    match random.below(6) {
        0 => triple(random),
        1 => flat::draw(random),
        2 => counted::walls(random),
        3 => counted::billiard(random),
        _ => mirrored::draw(random),
    }
}

/// Creates a world without gravity and friction.
fn weightless(restitution: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.default_material(Material { friction: 0.0, restitution, ..Material::default() });
    builder
}

fn energy(restitution: f64) -> Energy {
    if restitution == 1.0 { Energy::Conserved } else { Energy::Dissipated }
}

/// Returns the restitution: one half of the worlds are elastic.
fn restitution(random: &mut Random) -> f64 {
    if random.chance(0.5) { 1.0 } else { random.between(0.0, 1.0) }
}

/// Two equal balls that hit one between them at the same time from both sides. It stays where it is, and they
/// return with their velocity times the restitution.
fn triple(random: &mut Random) -> Result<Case> {
    let restitution = restitution(random);
    let mut builder = weightless(restitution);
    let (outer, inner) = (random.magnitude(0.05, 0.3), random.magnitude(0.05, 0.3));
    let along = random.direction();
    let (speed, gap) = (random.between(0.5, 5.0), random.between(0.05, 1.0));
    let densities = [random.density(), random.density()];
    let ball = |radius: f64, density: f64| -> Result<ColliderSpec> {
        Ok(ColliderSpec::new(Shape::Sphere(Sphere::new(radius)?)).with_density(density))
    };
    let mut links = vec![builder.body("middle", Pose::IDENTITY, [ball(inner, densities[0])?])?];
    let mut mass = 0.0;
    for side in [-1.0, 1.0] {
        let place = side * (outer + inner + gap) * along;
        let collider = ball(outer, densities[1])?;
        mass += collider.shape.mass_properties(densities[1])?.mass;
        let link = builder.body("outer", Pose::from_translation(place), [collider])?;
        builder.set_velocity(link, Motion::new(DVec3::ZERO, -side * speed * along));
        links.push(link);
    }
    let what = format!("two balls hit one between them, restitution {restitution:.2}");
    let case = Case::dissipative(what, builder, 0.5 * mass * speed * speed, outer.min(inner))?;
    let case = Case { energy: energy(restitution), floats: true, ..case };
    let points = links.iter().map(|&link| (case.index(link), DVec3::ZERO)).collect();
    let course = move |time: f64| {
        let moved = time * speed - gap;
        let distance = outer + inner + if moved < 0.0 { -moved } else { restitution * moved };
        Some(vec![DVec3::ZERO, -distance * along, distance * along])
    };
    let size = case.size;
    Ok(case.with_law(Law::course(points, size, course)).until(5.0))
}
