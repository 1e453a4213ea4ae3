//! Mechanics of random trees by a method independent of the library's.
//!
//! The pose of a link is a product of homogeneous 4x4 matrices, each a polynomial of second degree in time (a jet), so
//! that velocities, accelerations and Jacobians follow from the product rule alone. Everything else is dense algebra
//! over all links in maximal coordinates: `M = sum J^T I J`, `b = sum J^T (I a + w x I w - f)`. Nothing of the
//! library's kinematics, spatial algebra or recursion is used, only the layout of q and v.

#![allow(dead_code)]

pub mod random;

use burgess_dynamics::{Axis, AxisKind, LinkId, Model, State};
use burgess_geometry::Pose;
use glam::{DMat3, DVec3};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix4, Vector3};

/// A joint as specified by the user.
#[derive(Debug, Clone)]
pub enum Kind {
    Weld,
    Stack(Vec<Axis>),
    Spherical,
    Free,
}

/// A link as specified by the user; parents come before children.
#[derive(Debug, Clone)]
pub struct Body {
    pub parent: Option<usize>,
    pub kind: Kind,
    pub parent_frame: Pose,
    pub child_frame: Pose,
    pub mass: f64,
    pub center: DVec3,
    pub inertia: DMat3,
    pub armature: Vec<f64>,
    pub id: LinkId,
}

/// A matrix polynomial in time: `at + t first + t^2 second`.
#[derive(Debug, Clone, Copy)]
struct Jet {
    at: Matrix4<f64>,
    first: Matrix4<f64>,
    second: Matrix4<f64>,
}

impl Jet {
    fn constant(at: Matrix4<f64>) -> Self {
        Self { at, first: Matrix4::zeros(), second: Matrix4::zeros() }
    }

    fn times(&self, b: &Self) -> Self {
        Self {
            at: self.at * b.at,
            first: self.at * b.first + self.first * b.at,
            second: self.at * b.second + self.first * b.first + self.second * b.at,
        }
    }

    /// Returns `exp(t v + t^2 a / 2)` of a twist with speed v and acceleration a.
    fn exponential(v: Matrix4<f64>, a: Matrix4<f64>) -> Self {
        Self { at: Matrix4::identity(), first: v, second: 0.5 * (v * v + a) }
    }
}

/// The motion of a link: angular quantities and those of its centre of mass, in world axes.
#[derive(Debug, Clone, Copy)]
pub struct Moving {
    pub pose: Matrix4<f64>,
    pub center: Vector3<f64>,
    pub anchor: Vector3<f64>,
    pub spin: Vector3<f64>,
    pub velocity: Vector3<f64>,
    pub spin_rate: Vector3<f64>,
    pub acceleration: Vector3<f64>,
    /// Inertia about the centre of mass.
    pub inertia: Matrix3<f64>,
}

impl Moving {
    /// Returns the velocity and true acceleration of the link's point at `point`.
    pub fn at(&self, point: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let r = point - self.center;
        let swing = self.spin.cross(&r);
        (self.velocity + swing, self.acceleration + self.spin_rate.cross(&r) + self.spin.cross(&swing))
    }
}

pub fn vector(v: DVec3) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

pub fn glam_vector(v: Vector3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub fn matrix(m: &DMat3) -> Matrix3<f64> {
    Matrix3::from_column_slice(&m.to_cols_array())
}

pub fn cross(v: Vector3<f64>) -> Matrix3<f64> {
    v.cross_matrix()
}

fn homogeneous(rotation: &Matrix3<f64>, translation: &Vector3<f64>) -> Matrix4<f64> {
    let mut m = Matrix4::identity();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(rotation);
    m.fixed_view_mut::<3, 1>(0, 3).copy_from(translation);
    m
}

fn quaternion(q: &[f64]) -> Matrix3<f64> {
    let q = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]));
    *q.to_rotation_matrix().matrix()
}

fn pose_matrix(pose: &Pose) -> Matrix4<f64> {
    homogeneous(&quaternion(&pose.rotation.to_array()), &vector(pose.translation))
}

fn twist(angular: Vector3<f64>, linear: Vector3<f64>) -> Matrix4<f64> {
    let mut m = Matrix4::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&cross(angular));
    m.fixed_view_mut::<3, 1>(0, 3).copy_from(&linear);
    m
}

fn rotation_of(m: &Matrix4<f64>) -> Matrix3<f64> {
    m.fixed_view::<3, 3>(0, 0).into_owned()
}

fn translation_of(m: &Matrix4<f64>) -> Vector3<f64> {
    m.fixed_view::<3, 1>(0, 3).into_owned()
}

/// Returns the vector of the skew part.
fn skew_part(m: &Matrix3<f64>) -> Vector3<f64> {
    0.5 * Vector3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)])
}

/// Applies a constant transform on the other side of a moving joint.
fn joint_jet(kind: &Kind, q: &[f64], v: &[f64], a: &[f64]) -> Jet {
    let three = |x: &[f64]| Vector3::new(x[0], x[1], x[2]);
    let none = Vector3::zeros();
    match kind {
        Kind::Weld => Jet::constant(Matrix4::identity()),
        Kind::Spherical => Jet::constant(homogeneous(&quaternion(q), &none))
            .times(&Jet::exponential(twist(three(v), none), twist(three(a), none))),
        Kind::Free => {
            let turning = Jet::exponential(twist(three(v), none), twist(three(a), none));
            let mut jet = turning.times(&Jet::constant(homogeneous(&quaternion(&q[3..]), &none)));
            jet.at.fixed_view_mut::<3, 1>(0, 3).copy_from(&three(q));
            jet.first.fixed_view_mut::<3, 1>(0, 3).copy_from(&three(&v[3..]));
            jet.second.fixed_view_mut::<3, 1>(0, 3).copy_from(&(0.5 * three(&a[3..])));
            jet
        }
        Kind::Stack(axes) => {
            let mut jet = Jet::constant(Matrix4::identity());
            for (k, axis) in axes.iter().enumerate() {
                let direction = vector(axis.direction).normalize();
                let anchor = vector(axis.anchor);
                let (moved, unit) = match axis.kind {
                    AxisKind::Slide => (homogeneous(&Matrix3::identity(), &(direction * q[k])), twist(none, direction)),
                    AxisKind::Hinge => {
                        let turn =
                            nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(direction), q[k]);
                        let turn = *turn.matrix();
                        (homogeneous(&turn, &(anchor - turn * anchor)), twist(direction, -direction.cross(&anchor)))
                    }
                };
                let moving = Jet::exponential(unit * v[k], unit * a[k]);
                jet = jet.times(&moving.times(&Jet::constant(moved)));
            }
            jet
        }
    }
}

/// Computes all links for positions, velocities and joint accelerations.
pub fn motions(model: &Model, bodies: &[Body], q: &[f64], v: &[f64], a: &[f64]) -> Vec<Moving> {
    let mut jets: Vec<Jet> = Vec::new();
    let mut result = Vec::new();
    for body in bodies {
        let link = &model.links()[model.index(body.id).unwrap()];
        let base = body.parent.map_or(Jet::constant(Matrix4::identity()), |parent| jets[parent]);
        let joint = joint_jet(&body.kind, &q[link.q..], &v[link.v..], &a[link.v..]);
        let child_frame = match body.kind {
            Kind::Free => Pose::from_translation(body.center),
            _ => body.child_frame,
        };
        let inverse = pose_matrix(&child_frame).try_inverse().unwrap();
        let joint_frame = base.times(&Jet::constant(pose_matrix(&body.parent_frame))).times(&joint);
        let jet = joint_frame.times(&Jet::constant(inverse));
        let (at, first, second) = (rotation_of(&jet.at), rotation_of(&jet.first), rotation_of(&jet.second));
        let center = vector(body.center);
        let anchor = match &body.kind {
            Kind::Stack(axes) if axes.len() == 1 => vector(child_frame.transform_point(axes[0].anchor)),
            _ => vector(child_frame.translation),
        };
        result.push(Moving {
            pose: jet.at,
            center: at * center + translation_of(&jet.at),
            anchor: at * anchor + translation_of(&jet.at),
            spin: skew_part(&(first * at.transpose())),
            velocity: first * center + translation_of(&jet.first),
            // R'' R^T = [alpha] + [w]^2, and the square is symmetric.
            spin_rate: skew_part(&(2.0 * second * at.transpose())),
            acceleration: 2.0 * (second * center + translation_of(&jet.second)),
            inertia: at * matrix(&body.inertia) * at.transpose(),
        });
        jets.push(jet);
    }
    result
}

/// A force on a body at a point of the world, and a moment.
#[derive(Debug, Clone, Copy)]
pub struct External {
    pub body: usize,
    pub force: DVec3,
    pub moment: DVec3,
    pub point: DVec3,
}

/// Dense mass matrix, bias and Jacobians of a state.
pub struct Dense {
    /// For each body: rows of the angular velocity, then of the centre of mass.
    pub jacobians: Vec<DMatrix<f64>>,
    /// Sums of absolute values of the summands in the entries of the Jacobians.
    pub jacobian_scales: Vec<DMatrix<f64>>,
    pub mass_matrix: DMatrix<f64>,
    pub bias: DVector<f64>,
    /// Sums of absolute values of the summands in the entries of the bias.
    pub bias_scale: DVector<f64>,
    /// Sums of absolute values of the summands in the entries of the mass matrix.
    pub mass_scale: DMatrix<f64>,
}

pub fn jacobians(model: &Model, bodies: &[Body], q: &[f64]) -> Vec<DMatrix<f64>> {
    let dofs = model.dofs();
    let zero = vec![0.0; dofs];
    let mut jacobians = vec![DMatrix::zeros(6, dofs); bodies.len()];
    for k in 0..dofs {
        let mut unit = zero.clone();
        unit[k] = 1.0;
        for (jacobian, moving) in jacobians.iter_mut().zip(motions(model, bodies, q, &unit, &zero)) {
            jacobian.fixed_view_mut::<3, 1>(0, k).copy_from(&moving.spin);
            jacobian.fixed_view_mut::<3, 1>(3, k).copy_from(&moving.velocity);
        }
    }
    jacobians
}

pub fn dense(model: &Model, bodies: &[Body], state: &State, externals: &[External]) -> Dense {
    let dofs = model.dofs();
    let jacobians = jacobians(model, bodies, &state.q);
    let zero = vec![0.0; dofs];
    let moving = motions(model, bodies, &state.q, &state.v, &zero);
    let mut mass_matrix = DMatrix::zeros(dofs, dofs);
    let mut mass_scale = DMatrix::zeros(dofs, dofs);
    let mut bias = DVector::zeros(dofs);
    let mut bias_scale = DVector::zeros(dofs);
    let extent = moving.iter().map(|m| m.center.norm()).fold(0.0, f64::max);
    let mut jacobian_scales = Vec::new();
    for (index, (body, moving)) in bodies.iter().zip(&moving).enumerate() {
        let jacobian = &jacobians[index];
        // Directions are exact to their length; levers, differences of positions, are no more exact than the positions.
        let mut terms_of_jacobian = jacobian.clone();
        for mut column in terms_of_jacobian.column_iter_mut() {
            let (angular, linear) = (column.rows(0, 3).norm(), column.rows(3, 3).norm());
            column.rows_mut(0, 3).fill(angular);
            column.rows_mut(3, 3).fill(linear + angular * extent);
        }
        let mut inertia = DMatrix::zeros(6, 6);
        inertia.view_mut((0, 0), (3, 3)).copy_from(&moving.inertia);
        inertia.view_mut((3, 3), (3, 3)).fill_with_identity();
        inertia.view_mut((3, 3), (3, 3)).scale_mut(body.mass);
        mass_matrix += jacobian.transpose() * &inertia * jacobian;
        mass_scale += terms_of_jacobian.transpose() * inertia.abs() * &terms_of_jacobian;
        let spin = moving.spin;
        let terms = [
            (moving.inertia * moving.spin_rate, body.mass * moving.acceleration),
            (spin.cross(&(moving.inertia * spin)), -body.mass * vector(model.gravity)),
        ];
        let externals = externals.iter().filter(|e| e.body == index).map(|e| {
            let force = vector(e.force);
            (-(vector(e.moment) + (vector(e.point) - moving.center).cross(&force)), -force)
        });
        for (moment, force) in terms.into_iter().chain(externals) {
            let wrench = DVector::from_iterator(6, moment.iter().chain(force.iter()).copied());
            bias += jacobian.transpose() * &wrench;
            bias_scale += terms_of_jacobian.transpose() * wrench.abs();
        }
        let v = model.links()[model.index(body.id).unwrap()].v;
        for (k, armature) in body.armature.iter().enumerate() {
            mass_matrix[(v + k, v + k)] += armature;
            mass_scale[(v + k, v + k)] += armature;
        }
        jacobian_scales.push(terms_of_jacobian);
    }
    Dense { jacobians, jacobian_scales, mass_matrix, bias, bias_scale, mass_scale }
}
