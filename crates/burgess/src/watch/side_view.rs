//! A world from the side, in braille: each character has 2 x 4 dots, so a terminal is a canvas of some 150 x 80 dots.

use std::sync::Arc;

use burgess_geometry::glam::{DVec2, DVec3};
use burgess_geometry::{Aabb, Pose, Shape};
use burgess_simulation::{Collider, World};

/// Number of characters per line.
const COLUMNS: usize = 76;
/// Largest number of lines.
const MAX_ROWS: usize = 22;
/// Margin around the bodies, as a share of the longest side, so that edges and the ground are in the picture.
const MARGIN: f64 = 0.07;
/// Length of a mark on the ground, in dots.
const MARK_LENGTH: f64 = 3.0;
/// Number of corners of the outline of a round body.
const CORNERS: usize = 32;

/// A shape on a link, or in the world.
#[derive(Debug, Clone)]
struct Outlined {
    link: Option<usize>,
    shape: Arc<Shape>,
    pose: Pose,
}

/// What to draw, and the visible part of the world.
#[derive(Debug, Clone)]
pub struct SideView {
    outlined: Vec<Outlined>,
    /// World direction that points to the right on the canvas.
    right: DVec3,
    /// Lower left corner, in m.
    corner: DVec2,
    /// Dots per metre.
    scale: f64,
    rows: usize,
    /// Link that the view follows, and its first position.
    followed: Option<(usize, DVec3)>,
}

impl SideView {
    /// Creates a view of a world whose links stay in the given box, from the side on which the box is wider. Returns
    /// `None` if the box has no size.
    pub fn new(world: &World, seen: Aabb) -> Option<Self> {
        let outlined = world.colliders().iter();
        let outlined =
            outlined.map(|c| Outlined { link: c.link, shape: c.shape.clone(), pose: c.pose }).collect::<Vec<_>>();
        if !(seen.extents().is_finite() && seen.extents().max_element() > 0.0) {
            return None;
        }
        let size = seen.inflated(MARGIN * seen.extents().max_element()).extents();
        let right = if size.x >= size.y { DVec3::X } else { DVec3::Y };
        let (width, height) = (size.dot(right).max(0.1 * size.z), size.z.max(0.1 * size.dot(right)));
        let across = (2 * COLUMNS) as f64 / width;
        let scale = across.min((4 * MAX_ROWS) as f64 / height);
        let rows = ((height * scale / 4.0).ceil() as usize).clamp(1, MAX_ROWS);
        let middle = seen.center().dot(right);
        let corner = DVec2::new(middle - COLUMNS as f64 / scale, seen.center().z - 2.0 * rows as f64 / scale);
        Some(Self { outlined, right, corner, scale, rows, followed: None })
    }

    /// Follows a link from its pose in `poses`: along the ground, or in all directions if there is no ground. Marks
    /// on the ground are 1 m apart.
    pub fn following(self, link: usize, poses: &[Pose]) -> Self {
        let followed = poses.get(link).map(|pose| (link, pose.translation));
        Self { followed, ..self }
    }

    /// Returns the view at these poses.
    fn moved(&self, poses: &[Pose]) -> Self {
        let Some((link, from)) = self.followed else { return self.clone() };
        let displacement = poses.get(link).map_or(DVec3::ZERO, |pose| pose.translation - from);
        let is_ground = |shape: &Shape| matches!(shape, Shape::HalfSpace(_) | Shape::HeightField(_));
        let up = if self.outlined.iter().any(|outlined| is_ground(&outlined.shape)) { 0.0 } else { displacement.z };
        Self { corner: self.corner + DVec2::new(displacement.dot(self.right), up), ..self.clone() }
    }

    /// Number of lines of a picture.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Draws the links at these poses, as lines of text.
    pub fn draw(&self, poses: &[Pose]) -> String {
        let (mut canvas, view) = (Canvas::new(self.rows), self.moved(poses));
        for outlined in &self.outlined {
            let pose = match outlined.link {
                Some(link) => poses.get(link).map(|pose| pose.compose(&outlined.pose)),
                None => Some(outlined.pose),
            };
            if let Some(pose) = pose {
                view.outline(&mut canvas, &outlined.shape, &pose);
            }
        }
        canvas.text()
    }

    fn outline(&self, canvas: &mut Canvas, shape: &Shape, pose: &Pose) {
        match shape {
            Shape::HalfSpace(_) => self.surface(canvas, pose),
            Shape::Compound(compound) => {
                compound.parts().iter().for_each(|part| self.outline(canvas, part.shape(), &pose.compose(part.pose())))
            }
            Shape::Mesh(mesh) => {
                let parts = mesh.parts().parts().iter();
                parts.for_each(|part| self.outline(canvas, part.shape(), &pose.compose(part.pose())));
            }
            Shape::HeightField(_) => {
                let aabb = shape.aabb(pose);
                self.line(canvas, DVec3::new(aabb.min.x, aabb.min.y, aabb.max.z), aabb.max);
            }
            _ => {
                let corner = |index: usize| {
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * index as f64 / CORNERS as f64);
                    let direction = cos * self.right + sin * DVec3::Z;
                    let found = shape.support(pose.inverse_transform_vector(direction));
                    pose.transform_point(found.unwrap_or_default())
                };
                (0..CORNERS).for_each(|index| self.line(canvas, corner(index), corner((index + 1) % CORNERS)));
            }
        }
    }

    /// Draws the line where a half-space cuts the picture.
    fn surface(&self, canvas: &mut Canvas, pose: &Pose) {
        let normal = pose.transform_vector(DVec3::Z);
        let along = self.right * normal.z - DVec3::Z * normal.dot(self.right);
        let Some(along) = along.try_normalize() else { return };
        let far = (COLUMNS + 2 * self.rows) as f64 * 4.0 / self.scale;
        let middle = self.right * (self.corner.x + COLUMNS as f64 / self.scale);
        let start = middle + along * (pose.translation - middle).dot(along);
        let base = start + normal * (pose.translation - start).dot(normal);
        self.line(canvas, base - far * along, base + far * along);
        if self.followed.is_some() {
            let first = self.corner.x.ceil();
            let width = 2.0 * COLUMNS as f64 / self.scale;
            for mark in (0..).map(|mark| first + f64::from(mark)).take_while(|mark| mark - self.corner.x < width) {
                let top = self.right * mark + DVec3::Z * base.z;
                self.line(canvas, top, top - DVec3::Z * (MARK_LENGTH / self.scale));
            }
        }
    }

    fn line(&self, canvas: &mut Canvas, from: DVec3, to: DVec3) {
        let dot = |point: DVec3| (DVec2::new(point.dot(self.right), point.z) - self.corner) * self.scale;
        canvas.line(dot(from), dot(to));
    }
}

/// Box around all bounded shapes with the links at these poses; empty and not finite if there is none.
pub fn bounds(world: &World, poses: &[Pose]) -> Aabb {
    bounds_of(world.colliders(), poses)
}

/// Box around all moving bounded shapes.
pub fn bounds_of_moving(world: &World, poses: &[Pose]) -> Aabb {
    bounds_of(world.colliders().iter().filter(|collider| collider.link.is_some()), poses)
}

fn bounds_of<'a>(colliders: impl IntoIterator<Item = &'a Collider>, poses: &[Pose]) -> Aabb {
    let mut all = Aabb::from_points([]);
    for collider in colliders {
        let pose = collider.link.and_then(|link| poses.get(link)).map_or(collider.pose, |p| p.compose(&collider.pose));
        let own = collider.shape.aabb(&pose);
        if own.min.is_finite() && own.max.is_finite() {
            all = all.union(&own);
        }
    }
    all
}

/// Dots, row by row from the bottom.
struct Canvas {
    dots: Vec<bool>,
    rows: usize,
}

impl Canvas {
    fn new(rows: usize) -> Self {
        Self { dots: vec![false; 2 * COLUMNS * 4 * rows], rows }
    }

    fn line(&mut self, from: DVec2, to: DVec2) {
        if !(from.is_finite() && to.is_finite()) {
            return;
        }
        // Half a dot at a time leaves no gaps, except far outside the canvas.
        let pieces = (2.0 * (to - from).abs().max_element()).clamp(1.0, 4000.0) as usize;
        for piece in 0..=pieces {
            let point = from + (to - from) * (piece as f64 / pieces as f64);
            let inside = point.x >= 0.0 && point.y >= 0.0;
            let (x, y) = (point.x as usize, point.y as usize);
            if inside && x < 2 * COLUMNS && y < 4 * self.rows {
                self.dots[y * 2 * COLUMNS + x] = true;
            }
        }
    }

    fn text(&self) -> String {
        // Bits of braille characters, by column and by row from the top.
        const BITS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let mut text = String::new();
        for row in 0..self.rows {
            let mut line = String::new();
            for column in 0..COLUMNS {
                let mut letter = 0x2800;
                for (x, bits) in BITS.iter().enumerate() {
                    for (y, bit) in bits.iter().enumerate() {
                        let height = 4 * (self.rows - row) - 1 - y;
                        if self.dots[height * 2 * COLUMNS + 2 * column + x] {
                            letter |= bit;
                        }
                    }
                }
                line.push(if letter == 0x2800 { ' ' } else { char::from_u32(letter).unwrap_or(' ') });
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}
