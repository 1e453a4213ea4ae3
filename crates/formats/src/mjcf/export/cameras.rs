//! Cameras. MuJoCo's look along their -z, with y up in the picture. One that follows a body keeps its place beside it and its
//! orientation in the world, as ours does. Lights are left to MuJoCo's viewer.

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
    /// In the coordinates of the body that it follows, or of the world.
    pose: Pose,
    /// From top to bottom, in degrees.
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
            // MuJoCo keeps the place beside the body that it has in the reference pose.
            let beside = spec.position - built.bodies[body].frame(&built.world, &workspace).translation;
            let back = tree.bodies[body].world_pose.rotation.conjugate();
            Pose::new(back * rotation, back * beside)
        });
        let name = names.give(if spec.name.is_empty() { "camera" } else { &spec.name });
        Some(Camera { name, pose, field_of_view: spec.field_of_view_degrees, follows })
    };
    Cameras(scene.display.cameras.iter().filter_map(&mut camera).collect())
}

/// Upright, where that makes sense.
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
