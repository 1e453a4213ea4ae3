//! Compares the drawn areas with ray casting.

use burgess_geometry::shape::{Cuboid, Sphere};
use burgess_geometry::{Pose, Shape};
use glam::{DQuat, DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

/// Parses the loops of dots of path data.
fn loops(data: &str) -> Vec<Vec<DVec2>> {
    let mut loops = Vec::new();
    for part in data.split('z').filter(|part| !part.is_empty()) {
        let spaced = part.replace('-', " -").replace(['M', 'l'], " ");
        let numbers: Vec<f64> = spaced.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let mut at = DVec2::ZERO;
        loops.push(
            numbers
                .chunks(2)
                .map(|step| {
                    at += DVec2::new(step[0], step[1]);
                    at
                })
                .collect(),
        );
    }
    loops
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_once(&format!(" {name}=\""))?.1.split_once('"').map(|(value, _)| value)
}

/// Returns the winding number of a loop about a point, and the distance to its border.
fn winding(border: &[DVec2], place: DVec2) -> (i32, f64) {
    let (mut turns, mut nearest) = (0, f64::INFINITY);
    for (index, &a) in border.iter().enumerate() {
        let b = border[(index + 1) % border.len()];
        let share = ((place - a).dot(b - a) / (b - a).length_squared().max(1e-9)).clamp(0.0, 1.0);
        nearest = nearest.min(place.distance(a + share * (b - a)));
        let side = (b - a).perp_dot(place - a);
        if a.y <= place.y && b.y > place.y && side > 0.0 {
            turns += 1;
        } else if a.y > place.y && b.y <= place.y && side < 0.0 {
            turns -= 1;
        }
    }
    (turns, nearest)
}

/// Returns the ray parameter at which a ray from the eye enters a shape.
fn entry(shape: &Shape, pose: &Pose, eye: DVec3, ray: DVec3) -> Option<f64> {
    let (o, d) = (pose.inverse_transform_point(eye), pose.inverse_transform_vector(ray));
    match shape {
        Shape::Sphere(ball) => {
            let (a, b, c) = (d.dot(d), o.dot(d), o.dot(o) - ball.radius * ball.radius);
            let root = b * b - a * c;
            (root > 0.0).then(|| (-b - root.sqrt()) / a)
        }
        Shape::Cuboid(cuboid) => {
            let (p, q) = ((-cuboid.half_extents - o) / d, (cuboid.half_extents - o) / d);
            let (enter, leave) = (p.min(q).max_element(), p.max(q).min_element());
            (enter < leave).then_some(enter)
        }
        _ => None,
    }
}

/// With overlapping boxes and spheres, the body that is drawn at each point of the picture is the first one on the ray.
#[test]
fn the_nearest_body_is_drawn_at_every_point() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let mut checked = 0;
    for _ in 0..6 {
        let mut vector = |scale: f64| DVec3::from_array([0; 3].map(|_| random.random_range(-scale..scale)));
        let bodies: Vec<(Shape, Pose)> = (0..14)
            .map(|index| {
                let pose = Pose::new(DQuat::from_scaled_axis(vector(3.0)), vector(1.6));
                let size = vector(0.5).abs() + 0.25;
                let shape = match index % 3 {
                    0 => Shape::Sphere(Sphere::new(size.x).unwrap()),
                    _ => Shape::Cuboid(Cuboid::new(size).unwrap()),
                };
                (shape, pose)
            })
            .collect();
        let mut picture = Picture::new(PictureOptions { width: 400, height: 400, ..Default::default() }).unwrap();
        bodies.iter().for_each(|(shape, pose)| picture.add_body(shape, pose, None));
        let camera = picture.camera().unwrap();
        let (light, mut gradients, mut hiders) = (Light::new(&camera), Gradients::default(), Hiders::default());
        let subject = |(owner, (shape, pose)): (usize, &(Shape, Pose))| {
            let solid = Solid::new(shape, pose, &camera);
            Subject { owner, ..Subject::new(solid, DVec3::ONE) }
        };
        let all: Vec<Subject> = bodies.iter().enumerate().map(subject).collect();
        all.iter().for_each(|subject| hiders.add_solid(&subject.solid, subject.owner, &camera));
        let mut areas: Vec<Vec<Vec<DVec2>>> = Vec::new();
        for subject in &all {
            let drawing = subject.draw(&hiders, &camera, &light, &mut gradients).concat();
            let filled = drawing.lines().filter(|line| attribute(line, "fill").is_some());
            areas.push(filled.flat_map(|line| loops(attribute(line, "d").unwrap())).collect());
        }
        for _ in 0..2000 {
            let place = DVec2::new(random.random_range(0.0..4000.0), random.random_range(0.0..4000.0));
            let aside = (place - 0.5 * camera.size) / camera.dots(1.0, camera.eye - camera.back);
            let ray = aside.x * camera.right - aside.y * camera.up - camera.back;
            let seen: Vec<(i32, f64)> = areas
                .iter()
                .map(|area| {
                    let windings = area.iter().map(|border| winding(border, place));
                    windings.fold((0, f64::INFINITY), |(sum, near), (turns, own)| (sum + turns, near.min(own)))
                })
                .collect();
            // Facets are up to a pixel inside a large sphere, and borders are rounded to dots.
            if seen.iter().any(|(_, near)| *near < 12.0) {
                continue;
            }
            let entries = bodies
                .iter()
                .enumerate()
                .filter_map(|(index, (shape, pose))| entry(shape, pose, camera.eye, ray).map(|at| (index, at)));
            let first = entries.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index);
            let drawn: Vec<usize> = (0..seen.len()).filter(|&index| seen[index].0 != 0).collect();
            assert_eq!(drawn, first.into_iter().collect::<Vec<_>>(), "at {place}");
            checked += 1;
        }
    }
    assert!(checked > 6000, "{checked}");
}
