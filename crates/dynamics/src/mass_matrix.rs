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
    /// Returns the number of rows, which is also the number of columns.
    pub fn dofs(&self) -> usize {
        self.dofs
    }

    /// Returns an entry, in kg m^2, kg m or kg, depending on whether its axes are hinges or slides.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.dofs + column]
    }

    /// Returns all entries, row by row.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// Writes the product of the matrix and a vector of joint accelerations (or velocities) to `product`.
    pub fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        for (row, sum) in self.values.chunks_exact(self.dofs.max(1)).zip(product) {
            *sum = row.iter().zip(vector).map(|(entry, x)| entry * x).sum();
        }
    }
}

/// Returns the matrix M of `M qdd + b = Q` at the positions of the workspace, with the armature (and any other inertia
/// that the workspace adds to the joints) on its diagonal.
///
/// Entry (i, j) is the effort along i that a unit acceleration of j alone needs: the composite body outboard of j,
/// accelerated along j, felt along i on the path to the root. Allocates; the passes do not use this matrix.
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
                    // Written to both triangles, so that the matrix is exactly symmetric.
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
