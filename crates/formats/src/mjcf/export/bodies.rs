//! Writes the tree of bodies with their masses, joints, geoms, sites and cameras.

use burgess_geometry::MassProperties;
use glam::{DMat3, DVec3};

use super::cameras::Cameras;
use super::geoms::Shapes;
use super::sites::Sites;
use super::tree::Tree;
use crate::xml::XmlWriter;

/// MuJoCo checks `A + B >= C` for the moments of inertia without tolerance, after rounding. This fraction of C covers
/// the rounding errors.
const ROUNDING_MARGIN: f64 = 1e-13;

pub(super) fn write(xml: &mut XmlWriter, tree: &Tree, shapes: &Shapes, sites: &Sites, cameras: &Cameras) {
    xml.open("worldbody");
    let world = tree.bodies.iter().position(|body| body.is_world());
    if let Some(world) = world {
        shapes.write(xml, world);
        sites.write(xml, Some(world));
        cameras.write(xml, Some(world));
    }
    sites.write(xml, None);
    cameras.write(xml, None);
    let mut open: Vec<usize> = Vec::new();
    for &index in tree.order.iter().filter(|&&index| Some(index) != world) {
        let body = &tree.bodies[index];
        while open.last().copied() != body.parent {
            open.pop();
            xml.close();
        }
        open.push(index);
        xml.open("body").attribute("name", &body.name);
        xml.vector_unless_zero("pos", body.pose.translation);
        xml.quaternion_unless_identity("quat", body.pose.rotation);
        if body.spec.script.is_some() {
            xml.attribute("mocap", "true");
        }
        if let Some(mass) = &body.mass {
            write_inertial(xml, mass);
        }
        for joint in &body.joints {
            joint.write(xml);
        }
        shapes.write(xml, index);
        sites.write(xml, Some(index));
        cameras.write(xml, Some(index));
    }
    for _ in open {
        xml.close();
    }
    xml.close();
}

fn write_inertial(xml: &mut XmlWriter, mass: &MassProperties) {
    let inertia = accepted_inertia(mass);
    let diagonal = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z];
    let mixed = [inertia.x_axis.y, inertia.x_axis.z, inertia.y_axis.z];
    xml.open("inertial").numbers("pos", mass.center_of_mass.to_array()).number("mass", mass.mass);
    if mixed == [0.0; 3] {
        xml.numbers("diaginertia", diagonal);
    } else {
        xml.numbers("fullinertia", diagonal.into_iter().chain(mixed));
    }
    xml.close();
}

/// Returns the inertia, slightly enlarged if MuJoCo would reject it because of rounding. Thin plates are the limiting
/// case.
fn accepted_inertia(mass: &MassProperties) -> DMat3 {
    let inertia = (mass.inertia + mass.inertia.transpose()) * 0.5;
    let moments = mass.principal_axes().0;
    let largest = moments.max_element();
    let [a, b, c] = moments.to_array();
    let spare = (a + b - c).min(b + c - a).min(c + a - b);
    // A diagonal matrix is not rounded.
    let is_diagonal = [inertia.x_axis.y, inertia.x_axis.z, inertia.y_axis.z] == [0.0; 3];
    if spare >= if is_diagonal { 0.0 } else { ROUNDING_MARGIN * largest } {
        return inertia;
    }
    inertia + DMat3::from_diagonal(DVec3::splat(ROUNDING_MARGIN * largest - spare))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MuJoCo's check of the moments; negative values are rejected.
    fn spare(inertia: DMat3) -> f64 {
        let [a, b, c] = inertia.to_cols_array_2d();
        (a[0] + b[1] - c[2]).min(b[1] + c[2] - a[0]).min(c[2] + a[0] - b[1])
    }

    #[test]
    fn only_inertias_that_mujoco_rejects_are_changed() {
        let plate = |moments: DVec3| MassProperties {
            mass: 1.0,
            center_of_mass: DVec3::ZERO,
            inertia: DMat3::from_diagonal(moments),
        };
        let too_thin = plate(DVec3::new(1.0, 1.0, 2.000000001));
        assert!(spare(too_thin.inertia) < 0.0);
        let enlarged = accepted_inertia(&too_thin);
        assert!(spare(enlarged) > 0.0 && (enlarged.z_axis.z - 2.0).abs() < 1e-8);
        for moments in [DVec3::new(1.0, 1.0, 2.0), DVec3::new(0.1, 0.2, 0.3), DVec3::new(3.0, 2.0, 2.5)] {
            assert_eq!(accepted_inertia(&plate(moments)), DMat3::from_diagonal(moments));
        }
    }
}
