//! Invalid models give errors with file, line, element, what was found and what was expected.

use super::{Folder, import};

/// Returns the message for a model with an error in line 3.
fn fault(inside: &str) -> String {
    let error = import(&format!("<worldbody>\n{inside}\n</worldbody>")).unwrap_err().to_string();
    error.strip_prefix("m.xml:3: ").unwrap_or_else(|| panic!("{error}")).to_string()
}

#[test]
fn errors_in_elements() {
    let cases = [
        ("<gem/>", "<gem>: unknown element in <worldbody>; did you mean 'geom'?"),
        ("<geom siz='1'/>", "<geom>: unknown attribute 'siz'; did you mean 'size'?"),
        ("<geom size='nan'/>", "<geom>: size must be 1 to 3 finite numbers, found 'nan'"),
        ("<geom size='1 2 3 4'/>", "<geom>: size must be 1 to 3 finite numbers, found 4 numbers"),
        ("<geom size='1e999'/>", "<geom>: size must be 1 to 3 finite numbers, found '1e999'"),
        ("<geom size='1,2'/>", "<geom>: size must be 1 to 3 finite numbers, found '1,2'"),
        (
            "<geom type='bix' size='1'/>",
            "<geom>: type must be one of plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf, found 'bix'",
        ),
        ("<geom type='box' size='1'/>", "<geom>: size must be 3 positive numbers for a box, found '1'"),
        ("<geom type='capsule'/>", "<geom>: size must be 2 positive numbers for a capsule, found none"),
        (
            "<geom size='1' contype='4294967296'/>",
            "<geom>: contype must be an integer from -2147483648 to 2147483647, found '4294967296'",
        ),
        ("<geom size='1' condim='2'/>", "<geom>: condim must be 1, 3, 4 or 6, found '2'"),
        ("<geom size='1' class='x'/>", "<geom>: there is no class called 'x'"),
        ("<geom size='1' material='x'/>", "<geom>: there is no material called 'x'"),
        ("<geom type='mesh' mesh='x'/>", "<geom>: there is no mesh called 'x'"),
        ("<geom type='mesh'/>", "<geom>: has no attribute 'mesh', which type 'mesh' requires"),
        ("<geom type='hfield'/>", "<geom>: has no attribute 'hfield', which type 'hfield' requires"),
        (
            "<geom size='1' quat='1 0 0 0' euler='1 2 3'/>",
            "<geom>: has several of quat, axisangle, euler, xyaxes and zaxis; expected at most one",
        ),
        ("<geom size='1' quat='0 0 0 0'/>", "<geom>: has an orientation from a zero vector or quaternion"),
        (
            "<geom size='1' fromto='0 0 0 0 0 1'/>",
            "<geom>: fromto is allowed only for capsules, boxes, cylinders and ellipsoids",
        ),
        (
            "<geom type='box' size='1' fromto='1 1 1 1 1 1'/>",
            "<geom>: fromto must be two different points, found '1 1 1 1 1 1'",
        ),
        (
            "<body><joint/></body>",
            "<body>: the moving body 'body1' has no mass or inertia; add a geom with mass or an <inertial>",
        ),
        (
            "<body><joint axis='0 0 0'/><geom size='1'/></body>",
            "<joint>: axis must be a vector that is not zero, found '0 0 0'",
        ),
        (
            "<body><joint range='2 1' limited='true'/><geom size='1'/></body>",
            "<joint>: range must be two numbers in increasing order, found '2 1'",
        ),
        ("<body><joint damping='-1'/><geom size='1'/></body>", "<joint>: damping must be at least zero, found '-1'"),
        ("<body name='x'/><body name='x'/>", "<body>: there is another body called 'x'"),
        ("<body name='world'/>", "<body>: there is another body called 'world'"),
        (
            "<body><joint name='x'/><joint name='x'/><geom size='1'/></body>",
            "<joint>: there is another joint called 'x'",
        ),
        ("<geom size='1' name='x'/><geom size='1' name='x'/>", "<geom>: there is another geom called 'x'"),
        ("<site name='x'/><site name='x'/>", "<site>: there is another site called 'x'"),
        ("<joint/>", "<joint>: unknown element in <worldbody>"),
        (
            "<body><body><freejoint/><geom size='1'/></body></body>",
            "<freejoint>: a body with a free joint must be a child of the world",
        ),
        (
            "<body><freejoint/><joint/><geom size='1'/></body>",
            "<freejoint>: a body with a free joint cannot have other joints",
        ),
        (
            "<body><joint type='ball'/><joint type='slide'/><geom size='1'/></body>",
            "<joint>: a ball joint cannot be combined with other joints in the same body; move it to a body of its own",
        ),
        (
            "<body><freejoint/><geom size='1'/><geom type='plane' size='1 1 1'/></body>",
            "<geom>: planes and height fields are allowed only in bodies that cannot move",
        ),
        ("<body><inertial mass='1' diaginertia='1 1 1'/></body>", "<inertial>: has no attribute 'pos'"),
        ("<body><inertial pos='0 0 0' mass='1'/></body>", "<inertial>: has no diaginertia or fullinertia"),
        (
            "<body><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body>",
            "<inertial>: mass must be at least zero, found '-1'",
        ),
        (
            "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>",
            "<inertial>: occurs more than once in <body>; expected at most one",
        ),
        (
            "<replicate count='0'><geom size='1'/></replicate>",
            "<replicate>: count must be an integer from 1 to 1000000, found '0'",
        ),
        ("<replicate count='2'><joint/></replicate>", "<joint>: unknown element in <replicate>"),
        (
            "<frame scale='2'><geom size='1'/></frame>",
            "<frame>: a frame that scales its contents (scale) is not supported",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(fault(text), message, "{text}");
    }
}

#[test]
fn errors_in_references() {
    let body = "<worldbody><body name='arm'><joint name='elbow'/><geom size='1'/></body></worldbody>\n";
    let cases = [
        (
            "<actuator><motor joint='elbo'/></actuator>",
            "<motor>: there is no joint called 'elbo'; did you mean 'elbow'?",
        ),
        (
            "<actuator><motor name='a' joint='elbow'/><motor name='a' joint='elbow'/></actuator>",
            "<motor>: there is another actuator called 'a'",
        ),
        (
            "<actuator><motor joint='elbow' ctrlrange='1 1' ctrllimited='true'/></actuator>",
            "<motor>: ctrlrange must be two numbers in increasing order, found '1 1'",
        ),
        (
            "<actuator><position joint='elbow' inheritrange='1'/></actuator>",
            "<position>: inheritrange requires a joint with a range",
        ),
        (
            "<contact><exclude body1='arm' body2='am'/></contact>",
            "<exclude>: there is no body called 'am'; did you mean 'arm'?",
        ),
        (
            "<contact><exclude body1='arm' body2='arm'/></contact>",
            "<exclude>: body1 and body2 are the same body; expected two different bodies",
        ),
        ("<equality><connect body1='arm'/></equality>", "<connect>: has no attribute 'anchor'"),
        ("<equality><weld body1='world'/></equality>", "<weld>: connects two points of the same rigid body"),
        ("<tendon><fixed/></tendon>", "<fixed>: has no joints"),
        ("<tendon><fixed><joint joint='elbow'/></fixed></tendon>", "<joint>: has no attribute 'coef'"),
        ("<sensor><gyro site='x'/></sensor>", "<gyro>: there is no site called 'x'"),
        ("<keyframe><key qpos='1 2'/></keyframe>", "<key>: qpos must be 0 to 1 finite numbers, found 2 numbers"),
        ("<default class='x'/>", "<default>: the root class must be called 'main'; nest this class inside it"),
        ("<default><default/></default>", "<default>: has no attribute 'class'"),
        ("<default><default class='main'/></default>", "<default>: there is another class called 'main'"),
        (
            "<default><geom size='1'/><geom size='2'/></default>",
            "<geom>: occurs more than once in <default>; expected at most one",
        ),
        (
            "<compiler coordinate='global'/>",
            "<compiler>: coordinate=\"global\" is not supported; save the model in local coordinates with MuJoCo 2.3.3 or older",
        ),
        (
            "<compiler eulerseq='xya'/>",
            "<compiler>: eulerseq must be three of the letters x, y, z, X, Y and Z, found 'xya'",
        ),
        ("<option timestep='0'/>", "<option>: timestep must be more than 0 and at most 1 s, found '0'"),
        ("<body/>", "<body>: unknown element in <mujoco>"),
    ];
    for (text, message) in cases {
        let error = import(&format!("{body}{text}")).unwrap_err().to_string();
        assert_eq!(error, format!("m.xml:3: {message}"), "{text}");
    }
}

#[test]
fn impossible_inertias() {
    let text = "<worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body></worldbody>";
    let error = import(text).unwrap_err().to_string();
    assert!(error.contains("<inertial>: the principal moments of inertia are 1, 1 and 3"), "{error}");
    assert!(import(&format!("<compiler balanceinertia='true'/>{text}")).is_ok());
    let error = import(&text.replace("1 1 3", "1 1 -1")).unwrap_err().to_string();
    assert!(
        error.contains("<inertial>: the principal moments of inertia are 1, 1 and -1; they must not be negative"),
        "{error}"
    );
}

#[test]
fn too_many_contact_classes() {
    let geoms: String =
        (0..33).map(|place| format!("<geom size='1' contype='1' conaffinity='{}'/>", 1 + 2 * place)).collect();
    let error = import(&format!("<worldbody>{geoms}</worldbody>")).unwrap_err().to_string();
    assert_eq!(error, "m.xml: has more than 32 different pairs of contype and conaffinity");
}

#[test]
fn invalid_mesh_files() {
    let folder = Folder::new("meshes");
    folder.write("text.stl", "solid x\nendsolid x");
    folder.write("short.msh", [4, 0, 0, 0]);
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3");
    folder.write("bad_index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9");
    folder.write("words.obj", "v 0 0 x");
    folder.write("mesh.ply", "ply");
    folder.write("heights.bin", [0; 12]);
    folder.write("heights.png", "PNG");
    let mesh = |asset: &str, geom: &str| {
        let text = format!("<mujoco><asset>\n{asset}</asset><worldbody>{geom}</worldbody></mujoco>");
        folder.import(text).unwrap_err().to_string()
    };
    for (file, message) in [
        ("text.stl", "has 0 vertices; expected at least 4"),
        ("short.msh", "is not an MSH file: it has fewer than 16 bytes"),
        ("bad_index.obj", "line 5: a face uses vertex 9"),
        ("words.obj", "line 1: found 'x' as a coordinate"),
        ("mesh.ply", "has an unknown extension"),
        ("nowhere.stl", "cannot be found"),
    ] {
        let error = mesh(&format!("<mesh name='m' file='{file}'/>"), "<geom type='mesh' mesh='m'/>");
        assert!(error.contains(message) && error.contains("model.xml:2: <mesh>: the file '"), "{error}");
    }
    let error = mesh("<mesh name='m' file='flat.obj'/>", "<geom type='mesh' mesh='m'/>");
    assert!(
        error.contains("the mesh has no volume") || error.contains("the convex hull of the mesh cannot be computed"),
        "{error}"
    );
    for (file, message) in [("heights.bin", "is not a height field"), ("heights.png", "is an image")] {
        let error =
            mesh(&format!("<hfield name='h' file='{file}' size='1 1 1 1'/>"), "<geom type='hfield' hfield='h'/>");
        assert!(error.contains(message), "{error}");
    }
}
