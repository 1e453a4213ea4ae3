//! Contact determination by full manifolds: the corners of the region in which two surfaces touch.

use burgess_geometry::Shape;

use super::overlap_half_space::Ground;
use super::overlap_polygon_polygon::overlap_polygon_polygon;
use super::overlap_segment_polygon::overlap_segment_polygon;
use super::overlap_segment_segment::overlap_segment_segment;
use super::overlap_tip::overlap_tip;
use super::patch::{Corner, Patch, patch};
use super::region::Region;
use super::{ClosePair, Contact, ContactDetermination, ContactId, Manifold, PairMemory};
use crate::contact_analysis::SupportPoints;

/// Length below which points coincide, relative to the smaller patch: see [`Region::snap`].
const SNAP_FRACTION: f64 = 1e-4;

/// Finds the corners of the whole contact region: face on face, edge on face, edges along or across each other, corner
/// on face; for a capsule, cylinder or cone, the line on which it lies or the flat end on which it stands; the corners
/// of any polyhedron on a half-space. Where the surfaces touch in a point, or for other shapes, there is one contact.
///
/// The deepest contact is that of the narrow phase, up to a ten-thousandth of the size of the touching features. A
/// contact is identified by two features: corner and face, edge and edge, corner and corner; the ids stay while the
/// same features touch. Round shapes have numbered features as well: a shape as a whole and a half-space are face 0;
/// the ends of a side line are vertices 16 (bottom) and 17 (top), the line is edge 16; flat ends are faces 0 (bottom)
/// and 1 (top), with rim vertices and edges 0 to 7 and 8 to 15.
#[derive(Debug, Clone)]
pub struct FullManifold {
    /// Maximum gap of a contact, in metres.
    pub margin: f64,
    /// Maximum number of contacts, up to [`Manifold::CAPACITY`]: the deepest is kept, and others that span the most
    /// area.
    pub max_points: usize,
    corners_a: Vec<Corner>,
    corners_b: Vec<Corner>,
    candidates: Vec<Contact>,
    support_points: SupportPoints,
}

impl FullManifold {
    /// Creates a method that finds contacts with gaps up to `margin` metres.
    pub fn new(margin: f64) -> Self {
        Self {
            margin,
            max_points: Manifold::CAPACITY,
            corners_a: Vec::new(),
            corners_b: Vec::new(),
            candidates: Vec::new(),
            support_points: SupportPoints::default(),
        }
    }

    /// Fills the candidates. Returns the contact of the closest points, and by how much a candidate may be less deep.
    fn find_candidates(&mut self, pair: &ClosePair) -> (Contact, f64) {
        let n = pair.proximity.normal;
        let (start_a, start_b) = pair.features.map_or((None, None), |f| (Some(f.a), Some(f.b)));
        let patch_a = patch(pair.a, n, start_a, &mut self.corners_a);
        patch_a.project(n, &mut self.corners_a);
        let patch_b = patch(pair.b, -(pair.b_in_a.rotation_inverse * n), start_b, &mut self.corners_b)
            .into_frame_of_a(pair.b_in_a, &mut self.corners_b);
        patch_b.project(-n, &mut self.corners_b);
        let (corners_a, corners_b) = (&self.corners_a[..], &self.corners_b[..]);

        let sizes = [patch_a.size(corners_a), patch_b.size(corners_b)];
        let size = sizes.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let snap = if size.is_finite() { SNAP_FRACTION * size } else { 0.0 };
        let candidates = &mut self.candidates;
        candidates.clear();
        let mut region = Region { normal: n, margin: self.margin, snap, candidates };

        let ground = match (pair.a, pair.b) {
            (Shape::HalfSpace(_), _) => Some((Ground::as_a(), pair.b, &patch_b, corners_b)),
            (_, Shape::HalfSpace(_)) => Some((Ground::as_b(pair.b_in_a), pair.a, &patch_a, corners_a)),
            _ => None,
        };
        match (ground, &patch_a, &patch_b) {
            (Some((ground, shape, patch, corners)), ..) => match shape.as_polyhedron() {
                Some(polyhedron) => ground.overlap_polyhedron(polyhedron, pair.b_in_a, &mut region),
                None => ground.overlap_patch(patch, corners, &mut region),
            },
            (None, Patch::Polygon(a), Patch::Polygon(b)) => {
                overlap_polygon_polygon((a, corners_a), (b, corners_b), &mut region)
            }
            (None, Patch::Segment(a), Patch::Polygon(b)) => {
                overlap_segment_polygon(a, (b, corners_b), true, &mut region)
            }
            (None, Patch::Polygon(a), Patch::Segment(b)) => {
                overlap_segment_polygon(b, (a, corners_a), false, &mut region)
            }
            (None, Patch::Segment(a), Patch::Segment(b)) => overlap_segment_segment(a, b, &mut region),
            (None, Patch::Tip(a), b) => overlap_tip(a, (b, corners_b), true, &mut region),
            (None, a, Patch::Tip(b)) => overlap_tip(b, (a, corners_a), false, &mut region),
            (None, Patch::None, _) | (None, _, Patch::None) => {}
        }
        let id = ContactId::new(patch_a.feature(), patch_b.feature());
        (Contact::from_proximity(pair.proximity, id), snap)
    }
}

impl ContactDetermination for FullManifold {
    fn set_margin(&mut self, margin: f64) {
        self.margin = margin;
    }

    fn determine(&mut self, pair: &ClosePair, _memory: &mut PairMemory, manifold: &mut Manifold) {
        manifold.clear();
        if pair.proximity.distance > self.margin {
            return;
        }
        let (closest, tolerance) = self.find_candidates(pair);
        // A round rim may touch between its numbered points, and shapes without a patch have only this contact.
        let deepest = self.candidates.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
        if deepest > closest.distance + tolerance {
            self.candidates.push(closest);
        }
        let max_points = self.max_points.min(Manifold::CAPACITY);
        for &kept in self.support_points.find(&self.candidates, pair.proximity.normal, max_points) {
            manifold.push(self.candidates[kept as usize]);
        }
    }
}
