//! Distance between bodies: how different two bodies look.
//!
//! A body is described by features that do not depend on its size, its brain or the order of its parts: the number of
//! parts, distributions over parts (volume, kind of shape, slenderness, axes of the joint, depth in the tree, number of
//! children, distance from other parts), the proportions of the bounding box, and how much of the body has a mirror
//! image. Each feature has a distance from 0 to 1; the distance of two bodies is their mean.

use glam::DVec3;

use crate::part_shape::PartShape;
use crate::phenotype::{Body, Part};

/// Number of bins of histograms of lengths and ratios.
const BINS: usize = 16;
/// Ratio of two numbers of parts, or of two sides, that counts as entirely different.
const MAX_RATIO: f64 = 8.0;
/// Greatest ratio of the longest to the shortest side of a part that is distinguished.
const MAX_SLENDERNESS: f64 = 20.0;
/// Mirror images differ by at most this fraction of the length of the body.
const MIRROR_TOLERANCE: f64 = 0.02;

/// What a body looks like, for comparisons.
///
/// ```
/// use burgess_creature::{BodyFeatures, Physiology, builtin};
///
/// let features = |name: &str| {
///     let genome = builtin::find(name).unwrap().genome();
///     BodyFeatures::of(&genome.grow(&Physiology::default()).unwrap().body)
/// };
/// let [tree, quadruped, hexapod] = ["tree", "quadruped", "hexapod"].map(features);
/// assert_eq!(tree.distance(&tree), 0.0);
/// assert!(quadruped.distance(&hexapod) < quadruped.distance(&tree));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BodyFeatures {
    /// Natural logarithm of the number of parts.
    parts: f64,
    /// Volumes of the parts as fractions of the whole, the largest first.
    volumes: Vec<f64>,
    /// Fraction of the volume in boxes, spheres, capsules, ellipsoids, cones and frustums.
    shapes: [f64; 6],
    /// Fraction of the volume by slenderness of the parts.
    slenderness: [f64; BINS],
    /// Fraction of the joints with 0 to 3 axes.
    joints: [f64; 4],
    /// Fraction of the parts by the number of joints to the root.
    depths: [f64; BINS],
    /// Fraction of the parts by the number of children.
    children: [f64; BINS],
    /// Fraction of the pairs of parts by their distance, relative to the diagonal of the bounding box.
    spread: [f64; BINS],
    /// Natural logarithms of the sides of the bounding box along the root's axes, relative to the longest one.
    sides: [f64; 3],
    /// Fraction of the volume that has a mirror image on the other side of the root (y to -y).
    symmetry: f64,
}

impl BodyFeatures {
    /// Describes a body.
    pub fn of(body: &Body) -> Self {
        let parts = &body.parts;
        let whole = body.volume().max(f64::MIN_POSITIVE);
        let share = |part: &Part| part.shape.volume() / whole;
        let mut volumes: Vec<f64> = parts.iter().map(share).collect();
        volumes.sort_by(|a, b| b.total_cmp(a));
        let joints = parts.iter().filter_map(|part| part.attachment.as_ref()).map(|on| (on.axes.len(), 1.0));
        let extent = body.extent().max(DVec3::splat(f64::MIN_POSITIVE));
        Self {
            parts: libm::log(parts.len().max(1) as f64),
            volumes,
            shapes: histogram(parts.iter().map(|part| (kind(&part.shape), share(part)))),
            slenderness: histogram(parts.iter().map(|part| (slenderness(part), share(part)))),
            joints: histogram(joints),
            depths: histogram(depths(parts).into_iter().map(|depth| (depth, 1.0))),
            children: histogram(children(parts).into_iter().map(|count| (count, 1.0))),
            spread: spread(parts, extent.length()),
            sides: extent.to_array().map(|side| libm::log((side / extent.max_element()).max(1.0 / MAX_RATIO))),
            symmetry: symmetry(parts, extent.max_element(), share),
        }
    }

    /// Returns the distance to another body: from 0, for bodies that differ at most in size, to 1. It is symmetric and
    /// satisfies the triangle inequality.
    pub fn distance(&self, other: &Self) -> f64 {
        let of_ratio = |a: f64, b: f64| ((a - b).abs() / libm::log(MAX_RATIO)).min(1.0);
        let sides = self.sides.iter().zip(&other.sides).map(|(a, b)| of_ratio(*a, *b)).sum::<f64>() / 3.0;
        let terms = [
            of_ratio(self.parts, other.parts),
            unlike(&self.volumes, &other.volumes),
            unlike(&self.shapes, &other.shapes),
            shift(&self.slenderness, &other.slenderness),
            unlike(&self.joints, &other.joints),
            shift(&self.depths, &other.depths),
            unlike(&self.children, &other.children),
            shift(&self.spread, &other.spread),
            sides,
            (self.symmetry - other.symmetry).abs(),
        ];
        terms.iter().sum::<f64>() / terms.len() as f64
    }
}

/// Returns the share of each bin, given bins and weights. Bins beyond the last one count for the last one.
fn histogram<const N: usize>(entries: impl Iterator<Item = (usize, f64)>) -> [f64; N] {
    let (mut bins, mut whole) = ([0.0; N], 0.0);
    for (bin, weight) in entries {
        bins[bin.min(N - 1)] += weight;
        whole += weight;
    }
    if whole > 0.0 { bins.map(|weight| weight / whole) } else { bins }
}

/// Returns the bin of a number from 0 to 1.
fn bin(number: f64) -> usize {
    (number * BINS as f64) as usize
}

/// Returns the share of two distributions that is different (total variation), 0 to 1. Missing entries are 0.
fn unlike(a: &[f64], b: &[f64]) -> f64 {
    let at = |list: &[f64], index: usize| list.get(index).copied().unwrap_or(0.0);
    0.5 * (0..a.len().max(b.len())).map(|index| (at(a, index) - at(b, index)).abs()).sum::<f64>()
}

/// Returns how far one distribution over an ordered quantity must be shifted to get another one (earth mover's
/// distance), as the square root of a fraction of the range: small shifts are visible, too.
fn shift(a: &[f64; BINS], b: &[f64; BINS]) -> f64 {
    let (mut sum, mut moved) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        sum += a - b;
        moved += f64::abs(sum);
    }
    libm::sqrt(moved / (BINS - 1) as f64)
}

fn kind(shape: &PartShape) -> usize {
    match shape {
        PartShape::Box(_) => 0,
        PartShape::Sphere(_) => 1,
        PartShape::Capsule { .. } => 2,
        PartShape::Ellipsoid(_) => 3,
        PartShape::Cone { .. } => 4,
        PartShape::Frustum { .. } => 5,
    }
}

fn slenderness(part: &Part) -> usize {
    let sides = part.shape.half_sides();
    let ratio = sides.max_element() / sides.min_element().max(f64::MIN_POSITIVE);
    bin(libm::log(ratio) / libm::log(MAX_SLENDERNESS))
}

/// Returns the number of joints between each part and the root.
fn depths(parts: &[Part]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(parts.len());
    for part in parts {
        // Parents come before their children.
        depths.push(part.attachment.as_ref().map_or(0, |on| depths[on.parent] + 1));
    }
    depths
}

fn children(parts: &[Part]) -> Vec<usize> {
    let mut counts = vec![0; parts.len()];
    parts.iter().filter_map(|part| part.attachment.as_ref()).for_each(|on| counts[on.parent] += 1);
    counts
}

fn spread(parts: &[Part], diagonal: f64) -> [f64; BINS] {
    let pairs = parts.iter().enumerate().flat_map(|(index, a)| parts[..index].iter().map(move |b| (a, b)));
    histogram(pairs.map(|(a, b)| (bin(a.pose.translation.distance(b.pose.translation) / diagonal), 1.0)))
}

fn symmetry(parts: &[Part], length: f64, share: impl Fn(&Part) -> f64) -> f64 {
    let bounds: Vec<[DVec3; 2]> = parts.iter().map(|part| part.shape.bounds(&part.pose)).collect();
    // Poses are those in the frame of the root.
    let mirrored = |point: DVec3| point.with_y(-point.y);
    let is_near = |a: DVec3, b: DVec3| (a - b).abs().max_element() <= MIRROR_TOLERANCE * length;
    let has_image = |[low, high]: &[DVec3; 2]| {
        // The mirror image has its lowest y where the part has its highest.
        let [image_low, image_high] = [mirrored(low.with_y(high.y)), mirrored(high.with_y(low.y))];
        bounds.iter().any(|[low, high]| is_near(*low, image_low) && is_near(*high, image_high))
    };
    parts.iter().zip(&bounds).filter(|(_, own)| has_image(own)).map(|(part, _)| share(part)).sum()
}
