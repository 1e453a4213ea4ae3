//! Small linear algebra of the inward and outward passes at a joint.
//!
//! For a joint with axes S (N motions) and articulated inertia I of its link, D = S^T I S + diagonal is the inertia
//! along the joint. With the Cholesky factor D = L L^T, the workspace stores for a joint
//!
//! ```text
//!   axis_forces:  Y = I S L^-T      (N forces; for one axis simply I S)
//!   block:        L, row by row     (for one axis 1 / D)
//! ```
//!
//! so that the inertia presented to the parent is `I - Y Y^T`. A free joint has no parent: its block holds the factors
//! of the articulated inertia with the diagonal (`FactoredInertia`). The functions are generic in N and unrolled for
//! each.

use crate::spatial::{ArticulatedInertia, Force, Motion};

/// Factors a joint of one axis. Returns the inertia presented to the parent.
#[inline(always)]
pub fn factor_one(
    inertia: &ArticulatedInertia,
    axis_force: Force,
    along: f64,
    force: &mut Force,
    block: &mut f64,
) -> ArticulatedInertia {
    let inverse = 1.0 / along;
    (*force, *block) = (axis_force, inverse);
    let mut shown = *inertia;
    shown.subtract_outer(&axis_force, inverse);
    shown
}

/// Factors a joint of N axes. Returns the inertia presented to the parent.
#[inline]
pub fn factor<const N: usize>(
    inertia: &ArticulatedInertia,
    axes: &[Motion],
    diagonal: &[f64],
    forces: &mut [Force],
    block: &mut [f64],
) -> ArticulatedInertia {
    let mut u = [Force::ZERO; N];
    for k in 0..N {
        u[k] = inertia.times(&axes[k]);
    }
    // Cholesky factorisation of D; the columns of Y follow by forward substitution.
    let mut shown = *inertia;
    for k in 0..N {
        let mut y = u[k];
        for l in 0..k {
            let factor = block[k * N + l];
            y -= forces[l] * factor;
        }
        // y is now column k of I S minus its parts along earlier axes; its own part is the pivot.
        let mut pivot = axes[k].dot(&u[k]) + diagonal[k];
        for l in 0..k {
            pivot -= block[k * N + l] * block[k * N + l];
        }
        let root = pivot.sqrt();
        let inverse = 1.0 / root;
        block[k * N + k] = root;
        for j in k + 1..N {
            let mut d = axes[j].dot(&u[k]);
            for l in 0..k {
                d -= block[j * N + l] * block[k * N + l];
            }
            block[j * N + k] = d * inverse;
        }
        forces[k] = y * inverse;
        shown.subtract_outer(&forces[k], 1.0);
    }
    shown
}

/// Computes `L^-1 x` in place.
#[inline]
pub fn forward_substitute<const N: usize>(block: &[f64], x: &mut [f64]) {
    for k in 0..N {
        let mut sum = x[k];
        for l in 0..k {
            sum -= block[k * N + l] * x[l];
        }
        x[k] = sum / block[k * N + k];
    }
}

/// Computes `L^-T x` in place.
#[inline]
pub fn back_substitute<const N: usize>(block: &[f64], x: &mut [f64]) {
    for k in (0..N).rev() {
        let mut sum = x[k];
        for l in k + 1..N {
            sum -= block[l * N + k] * x[l];
        }
        x[k] = sum / block[k * N + k];
    }
}

/// Calls a function generic in the number of degrees of freedom.
macro_rules! for_dofs {
    ($dofs:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dofs {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            _ => $function::<6>($($argument),*),
        }
    };
}
pub(crate) use for_dofs;
