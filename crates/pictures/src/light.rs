//! Light, colours and haze.
//!
//! The light comes from above the left shoulder of whoever looks, wherever that is. A surface with the unit normal n and the
//! colour c is seen as `c (0.74 + 0.36 n . l)`, and fades into the haze with its distance.

use glam::DVec3;

use super::camera::Camera;

/// What the light leaves in the shade, and what it adds.
const AMBIENT: f64 = 0.74;
const DIFFUSE: f64 = 0.36;
/// What far things fade into: red, green and blue from 0 to 1.
const HAZE: DVec3 = DVec3::new(0.91, 0.925, 0.95);
/// How much of it is before the middle, and how much it grows behind, for each distance to the middle.
const HAZE_AT_MIDDLE: f64 = 0.06;
const HAZE_PER_DISTANCE: f64 = 1.1;
const MOST_HAZE: f64 = 0.55;
/// So many tones from black to the full colour.
const STEPS: f64 = 40.0;
/// So much white is in every colour: even black has lights and shades.
const PASTEL: f64 = 0.07;
/// Lines are darker than what they are around.
const LINE: f64 = 0.5;

/// What nobody has given a colour, in turn.
const PALETTE: [[f64; 3]; 8] = [
    [0.36, 0.60, 0.86],
    [0.93, 0.56, 0.34],
    [0.42, 0.72, 0.58],
    [0.88, 0.44, 0.46],
    [0.62, 0.52, 0.84],
    [0.95, 0.78, 0.38],
    [0.42, 0.70, 0.74],
    [0.80, 0.62, 0.52],
];
/// What never moves and has no colour.
const STONE: DVec3 = DVec3::new(0.76, 0.77, 0.79);

/// A colour for something that has none: red, green and blue from 0 to 1, in turn; stone if it never moves.
pub fn default_color(index: usize, is_fixed: bool) -> DVec3 {
    if is_fixed { STONE } else { DVec3::from_array(PALETTE[index % PALETTE.len()]) }
}

/// As the picture is lit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Light {
    /// Towards it: a unit vector.
    pub direction: DVec3,
}

impl Light {
    pub fn new(camera: &Camera) -> Self {
        let forward = DVec3::Z.cross(camera.right);
        Self { direction: (-0.5 * camera.right - 0.42 * forward + 0.76 * DVec3::Z).normalize() }
    }

    /// How bright a surface with a unit normal is.
    pub fn tone(&self, normal: DVec3) -> f64 {
        AMBIENT + DIFFUSE * normal.dot(self.direction)
    }
}

/// Near tones become the same, so that neighbours can be drawn as one.
pub(super) fn stepped(tone: f64) -> f64 {
    (tone * STEPS).round() / STEPS
}

/// How much haze is before a point, in steps.
pub(super) fn haze(camera: &Camera, at: DVec3) -> f64 {
    let behind = camera.depth(at) / camera.distance - 1.0;
    let haze = (HAZE_AT_MIDDLE + HAZE_PER_DISTANCE * behind).clamp(0.0, MOST_HAZE);
    stepped(haze)
}

/// A colour in a tone behind haze, as SVG writes it.
pub(super) fn shade(color: DVec3, tone: f64, haze: f64) -> String {
    let lit = (color.lerp(DVec3::ONE, PASTEL) * tone).lerp(HAZE, haze).clamp(DVec3::ZERO, DVec3::ONE);
    let [r, g, b] = (255.0 * lit).round().to_array().map(|value| value as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The colour of the lines on something.
pub(super) fn line_shade(color: DVec3, haze: f64) -> String {
    shade(color, LINE, haze)
}
