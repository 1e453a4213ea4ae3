//! Integration of positions: on the manifold by the exponential map, or as rates of coordinates.

use glam::DQuat;

use crate::Model;
use crate::joint::Joint;
use crate::rotation_vector::exponential;
use crate::state::{read_quaternion, read_vector, write_quaternion, write_vector};

/// Moves positions with constant velocities for `step` s; exact for each joint. Quaternions rotate by the exponential
/// map and keep unit length: `q exp(h w)` for spherical joints, whose velocities are along the link's inner axes,
/// `exp(h w) q` for free ones, whose velocities are along the world's axes.
pub fn advance_positions(model: &Model, q: &mut [f64], v: &[f64], step: f64) {
    for link in model.links() {
        match link.joint {
            Joint::Spherical => {
                let turn = exponential(read_vector(&v[link.v..]) * step);
                let q = &mut q[link.q..];
                write_quaternion(q, (read_quaternion(q) * turn).normalize());
            }
            Joint::Free => {
                let turn = exponential(read_vector(&v[link.v..]) * step);
                let (position, orientation) = q[link.q..].split_at_mut(3);
                write_vector(position, read_vector(position) + read_vector(&v[link.v + 3..]) * step);
                write_quaternion(orientation, (turn * read_quaternion(orientation)).normalize());
            }
            _ => {
                for k in 0..link.dofs as usize {
                    q[link.q + k] += v[link.v + k] * step;
                }
            }
        }
    }
}

/// Normalises every quaternion.
pub fn normalize_positions(model: &Model, q: &mut [f64]) {
    for link in model.links() {
        let quaternion = match link.joint {
            Joint::Spherical => &mut q[link.q..],
            Joint::Free => &mut q[link.q + 3..],
            _ => continue,
        };
        let unit = read_quaternion(quaternion).normalize();
        write_quaternion(quaternion, unit);
    }
}

/// Computes the time derivatives of the coordinates. Quaternions count as four free numbers: `qdot = q w / 2`
/// (spherical) or `w q / 2` (free) conserves their length in exact arithmetic, so a method of any order keeps its
/// order.
pub(crate) fn position_rates(model: &Model, q: &[f64], v: &[f64], rates: &mut [f64]) {
    for link in model.links() {
        match link.joint {
            Joint::Spherical => {
                let w = half_pure(&v[link.v..]);
                write_quaternion(&mut rates[link.q..], read_quaternion(&q[link.q..]) * w);
            }
            Joint::Free => {
                let w = half_pure(&v[link.v..]);
                write_vector(&mut rates[link.q..], read_vector(&v[link.v + 3..]));
                write_quaternion(&mut rates[link.q + 3..], w * read_quaternion(&q[link.q + 3..]));
            }
            _ => {
                let dofs = link.dofs as usize;
                rates[link.q..link.q + dofs].copy_from_slice(&v[link.v..link.v + dofs]);
            }
        }
    }
}

fn half_pure(w: &[f64]) -> DQuat {
    DQuat::from_xyzw(0.5 * w[0], 0.5 * w[1], 0.5 * w[2], 0.0)
}
