//! Draws pictures of bodies as SVG for documents. The output is deterministic, has a few kilobytes and needs no
//! graphics card.
//!
//! Shapes are divided into flat facets, and only the visible part of each facet is drawn, so pictures are also correct
//! for overlapping bodies, such as limbs in a trunk. The camera is placed so that everything is visible.
//!
//! ```text
//!   shapes -> Framing -> Camera                       camera.rs
//!          -> Solid: facets in patches                solid.rs
//!          -> Hiders: convex sets of hidden points    hiding.rs, polygon.rs
//!          -> Subject: the visible part of a body     surface.rs
//!          -> Region, Lines: integers, no seams       region.rs
//!          -> Gradients, colours                      shading.rs, light.rs
//!   half-spaces -> Ground: grid, shadows              ground.rs
//! ```
//!
//! Limits: shadows fall only on level half-spaces; there is no transparency and no reflection.
//!
//! ```
//! use burgess_geometry::{Pose, Shape, shape::{HalfSpace, Sphere}};
//! use burgess_pictures::{Picture, PictureOptions};
//! use glam::DVec3;
//!
//! let (ground, ball) = (Shape::HalfSpace(HalfSpace), Shape::Sphere(Sphere::new(0.5).unwrap()));
//! let mut picture = Picture::new(PictureOptions { title: "A ball".to_string(), ..Default::default() }).unwrap();
//! picture.add_scenery(&ground, &Pose::IDENTITY, None);
//! picture.add_body(&ball, &Pose::from_translation(0.5 * DVec3::Z), Some(DVec3::new(0.9, 0.5, 0.3)));
//! assert!(picture.svg().unwrap().starts_with("<svg"));
//! ```
//!
//! [`SceneBodies`] draws scenes and recordings, [`Plot`] draws curves, [`ContactSheet`] places pictures in a grid.

mod camera;
mod contact_sheet;
mod error;
mod ground;
mod hiding;
mod light;
mod matrix;
mod plot;
mod polygon;
mod region;
mod room;
mod scene_bodies;
mod shading;
mod solid;
mod surface;
mod svg;
#[cfg(test)]
mod tests;

use burgess_geometry::{Aabb, Pose, Shape};
use glam::{DVec2, DVec3};

use self::camera::{Camera, Framing};
use self::ground::Ground;
use self::hiding::{Hider, Hiders};
use self::light::Light;
use self::shading::Gradients;
use self::solid::Solid;
use self::surface::Subject;
use self::svg::Page;

pub use contact_sheet::ContactSheet;
pub use error::PictureError;
pub use light::default_color;
pub use matrix::ScoreMatrix;
pub use plot::{Axis, Plot, Series};
pub use scene_bodies::{SceneBodies, draw_recording};

/// Minimum width and height of a picture, in pixels.
const MIN_SIDE: u32 = 64;
/// Maximum width and height of a picture, in pixels.
const MAX_SIDE: u32 = 4096;
/// Maximum number of facets of a picture.
const MAX_FACETS: usize = 200_000;
/// Empty margin, relative to the size of the picture.
const MARGIN: f64 = 0.07;
/// Scenery larger than this factor times the size of all bodies is only partly framed.
const MAX_FRAMED_SCENERY: f64 = 8.0;
/// Margin around the bodies within which large scenery is framed, relative to their size.
const SCENERY_MARGIN: f64 = 0.5;
/// Opacity of the oldest moment.
const OLDEST_OPACITY: f64 = 0.2;
/// Opacity of the last moment but one.
const SECOND_OPACITY: f64 = 0.7;
/// Default direction from the bodies to the camera.
const DEFAULT_DIRECTION: DVec3 = DVec3::new(0.62, -1.0, 0.5);

/// Options of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureOptions {
    /// Width, in pixels.
    pub width: u32,
    /// Height, in pixels.
    pub height: u32,
    /// Direction from the bodies to the camera, not zero. The default is that of the scene's first camera, or else from
    /// the front and above.
    pub from: Option<DVec3>,
    /// Title for screen readers and tooltips.
    pub title: String,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { width: 640, height: 420, from: None, title: String::new() }
    }
}

/// A shape at a pose.
#[derive(Debug, Clone, Copy)]
struct Placed<'a> {
    shape: &'a Shape,
    pose: Pose,
    color: DVec3,
}

/// A picture that can be extended and drawn.
#[derive(Debug, Clone)]
pub struct Picture<'a> {
    options: PictureOptions,
    scenery: Vec<Placed<'a>>,
    /// Moving shapes at each moment, the oldest first.
    moments: Vec<Vec<Placed<'a>>>,
    lines: Vec<[DVec3; 2]>,
    room: Option<Aabb>,
}

impl<'a> Picture<'a> {
    /// Creates an empty picture.
    pub fn new(options: PictureOptions) -> Result<Self, PictureError> {
        let PictureOptions { width, height, from, .. } = options;
        let sides = MIN_SIDE..=MAX_SIDE;
        if !(sides.contains(&width) && sides.contains(&height)) {
            return Err(PictureError::Size { width, height, min: MIN_SIDE, max: MAX_SIDE });
        }
        if from.is_some_and(|from| from.try_normalize().is_none()) {
            return Err(PictureError::NotFinite { what: "the direction to the camera".to_string() });
        }
        Ok(Self { options, scenery: Vec::new(), moments: vec![Vec::new()], lines: Vec::new(), room: None })
    }

    /// Adds a fixed shape. A colour is red, green and blue from 0 to 1.
    pub fn add_scenery(&mut self, shape: &'a Shape, pose: &Pose, color: Option<DVec3>) {
        let color = color.unwrap_or_else(|| default_color(0, true));
        self.scenery.push(Placed { shape, pose: *pose, color });
    }

    /// Adds a moving shape at the current moment.
    pub fn add_body(&mut self, shape: &'a Shape, pose: &Pose, color: Option<DVec3>) {
        if let Some(moment) = self.moments.last_mut() {
            let color = color.unwrap_or_else(|| default_color(moment.len(), false));
            moment.push(Placed { shape, pose: *pose, color });
        }
    }

    /// Starts a later moment. A picture shows all moments, the older the paler (Arnold (1997): stroboscopic display).
    pub fn add_moment(&mut self) {
        self.moments.push(Vec::new());
    }

    /// Adds a black line with dots at its ends, in m.
    pub fn add_line(&mut self, from: DVec3, to: DVec3) {
        self.lines.push([from, to]);
    }

    /// Draws a box around everything, with shadows on its floor.
    pub fn set_room(&mut self, room: Aabb) {
        self.room = Some(room);
    }

    /// Draws the picture.
    pub fn svg(&self) -> Result<String, PictureError> {
        let camera = self.camera()?;
        let light = Light::new(&camera);
        let (mut gradients, mut hiders) = (Gradients::default(), Hiders::default());
        let mut left = MAX_FACETS;
        let mut page = Page::new(&self.options, &camera);

        let scenery = subjects(&self.scenery, self.scenery.len(), &camera, &mut left)?;
        let planes = self.planes(&camera);
        for plane in &planes {
            hiders.add(Hider::half_space(plane.normal, plane.point, plane.owner, &camera), &camera);
        }
        for (id, plane) in planes.iter().enumerate() {
            let (definitions, drawing) = plane.draw(id, &hiders, &camera);
            page.define(&definitions);
            page.draw(&drawing);
        }
        scenery.iter().for_each(|subject| hiders.add_solid(&subject.solid, subject.owner, &camera));
        let moments = self.moments.iter().map(|moment| subjects(moment, 2 * self.scenery.len(), &camera, &mut left));
        let moments = moments.collect::<Result<Vec<_>, _>>()?;

        if let Some(room) = &self.room {
            let casting: Vec<&Solid> = moments.iter().flatten().chain(&scenery).map(|subject| &subject.solid).collect();
            page.define(&room::definitions(room, &camera));
            page.draw(&room::behind(room, &casting, &light, &camera));
        } else if let Some(ground) = planes.iter().find(|plane| plane.is_level()) {
            let mut shadows = |subjects: &[Subject], opacity: f64| {
                let solids = subjects.iter().map(|subject| &subject.solid);
                page.draw(&ground.shadows(solids, opacity, &light, &camera));
            };
            shadows(&scenery, 1.0);
            moments.iter().enumerate().for_each(|(age, moment)| shadows(moment, opacity(age, moments.len())));
        }
        page.layer(1.0, &paint(&scenery, &hiders, &camera, &light, &mut gradients));
        for (age, moment) in moments.iter().enumerate() {
            let mut hiders = hiders.clone();
            moment.iter().for_each(|subject| hiders.add_solid(&subject.solid, subject.owner, &camera));
            page.layer(opacity(age, moments.len()), &paint(moment, &hiders, &camera, &light, &mut gradients));
            if age + 1 == moments.len() {
                page.draw(&svg::dotted_lines(&self.lines, &hiders, &camera));
            }
        }
        if let Some(room) = &self.room {
            page.draw(&room::in_front(room, &camera));
        }
        page.define(gradients.definitions());
        let grid = planes.iter().any(Ground::is_level).then(|| Ground::grid(&camera));
        Ok(page.finish(grid))
    }

    /// Returns the half-spaces whose outer side is visible.
    fn planes(&self, camera: &Camera) -> Vec<Ground> {
        let half_spaces =
            self.scenery.iter().enumerate().filter(|(_, placed)| matches!(placed.shape, Shape::HalfSpace(_)));
        let planes = half_spaces.map(|(owner, placed)| {
            let normal = placed.pose.transform_vector(DVec3::Z);
            Ground { normal, point: placed.pose.translation, owner }
        });
        planes.filter(|plane| camera.sees(plane.normal, plane.point)).collect()
    }

    /// Returns a camera that shows all bodies and the scenery around them.
    fn camera(&self) -> Result<Camera, PictureError> {
        let everything = self.scenery.iter().chain(self.moments.iter().flatten());
        for placed in everything {
            let Pose { rotation, translation } = placed.pose;
            if !(rotation.is_finite() && translation.is_finite()) {
                return Err(PictureError::NotFinite { what: format!("the pose of a {}", placed.shape.kind()) });
            }
        }
        let pixels = DVec2::new(self.options.width.into(), self.options.height.into());
        let mut framing = Framing::new(self.options.from.unwrap_or(DEFAULT_DIRECTION), pixels, MARGIN);
        let mut bounds = Aabb::EMPTY;
        for placed in self.moments.iter().flatten() {
            framing.add_shape(placed.shape, &placed.pose);
            bounds = bounds.union(&placed.shape.aabb(&placed.pose));
        }
        let size = bounds.extents().max_element();
        let around = bounds.inflated(SCENERY_MARGIN * size);
        for placed in self.scenery.iter().filter(|placed| !matches!(placed.shape, Shape::HalfSpace(_))) {
            let own = placed.shape.aabb(&placed.pose);
            if self.moments.iter().all(Vec::is_empty) || own.extents().max_element() <= MAX_FRAMED_SCENERY * size {
                framing.add_shape(placed.shape, &placed.pose);
            } else if own.overlaps(&around) {
                own.intersection(&around).corners().into_iter().for_each(|corner| framing.add(corner));
            }
        }
        self.lines.iter().flatten().for_each(|&end| framing.add(end));
        self.room.iter().flat_map(Aabb::corners).for_each(|corner| framing.add(corner));
        framing.camera().ok_or_else(|| match framing.is_empty() {
            true => PictureError::Nothing,
            false => PictureError::NotFinite { what: "a position in the picture".to_string() },
        })
    }
}

/// Returns the opacity of a moment; `age` 0 is the oldest.
fn opacity(age: usize, moments: usize) -> f64 {
    if age + 1 == moments {
        1.0
    } else {
        OLDEST_OPACITY + (SECOND_OPACITY - OLDEST_OPACITY) * (age + 1) as f64 / moments as f64
    }
}

/// Returns all shapes with facets, from the farthest to the nearest, numbered in this order from `first` on.
fn subjects(placed: &[Placed], first: usize, camera: &Camera, left: &mut usize) -> Result<Vec<Subject>, PictureError> {
    let mut subjects = Vec::new();
    for Placed { shape, pose, color } in placed {
        let solid = Solid::new(shape, pose, camera);
        *left = left.checked_sub(solid.facets.len()).ok_or(PictureError::TooMuch { limit: MAX_FACETS })?;
        if !solid.facets.is_empty() {
            subjects.push(Subject::new(solid, *color));
        }
    }
    subjects.sort_by(|a, b| camera.depth(b.center()).total_cmp(&camera.depth(a.center())));
    subjects.iter_mut().zip(first..).for_each(|(subject, number)| subject.owner = number);
    Ok(subjects)
}

fn paint(subjects: &[Subject], hiders: &Hiders, camera: &Camera, light: &Light, gradients: &mut Gradients) -> String {
    let (mut areas, mut lines) = (String::new(), String::new());
    for subject in subjects {
        let [own_areas, own_lines] = subject.draw(hiders, camera, light, gradients);
        areas += &own_areas;
        lines += &own_lines;
    }
    areas + &lines
}
