//! Test recordings.

use std::io::Cursor;

use burgess_formats::gltf::{Container, Exported, GltfError, GltfOptions, export};
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::recording::{Frame, RecordingHeader, RecordingReader, RecordingWriter, link_poses};
use burgess_scene::spec::{
    BodySpec, BoxShape, CompoundShape, EllipsoidShape, FacetedConeShape, FacetedSphereShape, FrustumShape,
    HeightFieldShape, HullShape, MeshShape, Orientation, PartSpec, PyramidShape, RoundShape, SceneSpec, ShapeKind,
    ShapeSpec, SphereShape, TorusShape, TubeShape,
};
use glam::{DQuat, DVec2, DVec3, dvec3};

pub type Recording = RecordingReader<Cursor<Vec<u8>>>;

/// Creates a recording from frames.
pub fn recording(scene: &SceneSpec, bodies: &[&str], frames: &[(f64, Vec<Pose>)]) -> Recording {
    let bodies = bodies.iter().map(|name| name.to_string()).collect();
    let header = RecordingHeader { rate: 0.0, bodies, statistics: Vec::new(), scene: scene.to_toml().unwrap() };
    let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
    for (time, poses) in frames {
        writer.frame(*time, poses, &[]).unwrap();
    }
    RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap()
}

/// Records a simulation, with one frame every `stride` steps.
pub fn simulated(scene: &SceneSpec, frames: usize, stride: usize) -> Recording {
    let mut simulation = scene.run("", &RunOptions::default()).unwrap().simulation;
    let text = scene.self_contained("").unwrap().to_toml().unwrap();
    let mut writer =
        RecordingWriter::new(Vec::new(), RecordingHeader::of_links(simulation.world(), 0.0, text)).unwrap();
    let mut poses = Vec::new();
    for _ in 0..frames {
        // Computing the energy updates the workspace.
        simulation.energy();
        link_poses(simulation.world(), &simulation.data().workspace, &mut poses);
        writer.frame(simulation.state().time, &poses, &[]).unwrap();
        (0..stride).for_each(|_| simulation.step().unwrap());
    }
    RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap()
}

pub fn frames(recording: &mut Recording) -> Vec<Frame> {
    let count = recording.frames();
    let read = |index| {
        let mut frame = Frame::default();
        recording.frame(index, &mut frame).unwrap();
        frame
    };
    (0..count).map(read).collect()
}

pub fn try_export(recording: &mut Recording, container: Container, rate: Option<f64>) -> Result<Exported, GltfError> {
    export(recording, container, &GltfOptions { rate }, &mut |share| assert!((0.0..=1.0).contains(&share)))
}

pub fn glb(recording: &mut Recording) -> Exported {
    try_export(recording, Container::Binary, None).unwrap()
}

/// Returns a scene with one body for each kind of shape; the half-space and the height field are fixed.
pub fn one_of_each() -> SceneSpec {
    let mut scene = SceneSpec::new("shapes", "One body of each kind.");
    let size = dvec3(0.2, 0.3, 0.4);
    let round = RoundShape { radius: 0.2, length: 0.5 };
    let tetrahedron = vec![DVec3::ZERO, 0.5 * DVec3::X, 0.5 * DVec3::Y, 0.5 * DVec3::Z];
    let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let part = |kind, position, axis| {
        let orientation = Orientation::AxisAngle { axis, angle_degrees: 40.0 };
        PartSpec { kind, position, orientation }
    };
    let parts = vec![
        part(ShapeKind::Box(BoxShape { size }), 0.2 * DVec3::X, DVec3::X),
        part(ShapeKind::Capsule(round), -0.3 * DVec3::X, DVec3::Y),
    ];
    let heights = (0..6 * 5).map(|index| 0.1 * libm::sin(f64::from(index))).collect();
    let field = HeightFieldShape { columns: 6, rows: 5, size: DVec2::new(3.0, 2.0), heights, depth: None };
    let kinds = [
        ShapeKind::Sphere(SphereShape { radius: 0.2 }),
        ShapeKind::Box(BoxShape { size }),
        ShapeKind::Capsule(round),
        ShapeKind::Cylinder(round),
        ShapeKind::Cone(round),
        ShapeKind::Frustum(FrustumShape { bottom_radius: 0.1, top_radius: 0.2, length: 0.4 }),
        ShapeKind::Ellipsoid(EllipsoidShape { semi_axes: size }),
        ShapeKind::HalfSpace(Default::default()),
        ShapeKind::Hull(HullShape { points: tetrahedron.clone() }),
        ShapeKind::Mesh(MeshShape { vertices: tetrahedron, triangles: faces, scale: 0.8, ..Default::default() }),
        ShapeKind::Compound(CompoundShape { parts }),
        ShapeKind::HeightField(field),
        ShapeKind::Tube(TubeShape { outer_radius: 0.3, inner_radius: 0.2, length: 0.4, sides: 12 }),
        ShapeKind::Torus(TorusShape { major_radius: 0.3, minor_radius: 0.1, segments: 16, sides: 8 }),
        ShapeKind::FacetedSphere(FacetedSphereShape { radius: 0.3, subdivisions: 1 }),
        ShapeKind::FacetedCone(FacetedConeShape { radius: 0.2, length: 0.5, sides: 5 }),
        ShapeKind::Pyramid(PyramidShape { base: 0.3, length: 0.4 }),
    ];
    for (index, kind) in kinds.into_iter().enumerate() {
        let turn = Orientation::AxisAngle { axis: DVec3::Y, angle_degrees: 30.0 };
        let shape = ShapeSpec::new(kind).at(dvec3(0.01, 0.02, 0.03)).turned(turn);
        let shape = shape.colored(DVec3::splat(index as f64 / 17.0));
        let place = dvec3(1.5 * (index % 6) as f64, 1.5 * (index / 6) as f64, 1.0);
        let fixed = matches!(shape.kind, ShapeKind::HalfSpace(_) | ShapeKind::HeightField(_));
        let name = format!("body {index}");
        scene.bodies.push(BodySpec { fixed, ..BodySpec::new(name, place, [shape]) });
    }
    scene
}

/// Creates a recording in which all moving bodies rotate about different axes and move up and down.
pub fn tumbling(scene: &SceneSpec, frames: usize) -> Recording {
    let moving: Vec<&BodySpec> = scene.bodies.iter().filter(|body| !body.fixed).collect();
    let pose = |(index, body): (usize, &&BodySpec), time: f64| {
        let axis = dvec3(1.0, index as f64, -0.5).normalize();
        let height = 0.3 * libm::sin(time + index as f64);
        Pose::new(DQuat::from_axis_angle(axis, 2.0 * time), body.position + DVec3::Z * height)
    };
    let frames: Vec<_> = (0..frames)
        .map(|frame| {
            let time = 0.125 * frame as f64;
            (time, moving.iter().enumerate().map(|each| pose(each, time)).collect())
        })
        .collect();
    let names: Vec<&str> = moving.iter().map(|body| body.name.as_str()).collect();
    recording(scene, &names, &frames)
}
