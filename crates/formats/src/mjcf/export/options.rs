//! What holds for the whole model, and what of the scene has no place in it.

use burgess_scene::spec::{ControllerSpec, FluidSpec, SceneSpec};

use crate::export::Warnings;
use crate::xml::XmlWriter;

pub(super) fn write(xml: &mut XmlWriter, scene: &SceneSpec, warnings: &mut Warnings) {
    xml.open("compiler").attribute("angle", "radian").attribute("autolimits", "true");
    xml.attribute("inertiafromgeom", "false").close();
    // Coulomb's cone is round, and servos are implicit in time as ours are.
    xml.open("option").number("timestep", scene.simulation.step).numbers("gravity", scene.gravity.to_array());
    xml.attribute("integrator", "implicitfast").attribute("cone", "elliptic");
    match &scene.fluid {
        Some(FluidSpec::InertiaBox(fluid)) => {
            xml.number_unless(0.0, "density", fluid.density).number_unless(0.0, "viscosity", fluid.viscosity);
            xml.vector_unless_zero("wind", fluid.current);
        }
        Some(FluidSpec::Linear(_) | FluidSpec::Quadratic(_)) => {
            warnings.add("MuJoCo has no fluid that drags on the faces of shapes: it is left out");
        }
        None => {}
    }
    xml.close();
}

/// What moves by itself stands still there.
pub(super) fn warn_of_controllers(scene: &SceneSpec, warnings: &mut Warnings) {
    for body in scene.bodies.iter().filter(|body| body.script.is_some()) {
        warnings.add_named("MuJoCo has no scripts: these are mocap bodies that stand where they start", &body.name);
    }
    let kind = "MuJoCo has no controllers: these are left out";
    for controller in &scene.controllers {
        let name = match controller {
            ControllerSpec::Spring(spring) if spring.when == Default::default() => continue,
            ControllerSpec::Spring(_) => "spring",
            ControllerSpec::ForceField(_) => "force_field",
            ControllerSpec::ConstantForce(_) => "constant_force",
            ControllerSpec::MotorSchedule(_) => "motor_schedule",
            ControllerSpec::SpeedLimiter(_) => "speed_limiter",
            ControllerSpec::Impulse(_) => "impulse",
        };
        warnings.add_named(kind, name);
    }
}
