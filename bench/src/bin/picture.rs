//! Draws a moment of `bounce` as an SVG file: the bodies in their world, and black lines between the closest points of
//! the pairs whose boxes overlap (compare 000 figure 2.10). Started by `bench/picture`.
//!
//! Everything is cut into convex pieces, which are painted from back to front. Of two convex pieces, the plane between
//! their closest points tells which may hide the other; so the narrow phase sorts its own picture.

use anyhow::{Context, Result, bail};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, Proximity, closest};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Polyhedron, Pose, Shape};
use burgess_scene::bounce::{BounceConfig, BounceWorld};
use glam::dcamera::rh::view::look_at_mat4;
use glam::{DMat4, DQuat, DVec2, DVec3};

/// Side of the world: more crowded than by default, so that many bodies are near each other.
const SIDE: f64 = 7.0;
/// Seed and number of steps of a moment with all kinds of bodies and many near pairs, none of which penetrates.
const MOMENT: (u64, u64) = (127, 100);

/// Size of the picture in pixels.
const SIZE: DVec2 = DVec2::new(660.0, 610.0);
/// Where the camera stands.
const EYE: DVec3 = DVec3::new(7.5, -20.0, 6.0);
/// What it looks at.
const TARGET: DVec3 = DVec3::new(-0.35, -0.15, -0.65);
/// Pixels per unit of slope.
const FOCAL_LENGTH: f64 = 1320.0;
/// Towards the light.
const LIGHT: DVec3 = DVec3::new(-0.42, -0.52, 0.74);
/// Faces that meet at a smaller cosine have a line between them.
const CREASE: f64 = 0.6;
/// What far things fade into.
const HAZE: DVec3 = DVec3::new(232.0, 236.0, 242.0);

fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("usage: picture FILE.svg")?;
    let (seed, steps) = MOMENT;
    let mut world = BounceWorld::new(BounceConfig { objects: 27, world: SIDE, seed, ..BounceConfig::default() })?;
    for _ in 0..steps {
        world.step()?;
    }
    std::fs::write(&path, draw(&world)?).with_context(|| format!("cannot write {path}"))
}

/// The whole file, layer by layer.
fn draw(world: &BounceWorld) -> Result<String> {
    let camera = Camera(look_at_mat4(EYE, TARGET, DVec3::Z));
    let bodies: Vec<(&Shape, &Pose)> = world.bodies().collect();
    let (mut pieces, mut shadows) = (Vec::new(), String::new());
    for &(shape, pose) in &bodies {
        let body = DrawnBody::new(shape, pose)?;
        body.add_pieces(&camera, &mut pieces);
        body.add_shadow(&camera, &mut shadows);
    }
    for pair in world.broad_phase().pairs() {
        let ((a, pose_a), (b, pose_b)) = (bodies[pair.a.index()], bodies[pair.b.index()]);
        if let Some(proximity) = distance(a, pose_a, b, pose_b).filter(|found| found.distance > 0.0) {
            pieces.push(Piece::line(proximity.point_a, proximity.point_b, &camera)?);
        }
    }
    let (back, front) = room(&camera)?;

    let DVec2 { x: width, y: height } = SIZE;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>The bounce program: bodies in a box, with lines between the closest points of near pairs</title>
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#f8f9fb"/><stop offset="1" stop-color="#dde2ea"/></linearGradient>
<filter id="soft"><feGaussianBlur stdDeviation="3"/></filter>
</defs>
<rect width="100%" height="100%" rx="18" fill="url(#sky)" stroke="#c3cad6" stroke-width="2"/>
<g stroke-linecap="round" stroke-linejoin="round">
"##
    );
    svg += &format!("{back}<g fill=\"#28344a\" opacity=\".17\" filter=\"url(#soft)\">\n{shadows}</g>\n");
    // Every face has a rim of its own colour, so that nothing shines through between neighbours.
    svg += "<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\".6\">\n";
    svg += &paint(pieces);
    Ok(svg + "</g>\n" + &front + "</g>\n</svg>\n")
}

/// A perspective view: the world as the camera sees it, with x to the right, y up and z towards the camera.
struct Camera(DMat4);

impl Camera {
    fn depth(&self, point: DVec3) -> f64 {
        -self.0.transform_point3(point).z
    }

    /// In pixels, from the upper left.
    fn project(&self, point: DVec3) -> DVec2 {
        let seen = self.0.transform_point3(point);
        0.5 * SIZE + FOCAL_LENGTH / seen.z * DVec2::new(-seen.x, seen.y)
    }

    /// The points joined by lines, as data of a path.
    fn trace(&self, points: impl IntoIterator<Item = DVec3>) -> String {
        let places = points.into_iter().map(|point| self.project(point));
        let places: Vec<String> = places.map(|place| format!("{:.1},{:.1}", place.x, place.y)).collect();
        format!("M{}", places.join("L"))
    }

    /// A colour under the light and through the haze.
    fn shade(&self, colour: DVec3, normal: DVec3, at: DVec3) -> String {
        let lit = colour * (0.72 + 0.4 * normal.dot(LIGHT.normalize()));
        let far = ((self.depth(at) - EYE.length()) / 16.0 + 0.2).clamp(0.0, 0.5);
        let rgb = lit.lerp(HAZE, far).clamp(DVec3::ZERO, DVec3::splat(255.0)).round();
        format!("#{:02x}{:02x}{:02x}", rgb.x as u8, rgb.y as u8, rgb.z as u8)
    }
}

/// A face on the outside of a body, in world coordinates.
struct Facet {
    part: usize,
    normal: DVec3,
    corners: Vec<DVec3>,
}

impl Facet {
    fn middle(&self) -> DVec3 {
        self.corners.iter().sum::<DVec3>() / self.corners.len() as f64
    }

    fn faces(&self, eye: DVec3) -> bool {
        self.normal.dot(eye - self.corners[0]) > 0.0
    }

    fn sides(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        self.corners.iter().copied().zip(self.corners.iter().copied().cycle().skip(1))
    }
}

/// A body taken apart.
struct DrawnBody {
    parts: Vec<(Shape, Pose)>,
    facets: Vec<Facet>,
    colour: DVec3,
}

impl DrawnBody {
    fn new(shape: &Shape, pose: &Pose) -> Result<Self> {
        let parts: Vec<(Shape, Pose)> = match shape {
            Shape::Polyhedron(_) => vec![(shape.clone(), *pose)],
            Shape::Compound(all) => all.parts().iter().map(|p| (p.shape().clone(), pose.compose(p.pose()))).collect(),
            other => bail!("cannot draw a {}", other.kind()),
        };
        let (mut facets, mut colour) = (Vec::new(), DVec3::ZERO);
        for (part, (shape, pose)) in parts.iter().enumerate() {
            let Shape::Polyhedron(polyhedron) = shape else { bail!("cannot draw a {}", shape.kind()) };
            colour = colour_of_kind(polyhedron.vertices().len(), parts.len() > 1);
            for (face, index) in polyhedron.faces().iter().zip(0..) {
                let corner = |vertex: u32| pose.transform_point(polyhedron.vertices()[vertex as usize]);
                let corners = polyhedron.sides(index).iter().map(|side| corner(side.vertex)).collect();
                facets.push(Facet { part, normal: pose.transform_vector(face.plane.normal), corners });
            }
        }
        // Where two parts touch is inside.
        let middles: Vec<DVec3> = facets.iter().map(Facet::middle).collect();
        let mut copies = middles.iter().map(|&m| middles.iter().filter(|&&other| near(m, other)).count());
        facets.retain(|_| copies.next() == Some(1));
        Ok(Self { parts, facets, colour })
    }

    /// One piece for each convex part: its faces, then its lines.
    fn add_pieces(&self, camera: &Camera, pieces: &mut Vec<Piece>) {
        for (index, (shape, pose)) in self.parts.iter().enumerate() {
            let (mut drawing, mut lines) = (String::new(), String::new());
            for facet in self.facets.iter().filter(|facet| facet.part == index && facet.faces(EYE)) {
                let colour = camera.shade(self.colour, facet.normal, facet.middle());
                let data = camera.trace(facet.corners.iter().copied());
                drawing += &format!("<path color=\"{colour}\" d=\"{data}z\"/>\n");
                for (tail, head) in facet.sides().filter(|&side| self.has_line(facet, side)) {
                    lines += &camera.trace([tail, head]);
                }
            }
            if !lines.is_empty() {
                let colour = camera.shade(0.52 * self.colour, DVec3::ZERO, pose.translation);
                drawing += &format!("<path fill=\"none\" stroke=\"{colour}\" stroke-width=\".9\" d=\"{lines}\"/>\n");
            }
            let points: Vec<DVec3> =
                self.facets.iter().filter(|f| f.part == index).flat_map(|f| f.corners.iter().copied()).collect();
            pieces.push(Piece::new(shape.clone(), *pose, &points, drawing, camera));
        }
    }

    /// Is there a line on this side of a facet: the outline of the body, or a sharp edge?
    fn has_line(&self, facet: &Facet, (tail, head): (DVec3, DVec3)) -> bool {
        let same = |(a, b)| near(a, head) && near(b, tail);
        let across = self.facets.iter().find(|other| other.sides().any(same));
        across.is_none_or(|other| !other.faces(EYE) || other.normal.dot(facet.normal) < CREASE)
    }

    /// The shadow on the floor under a light from above.
    fn add_shadow(&self, camera: &Camera, shadows: &mut String) {
        let corner = DVec3::splat(0.5 * SIDE);
        let onto_floor = |p: &DVec3| p.with_z(-corner.z).clamp(-corner, corner);
        let above = self.facets.iter().filter(|facet| facet.normal.z > 0.0);
        let data: String = above.map(|facet| camera.trace(facet.corners.iter().map(onto_floor)) + "z").collect();
        *shadows += &format!("<path d=\"{data}\"/>\n");
    }
}

/// Closer than bodies are large, farther than rounding.
fn near(a: DVec3, b: DVec3) -> bool {
    a.distance_squared(b) < 1e-16
}

/// The kinds of bodies are told apart by the vertices of their parts.
fn colour_of_kind(vertices: usize, compound: bool) -> DVec3 {
    let [r, g, b] = match (vertices, compound) {
        (5, _) => [250, 204, 84],      // pyramid: amber
        (8, false) => [226, 84, 84],   // cube: vermilion
        (8, true) => [72, 178, 160],   // tube: sea green
        (16, true) => [150, 116, 212], // torus: violet
        (17, _) => [240, 140, 72],     // cone: orange
        _ => [84, 146, 222],           // ball: blue
    };
    DVec3::new(f64::from(r), f64::from(g), f64::from(b))
}

/// Something convex, drawn.
struct Piece {
    shape: Shape,
    pose: Pose,
    depth: f64,
    /// Corners of the rectangle around it in the picture.
    least: DVec2,
    most: DVec2,
    drawing: String,
}

impl Piece {
    fn new(shape: Shape, pose: Pose, points: &[DVec3], drawing: String, camera: &Camera) -> Self {
        let seen = points.iter().map(|&p| camera.project(p));
        let least = seen.clone().fold(DVec2::INFINITY, DVec2::min);
        let most = seen.fold(DVec2::NEG_INFINITY, DVec2::max);
        let depth = camera.depth(points.iter().sum::<DVec3>() / points.len() as f64);
        Self { shape, pose, depth, least, most, drawing }
    }

    /// A line between two closest points. It is sorted as a thin capsule that just does not touch the bodies.
    fn line(from: DVec3, to: DVec3, camera: &Camera) -> Result<Self> {
        let along = to - from;
        let shape = Shape::Capsule(Capsule::new(1e-4 * along.length(), 0.49 * along.length())?);
        let pose = Pose::new(DQuat::from_rotation_arc(DVec3::Z, along.normalize()), from + 0.5 * along);
        // A line of no length is a dot.
        let (line, dots) = (camera.trace([from, to]), camera.trace([from, from]) + &camera.trace([to, to]));
        let drawing = format!(
            "<path color=\"#000\" stroke-width=\"1.6\" d=\"{line}\"/>\n\
             <path color=\"#000\" stroke-width=\"5.4\" d=\"{dots}\"/>\n"
        );
        Ok(Self::new(shape, pose, &[from, to], drawing, camera))
    }

    /// May this one hide some of the other?
    fn hides(&self, other: &Self) -> bool {
        let overlap = self.least.cmple(other.most).all() && other.least.cmple(self.most).all();
        let found = if overlap { distance(&self.shape, &self.pose, &other.shape, &other.pose) } else { None };
        // Seen from its own side of the plane at its closest point, it is before the other, never behind.
        found.is_some_and(|p| p.distance > -1e-6 && p.normal.dot(EYE - p.point_a) < 0.0)
    }
}

/// Paints all pieces: always the farthest of those that hide no piece still to be painted.
fn paint(mut pieces: Vec<Piece>) -> String {
    pieces.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    let hides: Vec<Vec<bool>> = pieces.iter().map(|a| pieces.iter().map(|b| a.hides(b)).collect()).collect();
    let mut waiting: Vec<usize> = (0..pieces.len()).collect();
    let mut painting = String::new();
    while !waiting.is_empty() {
        let free = waiting.iter().position(|&a| waiting.iter().all(|&b| a == b || !hides[a][b]));
        // Pieces that hide each other in a circle have no order; then depth decides.
        painting += &pieces[waiting.remove(free.unwrap_or(0))].drawing;
    }
    painting
}

/// The closest points in world coordinates.
fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<Proximity> {
    let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
    closest(a, pose_a, b, pose_b, &mut cache, &mut scratch).map(|found| found.proximity)
}

/// The walls and edges of the world behind the bodies, and the edges before them.
fn room(camera: &Camera) -> Result<(String, String)> {
    let cube = Polyhedron::cuboid(DVec3::splat(0.5 * SIDE))?;
    let seen = |face: u32| cube.faces()[face as usize].plane.distance(EYE) > 0.0;
    let (mut back, mut front) = (String::new(), String::new());
    for face in (0..6).filter(|&face| !seen(face)) {
        let corners = cube.sides(face).iter().map(|side| cube.vertices()[side.vertex as usize]);
        back += &format!("<path fill=\"#fff\" opacity=\".5\" d=\"{}z\"/>\n", camera.trace(corners));
    }
    for (edge, index) in cube.edges().iter().zip(0..) {
        let (tail, head) = cube.edge_points(index);
        let layer = if seen(edge.left) && seen(edge.right) { &mut front } else { &mut back };
        *layer += &format!("<path stroke=\"#6c7a92\" stroke-width=\"1.2\" d=\"{}\"/>\n", camera.trace([tail, head]));
    }
    Ok((back, front))
}
