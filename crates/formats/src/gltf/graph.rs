//! Builds nodes, cameras and the animation.

use std::collections::BTreeMap;
use std::f32::consts::FRAC_1_SQRT_2;

use burgess_scene::spec::CameraSpec;
use glam::DVec3;

use super::buffer::{BufferBuilder, Part};
use super::camera::{self, ViewBounds};
use super::document::{Animation, Channel, Document, Node, Sampler, Scene, Target};
use super::geometry::BodyMesh;
use super::motion::{Key, Motion};
use super::recorded_scene::RecordedScene;

/// Index of the root node.
const ROOT: usize = 0;
/// A quarter turn about x, which turns z up into y up.
const Z_UP_TO_Y_UP: [f32; 4] = [-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];

impl Node {
    fn at(name: &str, key: &Key) -> Self {
        let name = name.to_string();
        let translation = (key.translation != [0.0; 3]).then_some(key.translation);
        let rotation = (key.rotation != [0.0, 0.0, 0.0, 1.0]).then_some(key.rotation);
        Self { name, translation, rotation, ..Self::default() }
    }
}

/// For each body, the nodes that follow its translation but not its rotation.
type Mounts = BTreeMap<usize, Vec<usize>>;

impl Document {
    /// Adds one node for each body below a root that rotates z up to glTF's y up.
    pub fn add_bodies(&mut self, recorded: &RecordedScene, body_meshes: &[BodyMesh], keys: &[Key]) {
        let name = recorded.scene.name.clone();
        self.scenes = vec![Scene { name, nodes: vec![ROOT] }];
        let rotation = Some(Z_UP_TO_Y_UP);
        self.nodes = vec![Node { name: "world, z up".to_string(), rotation, ..Node::default() }];
        for ((body, body_mesh), key) in recorded.scene.bodies.iter().zip(body_meshes).zip(keys) {
            self.add_node(ROOT, Node { mesh: body_mesh.mesh, ..Node::at(&body.name, key) });
        }
    }

    /// Adds the cameras of the scene, and one that shows the whole view bounds.
    pub fn add_cameras(&mut self, recorded: &RecordedScene, keys: &[Key], view: &ViewBounds) -> Mounts {
        let mut mounts = Mounts::new();
        for camera in &recorded.scene.display.cameras {
            let followed = camera.follow.as_ref().and_then(|name| recorded.body_by_name.get(name).copied());
            match followed {
                None => self.add_camera(ROOT, camera),
                Some(body) => {
                    let key = Key { translation: keys[body].translation, rotation: [0.0, 0.0, 0.0, 1.0] };
                    let name = format!("along with {}", recorded.scene.bodies[body].name);
                    let node = self.add_node(ROOT, Node::at(&name, &key));
                    mounts.entry(body).or_default().push(node);
                    // The scene has the camera's place at the start, a mount that relative to the body.
                    let start = DVec3::from_array(key.translation.map(f64::from));
                    let (position, target) = (camera.position - start, camera.target - start);
                    self.add_camera(node, &CameraSpec { position, target, ..camera.clone() });
                }
            }
        }
        self.add_camera(ROOT, &view.camera());
        mounts
    }

    fn add_camera(&mut self, parent: usize, spec: &CameraSpec) {
        let (camera, pose) = camera::convert(spec);
        let node = Node { camera: Some(self.cameras.len()), ..Node::at(&camera.name, &Key::clamped(&pose)) };
        self.cameras.push(camera);
        self.add_node(parent, node);
    }

    fn add_node(&mut self, parent: usize, node: Node) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(index);
        index
    }

    /// Adds tracks for all moving bodies and their mounts. Their bytes are written later, in recording order.
    pub fn animate(&mut self, parts: &mut BufferBuilder, recorded: &RecordedScene, motion: &Motion, mounts: &Mounts) {
        if !motion.tracks.iter().any(|track| track.moves || track.turns) {
            return;
        }
        parts.push_floats(Part::Times, &motion.times);
        let count = motion.times.len();
        let range =
            [motion.times.first(), motion.times.last()].map(|time| time.map(|&time| time.into()).into_iter().collect());
        let input = parts.accessor(Part::Times, count, Some(range));
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (track, &body) in motion.tracks.iter().zip(&recorded.body_of_track) {
            // Node 0 is the root.
            let node = body + 1;
            let mut add = |part, path, nodes: &mut dyn Iterator<Item = usize>| {
                let output = parts.reserve(part, count);
                let sampler = samplers.len();
                samplers.push(Sampler { input, output, interpolation: "LINEAR" });
                channels.extend(nodes.map(|node| Channel { sampler, target: Target { node, path } }));
            };
            if track.moves {
                let along = mounts.get(&body).into_iter().flatten().copied();
                add(Part::Translations, "translation", &mut along.chain([node]));
            }
            if track.turns {
                add(Part::Rotations, "rotation", &mut [node].into_iter());
            }
        }
        self.animations = vec![Animation { name: recorded.scene.name.clone(), channels, samplers }];
    }
}
