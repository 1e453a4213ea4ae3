//! Ground, walls and shadows. Half-spaces are drawn around the centre of the picture, with a grid of known size.

use glam::{DVec2, DVec3};

use super::camera::{Camera, DOTS, SLOPE};
use super::hiding::{Hider, Hiders};
use super::light::Light;
use super::polygon::{Plane, Polygon, Side, area, below, subtract, uncut};
use super::region::{Lines, Region};
use super::solid::Solid;
use super::surface::{add_line, frame};

/// Radius of the drawn ground, in half widths of the picture at its centre.
const GROUND_RADIUS: f64 = 3.0;
/// Minimum z component of the normal of a plane that counts as ground and receives shadows.
const MIN_LEVEL_NORMAL: f64 = 0.7;
/// Maximum height of faces that cast a contact shadow, in half widths of the picture.
const CONTACT_SHADOW_HEIGHT: f64 = 0.12;
/// Opacity of the shadows that the light casts.
const CAST_SHADOW_OPACITY: f64 = 0.16;
/// Opacity of the contact shadows directly below bodies.
const CONTACT_SHADOW_OPACITY: f64 = 0.22;

/// A plane whose outer side is visible.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    pub normal: DVec3,
    /// A point of the plane, in m.
    pub point: DVec3,
    pub owner: usize,
}

/// Distances between the lines of a grid, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    pub coarse: f64,
    pub fine: Option<f64>,
}

impl Grid {
    /// Creates a grid for a picture of the given width in m: powers of ten, with tenths or halves of them if there
    /// would be few lines.
    pub fn for_width(width: f64) -> Self {
        let coarse = libm::pow(10.0, libm::floor(libm::log10(width)));
        let fine = match width / coarse {
            squares if squares < 2.0 => Some(0.1 * coarse),
            squares if squares < 5.0 => Some(0.5 * coarse),
            _ => None,
        };
        Self { coarse, fine }
    }

    /// Returns the side of the smallest squares, in m.
    pub fn side(&self) -> f64 {
        self.fine.unwrap_or(self.coarse)
    }
}

impl Ground {
    /// Returns half the width of the picture at its centre, in m.
    fn half_width(camera: &Camera) -> f64 {
        SLOPE * camera.distance * camera.size.x / camera.size.max_element()
    }

    pub fn grid(camera: &Camera) -> Grid {
        Grid::for_width(2.0 * Self::half_width(camera))
    }

    pub fn is_level(&self) -> bool {
        self.normal.z > MIN_LEVEL_NORMAL
    }

    /// Returns the point of the plane below the centre of the picture.
    fn foot(&self, camera: &Camera) -> DVec3 {
        let middle = camera.eye - camera.distance * camera.back;
        middle - self.normal * self.normal.dot(middle - self.point)
    }

    fn directions(&self) -> [DVec3; 2] {
        let level = DVec3::Z.cross(self.normal).try_normalize();
        let x = if self.normal.z > 0.999_999 { DVec3::X } else { level.unwrap_or(DVec3::X) };
        [x, self.normal.cross(x)]
    }

    /// Draws the plane with its grid; returns the definitions of its radial gradients, and the drawing.
    pub fn draw(&self, id: usize, hiders: &Hiders, camera: &Camera) -> (String, String) {
        let (foot, directions, frame) = (self.foot(camera), self.directions(), frame(camera));
        let reach = self.reach(foot, camera);
        let [x, y] = directions;
        let corner = |(i, j): (f64, f64)| foot + reach * (i * x + j * y);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(corner);
        let others = |hider: &Hider| hider.owner.0 != self.owner;
        let mut polygon = below(uncut(corners), &frame);
        for hider in hiders.before(corners, camera).into_iter().filter(|hider| others(hider)) {
            let hidden = hider.hidden(&polygon);
            if !hidden.is_empty() {
                // A half-space leaves one piece of another plane.
                let left = subtract(polygon, &hidden, self.normal).into_iter();
                let size = |piece: &Polygon| area(piece, self.normal);
                polygon = left.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or_default();
            }
        }
        if polygon.is_empty() {
            return Default::default();
        }
        let mut region = Region::default();
        region.add(polygon.iter().map(|(corner, _)| camera.dot(*corner)));
        let grid = Self::grid(camera);
        let mut drawing = format!("<path fill=\"url(#ground{id})\" d=\"{}\"/>\n", region.path());
        for (step, width) in [(grid.fine, 0.7), (Some(grid.coarse), 1.4)] {
            let Some(step) = step else { continue };
            let mut lines = Lines::default();
            for (across, along) in [(x, y), (y, x)] {
                let (low, high) = ((foot.dot(across) - reach) / step, (foot.dot(across) + reach) / step);
                for index in low.ceil() as i64..=high.floor() as i64 {
                    if Some(step) == grid.fine && index % (grid.coarse / step).round() as i64 == 0 {
                        continue;
                    }
                    let aside = index as f64 * step - foot.dot(across);
                    let half = libm::sqrt((reach * reach - aside * aside).max(0.0));
                    let (from, to) = (foot + aside * across - half * along, foot + aside * across + half * along);
                    add_line(from, to, hiders, camera, &frame, others, &mut lines);
                }
            }
            let data = lines.path();
            let width = width * DOTS;
            drawing +=
                &format!("<path fill=\"none\" stroke=\"url(#grid{id})\" stroke-width=\"{width}\" d=\"{data}\"/>\n");
        }
        (self.fade(id, foot, reach, camera), drawing)
    }

    /// Returns gradients that fade with the distance from the foot. In perspective, circles around the foot become
    /// ellipses whose centres move towards the eye, like the circles of a radial gradient with a focus.
    ///
    /// With u and v from -1 to 1 in the outermost circle, the depth is `w0 + w . (u, v)`. The centre of the ellipse is
    /// the image of the pole `-w / w0` of the horizon, and the images of lines through the pole are its diameters.
    fn fade(&self, id: usize, foot: DVec3, reach: f64, camera: &Camera) -> String {
        let w = -reach * DVec2::from_array(self.directions().map(|direction| direction.dot(camera.back)));
        let [x, y] = self.directions();
        let at = |place: DVec2| camera.project(foot + reach * (place.x * x + place.y * y));
        let pole = -w / camera.depth(foot);
        let along = w.try_normalize().unwrap_or(DVec2::X);
        let chord = along.perp() * libm::sqrt((1.0 - pole.length_squared()).max(0.0));
        let (middle, e) = (at(pole), 0.5 * (at(along) - at(-along)));
        let f = 0.5 * (at(pole + chord) - at(pole - chord));
        let focus = ((at(DVec2::ZERO) - middle).dot(e) / e.length_squared()).clamp(-0.98, 0.98);
        let matrix = format!("matrix({:.0} {:.0} {:.0} {:.0} {:.0} {:.0})", e.x, e.y, f.x, f.y, middle.x, middle.y);
        let gradient = |name: &str, color: &str, opacity: f64| {
            format!(
                "<radialGradient id=\"{name}{id}\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1\" fx=\"{focus:.3}\" fy=\"0\" \
                 gradientTransform=\"{matrix}\"><stop offset=\".3\" stop-color=\"{color}\" stop-opacity=\"{opacity}\"/>\
                 <stop offset=\"1\" stop-color=\"{color}\" stop-opacity=\"0\"/></radialGradient>\n"
            )
        };
        gradient("ground", "#fff", 0.8) + &gradient("grid", "#5d6f8c", 0.42)
    }

    /// Returns the radius of the drawn ground around the foot, in m; it never extends below the eye.
    fn reach(&self, foot: DVec3, camera: &Camera) -> f64 {
        let steepest = self.directions().map(|direction| direction.dot(camera.back));
        let slope = libm::hypot(steepest[0], steepest[1]).max(1e-9);
        (GROUND_RADIUS * Self::half_width(camera)).min(0.8 * camera.depth(foot) / slope)
    }

    /// Draws the shadows on level ground: those that the light casts, and contact shadows of faces near the ground.
    pub fn shadows<'a>(
        &self,
        solids: impl IntoIterator<Item = &'a Solid>,
        opacity: f64,
        light: &Light,
        camera: &Camera,
    ) -> String {
        let low = CONTACT_SHADOW_HEIGHT * Self::half_width(camera);
        let (mut cast, mut under) = (Region::default(), Region::default());
        for facet in solids.into_iter().flat_map(|solid| &solid.facets) {
            if facet.normal.dot(light.direction) > 0.0 {
                self.add_shadow(&facet.corners, light.direction, camera, &mut cast);
            }
            let height = |corner: &DVec3| self.normal.dot(*corner - self.point);
            if facet.normal.dot(self.normal) < 0.0 && facet.corners.iter().all(|corner| height(corner) < low) {
                self.add_shadow(&facet.corners, self.normal, camera, &mut under);
            }
        }
        let mut drawing = String::new();
        for (mut region, darkness) in [(cast, CAST_SHADOW_OPACITY), (under, CONTACT_SHADOW_OPACITY)] {
            let data = region.path();
            if !data.is_empty() {
                drawing += &format!("<path class=\"s\" opacity=\"{:.2}\" d=\"{data}\"/>\n", darkness * opacity);
            }
        }
        drawing
    }

    /// Adds the shadow of the part of a polygon above the ground, along a direction.
    fn add_shadow(&self, corners: &[DVec3], towards: DVec3, camera: &Camera, region: &mut Region) {
        let offset = -self.normal.dot(self.point);
        let above = Plane { normal: -self.normal, offset, side: Side::Surface };
        let onto = |corner: DVec3| {
            let height = self.normal.dot(corner - self.point);
            corner - towards * (height / self.normal.dot(towards))
        };
        let shadow: Vec<DVec3> =
            below(uncut(corners.iter().copied()), [&above]).into_iter().map(|(corner, _)| onto(corner)).collect();
        if shadow.iter().all(|&point| camera.depth(point) > camera.near) {
            region.add(shadow.into_iter().map(|point| camera.dot(point)));
        }
    }
}
