//! The joint-space inertia matrix by composite rigid bodies.

use crate::model::WORLD;
use crate::spatial::ArticulatedInertia;
use crate::{Model, Workspace};

/// A dense symmetric matrix, as large as a model has degrees of freedom.
#[derive(Debug, Clone, PartialEq)]
pub struct MassMatrix {
    dofs: usize,
    values: Vec<f64>,
}

impl MassMatrix {
    /// Number of rows, and of columns.
    pub fn dofs(&self) -> usize {
        self.dofs
    }

    /// One entry, in kg m^2, kg m or kg, by whether its axes turn or slide.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.dofs + column]
    }

    /// All entries, row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The matrix times a vector of joint accelerations (or velocities), written to `product`.
    pub fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        for (row, sum) in self.values.chunks_exact(self.dofs.max(1)).zip(product) {
            *sum = row.iter().zip(vector).map(|(entry, x)| entry * x).sum();
        }
    }
}

/// The matrix M of `M qdd + b = Q` for the positions that the workspace was brought to, with the armature (and whatever
/// else the workspace adds to the joints' inertias) on its diagonal.
///
/// Entry (i, j) is the effort along i that a unit acceleration of j alone needs: the composite of everything outboard of
/// j, moved along j, felt along i on the way to the root. Allocates; the passes never need this matrix.
pub fn mass_matrix(model: &Model, workspace: &Workspace) -> MassMatrix {
    let dofs = model.dofs();
    let mut values = vec![0.0; dofs * dofs];
    let mut composites = vec![ArticulatedInertia::ZERO; model.links.len()];
    for (index, link) in model.links.iter().enumerate().rev() {
        let work = &workspace.links[index];
        composites[index] += link.inertia.rotated(&work.rotation).articulated();
        let composite = composites[index];
        if link.parent != WORLD {
            composites[link.parent as usize] += composite.shifted_back(work.offset);
        }
        for column in link.v..link.v + link.dofs as usize {
            let mut force = composite.times(&workspace.axes[column]);
            let mut at = index;
            loop {
                let above = &model.links[at];
                for row in above.v..above.v + above.dofs as usize {
                    // Written to both triangles, so that rounding leaves the matrix symmetric.
                    let entry = workspace.axes[row].dot(&force);
                    values[row * dofs + column] = entry;
                    values[column * dofs + row] = entry;
                }
                if above.parent == WORLD {
                    break;
                }
                force = force.shifted_back(workspace.links[at].offset);
                at = above.parent as usize;
            }
            values[column * dofs + column] += workspace.diagonal[column];
        }
    }
    MassMatrix { dofs, values }
}
