//! Fluid drag on faces or on inertia boxes. Polyhedra have their own faces, round shapes those of an inscribed
//! polyhedron, compounds those of all parts, including hidden ones. Fixed bodies have none.

use burgess_dynamics::{Drag, DragLaw, DragPanel, Environment, InertiaBoxDrag, Model, Workspace};
use burgess_geometry::shape::tessellation;
use burgess_geometry::{Polyhedron, Pose, Shape};
use burgess_simulation::World;
use glam::DVec3;

use super::built::BuiltBody;
use crate::spec::FluidSpec;

/// Subdivisions of the icosahedron in whose directions a round shape is sampled. Its hull replaces the shape.
const SUBDIVISIONS: usize = 1;

/// Drag of the scene's fluid on bodies.
#[derive(Debug, Clone, PartialEq)]
pub enum FluidDrag {
    /// Drag on the faces of the shapes.
    Faces(Drag),
    /// Drag on the inertia boxes of the bodies.
    InertiaBoxes(InertiaBoxDrag),
}

impl FluidDrag {
    /// Adds the drag to the forces of a workspace with up-to-date poses and velocities. Returns the power of drag
    /// relative to the fluid, in W; never positive.
    pub fn apply(&self, model: &Model, workspace: &mut Workspace) -> f64 {
        match self {
            Self::Faces(drag) => drag.apply(model, workspace),
            Self::InertiaBoxes(drag) => drag.apply(workspace),
        }
    }
}

impl Environment for FluidDrag {
    fn load(&mut self, model: &Model, _time: f64, workspace: &mut Workspace) {
        self.apply(model, workspace);
    }
}

pub(super) fn build_drag(fluid: &FluidSpec, world: &World, bodies: &[BuiltBody]) -> FluidDrag {
    let (law, current) = match fluid {
        FluidSpec::Linear(fluid) => (DragLaw::Linear { coefficient: fluid.coefficient }, fluid.current),
        FluidSpec::Quadratic(fluid) => {
            (DragLaw::Quadratic { density: fluid.density, coefficient: fluid.coefficient }, fluid.current)
        }
        FluidSpec::InertiaBox(fluid) => {
            // Welded bodies have separate boxes.
            let mut drag = InertiaBoxDrag::new(fluid.density, fluid.viscosity);
            drag.current = fluid.current;
            for body in bodies {
                if let (Some(link), Some(mass)) = (body.link.and_then(|link| world.index(link)), &body.mass) {
                    drag.add(world.model(), link, mass);
                }
            }
            return FluidDrag::InertiaBoxes(drag);
        }
    };
    let mut drag = Drag { law, current, panels: Vec::new() };
    let directions = tessellation::sphere(1.0, SUBDIVISIONS).map(|ball| ball.vertices().to_vec()).unwrap_or_default();
    for collider in world.colliders() {
        let Some(link) = collider.link.filter(|&link| !world.trees()[world.tree_of_link(link)].is_fixed) else {
            continue;
        };
        add_faces(&mut drag.panels, link, &collider.shape, &collider.pose, &directions);
    }
    FluidDrag::Faces(drag)
}

fn add_faces(panels: &mut Vec<DragPanel>, link: usize, shape: &Shape, pose: &Pose, directions: &[DVec3]) {
    let mut add = |corners: &[DVec3]| {
        if let Some((center, normal, area)) = face(corners) {
            let (center, normal) = (pose.transform_point(center), pose.transform_vector(normal));
            panels.push(DragPanel { link, center, normal, area });
        }
    };
    match shape {
        Shape::Compound(compound) => {
            for part in compound.parts() {
                add_faces(panels, link, part.shape(), &pose.compose(part.pose()), directions);
            }
        }
        Shape::Mesh(mesh) => mesh.surface().surface().for_each(|corners| add(&corners)),
        _ => {
            let rounded = || {
                let points: Option<Vec<_>> = directions.iter().map(|&direction| shape.support(direction)).collect();
                Polyhedron::hull(&points?).ok()
            };
            let hull = shape.as_polyhedron().cloned().or_else(rounded);
            let Some(hull) = hull else { return };
            for face in 0..hull.faces().len() as u32 {
                let sides = hull.sides(face);
                let corners: Vec<_> = sides.iter().map(|side| hull.vertices()[side.vertex as usize]).collect();
                add(&corners);
            }
        }
    }
}

/// Returns centre, unit normal and area of a planar polygon, or `None` if it has no area.
fn face(corners: &[DVec3]) -> Option<(DVec3, DVec3, f64)> {
    let (&first, rest) = corners.split_first()?;
    let fan = || rest.windows(2).map(|pair| ((pair[0] - first).cross(pair[1] - first), first + pair[0] + pair[1]));
    let normal: DVec3 = fan().map(|(cross, _)| cross).sum();
    let unit = normal.try_normalize()?;
    let double_area = normal.length();
    let center: DVec3 = fan().map(|(cross, sum)| sum * cross.dot(unit)).sum::<DVec3>() / (3.0 * double_area);
    Some((center, unit, 0.5 * double_area))
}
