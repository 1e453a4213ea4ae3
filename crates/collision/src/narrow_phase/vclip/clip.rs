//! Clipping an edge against the planes of a Voronoi region (000 figure 2.6).

/// The part of an edge `e(lambda) = (1 - lambda) tail + lambda head` that lies inside a region.
#[derive(Debug, Clone, Copy)]
pub struct Clip {
    /// Where the edge enters the region, and through which plane (none: its tail is inside).
    pub enter: (f64, Option<usize>),
    /// Where it leaves, and through which plane (none: its head is inside).
    pub leave: (f64, Option<usize>),
}

/// What clipping leaves.
#[derive(Debug, Clone, Copy)]
pub enum Clipped {
    /// No point of the edge is inside all planes.
    Nothing,
    /// The interval that is.
    Inside(Clip),
}

/// Clips an edge given, for each plane, the signed distances of its tail and head (positive outside).
#[inline(always)]
pub fn clip(distances: impl Iterator<Item = (f64, f64)>) -> Clipped {
    let mut clip = Clip { enter: (0.0, None), leave: (1.0, None) };
    for (index, (tail, head)) in distances.enumerate() {
        if tail > 0.0 {
            if head > 0.0 {
                return Clipped::Nothing;
            }
            let lambda = tail / (tail - head);
            if lambda > clip.enter.0 {
                clip.enter = (lambda, Some(index));
            }
        } else if head > 0.0 {
            let lambda = tail / (tail - head);
            if lambda < clip.leave.0 {
                clip.leave = (lambda, Some(index));
            }
        }
    }
    if clip.enter.0 > clip.leave.0 { Clipped::Nothing } else { Clipped::Inside(clip) }
}
