//! Mass, centre of mass and inertia (Fontijne 2000, section 3.5).

use glam::{DMat3, DQuat, DVec3};

use crate::{GeometryError, Pose};

/// Maximum number of Jacobi sweeps. A symmetric 3x3 matrix is diagonal to the last bit after six or seven.
const JACOBI_SWEEPS: usize = 16;

/// Mass, centre of mass and inertia of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass, in kilograms.
    pub mass: f64,
    /// Centre of mass in the frame of the shape, in metres.
    pub center_of_mass: DVec3,
    /// Inertia about the centre of mass along the axes of the shape's frame, in kg m^2.
    pub inertia: DMat3,
}

impl MassProperties {
    /// Creates mass properties. All numbers must be finite, the mass and the principal moments positive, the inertia
    /// symmetric, and no principal moment larger than the sum of the other two (up to rounding).
    pub fn new(mass: f64, center_of_mass: DVec3, inertia: DMat3) -> Result<Self, GeometryError> {
        let moments = DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z);
        let refused = Err(GeometryError::MassOutOfRange { mass, moments });
        if !(mass > 0.0 && mass.is_finite() && inertia.is_finite() && center_of_mass.is_finite()) {
            return refused;
        }
        let slack = 1e-9 * moments.element_sum().abs();
        let asymmetry =
            (inertia - inertia.transpose()).to_cols_array().into_iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let properties = Self { mass, center_of_mass, inertia };
        let principal = properties.principal_axes().0;
        let largest = principal.max_element();
        let triangle = 2.0 * largest <= principal.element_sum() + slack;
        if asymmetry <= slack && principal.min_element() > 0.0 && triangle { Ok(properties) } else { refused }
    }

    /// Returns the mass properties of a solid with uniform density (kg/m^3) inside a closed surface of triangles,
    /// counter-clockwise seen from outside. The result is exact up to rounding.
    ///
    /// The divergence theorem turns the volume integral into a sum over the tetrahedra that the triangles span with a
    /// reference point. The second of two passes uses the centre of mass as the reference point, which avoids
    /// cancellation far from the origin.
    pub fn of_surface(
        triangles: impl Iterator<Item = [DVec3; 3]> + Clone,
        density: f64,
    ) -> Result<Self, GeometryError> {
        let density = positive_density(density)?;
        let (mut count, mut sum) = (0.0, DVec3::ZERO);
        for corners in triangles.clone() {
            count += 3.0;
            sum += corners[0] + corners[1] + corners[2];
        }
        let near = sum / count;
        let rough = Moments::about(near, triangles.clone());
        let center = near + rough.first / rough.volume;
        let moments = Moments::about(center, triangles);
        let mass = density * moments.volume;
        Self::new(mass, center + moments.first / moments.volume, density * moments.inertia())
    }

    /// Returns the mass properties of several bodies fixed to each other, which must not overlap. Returns `None`
    /// without bodies.
    pub fn combined(bodies: impl Iterator<Item = Self> + Clone) -> Option<Self> {
        let mass: f64 = bodies.clone().map(|b| b.mass).sum();
        if mass <= 0.0 {
            return None;
        }
        let center_of_mass = bodies.clone().map(|b| (b.mass / mass) * b.center_of_mass).sum();
        let about = |b: Self| b.inertia + parallel_axis(b.mass, b.center_of_mass - center_of_mass);
        let inertia = bodies.map(about).fold(DMat3::ZERO, |sum, i| sum + i);
        Some(Self { mass, center_of_mass, inertia })
    }

    /// Returns the mass properties in an outer frame, in which the present frame has the given pose.
    pub fn transformed(&self, pose: &Pose) -> Self {
        let rotation = pose.matrix();
        Self {
            mass: self.mass,
            center_of_mass: pose.transform_point(self.center_of_mass),
            inertia: symmetric(rotation * self.inertia * rotation.transpose()),
        }
    }

    /// Returns the mass properties of the same shape with another total mass, in kilograms.
    pub fn with_mass(&self, mass: f64) -> Result<Self, GeometryError> {
        Self::new(mass, self.center_of_mass, (mass / self.mass) * self.inertia)
    }

    /// Returns the inertia about another point of the frame, along the same axes, in kg m^2.
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia + parallel_axis(self.mass, self.center_of_mass - point)
    }

    /// Returns the principal moments (kg m^2) and the rotation from principal axes to the axes of the frame. If the
    /// inertia is already diagonal, the axes are kept.
    pub fn principal_axes(&self) -> (DVec3, DQuat) {
        let (moments, axes) = jacobi(self.inertia);
        (moments, DQuat::from_mat3(&axes).normalize())
    }

    /// Returns the body frame as a pose in the user's frame: its origin is the centre of mass, its axes are the
    /// principal axes (Fontijne 2000, figure 3.5).
    pub fn body_frame(&self) -> Pose {
        Pose::new(self.principal_axes().1, self.center_of_mass)
    }
}

/// Returns the inertia of a point mass `m` at offset `r`: `m (r.r 1 - r r^T)`.
fn parallel_axis(mass: f64, r: DVec3) -> DMat3 {
    mass * (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r, r))
}

/// Returns the outer product `a b^T`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Returns the mean of a matrix and its transpose, which removes asymmetry due to rounding.
fn symmetric(m: DMat3) -> DMat3 {
    0.5 * (m + m.transpose())
}

pub(crate) fn positive_density(density: f64) -> Result<f64, GeometryError> {
    if density > 0.0 && density.is_finite() {
        Ok(density)
    } else {
        Err(GeometryError::NotPositive { what: "density", value: density })
    }
}

/// Integrals of 1, x and x x^T over the volume inside a surface.
struct Moments {
    volume: f64,
    first: DVec3,
    second: DMat3,
}

impl Moments {
    /// Integrates with `x` measured from `point`. A tetrahedron with corners 0, a, b, c has volume `det(a, b, c) / 6`,
    /// first moment `det / 24 s` and second moment `det / 120 (a a^T + b b^T + c c^T + s s^T)`, with `s = a + b + c`.
    fn about(point: DVec3, triangles: impl Iterator<Item = [DVec3; 3]>) -> Self {
        let mut sum = Self { volume: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };
        for corners in triangles {
            let [a, b, c] = corners.map(|p| p - point);
            let det = a.dot(b.cross(c));
            let s = a + b + c;
            sum.volume += det;
            sum.first += det * s;
            sum.second += det * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s));
        }
        Self { volume: sum.volume / 6.0, first: sum.first / 24.0, second: sum.second * (1.0 / 120.0) }
    }

    /// Returns `trace(second) 1 - second`.
    fn inertia(&self) -> DMat3 {
        let trace = self.second.x_axis.x + self.second.y_axis.y + self.second.z_axis.z;
        symmetric(DMat3::from_diagonal(DVec3::splat(trace)) - self.second)
    }
}

/// Returns the eigenvalues and eigenvectors (columns, right-handed) of a symmetric matrix, found by cyclic Jacobi
/// rotations.
fn jacobi(matrix: DMat3) -> (DVec3, DMat3) {
    let mut a = matrix.to_cols_array_2d();
    let mut axes = DVec3::AXES;
    for _ in 0..JACOBI_SWEEPS {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            // An off-diagonal entry too small to change the diagonal counts as zero.
            let small = f64::EPSILON * 0.125 * (a[p][p].abs() * a[q][q].abs()).sqrt();
            if a[p][q].abs() <= small {
                continue;
            }
            turned = true;
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + libm::hypot(theta, 1.0));
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            let r = 3 - p - q;
            let (apq, arp, arq) = (a[p][q], a[r][p], a[r][q]);
            a[p][p] -= t * apq;
            a[q][q] += t * apq;
            (a[p][q], a[q][p]) = (0.0, 0.0);
            (a[r][p], a[r][q]) = (c * arp - s * arq, s * arp + c * arq);
            (a[p][r], a[q][r]) = (a[r][p], a[r][q]);
            let (axis_p, axis_q) = (axes[p], axes[q]);
            (axes[p], axes[q]) = (c * axis_p - s * axis_q, s * axis_p + c * axis_q);
        }
        if !turned {
            break;
        }
    }
    (DVec3::new(a[0][0], a[1][1], a[2][2]), DMat3::from_cols(axes[0], axes[1], axes[2]))
}
