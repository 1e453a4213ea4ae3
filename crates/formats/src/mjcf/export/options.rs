//! Options of the whole model, and warnings about features that MuJoCo does not support.

use burgess_scene::spec::{ControllerSpec, FluidSpec, SceneSpec};

use crate::export::Warnings;
use crate::xml::XmlWriter;

pub(super) fn write(xml: &mut XmlWriter, scene: &SceneSpec, warnings: &mut Warnings) {
    xml.open("compiler").attribute("angle", "radian").attribute("autolimits", "true");
    xml.attribute("inertiafromgeom", "false").close();
    // Elliptic cones are Coulomb's law, and `implicitfast` integrates servos implicitly, as Burgess does.
    xml.open("option").number("timestep", scene.simulation.step).numbers("gravity", scene.gravity.to_array());
    xml.attribute("integrator", "implicitfast").attribute("cone", "elliptic");
    match &scene.fluid {
        Some(FluidSpec::InertiaBox(fluid)) => {
            xml.number_unless(0.0, "density", fluid.density).number_unless(0.0, "viscosity", fluid.viscosity);
            xml.vector_unless_zero("wind", fluid.current);
        }
        Some(FluidSpec::Linear(_) | FluidSpec::Quadratic(_)) => {
            warnings.add("fluid drag on the faces of shapes is not supported by MuJoCo and is omitted");
        }
        None => {}
    }
    xml.close();
}

/// Warns about scripts and controllers, which are not exported.
pub(super) fn warn_about_controllers(scene: &SceneSpec, warnings: &mut Warnings) {
    for body in scene.bodies.iter().filter(|body| body.script.is_some()) {
        warnings.add_named(
            "scripts are not supported by MuJoCo; these bodies become mocap bodies at their start",
            &body.name,
        );
    }
    let kind = "controllers are not supported by MuJoCo and are omitted";
    for controller in &scene.controllers {
        if matches!(controller, ControllerSpec::Spring(spring) if spring.when == Default::default()) {
            continue;
        }
        warnings.add_named(kind, controller.type_name());
    }
}
