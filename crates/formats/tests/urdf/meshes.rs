//! Mesh files: how they are found, how they are converted, and which are refused.

use std::path::Path;

use burgess_formats::import::{ImportError, ImportOptions, Imported};
use burgess_formats::import_file;
use burgess_scene::spec::*;
use glam::DVec3;

use super::support::folder;

/// A tetrahedron of volume 1/6, a copy of it without one face, and an L-shaped prism of volume 3.
const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
const L_PRISM: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0
v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1
f 1 4 3\nf 1 3 2\nf 1 6 5\nf 1 5 4\nf 7 8 9\nf 7 9 10\nf 7 10 11\nf 7 11 12
f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

fn write(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn mesh(kind: &str, file: &str, more: &str) -> String {
    format!("<{kind}><geometry><mesh filename='{file}' {more}/></geometry></{kind}>")
}

fn import(folder: &Path, inside: &str, options: &ImportOptions) -> Result<Imported, ImportError> {
    write(folder, "urdf/robot.urdf", &format!("<robot name='r'><link name='a'>{inside}</link></robot>"));
    import_file(folder.join("urdf/robot.urdf"), options)
}

fn shapes(imported: Result<Imported, ImportError>) -> Vec<ShapeSpec> {
    imported.unwrap().scene.bodies.remove(0).shapes
}

#[test]
fn open_and_convex_meshes_become_hulls() {
    let folder = folder("solids");
    write(&folder, "urdf/solid.obj", TETRAHEDRON);
    write(&folder, "urdf/open.obj", OPEN);
    write(&folder, "urdf/l_prism.obj", L_PRISM);
    let inside = mesh("collision", "solid.obj", "scale='2 -1 1'")
        + &mesh("collision", "open.obj", "")
        + &mesh("collision", "l_prism.obj", "");
    let imported = import(&folder, &inside, &ImportOptions::default()).unwrap();
    let shapes = &imported.scene.bodies[0].shapes;
    let ShapeKind::Hull(mirrored) = &shapes[0].kind else { panic!() };
    assert_eq!(mirrored.points.len(), 4);
    assert!(mirrored.points.contains(&DVec3::new(2.0, 0.0, 0.0)) && mirrored.points.contains(&DVec3::NEG_Y));
    assert!(matches!(shapes[1].kind, ShapeKind::Hull(_)));
    let ShapeKind::Mesh(l_prism) = &shapes[2].kind else { panic!() };
    assert_eq!((l_prism.vertices.len(), l_prism.file.is_none()), (12, true));
    assert_eq!(imported.warnings.len(), 1);
    assert!(imported.warnings[0].kind.contains("not closed surfaces"));
    imported.scene.build(".").unwrap();
}

#[test]
fn packages_are_found() {
    let folder = folder("packages");
    write(&folder, "meshes/a.obj", TETRAHEDRON);
    write(&folder, "urdf/b.obj", TETRAHEDRON);
    let rooted = |root: &Path| ImportOptions { package_root: Some(root.to_path_buf()), ..ImportOptions::default() };
    // The package root is the package itself, or the folder that contains it.
    let inside = mesh("collision", "package://packages/meshes/a.obj", "");
    assert_eq!(shapes(import(&folder, &inside, &rooted(&folder))).len(), 1);
    assert_eq!(shapes(import(&folder, &inside, &rooted(folder.parent().unwrap()))).len(), 1);
    assert_eq!(shapes(import(&folder, &mesh("collision", "../meshes/a.obj", ""), &rooted(&folder))).len(), 1);
    assert_eq!(shapes(import(&folder, &mesh("collision", "b.obj", ""), &ImportOptions::default())).len(), 1);
}

#[test]
fn files_outside_of_the_folder_are_refused() {
    let folder = folder("climbing");
    write(&folder, "secret.obj", TETRAHEDRON);
    let outside = folder.join("secret.obj");
    let names = [
        "../secret.obj",
        "package://../secret.obj",
        "package://x/../../secret.obj",
        "package://../../secret.obj",
        "file:///etc/passwd.obj",
        "http://example.org/a.obj",
        "missing.obj",
        outside.to_str().unwrap(),
    ];
    for name in names {
        let imported = import(&folder, &mesh("collision", name, ""), &ImportOptions::default());
        let error = imported.unwrap_err().to_string();
        assert!(error.contains("robot.urdf:1: <mesh>: the file '"), "{error}");
        // A visual mesh causes only a warning.
        let imported = import(&folder, &mesh("visual", name, ""), &ImportOptions::default()).unwrap();
        assert_eq!((imported.warnings.len(), imported.scene.bodies[0].shapes.len()), (1, 0), "{name}");
        assert_eq!(imported.scene.bodies[0].display_mesh, None);
    }
}

#[test]
fn unsupported_mesh_formats() {
    let folder = folder("collada");
    write(&folder, "urdf/a.obj", TETRAHEDRON);
    let plain = ImportOptions::default();
    let error = import(&folder, &mesh("collision", "a.dae", ""), &plain).unwrap_err().to_string();
    assert!(
        error.ends_with("the file 'a.dae' is a COLLADA file, which is not supported; convert it to OBJ or STL"),
        "{error}"
    );
    // Another collision, or a visual, is used instead.
    let other = mesh("collision", "a.dae", "") + "<collision><geometry><sphere radius='1'/></geometry></collision>";
    assert_eq!(shapes(import(&folder, &other, &plain)), [ShapeSpec::sphere(1.0)]);
    let seen = mesh("collision", "a.dae", "") + &mesh("visual", "a.obj", "");
    let imported = shapes(import(&folder, &seen, &plain));
    assert_eq!((imported.len(), imported[0].mask), (1, u32::MAX));
    let imported = import(&folder, &mesh("visual", "a.dae", ""), &plain).unwrap();
    assert_eq!((imported.warnings.len(), imported.scene.bodies[0].shapes.len()), (1, 0));
    let broken = "v 0 0 0\nv nan 0 0\n";
    write(&folder, "urdf/broken.obj", broken);
    let error = import(&folder, &mesh("collision", "broken.obj", ""), &plain).unwrap_err().to_string();
    assert!(error.contains("broken.obj, line 2: found 'nan' as a coordinate"), "{error}");
}

#[test]
fn single_visual_mesh_becomes_display_mesh() {
    let folder = folder("shown");
    write(&folder, "urdf/a.obj", OPEN);
    let collision = "<collision><geometry><sphere radius='1'/></geometry></collision>";
    let imported = import(&folder, &(mesh("visual", "a.obj", "") + collision), &ImportOptions::default()).unwrap();
    let body = &imported.scene.bodies[0];
    assert!(body.display_mesh.as_ref().unwrap().ends_with("urdf/a.obj"));
    assert_eq!(body.shapes, [ShapeSpec::sphere(1.0)]);
    imported.scene.build(".").unwrap();
    // A scaled mesh cannot be used without change.
    let imported = import(&folder, &(mesh("visual", "a.obj", "scale='2 2 2'") + collision), &ImportOptions::default());
    assert_eq!(imported.unwrap().scene.bodies[0].display_mesh, None);
}
