//! Who is near whom: the broad phase with a box of the size of the view distance round every member.

use burgess_collision::broad_phase::{BroadPhase, BroadPhaseError, HierarchicalHashing, Pair, Proxy, ProxyId};
use burgess_geometry::Aabb;
use glam::DVec3;

/// Finds the pairs of members that are near each other. It holds scratch only: the pairs depend on the present
/// positions alone.
#[derive(Debug)]
pub(super) struct Perception {
    broad_phase: Box<dyn BroadPhase>,
    ids: Vec<ProxyId>,
    half: f64,
}

impl Perception {
    /// Creates the perception of a number of members that see up to a distance, in m.
    pub fn new(members: usize, view_distance: f64) -> Result<Self, BroadPhaseError> {
        let mut broad_phase = HierarchicalHashing::default();
        let half = 0.5 * view_distance;
        let boxed = Aabb::from_center(DVec3::ZERO, DVec3::splat(half));
        let ids = (0..members).map(|_| broad_phase.insert(Proxy::moving(boxed))).collect::<Result<_, _>>()?;
        Ok(Self { broad_phase: Box::new(broad_phase), ids, half })
    }

    /// Returns the pairs whose distance along every axis is at most the view distance, in ascending order.
    pub fn pairs(&mut self, positions: &[DVec3]) -> &[Pair] {
        for (&id, &position) in self.ids.iter().zip(positions) {
            // A box that is not finite is refused; its member then has the neighbours of its last valid position.
            let _ = self.broad_phase.set_box(id, Aabb::from_center(position, DVec3::splat(self.half)));
        }
        self.broad_phase.update();
        self.broad_phase.pairs()
    }
}
