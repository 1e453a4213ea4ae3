//! Unsupported features give one warning each, with their lines. Features that do not affect the motion give none.

use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf;

use super::import;

#[test]
fn one_message_per_kind() {
    let geoms = "<geom size='1' solref='0.1 1'/>\n".repeat(12);
    let model = import(&format!("<worldbody>\n{geoms}<geom size='1' condim='6'/></worldbody>")).unwrap();
    let messages: Vec<_> = model.warnings.iter().map(|warning| warning.to_string()).collect();
    assert_eq!(
        messages,
        [
            "not supported: softness of contacts (solref, solimp) (m.xml:3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more)",
            "not supported: torsional and rolling friction (condim 4 and 6) (m.xml:15)",
        ]
    );
}

#[test]
fn strict_import_fails_with_all_warnings() {
    let text =
        "<mujoco>\n<worldbody><body gravcomp='1'><joint springyield='1'/><geom size='1'/></body></worldbody></mujoco>";
    let options = ImportOptions { strict: true, ..ImportOptions::default() };
    let error = mjcf::import_text(text, "m.xml", &options).unwrap_err().to_string();
    let expected = "m.xml: not supported: gravity compensation (gravcomp) (m.xml:2)\n\
                    not supported: yielding springs (springyield) (m.xml:2)";
    assert_eq!(error, expected);
}

/// Each unsupported feature gives a warning, and the rest of the model is imported.
#[test]
fn unsupported_features() {
    let body = "<body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/></body>";
    let cases = [
        ("<worldbody><body mocap='true'><geom size='1'/></body>B</worldbody>", "mocap"),
        ("<worldbody>B<flexcomp name='x' type='grid' count='2 2 1'/></worldbody>", "flex"),
        ("<worldbody>B<composite type='grid' count='2 2 1'><geom size='1'/></composite></worldbody>", "composite"),
        ("<worldbody>B<geom type='sdf'/></worldbody>", "signed distance"),
        ("<worldbody>B<geom size='1' surfacevel='1 0 0 0 0 0'/></worldbody>", "surfacevel"),
        ("<worldbody>B<geom size='1' adhesion='1'/></worldbody>", "adhesion"),
        ("<worldbody>B<body><freejoint align='true'/><geom size='1'/></body></worldbody>", "align"),
        ("<worldbody>B<body><joint type='free' armature='1'/><geom size='1'/></body></worldbody>", "free joints"),
        (
            "<worldbody>B<body><joint type='free' damping='1'/><geom size='1' pos='1 0 0'/></body></worldbody>",
            "centre of mass",
        ),
        ("<worldbody>B<body><joint springdamper='1 1'/><geom size='1'/></body></worldbody>", "springdamper"),
        ("<worldbody>B<body><joint stiffness='1 2'/><geom size='1'/></body></worldbody>", "nonlinear"),
        ("<worldbody>B<body><joint solreflimit='0.1 1'/><geom size='1'/></body></worldbody>", "joint limits"),
        ("<worldbody>B</worldbody><contact><pair geom1='g' geom2='g'/></contact>", "pair"),
        ("<worldbody>B</worldbody><equality><joint joint1='j'/></equality>", "kind 'joint'"),
        ("<worldbody>B</worldbody><equality><connect body1='b' anchor='0 0 0' solref='1 1'/></equality>", "equality"),
        (
            "<worldbody>B</worldbody><tendon><spatial><site site='s'/><site site='s'/></spatial></tendon>",
            "between two points of the same rigid body",
        ),
        (
            "<worldbody>B</worldbody><tendon><spatial><site site='s'/><site site='s'/><site site='s'/></spatial></tendon>",
            "spatial",
        ),
        (
            "<worldbody>B</worldbody><tendon><fixed range='0 1'><joint joint='j' coef='1'/></fixed></tendon>",
            "limits of fixed tendons",
        ),
        ("<worldbody>B</worldbody><actuator><muscle joint='j'/></actuator>", "muscle"),
        ("<worldbody>B</worldbody><actuator><damper joint='j'/></actuator>", "damper"),
        ("<worldbody>B</worldbody><actuator><motor site='s'/></actuator>", "sites"),
        ("<worldbody>B</worldbody><actuator><general joint='j' dyntype='filter'/></actuator>", "dynamics"),
        ("<worldbody>B</worldbody><actuator><position joint='j' dampratio='1'/></actuator>", "dampratio"),
        (
            "<worldbody>B</worldbody><actuator><position joint='j' forcerange='-1 2'/></actuator>",
            "asymmetric force limits",
        ),
        (
            "<worldbody>B</worldbody><actuator><general joint='j' biastype='affine' biasprm='0 1'/></actuator>",
            "positive feedback",
        ),
        ("<worldbody>B</worldbody><sensor><accelerometer site='s'/></sensor>", "accelerometer"),
        ("<worldbody>B</worldbody><sensor><touch site='s'/></sensor>", "touch"),
        ("<worldbody>B</worldbody><sensor><gyro site='s' cutoff='1'/></sensor>", "cutoff"),
        ("<worldbody>B</worldbody><deformable><flex name='f'/></deformable>", "flex"),
        ("<worldbody>B</worldbody><extension><plugin plugin='p'/></extension>", "plugin"),
        ("<option><flag filterparent='disable'/></option><worldbody>B</worldbody>", "filterparent"),
        ("<option density='1'/><worldbody>B<geom size='1' fluidshape='ellipsoid'/></worldbody>", "fluidshape"),
    ];
    for (text, word) in cases {
        let model = import(&text.replace('B', body)).unwrap_or_else(|error| panic!("{word}: {error}"));
        let messages: Vec<_> = model.warnings.iter().map(|warning| warning.to_string()).collect();
        assert!(messages.len() == 1 && messages[0].contains(word), "{word}: {messages:?}");
        assert!(model.scene.body_index("b").is_some(), "{word}");
        model.scene.build(".").unwrap_or_else(|error| panic!("{word}: {error}"));
    }
}

#[test]
fn no_warnings_without_effect_on_motion() {
    let model = import(
        "<compiler fusestatic='true' discardvisual='true' usethread='false'/><size njmax='100' nkey='5'/><statistic extent='2'/>
         <option solver='PGS' iterations='3' cone='elliptic' integrator='implicit'/><visual><map znear='0.1'/><headlight ambient='1 1 1'/></visual>
         <asset><texture type='skybox' builtin='gradient' width='10' height='10'/><material name='m' texture='t' shininess='1'/></asset>
         <custom><numeric name='n' data='1 2'/><text name='t' data='x'/></custom>
         <worldbody><geom size='1' material='m' user='1 2' friction='1 2 3' solmix='2' gap='1'/><site size='0.1' rgba='1 0 0 1'/></worldbody>",
    );
    assert_eq!(model.unwrap().warnings, []);
}
