//! Tendons: fixed tendons of joints, and straight spatial tendons between sites.

use burgess_scene::spec::{SceneSpec, SpringTie};

use super::constraints::Constraints;
use super::joints::range;
use super::tree::Tree;
use crate::xml::XmlWriter;

pub(super) fn write(xml: &mut XmlWriter, scene: &SceneSpec, tree: &Tree, constraints: &Constraints) {
    if scene.tendons.is_empty() && constraints.lines.is_empty() {
        return;
    }
    xml.open("tendon");
    for (tendon, name) in scene.tendons.iter().zip(&constraints.tendon_names) {
        xml.open("fixed").attribute("name", name);
        if tendon.stiffness != 0.0 {
            xml.number("stiffness", tendon.stiffness).numbers("springlength", spring_length(tendon.rest));
        }
        xml.number_unless(0.0, "damping", tendon.damping);
        for part in &tendon.joints {
            if let Some(joint) = tree.body(&part.joint).and_then(|body| body.joints.get(part.axis)) {
                xml.open("joint").attribute("joint", &joint.name).number("coef", part.coefficient).close();
            }
        }
        xml.close();
    }
    for line in &constraints.lines {
        xml.open("spatial").attribute("name", &line.name);
        if let Some([low, high]) = line.range {
            xml.numbers("range", range(low, high));
        }
        if let Some(SpringTie { length, stiffness, damping }) = line.spring {
            xml.number("stiffness", stiffness).number("springlength", length);
            xml.number_unless(0.0, "damping", damping);
        }
        for site in &line.sites {
            xml.open("site").attribute("site", site).close();
        }
        xml.close();
    }
    xml.close();
}

/// Avoids -1 twice, which stands for the length in the reference configuration in MuJoCo.
fn spring_length(rest: [f64; 2]) -> [f64; 2] {
    if rest == [-1.0; 2] { [(-1.0f64).next_down(), -1.0] } else { rest }
}
