//! Light, colours and haze.
//!
//! The light comes from above and left of the camera. A surface with unit normal n and colour c has the colour
//! `c (0.74 + 0.36 n . l)`, and fades into the haze with its distance.

use glam::DVec3;

use super::camera::Camera;

/// Brightness of a surface parallel to the light.
const AMBIENT: f64 = 0.74;
/// Additional brightness of a surface that faces the light.
const DIFFUSE: f64 = 0.36;
/// Colour of the haze: red, green and blue from 0 to 1.
const HAZE: DVec3 = DVec3::new(0.91, 0.925, 0.95);
/// Fraction of haze at the centre of the picture.
const HAZE_AT_CENTER: f64 = 0.06;
/// Increase of the haze with depth, relative to the distance of the centre.
const HAZE_PER_DISTANCE: f64 = 1.1;
/// Maximum fraction of haze.
const MAX_HAZE: f64 = 0.55;
/// Number of tones from black to the full colour.
const TONES: f64 = 40.0;
/// Fraction of white in every colour, so that black surfaces show shading.
const WHITE_FRACTION: f64 = 0.07;
/// Tone of lines, which are darker than the surfaces.
const LINE_TONE: f64 = 0.5;

/// Colours of bodies without a colour, in turn.
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
/// Colour of fixed bodies without a colour.
const FIXED_COLOR: DVec3 = DVec3::new(0.76, 0.77, 0.79);

/// Returns the default colour of a body as red, green and blue from 0 to 1: grey if it is fixed, else from a palette.
pub fn default_color(index: usize, is_fixed: bool) -> DVec3 {
    if is_fixed { FIXED_COLOR } else { DVec3::from_array(PALETTE[index % PALETTE.len()]) }
}

/// The light of a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Light {
    /// Unit vector towards the light.
    pub direction: DVec3,
}

impl Light {
    pub fn new(camera: &Camera) -> Self {
        let forward = DVec3::Z.cross(camera.right);
        Self { direction: (-0.5 * camera.right - 0.42 * forward + 0.76 * DVec3::Z).normalize() }
    }

    /// Returns the brightness of a surface with a unit normal.
    pub fn tone(&self, normal: DVec3) -> f64 {
        AMBIENT + DIFFUSE * normal.dot(self.direction)
    }
}

/// Rounds a tone, so that adjacent surfaces of similar tones can be merged.
pub(super) fn quantized(tone: f64) -> f64 {
    (tone * TONES).round() / TONES
}

/// Returns the quantized fraction of haze at a point.
pub(super) fn haze(camera: &Camera, at: DVec3) -> f64 {
    let behind = camera.depth(at) / camera.distance - 1.0;
    let haze = (HAZE_AT_CENTER + HAZE_PER_DISTANCE * behind).clamp(0.0, MAX_HAZE);
    quantized(haze)
}

/// Returns a colour with a tone and haze, in SVG notation.
pub(super) fn shade(color: DVec3, tone: f64, haze: f64) -> String {
    let lit = (color.lerp(DVec3::ONE, WHITE_FRACTION) * tone).lerp(HAZE, haze).clamp(DVec3::ZERO, DVec3::ONE);
    let [r, g, b] = (255.0 * lit).round().to_array().map(|value| value as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the colour of lines on a surface.
pub(super) fn line_shade(color: DVec3, haze: f64) -> String {
    shade(color, LINE_TONE, haze)
}
