//! Burgess: hierarchical hashing with default settings.

use anyhow::Result;
use burgess_collision::broad_phase::{BroadPhase, HierarchicalHashing, Proxy, ProxyId};
use burgess_geometry::Aabb;

use super::{Overlaps, Pairs};
use crate::crowd::Frame;

/// A broad phase and its identifiers of the boxes.
pub struct Burgess {
    hashing: HierarchicalHashing,
    ids: Vec<ProxyId>,
    /// Index of the box of each identifier.
    boxes: Vec<u32>,
}

impl Burgess {
    /// Creates a broad phase with boxes.
    pub fn new(boxes: &[Aabb]) -> Result<Self> {
        let mut hashing = HierarchicalHashing::default();
        let ids = boxes.iter().map(|bounds| hashing.insert(Proxy::moving(*bounds))).collect::<Result<Vec<_>, _>>()?;
        let mut boxes = vec![0; ids.iter().map(|id| id.index() + 1).max().unwrap_or(0)];
        for (index, id) in ids.iter().enumerate() {
            boxes[id.index()] = index as u32;
        }
        Ok(Self { hashing, ids, boxes })
    }
}

impl Overlaps for Burgess {
    fn step(&mut self, frame: &Frame, pairs: &mut Pairs) -> Result<()> {
        let proxies = self.hashing.proxies_mut();
        for &index in &frame.moved {
            proxies.set_box(self.ids[index as usize], frame.boxes[index as usize])?;
        }
        self.hashing.update();
        for pair in self.hashing.pairs() {
            pairs.add(self.boxes[pair.a.index()], self.boxes[pair.b.index()]);
        }
        Ok(())
    }
}
