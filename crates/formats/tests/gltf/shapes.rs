//! Checks the surface of every kind of shape.

use burgess_geometry::Pose;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeKind, ShapeSpec};
use glam::{DVec3, Vec3};

use super::imported::{Imported, Triangles};
use super::recorded::{glb, one_of_each, recording, tumbling};

/// Returns the volume enclosed by a surface.
fn volume(surface: &Triangles) -> f64 {
    let corner = |index: u32| Vec3::from_array(surface.positions[index as usize]).as_dvec3();
    let parts = surface.triangles.iter().map(|t| {
        let [a, b, c] = t.map(corner);
        a.dot(b.cross(c)) / 6.0
    });
    parts.sum()
}

#[test]
fn every_surface_encloses_the_volume_of_its_shape() {
    let scene = one_of_each();
    let built = scene.build("").unwrap();
    let imported = Imported::new(&glb(&mut tumbling(&scene, 3)).bytes);
    for (body, made) in scene.bodies.iter().zip(&built.bodies) {
        let surfaces = imported.triangles(&imported.node(&body.name));
        assert_eq!(surfaces.len(), 1);
        let kind = &body.shapes[0].kind;
        if matches!(kind, ShapeKind::HalfSpace(_) | ShapeKind::HeightField(_)) {
            continue;
        }
        let expected = built.world.colliders()[made.colliders.start].shape.mass_properties(1.0).unwrap().mass;
        let found = volume(&surfaces[0]) / expected;
        // A prism of 32 sides has 0.64 % less volume than its cylinder, a sphere of 32 x 16 faces 1.3 %; flat shapes
        // are exact.
        use ShapeKind::{Capsule, Compound, Cone, Cylinder, Ellipsoid, Frustum, Sphere};
        let is_round =
            matches!(kind, Sphere(_) | Capsule(_) | Cylinder(_) | Cone(_) | Frustum(_) | Ellipsoid(_) | Compound(_));
        let lost = if is_round { 0.016 } else { 1e-5 };
        assert!((1.0 - lost..1.0 + 1e-5).contains(&found), "{kind:?}: {found}");
    }
}

#[test]
fn normals_are_unit_vectors_and_point_outwards() {
    let scene = one_of_each();
    let imported = Imported::new(&glb(&mut tumbling(&scene, 3)).bytes);
    for body in &scene.bodies {
        for surface in imported.triangles(&imported.node(&body.name)) {
            for normal in &surface.normals {
                assert!((Vec3::from_array(*normal).length() - 1.0).abs() < 1e-6);
            }
            for triangle in &surface.triangles {
                let [a, b, c] = triangle.map(|index| Vec3::from_array(surface.positions[index as usize]));
                let flat = (b - a).cross(c - a).normalize();
                for &index in triangle {
                    let normal = Vec3::from_array(surface.normals[index as usize]);
                    // At a smooth edge the normals of faces differ by up to 37 degrees.
                    assert!(normal.dot(flat) > 0.75, "{}: {normal} beside {flat}", body.name);
                }
            }
        }
    }
}

#[test]
fn flat_faces_have_flat_normals_and_smooth_faces_share_vertices() {
    let scene = one_of_each();
    let imported = Imported::new(&glb(&mut tumbling(&scene, 3)).bytes);
    let count = |index: usize| {
        let surface = imported.triangles(&imported.node(&format!("body {index}"))).remove(0);
        (surface.positions.len(), surface.triangles.len())
    };
    assert_eq!(count(1), (24, 12), "a box has 6 faces with 4 vertices each");
    assert_eq!(count(9), (12, 4), "the edges of a tetrahedron are sharp");
    assert_eq!(count(0), (17 * 32, 2 * 32 + 14 * 64), "a sphere has 17 rings");
    assert_eq!(count(7), (4, 2), "flat ground is a square");
    let (corners, triangles) = count(11);
    assert!(corners < 3 * triangles, "hills share corners: {corners} for {triangles} triangles");
}

#[test]
fn duplicates_are_stored_once() {
    let mut scene = SceneSpec::new("twins", "Six balls in two colours.");
    let red = DVec3::new(1.0, 0.0, 0.0);
    for index in 0..6 {
        let shape = ShapeSpec::sphere(0.1);
        let shape = if index % 2 == 0 { shape.colored(red) } else { shape };
        scene.bodies.push(BodySpec::fixed(format!("ball {index}"), index as f64 * DVec3::X, [shape]));
    }
    let imported = Imported::new(&glb(&mut recording(&scene, &[], &[(0.0, vec![])])).bytes);
    let document = &imported.gltf.document;
    assert_eq!((document.meshes().count(), document.materials().count(), document.accessors().count()), (2, 2, 3));
    // 0.7 in sRGB is 0.448 in linear light.
    let colors: Vec<_> = document.materials().map(|m| m.pbr_metallic_roughness().base_color_factor()).collect();
    assert_eq!(colors[0], [1.0, 0.0, 0.0, 1.0]);
    assert!((colors[1][0] - 0.448).abs() < 1e-3);
}

#[test]
fn ground_is_centred_on_the_motion_at_any_slope() {
    let mut scene = SceneSpec::new("slope", "A ball rolls far from the origin of a slope.");
    let tilted = BodySpec {
        orientation: burgess_scene::spec::Orientation::EulerDegrees(DVec3::new(0.0, 20.0, 0.0)),
        ..BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()])
    };
    let slope = tilted.pose();
    scene.bodies.extend([tilted, BodySpec::new("ball", DVec3::ZERO, [ShapeSpec::sphere(0.5)])]);
    let on_slope = |x: f64| Pose::from_translation(slope.transform_point(DVec3::new(x, 3.0, 0.5)));
    let frames = [(0.0, vec![on_slope(100.0)]), (1.0, vec![on_slope(104.0)])];
    let imported = Imported::new(&glb(&mut recording(&scene, &["ball"], &frames)).bytes);
    let square = imported.triangles(&imported.node("ground")).remove(0);
    let middle = square.positions.iter().map(|&p| Vec3::from_array(p)).sum::<Vec3>() / 4.0;
    // In the coordinates of the slope, below the centre of the motion.
    assert!((middle - Vec3::new(102.0, 3.0, 0.0)).length() < 1e-3, "{middle}");
    let half_side = (square.positions[0][0] - middle.x).abs();
    assert!((20.0..100.0).contains(&half_side), "{half_side}");
}
