//! Sensors. MuJoCo's sensors return quaternions as w, x, y, z.

use burgess_geometry::Pose;
use burgess_scene::BuiltScene;
use burgess_scene::spec::{Measured, OfJoint, SceneSpec};
use glam::{DQuat, DVec3};

use super::actuators::Actuators;
use super::joints::Kind;
use super::sites::Sites;
use super::tree::{Body, Tree};
use crate::export::Names;
use crate::export::Warnings;
use crate::xml::XmlWriter;

/// Maximum radius of the site of a touch sensor, in m; used for unbounded shapes.
const MAX_TOUCH_RADIUS: f64 = 1e6;

/// Element name and attributes of a sensor.
pub(super) struct Sensor {
    element: &'static str,
    attributes: Vec<(&'static str, String)>,
}

pub(super) fn plan(
    scene: &SceneSpec,
    built: &BuiltScene,
    tree: &Tree,
    actuators: &Actuators,
    sites: &mut Sites,
    warnings: &mut Warnings,
) -> Vec<Sensor> {
    let mut names = Names::default();
    let mut list = Vec::new();
    for spec in &scene.sensors {
        let name = ("name", names.unique(&spec.name));
        let site = |sites: &Sites, site: &str| sites.name(site).map(str::to_string);
        let of_site = |name: Option<String>| name.map(|name| ("site", name));
        let of_frame = |name: Option<String>| name.map(|name| ("objname", name));
        let (element, of) = match &spec.kind {
            Measured::JointPosition(of) => (joint_element(tree, of, ["jointpos", "ballquat"]), joint_of(tree, of)),
            Measured::JointVelocity(of) => (joint_element(tree, of, ["jointvel", "ballangvel"]), joint_of(tree, of)),
            Measured::ActuatorForce(of) => {
                let origin = scene.actuators.iter().position(|own| own.name == of.actuator);
                let place = origin.and_then(|origin| actuators.index_of(origin));
                ("actuatorfrc", place.map(|place| ("actuator", actuators.list[place].name.clone())))
            }
            Measured::SitePosition(of) => ("framepos", of_frame(site(sites, &of.site))),
            Measured::SiteOrientation(of) => ("framequat", of_frame(site(sites, &of.site))),
            Measured::SiteVelocity(of) => ("framelinvel", of_frame(site(sites, &of.site))),
            Measured::SiteAngularVelocity(of) => ("frameangvel", of_frame(site(sites, &of.site))),
            Measured::Velocimeter(of) => ("velocimeter", of_site(site(sites, &of.site))),
            Measured::Gyro(of) => ("gyro", of_site(site(sites, &of.site))),
            Measured::Touch(of) => {
                let site_on = |body: usize| {
                    sites.sphere_on(body, touch_radius(scene, built, body), &format!("{}_touch", of.body))
                };
                ("touch", of_site(tree.index(&of.body).map(site_on)))
            }
            Measured::CenterOfMass(of) => ("subtreecom", tree.body(&of.body).map(|body| ("body", body.name.clone()))),
            Measured::CrowdDensity(_) | Measured::CrowdSpeed(_) | Measured::CrowdFlow(_) => ("", None),
        };
        let Some(of) = of else {
            warnings.add_named("these sensors are not supported by MuJoCo and are omitted", &spec.name);
            continue;
        };
        if matches!(element, "ballquat" | "ballangvel") && has_rotated_frame(tree, &spec.kind) {
            let kind = "MuJoCo measures ball joints in the body frame, not in the joint frame";
            warnings.add_named(kind, &spec.name);
        }
        let mut attributes = vec![name];
        if of.0 == "objname" {
            attributes.push(("objtype", "site".to_string()));
        }
        attributes.push(of);
        list.push(Sensor { element, attributes });
    }
    list
}

fn joint_of(tree: &Tree, of: &OfJoint) -> Option<(&'static str, String)> {
    let body = tree.body(&of.joint)?;
    let first = body.joints.first()?;
    let joint = match first.kind {
        Kind::Ball => first,
        Kind::Free => return None,
        Kind::Hinge | Kind::Slide => body.joints.get(of.axis)?,
    };
    Some(("joint", joint.name.clone()))
}

fn joint_element(tree: &Tree, of: &OfJoint, [scalar, ball]: [&'static str; 2]) -> &'static str {
    let is_ball = |body: &Body| body.joints.first().is_some_and(|joint| joint.kind == Kind::Ball);
    if tree.body(&of.joint).is_some_and(is_ball) { ball } else { scalar }
}

fn has_rotated_frame(tree: &Tree, kind: &Measured) -> bool {
    let (Measured::JointPosition(of) | Measured::JointVelocity(of)) = kind else { return false };
    tree.body(&of.joint).is_some_and(|body| body.joint_frame.rotation != DQuat::IDENTITY)
}

/// Returns the radius of a sphere about the body's origin that contains all its contacts, in m. Contacts lie between
/// the surfaces, so twice the bounding radius is enough.
fn touch_radius(scene: &SceneSpec, built: &BuiltScene, body: usize) -> f64 {
    let colliders = &built.world.colliders()[built.bodies[body].colliders.clone()];
    let mut bounding_radius = 0.0f64;
    for (spec, collider) in scene.bodies[body].shapes.iter().zip(colliders) {
        let pose = burgess_scene::spec::PoseSpec { position: spec.position, orientation: spec.orientation }.pose();
        bounding_radius = bounding_radius.max(radius(&pose, collider) + spec.margin);
    }
    if bounding_radius > 0.0 { (2.0 * bounding_radius).min(MAX_TOUCH_RADIUS) } else { 1.0 }
}

fn radius(pose: &Pose, collider: &burgess_simulation::Collider) -> f64 {
    collider.shape.bounding_radius(pose.inverse_transform_point(DVec3::ZERO))
}

pub(super) fn write(xml: &mut XmlWriter, sensors: &[Sensor]) {
    if sensors.is_empty() {
        return;
    }
    xml.open("sensor");
    for sensor in sensors {
        xml.open(sensor.element);
        for (name, value) in &sensor.attributes {
            xml.attribute(name, value);
        }
        xml.close();
    }
    xml.close();
}
