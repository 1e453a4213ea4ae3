//! Fills of patches: a colour, or a gradient for curved surfaces.
//!
//! For the unit sphere, with the line of sight along w and the brightest point s* = (l, 0, ..) on the visible side, a
//! radial gradient with its focus at l and its last circle through the darkest rim (-1, 0) also has the correct tone at
//! the bright rim (1, 0) if
//!
//! ```text
//!   center = l^2 / (1 + 2 l),   radius = 1 + center
//! ```
//!
//! For an ellipsoid, the gradient of a sphere is stretched. The side of a cylinder has a constant tone along its
//! generators, so it has a linear gradient across them.

use std::collections::BTreeMap;

use glam::{DMat3, DVec2, DVec3};

use super::camera::{Camera, DOTS};
use super::light::{Light, quantized, shade};
use super::solid::{Patch, across};

/// Number of stops of a radial gradient: per pixel of the radius, and the maximum.
const BALL_STOPS: (f64, f64) = (0.15, 5.0);
/// Number of stops of a linear gradient: per pixel of the radius, and the maximum.
const ROUND_STOPS: (f64, f64) = (0.25, 6.0);
/// Number of stops of a linear gradient that must match those of the spheres at its ends.
const FITTING_STOPS: (f64, f64) = (0.4, 12.0);
/// Minimum number of stops.
const MIN_STOPS: f64 = 3.0;
/// Number of tones from black to the full colour.
const TONES: f64 = 80.0;

/// Distinct gradients and lists of stops, in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Gradients {
    by_text: BTreeMap<String, usize>,
    definitions: String,
}

impl Gradients {
    /// Returns the fill of a patch.
    pub fn fill(&mut self, patch: &Patch, color: DVec3, haze: f64, camera: &Camera, light: &Light) -> String {
        match patch {
            Patch::Flat { normal } => shade(color, quantized(light.tone(*normal)), haze),
            Patch::Ball { center, axes } => {
                self.ball(&Ball::new(*center, *axes, camera, light), color, haze, camera, light)
            }
            Patch::Round { center, axis, radius, lean, has_round_ends } => {
                let u = across(*axis, camera.eye - *center);
                let v = u.cross(*axis);
                let ball = has_round_ends.then(|| Ball::new(*center, *radius * DMat3::IDENTITY, camera, light));
                let tone = |x: f64| {
                    let radial = x * u + (1.0 - x * x).max(0.0).sqrt() * v;
                    match &ball {
                        Some(ball) => ball.tone_at(radial, light),
                        None => light.tone((radial + *lean * *axis).normalize()),
                    }
                };
                let count = if *has_round_ends { FITTING_STOPS } else { ROUND_STOPS };
                let count = stops(count, camera.dots(*radius, *center));
                self.linear([*center - *radius * u, *center + *radius * u], count, tone, color, haze, camera)
            }
        }
    }

    fn linear(
        &mut self,
        ends: [DVec3; 2],
        count: usize,
        tone: impl Fn(f64) -> f64,
        color: DVec3,
        haze: f64,
        camera: &Camera,
    ) -> String {
        let [a, b] = ends.map(|end| camera.dot(end));
        // The angle of the normal changes linearly from one outline to the other.
        let place = |stop: usize| -libm::cos(std::f64::consts::PI * stop as f64 / count as f64);
        let stops =
            (0..=count).map(|stop| (0.5 + 0.5 * place(stop), shade(color, quantized_tone(tone(place(stop))), haze)));
        let stops = self.stops(stops);
        self.gradient(
            "linearGradient",
            &format!(
                "{stops} gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                a.x, a.y, b.x, b.y
            ),
        )
    }

    fn ball(&mut self, ball: &Ball, color: DVec3, haze: f64, camera: &Camera, light: &Light) -> String {
        let middle = camera.project(ball.center);
        let image = |direction: DVec3| {
            let out = ball.axes * direction;
            0.5 * (camera.project(ball.center + out) - camera.project(ball.center - out))
        };
        let (e, f): (DVec2, DVec2) = (image(ball.e), image(ball.f));
        let count = stops(BALL_STOPS, e.length().max(f.length()));
        let stops = (0..=count).map(|stop| {
            let t = stop as f64 / count as f64;
            (t, shade(color, quantized_tone(ball.tone(t, light)), haze))
        });
        let stops = self.stops(stops);
        self.gradient(
            "radialGradient",
            &format!(
                "{stops} gradientUnits=\"userSpaceOnUse\" cx=\"{:.2}\" cy=\"0\" r=\"{:.2}\" fx=\"{:.2}\" fy=\"0\" \
                 gradientTransform=\"matrix({:.0} {:.0} {:.0} {:.0} {:.0} {:.0})\"",
                ball.middle(),
                1.0 + ball.middle(),
                ball.focus,
                e.x,
                e.y,
                f.x,
                f.y,
                middle.x,
                middle.y
            ),
        )
    }

    /// Defines a gradient and returns a reference to it as a fill.
    fn gradient(&mut self, kind: &str, attributes: &str) -> String {
        let id = self.define(attributes, |id| format!("<{kind} id=\"g{id}\" {attributes}/>\n"));
        format!("url(#g{id})")
    }

    /// Defines stops and returns a reference to them as an attribute of a gradient. Stops of the same colour as both
    /// neighbours are omitted.
    fn stops(&mut self, stops: impl Iterator<Item = (f64, String)>) -> String {
        let stops: Vec<(f64, String)> = stops.collect();
        let mut text = String::new();
        for (index, (offset, color)) in stops.iter().enumerate() {
            let like = |other: Option<&(f64, String)>| other.is_none_or(|(_, other)| other == color);
            let is_end = index == 0 || index + 1 == stops.len();
            if is_end || !like(stops.get(index - 1)) || !like(stops.get(index + 1)) {
                let offset = format!("{offset:.2}");
                let offset = offset.trim_start_matches('0').trim_end_matches('0').trim_end_matches('.');
                text += &match offset {
                    "" => format!("<stop stop-color=\"{color}\"/>"),
                    _ => format!("<stop offset=\"{offset}\" stop-color=\"{color}\"/>"),
                };
            }
        }
        let id = self.define(&text, |id| format!("<linearGradient id=\"g{id}\">{text}</linearGradient>\n"));
        format!("href=\"#g{id}\"")
    }

    /// Returns the number of a definition, and adds it if it is new.
    fn define(&mut self, key: &str, make: impl Fn(usize) -> String) -> usize {
        let next = self.by_text.len();
        let id = *self.by_text.entry(key.to_string()).or_insert(next);
        if id == next {
            self.definitions += &make(id);
        }
        id
    }

    /// Returns all definitions.
    pub fn definitions(&self) -> &str {
        &self.definitions
    }
}

/// Returns the number of stops for a radius in dots.
fn stops((per_pixel, max): (f64, f64), radius: f64) -> usize {
    (per_pixel * radius / DOTS).ceil().clamp(MIN_STOPS, max) as usize
}

/// Rounds a tone, so that many gradients share their stops.
fn quantized_tone(tone: f64) -> f64 {
    (tone * TONES).round() / TONES
}

/// An ellipsoid as a transformed unit sphere, with a frame on the sphere: e towards the bright side, f across, w to the
/// eye.
struct Ball {
    center: DVec3,
    axes: DMat3,
    e: DVec3,
    f: DVec3,
    w: DVec3,
    /// Coordinate of the brightest point along e.
    focus: f64,
}

impl Ball {
    fn new(center: DVec3, axes: DMat3, camera: &Camera, light: &Light) -> Self {
        let w = (axes.inverse() * (camera.eye - center)).normalize_or(DVec3::Z);
        let brightest = (axes.transpose() * light.direction).normalize_or(DVec3::Z);
        let aside = brightest - brightest.dot(w) * w;
        let e = aside.try_normalize().unwrap_or_else(|| w.any_orthonormal_vector());
        Self { center, axes, e, f: w.cross(e), w, focus: brightest.dot(e).clamp(0.0, 0.9) }
    }

    fn middle(&self) -> f64 {
        self.focus * self.focus / (1.0 + 2.0 * self.focus)
    }

    /// Returns the tone at t, from the focus (0) to the dark rim (1).
    fn tone(&self, t: f64, light: &Light) -> f64 {
        let x = self.focus - t * (1.0 + self.focus);
        let on_ball = x * self.e + (1.0 - x * x).max(0.0).sqrt() * self.w;
        light.tone((self.axes.inverse().transpose() * on_ball).normalize_or(DVec3::Z))
    }

    /// Returns the tone of the gradient at the image of a unit vector of a sphere: on the circle with centre
    /// `center t + focus (1 - t)` and radius `t (1 + center)`.
    fn tone_at(&self, radial: DVec3, light: &Light) -> f64 {
        let place = DVec2::new(radial.dot(self.e) - self.focus, radial.dot(self.f));
        let (shift, radius) = (self.middle() - self.focus, 1.0 + self.middle());
        // |place - t shift| = t radius.
        let (a, b, c) = (shift * shift - radius * radius, -2.0 * place.x * shift, place.length_squared());
        let t = (-b - (b * b - 4.0 * a * c).max(0.0).sqrt()) / (2.0 * a);
        self.tone(t.clamp(0.0, 1.0), light)
    }
}
