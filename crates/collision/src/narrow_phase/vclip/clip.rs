//! Clipping an edge against the planes of a Voronoi region (Fontijne 2000, figure 2.6).

/// The part of an edge `e(lambda) = (1 - lambda) tail + lambda head` that lies inside a region.
#[derive(Debug, Clone, Copy)]
pub struct Clip {
    /// Parameter at which the edge enters the region, and the plane (`None`: its tail is inside).
    pub enter: (f64, Option<usize>),
    /// Parameter at which it leaves, and the plane (`None`: its head is inside).
    pub leave: (f64, Option<usize>),
}

/// Result of clipping.
#[derive(Debug, Clone, Copy)]
pub enum Clipped {
    /// No point of the edge is inside all planes.
    Nothing,
    /// The interval that is inside.
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
