//! Reads glTF files with another library.

use gltf::animation::util::ReadOutputs;
use gltf::{Gltf, Node};

/// A binary file, parsed and checked.
pub struct Imported {
    pub gltf: Gltf,
    blob: Vec<u8>,
}

/// Triangles of one material: positions, normals and indices.
pub struct Triangles {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Animation of a node.
#[derive(Default)]
pub struct Tracks {
    pub times: Vec<f32>,
    pub translations: Option<Vec<[f32; 3]>>,
    pub rotations: Option<Vec<[f32; 4]>>,
}

impl Imported {
    pub fn new(bytes: &[u8]) -> Self {
        let gltf = Gltf::from_slice(bytes).unwrap();
        let blob = gltf.blob.clone().unwrap_or_default();
        Self { gltf, blob }
    }

    /// Returns the only node with a name.
    pub fn node(&self, name: &str) -> Node<'_> {
        let mut found = self.gltf.nodes().filter(|node| node.name() == Some(name));
        let node = found.next().unwrap_or_else(|| panic!("no node called '{name}'"));
        assert!(found.next().is_none(), "two nodes called '{name}'");
        node
    }

    /// Returns the triangles of each shape of a node.
    pub fn triangles(&self, node: &Node) -> Vec<Triangles> {
        let primitives = node.mesh().map(|mesh| mesh.primitives().collect::<Vec<_>>()).unwrap_or_default();
        let read = |primitive: gltf::Primitive| {
            let reader = primitive.reader(|_| Some(&self.blob[..]));
            let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
            let (triangles, rest) = indices.as_chunks();
            assert!(rest.is_empty());
            let positions: Vec<_> = reader.read_positions().unwrap().collect();
            let bounds = primitive.bounding_box();
            for axis in 0..3 {
                let parts = || positions.iter().map(|position| position[axis]);
                assert_eq!(parts().fold(f32::INFINITY, f32::min), bounds.min[axis]);
                assert_eq!(parts().fold(f32::NEG_INFINITY, f32::max), bounds.max[axis]);
            }
            Triangles { positions, normals: reader.read_normals().unwrap().collect(), triangles: triangles.to_vec() }
        };
        primitives.into_iter().map(read).collect()
    }

    /// Returns the tracks of a node.
    pub fn tracks(&self, node: &Node) -> Tracks {
        let mut tracks = Tracks::default();
        let animations = self.gltf.animations().flat_map(|animation| animation.channels());
        for channel in animations.filter(|channel| channel.target().node().index() == node.index()) {
            assert_eq!(channel.sampler().interpolation(), gltf::animation::Interpolation::Linear);
            let reader = channel.reader(|_| Some(&self.blob[..]));
            tracks.times = reader.read_inputs().unwrap().collect();
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(list) => tracks.translations = Some(list.collect()),
                ReadOutputs::Rotations(list) => tracks.rotations = Some(list.into_f32().collect()),
                _ => panic!("nothing grows or morphs"),
            }
        }
        tracks
    }
}
