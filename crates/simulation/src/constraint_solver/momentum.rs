//! Acceleration of sweeps: impulses are extrapolated along a direction that combines the changes of earlier sweeps.

use glam::DVec3;

use crate::contact_space::ContactSpace;

/// The direction of extrapolation.
#[derive(Debug, Clone, Default)]
pub(super) struct Momentum {
    before: Vec<DVec3>,
    direction: Vec<DVec3>,
    rows_before: Vec<f64>,
    row_direction: Vec<f64>,
    norm: f64,
}

impl Momentum {
    /// Resets the direction.
    pub fn start(&mut self, blocks: &[u32], rows: &[u32]) {
        self.direction.clear();
        self.direction.resize(blocks.len(), DVec3::ZERO);
        self.row_direction.clear();
        self.row_direction.resize(rows.len(), 0.0);
        self.norm = 0.0;
    }

    /// Stores the impulses before a sweep.
    pub fn before_sweep(&mut self, space: &ContactSpace, blocks: &[u32], rows: &[u32]) {
        self.before.clear();
        self.before.extend(blocks.iter().map(|&block| space.blocks()[block as usize].impulse));
        self.rows_before.clear();
        self.rows_before.extend(rows.iter().map(|&row| space.rows()[row as usize].impulse));
    }

    /// Extrapolates the impulses after a sweep. A sweep that changes more than the one before resets the direction.
    pub fn after_sweep(&mut self, space: &mut ContactSpace, blocks: &[u32], rows: &[u32]) {
        let mut norm = 0.0;
        for (before, &block) in self.before.iter_mut().zip(blocks) {
            let block = &space.blocks()[block as usize];
            *before = block.impulse - *before;
            norm += before.dot(block.k * *before);
        }
        for (before, &row) in self.rows_before.iter_mut().zip(rows) {
            let row = &space.rows()[row as usize];
            *before = row.impulse - *before;
            norm += *before * *before * (row.k + row.softness);
        }
        let keep = if self.norm > 0.0 { norm / self.norm } else { 0.0 };
        let keep = if keep > 1.0 { 0.0 } else { keep };
        self.norm = norm;
        for ((direction, change), &block) in self.direction.iter_mut().zip(&self.before).zip(blocks) {
            let carried = *direction * keep;
            *direction = carried + *change;
            if carried != DVec3::ZERO {
                let impulse = space.blocks()[block as usize].impulse + carried;
                space.set_impulse(block as usize, impulse);
                space.apply(block as usize, carried);
            }
        }
        for ((direction, change), &row) in self.row_direction.iter_mut().zip(&self.rows_before).zip(rows) {
            let carried = *direction * keep;
            *direction = carried + *change;
            if carried != 0.0 {
                let impulse = space.rows()[row as usize].impulse + carried;
                space.set_row_impulse(row as usize, impulse);
                space.apply_row(row as usize, carried);
            }
        }
    }
}
