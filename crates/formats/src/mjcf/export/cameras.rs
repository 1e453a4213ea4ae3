//! Cameras. MuJoCo's cameras look along -z with y up. A tracking camera keeps its offset from the body and its
//! orientation in the world, as in Burgess. Lights are not exported.

use burgess_dynamics::{Workspace, update_kinematics};
use burgess_geometry::Pose;
use burgess_scene::BuiltScene;
use burgess_scene::spec::{CameraSpec, SceneSpec};
use glam::{DMat3, DQuat, DVec3};

use super::tree::Tree;
use crate::export::Names;
use crate::xml::XmlWriter;

struct Camera {
    name: String,
    /// Pose in the tracked body, or in the world.
    pose: Pose,
    /// Vertical field of view, in degrees.
    field_of_view: f64,
    follows: Option<usize>,
}

/// All cameras.
pub(super) struct Cameras(Vec<Camera>);

pub(super) fn plan(scene: &SceneSpec, built: &BuiltScene, tree: &Tree) -> Cameras {
    let mut workspace = Workspace::new(built.world.model());
    built.world.run_scripts(0.0, &mut workspace);
    update_kinematics(built.world.model(), &built.state, &mut workspace);
    let mut names = Names::default();
    let mut camera = |spec: &CameraSpec| {
        let rotation = looking_along(spec.target - spec.position)?;
        let follows = spec.follow.as_deref().and_then(|name| tree.index(name));
        let follows = follows.filter(|&body| !tree.bodies[body].is_world());
        let pose = follows.map_or(Pose::new(rotation, spec.position), |body| {
            // MuJoCo keeps the offset of the reference configuration.
            let offset = spec.position - built.bodies[body].frame(&built.world, &workspace).translation;
            let to_body = tree.bodies[body].world_pose.rotation.conjugate();
            Pose::new(to_body * rotation, to_body * offset)
        });
        let name = names.unique(if spec.name.is_empty() { "camera" } else { &spec.name });
        Some(Camera { name, pose, field_of_view: spec.field_of_view_degrees, follows })
    };
    Cameras(scene.display.cameras.iter().filter_map(&mut camera).collect())
}

/// Returns the orientation of a camera that looks along a direction, with its x axis horizontal.
fn looking_along(direction: DVec3) -> Option<DQuat> {
    let z = -direction.try_normalize()?;
    let x = DVec3::Z.cross(z).try_normalize().unwrap_or(DVec3::X);
    Some(DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z)))
}

impl Cameras {
    pub fn write(&self, xml: &mut XmlWriter, body: Option<usize>) {
        for camera in self.0.iter().filter(|camera| camera.follows == body) {
            xml.open("camera").attribute("name", &camera.name);
            if body.is_some() {
                xml.attribute("mode", "track");
            }
            xml.vector_unless_zero("pos", camera.pose.translation);
            xml.quaternion_unless_identity("quat", camera.pose.rotation);
            xml.number("fovy", camera.field_of_view).close();
        }
    }
}
