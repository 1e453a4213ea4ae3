//! Shapes. Those that MuJoCo supports become primitives; others become convex meshes, one for each convex part.

use burgess_geometry::shape::Compound;
use burgess_geometry::{Pose, Shape};
use burgess_scene::BuiltScene;
use burgess_scene::spec::{BoxShape, PoseSpec, SceneSpec, ShapeKind};
use glam::DVec3;

use super::assets::{Assets, height_range};
use super::contact_bits::{ContactBits, DEFAULT_BITS};
use super::frictions::{Friction, Frictions};
use crate::export::{SIDES, Warnings, circle};
use crate::xml::XmlWriter;

/// MuJoCo's default sliding friction.
const DEFAULT_FRICTION: f64 = 1.0;

/// Type-specific data of a geom.
enum Form {
    /// A primitive, with its sizes in m.
    Primitive {
        kind: &'static str,
        sizes: Vec<f64>,
    },
    Mesh {
        name: String,
    },
    Field {
        name: String,
    },
}

/// A geom in body coordinates.
struct Geom {
    form: Form,
    pose: Pose,
    friction: Friction,
    margin: f64,
    color: Option<DVec3>,
    bits: (u32, u32),
}

/// All geoms and their assets.
pub(super) struct Shapes {
    pub assets: Assets,
    /// Geoms of each body, in scene order.
    geoms: Vec<Vec<Geom>>,
}

pub(super) fn plan(scene: &SceneSpec, built: &BuiltScene, order: &[usize], warnings: &mut Warnings) -> Shapes {
    let frictions = Frictions::new(scene, warnings);
    let contact_bits = ContactBits::new(scene, warnings);
    let mut assets = Assets::default();
    let mut geoms: Vec<Vec<Geom>> = scene.bodies.iter().map(|_| Vec::new()).collect();
    for &index in order {
        let (body, made) = (&scene.bodies[index], &built.bodies[index]);
        if body.display_mesh.is_some() {
            warnings.add_named("display meshes are omitted; MuJoCo shows the shapes instead", &body.name);
        }
        for (spec, collider) in body.shapes.iter().zip(&built.world.colliders()[made.colliders.clone()]) {
            let mut forms = Vec::new();
            add_forms(&spec.kind, &collider.shape, &mut assets, &mut forms, &mut || {
                let kind = format!("cones and frustums are approximated by polyhedra with {SIDES} sides");
                warnings.add_named(&kind, &body.name);
            });
            let pose = PoseSpec { position: spec.position, orientation: spec.orientation }.pose();
            geoms[index].extend(forms.into_iter().map(|(form, inner)| Geom {
                form,
                pose: pose.compose(&inner),
                friction: frictions.of(spec),
                margin: spec.margin,
                color: spec.color.or(body.color),
                bits: contact_bits.bits(spec),
            }));
        }
    }
    Shapes { assets, geoms }
}

/// Appends the forms of a shape with their poses in the shape.
fn add_forms(
    kind: &ShapeKind,
    shape: &Shape,
    assets: &mut Assets,
    forms: &mut Vec<(Form, Pose)>,
    warn_approximated: &mut impl FnMut(),
) {
    let primitive = |kind, sizes: &[f64]| Form::Primitive { kind, sizes: sizes.to_vec() };
    let form = match shape {
        Shape::Sphere(ball) => primitive("sphere", &[ball.radius]),
        Shape::Cuboid(block) => primitive("box", &block.half_extents.to_array()),
        Shape::Capsule(round) => primitive("capsule", &[round.radius, round.half_length]),
        Shape::Cylinder(round) => primitive("cylinder", &[round.radius, round.half_length]),
        Shape::Ellipsoid(ellipsoid) => primitive("ellipsoid", &ellipsoid.semi_axes.to_array()),
        // Infinite along x and y; the last number is the grid spacing of the rendered plane.
        Shape::HalfSpace(_) => primitive("plane", &[0.0, 0.0, 1.0]),
        Shape::Cone(cone) => {
            warn_approximated();
            let mut points = circle(cone.radius, -cone.half_length);
            points.push(DVec3::Z * cone.half_length);
            Form::Mesh { name: assets.mesh(&points) }
        }
        Shape::Frustum(frustum) => {
            warn_approximated();
            let mut points = circle(frustum.bottom_radius, -frustum.half_length);
            points.extend(circle(frustum.top_radius, frustum.half_length));
            Form::Mesh { name: assets.mesh(&points) }
        }
        Shape::Polyhedron(polyhedron) => Form::Mesh { name: assets.mesh(polyhedron.vertices()) },
        Shape::HeightField(field) => {
            let pose = Pose::from_translation(DVec3::Z * height_range(field)[0]);
            return forms.push((Form::Field { name: assets.field(field) }, pose));
        }
        Shape::Compound(compound) => return add_parts(kind, compound, assets, forms, warn_approximated),
        Shape::Mesh(mesh) => return add_parts(kind, mesh.parts(), assets, forms, warn_approximated),
    };
    forms.push((form, Pose::IDENTITY));
}

fn add_parts(
    kind: &ShapeKind,
    compound: &Compound,
    assets: &mut Assets,
    forms: &mut Vec<(Form, Pose)>,
    warn_approximated: &mut impl FnMut(),
) {
    for (index, part) in compound.parts().iter().enumerate() {
        let spec = match kind {
            ShapeKind::Compound(compound) => compound.parts.get(index),
            _ => None,
        };
        // A compound stores boxes as polyhedra, but MuJoCo is faster with boxes.
        if let Some(spec) = spec
            && let ShapeKind::Box(BoxShape { size }) = &spec.kind
        {
            let pose = PoseSpec { position: spec.position, orientation: spec.orientation }.pose();
            let sizes = (0.5 * *size).to_array().to_vec();
            forms.push((Form::Primitive { kind: "box", sizes }, pose));
            continue;
        }
        let first = forms.len();
        add_forms(spec.map_or(kind, |spec| &spec.kind), part.shape(), assets, forms, warn_approximated);
        for (_, pose) in &mut forms[first..] {
            *pose = part.pose().compose(pose);
        }
    }
}

impl Shapes {
    /// Writes the geoms of a body.
    pub fn write(&self, xml: &mut XmlWriter, body: usize) {
        for geom in &self.geoms[body] {
            geom.write(xml);
        }
    }
}

impl Geom {
    fn write(&self, xml: &mut XmlWriter) {
        xml.open("geom");
        match &self.form {
            Form::Primitive { kind, sizes } => xml.attribute("type", kind).numbers("size", sizes.iter().copied()),
            Form::Mesh { name } => xml.attribute("type", "mesh").attribute("mesh", name),
            Form::Field { name } => xml.attribute("type", "hfield").attribute("hfield", name),
        };
        xml.vector_unless_zero("pos", self.pose.translation);
        xml.quaternion_unless_identity("quat", self.pose.rotation);
        xml.number_unless(DEFAULT_FRICTION, "friction", self.friction.coefficient);
        if self.friction.is_frictionless {
            xml.attribute("condim", "1");
        }
        xml.number_unless(0.0, "margin", self.margin);
        if self.bits != DEFAULT_BITS {
            xml.attribute("contype", &self.bits.0.to_string()).attribute("conaffinity", &self.bits.1.to_string());
        }
        if let Some(color) = self.color {
            xml.numbers("rgba", [color.x, color.y, color.z, 1.0]);
        }
        xml.close();
    }
}
