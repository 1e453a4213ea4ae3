//! Cameras and lights, in the reference configuration.

use burgess_scene::spec::{AmbientLight, CameraSpec, DirectionalLight, DisplaySpec, LightSpec, PointLight};
use glam::DVec3;

use super::tree::{Tree, Viewpoint};
use crate::import::ImportError;
use crate::xml::Element;

/// Intensity of the ambient light that stands in for MuJoCo's headlight.
const HEADLIGHT_INTENSITY: f64 = 0.4;
/// Distance from a camera to its target point, in m; only the direction matters.
const TARGET_DISTANCE: f64 = 1.0;

pub(super) fn read(tree: &Tree) -> Result<DisplaySpec, ImportError> {
    let mut display = DisplaySpec::default();
    for camera in &tree.cameras {
        display.cameras.push(read_camera(camera, tree)?);
    }
    for light in &tree.lights {
        if light.element.boolean("active")? != Some(false) {
            display.lights.push(read_light(light, tree)?);
        }
    }
    if !display.lights.is_empty() {
        display.lights.push(LightSpec::Ambient(AmbientLight { color: DVec3::ONE, intensity: HEADLIGHT_INTENSITY }));
    }
    Ok(display)
}

fn read_camera(camera: &Viewpoint, tree: &Tree) -> Result<CameraSpec, ImportError> {
    let element = camera.element;
    let body = &tree.bodies[camera.body];
    let position = camera.pose.translation;
    let ahead = position + camera.pose.rotation * (-TARGET_DISTANCE * DVec3::Z);
    let target_point = target(element, tree)?.map(|index| tree.bodies[index].world_pose.translation);
    Ok(CameraSpec {
        name: element.text("name").unwrap_or_default().to_string(),
        position,
        target: target_point.filter(|&point| (point - position).length() > 1e-9).unwrap_or(ahead),
        field_of_view_degrees: element.number("fovy")?.filter(|angle| (1.0..179.0).contains(angle)).unwrap_or(45.0),
        follow: (!body.is_static).then(|| body.name.clone()),
    })
}

/// Returns the body that a camera looks at.
fn target(element: &Element, tree: &Tree) -> Result<Option<usize>, ImportError> {
    element.text("target").map(|_| tree.body(element, "target")).transpose()
}

fn read_light(light: &Viewpoint, tree: &Tree) -> Result<LightSpec, ImportError> {
    let element = light.element;
    let diffuse = element.vector("diffuse")?.unwrap_or(DVec3::splat(0.7)).clamp(DVec3::ZERO, DVec3::ONE);
    let intensity = diffuse.max_element();
    let color = if intensity > 0.0 { diffuse / intensity } else { DVec3::ONE };
    let local = element.vector("dir")?.unwrap_or(DVec3::NEG_Z);
    let direction = tree.bodies[light.body].world_pose.rotation * local;
    let directional = element.boolean("directional")? == Some(true) || element.text("type") == Some("directional");
    Ok(if directional && direction.length() > 1e-9 {
        LightSpec::Directional(DirectionalLight { direction, color, intensity })
    } else {
        LightSpec::Point(PointLight { position: light.pose.translation, color, intensity })
    })
}
