//! Pictures are well-formed, deterministic and complete, and show no hidden parts.

use std::io::Cursor;
use std::sync::Arc;

use burgess_geometry::shape::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Decomposition, Ellipsoid, Frustum, HalfSpace, HeightField, Mesh,
    NodeBounds, Sphere, tessellation,
};
use burgess_geometry::{Polyhedron, Pose, Shape, TriangleMesh};
use burgess_pictures::{Axis, Picture, PictureError, PictureOptions, Plot, SceneBodies, Series, draw_recording};
use burgess_scene::recording::{RecordingHeader, RecordingReader, RecordingWriter};
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use burgess_scene::{RunOptions, builtin};
use glam::{DQuat, DVec2, DVec3, dvec3};

/// Returns a tetrahedron.
fn mesh() -> Shape {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let surface = TriangleMesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    Shape::Mesh(Arc::new(Mesh::new(surface, &Decomposition::default()).unwrap()))
}

fn every_kind() -> Vec<Shape> {
    let hills: Vec<f64> = (0..25).map(|i| 0.2 * libm::sin(f64::from(i))).collect();
    let parts = [
        (Shape::Cuboid(Cuboid::new(dvec3(0.5, 0.1, 0.1)).unwrap()), Pose::IDENTITY),
        (Shape::Sphere(Sphere::new(0.3).unwrap()), Pose::from_translation(0.5 * DVec3::X)),
    ];
    vec![
        Shape::Sphere(Sphere::new(0.5).unwrap()),
        Shape::Cuboid(Cuboid::new(dvec3(0.2, 0.3, 0.4)).unwrap()),
        Shape::Capsule(Capsule::new(0.2, 0.5).unwrap()),
        Shape::Cylinder(Cylinder::new(0.2, 0.5).unwrap()),
        Shape::Cone(Cone::new(0.4, 0.5).unwrap()),
        Shape::Frustum(Frustum::new(0.4, 0.3, 0.5).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(dvec3(0.2, 0.3, 0.6)).unwrap()),
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).unwrap())),
        Shape::Compound(Arc::new(tessellation::torus(0.5, 0.2, 12, 8).unwrap())),
        Shape::Compound(Arc::new(Compound::new(&parts, NodeBounds::default()).unwrap())),
        mesh(),
        Shape::HeightField(Arc::new(HeightField::new(5, 5, DVec2::ONE, hills).unwrap())),
    ]
}

fn small() -> PictureOptions {
    PictureOptions { width: 300, height: 200, title: "<&\"test\u{7}".to_string(), ..PictureOptions::default() }
}

/// Checks that a text is XML without invalid numbers; returns the data of all paths.
fn checked(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let paths = document.descendants().filter(|node| node.has_tag_name("path"));
    paths.filter_map(|node| node.attribute("d")).map(str::to_string).collect()
}

/// Returns the positions of all corners in path data.
fn places(data: &str) -> Vec<[f64; 2]> {
    let spaced = data.replace('-', " -").replace('M', " M ").replace(['l', 'z'], " ");
    let (mut at, mut is_absolute, mut places) = ([0.0; 2], false, Vec::new());
    let mut words = spaced.split_whitespace();
    while let Some(word) = words.next() {
        if word == "M" {
            is_absolute = true;
            continue;
        }
        let step: [f64; 2] = [word.parse().unwrap(), words.next().unwrap().parse().unwrap()];
        at = if is_absolute { step } else { [at[0] + step[0], at[1] + step[1]] };
        is_absolute = false;
        places.push(at);
    }
    places
}

#[test]
fn every_kind_of_shape_is_inside_the_picture() {
    for shape in every_kind() {
        let pose = Pose::new(DQuat::from_rotation_y(0.7), dvec3(3.0, -2.0, 1.0));
        let mut picture = Picture::new(small()).unwrap();
        picture.add_body(&shape, &pose, None);
        let svg = picture.svg().unwrap();
        let paths = checked(&svg);
        assert!(!paths.is_empty(), "{} leaves no trace", shape.kind());
        assert!(svg.len() < 20_000, "{}: {} bytes", shape.kind(), svg.len());
        for place in paths.iter().flat_map(|data| places(data)) {
            let inside = (0.0..=3000.0).contains(&place[0]) && (0.0..=2000.0).contains(&place[1]);
            assert!(inside, "{}: {place:?}", shape.kind());
        }
        assert_eq!(svg, picture.svg().unwrap(), "{}: the same every time", shape.kind());
    }
}

#[test]
fn pictures_from_all_directions_are_valid() {
    let shapes = every_kind();
    let ground = Shape::HalfSpace(HalfSpace);
    for from in [DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z, dvec3(1e-9, 0.0, 1.0), dvec3(-5.0, 3.0, 0.1)] {
        let mut picture = Picture::new(PictureOptions { from: Some(from), ..small() }).unwrap();
        picture.add_scenery(&ground, &Pose::IDENTITY, None);
        for (index, shape) in shapes.iter().enumerate() {
            picture.add_body(shape, &Pose::from_translation(dvec3(0.4 * index as f64, 0.0, 0.5)), None);
        }
        checked(&picture.svg().unwrap());
    }
}

#[test]
fn hidden_bodies_are_not_drawn() {
    let (large, small_one) =
        (Shape::Cuboid(Cuboid::new(DVec3::ONE).unwrap()), Shape::Sphere(Sphere::new(0.5).unwrap()));
    let mut alone = Picture::new(small()).unwrap();
    alone.add_body(&large, &Pose::IDENTITY, None);
    let mut both = alone.clone();
    both.add_body(&small_one, &Pose::from_translation(dvec3(0.1, 0.2, 0.0)), None);
    assert_eq!(alone.svg().unwrap(), both.svg().unwrap());
}

#[test]
fn older_moments_are_paler_and_scenery_is_drawn_once() {
    let (ground, ball) = (Shape::HalfSpace(HalfSpace), Shape::Sphere(Sphere::new(0.5).unwrap()));
    let post = Shape::Cylinder(Cylinder::new(0.1, 1.0).unwrap());
    let mut picture = Picture::new(small()).unwrap();
    picture.add_scenery(&ground, &Pose::IDENTITY, None);
    picture.add_scenery(&post, &Pose::from_translation(dvec3(-2.0, 0.0, 1.0)), Some(DVec3::ONE));
    for moment in 0..4 {
        if moment > 0 {
            picture.add_moment();
        }
        picture.add_body(&ball, &Pose::from_translation(dvec3(f64::from(moment), 0.0, 0.5)), None);
    }
    let svg = picture.svg().unwrap();
    checked(&svg);
    let layers: Vec<&str> = svg.lines().filter(|line| line.starts_with("<g class=\"b\"")).collect();
    assert_eq!(layers.len(), 5, "{layers:?}");
    let opacity = |line: &str| line.split('"').nth(3).map_or(1.0, |value| value.parse::<f64>().unwrap());
    let opacities: Vec<f64> = layers[1..].iter().map(|line| opacity(line)).collect();
    assert!(opacities.is_sorted() && opacities[0] > 0.1 && opacities[3] == 1.0, "{opacities:?}");
}

#[test]
fn invalid_pictures_are_refused() {
    for (width, height) in [(0, 100), (100, 0), (63, 100), (100, u32::MAX), (4097, 64)] {
        let refused = Picture::new(PictureOptions { width, height, ..PictureOptions::default() });
        assert!(matches!(refused, Err(PictureError::Size { .. })), "{width}x{height}");
    }
    for from in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        let refused = Picture::new(PictureOptions { from: Some(from), ..PictureOptions::default() });
        assert!(matches!(refused, Err(PictureError::NotFinite { .. })), "{from}");
    }
    let (ground, ball) = (Shape::HalfSpace(HalfSpace), Shape::Sphere(Sphere::new(0.5).unwrap()));
    let mut picture = Picture::new(small()).unwrap();
    assert!(matches!(picture.svg(), Err(PictureError::Nothing)));
    picture.add_scenery(&ground, &Pose::IDENTITY, None);
    assert!(matches!(picture.svg(), Err(PictureError::Nothing)));
    for place in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e200)] {
        let mut nowhere = picture.clone();
        nowhere.add_body(&ball, &Pose::from_translation(place), None);
        assert!(matches!(nowhere.svg(), Err(PictureError::NotFinite { .. })), "{place}");
    }
    let fine = Shape::Polyhedron(Arc::new(tessellation::sphere(1.0, 4).unwrap()));
    for x in 0..50 {
        picture.add_body(&fine, &Pose::from_translation(f64::from(x) * DVec3::X), None);
    }
    assert!(matches!(picture.svg(), Err(PictureError::TooMuch { .. })));
}

#[test]
fn all_scenes_can_be_drawn() {
    for known in builtin::all() {
        let scene = known.spec();
        let mut running = scene.run(".", &RunOptions::default()).unwrap();
        running.simulation.data_mut().update_kinematics();
        let poses = (0..scene.bodies.len()).filter_map(|body| running.body_pose(body)).collect();
        let bodies = SceneBodies::new(&scene, running.simulation.world(), &running.bodies);
        let svg =
            bodies.draw(&[poses], PictureOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", known.name));
        checked(&svg);
        // A body in front of others takes about 2 kB; crowds have hundreds of bodies.
        let most = 200_000.max(2_500 * scene.bodies.len());
        assert!(svg.len() < most, "{}: {} bytes, {} bodies", known.name, svg.len(), scene.bodies.len());
    }
}

fn recording(scene: &str, bodies: &[&str], frames: u32) -> RecordingReader<Cursor<Vec<u8>>> {
    let bodies = bodies.iter().map(|name| name.to_string()).collect();
    let header = RecordingHeader { bodies, scene: scene.to_string(), ..Default::default() };
    let count = header.bodies.len();
    let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
    for frame in 0..frames {
        let time = 0.1 * f64::from(frame);
        writer.frame(time, &vec![Pose::from_translation(time * DVec3::X); count], &[]).unwrap();
    }
    RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap()
}

#[test]
fn recordings_are_drawn_like_their_scenes() {
    let mut scene = SceneSpec::new("slide", "A ball slides.");
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
    let text = scene.to_toml().unwrap();
    let drawn = draw_recording(&mut recording(&text, &["ball"], 11), &[0.0, 0.5, 1.0], small()).unwrap();
    checked(&drawn);
    let built = scene.build(".").unwrap();
    let bodies = SceneBodies::new(&scene, &built.world, &built.bodies);
    // Frame times are sums of 0.1 s, positions have single precision.
    let moments: Vec<_> = [0.0, 0.5, 1.0].map(|x| vec![Pose::IDENTITY, Pose::from_translation(x * DVec3::X)]).into();
    assert_eq!(bodies.draw(&moments, small()).unwrap(), drawn);

    let fails = |scene: &str, bodies: &[&str], frames| {
        draw_recording(&mut recording(scene, bodies, frames), &[0.0], small()).unwrap_err()
    };
    assert!(matches!(fails("", &["ball"], 1), PictureError::NoScene));
    assert!(matches!(fails(&text, &["box"], 1), PictureError::Misfit { .. }));
    assert!(matches!(fails(&text, &["ball"], 0), PictureError::NoFrames));
    assert!(matches!(fails("bodies = 1", &["ball"], 1), PictureError::Scene(_)));
}

fn plot(series: Vec<Series>) -> Plot {
    Plot {
        title: "<curves>".to_string(),
        x: Axis::new("time", "s"),
        y: Axis::new("a & b", ""),
        series,
        ..Plot::default()
    }
}

#[test]
fn plots_have_axes_and_a_legend() {
    let wave = |phase: f64| (0..500).map(|i| [0.01 * f64::from(i), libm::sin(0.05 * f64::from(i) + phase)]).collect();
    let svg = plot(vec![Series::new("h", wave(0.0)), Series::broken("mutated <1>", wave(0.3))]).svg().unwrap();
    checked(&svg);
    assert_eq!(svg, plot(vec![Series::new("h", wave(0.0)), Series::broken("mutated <1>", wave(0.3))]).svg().unwrap());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    for wanted in ["time (s)", "a & b", "h", "mutated <1>", "<curves>", "0", "5", "-1.0", "0.5"] {
        assert!(texts.contains(&wanted), "{wanted} is not in {texts:?}");
    }
    assert!(svg.len() < 20_000, "{}", svg.len());
}

#[test]
fn gaps_constant_curves_and_single_points_are_drawn() {
    let nan = f64::NAN;
    let broken = vec![[0.0, 1.0], [1.0, nan], [2.0, 2.0], [3.0, 3.0], [f64::INFINITY, 1.0]];
    checked(&plot(vec![Series::new("", broken)]).svg().unwrap());
    for points in [vec![[0.0, 0.0]], vec![[1.0, -7.0], [2.0, -7.0]], vec![[1e-200, 1e200], [2e-200, 1.1e200]]] {
        checked(&plot(vec![Series::new("x", points)]).svg().unwrap());
    }
}

#[test]
fn plots_without_a_range_are_refused() {
    let refused = |plot: Plot| matches!(plot.svg(), Err(PictureError::Plot { .. }));
    assert!(refused(plot(vec![])));
    assert!(refused(plot(vec![Series::new("nowhere", vec![[f64::NAN, 1.0]])])));
    assert!(refused(plot(vec![Series::new("far", vec![[0.0, f64::MAX], [1.0, f64::MIN]])])));
    assert!(refused(plot(vec![Series::default(); 65])));
    let backward = Axis { range: Some([1.0, 0.0]), ..Axis::default() };
    assert!(refused(Plot { x: backward, ..plot(vec![Series::new("a", vec![[0.0, 0.0]])]) }));
    let tiny = Plot { width: 1, ..plot(vec![Series::new("a", vec![[0.0, 0.0]])]) };
    assert!(matches!(tiny.svg(), Err(PictureError::Size { .. })));
    let small = Plot { width: 64, height: 64, ..plot(vec![Series::new("a", vec![[0.0, 0.0]])]) };
    checked(&small.svg().unwrap());
}
