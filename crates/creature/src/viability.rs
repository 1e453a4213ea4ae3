//! Viability checks: which bodies are refused, and why. Most are refused before simulation, some after settling.

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_geometry::{GeometryError, Pose, Shape};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::phenotype::{Body, Part};

/// Parts coincide if their positions and bounds differ by less than this fraction of half their thickness.
const COINCIDENCE_TOLERANCE: f64 = 0.1;

/// Limits that bodies must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Viability {
    /// Minimum number of parts. A creature with one part has no joint to move.
    pub min_parts: usize,
    /// Maximum number of parts. Growth stops there.
    pub max_parts: usize,
    /// Minimum volume of a part, in m^3.
    pub min_part_volume: f64,
    /// Minimum ratio of a part's smallest side to its largest. Smaller ratios are sheets and needles.
    pub min_thickness: f64,
    /// Minimum volume of the whole body, in m^3.
    pub min_volume: f64,
    /// Maximum volume of the whole body, in m^3.
    pub max_volume: f64,
    /// A part is buried if its middle is inside another part, or if it penetrates another part by more than this
    /// fraction of its own thickness.
    pub max_depth: f64,
}

impl Default for Viability {
    fn default() -> Self {
        Self {
            min_parts: 2,
            max_parts: 24,
            min_part_volume: 1e-5,
            min_thickness: 0.05,
            min_volume: 0.005,
            max_volume: 1.0,
            max_depth: 0.5,
        }
    }
}

/// The reason why a genome is not viable.
///
/// The messages are stored in archives and enter their hashes, so they must not change.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Unviable {
    /// The body has no joint.
    #[error("it has {parts} part(s), fewer than {least}")]
    TooFewParts {
        /// Number of parts.
        parts: usize,
        /// Minimum number of parts.
        least: usize,
    },
    /// Growth exceeded the maximum number of parts.
    #[error("it has more than {most} parts")]
    TooManyParts {
        /// Maximum number of parts.
        most: usize,
    },
    /// A part is too small.
    #[error("part {part} has a volume of {volume} m^3, less than {least}")]
    PartTooSmall {
        /// Index of the part.
        part: usize,
        /// Volume of the part, in m^3.
        volume: f64,
        /// Minimum volume, in m^3.
        least: f64,
    },
    /// A part is a sheet or a needle.
    #[error("part {part} is too thin: its sides are {share} of each other, less than {least}")]
    PartTooThin {
        /// Index of the part.
        part: usize,
        /// Smallest side divided by the largest.
        share: f64,
        /// Minimum ratio.
        least: f64,
    },
    /// The whole body is too small or too large.
    #[error("its volume of {volume} m^3 is not between {least} and {most}")]
    Volume {
        /// Volume of the body, in m^3.
        volume: f64,
        /// Minimum volume, in m^3.
        least: f64,
        /// Maximum volume, in m^3.
        most: f64,
    },
    /// Two parts fill the same space.
    #[error("parts {first} and {second} coincide")]
    Coincident {
        /// Index of the first part.
        first: usize,
        /// Index of the second part.
        second: usize,
    },
    /// A part is inside another one.
    #[error("part {part} is buried in part {other}: {depth} m deep")]
    Buried {
        /// Index of the part.
        part: usize,
        /// Index of the part that contains it.
        other: usize,
        /// Depth, in m.
        depth: f64,
    },
    /// Parts overlap at the start and still do after settling.
    #[error("parts {part} and {other} are {depth} m deep in each other, and settling does not part them")]
    Entangled {
        /// Index of the part.
        part: usize,
        /// Index of the other part.
        other: usize,
        /// Depth, in m.
        depth: f64,
    },
    /// The creature starts inside something else.
    #[error("it starts {depth} m deep in the {by}")]
    Obstructed {
        /// Name of the obstacle.
        by: String,
        /// Depth, in m.
        depth: f64,
    },
    /// The creature is beyond the starting line of its side before a contest begins.
    #[error("it comes {beyond} m over its starting line while it settles")]
    CrossedLine {
        /// Distance beyond the line, in m.
        beyond: f64,
    },
    /// A number is not finite.
    #[error("{what} of part {part} is not finite")]
    NotFinite {
        /// Name of the quantity.
        what: String,
        /// Index of the part.
        part: usize,
    },
    /// The genome tunes a crowd.
    #[error("it tunes a crowd and has no body")]
    NoBody,
    /// The genome does not have the numbers that the task tunes.
    #[error("the task tunes {expected} number(s) of a crowd, and the genome does not have as many")]
    NotThatTuning {
        /// Number of numbers that the task tunes.
        expected: usize,
    },
    /// The simulator refuses the body.
    #[error("it cannot be built: {reason}")]
    Unbuildable {
        /// Error message of the simulator.
        reason: String,
    },
}

impl Unviable {
    /// Returns a short name for tables and scripts.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooFewParts { .. } => "too_few_parts",
            Self::TooManyParts { .. } => "too_many_parts",
            Self::PartTooSmall { .. } => "part_too_small",
            Self::PartTooThin { .. } => "part_too_thin",
            Self::Volume { .. } => "volume",
            Self::Coincident { .. } => "coincident",
            Self::Buried { .. } => "buried",
            Self::Entangled { .. } => "entangled",
            Self::Obstructed { .. } => "obstructed",
            Self::CrossedLine { .. } => "crossed_line",
            Self::NotFinite { .. } => "not_finite",
            Self::NoBody => "no_body",
            Self::NotThatTuning { .. } => "not_that_tuning",
            Self::Unbuildable { .. } => "unbuildable",
        }
    }
}

/// Checks a body before simulation: finite numbers, the number of parts, their volume and thickness, and overlapping
/// parts. Parts that overlap a little pass; settling shows whether they separate.
///
/// The cost grows with the square of the number of parts. Pairs that are far apart cost one comparison.
pub fn check(body: &Body, viability: &Viability) -> Result<(), Unviable> {
    let parts = &body.parts;
    if parts.len() < viability.min_parts.max(1) {
        return Err(Unviable::TooFewParts { parts: parts.len(), least: viability.min_parts.max(1) });
    }
    if parts.len() > viability.max_parts {
        return Err(Unviable::TooManyParts { most: viability.max_parts });
    }
    parts.iter().enumerate().try_for_each(|(index, part)| check_finite(index, part))?;
    parts.iter().enumerate().try_for_each(|(index, part)| check_size(index, part, viability))?;
    let volume = body.volume();
    if !(viability.min_volume <= volume && volume <= viability.max_volume) {
        return Err(Unviable::Volume { volume, least: viability.min_volume, most: viability.max_volume });
    }
    check_pairs(body, viability)
}

fn check_finite(index: usize, part: &Part) -> Result<(), Unviable> {
    let refuse = |what: &str| Err(Unviable::NotFinite { what: what.into(), part: index });
    if !(part.shape.half_sides().is_finite() && part.shape.volume().is_finite()) {
        return refuse("the size");
    }
    if !(part.pose.translation.is_finite() && part.pose.rotation.is_finite()) {
        return refuse("the pose");
    }
    let Some(on) = &part.attachment else { return Ok(()) };
    let poses = [&on.in_parent, &on.in_child];
    let numbers = on.axes.iter().all(|axis| axis.direction.is_finite() && axis.limit.iter().all(|at| at.is_finite()));
    if !(numbers
        && on.area.is_finite()
        && poses.iter().all(|pose| pose.translation.is_finite() && pose.rotation.is_finite()))
    {
        return refuse("the joint");
    }
    Ok(())
}

fn check_size(index: usize, part: &Part, viability: &Viability) -> Result<(), Unviable> {
    let volume = part.shape.volume();
    if volume < viability.min_part_volume {
        return Err(Unviable::PartTooSmall { part: index, volume, least: viability.min_part_volume });
    }
    let sides = part.shape.half_sides();
    let share = sides.min_element() / sides.max_element();
    if share < viability.min_thickness {
        return Err(Unviable::PartTooThin { part: index, share, least: viability.min_thickness });
    }
    Ok(())
}

/// Checks that no two parts coincide and that no part is buried in another.
fn check_pairs(body: &Body, viability: &Viability) -> Result<(), Unviable> {
    let unbuildable = |error: GeometryError| Unviable::Unbuildable { reason: error.to_string() };
    let shapes = body.parts.iter().map(|part| part.shape.shape().map_err(unbuildable));
    let shapes = shapes.collect::<Result<Vec<_>, _>>()?;
    let mut scratch = NarrowScratch::default();
    for (second, b) in body.parts.iter().enumerate() {
        for (first, a) in body.parts[..second].iter().enumerate() {
            let reach = a.shape.half_sides().length() + b.shape.half_sides().length();
            if a.pose.translation.distance_squared(b.pose.translation) > reach * reach {
                continue;
            }
            if coincide(a, b) {
                return Err(Unviable::Coincident { first, second });
            }
            let buried = |part, other, depth| Err(Unviable::Buried { part, other, depth });
            if b.attachment.as_ref().is_some_and(|on| on.parent == first) {
                if let Some(depth) = depth_inside(b, a, viability.max_depth) {
                    return buried(second, first, depth);
                }
                if let Some(depth) = depth_inside(a, b, viability.max_depth) {
                    return buried(first, second, depth);
                }
                continue;
            }
            let depth = depth_of([&shapes[first], &shapes[second]], [a, b], &mut scratch);
            let too_deep = |part: &Part| depth > viability.max_depth * 2.0 * part.shape.half_thickness();
            if depth > 0.0 && (too_deep(b) || contains_point(a, b.pose.translation, 1.0)) {
                return buried(second, first, depth);
            }
            if depth > 0.0 && (too_deep(a) || contains_point(b, a.pose.translation, 1.0)) {
                return buried(first, second, depth);
            }
        }
    }
    Ok(())
}

/// Returns how deep two parts are in each other, in m; negative if they are apart.
fn depth_of(shapes: [&Shape; 2], [a, b]: [&Part; 2], scratch: &mut NarrowScratch) -> f64 {
    let found = closest(shapes[0], &a.pose, shapes[1], &b.pose, &mut PairCache::default(), scratch);
    found.map_or(0.0, |found| -found.proximity.distance)
}

/// Returns whether a new part has space among others: it is not buried in the part that it is attached to, and
/// penetrates others by at most a fraction `share` of the thinner one's thickness. Slack muscles then part them.
pub(crate) fn has_space(part: &Part, others: &[Part], share: f64, viability: &Viability) -> bool {
    others.iter().enumerate().all(|(index, other)| {
        if part.attachment.as_ref().is_some_and(|on| on.parent == index) {
            return !coincide(other, part)
                && depth_inside(part, other, viability.max_depth).is_none()
                && depth_inside(other, part, viability.max_depth).is_none();
        }
        are_apart([other, part], share)
    })
}

/// Returns whether parts penetrate each other by at most a fraction `share` of the thinner one's thickness.
pub(crate) fn are_apart([a, b]: [&Part; 2], share: f64) -> bool {
    let reach = a.shape.half_sides().length() + b.shape.half_sides().length();
    if a.pose.translation.distance_squared(b.pose.translation) > reach * reach {
        return true;
    }
    let (Ok(shape_a), Ok(shape_b)) = (a.shape.shape(), b.shape.shape()) else { return false };
    let depth = depth_of([&shape_a, &shape_b], [a, b], &mut NarrowScratch::default());
    depth <= share * 2.0 * a.shape.half_thickness().min(b.shape.half_thickness())
}

/// Returns whether two parts of the same kind of shape fill nearly the same space.
fn coincide(a: &Part, b: &Part) -> bool {
    let near = COINCIDENCE_TOLERANCE * a.shape.half_thickness();
    let b_in_a = a.pose.inverse().compose(&b.pose);
    let [low_a, high_a] = a.shape.bounds(&Pose::IDENTITY);
    let [low_b, high_b] = b.shape.bounds(&b_in_a);
    std::mem::discriminant(&a.shape) == std::mem::discriminant(&b.shape)
        && b_in_a.translation.length() <= near
        && (low_a - low_b).abs().max_element() <= near
        && (high_a - high_b).abs().max_element() <= near
}

/// Returns how deep the middle of a part is inside the part that it is attached to, along the ray from the neighbour's
/// middle; `None` if it is not buried. It is buried if its middle is in the neighbour scaled by `inner`, or if all of
/// it is inside.
fn depth_inside(part: &Part, neighbour: &Part, inner: f64) -> Option<f64> {
    let middle = part.pose.translation;
    let tips = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    let mut tips = tips.map(|axis| part.pose.transform_point(part.shape.surface(axis).0));
    let is_buried =
        contains_point(neighbour, middle, inner) || tips.all(|tip| contains_point(neighbour, tip, 1.0 + 1e-9));
    is_buried.then(|| {
        let offset = neighbour.pose.inverse_transform_point(middle);
        neighbour.shape.surface(offset).0.length() - offset.length()
    })
}

/// Returns whether a point is inside a part scaled by `scale`. A ray from the middle leaves every shape exactly once.
fn contains_point(part: &Part, point: DVec3, scale: f64) -> bool {
    let offset = part.pose.inverse_transform_point(point);
    offset.length() <= scale * part.shape.surface(offset).0.length()
}
