//! Nodes, cameras and the animation.

use std::collections::BTreeMap;
use std::f32::consts::FRAC_1_SQRT_2;

use burgess_scene::spec::CameraSpec;

use super::buffer::{Part, Parts};
use super::camera::{self, Action};
use super::cast::Cast;
use super::document::{Animation, Channel, Document, Node, Sampler, Scene, Target};
use super::geometry::Look;
use super::motion::{Key, Motion};

/// The node that all others hang on.
const ROOT: usize = 0;
/// A quarter turn about x: z up becomes y up.
const Z_UP_TO_Y_UP: [f32; 4] = [-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];

impl Node {
    fn at(name: &str, key: &Key) -> Self {
        let name = name.to_string();
        let translation = (key.translation != [0.0; 3]).then_some(key.translation);
        let rotation = (key.rotation != [0.0, 0.0, 0.0, 1.0]).then_some(key.rotation);
        Self { name, translation, rotation, ..Self::default() }
    }
}

/// Nodes that move along with a body but do not turn with it, by the body.
type Mounts = BTreeMap<usize, Vec<usize>>;

impl Document {
    /// One node for each body, all below one that turns the world's z to the y of glTF.
    pub fn add_bodies(&mut self, cast: &Cast, looks: &[Look], keys: &[Key]) {
        let name = cast.scene.name.clone();
        self.scenes = vec![Scene { name, nodes: vec![ROOT] }];
        let rotation = Some(Z_UP_TO_Y_UP);
        self.nodes = vec![Node { name: "world, z up".to_string(), rotation, ..Node::default() }];
        for ((body, look), key) in cast.scene.bodies.iter().zip(looks).zip(keys) {
            self.add_node(ROOT, Node { mesh: look.mesh, ..Node::at(&body.name, key) });
        }
    }

    /// The cameras of the scene, and one that sees all of the action.
    pub fn add_cameras(&mut self, cast: &Cast, keys: &[Key], action: &Action) -> Mounts {
        let mut mounts = Mounts::new();
        for camera in &cast.scene.display.cameras {
            let followed = camera.follow.as_ref().and_then(|name| cast.body_by_name.get(name).copied());
            let parent = match followed {
                None => ROOT,
                Some(body) => {
                    let key = Key { translation: keys[body].translation, rotation: [0.0, 0.0, 0.0, 1.0] };
                    let name = format!("along with {}", cast.scene.bodies[body].name);
                    let node = self.add_node(ROOT, Node::at(&name, &key));
                    mounts.entry(body).or_default().push(node);
                    node
                }
            };
            self.add_camera(parent, camera);
        }
        self.add_camera(ROOT, &action.camera());
        mounts
    }

    fn add_camera(&mut self, parent: usize, spec: &CameraSpec) {
        let (camera, pose) = camera::place(spec);
        let node = Node { camera: Some(self.cameras.len()), ..Node::at(&camera.name, &Key::within_reach(&pose)) };
        self.cameras.push(camera);
        self.add_node(parent, node);
    }

    fn add_node(&mut self, parent: usize, node: Node) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(index);
        index
    }

    /// Tracks for all that moves, and for what moves along with it; their bytes come later, in the order of the recording.
    pub fn animate(&mut self, parts: &mut Parts, cast: &Cast, motion: &Motion, mounts: &Mounts) {
        if !motion.tracks.iter().any(|track| track.moves || track.turns) {
            return;
        }
        parts.push_floats(Part::Times, &motion.times);
        let count = motion.times.len();
        let range =
            [motion.times.first(), motion.times.last()].map(|time| time.map(|&time| time.into()).into_iter().collect());
        let input = parts.accessor(Part::Times, count, Some(range));
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (track, &body) in motion.tracks.iter().zip(&cast.body_of_track) {
            // The root comes before the bodies.
            let own = body + 1;
            let mut add = |part, path, nodes: &mut dyn Iterator<Item = usize>| {
                let output = parts.reserve(part, count);
                let sampler = samplers.len();
                samplers.push(Sampler { input, output, interpolation: "LINEAR" });
                channels.extend(nodes.map(|node| Channel { sampler, target: Target { node, path } }));
            };
            if track.moves {
                let along = mounts.get(&body).into_iter().flatten().copied();
                add(Part::Translations, "translation", &mut along.chain([own]));
            }
            if track.turns {
                add(Part::Rotations, "rotation", &mut [own].into_iter());
            }
        }
        self.animations = vec![Animation { name: cast.scene.name.clone(), channels, samplers }];
    }
}
