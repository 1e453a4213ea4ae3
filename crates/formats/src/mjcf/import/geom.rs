//! `<geom>`: a shape on a body. Attributes that an element omits come from its default class.

use burgess_geometry::Pose;
use burgess_scene::spec::{
    BoxShape, EllipsoidShape, HalfSpaceShape, HeightFieldShape, HullShape, RoundShape, ShapeKind, SphereShape,
};
use glam::{DVec2, DVec3};

use super::assets::Assets;
use super::compiler::{Compiler, not_negative, set, set_first};
use super::inertia;
use super::placement::{Placement, z_to};
use super::softness;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

const KINDS: [&str; 9] = ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];

/// Default colour of a geom (`rgba`).
const DEFAULT_COLOR: [f64; 4] = [0.5, 0.5, 0.5, 1.0];

/// Settings of a geom: the attributes of an element over those of its default class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GeomSettings {
    kind: &'static str,
    pub contype: u32,
    pub conaffinity: u32,
    pub condim: i64,
    group: i64,
    pub priority: i64,
    size: [f64; 3],
    material: Option<String>,
    /// Sliding, torsional and rolling friction.
    pub friction: [f64; 3],
    mass: Option<f64>,
    density: f64,
    shell: bool,
    pub margin: f64,
    from_to: Option<[f64; 6]>,
    placement: Placement,
    height_field: Option<String>,
    mesh: Option<String>,
    color: [f64; 4],
    ellipsoid_fluid: bool,
}

impl Default for GeomSettings {
    fn default() -> Self {
        Self {
            kind: "sphere",
            contype: 1,
            conaffinity: 1,
            condim: 3,
            group: 0,
            priority: 0,
            size: [0.0; 3],
            material: None,
            friction: [1.0, 0.005, 0.0001],
            mass: None,
            density: 1000.0,
            shell: false,
            margin: 0.0,
            from_to: None,
            placement: Placement::default(),
            height_field: None,
            mesh: None,
            color: DEFAULT_COLOR,
            ellipsoid_fluid: false,
        }
    }
}

/// Reads a bit mask, which may be written as a negative number.
fn mask(element: &Element, attribute: &'static str) -> Result<Option<u32>, ImportError> {
    let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
    Ok(element.whole(attribute, range)?.map(|bits| bits as i32 as u32))
}

impl GeomSettings {
    pub fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        let small = -1_000_000..=1_000_000;
        set(&mut self.kind, element.keyword("type", &KINDS)?);
        set(&mut self.contype, mask(element, "contype")?);
        set(&mut self.conaffinity, mask(element, "conaffinity")?);
        set(&mut self.condim, element.whole("condim", 1..=6)?);
        set(&mut self.group, element.whole("group", small.clone())?);
        set(&mut self.priority, element.whole("priority", small)?);
        set_first(&mut self.size, element.numbers("size", 1..=3)?);
        set_first(&mut self.friction, element.numbers("friction", 1..=3)?);
        if self.friction.iter().any(|&value| value < 0.0) {
            return Err(element.wrong("friction", "at least zero"));
        }
        set(&mut self.mass, not_negative(element, "mass")?.map(Some));
        set(&mut self.density, not_negative(element, "density")?);
        set(&mut self.shell, element.boolean("shellinertia")?);
        set(&mut self.margin, element.number("margin")?);
        if self.margin < 0.0 {
            warnings.add("negative contact margins (margin); zero is used", element);
            self.margin = 0.0;
        }
        set(&mut self.from_to, element.array("fromto")?.map(Some));
        self.placement.apply(element)?;
        let name = |attribute| element.text(attribute).map(|name| Some(name.to_string()));
        set(&mut self.material, name("material"));
        set(&mut self.height_field, name("hfield"));
        set(&mut self.mesh, name("mesh"));
        set(&mut self.color, element.array("rgba")?);
        let fluid = element.keyword("fluidshape", &["none", "ellipsoid"])?;
        set(&mut self.ellipsoid_fluid, fluid.map(|word| word == "ellipsoid"));
        self.check_unsupported(element, warnings)
    }

    fn check_unsupported(&self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        if ![1, 3, 4, 6].contains(&self.condim) {
            return Err(element.wrong("condim", "1, 3, 4 or 6"));
        }
        if self.condim > 3 && element.text("condim").is_some() {
            warnings.add("torsional and rolling friction (condim 4 and 6)", element);
        }
        softness::check(element, ["solref", "solimp"], "softness of contacts (solref, solimp)", warnings)?;
        for (attribute, count, what) in
            [("surfacevel", 6, "moving surfaces (surfacevel)"), ("adhesion", 1, "adhesive contacts (adhesion)")]
        {
            let values = element.numbers(attribute, count..=count)?;
            if values.is_some_and(|values| values.iter().any(|&value| value != 0.0)) {
                warnings.add(what, element);
            }
        }
        element.number("solmix")?;
        element.number("gap")?;
        Ok(())
    }
}

/// A geom of a body.
#[derive(Debug, Clone)]
pub(super) struct Geom {
    /// `None` if the geom contributes only to the inertia.
    pub shape: Option<ShapeKind>,
    /// Pose in body coordinates.
    pub pose: Pose,
    /// Mass properties in body coordinates.
    pub mass: Option<inertia::Inertia>,
    pub color: Option<DVec3>,
    pub settings: GeomSettings,
}

/// Shared inputs of creating geoms.
pub(super) struct GeomContext<'a, 'b> {
    pub compiler: &'a Compiler,
    pub assets: &'a mut Assets<'b>,
    pub warnings: &'a mut Warnings,
    /// Whether the model has a fluid.
    pub has_fluid: bool,
}

impl Geom {
    /// Creates a geom from its settings; returns `None` if its type is not supported. `base` is the pose of the
    /// enclosing `<frame>` in the body.
    pub fn new(
        settings: GeomSettings,
        element: &Element,
        base: &Pose,
        (is_static, mass_from_geoms): (bool, bool),
        context: &mut GeomContext,
    ) -> Result<Option<Self>, ImportError> {
        for plugin in element.children("plugin") {
            context.warnings.add("plugins", plugin);
        }
        if settings.kind == "sdf" {
            context.warnings.add("signed distance fields (geoms of type sdf)", element);
            return Ok(None);
        }
        if settings.ellipsoid_fluid && context.has_fluid {
            context.warnings.add("fluid forces on ellipsoids (fluidshape)", element);
        }
        if matches!(settings.kind, "plane" | "hfield") && !is_static {
            return Err(element.conflict("planes and height fields are allowed only in bodies that cannot move"));
        }
        let (size, local) = settings.size_and_pose(element, context.compiler)?;
        let pose = base.compose(&local);
        let [low, high] = context.compiler.inertia_groups;
        let needs_mass = mass_from_geoms && (low..=high).contains(&settings.group);
        let has_contacts = settings.contype != 0 || settings.conaffinity != 0;
        let (shape, mass) = if let Some(name) = &settings.mesh {
            if settings.kind != "mesh" {
                context.warnings.add("shapes fitted to meshes; the convex hull of the mesh is used", element);
            }
            let mesh = context.assets.mesh(name, element, context.compiler)?;
            let mass = if needs_mass { mesh.inertia(settings.mass, settings.density, element)? } else { None };
            // A mesh without contacts is only visual, and its hull would look different.
            let points = has_contacts.then(|| mesh.hull(element)).transpose()?;
            context.assets.count(points.map_or(0, <[_]>::len), element)?;
            (points.map(|points| ShapeKind::Hull(HullShape { points: points.to_vec() })), mass)
        } else {
            let shape = settings.primitive(size, element, context)?;
            let mass = if needs_mass {
                inertia::of_shape(&shape, settings.mass, settings.density, settings.shell)
            } else {
                None
            };
            (Some(shape), mass)
        };
        let color = settings.color(element, context.assets)?;
        Ok(Some(Self { shape, pose, mass: mass.map(|own| own.transformed(&pose)), color, settings }))
    }
}

impl GeomSettings {
    /// Returns the half sizes and the pose in the enclosing `<frame>`.
    fn size_and_pose(&self, element: &Element, compiler: &Compiler) -> Result<([f64; 3], Pose), ImportError> {
        let Some([x0, y0, z0, x1, y1, z1]) = self.from_to else {
            return Ok((self.size, self.placement.pose(compiler, element)?));
        };
        if !matches!(self.kind, "capsule" | "box" | "cylinder" | "ellipsoid") {
            return Err(element.conflict("fromto is allowed only for capsules, boxes, cylinders and ellipsoids"));
        }
        let (from, to) = (DVec3::new(x0, y0, z0), DVec3::new(x1, y1, z1));
        let along = from - to;
        let length = along.length();
        if length < 1e-14 {
            return Err(element.wrong("fromto", "two different points"));
        }
        let half = 0.5 * length;
        let size = if matches!(self.kind, "box" | "ellipsoid") {
            [self.size[0], self.size[0], half]
        } else {
            [self.size[0], half, 0.0]
        };
        Ok((size, Pose::new(z_to(along / length), 0.5 * (from + to))))
    }

    fn primitive(
        &self,
        size: [f64; 3],
        element: &Element,
        context: &mut GeomContext,
    ) -> Result<ShapeKind, ImportError> {
        let needed = match self.kind {
            "sphere" => 1,
            "capsule" | "cylinder" => 2,
            "ellipsoid" | "box" => 3,
            _ => 0,
        };
        if size[..needed].iter().any(|&length| length <= 0.0) {
            let expected = format!("{needed} positive numbers for a {}", self.kind);
            let found = element.text("size").map_or("none".to_string(), |text| format!("'{text}'"));
            return Err(element.fault(ImportFault::Value { attribute: "size", expected, found }));
        }
        let round = || RoundShape { radius: size[0], length: 2.0 * size[1] };
        Ok(match self.kind {
            "plane" => ShapeKind::HalfSpace(HalfSpaceShape {}),
            "hfield" => {
                let Some(name) = &self.height_field else {
                    return Err(element.fault(ImportFault::Missing {
                        what: "attribute 'hfield', which type 'hfield' requires".to_string(),
                    }));
                };
                let field = context.assets.height_field(name, element, context.compiler)?;
                context.assets.count(field.heights.len(), element)?;
                ShapeKind::HeightField(HeightFieldShape {
                    columns: field.columns,
                    rows: field.rows,
                    size: DVec2::new(2.0 * field.size[0], 2.0 * field.size[1]),
                    heights: field.heights.clone(),
                    depth: Some(field.size[3]),
                })
            }
            "sphere" => ShapeKind::Sphere(SphereShape { radius: size[0] }),
            "capsule" => ShapeKind::Capsule(round()),
            "cylinder" => ShapeKind::Cylinder(round()),
            "ellipsoid" => ShapeKind::Ellipsoid(EllipsoidShape { semi_axes: DVec3::from_array(size) }),
            "box" => ShapeKind::Box(BoxShape { size: 2.0 * DVec3::from_array(size) }),
            other => {
                return Err(element
                    .fault(ImportFault::Missing { what: format!("attribute 'mesh', which type '{other}' requires") }));
            }
        })
    }

    /// Returns the colour of the geom, or else that of its material.
    fn color(&self, element: &Element, assets: &Assets) -> Result<Option<DVec3>, ImportError> {
        let of_material = self.material.as_ref().map(|name| assets.material_color(name, element)).transpose()?;
        let color = if self.color == DEFAULT_COLOR { of_material } else { Some(self.color) };
        Ok(color.map(|[r, g, b, _]| DVec3::new(r, g, b).clamp(DVec3::ZERO, DVec3::ONE)))
    }
}
