//! Masses and inertias as computed by MuJoCo's compiler.
//!
//! For a solid or a shell with second moments `S_i` (the integral of x_i^2 over its volume or surface) about its
//! centre, along its own axes, `I_x = S_y + S_z` and so on. The area of an ellipsoid is Thomsen's approximation; its
//! shell is the layer between two ellipsoids whose semi-axes differ by the same small length.

use std::f64::consts::PI;

use burgess_geometry::{MassProperties, Pose};
use burgess_scene::spec::ShapeKind;
use glam::{DMat3, DVec3};

use super::compiler::Compiler;
use super::placement::Placement;
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// Masses, volumes and moments up to this value count as zero (MuJoCo's mjEPS).
pub(super) const MIN_VALUE: f64 = 1e-14;

/// Mass in kg, centre of mass in m, and inertia about it in kg m^2.
pub(super) type Inertia = MassProperties;

/// Returns the inertia of a shape in its own frame for a given mass, or else a density; `None` for planes, height
/// fields and shapes without mass.
pub(super) fn of_shape(shape: &ShapeKind, mass: Option<f64>, density: f64, shell: bool) -> Option<Inertia> {
    let (measure, second) = if shell { shell_moments(shape) } else { solid_moments(shape) }?;
    let mass = mass.unwrap_or(density * measure);
    let s = second * (mass / measure);
    let inertia = DMat3::from_diagonal(DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y));
    (mass > MIN_VALUE).then_some(Inertia { mass, center_of_mass: DVec3::ZERO, inertia })
}

/// Returns volume and second moments of a solid.
fn solid_moments(shape: &ShapeKind) -> Option<(f64, DVec3)> {
    Some(match shape {
        ShapeKind::Sphere(ball) => solid_ellipsoid(DVec3::splat(ball.radius)),
        ShapeKind::Ellipsoid(ellipsoid) => solid_ellipsoid(ellipsoid.semi_axes),
        ShapeKind::Box(block) => {
            let half = 0.5 * block.size;
            let volume = 8.0 * half.element_product();
            (volume, half * half * (volume / 3.0))
        }
        ShapeKind::Cylinder(round) => solid_cylinder(round.radius, 0.5 * round.length),
        ShapeKind::Capsule(round) => {
            let (r, h) = (round.radius, 0.5 * round.length);
            let (tube, tube_second) = solid_cylinder(r, h);
            let (caps, ball) = solid_ellipsoid(DVec3::splat(r));
            // Two half balls moved outwards; the mean of |z| in a ball is 3 r / 8.
            let caps_second = ball + DVec3::new(0.0, 0.0, caps * (h * h + 0.75 * h * r));
            (tube + caps, tube_second + caps_second)
        }
        _ => return None,
    })
}

fn solid_ellipsoid(semi_axes: DVec3) -> (f64, DVec3) {
    let volume = 4.0 / 3.0 * PI * semi_axes.element_product();
    (volume, semi_axes * semi_axes * (volume / 5.0))
}

fn solid_cylinder(r: f64, h: f64) -> (f64, DVec3) {
    let volume = 2.0 * PI * r * r * h;
    (volume, volume * DVec3::new(r * r / 4.0, r * r / 4.0, h * h / 3.0))
}

/// Returns area and second moments of a shell.
fn shell_moments(shape: &ShapeKind) -> Option<(f64, DVec3)> {
    Some(match shape {
        ShapeKind::Sphere(ball) => {
            let area = 4.0 * PI * ball.radius * ball.radius;
            (area, DVec3::splat(area * ball.radius * ball.radius / 3.0))
        }
        ShapeKind::Ellipsoid(ellipsoid) => shell_ellipsoid(ellipsoid.semi_axes),
        ShapeKind::Box(block) => {
            let [a, b, c] = (0.5 * block.size).to_array();
            let second = |a: f64, b: f64, c: f64| 8.0 * a * a * (b * c + a * (b + c) / 3.0);
            (8.0 * (a * b + b * c + c * a), DVec3::new(second(a, b, c), second(b, c, a), second(c, a, b)))
        }
        ShapeKind::Cylinder(round) => {
            let (r, h) = (round.radius, 0.5 * round.length);
            let (side, side_second) = shell_tube(r, h);
            let lids = 2.0 * PI * r * r;
            (side + lids, side_second + lids * DVec3::new(r * r / 4.0, r * r / 4.0, h * h))
        }
        ShapeKind::Capsule(round) => {
            let (r, h) = (round.radius, 0.5 * round.length);
            let (side, side_second) = shell_tube(r, h);
            let caps = 4.0 * PI * r * r;
            // The mean of |z| on a sphere is r / 2.
            let along = r * r / 3.0 + h * r + h * h;
            (side + caps, side_second + caps * DVec3::new(r * r / 3.0, r * r / 3.0, along))
        }
        _ => return None,
    })
}

fn shell_tube(r: f64, h: f64) -> (f64, DVec3) {
    let area = 4.0 * PI * r * h;
    (area, area * DVec3::new(r * r / 2.0, r * r / 2.0, h * h / 3.0))
}

fn shell_ellipsoid(semi_axes: DVec3) -> (f64, DVec3) {
    let [a, b, c] = semi_axes.to_array();
    let p = 1.6075;
    let mean = (libm::pow(a * b, p) + libm::pow(b * c, p) + libm::pow(c * a, p)) / 3.0;
    let area = 4.0 * PI * libm::pow(mean, 1.0 / p);
    let share = |a: f64, b: f64, c: f64| (3.0 * a * a * b * c + a * a * a * (b + c)) / (5.0 * (a * b + b * c + c * a));
    (area, area * DVec3::new(share(a, b, c), share(b, c, a), share(c, a, b)))
}

/// Reads an `<inertial>` element in a frame of the body; returns the inertia in body coordinates.
pub(super) fn of_element(element: &Element, frame: &Pose, compiler: &Compiler) -> Result<Inertia, ImportError> {
    element.required("pos")?;
    element.required("mass")?;
    let mass = element.number("mass")?.filter(|&mass| mass >= 0.0);
    let mass = mass.ok_or_else(|| element.wrong("mass", "at least zero"))?;
    let mut placement = Placement::default();
    placement.apply(element)?;
    let pose = frame.compose(&placement.pose(compiler, element)?);
    let own = match (element.array::<3>("diaginertia")?, element.array::<6>("fullinertia")?) {
        (Some(_), Some(_)) => {
            return Err(element.conflict("has both diaginertia and fullinertia; expected one of them"));
        }
        (Some(diagonal), None) => DMat3::from_diagonal(DVec3::from_array(diagonal)),
        (None, Some([xx, yy, zz, xy, xz, yz])) => {
            if placement.turn != Placement::default().turn {
                return Err(
                    element.conflict("fullinertia cannot be combined with an orientation; remove the orientation")
                );
            }
            DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
        }
        (None, None) if mass <= MIN_VALUE => DMat3::ZERO,
        (None, None) => {
            return Err(element.fault(ImportFault::Missing { what: "diaginertia or fullinertia".to_string() }));
        }
    };
    Ok(Inertia { mass, center_of_mass: DVec3::ZERO, inertia: own }.transformed(&pose))
}

/// Applies minimum mass and inertia, and repairs or rejects physically impossible moments, as the compiler settings
/// say.
pub(super) fn adjusted(mut own: Inertia, compiler: &Compiler, element: &Element) -> Result<Inertia, ImportError> {
    own.mass = own.mass.max(compiler.min_mass);
    let (mut moments, axes) = own.principal_axes();
    let before = moments;
    if compiler.min_inertia > 0.0 {
        moments = moments.max(DVec3::splat(compiler.min_inertia));
    }
    if moments.min_element() < -1e-9 * moments.max_element().abs() {
        let [x, y, z] = moments.to_array();
        return Err(element
            .conflict(format!("the principal moments of inertia are {x}, {y} and {z}; they must not be negative")));
    }
    let sum = moments.element_sum();
    // A flat disc has equality, so allow for rounding.
    if 2.0 * moments.max_element() > sum * (1.0 + 1e-9) {
        if !compiler.balance_inertia {
            return Err(element.conflict(format!(
                "the principal moments of inertia are {}, {} and {}; the largest must not exceed the sum of the others \
                 (balanceinertia=\"true\" replaces them by their mean)",
                moments.x, moments.y, moments.z
            )));
        }
        moments = DVec3::splat(sum / 3.0);
    }
    if moments != before {
        let turn = DMat3::from_quat(axes);
        own.inertia = turn * DMat3::from_diagonal(moments) * turn.transpose();
    }
    Ok(own)
}
