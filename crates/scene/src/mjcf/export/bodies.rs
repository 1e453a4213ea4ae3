//! The tree of bodies with their masses, joints, shapes and sites.

use burgess_dynamics::LinkSpec;
use burgess_geometry::MassProperties;
use glam::{DMat3, DVec3};

use super::geoms::Shapes;
use super::sites::Sites;
use super::tree::Tree;
use crate::xml::XmlWriter;

/// MuJoCo holds moments of inertia to `A + B >= C` to the last bit, after rounding of its own; this much of C covers it.
const ROUNDING: f64 = 1e-13;

pub(super) fn write(xml: &mut XmlWriter, tree: &Tree, shapes: &Shapes, sites: &Sites) {
    xml.open("worldbody");
    sites.write(xml, None);
    let mut open: Vec<usize> = Vec::new();
    for &index in &tree.order {
        let body = &tree.bodies[index];
        while open.last().copied() != body.parent {
            open.pop();
            xml.close();
        }
        open.push(index);
        xml.open("body").attribute("name", &body.name);
        xml.vector_unless_zero("pos", body.pose.translation);
        xml.quaternion_unless_straight("quat", body.pose.rotation);
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
    }
    for _ in open {
        xml.close();
    }
    xml.close();
}

fn write_inertial(xml: &mut XmlWriter, link: &LinkSpec) {
    let inertia = possible(link);
    let diagonal = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z];
    let mixed = [inertia.x_axis.y, inertia.x_axis.z, inertia.y_axis.z];
    xml.open("inertial").numbers("pos", link.center_of_mass.to_array()).number("mass", link.mass);
    if mixed == [0.0; 3] {
        xml.numbers("diaginertia", diagonal);
    } else {
        xml.numbers("fullinertia", diagonal.into_iter().chain(mixed));
    }
    xml.close();
}

/// The inertia, made larger by a hair where rounding would make MuJoCo refuse it: thin plates are on the edge.
fn possible(link: &LinkSpec) -> DMat3 {
    let LinkSpec { mass, center_of_mass, inertia, .. } = *link;
    let inertia = (inertia + inertia.transpose()) * 0.5;
    let moments = MassProperties { mass, center_of_mass, inertia }.principal_axes().0;
    let largest = moments.max_element();
    let spare = moments.element_sum() - 2.0 * largest;
    if spare >= ROUNDING * largest {
        return inertia;
    }
    inertia + DMat3::from_diagonal(DVec3::splat(ROUNDING * largest - spare))
}
